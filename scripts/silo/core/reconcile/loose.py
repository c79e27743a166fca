"""The second reading of two statements that the rules could not align: by their words as a whole, scored.

What both speak of is aligned whatever clause says it (`gist.py`, `alignment.py`), then values are compared (`slots.py`). One
difference of value with the rest aligned is a conflict, none and nothing more said the same statement again; a word left over
that could be another subject or property leaves both. It never overrules the rules; in doubt both stay.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from silo.core.reconcile.alignment import HALF, Aligner, Alignment
from silo.core.reconcile.compare import Comparison
from silo.core.reconcile.deeds import another_done
from silo.core.reconcile.gist import Gist, Unit, gist_of
from silo.core.reconcile.kin import Kin, Related, bond_between
from silo.core.reconcile.merge import merged_text
from silo.core.reconcile.outcome import Kind, Outcome
from silo.core.reconcile.pairing import Difference
from silo.core.reconcile.senses import fresh_cues
from silo.core.reconcile.slots import Slots, slots_of
from silo.core.reconcile.statement import Statement, standing
from silo.core.reconcile.subject import shares_subject_alone
from silo.text.values import Value

# Reasons of the rules that leave nothing to look for; all others say that they could not align.
SURE = frozenset({
    "somebody else's claim", "another one of its kind", "another office", "another purpose", "another property", "for somebody else",
    "still open", "still under way", "more than one thing differs: another case", "only under a circumstance", "somebody joins", "how many came, and how many there are",
})  # fmt: skip
_WORD = 0.8  # the weight from which a word left over may be another subject
_HALF = 0.5  # … and another property
_LITTLE = 0.35
_FAINT = 0.1  # the weight of words that tell next to nothing
_ANCHOR = 0.35  # what a conflict must have aligned of things, not of deeds
_SURE, _SAME = 0.9, 1.6  # scores from which there is a conflict, and the same statement


_IMPLIED = frozenset(["price", "duration", "length", "when", "temperature", "start"])  # properties that the kind of a value tells
_SOFT = frozenset(["with", "since", "all"])  # bearings that only pad
_LESSER = frozenset(["vice", "deputy", "assistant", "acting", "former", "ex", "adjunto", "adjunta", "suplente", "substituto", "substituta", "interino", "interina"])


@dataclass(frozen=True, slots=True)
class Reading:
    """Two gists laid side by side."""

    old: Gist
    new: Gist
    found: Alignment
    slots: Slots
    changes: bool
    foreign: bool  # the statements are in two languages
    clash: bool  # deeds differ, or states

    @property
    def left(self) -> tuple[float, float]:
        """How much is left over on each side."""
        return _weight(self.slots.rest_old), _weight(self.slots.rest_new)

    @property
    def anchor(self) -> float:
        named = 0.4 if self.found.gone and self.found.pairs else 0.0  # "heat with gas, not with pellets"
        return self.found.anchor + self.slots.names_equal + named

    @property
    def score(self) -> float:
        """What is aligned, less what is left over; a sign of change and a named old value count as aligned."""
        a, b = self.left
        told = 1.0 * self.changes + 1.5 * self.slots.named
        return min(3.0, self.found.weight) + 1.5 * self.slots.names_equal + told - 0.5 * a - b


class Loosely:
    """The second reading, with the lists that it needs; gists are kept with their statements."""

    def __init__(self, kin: Kin, kinds: Related | None = None) -> None:
        self.aligner, self._kin = Aligner(kin, kinds), kin
        self._reaches: dict[int, frozenset[str]] = {}
        self._gists: dict[int, tuple[Statement, Gist]] = {}

    def __call__(self, before: Statement, after: Statement, *, changed: bool = False) -> Outcome | None:
        """The outcome of two statements, None where both stay."""
        old, new = self.gist(before), self.gist(after)
        if after.hearsay or (new.unreal and not old.unreal) or before.hearsay != after.hearsay:
            return None
        if self._reach(before, old).isdisjoint(self._reach(after, new)) and not any(v.kind == "name" for v in new.values) and not new.goes:
            return None
        reading = self.read(before, after, old, new, changed=changed)
        if reading.slots.other_case or reading.slots.elsewhere:
            return None
        conflict = _conflict(reading)
        if conflict is not None and not (conflict.kind == "negation" and like_alone(reading)):
            return _asked(before, after, reading, conflict)
        if conflict is None and _the_same(reading) and not like_alone(reading) and not another_done(before, after, self._kin):
            return Outcome(Kind.DUPLICATE, field=_field(before, reading.found), why="the same in other words", closeness=reading.score, exact=False, loose=True)
        return None

    def doubt(self, before: Statement, after: Statement, kind: Kind) -> str:
        """Why what the rules took for one thing is two, '' where it is not: another deed, one time, a wish."""
        old, new = self.gist(before), self.gist(after)
        if kind is Kind.DUPLICATE and shares_subject_alone(before, after):
            return "another property"
        r = self.read(before, after, old, new, changed=False)
        if new.needs and old.copula and not old.wish and not r.slots.named:
            return "what it needs"
        if r.changes or r.slots.named:
            return ""
        if kind is not Kind.DUPLICATE and _weight(u for u in r.slots.rest_new if u.subject) >= _WORD and r.slots.names_equal:
            return "about something more special"
        if kind is Kind.UPDATE:
            return ""
        if new.occasion and not old.occasion:
            return "what was done once"
        if {u.written for u in old.units} & _LESSER != {u.written for u in new.units} & _LESSER:
            return "another office"
        if (old.wish and new.has) or (new.wish and old.has):
            return "what one has, and what one needs"
        if kind is Kind.DUPLICATE and (r.foreign or new.properties - old.properties - _IMPLIED) and _weight(u for u in r.slots.rest_old if u.subject) >= _WORD:
            return "another property"
        if kind is Kind.DUPLICATE:
            return "a figure of something else" if r.slots.unlike and min(r.left) >= _HALF else ""
        if old.negative != new.negative and r.slots.differences and not r.clash:
            return "denied of something else"
        days = old.scopes.get("days", frozenset()), new.scopes.get("days", frozenset())
        if kind is Kind.CONTRADICTION and all(days) and days[0].isdisjoint(days[1]) and (r.slots.kinds - {"days"} or min(r.left) >= _LITTLE):
            return "another day, and another thing"
        if kind is Kind.CONTRADICTION and old.negative and new.negative and r.slots.differences and not r.slots.kinds & _MEASURED:
            return "two things that are denied"
        if old.ways and new.ways and old.ways.isdisjoint(new.ways):
            return "the way there, and the way back"
        if r.slots.elsewhere or (len(r.slots.differences) > 1 and r.slots.kinds & {"place", "kind"}):
            return "another place, or another one of a kind"
        said = r.slots.differences and not r.slots.kinds & {"money"} and not (old.negative or new.negative or old.properties & new.properties)
        return "another deed" if r.clash and said else ""

    def _reach(self, statement: Statement, gist: Gist) -> frozenset[str]:
        if id(statement) not in self._reaches:
            self._reaches[id(statement)] = self.aligner.reach(gist)  # as long as its gist is kept
        return self._reaches[id(statement)]

    def gist(self, statement: Statement) -> Gist:
        kept = self._gists.get(id(statement))
        if kept is None or kept[0] is not statement:
            kept = self._gists[id(statement)] = (statement, gist_of(statement))
            self._reaches.pop(id(statement), None)
        return kept[1]

    def read(self, before: Statement, after: Statement, old: Gist, new: Gist, *, changed: bool) -> Reading:
        foreign = before.language != after.language
        bonds = (bond_between(before, after),)
        found = self.aligner.align(old, new, bonds)
        slots = slots_of(before, after, old, new, found, self.aligner)
        slots = _without_doers(_without_kin(slots, old, self.aligner), after, found)
        states = all(any(u.token.is_in("status") for u in rest) for rest in (slots.rest_old, slots.rest_new))
        clash = states or any(sure <= HALF for _, _, sure in found.pairs) or self.aligner.differ(slots.rest_old, slots.rest_new)
        left = slots.named and any(c.leaves for c in after.clauses)
        cues = left or bool(fresh_cues(before, after) - {"gain"})
        return Reading(old, new, found, slots, changed or cues, foreign, clash)


def _without_kin(slots: Slots, old: Gist, aligner: Aligner) -> Slots:
    """The slots without words that only name what the other side does or is: "calça 38", "o sapato é 41"."""
    rest_new, rest_old = list(slots.rest_new), list(slots.rest_old)
    for unit in slots.rest_new:
        open_ = [o for o in old.units if (slots.named and "name" in slots.kinds) or (o.act != unit.act and not (o.subject and unit.subject))]
        near = next((o for o in open_ if aligner.related(o, unit)), None)
        if near is not None:
            rest_new.remove(unit)
            rest_old = [u for u in rest_old if u is not near]
    return replace(slots, rest_old=tuple(rest_old), rest_new=tuple(rest_new))


def _without_doers(slots: Slots, after: Statement, found: Alignment) -> Slots:
    """The slots without who made a change: "the landlord raised the rent" is about the rent."""
    doers: list[Unit] = []
    for clause in after.clauses:
        objects = any(clause.start <= b.token.start < clause.end and not (b.subject or b.act) for _, b, _ in found.pairs)
        if objects and clause.cues & {"change", "replace"}:
            doers += [u for u in slots.rest_new if u.subject and clause.start <= u.token.start < clause.end]
    return replace(slots, rest_new=tuple(u for u in slots.rest_new if u not in doers))


def _conflict(r: Reading) -> Difference | None:
    """The one difference that a conflict is about, None where there is none."""
    slots, (a, b) = r.slots, r.left
    if r.new.occasion and not r.old.occasion and not r.changes:
        return None  # what was done yesterday says nothing of what is done
    if slots.named and r.changes and _pointing(r):
        return slots.differences[0] if len(slots.differences) == 1 else None
    if r.anchor < _ANCHOR or (slots.subjects and not slots.named) or (_names(slots.only_new) and not slots.named):
        return None
    if min(a, b) >= (_WORD if r.changes else _HALF) or r.clash or r.score < _SURE:
        return None
    if _weight(u for u in slots.rest_new if u.subject) >= _WORD or (b >= _WORD and not r.changes):
        return None
    if r.foreign and slots.only_old and r.old.negative != r.new.negative:
        return None  # a word for the deed of a figure may mean another thing there: "it holds 40 litres", "não tem seguro"
    if r.found.gone and not slots.differences and r.changes and a < _HALF and not (slots.only_new or r.old.negative):
        return Difference("negation", "", "")  # it says of nothing but what the fact says that it is no more
    if r.old.negative != r.new.negative:
        does = any("without" in {m.table for m in u.token.marks} for u, _, _ in r.found.pairs)  # a vegetarian eats meat
        more = _weight(u for u in slots.rest_new if not (does and u.act))
        return None if slots.differences or more >= _HALF or slots.more_groups else Difference("negation", "", "")
    kinds = slots.kinds
    if len(slots.differences) != 1 and not (len(slots.differences) == 2 and kinds == {"date", "time"}):
        return None
    if slots.only_new and not r.changes:
        return None
    if (r.old.negative and not kinds & _MEASURED) or (r.foreign and "kind" in kinds):
        return None  # two things that somebody does not eat
    acts = any(a.act and b.act and min(a.weight, b.weight) > _FAINT for a, b, _ in r.found.pairs)
    if "place" in kinds and not (r.old.states and r.new.states) and not (acts and r.changes):
        return None  # where something broke
    if kinds & {"name", "kind", "place"} and not r.changes and (min(a, b) >= _LITTLE or not _one_of(r)):
        return None
    return max(slots.differences, key=lambda d: d.kind != "time")


_MEASURED = frozenset(["number", "money", "date", "time", "every", "duration", "days", "percent", "ordinal"])


def _one_of(r: Reading) -> bool:
    """Whether what is said can have one value only: what or where something is, not what somebody plays or likes."""
    if "name" in r.slots.kinds:
        return r.found.weight + r.slots.names_equal >= 1.5
    alone = not (r.slots.only_old or r.slots.only_new)
    return alone and r.old.states and r.new.states and ("place" in r.slots.kinds or (r.old.copula and r.new.copula))


def _pointing(r: Reading) -> bool:
    """Whether the new statement names nothing but the old value and its successor: "not Mondays any more, Wednesdays"."""
    if r.slots.kinds == {"going"} or (_names(r.slots.only_new) and "name" not in r.slots.kinds):
        return False
    return not any(u.weight > _LITTLE and not u.front and not u.token.is_in("cue") and (not u.act or u.token.is_in("attribute")) for u in r.slots.rest_new)


def _the_same(r: Reading) -> bool:
    """Whether the new statement says nothing that the old one does not say."""
    slots, (a, b) = r.slots, r.left
    if r.old.over != r.new.over or r.old.figures != r.new.figures or any(v.kind != "ordinal" for v in slots.only_old):
        return False
    if r.anchor < _ANCHOR or slots.differences or slots.only_new or slots.more_groups or r.changes or r.found.gone:
        return False
    if r.old.negative != r.new.negative or r.old.denials != r.new.denials or r.clash or not _same_states(r):
        return False
    if any((r.old.bearings.get(g, frozenset()) ^ r.new.bearings.get(g, frozenset())) - _SOFT for g in r.old.bearings.keys() | r.new.bearings.keys()):
        return False  # only members
    if any(u.act and u.weight > _FAINT for u in (*slots.rest_new, *slots.rest_old) if u.token.is_in("verb")):
        return False  # what one needs and what one has
    said = slots.equal or slots.names_equal >= 1
    return b < (_HALF if slots.equal else _LITTLE) and a < (2.1 if slots.equal else _WORD) and (bool(said) or r.found.weight >= _SAME)


def like_alone(r: Reading) -> bool:
    """Whether of what the statements are about nothing is the same, only like it: a boiler and a water heater. Across languages
    no word is the same."""
    subjects = [sure for a, b, sure in r.found.pairs if a.subject and b.subject]
    return not r.foreign and bool(subjects) and max(subjects) < 1 and not r.slots.names_equal


def _asked(before: Statement, after: Statement, r: Reading, difference: Difference) -> Outcome:
    """An update where the new statement tells a change, else a contradiction."""
    field = _field(before, r.found)
    why = f"{field or 'the same thing'}: {difference.old} | {difference.new}" if difference.old else "one says it, the other denies it"
    kind = Kind.UPDATE if r.changes or r.slots.named else Kind.CONTRADICTION
    merged = None
    if kind is Kind.UPDATE:
        clause = max(standing(before), key=lambda c: sum(c.start <= u.token.start < c.end for u, _, _ in r.found.pairs))
        found = Comparison(True, why, r.score, less_values=bool(r.slots.only_old))
        merged = merged_text(before, clause, after, found, difference)
    return Outcome(kind, difference.old, difference.new, merged, field, why, r.score, exact=False, loose=True)


def _field(before: Statement, found: Alignment) -> str:
    """The aligned words for things as the fact says them."""
    words = sorted({(a.token.start, a.token.end) for a, _, _ in found.pairs if not a.act and a.weight > _LITTLE})
    name = ""
    for start, end in words:
        longer = f"{name} {before.text[start:end]}".strip()
        if len(longer) > 40:
            break
        name = longer
    return name


def _same_states(r: Reading) -> bool:
    """Whether both say the same states, a state that the other side has as a thing left out: married, wedding."""
    near = [(a, b) for a, b, sure in r.found.pairs if sure > HALF and not a.keys & b.keys]  # by their stem a printer is printed
    told = [(a, b) for a, b in near if a.token.is_in("status") != b.token.is_in("status")]
    as_things = {unit.token.start for pair in told for unit in pair if unit.token.is_in("status")}
    old, new = (frozenset(key.partition(".")[0] for u in gist.units if u.token.start not in as_things for key in u.token.keys("status")) for gist in (r.old, r.new))
    return old == new


def _names(values: Iterable[Value]) -> bool:
    return any(v.kind == "name" for v in values)


def _weight(units: Iterable[Unit]) -> float:
    return sum(u.weight for u in units if not u.front and u.weight > _FAINT)

