"""One topic in one night, as text: the operations on its facts, what was confirmed, and the items for a person to review.

Decides nothing about an event; topicnight.py and topictodos.py do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta

from silo.core.engines.judging import Judge
from silo.core.facts import Confirm, Op, apply_ops, named_facts, read_topic
from silo.core.reconcile import Reconciler
from silo.core.weighing import day_of
from silo.formats import comment
from silo.formats.decisions import decided, review_id, review_line
from silo.formats.fields import fields
from silo.formats.topics import TopicFile, fact_id
from silo.model import ChangeEntry, Event, Fact, StateOp
from silo.text.completion import Completion
from silo.text.redact import redact

SEEN_DAYS = 7  # `seen` moves at most once in so many days


@dataclass(slots=True)
class TopicSheet:
    """The state of one topic during the night."""

    text: str
    path: str
    today: str
    at: str
    reconciler: Callable[[], Reconciler]
    undone: Mapping[str, object]
    review_items: Mapping[str, Mapping[str, object]]
    completions: Callable[[], tuple[Completion, ...]] = tuple
    judge: Judge | None = None  # second opinions, where a model is asked
    older: tuple[ChangeEntry, ...] = ()  # entries that overflowed into the archive file
    state: list[StateOp] = field(default_factory=list)
    review: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    grown: list[Event] = field(default_factory=list)  # events that made or changed a fact
    verified: str = ""

    @property
    def topic(self) -> TopicFile:
        return read_topic(self.text, self.path)

    @property
    def facts(self) -> tuple[Fact, ...]:
        return named_facts(self.topic)

    def apply(self, *ops: Op) -> None:
        """The text after these operations, each told in its changelog."""
        self.text = apply_ops(self.text, ops, path=self.path, today=self.today, at=self.at)

    def confirm(self, fact: Fact, day: str) -> None:
        """Said again on that day: `seen` moves, where it was long ago."""
        seen = day_of(fact.seen)
        if seen is None or date.fromisoformat(day) - seen >= timedelta(days=SEEN_DAYS):
            self.apply(Confirm(fact.id, day))
            self.verified = max(self.verified, day)

    def fact_of(self, event: Event, ident: str, said: str) -> Fact:
        """What a fact of this event would be."""
        since = fields(event.text).effective or event.date
        weight = event.importance or 0.0
        extra = (comment.annotate("importance", str(round(weight * 10))),) if weight >= 0.8 else ()
        return Fact(self.topic.slug, said, fact_id(ident), since, event.date, ident, extra=extra)

    def ask(self, kind: str, facts: Iterable[str], event: str, text: str) -> None:
        """A review item, unless the same doubt was asked before."""
        about = tuple(facts)
        ident = review_id(about, [event])
        if ident not in self.review_items:
            line = review_line(ident, kind=kind, topic=self.topic.slug, facts=about, events=[event], created=self.today, text=redact(text)[0])
            self.review.append(line)

    def settle(self, *facts: str) -> None:
        """A contradiction that a later statement has decided waits no longer; of one fact alone: it is no more."""
        for item in self.review_items.values():
            listed = item.get("facts")
            if item.get("status", "open") in ("open", "deferred") and item.get("kind") == "contradiction" and isinstance(listed, list) and set(facts) <= set(listed):
                status = "rejected" if facts == (listed[-1],) else "accepted"
                self.review.append(decided(item, status, self.today, by="a later statement"))
