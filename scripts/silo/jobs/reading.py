"""Reading what a look at a workspace needs into plain values: topics, the event log, review items."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from silo.core.doors import LOG, PRIVATE_LOG
from silo.edge.reader import Reader
from silo.formats.decisions import read_decisions, waits
from silo.formats.events import EventFile, parse_file
from silo.formats.topics import TopicFile, info, is_archive, parse_topic
from silo.model import Problem, TopicInfo
from silo.text.lines import decode

TOPICS = "memory/topics"
REVIEW = ".silo/review.jsonl"
PRIVATE = ".silo/private/"
PRIVATE_TOPICS = f"{PRIVATE}topics"


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

    def seen_by(self, agent: str, *, group: bool = False) -> Topics:
        """Those that the agent may see; for a group without the private ones."""
        seen = [
            (file, one)
            for file, one in zip(self.files, self.infos, strict=True)
            if (not one.agents or agent in one.agents) and not (group and (one.sensitivity == "private" or one.file.startswith(PRIVATE)))
        ]
        return Topics(tuple(file for file, _ in seen), tuple(one for _, one in seen), self.problems)

    def get(self, slug: str) -> TopicInfo | None:
        """The topic of that slug, else the one that has it as another name."""
        exact = next((one for one in self.infos if one.slug == slug), None)
        return exact or next((one for one in self.infos if slug in one.aliases), None)

    def resolve(self, slug: str) -> str:
        """The slug of the topic that the name leads to; the name itself where there is none."""
        found = self.get(slug)
        return found.slug if found is not None else slug


def topic_paths(workspace: Reader) -> list[str]:
    """Topic files, private ones too, archives of source blocks left out."""
    found = workspace.paths(f"{TOPICS}/*.md") + workspace.paths(f"{PRIVATE_TOPICS}/*.md")
    return [path for path in found if not is_archive(path)]


def read_topics(workspace: Reader) -> Topics:
    """Every topic file parsed."""
    files: list[TopicFile] = []
    for path in topic_paths(workspace):
        data = workspace.read(path)
        if data is not None:
            files.append(parse_topic(decode(data), path))
    return Topics(
        tuple(files), tuple(info(file) for file in files), tuple(problem for file in files for problem in file.problems)
    )


def event_paths(workspace: Reader) -> list[str]:
    """Day files of the log, private ones too, oldest day first."""
    found = workspace.paths(f"{LOG}/*.md") + workspace.paths(f"{PRIVATE_LOG}/*.md")
    return sorted(found, key=lambda path: (path.rpartition("/")[2], path))


def read_events(workspace: Reader) -> Iterator[EventFile]:
    """Every day of the log parsed, oldest first."""
    for path in event_paths(workspace):
        data = workspace.read(path)
        if data is not None:
            yield parse_file(decode(data), path)


def review_items(workspace: Reader) -> dict[str, dict[str, object]]:
    """Every review item by its id, decided ones too."""
    data = workspace.read(REVIEW)
    return {ident: dict(one) for ident, one in read_decisions(decode(data) if data else "", REVIEW).items.items()}


def open_items(workspace: Reader, today: str) -> list[dict[str, object]]:
    """Review items that wait for a decision on that day, oldest first; deferred ones once their day has come."""
    found = [one for one in review_items(workspace).values() if waits(one, today)]
    return sorted(found, key=lambda one: str(one.get("created", "")))
