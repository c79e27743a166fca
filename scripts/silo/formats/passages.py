"""What each file of a memory holds that can be found: its lines as passages, by the one parser of each format.

A passage carries its own tokens, so index, ranking and fallback all see the same words. Private and foreign lines are
marked here, not left out; who may see them is decided when a question is asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from silo.formats import comment, events, markdown, topics
from silo.model import DEFAULT_AGENT, Event, Kind, Passage, TopicInfo
from silo.text.lines import split
from silo.text.tokens import terms

PRIVATE = ".silo/private/"
ROUTER = re.compile(r"MEMORY(?:-(?P<agent>[a-z0-9][a-z0-9_-]{0,63}))?\.md\Z")
TIERS = frozenset({"memory/protocols.md", "memory/active.md", "memory/archive.md"})
_DAY = re.compile(r"(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)")


def joined(text: str) -> str:
    """The stemmed terms of a text, spaces between."""
    return " ".join(terms(text))


def passages(path: str, text: str) -> tuple[Passage, ...]:
    """All passages of a file, in order, `place` counting from 0; () for a path that memory has no use for."""
    return tuple(replace(p, place=n) if p.place != n else p for n, p in enumerate(_read(path, text)))


def _read(path: str, text: str) -> Iterable[Passage]:
    bare = path.removeprefix(PRIVATE) if path.startswith(PRIVATE) else path.removeprefix("memory/")
    if bare.startswith("events/"):
        return (event_passage(e, n) for n, e in enumerate(events.parse_file(text, path).events))
    if bare.startswith("topics/"):
        return _topic(path, text)
    if bare == "index.md" or not path.endswith(".md"):
        return ()
    router = ROUTER.match(path)
    if router is not None or path in TIERS:
        return _lines(path, text, Kind.TIER, (router["agent"],) if router and router["agent"] else ())
    return _lines(path, text, Kind.NOTE, ())


def appended(path: str, tail: str, first_line: int, first_place: int) -> tuple[Passage, ...]:
    """The passages of lines added at the end of an event file, without reading what stood before them."""
    date = path.rpartition("/")[2].removesuffix(".md")
    read = (events.parse_line(line, date, path, first_line + i) for i, line in enumerate(split(tail)))
    found = (e for e in read if isinstance(e, Event))
    return tuple(event_passage(e, place) for place, e in enumerate(found, first_place))


def event_passage(event: Event, place: int) -> Passage:
    """An event line; it is its agent's alone."""
    labels = f"{event.slug.replace('-', ' ')} {event.category.replace('/', ' ')} {event.id}"
    return Passage(
        Kind.EVENT,
        event.path,
        event.line,
        event.text,
        terms=joined(event.text),
        labels=joined(labels),
        place=place,
        id=event.id,
        slug=event.slug,
        tag=event.tag.value,
        date=event.date,
        source=event.source,
        confidence=event.confidence,
        importance=event.importance,
        agents=(event.agent or DEFAULT_AGENT,),
        private=event.path.startswith(PRIVATE),
    )


def topic_passage(topic: TopicInfo, line: int) -> Passage:
    """A topic as a whole: found by its names, told by its summary."""
    names = (
        topic.slug.replace("-", " "),
        *topic.tags,
        *topic.entities,
        *topic.aliases,
        topic.path.replace("/", " "),
    )
    return Passage(
        Kind.TOPIC,
        topic.file,
        line,
        topic.summary or topic.slug,
        terms=joined(topic.summary),
        labels=joined(" ".join(names)),
        slug=topic.slug,
        date=topic.last_verified,
        seen=topic.last_curated,
        heading="\n".join((*topic.entities, *topic.aliases)),
        agents=topic.agents,
        private=topic.sensitivity == "private" or topic.file.startswith(PRIVATE),
        archived=topic.status == "archived",
    )


def _topic(path: str, text: str) -> Iterator[Passage]:
    file = topics.parse_topic(text, path)
    info = topics.info(file)
    summary = file.header.entry("summary")
    whole = topic_passage(info, summary.line if summary else 1)
    if not topics.is_archive(path):
        yield whole
    names = " ".join((info.slug.replace("-", " "), *info.tags, *info.entities, *info.aliases))
    for fact in file.facts:
        yield Passage(
            Kind.FACT,
            path,
            fact.line,
            fact.text,
            terms=joined(fact.text),
            labels=joined(f"{names} {fact.heading} {fact.id}"),
            id=fact.id,
            slug=info.slug,
            date=fact.since,
            seen=fact.seen,
            heading=fact.heading,
            source=fact.source,
            agents=whole.agents,
            private=whole.private,
            archived=whole.archived,
        )
    for block in file.blocks:
        lines = split(block.text)
        for passage in _lines(path, block.text, Kind.SOURCE, whole.agents, first=block.start + 1):
            yield replace(
                passage,
                labels=joined(f"{names} {lines[0]}"),
                slug=info.slug,
                date=block.date,
                private=whole.private,
                archived=whole.archived,
            )


def _lines(path: str, text: str, kind: Kind, agents: tuple[str, ...], first: int = 1) -> Iterator[Passage]:
    """Each line of a person's Markdown that says something. Nobody has said who may see it, so no group does."""
    day = _DAY.search(path)
    heading = ""
    for number, line in enumerate(markdown.scan(split(text)), first):
        if line.kind is markdown.Kind.HEADING:
            heading = line.text
        if line.kind in (markdown.Kind.BLANK, markdown.Kind.COMMENT, markdown.Kind.RULE):
            continue
        said, _ = comment.tail(line.text)
        if not any(map(str.isalnum, said)):
            continue
        yield Passage(
            kind,
            path,
            number,
            said,
            terms=joined(said),
            labels="" if said == heading else joined(heading),
            date=day[0] if day else "",
            heading=heading,
            agents=agents,
            private=True,
        )
