"""Two clauses laid side by side: do they speak of the same property of the same thing, and which values differ?

First subject and property are aligned, then values are compared; what can't be aligned is a different fact. It says what
differs; what follows from that is decided in decide.py.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from silo.core.reconcile.clauses import Clause
from silo.core.reconcile.polarity import Status
from silo.core.reconcile.statement import Statement
from silo.text.values import Value, comparable, same_value, written


@dataclass(frozen=True, slots=True)
class Difference:
    """One property with two values; `old` and `new` are the words as they stand."""

    kind: str
    old: str
    new: str
    old_value: Value | None = None
    new_value: Value | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a clause of the old and one of the new statement have in common, and what not.

    `aligned` is false where they are about different things; `why` then says what parts them. `named`: the new clause
    itself names the old value as the one that goes.
    """

    aligned: bool
    why: str
    score: float
    differences: tuple[Difference, ...] = ()
    equal: int = 0
    opposed: bool = False
    named: bool = False
    extra_old: frozenset[str] = field(default_factory=frozenset)
    extra_new: frozenset[str] = field(default_factory=frozenset)
    more_values: bool = False  # the new clause says a value of a kind that the old one has not
    less_values: bool = False
    state: tuple[Status, Status] | None = None


def compare(old: Clause, new: Clause, before: Statement, after: Statement) -> Comparison:
    """The comparison of one clause of `before` with one of `after`."""
    values = _Values(old, new, _departed(before, after))
    # words of the old value that the new clause says go; where it only denies them, they are what it speaks of
    gone = new.gone & old.terms - old.gone if new.negative == old.negative else frozenset()
    said = new.terms - gone
    share = (old.terms | old.front) & (said | new.front)
    extra_old, extra_new = old.terms - said - new.front, said - old.terms - old.front
    if not any(v.kind not in ("name", "id") for v in old.values):
        extra_new -= counted(new)
    named = values.named or bool(gone)
    state = _state(old, new)
    score = 2 * len(share) + len(old.attributes & new.attributes) + 1.5 * values.equal + 0.5 * len(old.soft & new.soft)
    told = 2.5 if after.cues else 1.0  # where a change is said, the clause that holds another value is the one that says it
    score += 1.0 * (state is not None) + told * bool(values.differences) - 0.6 * len(extra_new) - 0.4 * len(extra_old) - 0.5 * new.inherited
    found = Comparison(
        aligned=True,
        why="",
        score=score,
        differences=values.differences,
        equal=values.equal,
        opposed=old.negative != new.negative and state is None,
        named=named,
        extra_old=extra_old,
        extra_new=extra_new,
        more_values=values.finer or any(v.kind != "every" or not any(o.per for o in old.values) for v in values.only_new),
        less_values=bool(values.only_old),
        state=state,
    )
    if why := _parted(old, new, share, found, values, before, after):
        return replace(found, aligned=False, why=why, score=score - 10)
    if not found.differences and (worded := slot(old, new, extra_old, extra_new, before, after)) is not None:
        return replace(found, differences=(worded,), score=score + told)
    return found


def _parted(
    old: Clause, new: Clause, share: frozenset[str], found: Comparison, values: _Values, before: Statement, after: Statement
) -> str:
    """Why the clauses are about different things, '' if they are not."""
    if scope := _other_scope(old, new, found, values, after):
        return scope
    if _other_property(old, new) and not (found.named or found.state):
        return "another property"
    if values.subject_differs:
        return "another subject"
    if old.past != new.past and not after.cues:
        return "another time"
    if found.differences and not values.named and values.new_subject:
        return "another subject"
    worded = found.differences and found.differences[0].kind == "name" and not found.named and not new.inherited
    if worded and bool(old.attributes & _PERSONAL) != bool(new.attributes & _PERSONAL):
        return "another property"
    if not share and not _aligned_without_terms(old, new, found, values):
        return "nothing in common"
    if found.extra_old and found.extra_new and not _may_be_values(old, new, share, found, before, after):
        return "another subject"
    return ""


def _other_property(old: Clause, new: Clause) -> bool:
    """Two named properties without one in common; or a start beside an end."""
    a, b = old.attributes, new.attributes
    opposite = {"start", "finish"}
    return bool(a and b) and (not (a & b) or (bool(a & opposite) and bool(b & opposite) and a & opposite != b & opposite))


def _aligned_without_terms(old: Clause, new: Clause, found: Comparison, values: _Values) -> bool:
    """No noun in common: the property must be one that a person has once ("Lives in Ghent", "Moved to Namur"), or words of
    one group or the same values stand on both sides, or the thing is named."""
    if found.named and (found.differences or old.attributes & new.attributes):
        return True
    if common := old.attributes & new.attributes:
        plain = not (found.extra_old or found.extra_new)
        groups = values.equal or (plain and bool(old.contrasts.keys() & new.contrasts.keys() or old.scopes.keys() & new.scopes.keys()))
        return not (found.extra_old and found.extra_new) and bool(common & _ONCE or groups or common & old.topics & new.topics)
    if found.extra_old and found.extra_new:
        return False
    bare = not old.terms and not new.terms
    if bare and not (old.attributes or new.attributes):
        return bool(old.soft & new.soft) or values.equal > 0
    return values.subject_same or (bare and values.equal > 0)


# Properties whose value is a name: where only one side names one, the names are of different things.
_PERSONAL = frozenset({"charge", "lead", "manage", "residence", "born", "spouse", "job", "supply"})
# Properties that a person or thing has once, so that naming one is enough to align two statements.
_ONCE = frozenset({"residence", "born", "age", "spouse", "phone", "email", "address", "account", "salary", "name", "length", "width", "height", "weight"})


def _other_scope(old: Clause, new: Clause, found: Comparison, values: _Values, after: Statement) -> str:
    """A value under another circumstance: production beside staging, Saturdays beside weekdays, an exception."""
    for group in (old.scopes.keys() | new.scopes.keys()) - {"part"}:
        a, b = old.scopes.get(group, frozenset()), new.scopes.get(group, frozenset())
        if a and b and not (a & b):
            alone = group == "days" and not new.values
            if not alone:
                return f"other {group}"
        elif (b and not a and found.differences and not (after.cues or new.cues)) or (b and not a and group == "environment"):
            return f"only for {', '.join(sorted(b))}"
    fronted = [v for v in values.only_new if v.kind == "date" and v.end <= new.verb]
    if fronted and found.differences and not after.cues:
        return f"only {fronted[0].text}"
    fresh = new.purpose - old.terms
    if fresh and old.purpose and not (old.purpose & new.purpose):
        return "another purpose"
    if new.front - old.terms and found.differences and not after.cues:
        return "only under a circumstance"
    return ""


def _may_be_values(old: Clause, new: Clause, share: frozenset[str], found: Comparison, before: Statement, after: Statement) -> bool:
    """Words on both sides that the other lacks: are they two values of one slot, or two things?"""
    if found.differences and found.named:
        return True
    if (old.subject & found.extra_old) and (new.subject & found.extra_new) and not found.named:
        return False
    if not found.differences and not found.equal and not found.state:
        return slot(old, new, found.extra_old, found.extra_new, before, after) is not None
    if found.differences and after.cues:
        # the old value may be worded: "the rent is 1,150 for both rooms" → "rent went up to 1,190 with heating"
        return bool(share) and not (old.subject & found.extra_old)
    return False


def slot(
    old: Clause, new: Clause, extra_old: frozenset[str], extra_new: frozenset[str], before: Statement, after: Statement
) -> Difference | None:
    """Two wordings of one value that has no form of its own ("in the shed", "kestrel", "vegetarian meals")."""
    extra_old, extra_new = extra_old or _lone_contrasts(old, new), extra_new or _lone_contrasts(new, old)
    behind_old, behind_new = extra_old - old.subject, extra_new - new.subject
    if not behind_old or not behind_new or len(behind_old) > 4 or len(behind_new) > 4:
        return None
    if (extra_old & old.subject) or (extra_new & new.subject):
        return None
    if (behind_old & old.purpose) and (behind_new & new.purpose) and not after.cues:
        return None
    if any(v.kind not in ("name", "id") for v in (*old.values, *new.values)):
        return None  # figures say what the clause is about
    common_subject = bool(old.terms & new.terms - new.gone) or (not old.subject and not new.subject)
    if not common_subject:
        return None
    functional = (
        (old.slots and new.slots)
        or bool(old.purpose & new.purpose)
        or (before.decision and after.decision)
        or (behind_old <= old.place and behind_new <= new.place and old.copula == new.copula)
        or ("prefer" in old.attributes & new.attributes and bool((old.predicate & new.predicate) or _shared_groups(old, new)))
    )
    if functional or new.gone & old.terms or after.cues & {"replace", "change", "now", "correct", "end"}:
        return Difference("words", _surface(old, behind_old), _surface(new, behind_new))
    return None


def _lone_contrasts(clause: Clause, other: Clause) -> frozenset[str]:
    """Words of contrast groups that the other clause has no member of: red wine has no colour group, white wine has."""
    return frozenset(
        t.stem for t in clause.tokens if t.start >= clause.verb and any(k.partition(".")[0] not in other.contrasts for k in t.keys("contrast"))
    )


def counted(clause: Clause) -> frozenset[str]:
    """The terms right after a figure: in '500 requests per minute' they belong to the value."""
    found: set[str] = set()
    for value in clause.values:
        if value.kind == "number":
            for token in [t for t in clause.tokens if t.start >= value.end][:2]:
                found.update(token.terms)
    return frozenset(found)


def _shared_groups(old: Clause, new: Clause) -> bool:
    return any(old.contrasts[g] & new.contrasts[g] for g in old.contrasts.keys() & new.contrasts.keys())


def _surface(clause: Clause, terms: frozenset[str]) -> str:
    words = [t for t in clause.tokens if t.stem in terms or terms & frozenset(t.keys("noun"))]
    return " ".join(t.word for t in words)


# --- values -----------------------------------------------------------------------------------------------


class _Values:
    """The typed values of two clauses, paired: equal ones cancel out, what is left on both sides differs."""

    def __init__(self, old: Clause, new: Clause, departed: tuple[Value, ...] = ()) -> None:
        self.old, self.new = old, new
        self.departed = departed
        left = list(old.values)
        right = list(new.values)
        self.equal = 0
        self.named = False
        self.finer = False  # the new clause says a day where the old one says a month or year
        self._same_subject = False
        self._drop_named(left, right)
        self._cancel(left, right)
        typed = self._pair(left, right)
        self.differences = typed + self._contrasts() + self._days(typed)
        self.only_old, self.only_new = left, right

    def _drop_named(self, left: list[Value], right: list[Value]) -> None:
        """A value that the new clause says goes is no value of the new state; if the old clause has it, it is named."""
        for value in [v for v in right if v.start in self.new.outgoing]:
            others = [v for v in right if v is not value and v.start not in self.new.outgoing and comparable(v, value)]
            if others or value.kind in ("name", "id"):
                matches = any(comparable(value, v) and same_value(value, v) for v in left)
                if others:
                    right.remove(value)
                    self.named = self.named or matches
        stays = [v for v in left if any(same_value(v, d) for d in self.departed)]
        if stays and any(v.kind == "name" and not any(same_value(v, o) for o in self.old.values) for v in right):
            self.named = True
            right[:] = [v for v in right if not any(v.kind == d.kind and same_value(v, d) for d in self.departed)]

    def _cancel(self, left: list[Value], right: list[Value]) -> None:
        for value in list(left):
            for other in right:
                if comparable(value, other) and same_value(value, other) and _same_count(value, other):
                    self.equal += 1
                    self.finer = self.finer or len(other.day) > len(value.day)
                    self._same_subject = self._same_subject or self._is_subject(value, self.old)
                    left.remove(value)
                    right.remove(other)
                    break

    def _pair(self, left: list[Value], right: list[Value]) -> tuple[Difference, ...]:
        found = []
        for value in list(left):
            side = self._is_subject(value, self.old)
            for other in sorted(right, key=lambda v: self._is_subject(v, self.new) != side):  # stable: the same side first
                if (comparable(value, other) and _same_count(value, other)) or _other_unit(value, other):
                    found.append(Difference(value.kind, value.text, other.text, value, other))
                    left.remove(value)
                    right.remove(other)
                    break
        return tuple(found)

    def _contrasts(self) -> tuple[Difference, ...]:
        found = []
        for group in sorted(self.old.contrasts.keys() & self.new.contrasts.keys()):
            a, b = self.old.contrasts[group], self.new.contrasts[group]
            going = frozenset(m for m in b if f"{group}.{m}" in self.new.gone)
            if going and b - going:
                self.named = self.named or bool(going & a)
                b = b - going
            if a & b:
                self.equal += 1
            else:
                found.append(Difference(f"contrast.{group}", _words(self.old, group, a), _words(self.new, group, b)))
        return tuple(found)

    def _days(self, typed: tuple[Difference, ...]) -> tuple[Difference, ...]:
        """Weekdays are the value where nothing else is ("We meet on Tuesdays"), else a circumstance."""
        a, b = self.old.scopes.get("days", frozenset()), self.new.scopes.get("days", frozenset())
        if typed or not a or not b or self.new.values:
            return ()
        if a & b:
            self.equal += 1
            return ()
        return (Difference("days", _words(self.old, "days", a, "scope"), _words(self.new, "days", b, "scope")),)

    @staticmethod
    def _is_subject(value: Value, clause: Clause) -> bool:
        return value.end <= clause.verb

    @property
    def subject_same(self) -> bool:
        return self._same_subject

    @property
    def new_subject(self) -> bool:
        """A name before the verb of the new clause that the old one has nothing for: "Otto lives in Lübeck"."""
        return any(v.kind == "name" and v.end <= self.new.verb for v in self.only_new)

    @property
    def subject_differs(self) -> bool:
        """Values before the verb differ, and the predicate has something of its own to say."""
        for d in self.differences:
            if d.old_value is None or d.new_value is None:
                continue
            if self._is_subject(d.old_value, self.old) and self._is_subject(d.new_value, self.new) and not self.named:
                if d.kind == "number" and not (_labels(d.old_value, self.old) and _labels(d.new_value, self.new)):
                    continue  # 14 beds are …, 11 beds are …
                others = len(self.differences) > 1 or self.equal > 0
                role = d.kind == "name" and self.old.copula and self.new.copula and bool(self.old.terms & self.new.terms)
                charge = bool(self.old.attributes & self.new.attributes & {"charge", "manage", "lead"})
                if others or not (role or charge):
                    return True
        return False


def _labels(value: Value, clause: Clause) -> bool:
    """Whether a number stands right behind a noun, as the name of a thing: order 1041, room 4."""
    return any(t.terms and 0 < value.start - t.end <= 2 for t in clause.tokens)


_UNMEASURED = ("name", "id", "date", "time", "every", "ordinal")


def _other_unit(a: Value, b: Value) -> bool:
    """The same figure in another kind of unit: 250 ml and 250 g."""
    return a.kind != b.kind and a.kind not in _UNMEASURED and b.kind not in _UNMEASURED and written(a) == written(b)


def _departed(before: Statement, after: Statement) -> tuple[Value, ...]:
    """Names of the fact of whom a clause of the new statement says that they left: "Dr. Toth retired, Sara now sees …"."""
    names = [v for v in before.values if v.kind == "name"]
    gone = [v for c in after.clauses if c.leaves for v in c.values if v.kind == "name"]
    return tuple(v for v in gone if any(same_value(v, n) for n in names))


def _words(clause: Clause, group: str, members: frozenset[str], table: str = "contrast") -> str:
    keys = {f"{group}.{m}" for m in members}
    return " ".join(t.word for t in clause.tokens if keys & set(t.keys(table)))


def _same_count(a: Value, b: Value) -> bool:
    return not a.of or not b.of or bool(a.of & b.of)


# --- states -----------------------------------------------------------------------------------------------


def _state(old: Clause, new: Clause) -> tuple[Status, Status] | None:
    """The pair of states that can be compared: of one family, or one of them of any family."""
    best: tuple[Status, Status] | None = None
    for a in old.statuses:
        for b in new.statuses:
            if a.family == b.family:
                return a, b
            if "any" in (a.family, b.family):
                best = best or (a, b)
    return best
