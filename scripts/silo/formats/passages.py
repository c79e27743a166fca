"""What each file of a memory holds that can be found: its lines as passages, by the one parser of each format.

A passage carries its own tokens, so index, ranking and fallback all see the same words. Private and foreign lines are
marked here, not left out; who may see them is decided when a question is asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from silo.formats import comment, events, graph, hot, managed, markdown, notes, topics, warm
from silo.model import DEFAULT_AGENT, ChangeEntry, Event, Kind, Passage, Problem, TopicInfo
from silo.text.lines import content, split
from silo.text.redact import redact_lines
from silo.text.tokens import terms

PRIVATE = ".silo/private/"
ROUTER = re.compile(r"MEMORY(?:-(?P<agent>[a-z0-9][a-z0-9_-]{0,63}))?\.md\Z")
TIERS = frozenset({"memory/protocols.md", "memory/active.md", "memory/archive.md"})
_DAY = re.compile(r"(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)")
_SILENT = frozenset({markdown.Kind.BLANK, markdown.Kind.COMMENT, markdown.Kind.RULE})
_UNSTATED = frozenset({markdown.Kind.HEADING, markdown.Kind.FENCE, markdown.Kind.QUOTE})


def joined(text: str) -> str:
    """The stemmed terms of a text, spaces between."""
    return " ".join(terms(text))


def passages(path: str, text: str) -> tuple[Passage, ...]:
    """All passages of a file, in order, `place` counting from 0; () for a path that memory has no use for.

    A secret that the user keeps in a file is neither indexed nor shown: a placeholder stands in its place.
    """
    return tuple(p._replace(place=n) if p.place != n else p for n, p in enumerate(_read(path, redact_lines(text))))


def _read(path: str, text: str) -> Iterable[Passage]:
    bare = path.removeprefix(PRIVATE) if path.startswith(PRIVATE) else path.removeprefix("memory/")
    if bare.startswith("events/"):
        return (event_passage(e, n) for n, e in enumerate(events.parse_file(text, path).events))
    if bare.startswith("topics/"):
        return _topic(path, text)
    if bare.endswith("graph.jsonl"):
        return _graph(path, text)
    if path.endswith("/hot-memory-state.json"):
        return _hot(path, text)
    if bare == "index.md" or not path.endswith(".md"):
        return ()
    router = ROUTER.match(path)
    if router is not None or path in TIERS:
        agents = (router["agent"],) if router is not None and router["agent"] else ()
        hidden = _managed(text)
        return (p for p in _lines(path, text, Kind.TIER, agents) if p.line - 1 not in hidden)
    return _note(path, text) if notes.note_date(path) else _lines(path, text, Kind.NOTE, ())


def appended(path: str, tail: str, first_line: int, first_place: int) -> tuple[Passage, ...]:
    """The passages of lines added at the end of an event file, without reading what stood before them."""
    date = path.rpartition("/")[2].removesuffix(".md")
    read = (events.parse_line(line, date, path, first_line + i) for i, line in enumerate(split(redact_lines(tail))))
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
        heading="\n".join(topic.entities) + ("\n\n" + "\n".join(topic.aliases) if topic.aliases else ""),
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
    told: dict[str, dict[str, None]] = {}  # fact → events that changed it
    for change in file.changes:
        if change.field == topics.ALSO and change.facts:  # what stood in another topic is told by this one's bullet
            told.setdefault(change.facts[0], {}).update(dict.fromkeys(change.facts[1:]))
        for ident in change.facts:
            told.setdefault(ident, {}).update(dict.fromkeys(change.source.split(",")))
    # A bullet by hand has the id that it would get: by that it is confirmed, corrected and forgotten.
    for fact in topics.with_ids(file.facts, (ident for change in file.changes for ident in change.facts)):
        rests_on = dict.fromkeys(fact.source.split(",")) | told.get(fact.id, {})
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
            source=",".join(event for event in rests_on if event),
            agents=whole.agents,
            private=whole.private,
            archived=whole.archived,
        )
    yield from _prose(file, whole, names)
    yield from _changes(file, whole, names)
    for block in file.blocks:
        lines = split(block.text)
        for passage in _lines(path, block.text, Kind.SOURCE, whole.agents, first=block.start + 1):
            yield passage._replace(
                labels=joined(f"{names} {lines[0]}"),
                slug=info.slug,
                date=block.date,
                private=whole.private,
                archived=whole.archived,
            )


def _prose(file: topics.TopicFile, whole: Passage, names: str) -> Iterator[Passage]:
    """What a person wrote into the curated layer beside the bullets."""
    if file.curated is None:
        return
    start, end = file.curated[0], file.changelog if file.changelog is not None else file.curated[1]
    taken = {at for bullet in file.bullets for at in range(bullet.start, bullet.end)}
    headings = {heading.at for heading in file.headings}
    for p in _lines(file.path, "".join(file.lines[start:end]), Kind.FACT, whole.agents, first=start + 1):
        if p.line - 1 not in taken and p.line - 1 not in headings:
            labels = joined(f"{names} {p.heading}")
            yield p._replace(labels=labels, slug=whole.slug, private=whole.private, archived=whole.archived)


def _changes(file: topics.TopicFile, whole: Passage, names: str) -> Iterator[Passage]:
    """The changelog: what a fact was before, and facts that have ended."""
    for entry in file.entries:
        said = comment.strip(content(file.lines[entry.start])).strip().lstrip("-*+ ")
        yield whole._replace(
            kind=Kind.CHANGE,
            line=entry.start + 1,
            text=said,
            terms=joined(said),
            labels=joined(names),
            date=_changed_on(entry.change),
            seen="",
            heading="Changelog",
            source=",".join(entry.change.facts),
        )


def _changed_on(change: ChangeEntry) -> str:
    """The day on which what an entry tells came about; a job may have written it down much later."""
    return next((day for day in reversed(change.valid) if _DAY.fullmatch(day)), change.date)


def _note(path: str, text: str) -> Iterator[Passage]:
    """The statements of a daily note, then headings, code and quotations: they state nothing, but are looked for."""
    note = notes.parse_note(text, path)
    for said in note.statements:
        labels = joined(f"{said.heading} {note.label.replace('-', ' ')}")
        yield Passage(
            Kind.NOTE,
            path,
            said.line,
            said.text,
            terms=joined(said.text),
            labels=labels,
            date=note.date,
            heading=said.heading,
            private=True,
        )
    if note.is_session:
        return
    hidden = notes.managed_lines(split(text))
    for p in _lines(path, text, Kind.NOTE, (), only=_UNSTATED):
        if p.line - 1 not in hidden:
            yield p


def _graph(path: str, text: str) -> Iterator[Passage]:
    """Each entity with its properties and what it is related to, where its first line stands."""
    state = graph.parse_graph(text, path)
    name_of = {ident: (e.names or (ident,))[0] for ident, e in state.entities.items()}
    related: dict[str, list[str]] = {}
    for r in state.relations:
        related.setdefault(r.source, []).append(f"{r.rel.replace('_', ' ')} {name_of.get(r.to, r.to)}")
        related.setdefault(r.to, []).append(f"{name_of.get(r.source, r.source)} {r.rel.replace('_', ' ')} it")
    for ident, entity in state.entities.items():
        shown = [f"{k}: {v}" for k, v in entity.properties.items() if k not in ("name", "aliases") and v]
        about = "; ".join((*shown, *dict.fromkeys(related.get(ident, ()))))
        text = f"{name_of[ident]} ({entity.type})" + (f": {about}" if about else "")
        yield Passage(
            Kind.ENTITY,
            path,
            entity.line,
            text,
            terms=joined(text),
            labels=joined(" ".join((*entity.names, ident))),
            id=ident,
            date=entity.updated[:10],
            source=entity.src,
            private=path.startswith(PRIVATE),
        )


def _hot(path: str, text: str) -> Iterator[Passage]:
    """The hot state of an agent; what repeats a logged event is found there."""
    state, _ = warm.parse_hot(text, path)
    agent = path.split("/")[2]
    for one in hot.said(state, lambda seconds: ""):
        if not one.id:
            yield Passage(Kind.TIER, path, hot.line_of(one, text), one.text, terms=joined(one.text), agents=(agent,), private=True)


def _managed(text: str) -> frozenset[int]:
    """Indices of the lines inside managed blocks: they repeat what stands elsewhere. A damaged block hides nothing."""
    blocks = (managed.find(text, name) for name in managed.names(text))
    sound = (b for b in blocks if b is not None and not isinstance(b, Problem))
    return frozenset(at for block in sound for at in range(block.start, block.end))


def _lines(
    path: str,
    text: str,
    kind: Kind,
    agents: tuple[str, ...],
    first: int = 1,
    only: frozenset[markdown.Kind] = frozenset(markdown.Kind) - _SILENT,
) -> Iterator[Passage]:
    """Each line of a person's Markdown that says something. Nobody has said who may see it, so no group does."""
    day = _DAY.search(path)
    heading = ""
    for number, line in enumerate(markdown.scan(split(text)), first):
        if line.kind is markdown.Kind.HEADING:
            heading = line.text
        if line.kind not in only:
            continue
        said = comment.strip(line.text)
        if line.kind is markdown.Kind.QUOTE:
            said = said.lstrip("> ")
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
