"""A memory on a real folder that lives for months in a test: the jobs, a disk that can kill them, and what is there now."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from unittest.mock import patch

from faulty_disk import FaultyDisk, Killed, quick_folder
from silo.config import Config, load
from silo.core.dedupe import id_of
from silo.core.overflow import Limits
from silo.edge import reader as engine
from silo.edge.workspace import Workspace
from silo.errors import BadInput
from silo.formats.events import parse_file
from silo.formats.topics import TopicFile, parse_topic
from silo.jobs import night
from silo.jobs.run import Call, Report
from silo.model import ChangeEntry, Event
from silo.text.lines import sha256
from transcript import Log

Death = tuple[int, str] | None  # the step at which a job is killed, and whether before, after or in the middle of it
Hand = Callable[[int, str], None] | None  # called before each step of a job
SLUGS = ("infra", "garden")
NUMBER = re.compile(r"\b\d{4,}\b")


def number_in(text: str) -> str:
    """The number by which a statement of these tests is known; "" without one."""
    hit = NUMBER.search(text)
    return hit[0] if hit else ""


class Months:
    """The folder, the day, and a conversation that grows."""

    def __init__(self) -> None:
        self.top = quick_folder()
        self.root = self.top / "w"
        self.root.mkdir()
        environ = {"HOME": str(self.top), "OPENCLAW_STATE_DIR": str(self.top / "host")}
        loaded: Config = load(workspace=str(self.root), agent=None, timezone_name="UTC", environ=environ)
        # so small that facts have to leave them all the time
        self.config = loaded._replace(values={**loaded.values, "warm": {"max_kb": 2}, "hot": {"max_bytes": 700, "max_lessons": 3, "max_events": 3, "max_tasks": 2}})
        self.now = datetime(2026, 3, 6, 12, 0, tzinfo=UTC)
        self.number = 1000
        self.talk = Log(at=int(self.now.timestamp()) * 1000)
        self.names = {slug: [slug] for slug in SLUGS}  # every name that a topic's file has had

    def close(self) -> None:
        """The folder is gone."""
        shutil.rmtree(self.top)

    def next(self) -> str:
        """A number that nobody has said yet."""
        self.number += 1
        return str(self.number)

    # --- jobs ---

    def call(self) -> Call:
        """A command of this moment."""
        return Call(config=self.config, now=self.now, command="test")

    @contextmanager
    def disk(self, die: Death = None, hand: Hand = None) -> Iterator[None]:
        """Jobs inside use a disk that dies there, and topic files overflow after a few changes."""
        made = FaultyDisk(die_at=die, at_step=hand)
        with patch.object(engine, "Disk", lambda owner=None: made), patch.object(night, "Limits", lambda size: Limits(400, 4)):
            yield

    def space(self) -> Workspace:
        """The workspace, for looking."""
        return Workspace.open(self.root, fs=FaultyDisk())

    def do(self, job: Callable[[Call], Report], die: Death = None, hand: Hand = None) -> Report | None:
        """The job has run a minute later; None where it was killed, and is repaired, or refused what it was asked for."""
        self.now += timedelta(minutes=1)
        try:
            with self.disk(die, hand):
                return job(self.call())
        except BadInput:
            return None
        except Killed:
            with self.disk():
                self.space().recover(self.now)
            return None

    def says(self, text: str, *, whole: bool) -> None:
        """The owner says it, and the transcript has it: torn in its last line where not `whole`."""
        self.talk.at = max(self.talk.at, int(self.now.timestamp()) * 1000)
        self.talk.user(text)
        self.talk.agent("Noted.")
        written = self.talk.text
        self.transcript.write_text(written if whole else written[: len(written) - 30], encoding="utf-8")

    @property
    def transcript(self) -> Path:
        return self.top / "s.jsonl"

    # --- what is there ---

    def name(self, slug: str) -> str:
        """The present name of a topic's file."""
        return next(name for name in reversed(self.names[slug]) if (self.root / f"memory/topics/{name}.md").exists())

    def place(self, slug: str) -> Path:
        """A topic's file."""
        return self.root / f"memory/topics/{self.name(slug)}.md"

    def topics(self) -> dict[str, TopicFile]:
        """The topics by the names that they had first."""
        paths = {slug: f"memory/topics/{self.name(slug)}.md" for slug in SLUGS}
        return {slug: parse_topic((self.root / path).read_bytes().decode(), path) for slug, path in paths.items()}

    def older(self, slug: str) -> tuple[ChangeEntry, ...]:
        """The changelog entries of a topic that lie in its archive file."""
        path = f"memory/topics/{self.name(slug)}.archive.md"
        place = self.root / path
        return parse_topic(place.read_bytes().decode(), path).changes if place.exists() else ()

    def entries(self, slug: str) -> set[ChangeEntry]:
        """All changelog entries of a topic, wherever they lie."""
        return {replace(entry, line=0) for entry in (*self.topics()[slug].changes, *self.older(slug))}

    def log_files(self) -> list[Path]:
        """The files of the event log."""
        return sorted((self.root / "memory/events").glob("*.md"))

    def logged(self) -> Iterator[tuple[Event, str]]:
        """The events of the log with their ids."""
        for path in self.log_files():
            for event in parse_file(path.read_bytes().decode(), f"memory/events/{path.name}").events:
                yield event, id_of(event)

    def digest(self, path: str) -> str:
        """SHA-256 of a file; "" where there is none."""
        place = self.root / path
        return sha256(place.read_bytes()) if place.exists() else ""

    def runs(self) -> list[str]:
        """The ids of all runs."""
        return [run.id for run in self.space().runs()]

    def files(self) -> dict[str, bytes]:
        """Every file, without state and index."""
        found = {}
        for path in sorted(self.root.rglob("*")):
            name = path.relative_to(self.root).as_posix()
            if path.is_file() and not name.startswith((".silo/state", ".silo/locks/", ".silo/index")):
                found[name] = path.read_bytes()
        return found
