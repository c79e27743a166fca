"""JSONL transcripts: OpenClaw's live files and archives, Claude Code's projects, a file that a person names.

A file is read from where its cursor stands; its size, time and inode unchanged mean that it isn't opened at all. An
append goes on from the cursor, a rewrite (the hash of head and tail differs) is read anew and known messages are
passed over. A torn last line is taken once it parses. Whatever can't be parsed is counted and said.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from silo.edge.sources import seen, stream, zstd
from silo.edge.sources.branch import active
from silo.edge.sources.found import CONTEXT, Reading, Skipped, SourceSession
from silo.formats.session import (
    Kind,
    Mark,
    Message,
    RawSession,
    claude_code,
    is_claude_code,
    openclaw,
    worth_parsing,
)
from silo.model import Put, StateOp

CURSORS = "cursors"
CHUNK_TEXT = 4_000_000  # characters of talk after which a session is handed out in parts
CHUNK_MESSAGES = 4_000
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

    @property
    def where(self) -> str:
        return str(self.path)

    @property
    def last(self) -> datetime | None:
        return datetime.fromtimestamp(self.mtime_ns / 1e9, UTC)

    @property
    def cursor_key(self) -> str:
        return f"file:{self.path}"

    def read(self, reading: Reading) -> Iterator[SourceSession]:
        """What is new in the file, in one part or, if it is very long, in several."""
        given = reading.get(CURSORS, self.cursor_key)
        cursor: Mapping[str, object] = given if isinstance(given, dict) else {}
        if self._unchanged(cursor, reading):
            return
        try:
            with closing(self._open()) as raw:
                yield from _Walk(self, reading, cursor, raw).parts()
        except (OSError, zstd.CannotDecompress, EOFError) as error:
            reading.skipped.append(Skipped(self.where, str(error)))

    def _open(self) -> BinaryIO:
        return zstd.open_file(self.path) if self.zst else self.path.open("rb")

    def _unchanged(self, cursor: Mapping[str, object], reading: Reading) -> bool:
        stat = [self.size, self.mtime_ns, self.inode]
        return cursor.get("stat") == stat and _number(cursor.get("since")) <= reading.since


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0


@dataclass(slots=True)
class _Walk:
    """One pass over a file."""

    file: JsonlFile
    reading: Reading
    cursor: Mapping[str, object]
    raw: BinaryIO
    session: str = ""
    key: str = ""
    kind: Kind = Kind.UNKNOWN
    machine: str = ""
    messages: list[Message] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    text: int = 0
    bad: int = 0
    offset: int = 0

    def parts(self) -> Iterator[SourceSession]:
        self.session, self.key, self.kind = self.file.session, self.file.key, self.file.kind
        known = self.cursor.get("session")
        self.session = known if isinstance(known, str) and known else self.session
        start = self._start()
        self.offset = start
        fresh_from = int(_number(self.cursor.get("offset"))) if start or self._same_prefix else 0
        for line in stream.lines(self.raw, start):
            if line.torn and not self.file.zst and not _parses(line.data):
                break  # still being written: next time
            self._take(line.data, line.end > fresh_from)
            self.offset = line.end
            if self.text > CHUNK_TEXT or len(self.messages) > CHUNK_MESSAGES:
                yield from self._hand_out(last=False)
        yield from self._hand_out(last=True)

    _same_prefix: bool = False

    def _start(self) -> int:
        """Where reading starts: some way before the cursor for context, or 0 for a new or rewritten file."""
        offset = int(_number(self.cursor.get("offset")))
        if self.file.zst or not offset or _number(self.cursor.get("since")) > self.reading.since:
            return 0
        if self.file.size < offset or stream.prefix_hash(self.raw, offset) != self.cursor.get("prefix"):
            self.raw.seek(0)
            return 0
        self._same_prefix = True
        back = max(0, offset - _LOOK_BACK)
        self.raw.seek(back)
        if back:
            back += len(self.raw.readline())
        return back

    def _take(self, data: bytes, fresh: bool) -> None:
        if not data.strip() or not (worth_parsing(data)):
            return
        try:
            record = json.loads(data)
        except (ValueError, RecursionError):
            self.bad += fresh
            return
        if not isinstance(record, dict):
            self.bad += fresh
            return
        if self.file.claude or is_claude_code(record):
            made = claude_code(record)
            session = record.get("sessionId")
            if isinstance(session, str) and session and not self.messages:
                self.session = session
        else:
            made = openclaw(record)
        if isinstance(made, Message):
            self.messages.append(made if fresh else replace(made, fresh=False))
            self.text += len(made.text)
        elif isinstance(made, Mark):
            self._mark(made)

    def _mark(self, mark: Mark) -> None:
        if mark.what == "session" and mark.value:
            self.session = mark.value
        elif mark.what == "machine":
            self.machine = mark.value
        self.marks.append(mark)

    def _hand_out(self, *, last: bool) -> Iterator[SourceSession]:
        messages = [self._fresh(m) for m in _once(active(self.messages, self.marks))]
        ops: list[StateOp] = [self._cursor_op(last)]
        if self.machine or self.kind not in (Kind.MAIN, Kind.DIRECT, Kind.GROUP, Kind.UNKNOWN):
            messages = []
        if any(m.fresh for m in messages):
            raw = RawSession(
                id=self.session, source=self.file.source, agent=self.file.agent, messages=tuple(messages), key=self.key,
                kind=self.kind, owners=self.reading.owners,
            )  # fmt: skip
            done = self.reading.screen(raw)
            ops += seen.mark(self.reading, self.session, done.consumed)
            session = replace(done.session, turns=_with_context(done.session.turns))
            yield SourceSession(
                session, self.file.where, tuple(ops), done.quarantined, done.dropped, done.redacted, done.notes + self._notes()
            )
        else:
            from silo.model import Session

            empty = Session(self.session, self.file.source, self.file.agent, (), self.key)
            yield SourceSession(empty, self.file.where, tuple(ops), notes=self._notes())
        self.messages = [replace(m, fresh=False) for m in self.messages[-2 * CONTEXT :]]
        self.text = sum(len(m.text) for m in self.messages)
        self.bad = 0

    def _fresh(self, message: Message) -> Message:
        if not message.fresh or message.skip:
            return message
        if (message.at is not None and message.at < self.reading.since) or seen.is_seen(self.reading, self.session, message.id):
            return replace(message, fresh=False)
        return message

    def _notes(self) -> tuple[str, ...]:
        return (f"{self.bad} lines that are no JSON objects were passed over",) if self.bad else ()

    def _cursor_op(self, last: bool) -> StateOp:
        value: dict[str, object] = {"offset": self.offset, "session": self.session, "since": self.reading.since}
        if not self.file.zst:
            here = self.raw.tell()
            value["prefix"] = stream.prefix_hash(self.raw, self.offset)
            self.raw.seek(here)
        if last:
            value["stat"] = [self.file.size, self.file.mtime_ns, self.file.inode]
        return Put(CURSORS, self.file.cursor_key, value)


def _parses(data: bytes) -> bool:
    try:
        return isinstance(json.loads(data), dict)
    except ValueError:
        return False


def _once(messages: list[Message]) -> list[Message]:
    """Each id once, the first of its records; a record without an id stays."""
    known: set[str] = set()
    return [m for m in messages if not (m.id and (m.id in known or known.add(m.id)))]  # type: ignore[func-returns-value]


def _with_context(turns: tuple) -> tuple:  # type: ignore[type-arg]
    first = next((n for n, turn in enumerate(turns) if turn.fresh), len(turns))
    return turns[max(0, first - CONTEXT) :]
