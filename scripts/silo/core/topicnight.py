"""One topic in one night: its hand edits told, its new events reconciled with its facts, in order.

The rules of who wins stand in references/curation.md. Every change of a fact goes through facts.py; nothing else of the
file is touched but the header's dates and the source layer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from silo.core.adopt import Elsewhere, adopt
from silo.core.dedupe import id_of
from silo.core.engines.judging import Relation, question_of, says_the_same
from silo.core.facts import BY_HAND, TICKED, Add, End, Name, Op, Set, bare, named_facts
from silo.core.history import overruled
from silo.core.placing import Quotes, heading_for, source_blocks
from silo.core.precedent import ending_of, is_denied, typed_on
from silo.core.reconcile import Kind, Outcome
from silo.core.settled import settled
from silo.core.topicsheet import TopicSheet
from silo.core.topictodos import take_todo, tick_done
from silo.core.weighing import asks_about, chosen, day_before, day_of, tells_no_more, tells_of
from silo.formats.decisions import read_decisions
from silo.formats.fields import fields, withdrawn
from silo.formats.topics import TopicFile, add_source_block, fact_id, parse_topic, set_header
from silo.model import ChangeEntry, Drop, Event, Fact, Put, Tag
from silo.text.fold import fold
from silo.text.similar import fingerprint, same_statement

MOST_SOURCES = 4  # event ids that a bullet names; the changelog has all


@dataclass(slots=True)
class TopicNight(TopicSheet):
    """Takes the night's edits and events into one topic."""

    edited: frozenset[str] = frozenset()

    # --- hand edits ---

    def adopt(self, base: str, elsewhere: Elsewhere) -> None:
        """What a hand changed since our last write is in the changelog."""
        found = adopt(parse_topic(base, self.path), self.topic, elsewhere)
        self.text = found.text
        self.edited = found.edited
        self.apply(*found.ops)
        self.counts["edits by hand"] += len(found.edited)

    # --- events ---

    def take(self, event: Event) -> None:
        """The event is reconciled with the facts; what became of it is remembered under its id."""
        ident = id_of(event)
        if event.tag is not Tag.TODO:
            tick_done(self, event, ident)
        if event.tag is Tag.EVENT:  # it stays in the log; that it was looked at is remembered by the night
            return
        if event.tag is Tag.CHANGED and (back := withdrawn(event.text)):
            kind = self._withdraw(back, event, ident)
        else:
            kind = take_todo(self, event, ident) if event.tag is Tag.TODO else self._reconcile(event, ident)
        self.counts[kind] += 1
        self.state.append(Put("reconciled", ident, kind, self.path))

    def restate(self, restated: Mapping[str, Sequence[str]]) -> None:
        """Restatements (event → days) of what stands behind a fact move its `seen`, tonight's facts too; the records go."""
        days: dict[str, str] = {}
        done: set[str] = set()
        for fact in self.facts:
            for ident in (one for one in fact.source.split(",") if one in restated and one not in done):
                done.add(ident)
                if self._said_against(fact, ident, restated[ident]):
                    continue
                days[fact.id] = max(*restated[ident], days.get(fact.id, ""))
        for ident in (one for one in restated if one not in done and one in self._overruled):
            done.add(ident)
            self._said_against(None, ident, restated[ident])
        self.state += (Drop("restated", f"{ident}@{day}", self.path) for ident in sorted(done) for day in restated[ident])
        for fact_ident, day in sorted(days.items()):
            self.confirm(next(f for f in self.facts if f.id == fact_ident), day)

    @property
    def _overruled(self) -> Mapping[str, ChangeEntry]:
        return overruled([self.topic], self.older)

    def _said_against(self, fact: Fact | None, ident: str, days: Sequence[str]) -> bool:
        """Whether the words of an event that were said again are not what a hand has left of its fact. A person is asked
        where nobody can tell which came first."""
        entry = self._overruled.get(ident)
        if entry is None or entry.new.startswith(TICKED):
            return False
        day = date.fromisoformat(entry.date)
        if fact is not None and self.reconciler()(fact.text, entry.old, day, day).kind is Kind.DUPLICATE:
            return False
        if max(days) >= day_before(entry.date):
            what = f"changed by hand to: {bare(fact.text)}" if fact is not None else "removed by hand"
            self.ask("doubt", entry.facts, ident, f"{entry.old} was {what}; it is said again on {max(days)}")
        return True

    def carry_out(self, ops: Sequence[Op]) -> None:
        """What was ruled beside the other topics; contradictions of facts that end are settled."""
        self.apply(*ops)
        for op in ops:
            if isinstance(op, End):
                self.settle(op.id)

    def finish(self, quotes: Quotes) -> str:
        """The topic's text with the night's source blocks and header dates."""
        answered = read_decisions("\n".join(self.review), "").items
        waiting = [item for ident, item in self.review_items.items() if ident not in answered]
        self.review += settled(waiting, self.topic, self.older, self.reconciler, self.today)
        text = self.text
        for block in source_blocks(self.grown, quotes):
            text = add_source_block(text, block)
        header = parse_topic(text, self.path).header
        if self.verified > header.text("last_verified"):
            text = set_header(text, "last_verified", self.verified)
        return text

    # --- inside ---

    def _reconcile(self, event: Event, ident: str) -> str:
        said = fields(event.text).rest or event.text
        topic = self.topic
        facts = [fact for fact in named_facts(topic) if fact.done is None]
        if any(fact.id == fact_id(ident) for fact in facts):
            return "duplicate"
        outcomes = [(fact, self._against(fact, said, event, topic)) for fact in facts]
        fact, outcome = self._judged(*chosen(outcomes, fields(event.text).was), facts, said, event, topic)
        if fact is not None and f"{ident}>{fact.id}" in self.undone:
            return "undone"
        if outcome.kind in (Kind.UPDATE, Kind.CONTRADICTION) and self._decided(said, event, topic):
            return "outdated"
        match outcome.kind:
            case Kind.DUPLICATE if fact is not None:
                return self._duplicate(fact, event, ident, outcomes)
            case Kind.UPDATE if fact is not None:
                return self._update(fact, event, ident, said, outcome, outcomes)
            case Kind.CONTRADICTION if fact is not None:
                return self._contradiction(fact, event, ident, said, outcome)
            case Kind.OUTDATED:
                return "outdated"
        return self._new(event, ident, said, topic)

    def _judged(
        self, fact: Fact | None, outcome: Outcome, facts: Sequence[Fact], said: str, event: Event, topic: TopicFile
    ) -> tuple[Fact | None, Outcome]:
        """The outcome, or that of a second opinion where the rules find no fact or no winner."""
        if self.judge is None or outcome.kind not in (Kind.NEW, Kind.CONTRADICTION) or self.path.startswith(".silo/private/"):
            return fact, outcome
        question = question_of(said, event.date, facts if fact is None else (fact,))
        opinion = self.judge(question) if question is not None else None
        about = next((one for one in facts if opinion is not None and one.id == opinion.fact), None)
        if opinion is None or about is None:
            return fact, outcome
        if opinion.relation is Relation.SAME and says_the_same(about.text, said):
            return about, Outcome(Kind.DUPLICATE, why="the same in other words")
        typed = typed_on(about.id, (*topic.changes, *self.older))
        if opinion.relation is Relation.CHANGES and event.date >= (about.since or event.date) and event.date > typed:
            return about, Outcome(Kind.UPDATE, why="a change, by the model's opinion")
        if opinion.relation in (Relation.CONTRADICTS, Relation.CHANGES) and outcome.kind is Kind.NEW:
            return about, Outcome(Kind.CONTRADICTION, why="both can't be true, by the model's opinion")
        return fact, outcome

    def _withdraw(self, back: str, event: Event, ident: str) -> str:
        """What was taken back is no fact any more. Where a fact says it among other things, a person is asked."""
        day = date.fromisoformat(event.date)
        held = [f for f in self.facts if not f.done and (day_of(f.since) or day) <= day]
        found, taken = [f for f in held if self._says(f, back, day)], False
        if not found:  # no line says it in its own words: the one that is most like it, a task too
            like = [f for f in held if same_statement(fields(f.text).rest or f.text, back)]
            found = [max(like, key=lambda f: (f.text == back, f.seen))] if like else []
        if not found:
            about = [f for f in held if fingerprint(back).stems <= fingerprint(f.text).stems]
            for fact in about[:1]:
                self.ask("doubt", (fact.id,), ident, f"{fact.text} | taken back on {event.date}: {back}")
            return "doubt" if about else "outdated"
        found = [f for f in found if f"{ident}>{f.id}" not in self.undone]
        if not found:
            return "undone"
        for fact in sorted(found, key=lambda f: (f.text == back, f.seen), reverse=True):  # from every line that says it
            typed = typed_on(fact.id, (*self.topic.changes, *self.older))
            if typed and event.date <= typed:
                continue
            self.review = [line for line in self.review if not asks_about(line, fact.id)]
            self.apply(End(fact.id, f"Taken back on {event.date}", "withdrawn", ident, until=event.date))
            self.settle(fact.id)
            taken = True
        if not taken:
            return "outdated"
        self.grown.append(event)
        return "withdrawn"

    def _says(self, fact: Fact, back: str, day: date) -> bool:
        """Whether a fact says what is taken back, and no more than that and what was so before."""
        if fact.done is not None:
            return False
        text = fields(fact.text).rest or fact.text
        alike, again = (self.reconciler()(a, b, day, day).kind is Kind.DUPLICATE for a, b in ((text, back), (back, text)))
        return alike and (again or self.reconciler().tells_one_change(text, day))

    def _against(self, fact: Fact, said: str, event: Event, topic: TopicFile) -> Outcome:
        """The outcome beside one fact; a hand's edit of it wins over older evidence, and asks about evidence of its day."""
        day = date.fromisoformat(event.date)
        known = day_of(fact.since) or day
        was = fields(event.text).was
        told = event.tag is Tag.CHANGED or bool(was)
        outcome = self.reconciler()(fact.text, said, known, day, changed=told and (not was or tells_of(was, fact.text)), was=was)
        if told and outcome.kind is Kind.CONTRADICTION and outcome.exact:  # it names another old value than the fact's
            outcome = self.reconciler()(fact.text, said, known, day, changed=True, was=was)
        if outcome.kind not in (Kind.UPDATE, Kind.CONTRADICTION):
            return outcome
        edit = typed_on(fact.id, (*topic.changes, *self.older))
        if edit and event.date <= edit:
            fresh = event.date >= day_before(edit)
            return replace(outcome, kind=Kind.CONTRADICTION if fresh else Kind.OUTDATED, merged=None)
        return outcome

    def _duplicate(self, fact: Fact, event: Event, ident: str, outcomes: list[tuple[Fact, Outcome]]) -> str:
        """Said again: `seen` moves. Where the statement also says that another fact's value went, that one ends."""
        self._replace(fact, event, ident, [other for other, outcome in outcomes if outcome.kind is Kind.UPDATE and outcome.exact])
        self.confirm(fact, event.date)
        return "duplicate"

    def _replace(self, fact: Fact, event: Event, ident: str, others: Iterable[Fact]) -> None:
        """Facts that the event replaces by this one end."""
        for other in others:
            if other.id != fact.id and f"{ident}>{other.id}" not in self.undone:
                since = fields(event.text).effective or event.date
                self.apply(End(other.id, f"Replaced by: {bare(fact.text)}", "replaced", ident, until=since))
                self.settle(other.id, fact.id)
                self.grown.append(event)

    def _update(self, fact: Fact, event: Event, ident: str, said: str, outcome: Outcome, outcomes: list[tuple[Fact, Outcome]]) -> str:
        """The fact says the new value. Where other facts said the old one in other words, it is theirs no more either."""
        since = fields(event.text).effective or event.date
        text = outcome.merged or said
        reason = f"Said on {event.date}" + (f": {said}" if outcome.merged and said not in outcome.merged else "")
        sources = [*(one for one in fact.source.split(",") if one and outcome.merged), ident][-MOST_SOURCES:]
        change = Set(
            fact.id, text, outcome.field or event.tag.lower(), reason, ident, since=since, seen=max(event.date, fact.seen),
            bullet_source=",".join(dict.fromkeys(sources)),
        )  # fmt: skip
        self.apply(change)
        same = [
            f for f, o in outcomes
            if o.kind is Kind.UPDATE and o.old_value and (o.exact or tells_no_more(f.text, o.old_value, said)) and self._one_value(o.old_value, outcome.old_value)
        ]  # fmt: skip
        if outcome.exact:
            self._replace(replace(fact, text=text), event, ident, same)
        self.grown.append(event)
        self.verified = max(self.verified, event.date)
        return "update"

    def _one_value(self, one: str, other: str) -> bool:
        """Whether two values are the same one, in other words too: €1,200 and 1,200 euros, May 12 and 12 May."""
        day = date.fromisoformat(self.today)
        return fold(one) == fold(other) or (bool(other) and self.reconciler()(one, other, day, day).kind is Kind.DUPLICATE)

    def _contradiction(self, fact: Fact, event: Event, ident: str, said: str, outcome: Outcome) -> str:
        """Both stay, each as a bullet, and a person is asked."""
        new = self.fact_of(event, ident, said)
        if f"{ident}>{new.id}" in self.undone:
            return "undone"
        if any(there.id != fact.id and bare(there.text) == bare(said) for there in self.facts):
            return "duplicate"
        heading = fact.heading
        self.apply(Name(fact.id), Add(new, heading, outcome.field or event.tag.lower(), f"Said on {event.date}; contradicts {fact.id}", ident))
        since = f" (since {fact.since})" if fact.since else ""
        self.ask("contradiction", (fact.id, new.id), ident, f"{fact.text}{since} | {said} (said on {event.date}): {outcome.why}")
        self.grown.append(event)
        return "contradiction"

    def _new(self, event: Event, ident: str, said: str, topic: TopicFile) -> str:
        new = self.fact_of(event, ident, said)
        if f"{ident}>{new.id}" in self.undone:
            return "undone"
        ended = self._ended(said, event, topic)
        if ended is not None:
            if not ended.reason.startswith(BY_HAND) or event.date < day_before(ended.date) or self._decided(said, event, topic):
                return "outdated"
            self.ask("doubt", ended.facts, ident, f"{ended.old} was removed by hand and is said again on {event.date}: {said}")
            return "doubt"
        self.apply(Add(new, heading_for(topic, event.tag, said), event.tag.lower(), f"Said on {event.date}", ident))
        self.grown.append(event)
        return "new"

    def _ended(self, said: str, event: Event, topic: TopicFile) -> ChangeEntry | None:
        there = {fact.id for fact in named_facts(topic)}
        return ending_of(said, event.date, (*topic.changes, *self.older), there, self._same_on(event.date))

    def _decided(self, said: str, event: Event, topic: TopicFile) -> bool:
        there = {fact.id for fact in named_facts(topic)}
        return is_denied(said, event.date, (*topic.changes, *self.older), there, self._same_on(event.date))

    def _same_on(self, said_on: str) -> Callable[[str, str], bool]:
        """Whether two statements say the same, read on this day."""
        day = date.fromisoformat(said_on)
        return lambda old, said: self.reconciler()(old, said, day, day).kind is Kind.DUPLICATE or same_statement(old, said)
