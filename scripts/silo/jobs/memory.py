"""What a job that changes facts needs of a workspace, as plain values; `reading` has what a look alone needs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from silo.core.adopt import renamed
from silo.core.dedupe import Log
from silo.core.desk import Desk
from silo.core.doors import Numbering
from silo.core.history import news_from
from silo.core.views import INDEX
from silo.edge.workspace import Workspace
from silo.formats.topics import is_archive, parse_topic
from silo.jobs.reading import PRIVATE_TOPICS as PRIVATE_TOPICS
from silo.jobs.reading import REVIEW as REVIEW
from silo.jobs.reading import TOPICS as TOPICS
from silo.jobs.reading import Topics as Topics
from silo.jobs.reading import event_paths as event_paths
from silo.jobs.reading import open_items as open_items
from silo.jobs.reading import read_events as read_events
from silo.jobs.reading import read_topics as read_topics
from silo.jobs.reading import review_items as review_items
from silo.jobs.reading import topic_paths as topic_paths
from silo.model import Event
from silo.text.lines import decode

_DECIDED = ("undone", "reconciled")  # tables of state.db that remember something of an event
BASE = ".silo/base/"


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
