"""Enumerations of names: who left, who joined, and whether two lists are the same one."""

from __future__ import annotations

import re
from dataclasses import dataclass

from silo.core.reconcile.clauses import Clause
from silo.core.reconcile.statement import Statement
from silo.text.values import Value, comparable, same_value


@dataclass(frozen=True, slots=True)
class MemberChange:
    """The list before and after, and the fact's text with the new list."""

    old: str
    new: str
    merged: str
    why: str


def with_member_changed(before: Statement, after: Statement) -> MemberChange | None:
    """The list of `before` without a member of whom `after` says that he left, or with one who joined."""
    if not before.members or after.members:
        return None
    terms = frozenset(term for clause in before.clauses for term in clause.terms)
    for clause in after.clauses:
        if clause.terms and not (clause.terms & terms):
            continue
        names = [v for v in clause.values if v.kind == "name"]
        inside = [v for v in names if any(same_value(v, m) for m in before.members)]
        outside = [v for v in names if v not in inside]
        gone = inside[0] if len(inside) == 1 else None
        if gone is not None and (_leaves(clause) or gone.start in clause.outgoing):
            stay = [m for m in before.members if not same_value(m, gone)]
            listed = [m.text for m in stay] + [v.text for v in outside if gone.start in clause.outgoing]
            return _changed(before, after, listed, f"{gone.text} left")
        if not inside and len(outside) == 1 and clause.joins:
            return _changed(before, after, [*(m.text for m in before.members), outside[0].text], f"{outside[0].text} joined")
    return None


def same_list(before: Statement, after: Statement) -> bool | None:
    """Whether two enumerations name the same, in any order; None where one of the statements holds none."""
    if not before.members or not after.members:
        return None
    left, right = list(before.members), list(after.members)
    return len(left) == len(right) and all(any(same_value(a, b) for b in right) for a in left)


def same_besides(before: Statement, after: Statement) -> bool:
    """Whether two statements with the same list say the same figures and days as well."""

    def others(statement: Statement) -> list[Value]:
        return [v for v in statement.values if v.kind not in ("name", "id")]

    def days(statement: Statement) -> frozenset[str]:
        return frozenset(day for clause in statement.clauses for day in clause.scopes.get("days", ()))

    def held(one: list[Value], other: list[Value]) -> bool:
        return all(any(comparable(a, b) and same_value(a, b) for b in other) for a in one)

    left, right = others(before), others(after)
    return days(before) == days(after) and held(left, right) and held(right, left)


def _leaves(clause: Clause) -> bool:
    return clause.leaves


def _changed(before: Statement, after: Statement, names: list[str], why: str) -> MemberChange:
    first, last = before.members[0], before.members[-1]
    old = before.text[first.start : last.end]
    new = _joined(names, before.text, before.members, before.language)
    said = after.text.strip()
    text = before.text[: first.start] + new + before.text[last.end :]
    merged = f"{text.rstrip()}{'' if text.rstrip().endswith(('.', '!')) else '.'} {said}"
    return MemberChange(old, new, merged, why)


def _joined(names: list[str], text: str, members: tuple[Value, ...], language: str) -> str:
    """The names in the list's own manner: with its last link ("and", "e", "&") where there are two or more."""
    link = re.search(r"(,?\s+(?:and|e)\s+|\s*&\s*|\s*\+\s*)", text[members[-2].end : members[-1].start])
    last = link[1] if link else (" e " if language == "pt" else " and ") if "," not in text[members[-2].end : members[-1].start] else ", "
    if len(names) == 1:
        return names[0]
    return ", ".join(names[:-1]) + last + names[-1]
