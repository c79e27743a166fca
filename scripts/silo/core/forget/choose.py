"""Which statements a person means: by id, topic, entity, session or words, and what stands or falls with them.

A curated fact and the events that it rests on are one statement in two places: both go. Whatever else holds the very words
goes too, wherever it stands. A fact that rests on other events as well stays, unless it holds the words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from silo.core.dedupe import id_of
from silo.core.evidence import read_source
from silo.core.facts import named_facts
from silo.core.forget.words import Words, plain
from silo.formats.events import EventFile
from silo.formats.graph import Entity, Graph
from silo.formats.topics import TopicFile
from silo.model import Event, Fact
from silo.text.tokens import terms

ROUNDS = 12  # of "what falls with it"; each one only follows ids and equal words, so a few are enough
_IDS = re.compile(r"[efrsh]_[0-9a-f]{12}\Z")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was asked for; empty strings and tuples ask for nothing."""

    ids: tuple[str, ...] = ()
    topic: str = ""
    entity: str = ""
    session: str = ""
    query: str = ""

    @property
    def is_empty(self) -> bool:
        return not (self.ids or self.topic or self.entity or self.session or self.query)


@dataclass(frozen=True, slots=True)
class Memory:
    """Where statements stand with ids of their own: the log, the topics (archive files too), the graph.

    `others` are further texts that a question is asked of (tier files, JSON values), each on its own.
    """

    events: Sequence[EventFile] = ()
    topics: Sequence[TopicFile] = ()
    graph: Graph = field(default_factory=Graph)
    others: Sequence[str] = ()
    event_ids: Mapping[tuple[str, int], str] = field(default_factory=dict)  # (path, line) → id, of lines typed by hand


@dataclass(slots=True)
class Gone:
    """What goes. `ids` of events, facts, review items and proposals; `events` and `facts` by (path, line)."""

    wanted: Wanted
    words: Words = field(default_factory=Words)
    ids: set[str] = field(default_factory=set)
    events: dict[tuple[str, int], Event] = field(default_factory=dict)
    facts: dict[tuple[str, int], Fact] = field(default_factory=dict)
    entities: set[str] = field(default_factory=set)
    slugs: set[str] = field(default_factory=set)
    sessions: set[str] = field(default_factory=set)
    traces: list[str] = field(default_factory=list)  # what goes with them and is looked for in copies of the past alone

    @property
    def is_empty(self) -> bool:
        return not (self.events or self.facts or self.ids or self.entities or self.slugs or self.sessions or len(self.words))


def choose(memory: Memory, wanted: Wanted) -> Gone:
    """All that is meant, with what stands or falls with it."""
    gone = Gone(wanted)
    gone.ids |= {one for one in wanted.ids if _IDS.match(one)}
    if wanted.topic:
        gone.slugs.add(wanted.topic)
    if wanted.session:
        gone.sessions.add(wanted.session)
    _entities(memory, gone)
    _asked(memory, gone)
    events = [(event, _id(memory, event)) for file in memory.events for event in file.events]
    facts = [fact for file in memory.topics for fact in named_facts(file)]
    for _ in range(ROUNDS):
        if not (_events(events, gone) | _facts(memory, facts, gone)):
            break
    for file in memory.topics:
        if file.slug in gone.slugs:
            gone.traces += _said(file)
    return gone


def in_copy(gone: Gone, file: TopicFile) -> Gone:
    """The same for an older copy of a topic file, where the facts stand on other lines."""
    facts = {
        (fact.path, fact.line): fact
        for fact in named_facts(file)
        if (fact.id and fact.id in gone.ids) or gone.words.held(fact.text)
    }
    return replace(gone, facts=facts, traces=[])


def _id(memory: Memory, event: Event) -> str:
    return event.id or memory.event_ids.get((event.path, event.line)) or id_of(event)


def _events(events: Iterable[tuple[Event, str]], gone: Gone) -> bool:
    more = False
    for event, ident in events:
        key = (event.path, event.line)
        if key in gone.events:
            continue
        source = read_source(event.source)
        named = ident in gone.ids or event.slug in gone.slugs or (source is not None and source.session in gone.sessions)
        if named or gone.words.held(event.text):
            gone.events[key] = replace(event, id=ident)
            gone.ids.add(ident)
            gone.words.add([event.text])
            more = True
    return more


def _facts(memory: Memory, facts: Iterable[Fact], gone: Gone) -> bool:
    more = False
    for fact in facts:
        key = (fact.path, fact.line)
        if key in gone.facts:
            continue
        rests = [one for one in fact.source.split(",") if one]
        falls = bool(rests) and set(rests) <= gone.ids
        if falls or (fact.id and fact.id in gone.ids) or fact.slug in gone.slugs or gone.words.held(fact.text):
            gone.facts[key] = fact
            gone.ids |= {fact.id, *rests} - {""}
            gone.words.add([fact.text])
            more = True
    return more


def _said(file: TopicFile) -> Iterator[str]:
    """What a topic file says beside its facts: all of it goes with the topic."""
    for change in file.changes:
        yield from (change.new, change.old, change.reason)
    for block in file.blocks:
        yield from block_lines(block.text)
    yield file.header.text("summary")


def block_lines(text: str) -> Iterator[str]:
    """The statements and quotes of a source block, and its title."""
    for line in text.split("\n"):
        bare = line.strip().lstrip(">#").strip()
        title = re.sub(r"^\d{4}(?:-\d{2}){0,2}\s*[—–:-]*\s*", "", bare) if line.lstrip().startswith("#") else bare
        if title:
            yield title


def _entities(memory: Memory, gone: Gone) -> None:
    """The entity that was named, by its id or one of its names, with the names that nobody else bears."""
    name = gone.wanted.entity
    if not name:
        return
    graph = memory.graph
    found = [e for e in graph.entities.values() if e.id == graph.resolve(name)] or list(graph.named(name))
    for one in found:
        gone.entities |= {one.id, *(old for old, new in graph.merged.items() if new == one.id)}
        gone.words.add((own for own in one.names if _alone(graph, one, own)), named=True)
    if not found:
        gone.words.add([name], named=True)


def _alone(graph: Graph, entity: Entity, name: str) -> bool:
    return all(other.id == entity.id for other in graph.named(name))


def _asked(memory: Memory, gone: Gone) -> None:
    """The words that were typed; where they stand nowhere as they are, every statement that holds all of them."""
    query = gone.wanted.query
    if not plain(query):
        return
    typed = Words()
    typed.add([query], named=True)
    texts = [event.text for file in memory.events for event in file.events]
    texts += [fact.text for file in memory.topics for fact in file.facts]
    texts += [text for file in memory.topics for text in _said(file)]
    texts += [name for entity in memory.graph.entities.values() for name in entity.names]
    texts += memory.others
    if any(typed.held(text) for text in texts):
        gone.words.add([query], named=True)
    else:
        asked = set(terms(query))
        gone.words.add(text for text in texts if asked and asked <= set(terms(text)))
        if not len(gone.words):  # nowhere here; they are still looked for where we can't reach
            gone.words.add([query], named=True)
    for entity in memory.graph.entities.values():
        if any(gone.words.held(name) for name in entity.names):
            gone.entities.add(entity.id)
