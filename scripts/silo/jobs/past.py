"""What the memory held, or what was true, on another day: for `load` and `retrieve`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from silo.config import parse_day
from silo.core.facts import bare
from silo.core.history import as_of, known_at
from silo.edge.index.index import Index
from silo.edge.reader import Reader
from silo.errors import BadInput
from silo.formats.passages import joined, passages
from silo.formats.topics import TopicFile, parse_topic
from silo.found import Kind, Passage
from silo.jobs.reading import event_paths, topic_paths
from silo.text.lines import decode


@dataclass(frozen=True, slots=True)
class Moment:
    """Another time to look at: `true_on` a day by what is known now, or `known_at` a day's end or an ISO instant."""

    true_on: str = ""
    known_at: str = ""

    @property
    def day(self) -> str:
        """The calendar day of it, YYYY-MM-DD."""
        return self.true_on or self.known_at[:10]

    @property
    def told(self) -> str:
        """The same in words."""
        return f"true on {self.true_on}, by what is known now" if self.true_on else f"held by the memory at {self.known_at}"


def moment(true_on: str | None, known: str | None) -> Moment | None:
    """The time that was asked for; None where it is now.

    Raises:
        BadInput: no date, or both at once.
    """
    if true_on and known:
        raise BadInput("--as-of and --known-at ask for two things", "give one of them")
    if true_on:
        return Moment(true_on=parse_day(true_on, "--as-of").isoformat())
    if known:
        parse_day(known[:10], "--known-at")
        try:
            datetime.fromisoformat(known)
        except ValueError:
            raise BadInput(f"--known-at {known!r} is no time", "write 2026-03-10, or 2026-03-10T14:30") from None
        return Moment(known_at=known)
    return None


def facts_at(workspace: Reader, file: TopicFile, when: Moment) -> dict[str, str]:
    """The topic's facts at that time, id → text, from the changelog and its overflow in the archive file."""
    archive = _archive(workspace, file)
    older = archive.changes if archive is not None else ()
    return as_of(file, when.true_on, older) if when.true_on else known_at(file, when.known_at, older)


def _archive(workspace: Reader, file: TopicFile) -> TopicFile | None:
    path = file.path.removesuffix(".md") + ".archive.md"
    data = workspace.read(path)
    return parse_topic(decode(data), path) if data is not None else None


def index_at(workspace: Reader, when: Moment) -> Index:
    """An index in memory over the facts of that time and the events up to it."""
    found: dict[str, tuple[Passage, ...]] = {}
    for path in topic_paths(workspace):
        data = workspace.read(path)
        if data is not None:
            found[path] = tuple(_facts(workspace, path, decode(data), when))
    for path in event_paths(workspace):
        data = workspace.read(path)
        if data is not None and path.rpartition("/")[2].removesuffix(".md") <= when.day:
            found[path] = passages(path, decode(data))
    return Index.of(workspace.root, found)


def _facts(workspace: Reader, path: str, text: str, when: Moment) -> Iterator[Passage]:
    """The topic itself and its facts of that time; one that says something else today stands where the changelog has it."""
    file = parse_topic(text, path)
    now = passages(path, text)
    whole = next((one for one in now if one.kind is Kind.TOPIC), None)
    if whole is None:
        return
    yield whole
    present = {one.id: one for one in now if one.kind is Kind.FACT and one.id}
    by_hand = {bare(one.text): one for one in now if one.kind is Kind.FACT and not one.id}
    archive = _archive(workspace, file)
    for place, (ident, said) in enumerate(facts_at(workspace, file, when).items(), 1):
        same = present.get(ident) or by_hand.get(bare(said))
        if same is not None and bare(same.text) == bare(said):
            yield same._replace(id=ident, place=place)
            continue
        where, line = _entry(file, ident, said) or (archive and _entry(archive, ident, said)) or (path, whole.line)
        like = same or whole._replace(kind=Kind.FACT, id=ident, seen="", heading="")
        yield like._replace(path=where, line=line, text=said, terms=joined(said), date="", place=place)


def _entry(file: TopicFile, ident: str, said: str) -> tuple[str, int] | None:
    """Where the changelog tells that the fact said so."""
    for entry in file.entries:
        if ident in entry.change.facts and bare(said) in (bare(entry.change.old), bare(entry.change.new)):
            return file.path, entry.start + 1
    return None
