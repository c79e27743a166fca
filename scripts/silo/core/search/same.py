"""Show a fact once: as its curated bullet, else its event line, else the note it came from. Other copies stand beside it."""

from __future__ import annotations

from collections.abc import Sequence

from silo.core.search.rank import Scored
from silo.core.search.view import View
from silo.found import Kind, Passage, Scope

_LOOK = 3  # how many candidates are looked at for each result wanted: copies use some up


class Group:
    """One fact: what is shown of it, and its other copies among the candidates."""

    __slots__ = ("also", "shown")

    def __init__(self, shown: Scored) -> None:
        self.shown = shown
        self.also: list[Passage] = []


def fold_same(view: View, ranked: Sequence[Scored], scope: Scope, limit: int) -> list[Group]:
    """The first `limit` facts of a ranking, each where its best copy stands."""
    best = ranked[: limit * _LOOK + 20]
    bullets = view.bullets(dict.fromkeys(ident for s in best for ident in _origin(s.passage)), scope)
    rows = {s.row: s for s in best}
    groups: dict[object, Group] = {}
    for s in best:
        row, p = _bullet(s, bullets)
        copies = p.terms if p.kind in (Kind.NOTE, Kind.SOURCE) and p.terms else ""
        key: object = next((k for k, g in groups.items() if copies and g.shown.passage.terms == copies), row)
        group = groups.get(key)
        if group is not None:
            group.also.append(s.passage)
        elif len(groups) < limit:
            own = rows.get(row)
            groups[key] = Group(Scored(row, p, dict(s.parts), s.held | (own.held if own else frozenset())))
            if row != s.row:
                groups[key].also.append(s.passage)
    return list(groups.values())


def _origin(p: Passage) -> list[str]:
    """Ids by which a passage may rest under a bullet: an event's own, the facts of a changelog entry."""
    own = p.id if p.kind is Kind.EVENT else p.source if p.kind is Kind.CHANGE else ""
    return [ident for ident in own.split(",") if ident]


def _bullet(s: Scored, bullets: dict[str, dict[int, Passage]]) -> tuple[int, Passage]:
    """The curated bullet that a passage rests under, else the passage itself."""
    resting = [pair for ident in _origin(s.passage) for pair in bullets.get(ident, {}).items()]
    return min(resting, key=lambda pair: pair[0], default=(s.row, s.passage))
