"""Open to-dos: which there are, when they are due, and which one a statement says is done. Pure.

A to-do is an unticked box of a topic, or a TODO line of the log that no topic has taken in. The log's lines are never
edited: such a one is done when a later line names its id (`done:e_…`) or says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from silo.core.dedupe import id_of
from silo.formats.fields import fields
from silo.formats.topics import TopicFile, fact_id
from silo.model import Candidate, Confidence, Event, Fact, Origin, Session, Tag, Turn
from silo.text.completion import Completion, bare, completes, completes_each, names, of_all, plain
from silo.text.lines import one_line

MOST = 200  # characters of a sentence that can be about one to-do
_SENTENCE = re.compile(r"(?<=[.!?…])\s+|\n+|;\s+")
DONE = "done"  # the key of an event's comment that names the to-do


@dataclass(frozen=True, slots=True)
class Todo:
    """What is to be done. `due` is a date or ''; `topic` '' where it belongs to none."""

    id: str
    text: str
    topic: str
    since: str
    due: str
    path: str
    line: int

    def overdue(self, today: str) -> bool:
        """Whether its day, month or year is over."""
        return bool(self.due) and today[: len(self.due)] > self.due


def closed_by(said: str, day: str, facts: Iterable[Fact], completions: Callable[[], tuple[Completion, ...]]) -> tuple[Fact, ...]:
    """The open to-dos that a statement of that day says are done: the one that it names best, or each that it names in all its
    words ("the dentist and the vet are booked"). None where it can't be told which is meant."""
    waiting = [fact for fact in facts if fact.done is False and fact.since <= day]
    if not waiting:
        return ()
    scores = completes_each(said, [_task(fact.text) for fact in waiting], completions())
    best = max(scores)
    leaders = tuple(fact for score, fact in zip(scores, waiting, strict=True) if score and score == best)
    return leaders if best >= 1 or len(leaders) == 1 else ()


def open_todos(
    topics: Sequence[TopicFile],
    events: Sequence[Event],
    agent: str,
    curated: Collection[str],
    completions: Callable[[], tuple[Completion, ...]],
    archived: str = "",
) -> tuple[Todo, ...]:
    """All that is to be done, dated ones first by their day, then the oldest. Archived topics rest, but for the one named.

    `curated` are the ids of events that a topic has taken in.
    """
    mine = [file for file in topics if not file.header.list("agents") or agent in file.header.list("agents")]
    here = [file for file in mine if file.header.text("status") != "archived" or file.slug == archived]
    found = [_of_fact(fact) for file in here for fact in file.facts if fact.done is False]
    taken = {fact.id for file in topics for fact in file.facts} | {one for file in topics for c in file.changes for one in c.facts}
    named = {name for file in topics for name in (file.slug, *file.header.list("aliases"))}
    loose = [
        event
        for event in events
        if event.tag is Tag.TODO and event.agent == agent and event.confidence is Confidence.CONFIRMED
        if fact_id(id_of(event)) not in taken and not (event.slug in named and id_of(event) in curated)
    ]
    found += [_of_event(event, event.slug if event.slug in named else "") for event in _still_open(loose, events, completions)]
    return tuple(sorted(found, key=lambda todo: (not todo.due, todo.due, todo.since, todo.topic, todo.id)))


def said_done(
    session: Session, todos: Sequence[Todo], known: Iterable[Candidate], completions: Callable[[], tuple[Completion, ...]]
) -> tuple[Candidate, ...]:
    """What the owner says of open to-dos in passing, and an engine would not keep: "pintei a cerca hoje"; "done", in answer to
    a question about one. `known` is what is kept of the session already."""
    found: list[Candidate] = []
    asked: Turn | None = None
    boxes = [Fact(todo.topic, todo.text, todo.id, todo.since, done=False) for todo in todos]
    kept = [one for one in known if one.tag in (Tag.EVENT, Tag.CHANGED, Tag.FACT)]
    for turn in session.turns if boxes else ():
        if turn.origin is not Origin.OWNER:
            asked = turn if turn.origin is Origin.AGENT else asked
            continue
        day = turn.at.date().isoformat()
        for said in _sentences(turn.text) if turn.fresh else ():
            done = closed_by(said, day, boxes, completions)
            text = said
            evidence: tuple[str, ...] = (turn.id,)
            if not done and asked is not None and bare(said, completions()):
                meant = [box for box in boxes if box.since <= day and names(asked.text, _task(box.text), completions())]
                done = tuple(meant) if len(meant) == 1 or of_all(said, completions()) else ()
                tasks = ", ".join(plain(_task(fact.text), completions()) for fact in done)
                text, evidence = (f"{tasks}: {said}" if done else said), (turn.id, asked.id)
            boxes = [box for box in boxes if box not in done]
            told: set[str] = set()
            for fact in done:
                told_elsewhere = any(one.evidence[0] == turn.id and completes(one.text, _task(fact.text), completions()) for one in kept)
                if not told_elsewhere and fact.slug not in told:
                    found.append(Candidate(Tag.EVENT, Confidence.CONFIRMED, text[:1].upper() + text[1:], evidence, turn.at, fact.slug or None))
                told.add(fact.slug)
        asked = None
    return tuple(found)


def _sentences(text: str) -> list[str]:
    return [part for part in (one_line(piece) for piece in _SENTENCE.split(text)) if part and len(part) <= MOST]


def _still_open(loose: list[Event], events: Sequence[Event], completions: Callable[[], tuple[Completion, ...]]) -> list[Event]:
    if not loose:
        return []
    ticked = {value for event in events for key, value in event.extra if key == DONE}
    left = {id_of(event): event for event in loose if id_of(event) not in ticked}
    first = min((event.date for event in left.values()), default="")
    for event in events:
        if event.tag is Tag.EVENT and event.confidence is Confidence.CONFIRMED and event.date >= first and left:
            boxes = [Fact("", e.text, ident, e.date, done=False) for ident, e in left.items() if e.agent == event.agent]
            for fact in closed_by(event.text, event.date, boxes, completions):
                del left[fact.id]
    return list({_task(event.text).casefold(): event for event in reversed(left.values())}.values())


@lru_cache(maxsize=4096)
def _task(text: str) -> str:
    return fields(text).rest or text


def _of_fact(fact: Fact) -> Todo:
    return Todo(fact.id, fact.text, fact.slug, fact.since, fields(fact.text).due, fact.path, fact.line)


def _of_event(event: Event, topic: str) -> Todo:
    return Todo(id_of(event), event.text, topic, event.date, fields(event.text).due, event.path, event.line)
