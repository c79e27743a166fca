"""Whether a statement replaces a fact because the event names the fact's value as the old one ("Was: Ana", "Era: a cave").

Words of the properties need not meet then: the value is the fact's own, and both speak of one thing. Decides nothing else.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from silo.core.reconcile.clauses import Clause
from silo.core.reconcile.pairing import present_values
from silo.core.reconcile.statement import Statement, standing
from silo.text.values import comparable, same_value

_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Replacement:
    """The clauses that meet, how many words they share, and whether the statement names all that the fact is about."""

    old: Clause
    new: Clause
    shared: int
    exact: bool


def replacement(before: Statement, after: Statement, gone: Statement) -> Replacement | None:
    """The pair of clauses by which `after` takes the place of `before`, whose value is `gone`; the one that shares most."""
    found = [pair for a in standing(before) for b in standing(after) if (pair := _pair(a, b, gone)) is not None]
    return max(found, key=lambda pair: (pair.exact, pair.shared), default=None)


def _pair(a: Clause, b: Clause, gone: Statement) -> Replacement | None:
    if not _holds(a, gone) or _holds(b, gone) or (a.attributes and b.attributes and not a.attributes & b.attributes):
        return None
    said = b.terms | b.front
    old = frozenset(term for clause in gone.clauses for term in clause.terms)
    about = (a.terms | a.front) - (old - said)  # the old value may be named as a whole sentence
    shared = about & said
    if not shared or 2 * len(shared) < len(about) or (about - said and b.terms - about):
        return None  # words of its own on either side: the mirror of the telescope, the tripod of the telescope
    return Replacement(a, b, len(shared), about <= said)


def _holds(clause: Clause, gone: Statement) -> bool:
    """Whether the clause says the old value: the same values, else every word of it."""
    there = present_values(clause)
    if gone.values:
        return all(any(comparable(v, x) and same_value(v, x) for x in there) for v in gone.values) or _figures(clause, gone)
    stems = {t.stem for t in clause.tokens}
    spoken = {word for t in clause.tokens for word in t.word.split()}  # a phrase such as "in the office" is one token
    words = [t for c in gone.clauses for t in c.tokens if not t.is_in("little")]
    return bool(words) and all(t.stem in stems or spoken.issuperset(t.word.split()) for t in words)


def _figures(clause: Clause, gone: Statement) -> bool:
    """Whether a bare figure is that of a value of the clause: "Was: 6." of "every 6 weeks"."""
    if any(v.kind != "number" for v in gone.values):
        return False
    there = [_DIGITS.findall(v.text) for v in present_values(clause)]
    return all(_DIGITS.findall(v.text) in there for v in gone.values)
