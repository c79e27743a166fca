"""The values of two clauses, paired: equal ones cancel out, what is left on both sides differs.

A value that the new clause says goes is no value of the new state. Knows values and where they stand, not what follows.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from silo.core.reconcile.clauses import Clause
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


class Pairing:
    """The typed values of two clauses, paired: equal ones cancel out, what is left on both sides differs."""

    def __init__(self, old: Clause, new: Clause, departed: tuple[Value, ...] = ()) -> None:
        self.old, self.new = old, new
        self.departed = departed
        left = list(present_values(old))
        right = list(new.values)
        self.equal = 0
        self.named = False
        self.taken = False  # named as a holder from whom somebody took over, or a weekday: of what, must be told as well
        self.finer = False  # the new clause says a day where the old one says a month or year
        self._same_subject = False
        self._drop_named(left, right)
        self._cancel(left, right)
        typed = self._pair(left, right)
        self.differences = typed + self._contrasts() + self._days(typed) + self._tools(typed, left, right)
        self.only_old, self.only_new = left, right

    def _drop_named(self, left: list[Value], right: list[Value]) -> None:
        """A value that the new clause says goes is no value of the new state; if the old clause has it, it is named."""
        for value in [v for v in right if v.start in self.new.outgoing]:
            others = [v for v in right if v is not value and v.start not in self.new.outgoing and comparable(v, value)]
            if value.start in self.new.holders and sum(v.kind == "name" for v in left) > 1:
                continue  # "took over the choir of Saint Mary": nobody goes
            if others or value.kind in ("name", "id"):
                matches = any(comparable(value, v) and same_value(value, v) for v in left)
                if others:
                    right.remove(value)
                    self.named = self.named or matches
                    self.taken = self.taken or (matches and value.start in self.new.holders)
        stays = [v for v in left if any(same_value(v, d) for d in self.departed)]
        if stays and any(v.kind == "name" and not any(same_value(v, o) for o in self.old.values) for v in right):
            self.named = self.taken = True
            right[:] = [v for v in right if not any(v.kind == d.kind and same_value(v, d) for d in self.departed)]

    def _cancel(self, left: list[Value], right: list[Value]) -> None:
        for value in list(left):
            for other in right:
                if comparable(value, other) and same_value(value, other) and same_count(value, other):
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
                if (self._placed(value, other) and not self.named) or since(value, self.old) != since(other, self.new):
                    continue
                if (comparable(value, other) and same_count(value, other)) or other_unit(value, other):
                    found.append(Difference(value.kind, value.text, other.text, value, other))
                    left.remove(value)
                    right.remove(other)
                    break
        return tuple(found)

    def _does(self, value: Value, clause: Clause) -> bool:
        """Whether a name is who does it: before the verb, or after "by"."""
        by = ("by", "por", "pelo", "pela")
        return self._is_subject(value, clause) or any(t.word in by and 0 < value.start - t.end <= 3 for t in clause.tokens)

    def _placed(self, value: Value, other: Value) -> bool:
        """Whether one of two names is who does it and the other one where it is: invoices are in Dropbox, Ana sends invoices."""
        does = self._does(value, self.old)
        if value.kind != "name" or other.kind != "name" or does == self._does(other, self.new):
            return False
        name, clause = (other, self.new) if does else (value, self.old)
        return any(t.is_in("where") and 0 < name.start - t.end <= 2 for t in clause.tokens)

    def _contrasts(self) -> tuple[Difference, ...]:
        found = []
        for group in sorted(self.old.contrasts.keys() & self.new.contrasts.keys()):
            a, b = self.old.contrasts[group], self.new.contrasts[group]
            a = frozenset(m for m in a if f"{group}.{m}" not in self.old.gone)
            if not a:
                continue  # the fact itself tells that it is over
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
        going = leaving_days(self.new) & a
        if going and b - going:
            self.named = self.taken = True
            return (Difference("days", _words(self.old, "days", a, "scope"), _words(self.new, "days", b - going, "scope")),)
        if typed or not a or not b or not days_alone(self.old, self.new):
            return ()
        if a & b:
            self.equal += 1
            return ()
        return (Difference("days", _words(self.old, "days", a, "scope"), _words(self.new, "days", b, "scope")),)

    def _tools(self, typed: tuple[Difference, ...], left: list[Value], right: list[Value]) -> tuple[Difference, ...]:
        """A channel that the tables know beside one by its name alone: we use Slack, we use Mulino."""
        if typed or "use" not in self.old.attributes & self.new.attributes:
            return ()
        a, b = self.old.contrasts.get("channel", frozenset()), self.new.contrasts.get("channel", frozenset())
        names_old = [v for v in left if v.kind == "name" and v.start >= self.old.verb]
        names_new = [v for v in right if v.kind == "name" and v.start >= self.new.verb]
        if a and not b and len(names_new) == 1 and not names_old:
            return (Difference("contrast.channel", _words(self.old, "channel", a), names_new[0].text),)
        if b and not a and len(names_old) == 1 and not names_new:
            return (Difference("contrast.channel", names_old[0].text, _words(self.new, "channel", b)),)
        return ()

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
    def other_kind(self) -> bool:
        """Whether words that exclude each other tell two things of one name apart: the upstairs tap, the downstairs tap."""
        if self.named:
            return False
        for d in self.differences:
            one, other = d.old_value, d.new_value
            if d.kind == "every" and one and other and self._is_subject(one, self.old) and self._is_subject(other, self.new) and " " not in d.old + d.new:
                return True  # the monthly report, the annual report
            group = d.kind.removeprefix("contrast.")
            if group != d.kind:
                old, new = _before_noun(self.old, group), _before_noun(self.new, group)
                if any(noun in new for noun in old) and (any(old.values()) or any(new.values())):
                    return True
        return False

    @property
    def finer_kind(self) -> bool:
        """Whether the new clause alone says which of its kind the subject is: "plans", "free plans"."""
        return any(any(_before_noun(self.new, group).values()) for group in self.new.contrasts.keys() - self.old.contrasts.keys())

    @property
    def subject_differs(self) -> bool:
        """Values before the verb differ, and the predicate has something of its own to say."""
        for d in self.differences:
            if d.old_value is None or d.new_value is None:
                continue
            if self._is_subject(d.old_value, self.old) and self._is_subject(d.new_value, self.new) and not self.named:
                if d.kind in ("number", "percent") and not (_labels(d.old_value, self.old) and _labels(d.new_value, self.new)):
                    continue  # 14 beds are …, 11 beds are …
                others = len(self.differences) > 1 or self.equal > 0
                role = d.kind == "name" and self.old.copula and self.new.copula and bool(self.old.terms & self.new.terms) and _one_holds(self.old) and _one_holds(self.new)
                charge = bool(self.old.offices & self.new.offices & {"charge", "manage", "lead", "supply"})
                if (others and not (role and len(self.differences) == 1)) or not (role or charge):
                    return True
        return False


def _before_noun(clause: Clause, group: str) -> dict[str, bool]:
    """The nouns right behind a word of a contrast group, and whether they stand before the verb."""
    pairs = itertools.pairwise(clause.tokens)
    near = [(word, noun) for word, noun in pairs if noun.terms and noun.start - word.end == 1 and any(k.startswith(f"{group}.") for k in word.keys("contrast"))]
    return {term: noun.start < clause.verb for word, noun in near for term in noun.terms}


def since(value: Value, clause: Clause) -> bool:
    """Whether a day tells since when something is so, and is not what is so: "since 9 March it is closed"."""
    return value.kind == "date" and any(t.word.split()[-1] in ("since", "desde") and 0 < value.start - t.end <= 3 for t in clause.tokens)


def present_values(clause: Clause) -> tuple[Value, ...]:
    """The values that a clause says hold: what it names as gone is none of them where another one stands for it ("is 9443
    instead of 8088"), so that a fact which tells its own last change is compared by what is so since."""
    going = [v for v in clause.values if v.start in clause.outgoing]
    return tuple(v for v in clause.values if v not in going or not any(comparable(v, o) for o in clause.values if o not in going))


def days_alone(old: Clause, new: Clause) -> bool:
    """Whether weekdays are the value of a clause: it says no figure, and no name but of whom the property is."""
    figures = any(v.kind not in ("name", "id") for v in new.values)
    same = bool(old.attributes & new.attributes) and all(any(same_value(v, x) for x in old.values) for v in new.values)
    return not new.values or (not figures and same)


def leaving_days(clause: Clause) -> frozenset[str]:
    """The weekdays that a clause says go: 'from Tuesday to Thursday', 'de terça para quinta'."""
    return frozenset(key.removeprefix("days.") for key in clause.gone if key.startswith("days."))


_INDEFINITE = frozenset(["a", "an", "um", "uma", "another", "outro", "outra"])
_DEFINITE = frozenset(["the", "o", "a"])


def _one_holds(clause: Clause) -> bool:
    """Whether what the clause says its subject is can be one person alone: a listed office, "the …"; not "a nurse"."""
    after = [t for t in clause.tokens if t.start >= clause.verb]
    if len(after) < 2:
        return False
    portuguese = after[0].word in ("e", "era", "sera", "foi", "virou")
    article = after[1].word
    if (article in _INDEFINITE and not (portuguese and article == "a")) or any(t.word == "one" for t in after):
        return False
    return any(t.is_in("role") or {"lead", "manage"} & set(t.keys("attribute")) for t in after) or (article in _DEFINITE and (article != "a" or portuguese))


def _labels(value: Value, clause: Clause) -> bool:
    """Whether a number stands right behind a noun, as the name of a thing: order 1041, room 4."""
    return any(t.terms and 0 < value.start - t.end <= 2 for t in clause.tokens)


_UNMEASURED = ("name", "id", "date", "time", "every", "ordinal")


def other_unit(a: Value, b: Value) -> bool:
    """The same figure in another kind of unit: 250 ml and 250 g."""
    return a.kind != b.kind and a.kind not in _UNMEASURED and b.kind not in _UNMEASURED and written(a) == written(b)


def departed(before: Statement, after: Statement) -> tuple[Value, ...]:
    """Names of the fact of whom a clause of the new statement says that they left: "Dr. Toth retired, Sara now sees …"."""
    names = [v for v in before.values if v.kind == "name"]
    gone = [v for c in after.clauses if c.leaves for v in c.values if v.kind == "name"]
    return tuple(v for v in gone if any(same_value(v, n) for n in names))


def _words(clause: Clause, group: str, members: frozenset[str], table: str = "contrast") -> str:
    keys = {f"{group}.{m}" for m in members}
    return " ".join(t.word for t in clause.tokens if keys & set(t.keys(table)))


def same_count(a: Value, b: Value) -> bool:
    return not a.of or not b.of or bool(a.of & b.of)
