"""The values of two gists, paired by kind: which are equal, which differ, which one side alone has.

Beside the typed values (figures, days, names) the words of one kind are values where nothing else differs: colours, weekdays,
two places, lemon beside orange. It says what differs; what follows is decided in `loose.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from silo.core.reconcile.alignment import Aligner, Alignment
from silo.core.reconcile.clauses import Clause
from silo.core.reconcile.gist import PEOPLE, Gist, Unit, only_denies
from silo.core.reconcile.pairing import Difference, other_unit, present_values, same_count, since
from silo.core.reconcile.statement import Statement, standing
from silo.text.values import Value, comparable, same_value

_STRICT = ("environment", "order", "direction")  # circumstances that no word of the gist tells


@dataclass(frozen=True, slots=True)
class Slots:
    """What became of the values. `named`: the new side names the old value as one that goes."""

    differences: tuple[Difference, ...]
    equal: int
    names_equal: float
    only_old: tuple[Value, ...]
    only_new: tuple[Value, ...]
    named: bool
    subjects: bool  # names that differ say who it is about
    other_case: bool  # a circumstance differs
    elsewhere: bool  # both say of which place they speak, and not the same
    unlike: bool  # a bare number is equal to a measured one
    more_groups: bool  # the new side alone names a colour, size or the like
    rest_old: tuple[Unit, ...]
    rest_new: tuple[Unit, ...]

    @property
    def kinds(self) -> frozenset[str]:
        return frozenset(d.kind.partition(".")[0] for d in self.differences)


def slots_of(before: Statement, after: Statement, old: Gist, new: Gist, found: Alignment, aligner: Aligner) -> Slots:
    """The values of two statements whose words are aligned."""
    held = {v.start for clause in before.clauses for v in present_values(clause)}
    left, right = [v for v in old.values if v.kind == "name" or v.start in held], list(new.values)
    named, other_went = _drop_going(after, left, right)
    rest_old, rest_new = list(found.old), list(found.new)

    def one(a: Value, b: Value) -> bool:
        return comparable(a, b) and _one_count(a, b, found)

    equal = _cancel(left, right, lambda a, b: one(a, b) and same_value(a, b))
    names = float(sum(value.kind == "name" for value, _ in equal)) + _spoken(left, new, rest_new, aligner) + _spoken(right, old, rest_old, aligner)
    pairs = _pair(before, after, left, right, one)
    differences = [Difference(a.kind, a.text, b.text, a, b) for a, b in pairs]
    groups = [group for group in sorted(old.contrasts.keys() & new.contrasts.keys()) if not old.contrasts[group] & new.contrasts[group]]
    differences += [Difference(f"contrast.{g}", _surface(before, g, "contrast"), _surface(after, g, "contrast")) for g in groups]
    rest_old, rest_new = _apart(rest_old, before, groups), _apart(rest_new, after, groups)
    days_old, days_new = old.scopes.get("days", frozenset()), new.scopes.get("days", frozenset())
    left_days = _left_days(after) & days_old
    if left_days and days_new - left_days:
        named, days_new = True, days_new - left_days
    timed = any(a.kind != "name" for a, _ in pairs)
    other_days = bool(days_old and days_new and not days_old & days_new)
    if other_days and not timed:
        differences.append(Difference("days", _surface(before, "days", "scope", days_old), _surface(after, "days", "scope", days_new)))
    differences += _worded(found, rest_old, rest_new, aligner, named=named)
    dated = any(v.kind == "date" for v in (*old.values, *new.values))
    strict = any(old.scopes.get(g) != new.scopes.get(g) for g in _STRICT)
    return Slots(
        differences=tuple(differences),
        equal=sum(value.kind != "name" for value, _ in equal) + bool(days_old and days_old == days_new),
        names_equal=names,
        only_old=tuple(left),
        only_new=tuple(right),
        named=named or any(d.kind == "going" for d in differences),
        subjects=any(a.kind == "name" and (_is_subject(a, before) or _is_subject(b, after)) for a, b in pairs),
        other_case=strict or other_went or (other_days and timed) or (bool(days_old) != bool(days_new) and not dated),
        elsewhere=all(any(u.place and u.subject and not u.front for u in rest) for rest in (rest_old, rest_new)),
        unlike=any(a.kind != b.kind for a, b in equal),
        more_groups=bool(new.contrasts.keys() - old.contrasts.keys()),
        rest_old=tuple(rest_old),
        rest_new=tuple(rest_new),
    )


def _drop_going(after: Statement, left: list[Value], right: list[Value]) -> tuple[bool, bool]:
    """Values that the new side says go are none of its state: whether one of them is a value of the old side, and whether the
    old side has only others of its kind."""
    out = {start for c in after.clauses for start in c.outgoing}
    left_by = {start for c in after.clauses for start in _leaving(c)} - out
    named = other = False
    for value in [v for v in right if v.start in out | left_by]:
        others = [o for o in right if o.start not in out | left_by and comparable(value, o)]
        if any(value.start in out or o.start > value.end or _clause(o, after) is not _clause(value, after) for o in others):  # not "Piet left Brandt"
            right.remove(value)
            kin = [old for old in left if comparable(value, old)]
            met = any(same_value(value, old) and len(value.day) == len(old.day) for old in kin)
            named, other = named or met, other or bool(kin and not met)
    return named, other and not named


def _leaving(clause: Clause) -> Iterator[int]:
    """Starts of the names of whom a clause says that they left or were left: the one behind the word that says so, else those
    before it."""
    leaves = next((t for t in clause.tokens if t.is_in("leave") or "end" in t.keys("cue")), None)
    names = [v for v in clause.values if v.kind == "name"] if leaves is not None else []
    behind = [v for v in names if leaves is not None and v.start >= leaves.end]
    yield from (v.start for v in (behind[:1] or names))


def _cancel(left: list[Value], right: list[Value], same: Callable[[Value, Value], bool]) -> list[tuple[Value, Value]]:
    equal = []
    for value in list(left):
        other = next((o for o in right if same(value, o)), None)
        if other is not None:
            equal.append((value, other))
            left.remove(value)
            right.remove(other)
    return equal


def _spoken(values: list[Value], other: Gist, rest: list[Unit], aligner: Aligner) -> float:
    """Names that the other side has as plain words, taken off both; how many they are. A word that opens a text has a capital as
    well, and may be a noun: Grandma."""
    count = 0.0
    for value in [v for v in values if v.kind == "name"]:
        words = [unit for unit in other.units if unit.written.removesuffix("'s") in value.key]
        opens = value.start == 0 and len(value.key) == 1
        if opens and not words:
            words = [unit for unit in rest if aligner.names(next(iter(value.key)), unit)][:1]
        elif {unit.written.removesuffix("'s") for unit in words} != value.key:
            continue
        if words:
            values.remove(value)
            rest[:] = [unit for unit in rest if unit not in words]
            count += 1
    return count


def _pair(before: Statement, after: Statement, left: list[Value], right: list[Value], one: Callable[[Value, Value], bool]) -> list[tuple[Value, Value]]:
    pairs = []
    for value in list(left):
        fitting = (o for o in right if since(value, _clause(value, before)) == since(o, _clause(o, after)))
        other = next((o for o in fitting if one(value, o) or other_unit(value, o)), None)
        if other is not None:
            pairs.append((value, other))
            left.remove(value)
            right.remove(other)
    return pairs


def _one_count(a: Value, b: Value, found: Alignment) -> bool:
    """Whether two numbers count the same, in other words too; members of a board are people."""
    met = any(a.of & _stems(x) and b.of & _stems(y) for x, y, _ in found.pairs)
    return met or same_count(a, b) or bool(a.of & PEOPLE or b.of & PEOPLE)


def _stems(unit: Unit) -> frozenset[str]:
    return frozenset({unit.token.stem, *unit.token.terms})


def _worded(found: Alignment, rest_old: list[Unit], rest_new: list[Unit], aligner: Aligner, *, named: bool) -> list[Difference]:
    """Differences in plain words: what goes and what comes for it, two of one kind, two places. Their words leave the rests."""
    differences = []
    for unit in found.gone:
        came = [u for u in rest_new if not (u.act or u.front or u.subject) and u.weight >= 0.4 and u.place == unit.place] if not named else []
        if came:
            rest_new[:] = [u for u in rest_new if u not in came]
            differences.append(Difference("going", unit.written, " ".join(u.written for u in came)))
    old, new = ([u for u in rest if u.place and not u.subject] for rest in (rest_old, rest_new))
    if old and new:
        rest_old[:] = [u for u in rest_old if u not in old]
        rest_new[:] = [u for u in rest_new if u not in new]
        differences.append(Difference("place", " ".join(u.written for u in old), " ".join(u.written for u in new)))
    for unit in list(rest_old):
        other = next((o for o in rest_new if not unit.act and not o.act and unit.subject == o.subject and aligner.alternatives(unit, o)), None)
        if other is not None:
            rest_old.remove(unit)
            rest_new.remove(other)
            differences.append(Difference("kind", unit.written, other.written))
    return differences


def _apart(rest: list[Unit], statement: Statement, groups: Iterable[str]) -> list[Unit]:
    """The rest without the words that stand right before a word of a group: "sage green" is one colour."""
    tokens = [t for c in statement.clauses for t in c.tokens if any(k.partition(".")[0] in groups for k in t.keys("contrast"))]
    heads = {t.start for t in tokens}
    return [u for u in rest if u.token.start not in heads and not any(statement.text[u.token.end : t.start] == " " for t in tokens)]


def _left_days(after: Statement) -> frozenset[str]:
    """The weekdays that a statement says are no more: "not Mondays any more", "de terça para quinta"."""
    gone = frozenset(key.removeprefix("days.") for c in after.clauses for key in c.gone if key.startswith("days."))
    over = [c for c in after.clauses if c not in standing(after) or only_denies(c, after)]
    return gone | frozenset(day for c in over for day in c.scopes.get("days", ()))


def _clause(value: Value, statement: Statement) -> Clause:
    return next((c for c in statement.clauses if c.start <= value.start < c.end), statement.clauses[0])


def _is_subject(value: Value, statement: Statement) -> bool:
    return value.end <= _clause(value, statement).verb


def _surface(statement: Statement, group: str, table: str, members: frozenset[str] = frozenset()) -> str:
    tokens = [t for c in statement.clauses for t in c.tokens]
    return " ".join(t.word for t in tokens for k in t.keys(table) if k.partition(".")[0] == group and (not members or k.partition(".")[2] in members))
