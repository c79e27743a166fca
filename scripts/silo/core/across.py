"""A change that was told under one topic, of a thing that another one holds, goes to where the fact stands.

So a value changes where it is kept, in whichever topic the change was filed: the event's line stays under its slug, the
fact's changelog names the event. Where the words don't tell that both mean the same thing, a person is asked. What was
said before there was a topic (`general`) comes in with the change that speaks of it. Pure.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from silo.core.dedupe import id_of
from silo.core.elsewhere import TELLING, Names, open_topics, weighty
from silo.core.facts import named_facts
from silo.core.reconcile import Kind, Outcome, Reconciler
from silo.core.weighing import day_of, tells_of
from silo.formats.fields import fields, withdrawn
from silo.formats.topics import TopicFile, fact_id
from silo.model import Event, Fact, Tag, TopicInfo

MOST_COMPARED = 8  # facts of its topic, of others, or earlier statements that one event is compared with: those that share most words
MOST_ASKED = 3  # of these, those that are compared so that a person is asked
CLOSED = "*"  # stands for every topic that is private, archived, of some agents or damaged; no slug looks like it
_KNOWN = (Kind.DUPLICATE, Kind.UPDATE, Kind.CONTRADICTION, Kind.OUTDATED)
_STATED = frozenset({Tag.FACT, Tag.DECISION, Tag.CHANGED, Tag.PROCEDURE})


@dataclass(frozen=True, slots=True)
class Asked:
    """An event that may be about a fact of another topic, by words that could mean something else."""

    slug: str
    fact: Fact
    event: Event
    why: str


@dataclass(slots=True)
class Across:
    """The facts by their words, and the filing of a night's events among the open topics. Facts of the others only tell that
    something is not the one thing of its kind."""

    topics: Iterable[TopicFile]
    infos: Mapping[str, TopicInfo]
    names: Names
    reconciler: Callable[[], Reconciler]
    undone: Mapping[str, object]
    asked: list[Asked] = field(default_factory=list)
    _said: dict[int, frozenset[str]] = field(default_factory=dict)  # words of statements without a topic, by identity
    _held: list[tuple[str, Fact, frozenset[str]]] = field(default_factory=list)
    _places: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))

    def file(self, fresh: dict[str, list[Event]], homeless: Sequence[Event]) -> None:
        """`fresh`: a night's new events by topic, re-filed in place. `homeless`: statements whose slug is no topic."""
        free = open_topics(self.infos.values())
        events = [(slug, e) for slug, found in fresh.items() if slug in free for e in found if _states(e)]
        loose = [("", e) for e in homeless if _states(e) and _changes(e)]
        if not events and not loose:
            return
        for file in self.topics:
            for fact in named_facts(file):
                if fact.done is None:
                    self._hold(file.slug if file.slug in free and file.editable else CLOSED, fact)
        drawn: list[tuple[str, Event]] = []
        for slug, event in sorted([*events, *loose], key=lambda pair: pair[1].date):
            home = self._home(slug, event)
            if home and home != slug:
                if slug:
                    fresh[slug].remove(event)
                fresh.setdefault(home, []).append(event)
                fresh[home].sort(key=lambda e: e.date)
            if slug and not home and _changes(event):
                drawn += ((slug, other) for other in self._before(slug, event, homeless))
            if home or slug:
                said = fields(event.text).rest or event.text
                self._hold(home or slug, Fact(home or slug, said, fact_id(id_of(event)), event.date, event.date))
        for slug, other in dict.fromkeys(drawn):
            if len({where for where, one in drawn if one.id == other.id}) == 1:  # else nobody can tell whose value it was
                fresh[slug][:] = sorted([other, *fresh[slug]], key=lambda e: e.date)

    def _hold(self, slug: str, fact: Fact) -> None:
        words = weighty(fact.text)
        for word in words:
            self._places[word].append(len(self._held))
        self._held.append((slug, fact, words))

    def _near(self, slug: str, words: frozenset[str]) -> tuple[list[tuple[str, Fact]], list[tuple[str, Fact]]]:
        """Facts that share half of the words of the shorter side, two at least: of the topic itself, and of others."""
        shared: dict[int, int] = defaultdict(int)
        for word in words:
            for at in self._places.get(word, ()):
                shared[at] += 1
        fits = [(n, at) for at, n in shared.items() if n >= 2 and 2 * n >= min(len(words), len(self._held[at][2]))]
        fits.sort(key=lambda one: (-one[0], one[1]))
        near = [self._held[at][:2] for _, at in fits]
        own, others = ([one for one in near if (one[0] == slug) is mine][:MOST_COMPARED] for mine in (True, False))
        return own, others

    def _home(self, slug: str, event: Event) -> str:
        """The topic whose fact the event is about: its own where that knows the thing, "" where none does."""
        told = fields(event.text)
        said = told.rest or event.text

        def hits(facts: Iterable[tuple[str, Fact]], *kinds: Kind) -> Iterator[tuple[str, Fact, Outcome]]:
            for where, fact in facts:
                outcome = self._outcome(fact, said, told.was, event)
                if outcome.kind in kinds and (where == slug or (outcome.exact and f"{id_of(event)}>{fact.id}" not in self.undone)):
                    yield where, fact, outcome

        own, others = self._near(slug, weighty(said))
        if any(hits(own, *_KNOWN)):
            return slug
        named = [(where, fact) for where, fact in others if where != CLOSED and self._both_name(where, fact.text, slug, said)]
        if slug:
            sure = [(where, fact) for where, fact, _ in hits(named, Kind.UPDATE, Kind.CONTRADICTION)]
        else:
            updates = [(where, fact) for where, fact, _ in hits(others, Kind.UPDATE)]
            one_home = len({where for where, _ in updates}) == 1
            sure = [(where, fact) for where, fact in updates if where != CLOSED and ((where, fact) in named or (one_home and self._telling(fact.text, said)))]
        if sure:
            by_name = [where for where, _ in sure if self.names.named(said, where, slug) == where]
            return (by_name or [where for where, _ in sure])[0]
        if _changes(event):
            nearest = [one for one in others if one[0] != CLOSED][:MOST_ASKED]
            for where, fact, outcome in itertools.islice(hits(nearest, Kind.UPDATE), 1):
                self.asked.append(Asked(where, fact, event, outcome.why))
        return ""

    def _both_name(self, where: str, text: str, slug: str, said: str) -> bool:
        """Whether a fact and what is said are about the same one of two topics by their own words."""
        one = self.names.named(said, where, slug)
        return bool(one) and one == self.names.named(text, where, slug)

    @staticmethod
    def _telling(text: str, said: str) -> bool:
        """Whether so much is shared with what is said without a topic that it is no coincidence."""
        return len(weighty(said) & weighty(text)) >= TELLING

    def _outcome(self, fact: Fact, said: str, was: str, event: Event) -> Outcome:
        day = date.fromisoformat(event.date)
        told = _changes(event)
        changed = told and (not was or tells_of(was, fact.text))
        return self.reconciler()(fields(fact.text).rest or fact.text, said, day_of(fact.since) or day, day, changed=changed, was=was)

    def _before(self, slug: str, event: Event, homeless: Sequence[Event]) -> list[Event]:
        """What was said without a topic and is surely changed by the event: it comes in first, so that the change has its old
        value."""
        told = fields(event.text)
        said = told.rest or event.text
        words = weighty(said)
        near: list[tuple[int, int]] = []
        for at, other in enumerate(homeless):
            if other.date > event.date or other.agent != event.agent or other.tag not in _STATED:
                continue
            if id(other) not in self._said:
                self._said[id(other)] = weighty(other.text)
            theirs = self._said[id(other)]
            shared = len(theirs & words)
            if shared >= 2 and 2 * shared >= min(len(theirs), len(words)):
                near.append((-shared, at))
        found: list[Event] = []
        for _, at in sorted(near)[:MOST_COMPARED]:
            other = homeless[at]
            rest = fields(other.text).rest or other.text
            outcome = self._outcome(Fact("", rest, "", other.date), said, told.was, event)
            sure = self._both_name(slug, rest, "", said) or self._telling(rest, said)
            if sure and outcome.kind is Kind.UPDATE and outcome.exact and f"{id_of(other)}>{fact_id(id_of(other))}" not in self.undone:
                found.append(replace(other, id=id_of(other)))
        return found


def _states(event: Event) -> bool:
    """Whether the event says what is so. What is taken back is looked for where it was said, and tells no other value."""
    return event.tag in _STATED and not withdrawn(event.text)


def _changes(event: Event) -> bool:
    """Whether the event itself says that it changes something."""
    return event.tag is Tag.CHANGED or bool(fields(event.text).was)

