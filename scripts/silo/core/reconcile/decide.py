"""What becomes of a new statement beside an old one: duplicate, update, contradiction, or a new fact of its own.

In this order: hearsay and hypotheticals change nothing; what can't be aligned is new; a sign of change, a state that moved
on or the old value named makes an update; two values without such a sign are a contradiction; same subject, property,
values and polarity are a duplicate. In doubt it is new: both stay.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from silo.core.reconcile.clauses import Clause
from silo.core.reconcile.compare import Comparison, compare
from silo.core.reconcile.deeds import ANOTHER_DEED, Deeds, another_done, deeds
from silo.core.reconcile.items import with_item_gone
from silo.core.reconcile.kin import Kin, by_synonym
from silo.core.reconcile.lists import same_besides, same_list, with_member_changed
from silo.core.reconcile.merge import field_of, merged_text, subject_of
from silo.core.reconcile.outcome import Kind, Outcome
from silo.core.reconcile.pairing import Difference
from silo.core.reconcile.polarity import TWO_STATES
from silo.core.reconcile.senses import covers, fresh_cues, matters, other_outgoing, weight, without_old_news
from silo.core.reconcile.statement import Statement, standing
from silo.text.values import comparable, same_value


def decide(before: Statement, after: Statement, *, later: bool = True, changed: bool = False, kin: Kin | None = None) -> Outcome:
    """The outcome of two statements that are taken apart already; `later`: the new one is not older than the fact."""
    after = without_old_news(before, after)
    pairs = [(compare(a, b, before, after), a, b) for a in standing(before) for b in after.clauses if not _of_another(a, b, after)]
    found, a, b = _explained(pairs, before, after) or _total(pairs) or max(pairs, key=lambda p: (p[0].aligned, p[0].score))
    case = _Case(found, a, b, before, after, changed)
    outcome = case.outcome()
    if (outcome.kind is Kind.DUPLICATE or outcome.why == _LEFT) and another_done(before, after, kin or Kin()):
        outcome = replace(outcome, kind=Kind.NEW, old_value="", new_value="", merged=None, why=ANOTHER_DEED)
    if outcome.kind is Kind.NEW and not (after.hearsay or after.unreal or before.unreal):
        outcome = _done_by(case, deeds(before, after, kin or Kin())) or outcome
    if outcome.kind in (Kind.UPDATE, Kind.CONTRADICTION) and not later:
        return replace(outcome, kind=Kind.OUTDATED, merged=None, why="older than the fact")
    return outcome


def _done_by(case: _Case, told: Deeds | None) -> Outcome | None:
    """The outcome where both statements name who does one thing, None where they do not."""
    if told is None:
        return None
    score = max(case.found.score, 2.0)
    if told.same:
        more = len(case.before.clauses) + len(case.after.clauses) > 2 or any(c.outgoing or c.gone for c in (told.old, told.new))
        if more:
            return None  # one of them tells something else as well
        return Outcome(Kind.DUPLICATE, field=field_of(case.before, told.old, told.new), why="done by the same one", closeness=score)
    field = field_of(case.before, told.old, told.new)
    kind = Kind.UPDATE if case.changes else Kind.CONTRADICTION
    return Outcome(kind, told.old_doer, told.new_doer, None, field, "done by another one", score)


def _of_another(a: Clause, b: Clause, after: Statement) -> bool:
    """Whether the clause only tells what is over of something that the rest of its statement is about: "the ladder is in the
    shed now, no longer in the hall" tells nothing of what else is in the hall."""
    things = a.terms - b.terms
    if b.subject or not things or not b.negative:
        return False
    about = [c.terms | c.front for c in after.clauses if c is not b and c.terms and not c.negative]
    return bool(about) and not any(terms & things for terms in about)


def _explained(pairs: list[tuple[Comparison, Clause, Clause]], before: Statement, after: Statement) -> tuple[Comparison, Clause, Clause] | None:
    """The pair that tells the change where another clause of the new statement speaks of the old value: "it runs on port
    9090 now, 8080 clashed with the printer", "in the barn now, the shed is full"."""
    if not fresh_cues(before, after):
        return None
    for found, a, b in pairs:
        olds = [d.old_value for d in found.differences if d.old_value is not None]
        others = [c for c in after.clauses if c is not b]
        told = [v for c in others for v in c.values]
        worded = found.extra_old if any(d.kind == "words" for d in found.differences) else frozenset()
        spoken = any(comparable(x, v) and same_value(x, v) for x in olds for v in told) or any(worded & c.terms for c in others)
        if found.aligned and not b.negative and spoken:
            return replace(found, named=True), a, b
    return None


def _total(pairs: list[tuple[Comparison, Clause, Clause]]) -> tuple[Comparison, Clause, Clause] | None:
    """The pair that tells how many there are, where another clause only tells how many came: "three were added, it has 17 now"."""
    came = any(found.aligned and b.joins and any(d.kind == "number" for d in found.differences) for found, _, b in pairs)
    told = [p for p in pairs if p[0].aligned and p[2].inherited and not p[2].joins and any(d.kind == "number" for d in p[0].differences)]
    return max(told, key=lambda p: p[0].score) if came and told else None


@dataclass(frozen=True, slots=True)
class _Case:
    """One comparison on the way to its decision."""

    found: Comparison
    a: Clause
    b: Clause
    before: Statement
    after: Statement
    told: bool

    @property
    def changes(self) -> bool:
        """Whether the new statement says that something changed; a word of change that the fact has as well is none."""
        now = "now" in self.after.cues and not self.after.unreal  # what is so now is another thing than what was so then
        return self.told or self.found.named or now or bool(fresh_cues(self.before, self.after) - {"gain"})

    def outcome(self) -> Outcome:
        if self.after.hearsay:
            return self._say(Kind.NEW, "somebody else's claim")
        if self.after.unreal and not self.before.unreal:
            return self._say(Kind.NEW, "not said as so")
        if (listed := with_member_changed(self.before, self.after) or with_item_gone(self.before, self.after)) is not None:
            difference = Difference("list", listed.old, listed.new)
            said = self._say(Kind.UPDATE, listed.why, difference, listed.merged)
            return replace(said, field=said.field or subject_of(self.before, self.before.clauses[0]))
        if not self.found.aligned:
            return self._say(Kind.NEW, self.found.why)
        if self.found.opposed:
            return self._polarity()
        if (same := same_list(self.before, self.after)) is not None:
            if not same:
                return self._change("another list", Difference("list", self.a_text, self.b_text))
            if same_besides(self.before, self.after):
                return self._say(Kind.DUPLICATE, "the same list")
        return self._state() or self._values() or self._left() or self._sameness()

    @property
    def a_text(self) -> str:
        return self.before.text[self.a.start : self.a.end].strip(" .")

    @property
    def b_text(self) -> str:
        return self.after.text[self.b.start : self.b.end].strip(" .")

    def _say(self, kind: Kind, why: str, difference: Difference | None = None, merged: str | None = None) -> Outcome:
        old, new = (difference.old, difference.new) if difference else ("", "")
        exact = not self.found.extra_old
        return Outcome(kind, old, new, merged, field_of(self.before, self.a, self.b), why, self.found.score, exact)

    def _change(self, why: str, difference: Difference) -> Outcome:
        """An update where a change is said, else a contradiction."""
        if not self.changes or self._another_went(difference):
            return self._say(Kind.CONTRADICTION, why, difference)
        merged = merged_text(self.before, self.a, self.after, self.found, difference)
        return self._say(Kind.UPDATE, why, difference, merged)

    def _another_went(self, difference: Difference) -> bool:
        """Whether the new statement names a value that goes, and the fact knows only others of its kind."""
        old = difference.old_value
        gone = [v for v in self.b.values if v.start in self.b.outgoing and v.text != difference.new]
        gone = [v for v in gone if old is not None and comparable(v, old)]
        return bool(gone) and not any(comparable(v, x) and same_value(v, x) for v in gone for x in self.before.values)

    def _polarity(self) -> Outcome:
        """One side denies what the other says."""
        denied, other = (self.a, self.b) if self.a.negative else (self.b, self.a)
        stated = not other.statuses and any(s.family in TWO_STATES for s in denied.statuses)  # "isn't locked any more" beside "opens at 7"
        if self.found.differences or stated or not covers(other, denied) or any(t.is_in("not", "inner") for t in other.tokens):
            return self._say(Kind.NEW, "denied of something else")
        difference = Difference("negation", self.a_text, self.b_text)
        if self.a.yet and self.a.negative and any(s.stage < 2 for s in self.b.statuses):
            return self._say(Kind.NEW, "still open")  # "isn't decided yet", "is pending"
        gained = self.a.negative and "gain" in fresh_cues(self.before, self.after)
        if gained or (self.a.yet and self.a.negative):
            merged = merged_text(self.before, self.a, self.after, self.found, difference)
            return self._say(Kind.UPDATE, "what was still open came true", difference, merged)
        return self._change("one says it, the other denies it", difference)

    def _state(self) -> Outcome | None:
        """States of one family: the same, a later one, or one that excludes the other."""
        if self.found.state is None:
            return None
        old, new = self.found.state
        if (old.stage, old.good) == (new.stage, new.good):
            return None
        if self.found.extra_new & self.b.subject and self.b.subject & self.a.terms and not (self.found.named or self.found.equal):
            return self._say(Kind.NEW, "about something more special")
        if old.family != new.family and self.found.more_values and self.found.extra_old & self.a.subject:
            return self._say(Kind.NEW, "a state of something else")
        if self.b.labels and not self.a.labels and not self.found.named:
            return self._say(Kind.NEW, "about something more special")  # order 1042, the order
        waits = self.a.yet and self.a.negative and old.text != new.text  # "hasn't come yet", "is on its way"; not "has started"
        if (self.b.yet or waits) and old.stage < new.stage < 2:
            return self._say(Kind.NEW, "still under way")  # "hasn't arrived yet", "still on its way"
        difference = Difference("state", old.text, new.text)
        if new.stage > old.stage:
            merged = merged_text(self.before, self.a, self.after, self.found, difference)
            return self._say(Kind.UPDATE, f"{old.text} → {new.text}", difference, merged)
        if old.family == new.family == "door" and self._happened():
            merged = merged_text(self.before, self.a, self.after, self.found, difference)
            return self._say(Kind.UPDATE, f"{old.text} → {new.text}", difference, merged)
        return self._change("two states that exclude each other", difference)

    def _other_case(self) -> bool:
        """Whether the new statement holds under a circumstance that the fact does not name."""
        return any(members - self.a.scopes.get(group, frozenset()) for group, members in self.b.scopes.items())

    def _turned(self) -> bool:
        """Whether a small word turns the sense: before and after, only, above, a state or a leaving on one side alone."""
        strict = ("order", "environment", "who", "direction", "occasion")
        cases = any(self.a.scopes.get(g) != self.b.scopes.get(g) for g in strict)
        stated = bool(self.a.statuses or self.b.statuses) and self.found.state is None
        moved = not self.found.equal and self.found.state is None and bool(fresh_cues(self.before, self.after))
        left = self.a.leaves != self.b.leaves and not self._timetable
        return moved or cases or matters(self.a, self.b, (bool(self.before.cues), bool(self.after.cues))) or stated or left or self.a.joins != self.b.joins

    @property
    def _timetable(self) -> bool:
        """Whether a time of day says of what leaves when it does: "departure: 6:40"."""
        return bool(self.found.equal) and any(v.kind == "time" for v in self.b.values)

    def _other_past(self) -> bool:
        """Whether both tell in a clause of its own what is over, and not the same."""
        over = [[c for c in s.clauses if c not in standing(s)] for s in (self.before, self.after)]
        left, right = ([v for c in clauses for v in c.values] for clauses in over)
        same = all(any(comparable(x, y) and same_value(x, y) for y in right) for x in left)
        return all(over) and not (same and len(left) == len(right))

    def _tells_the_same(self, share: frozenset[str]) -> bool:
        """Whether both say a word, a property or a figure in common besides whom or what they are about."""
        figures = any(v.kind != "name" and any(comparable(v, x) and same_value(v, x) for x in self.a.values) for v in self.b.values)
        groups = any(self.a.contrasts[g] & self.b.contrasts[g] for g in self.a.contrasts.keys() & self.b.contrasts.keys())
        return figures or groups or bool(share & self.b.predicate or self.a.attributes & self.b.attributes)

    def _happened(self) -> bool:
        """Whether the new state is told as something that took place: "was closed", "foi fechado", not "is closed"."""
        return any(t.word.split()[0] in _HAPPENED for t in self.b.tokens)

    def _values(self) -> Outcome | None:
        """Values of one property that differ."""
        found = self.found
        differences = found.differences
        if not differences:
            return None
        if self.b.joins and not (self.b.leaves or self.a.joins or self._total_behind()):
            return self._say(Kind.NEW, "somebody joins")
        if self.a.joins and not self.b.joins and not self.changes and all(d.kind == "number" for d in differences):
            return self._say(Kind.NEW, "how many came, and how many there are")
        if differences[0].kind == "words":
            return self._change("the same property with another value", differences[0])
        kinds = {"when" if d.kind in ("date", "time") else d.kind for d in differences}
        if len(kinds) > 1 and not self.changes:
            return self._say(Kind.NEW, "more than one thing differs: another case")
        since = bool(self.b.tokens) and self.b.tokens[0].word in _SINCE  # "Since the new bus line the commute takes …"
        special = self.b.subject & self.a.terms and found.extra_new & self.b.subject and not (found.named or since)
        if found.extra_new and (special or not self.changes):
            return self._say(Kind.NEW, "about something more special")
        return self._change("the same property with another value", max(differences, key=weight))

    def _total_behind(self) -> bool:
        """Whether the figure that differs is the second one behind the word for joining: "two joined the class, 26 now"."""
        join = next((t.start for t in self.b.tokens if t.is_in("join")), 0)
        before = any(v.kind == "number" and v.start < join for v in self.b.values)
        return before and "now" in self.b.cues and all(d.kind == "number" and d.new_value is not None and d.new_value.start > join for d in self.found.differences)

    def _left(self) -> Outcome | None:
        """Who or what the fact places somewhere is said to have left it."""
        names = [v for v in self.b.values if v.kind == "name"]
        met = any(same_value(v, x) for v in names for x in self.a.values if x.kind == "name") if names else bool(self.b.subject & self.a.terms) and not self.found.extra_new & self.b.subject  # its booking is cancelled, not it
        if not self.b.leaves or self.a.leaves or not met or self._timetable or (self.a.negative and self.b.negative):
            return None
        difference = Difference("negation", self.a_text, self.b_text)
        return self._say(Kind.UPDATE, _LEFT, difference, merged_text(self.before, self.a, self.after, self.found, difference))

    def _sameness(self) -> Outcome:
        """No difference was found; a duplicate only if the new statement adds nothing."""
        found = self.found
        same_state = found.state is not None
        others = [c for c in standing(self.after) if c is not self.b and (c.terms or c.values or c.statuses)]
        if self.changes and "only" in self.a.bearings.get("whole", ()) and self.a.terms & self.b.terms and self.a.attributes <= self.b.attributes and (found.extra_new or self._other_case()):
            difference = Difference("words", self.a_text, self.b_text)
            return self._say(Kind.UPDATE, "no longer the only one", difference, merged_text(self.before, self.a, self.after, found, difference))
        if self.changes and found.named and found.more_values and self.b.gone & self.a.terms - self.a.gone and not self.b.negative:
            difference = Difference("words", self.a_text, self.b_text)  # a name came for a word: "in DocuSign, not on paper"
            return self._say(Kind.UPDATE, "the old value is named", difference, merged_text(self.before, self.a, self.after, found, difference))
        if found.extra_new or found.more_values or others or self._other_past():
            return self._say(Kind.NEW, "says more than the fact")
        if self.a.statuses and any(v.per and not x.per for v in self.b.values for x in self.a.values if comparable(v, x)):
            return self._say(Kind.NEW, "says more than the fact")  # "paid 300 euros", "pays 300 euros a month"
        new_groups = (self.b.contrasts.keys() | self.b.scopes.keys()) - (self.a.contrasts.keys() | self.a.scopes.keys())
        if new_groups or (self.b.statuses and not self.a.statuses):
            return self._say(Kind.NEW, "says more than the fact")
        if self._turned() or other_outgoing(self.a, self.b):
            return self._say(Kind.NEW, "the same words to another effect")
        share = self.a.terms & self.b.terms
        if found.extra_old & self.a.predicate and not same_state and not self._tells_the_same(share):
            return self._say(Kind.NEW, "another property")  # "gives Tom a rash", "does Tom good": the verb says nothing
        if share and not share - by_synonym(self.after) and self.before.language == self.after.language:
            return self._say(Kind.NEW, "the same by a synonym alone")
        of_it = not self.a.subject or bool(share & self.a.subject)  # a state of what the fact is about
        if found.equal or (same_state and of_it and not found.less_values):
            return self._say(Kind.DUPLICATE, "the same value")
        bare = not found.less_values and not (self.a.statuses and not self.b.statuses)
        if bare and (not found.extra_old or (len(found.extra_old) == 1 and len(share) > 1)) and (share or self.a.attributes & self.b.attributes):
            return self._say(Kind.DUPLICATE, "the same in other words")
        return self._say(Kind.NEW, "says less than the fact, and not the same")


_LEFT = "left"
_SINCE = frozenset(["since", "after", "with", "desde", "depois", "apos", "com"])
_HAPPENED = frozenset(["was", "were", "has", "have", "had", "been", "got", "foi", "foram", "ficou"])
