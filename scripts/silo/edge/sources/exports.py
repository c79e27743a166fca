"""Exports of ChatGPT and Claude that a person names: conversations.json, its folder, or the zip as it was sent.

An export is one file of many conversations; each is a session of its own. A later export of the same conversations is read from
where the earlier one ended, whatever its file is called.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from silo.edge.sources.assemble import CURSORS, Assembler, covers
from silo.edge.sources.found import Reading, Skipped, SourceSession
from silo.formats.exports import Exported, conversations, source_of
from silo.formats.session import Kind

MAX_BYTES = 400_000_000  # an export is held whole while it is read
_NAMES = "conversations*.json"


@dataclass(frozen=True, slots=True)
class ExportedTalk:
    """One conversation of an export."""

    path: Path
    agent: str
    talk: Exported
    kind: Kind = Kind.MAIN

    @property
    def where(self) -> str:
        return str(self.path)

    @property
    def session(self) -> str:
        return self.talk.id

    @property
    def size(self) -> int:
        return sum(len(message.text) for message in self.talk.messages)

    @property
    def last(self) -> datetime | None:
        times = [message.at for message in self.talk.messages if message.at is not None]
        at = self.talk.last or max(times, default=None)
        return datetime.fromtimestamp(at, UTC) if at is not None else None

    def close(self) -> None:
        """Nothing is held between two readings."""

    def read(self, reading: Reading) -> Iterator[SourceSession]:
        """The conversation's messages, if there are other ones than before."""
        key = f"export:{self.talk.source}:{self.talk.id}"
        given = reading.get(CURSORS, key)
        given = given if isinstance(given, dict) else {}
        known = {"count": len(self.talk.messages), "last": self.talk.messages[-1].id}
        same = {name: given.get(name) for name in known} == known
        if same and covers(given, reading) and not reading.wants_again(self.session):
            return
        work = Assembler(reading, self.where, self.talk.source, self.agent, self.session, key, kind=self.kind, at=self.talk.at)
        for message in self.talk.messages:
            work.keep(message)
            if work.full:
                yield work.part({})
        yield work.part(known)


def files_of(place: Path) -> list[Path]:
    """The files of an export: the one that was named, or those in a folder."""
    if place.is_file():
        return [place]
    found = sorted(place.glob(_NAMES)) or sorted(place.glob("*.zip"))
    return found or sorted(place.rglob(_NAMES))


def export_of(path: Path) -> str:
    """Whose export a file is: chatgpt, claude, or "" for none."""
    try:
        return next((source for value in _values(path) if (source := source_of(value))), "")
    except (OSError, ValueError, zipfile.BadZipFile):
        return ""


def talks(path: Path, source: str, agent: str, skipped: list[Skipped]) -> Iterator[ExportedTalk]:
    """The conversations of a file; what can't be read is named in `skipped`."""
    try:
        for value in _values(path):
            if source_of(value) != source:
                skipped.append(Skipped(str(path), f"no export of {source}"))
                continue
            yield from (ExportedTalk(path, agent, talk) for talk in conversations(value))
    except (OSError, ValueError, RecursionError, zipfile.BadZipFile) as error:
        skipped.append(Skipped(str(path), f"can't be read: {error}"))


def _values(path: Path) -> Iterator[object]:
    """The JSON values of an export's file.

    Raises:
        ValueError: not JSON, or too large.
        OSError, BadZipFile: it can't be read.
    """
    if path.suffix.lower() != ".zip":
        if path.stat().st_size > MAX_BYTES:
            raise ValueError("over 400 MB")
        yield json.loads(path.read_bytes())
        return
    with zipfile.ZipFile(path) as pack:
        for info in pack.infolist():
            name = info.filename.rpartition("/")[2]
            if name.startswith("conversations") and name.endswith(".json"):
                if info.file_size > MAX_BYTES:
                    raise ValueError("over 400 MB")
                yield json.loads(pack.read(info))
