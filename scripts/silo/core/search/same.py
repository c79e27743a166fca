"""Show a fact once: as its curated bullet, else its event line, else the note it came from. Other copies stand beside it.

A question about a time before the bullet was so is answered by the line that was true then.
"""

from __future__ import annotations

from collections.abc import Sequence

from silo.core.search.rank import Scored
from silo.core.search.view import View
from silo.core.search.when import Span
from silo.found import Kind, Passage, Scope

_LOOK = 3  # how many candidates are looked at for each result wanted: copies use some up


class Group:
    """One fact: what is shown of it, and its other copies among the candidates."""

    __slots__ = ("also", "shown")

    def __init__(self, shown: Scored) -> None:
        self.shown = shown
        self.also: list[Passage] = []


def fold_same(view: View, ranked: Sequence[Scored], scope: Scope, limit: int, days: Sequence[Span] = ()) -> list[Group]:
    """The first `limit` facts of a ranking, each where its best copy stands; `days` are the times that the question is about."""
    best = ranked[: limit * _LOOK + 20]
    bullets = view.bullets(dict.fromkeys(ident for s in best for ident in _origin(s.passage)), scope)
    rows = {s.row: s for s in best}
    then = _true_then(best, bullets, days)
    groups: dict[object, Group] = {}
    for s in best:
        row, p = _bullet(s, bullets, days, then)
        copies = p.terms if p.kind in (Kind.NOTE, Kind.SOURCE) and p.terms else ""
        key: object = next((k for k, g in groups.items() if copies and g.shown.passage.terms == copies), row)
        group = groups.get(key)
        if group is not None:
            group.also.append(s.passage)
        elif len(groups) < limit:
            own = rows.get(row)
            groups[key] = Group(Scored(row, p, dict(s.parts), {**(own.held if own else {}), **s.held}))
            if row != s.row:
                groups[key].also.append(s.passage)
    return list(groups.values())


def _overtaken(p: Passage, bullet: Passage, days: Sequence[Span]) -> bool:
    """Whether a bullet says what came after all that the question is about, and the passage what was before."""
    last = max((span[1] for span in days), default="")
    tells_before = p.date <= last or (p.kind is Kind.CHANGE and " Was: " in p.text)
    return bool(days) and last < bullet.date and tells_before


def _origin(p: Passage) -> list[str]:
    """Ids by which a passage may rest under a bullet: an event's own, the facts of a changelog entry."""
    own = p.id if p.kind is Kind.EVENT else p.source if p.kind is Kind.CHANGE else ""
    return [ident for ident in own.split(",") if ident]


def _true_then(best: Sequence[Scored], bullets: dict[str, dict[int, Passage]], days: Sequence[Span]) -> dict[int, tuple[int, Passage]]:
    """For bullets of a later time the best event that was true at the time asked for: what the changelog tells of it stands there."""
    found: dict[int, tuple[int, Passage]] = {}
    for s in best if days else ():
        for row, bullet in bullets.get(s.passage.id, {}).items() if s.passage.kind is Kind.EVENT else ():
            if _overtaken(s.passage, bullet, days):
                found.setdefault(row, (s.row, s.passage))
    return found


def _bullet(
    s: Scored, bullets: dict[str, dict[int, Passage]], days: Sequence[Span], then: dict[int, tuple[int, Passage]]
) -> tuple[int, Passage]:
    """The curated bullet that a passage rests under, else the passage itself."""
    every = [pair for ident in _origin(s.passage) for pair in bullets.get(ident, {}).items()]
    resting = [pair for pair in every if not _overtaken(s.passage, pair[1], days)]
    if every and not resting and s.passage.kind is Kind.CHANGE:
        return next((then[row] for row, _ in every if row in then), (s.row, s.passage))
    return min(resting, key=lambda pair: pair[0], default=(s.row, s.passage))
