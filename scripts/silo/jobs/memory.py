"""Reading what a job needs of a workspace into plain values: topics, the event log, review items."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from silo.core.adopt import renamed
from silo.core.dedupe import Log
from silo.core.desk import Desk
from silo.core.doors import LOG, PRIVATE_LOG, Numbering
from silo.core.facts import news_from
from silo.core.views import INDEX
from silo.edge.workspace import Workspace
from silo.formats.decisions import read_decisions, waits
from silo.formats.events import EventFile, parse_file
from silo.formats.topics import TopicFile, info, is_archive, parse_topic
from silo.model import Event, Problem, TopicInfo
from silo.text.lines import decode

TOPICS = "memory/topics"
_DECIDED = ("undone", "reconciled")  # tables of state.db that remember something of an event
REVIEW = ".silo/review.jsonl"
BASE = ".silo/base/"
PRIVATE_TOPICS = ".silo/private/topics"


@dataclass(frozen=True, slots=True)
class Topics:
    """The topic files of a workspace, and which of them are private."""

    files: tuple[TopicFile, ...]
    infos: tuple[TopicInfo, ...]
    problems: tuple[Problem, ...]

    @property
    def slugs(self) -> frozenset[str]:
        """All names that lead to a topic file: slugs, and the other names that topics had or were given."""
        return frozenset(name for one in self.infos for name in (one.slug, *one.aliases))

    @property
    def private(self) -> frozenset[str]:
        """Names whose events stay out of memory/."""
        return frozenset(name for one in self.infos if one.sensitivity == "private" for name in (one.slug, *one.aliases))

    def get(self, slug: str) -> TopicInfo | None:
        """The topic of that slug, else the one that has it as another name."""
        exact = next((one for one in self.infos if one.slug == slug), None)
        return exact or next((one for one in self.infos if slug in one.aliases), None)

    def resolve(self, slug: str) -> str:
        """The slug of the topic that the name leads to; the name itself where there is none."""
        found = self.get(slug)
        return found.slug if found is not None else slug


def topic_paths(workspace: Workspace) -> list[str]:
    """Topic files, private ones too, archives of source blocks left out."""
    found = workspace.paths(f"{TOPICS}/*.md") + workspace.paths(f"{PRIVATE_TOPICS}/*.md")
    return [path for path in found if not is_archive(path)]


def read_topics(workspace: Workspace) -> Topics:
    """Every topic file parsed."""
    files: list[TopicFile] = []
    for path in topic_paths(workspace):
        data = workspace.read(path)
        if data is not None:
            files.append(parse_topic(decode(data), path))
    return Topics(
        tuple(files), tuple(info(file) for file in files), tuple(problem for file in files for problem in file.problems)
    )


def event_paths(workspace: Workspace) -> list[str]:
    """Day files of the log, private ones too, oldest day first."""
    found = workspace.paths(f"{LOG}/*.md") + workspace.paths(f"{PRIVATE_LOG}/*.md")
    return sorted(found, key=lambda path: (path.rpartition("/")[2], path))


def read_events(workspace: Workspace) -> Iterator[EventFile]:
    """Every day of the log parsed, oldest first."""
    for path in event_paths(workspace):
        data = workspace.read(path)
        if data is not None:
            yield parse_file(decode(data), path)


def open_desk(workspace: Workspace, now: datetime) -> Desk:
    """The topic files as they are now, for a command that changes facts."""
    files: dict[str, bytes] = {}
    for path in (*topic_paths(workspace), INDEX):
        data = workspace.read(path)
        if data is not None:
            files[path] = data
    base, was = last_writes(workspace, files)
    return Desk(files, base, now, was)


def last_writes(workspace: Workspace, files: Mapping[str, bytes]) -> tuple[dict[str, bytes], dict[str, str]]:
    """Our last write of each topic file among `files` (path → bytes), under its present path; and the path that it had then,
    where a hand has renamed it."""
    base = {path: ours for path in files if "/topics/" in path and (ours := workspace.base(path)) is not None}
    bare = [path for path in files if "/topics/" in path and path not in base and not is_archive(path)]
    kept = [path.removeprefix(BASE) for folder in (TOPICS, PRIVATE_TOPICS) for path in workspace.paths(f"{BASE}{folder}/*.md")] if bare else []
    left = {path: ours for path in kept if path not in files and not is_archive(path) and (ours := workspace.base(path)) is not None}
    if not left:
        return base, {}
    was = renamed(
        (parse_topic(decode(files[path]), path) for path in bare), (parse_topic(decode(data), path) for path, data in left.items())
    )
    return base | {path: left[old] for path, old in was.items()}, was


def review_items(workspace: Workspace) -> dict[str, dict[str, object]]:
    """Every review item by its id, decided ones too."""
    data = workspace.read(REVIEW)
    return {ident: dict(one) for ident, one in read_decisions(decode(data) if data else "", REVIEW).items.items()}


@dataclass(frozen=True, slots=True)
class _Used:
    """The ids of events of which something is remembered, whether their line stands or not."""

    workspace: Workspace

    def __contains__(self, ident: object) -> bool:
        return any(self.workspace.state.get(table, str(ident)) is not None for table in _DECIDED)


def numbering(workspace: Workspace, existing: Iterable[Event]) -> Numbering:
    """What gives new events their ids: never one that an event had before."""
    return Numbering(existing, _Used(workspace))


def statements(workspace: Workspace, topics: Topics, existing: Iterable[Event]) -> tuple[Log, Numbering]:
    """What has been said, to tell a restatement by, and what gives new events their ids."""
    events = tuple(existing)
    log = Log(news_from(topics.files))
    log.add(events)
    return log, numbering(workspace, events)


def open_items(workspace: Workspace, today: str) -> list[dict[str, object]]:
    """Review items that wait for a decision on that day, oldest first; deferred ones once their day has come."""
    found = [one for one in review_items(workspace).values() if waits(one, today)]
    return sorted(found, key=lambda one: str(one.get("created", "")))
