"""Small questions about two clauses: does one deny all that the other says, does a little word turn the sense, is change told?"""

from __future__ import annotations

from dataclasses import replace

from silo.core.reconcile.clauses import Clause
from silo.core.reconcile.pairing import Difference
from silo.core.reconcile.statement import Statement
from silo.text.values import comparable, same_value


def covers(affirmed: Clause, denied: Clause) -> bool:
    """Whether all that is denied is affirmed: subject, property, values and circumstances of the denial."""
    said = [v for v in denied.values if v.kind != "date" and (v.end > denied.verb or v.kind != "name")]
    values = all(any(comparable(x, y) and same_value(x, y) for y in affirmed.values) for x in said)
    groups = all(members <= affirmed.contrasts.get(group, frozenset()) for group, members in denied.contrasts.items())
    cases = all(members <= affirmed.scopes.get(group, frozenset()) for group, members in denied.scopes.items())
    terms = denied.terms - affirmed.terms - affirmed.front
    who = [v for v in denied.values if v.kind == "name" and v.end <= denied.verb and not any(same_value(v, x) for x in affirmed.values)]
    if who and affirmed.subject - denied.terms:
        return False  # another person's habit: "Noor takes sugar", "Pieter no longer takes sugar"
    about = denied.terms & affirmed.terms or said or not (denied.terms or affirmed.terms)
    return bool(about) and not terms and denied.attributes <= affirmed.attributes and values and groups and cases


def other_outgoing(a: Clause, b: Clause) -> bool:
    """Whether both say what was replaced, and not the same."""
    left = [v for v in a.values if v.start in a.outgoing]
    right = [v for v in b.values if v.start in b.outgoing]
    same = any(comparable(x, y) and same_value(x, y) for x in left for y in right) or bool(a.gone & b.gone)
    elsewhere = bool(b.gone - a.gone) and any(v.kind == "name" and not any(same_value(v, x) for x in b.values) for v in a.values)
    return elsewhere or (bool(left or a.gone) and bool(right or b.gone) and not same)


def matters(a: Clause, b: Clause, told: tuple[bool, bool] = (False, False)) -> bool:
    """Bearings on one side alone matter, save "with", "since" and "all", which often only pad, and "after the refit" where
    the same statement tells a change (`told`, of each): that is when it changed."""
    soft = {"with", "since", "all"}
    for group in a.bearings.keys() | b.bearings.keys():
        x, y = (c.bearings.get(group, frozenset()) - ({"after"} if tells and group == "when" else set()) for c, tells in zip((a, b), told, strict=True))
        if x != y and (x | y) - soft:
            return True
    return False


def fresh_cues(before: Statement, after: Statement) -> frozenset[str]:
    """Signs of change in the new statement that are not words of the old one as well ("has changed", "has not changed")."""
    known = {t.stem for c in before.clauses for t in c.tokens if t.is_in("cue")}
    told = {key for c in after.clauses for t in c.tokens if t.stem not in known for key in t.keys("cue")}
    spoken = {key for c in after.clauses for t in c.tokens for key in t.keys("cue")}
    return frozenset(told | (after.cues - spoken))


_NEW = frozenset(["new", "newest", "novo", "nova", "novos", "novas"])


def without_old_news(before: Statement, after: Statement) -> Statement:
    """The new statement without the sign of change that "new" is, where the fact calls it new as well: "the new kitten"."""
    known = {t.stem for c in before.clauses for t in c.tokens if t.word in _NEW}
    told = [t for c in after.clauses for t in c.tokens if "now" in t.keys("cue")]
    if not known or not told or any(t.word not in _NEW or t.stem not in known for t in told):
        return after
    spoken = {key for c in after.clauses for t in c.tokens for key in t.keys("cue")}
    if "now" in after.cues - spoken:
        return after
    clauses = tuple(replace(c, cues=c.cues - {"now"}) for c in after.clauses)
    return replace(after, clauses=clauses, cues=after.cues - {"now"})


def weight(difference: Difference) -> int:
    """Which of several differences names the change: a figure or name before a day, a day before a mere contrast."""
    if difference.kind.startswith("contrast."):
        return 0
    return 1 if difference.kind in ("date", "time") else 2
