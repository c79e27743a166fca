"""A change that was told under one topic, of a thing that another one holds, goes to where the fact stands.

So a value changes where it is kept, in whichever topic the change was filed: the event's line stays under its slug, the
fact's changelog names the event. Where the words don't tell that both mean the same thing, a person is asked. What was
said before there was a topic (`general`) comes in with the change that speaks of it. Pure.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from silo.core.dedupe import id_of
from silo.core.elsewhere import Names, open_topics
from silo.core.facts import named_facts
from silo.core.reconcile import Kind, Outcome, Reconciler
from silo.core.weighing import day_of, tells_of
from silo.formats.fields import fields
from silo.formats.topics import TopicFile, fact_id
from silo.model import Event, Fact, Tag, TopicInfo
from silo.text.tokens import terms

MOST_COMPARED = 8  # facts, or earlier statements, that one event is compared with: those that share most words
TELLING = 3  # words, figures apart, that an event without a topic shares with the fact that it changes
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
    """The facts of the open topics, by their words, and the filing of a night's events among these topics."""

    topics: Iterable[TopicFile]
    infos: Mapping[str, TopicInfo]
    reconciler: Callable[[], Reconciler]
    undone: Mapping[str, object]
    asked: list[Asked] = field(default_factory=list)
    _said: dict[int, frozenset[str]] = field(default_factory=dict)  # words of statements without a topic, by identity
    _held: list[tuple[str, Fact, frozenset[str]]] = field(default_factory=list)
    _places: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))

    def file(self, fresh: dict[str, list[Event]], homeless: Sequence[Event]) -> None:
        """`fresh`: a night's new events by topic, re-filed in place. `homeless`: statements whose slug is no topic."""
        free = open_topics(self.infos.values())
        events = [(slug, e) for slug, found in fresh.items() if slug in free for e in found if e.tag in _STATED]
        loose = [("", e) for e in homeless if e.tag in _STATED and _changes(e)]
        if not events and not loose:
            return
        names = Names(self.infos.values())
        for file in self.topics:
            if file.slug in free:
                for fact in named_facts(file):
                    if fact.done is None:
                        self._hold(file.slug, fact)
        for slug, event in sorted([*events, *loose], key=lambda pair: pair[1].date):
            home = self._home(slug, event, names)
            if home and home != slug:
                if slug:
                    fresh[slug].remove(event)
                fresh.setdefault(home, []).append(event)
                fresh[home].sort(key=lambda e: e.date)
            if slug and not home and _changes(event):
                before = self._before(event, homeless)
                fresh[slug][:] = sorted([*before, *fresh[slug]], key=lambda e: e.date)
            if home or slug:
                said = fields(event.text).rest or event.text
                self._hold(home or slug, Fact(home or slug, said, fact_id(id_of(event)), event.date, event.date))

    def _hold(self, slug: str, fact: Fact) -> None:
        words = _words(fact.text)
        for word in words:
            self._places[word].append(len(self._held))
        self._held.append((slug, fact, words))

    def _near(self, words: frozenset[str]) -> list[tuple[str, Fact]]:
        """Facts that share half of the words of the shorter side, two at least."""
        shared: dict[int, int] = defaultdict(int)
        for word in words:
            for at in self._places.get(word, ()):
                shared[at] += 1
        fits = [(n, at) for at, n in shared.items() if n >= 2 and 2 * n >= min(len(words), len(self._held[at][2]))]
        fits.sort(key=lambda one: (-one[0], one[1]))
        return [self._held[at][:2] for _, at in fits[:MOST_COMPARED]]

    def _home(self, slug: str, event: Event, names: Names) -> str:
        """The topic whose fact the event is about: its own where that knows the thing, "" where none does."""
        told = fields(event.text)
        said = told.rest or event.text
        found = [(where, fact, self._outcome(fact, said, told.was, event)) for where, fact in self._near(_words(said))]
        if any(where == slug and outcome.kind is not Kind.NEW for where, _, outcome in found):
            return slug
        wanted = (Kind.UPDATE, Kind.CONTRADICTION) if slug else (Kind.UPDATE,)
        hits = [
            (where, fact, outcome) for where, fact, outcome in found
            if where != slug and outcome.kind in wanted and outcome.exact and f"{id_of(event)}>{fact.id}" not in self.undone
        ]  # fmt: skip
        sure = [(where, fact) for where, fact, outcome in hits if self._sure(where, fact, slug, said, names, len({w for w, _, _ in hits}))]
        if sure:
            by_name = [where for where, _ in sure if names.named(said, where, slug) == where]
            return (by_name or [where for where, _ in sure])[0]
        for where, fact, outcome in hits[:1]:
            if _changes(event) and outcome.kind is Kind.UPDATE:
                self.asked.append(Asked(where, fact, event, outcome.why))
        return ""

    @staticmethod
    def _sure(where: str, fact: Fact, slug: str, said: str, names: Names, homes: int) -> bool:
        one, other = names.named(said, where, slug), names.named(fact.text, where, slug)
        if one and one == other:
            return True
        return not slug and homes == 1 and len(_words(said) & _words(fact.text)) >= TELLING

    def _outcome(self, fact: Fact, said: str, was: str, event: Event) -> Outcome:
        day = date.fromisoformat(event.date)
        told = _changes(event)
        changed = told and (not was or tells_of(was, fact.text))
        return self.reconciler()(fields(fact.text).rest or fact.text, said, day_of(fact.since) or day, day, changed=changed, was=was)

    def _before(self, event: Event, homeless: Sequence[Event]) -> list[Event]:
        """What was said without a topic and is changed by the event: it comes in first, so that the change has its old value."""
        told = fields(event.text)
        said = told.rest or event.text
        words = _words(said)
        near: list[tuple[int, int]] = []
        for at, other in enumerate(homeless):
            if other.date > event.date or other.agent != event.agent or other.tag not in _STATED:
                continue
            if id(other) not in self._said:
                self._said[id(other)] = _words(other.text)
            theirs = self._said[id(other)]
            shared = len(theirs & words)
            if shared >= 2 and 2 * shared >= min(len(theirs), len(words)):
                near.append((-shared, at))
        found: list[Event] = []
        for _, at in sorted(near)[:MOST_COMPARED]:
            other = homeless[at]
            rest = fields(other.text).rest or other.text
            outcome = self._outcome(Fact("", rest, "", other.date), said, told.was, event)
            if outcome.kind is Kind.UPDATE and outcome.exact and f"{id_of(other)}>{fact_id(id_of(other))}" not in self.undone:
                found.append(replace(other, id=id_of(other)))
        return found


def _changes(event: Event) -> bool:
    """Whether the event itself says that it changes something."""
    return event.tag is Tag.CHANGED or bool(fields(event.text).was)


def _words(text: str) -> frozenset[str]:
    """The words of weight, figures apart."""
    return frozenset(word for word in terms(text) if not any(c.isdigit() for c in word))
