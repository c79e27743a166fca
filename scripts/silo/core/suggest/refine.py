"""Groups made better by all that their lines have in common: themes, rare words and names together.

Groups that were opened apart and are as near to each other as their own lines are become one; each line goes to the group
whose other lines it is nearest to, if that is near enough for a line of its kind and clearly nearer than any other group; and
again, until nothing moves. What then holds together badly is given up. Deterministic: ties go by the numbers.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from silo.core.suggest.lines import Line
from silo.core.suggest.vectors import Key, Vector, added, product, vectors
from silo.model import Tag
from silo.text.themes import Themes

ROUNDS = 8
# How near a line must be to the others of a group: one-off events and errands come in any life.
NEAR = {Tag.CHANGED: 0.22, Tag.PROCEDURE: 0.18, Tag.DECISION: 0.28, Tag.FACT: 0.35, Tag.TODO: 0.4, Tag.EVENT: 0.41}
STAYS = 0.8  # of it for a line that is there already
CLEARLY = 1.3  # times as near as to any other group
TIED = 0.24  # how much nearer a line is where all others that hold its words or names are
ONCE = 0.4  # of it where only one other line of the group holds them
BOUND = 1.4  # times as much for a proper name
TIES = 1.5  # words that count so
ONE = 0.45  # groups whose lines are so near each other, beside what either's own lines are, are one
LOOSE = 0.05  # what the lines of a group are to each other at least
HOLDS = 1.0  # the nearness of a group's lines to each other, summed
COUNTS = {Tag.EVENT: 0.6, Tag.TODO: 0.8}  # of it for what only happened, or is to be done once
SLIGHT = 0.05  # of what a group speaks of most: it is no part of the group
_NOTHING = 1e-9


@dataclass(slots=True)
class _Group:
    """Places of lines, their sum, and the sum of the squares of their lengths."""

    members: list[int]
    total: dict[Key, float]
    squares: float

    @property
    def within(self) -> float:
        """How near its lines are to each other on average."""
        count = len(self.members)
        return max(LOOSE, (product(self.total, self.total) - self.squares) / (count * (count - 1))) if count > 1 else LOOSE


def refined(
    lines: Sequence[Line], given: Mapping[int, int], rare: Mapping[str, frozenset[int]], named: frozenset[str], themes: Themes, fixed: frozenset[int], own: frozenset[int]
) -> dict[int, int]:
    """Line → group. `fixed` groups (what topics cover) lose no line and are never joined with others; `own` groups lose none of
    theirs that stand under a name of their own, and are joined with others, yet not with each other."""
    said = vectors(lines, rare, named, themes)
    now = dict(given)
    for _ in range(ROUNDS):
        groups = _groups(now, said)
        _join(groups, fixed, own)
        placed = {at: number for number, group in groups.items() for at in group.members}
        pinned = {at: n for at, n in placed.items() if n in fixed or (n in own and given.get(at) == n)}
        moved = pinned | _moved(lines, said, groups, placed, rare, named, frozenset(pinned))
        if moved == now:
            break
        now = moved
    weak = {number for number, group in _groups(now, said).items() if number not in fixed | own and _held(lines, said, group) < HOLDS}
    return {at: number for at, number in now.items() if number not in weak}


def _groups(given: Mapping[int, int], said: Sequence[Vector]) -> dict[int, _Group]:
    places: dict[int, list[int]] = defaultdict(list)
    for at, number in sorted(given.items()):
        places[number].append(at)
    return {
        number: _Group(members, added(said[at] for at in members), sum(product(said[at], said[at]) for at in members))
        for number, members in sorted(places.items())
    }


def _join(groups: dict[int, _Group], fixed: frozenset[int], own: frozenset[int]) -> None:
    """Make one of groups that are near, the nearest first, by average linkage. A known theme keeps its number, or the larger one."""
    free = [number for number in groups if number not in fixed]
    near = {(a, b): _nearness(groups[a], groups[b]) for i, a in enumerate(free) for b in free[i + 1 :] if not {a, b} <= own}
    while near:
        (a, b), value = max(near.items(), key=lambda item: (item[1], item[0]))
        if value < ONE:
            return
        into, gone = sorted((a, b), key=lambda n: (n in own, n >= 0, len(groups[n].members), n), reverse=True)
        lost = groups.pop(gone)
        kept = groups[into]
        groups[into] = _Group([*kept.members, *lost.members], added((kept.total, lost.total)), kept.squares + lost.squares)
        near = {pair: value for pair, value in near.items() if gone not in pair}
        for pair in near:
            if into in pair:
                near[pair] = _nearness(groups[pair[0]], groups[pair[1]])


def _nearness(one: _Group, other: _Group) -> float:
    across = product(one.total, other.total) / (len(one.members) * len(other.members))
    return across / min(one.within, other.within)


def _moved(
    lines: Sequence[Line],
    said: Sequence[Vector],
    groups: Mapping[int, _Group],
    placed: Mapping[int, int],
    rare: Mapping[str, frozenset[int]],
    named: frozenset[str],
    pinned: frozenset[int],
) -> dict[int, int]:
    """Each line that is not pinned, with the group that it belongs to."""
    lengths = {number: product(group.total, group.total) for number, group in groups.items()}
    of_key: dict[Key, list[tuple[int, float]]] = defaultdict(list)
    for number, group in groups.items():
        least = SLIGHT * max(group.total.values(), default=0.0)
        for key, value in group.total.items():
            if value >= least:
                of_key[key].append((number, value))
    found: dict[int, int] = {}
    for at, line in enumerate(lines):
        if at in pinned:
            continue
        at_home = placed.get(at)
        near: dict[int, float] = defaultdict(float)
        for key, value in said[at].items():
            for number, total in of_key.get(key, ()):
                near[number] += value * total
        for number in near:
            near[number] = near[number] / math.sqrt(lengths[number])
        if at_home is not None:
            near[at_home] = _cosine(said[at], groups[at_home], lengths[at_home])
        for number, tied in _ties(line, at, placed, rare, named).items():
            near[number] += TIED * min(TIES, tied)
        ranked = sorted(((value, -number) for number, value in near.items()), reverse=True)[:2]
        least = NEAR[line.event.tag]
        best = -ranked[0][1] if ranked else None
        if best is None or near[best] < least * (STAYS if best == at_home else 1.0):
            continue
        if best == at_home or len(ranked) < 2 or near[best] >= CLEARLY * ranked[1][0]:
            found[at] = best
        elif at_home is not None and near[at_home] >= least * STAYS:
            found[at] = at_home
    return found


def _cosine(one: Vector, group: _Group, length: float) -> float:
    """How near a line of a group is to the others of it. `length`: the square of that of the group's sum."""
    square = product(one, one)
    value = product(one, group.total)
    length += square - 2 * value
    return (value - square) / math.sqrt(length) if len(group.members) > 1 and length > _NOTHING else 0.0


def _ties(line: Line, at: int, placed: Mapping[int, int], rare: Mapping[str, frozenset[int]], named: frozenset[str]) -> dict[int, float]:
    """Group → how far the lines that hold the same words and names are in it."""
    found: dict[int, float] = defaultdict(float)
    for root in line.said.forms:
        others = [place for place in sorted(rare.get(root, ())) if place != at]
        count: dict[int, int] = defaultdict(int)
        for place in others:
            if place in placed:
                count[placed[place]] += 1
        # A name is said of one thing, wherever it stands; a word may be said of what has no topic.
        weight, whole = (BOUND, sum(count.values())) if root in named else (1.0, len(others))
        for number, times in count.items():
            found[number] += weight * (1.0 if times > 1 else ONCE) * times / whole
    return found


def _held(lines: Sequence[Line], said: Sequence[Vector], group: _Group) -> float:
    length = product(group.total, group.total)
    return sum(_cosine(said[at], group, length) * COUNTS.get(lines[at].event.tag, 1.0) for at in group.members)
