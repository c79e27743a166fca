"""A plain text file that a person names: a dialogue, or notes. Read whole: it is what a person typed, not a log."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, time, tzinfo
from pathlib import Path

from silo.edge.sources.assemble import CURSORS, Assembler, covers
from silo.edge.sources.found import Reading, Skipped, SourceSession
from silo.formats.dialogue import read_dialogue
from silo.formats.session import Kind
from silo.text.lines import decode

MAX_BYTES = 20_000_000
_DATED = re.compile(r"(\d{4}-\d{2}-\d{2})")


@dataclass(frozen=True, slots=True)
class TextFile:
    """A text file. Its session id is its name with a short hash of its folder, so that it survives edits."""

    path: Path
    agent: str
    zone: tzinfo
    size: int
    mtime_ns: int
    inode: int
    source: str = "text"
    kind: Kind = Kind.MAIN

    @property
    def where(self) -> str:
        return str(self.path)

    @property
    def session(self) -> str:
        folder = hashlib.sha256(
            str(self.path.absolute().parent).encode("utf-8", "surrogateescape")
        ).hexdigest()[:6]
        return re.sub(r"[^\w.-]+", "-", self.path.stem) + f"-{folder}"

    @property
    def last(self) -> datetime | None:
        return datetime.fromtimestamp(self.mtime_ns / 1e9, UTC)

    def close(self) -> None:
        """Nothing is held between two readings."""

    def read(self, reading: Reading) -> Iterator[SourceSession]:
        """The file's messages, if it changed."""
        key = f"file:{self.path.absolute()}"
        given = reading.get(CURSORS, key)
        cursor: Mapping[str, object] = (
            given if isinstance(given, dict) and not reading.wants_again(self.session) else {}
        )
        stat = [self.size, self.mtime_ns, self.inode]
        if cursor.get("stat") == stat and covers(cursor, reading):
            return
        if self.size > MAX_BYTES:
            reading.skipped.append(Skipped(self.where, "a text file of over 20 MB"))
            return
        try:
            text = decode(self.path.read_bytes())
        except OSError as error:
            reading.skipped.append(Skipped(self.where, error.strerror or str(error)))
            return
        work = Assembler(reading, self.where, self.source, self.agent, self.session, key, kind=self.kind)
        for message in read_dialogue(text, self.zone, self._day()):
            work.keep(message)
        yield work.part({"stat": stat})

    def _day(self) -> datetime | None:
        """The day of a file that is named by one (noon), else when it was last written."""
        found = _DATED.search(self.path.stem)
        try:
            day = datetime.fromisoformat(found[1]).date() if found else None
        except ValueError:
            day = None  # figures that only look like a date
        return datetime.combine(day, time(12), self.zone) if day else self.last
