"""The whole log as statements: is a new one a restatement of what it holds?

A restatement of a current statement (no other value said in between) adds no line. An EVENT of another day, a value that
comes back, a tentative statement that is confirmed: new. Near-linear: looked up by a few words of each statement.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from silo.core.facts import bare
from silo.formats.events import event_id
from silo.formats.fields import fields, withdrawn
from silo.model import Confidence, Event, Tag
from silo.text.similar import THRESHOLD, Print, fingerprint, other_value, same_print

_STATED = frozenset({Tag.FACT, Tag.DECISION, Tag.CHANGED, Tag.PROCEDURE})
Group = tuple[str, str]  # agent, slug


@dataclass(frozen=True, slots=True)
class _Entry:
    event: Event
    print: Print
    order: tuple[str, int]  # day, place in the log


@dataclass(slots=True)
class Log:
    """What has been said, in the order of the log. `add` new events as they are written.

    `over`: events that no longer say what is so (a hand deleted or changed the fact, a to-do is done) → the day from which
    the same words are news.
    """

    over: Mapping[str, str] = field(default_factory=dict)
    _size: int = 0
    _unread: dict[Group, list[tuple[int, Event]]] = field(default_factory=lambda: defaultdict(list))  # of groups nobody asked about
    _entries: dict[int, _Entry] = field(default_factory=dict)  # by their place in the log
    _heads: dict[tuple[Group, str], list[int]] = field(default_factory=lambda: defaultdict(list))
    _words: dict[tuple[Group, str], list[int]] = field(default_factory=lambda: defaultdict(list))

    def add(self, events: Iterable[Event]) -> None:
        """The log holds these events too."""
        for event in events:
            self._unread[event.agent, event.slug].append((self._size, event))
            self._size += 1

    def _read(self, group: Group) -> None:
        """The words of a group's events are filed: a statement is compared with those of its own topic alone."""
        for place, event in self._unread.pop(group, ()):
            self._entries[place] = entry = _Entry(event, fingerprint(_stated(event)), (event.date, place))
            for word in _head(entry.print):
                self._heads[group, word].append(place)
            for word in entry.print.core:
                self._words[group, word].append(place)

    def restates(self, event: Event) -> str | None:
        """The id of the event that says the same already, None if this one is to be written."""
        mark = fingerprint(_stated(event))
        group = (event.agent, event.slug)
        self._read(group)
        near = {at for word in _head(mark) for at in self._heads.get((group, word), ())}
        found = [self._entries[at] for at in sorted(near) if same_print(mark, self._entries[at].print)]
        for entry in reversed(found):
            if event.date >= self.over.get(id_of(entry.event), "9"):
                continue
            if _comparable(entry.event, event) and not self._changed_between(entry, event, mark) and not _names_more(entry.event, event):
                return id_of(entry.event)
        return None

    def _changed_between(self, entry: _Entry, event: Event, mark: Print) -> bool:
        """Whether another value was said between the two: then the old one has come back."""
        if event.tag is Tag.EVENT:
            return False
        start, end = sorted((entry.order, (event.date, self._size)))
        group = (event.agent, event.slug)
        # who shares half of the words holds at least one of any half of them: the rarest half is looked up
        rare = sorted(entry.print.core, key=lambda word: len(self._words.get((group, word), ())))
        rare = rare[: len(rare) // 2 + 1]
        near = {at for word in rare for at in self._words.get((group, word), ())}
        between = [self._entries[at] for at in near if start < self._entries[at].order < end]
        return any(
            other.event.tag in _STATED
            and (
                other_value(mark, other.print, told=other.event.tag is Tag.CHANGED)
                or _leaves(other, mark)
                or (_takes_back(other.event) != _takes_back(event) and same_print(mark, other.print))
            )
            for other in between
        )


def id_of(event: Event) -> str:
    """The event's id; that of the first such line of its day for one typed by hand."""
    return event.id or event_id(event.agent, event.date, event.tag, event.text, 0)


def _stated(event: Event) -> str:
    """What the event says now: an old value that it names is no part of it."""
    return withdrawn(event.text) or fields(event.text).rest or event.text


def _takes_back(event: Event) -> bool:
    """Whether the event takes a statement back; its words are those of the statement all the same."""
    return bool(withdrawn(event.text))


def _names_more(old: Event, new: Event) -> bool:
    """Whether the new event names an old value that the other one did not: that one went is news."""
    was = fields(new.text).was
    return bool(was) and bare(was) != bare(fields(old.text).was)


def _leaves(other: _Entry, mark: Print) -> bool:
    """Whether an event names as the old value ("Was: Ana") what the statement says, of the same thing."""
    was = fields(other.event.text).was
    if not was or not other.print.core & mark.core:
        return False
    gone = fingerprint(was)
    told = gone.figures or gone.names
    return bool(told) and gone.figures <= mark.figures and all(name in mark.spoken for name in gone.names)


def _head(mark: Print) -> list[str]:
    """The words under which a statement is filed: two with Jaccard ≥ 0.8 share one of them (prefix filter). Long words
    come first, they are rare."""
    ordered = sorted(mark.stems, key=lambda word: (-len(word), word))
    return ordered[: len(ordered) - math.ceil(THRESHOLD * len(ordered)) + 1]


def _comparable(old: Event, new: Event) -> bool:
    """Whether the one can be a restatement of the other at all."""
    if _takes_back(old) != _takes_back(new):
        return False
    if old.confidence is not Confidence.CONFIRMED and new.confidence is Confidence.CONFIRMED:
        return False
    if old.tag is Tag.EVENT or new.tag is Tag.EVENT:
        return old.tag is new.tag and old.date == new.date
    if old.tag is Tag.TODO or new.tag is Tag.TODO:
        return old.tag is new.tag
    return True
