"""JSONL transcripts: OpenClaw's live files and archives, Claude Code's projects, a file that a person names.

A file is read from where its cursor stands; its size, time and inode unchanged mean that it isn't opened at all. An
append goes on from the cursor; a rewrite (the hash of head and tail differs) is read anew, and known messages are
passed over. A torn last line is taken once it parses. What can't be parsed is counted and said.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

import silo.edge.sources.branch as branch
import silo.edge.sources.stream as stream
import silo.edge.sources.zstd as zstd
from silo.edge.sources.assemble import CURSORS, Assembler, covers
from silo.edge.sources.found import Reading, Skipped, SourceSession
from silo.formats.session import Kind

_LOOK_BACK = 512 * 1024  # bytes before the cursor that are read again for context


@dataclass(frozen=True, slots=True)
class JsonlFile:
    """One transcript file. `session` is the id from its name; a header inside the file wins over it."""

    path: Path
    session: str
    source: str
    agent: str
    size: int
    mtime_ns: int
    inode: int
    kind: Kind = Kind.UNKNOWN
    key: str = ""
    zst: bool = False
    claude: bool = False
    content: Callable[[], bytes] | None = None  # where the bytes lie in a store instead of a file

    @property
    def where(self) -> str:
        return str(self.path)

    @property
    def last(self) -> datetime | None:
        return datetime.fromtimestamp(self.mtime_ns / 1e9, UTC)

    @property
    def cursor_key(self) -> str:
        return f"file:{self.path.absolute()}"

    def close(self) -> None:
        """Nothing is held between two readings."""

    def read(self, reading: Reading) -> Iterator[SourceSession]:
        """What is new in the file, in one part or, where it is very long or begun anew, in several."""
        given = reading.get(CURSORS, self.cursor_key)
        cursor: Mapping[str, object] = given if isinstance(given, dict) else {}
        if reading.wants_again(self.session) or reading.wants_again(str(cursor.get("session"))):
            cursor = {}
        if cursor.get("stat") == self.stat and covers(cursor, reading):
            return
        try:
            with closing(self._open()) as raw:
                yield from _Walk(self, reading, cursor, raw).parts()
        except (OSError, zstd.CannotDecompress) as error:
            reading.skipped.append(
                Skipped(
                    self.where, error.strerror or str(error) if isinstance(error, OSError) else str(error)
                )
            )

    def _open(self) -> BinaryIO:
        if self.content is not None:
            data = self.content()
            return zstd.open_bytes(data) if self.zst else io.BytesIO(data)
        return zstd.open_file(self.path) if self.zst else self.path.open("rb")

    @property
    def stat(self) -> list[int]:
        return [self.size, self.mtime_ns, self.inode]


UNKNOWN = "no line is a record of OpenClaw or Claude Code; `--source text` reads lines such as `User: …`"


def number(value: object) -> float:
    """A number out of a cursor, 0 for anything else."""
    return float(value) if isinstance(value, int | float) else 0.0


class _Walk:
    """One pass over a file."""

    def __init__(
        self, file: JsonlFile, reading: Reading, cursor: Mapping[str, object], raw: BinaryIO
    ) -> None:
        self.file, self.reading, self.cursor, self.raw = file, reading, cursor, raw
        known = cursor.get("session")
        self.work = Assembler(
            reading=reading, where=file.where, source=file.source, agent=file.agent,
            session=known if isinstance(known, str) and known else file.session, cursor_key=file.cursor_key, key=file.key,
            kind=file.kind, claude=file.claude, machine=str(cursor.get("machine") or ""), leaf=cursor.get("leaf") is True,
            at=file.last.timestamp() if file.last else None,
        )  # fmt: skip
        self.offset = 0
        self.typed = False  # a record of either host says its type

    def parts(self) -> Iterator[SourceSession]:
        start, fresh_from = self._start()
        while True:
            again = False
            for part in self._pass(start, fresh_from):
                if part is None:
                    again = True
                    break
                yield part
            if not again:
                return
            # A branch was chosen beyond the cursor: what lay off the branch before may count now.
            start = fresh_from = 0
            self.raw.seek(0)
            self.work.messages, self.work.ids = [], set()

    def _pass(self, start: int, fresh_from: int) -> Iterator[SourceSession | None]:
        self.offset = start
        hidden = self.work.leaf
        if hidden:
            self._hide(start)
        elif self.file.claude:
            self.work.hidden = branch.rewound_ids(self._all)
            self.raw.seek(start)
        for line in stream.lines(self.raw, start):
            if line.torn and not self.file.zst and not _parses(line.data):
                break  # still being written: next time
            if not line.data.strip():
                self.work.bad += line.too_long and line.end > fresh_from
                self.offset = line.end
                continue
            fresh = line.end > fresh_from
            self.typed = self.typed or b'"type"' in line.data
            mark = self.work.take(line.data, fresh=fresh)
            if mark is not None and mark.what == "leaf" and fresh:
                if fresh_from:
                    yield None
                    return
                if not hidden:
                    self._hide(line.end)
                    hidden = True
            if mark is not None and mark.what == "reset":
                yield self._part(keep_context=False)
            self.offset = line.end
            if self.work.full:
                yield self._part()
        if self.offset and not start and not self.typed:
            self.reading.skipped.append(Skipped(self.file.where, UNKNOWN))
        yield self._part(last=True)

    def _all(self) -> Iterator[bytes]:
        self.raw.seek(0)
        return (line.data for line in stream.lines(self.raw))

    def _hide(self, back_to: int) -> None:
        self.work.hidden = branch.hidden_ids(self._all())
        self.raw.seek(back_to)

    def _start(self) -> tuple[int, int]:
        """(where reading starts, from where on messages are fresh): some way before the cursor for context, or 0."""
        offset = int(number(self.cursor.get("offset")))
        if self.file.zst or not offset or not covers(self.cursor, self.reading):
            return 0, 0
        same = self.file.size >= offset and stream.prefix_hash(self.raw, offset) == self.cursor.get("prefix")
        back = max(0, offset - _LOOK_BACK) if same else 0
        self.raw.seek(back)
        if back:
            back += len(self.raw.readline())
        return back, offset if same else 0

    def _part(self, *, last: bool = False, keep_context: bool = True) -> SourceSession:
        value: dict[str, object] = {"offset": self.offset, "session": self.work.session}
        if not self.file.zst:
            here = self.raw.tell()
            value["prefix"] = stream.prefix_hash(self.raw, self.offset)
            self.raw.seek(here)
        if self.work.machine:
            value["machine"] = self.work.machine
        if self.work.leaf:
            value["leaf"] = True
        if last:
            value["stat"] = self.file.stat
        return self.work.part(value, keep_context=keep_context)


def _parses(data: bytes) -> bool:
    try:
        return isinstance(json.loads(data), dict)
    except ValueError:
        return False
