"""The one door through which a curated fact changes: bullet and changelog entry in the same edit.

Facts at t0 + changelog = facts at t1 (a final full stop is dress, as in the changelog's visible text); history.py reads it.
Decides nothing about what changes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

from silo.formats.topics import (
    TopicFile,
    add_change,
    attach_id,
    change_id,
    insert_fact,
    parse_topic,
    remove_bullet,
    replace_fact,
    set_mark,
    with_ids,
)
from silo.model import ChangeEntry, Fact
from silo.text.lines import one_line
from silo.text.redact import redact

BY_HAND = "By hand"
TICKED = "[x] "  # how a to-do that is done begins in the changelog
TYPED = "added"  # the field of a bullet that a hand typed, not only carried here


@dataclass(frozen=True, slots=True)
class Add:
    """A new bullet; `fact.id` is given by the caller. `since` of the fact opens its validity; of one by hand, where it is later
    than the bullet's mark.

    `by_hand`: the bullet stands there already; only its id and the entry are missing.
    """

    fact: Fact
    heading: str = ""
    field: str = ""
    reason: str = ""
    source: str = ""
    by_hand: bool = False


@dataclass(frozen=True, slots=True)
class Set:
    """The fact says `text` from `since` on (a day). `seen` and `source` replace the bullet's marks where given.

    `done` ticks or unticks a to-do. `by_hand`: the bullet says so already, only the entry is missing; `old` is then what
    it said before.
    """

    id: str
    text: str
    field: str = ""
    reason: str = ""
    source: str = ""
    since: str = ""
    seen: str = ""
    bullet_source: str = ""
    done: bool | None = None
    by_hand: bool = False
    old: str = ""


@dataclass(frozen=True, slots=True)
class End:
    """The fact is no more from `until` on; its bullet goes. `by_hand`: it is gone already, `old` is what it said."""

    id: str
    reason: str = ""
    field: str = ""
    source: str = ""
    until: str = ""
    by_hand: bool = False
    old: str = ""
    since: str = ""
    op: str = "end"  # "move" where it stands in another topic now


@dataclass(frozen=True, slots=True)
class Confirm:
    """The fact was confirmed on a day: its `seen` moves, its words do not, so the changelog says nothing. `source`, where
    given: the events that its bullet names from now on."""

    id: str
    seen: str
    source: str = ""


@dataclass(frozen=True, slots=True)
class Name:
    """A bullet by hand gets its id, because something refers to it now."""

    id: str


@dataclass(frozen=True, slots=True)
class Note:
    """What was decided about facts without changing one: the changelog alone says it. `text` is the statement it is about."""

    ids: tuple[str, ...]
    text: str
    reason: str
    field: str = ""
    source: str = ""


Op = Add | Set | End | Confirm | Name | Note


@lru_cache(maxsize=16)
def read_topic(text: str, path: str) -> TopicFile:
    """`parse_topic`, remembered for the last few texts: a night asks for the same one several times."""
    return parse_topic(text, path)


def named_facts(topic: TopicFile) -> tuple[Fact, ...]:
    """The facts of a topic, each with the id that it has or will get."""
    taken = {fact for entry in topic.changes for fact in entry.facts}
    return with_ids(topic.facts, taken)


def apply_ops(text: str, ops: Iterable[Op], *, path: str, today: str, at: str) -> str:
    """The topic's text after the operations, each with its changelog entry dated `today` (`at` is the ISO instant).

    `path` is the topic file's: its slug is part of the id of a bullet by hand.

    Raises:
        ValueError: the markers are damaged, or an id is no fact of the topic: mistakes of the caller.
    """
    for op in ops:
        match op:
            case Add():
                text = _add(text, op, path, today, at)
            case Set():
                text = _set(text, op, path, today, at)
            case End():
                text = _end(text, op, path, today, at)
            case Confirm(ident, seen, source):
                fact = _find(text, ident, path)
                text = set_mark(_named(text, fact), fact.line, "seen", seen)
                if source:
                    text = set_mark(text, _find(text, ident, path).line, "src", source)
            case Name(ident):
                text = _named(text, _find(text, ident, path))
            case Note():
                entry = ChangeEntry(today, op.field, op.text, "", op.reason, op.ids, "note", at, op.source)
                text = _tell(text, entry)
    return text


def _tell(text: str, entry: ChangeEntry) -> str:
    """The text with the entry. A secret that a hand wrote into a bullet stays there; the changelog does not repeat it."""
    new, old, reason = (redact(value)[0] for value in (entry.new, entry.old, entry.reason))
    return add_change(text, replace(entry, new=new, old=old, reason=reason))


def _add(text: str, op: Add, path: str, today: str, at: str) -> str:
    fact = _find(text, op.fact.id, path) if op.by_hand else op.fact
    since = max(fact.since, op.fact.since) or (today if op.by_hand else "")
    entry = ChangeEntry(
        today, op.field, shown(fact), "", op.reason, (fact.id,), "add", at, op.source or fact.source, (since, "")
    )
    return _tell(_named(text, fact) if op.by_hand else insert_fact(text, fact, op.heading), entry)


def _set(text: str, op: Set, path: str, today: str, at: str) -> str:
    fact = _find(text, op.id, path)
    now = replace(
        fact,
        text=one_line(op.text),
        done=fact.done if op.done is None else op.done,
        since=op.since or fact.since,
        seen=op.seen or fact.seen,
        source=op.bullet_source or fact.source,
    )
    old = op.old if op.by_hand else shown(fact)
    text = replace_fact(text, fact.line, now) if not op.by_hand else _named(text, fact)
    until = op.since or (today if op.by_hand else "")
    valid = (fact.since, until) if fact.since or until else ("", "")
    entry = ChangeEntry(today, op.field, shown(now), old, op.reason, (op.id,), "set", at, op.source, valid)
    return _tell(text, entry)


def _end(text: str, op: End, path: str, today: str, at: str) -> str:
    old, since = op.old, op.since
    if not op.by_hand:
        fact = _find(text, op.id, path)
        old, since = shown(fact), fact.since
        text = remove_bullet(text, fact.line)
    entry = ChangeEntry(today, op.field, "", old, op.reason, (op.id,), op.op, at, op.source, (since, op.until or (today if op.by_hand else "")))
    return _tell(text, entry)


def shown(fact: Fact) -> str:
    """The fact as the changelog tells it: its check box, then its text, without a final full stop."""
    box = "" if fact.done is None else "[x] " if fact.done else "[ ] "
    return box + bare(fact.text)


def bare(text: str) -> str:
    """A fact's text as it is compared with what the changelog says: one line, without a final full stop."""
    return one_line(text).removesuffix(".").rstrip()


def _find(text: str, ident: str, path: str) -> Fact:
    fact = next((one for one in named_facts(read_topic(text, path)) if one.id == ident), None)
    if fact is None:
        raise ValueError(f"{ident} is no fact of this topic")
    return fact


def _named(text: str, fact: Fact) -> str:
    """The text with the fact's id on its bullet. A copy of an id that stands before gets its own."""
    topic = parse_topic(text)
    there = next(one for one in topic.facts if one.line == fact.line)
    if there.id == fact.id:
        return text
    return attach_id(text, fact.line, fact.id) if not there.id else change_id(text, fact.line, fact.id)
