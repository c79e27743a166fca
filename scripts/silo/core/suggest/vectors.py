"""Lines and groups as vectors: what themes a line speaks of, the rare words and names that it holds.

Two lines that share no word may still be near, where both speak of the same themes. Vectors are at most of length 1; a line
that says little has a short one, and so is near to nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from silo.core.suggest.lines import Line
from silo.text.themes import Themes

Key = int | str  # the number of a theme, or the stem of a word
Vector = Mapping[Key, float]

FLOOR = 0.4  # a theme that a line hardly speaks of is left out
CAP = 6.5  # and no theme counts for more
WORD = 1.1  # a word that only two lines hold
NAME = 1.4  # times as much for a proper name
FEW = 40  # lines in which a word that all of them hold is rare in life all the same
WHOLE = 2.0  # a line of less than this says little


def vectors(lines: Sequence[Line], rare: Mapping[str, frozenset[int]], named: frozenset[str], themes: Themes) -> tuple[dict[Key, float], ...]:
    """A vector a line. `rare`: stem → the lines that hold it; `named`: those stems that are proper names."""
    count = max(FEW, len(lines))
    found = []
    for line in lines:
        # In the order of the numbers: sums of floats shall be the same in every process.
        own: dict[Key, float] = {n: min(line.scores[n], CAP) / themes.breadth[n] for n in sorted(line.scores) if line.scores[n] >= FLOOR}
        for root in line.said.forms:
            if root in rare:
                weight = WORD * (NAME if root in named else 1.0)
                own[root] = weight * math.log(count / len(rare[root])) / math.log(count / 2)
        whole = max(math.sqrt(sum(value * value for value in own.values())), WHOLE)
        found.append({key: value / whole for key, value in own.items()})
    return tuple(found)


def added(own: Iterable[Vector]) -> dict[Key, float]:
    """The sum of vectors."""
    total: dict[Key, float] = {}
    for one in own:
        for key, value in one.items():
            total[key] = total.get(key, 0.0) + value
    return total


def product(one: Vector, other: Vector) -> float:
    """The inner product of two vectors."""
    if len(one) > len(other):
        one, other = other, one
    return sum(value * other[key] for key, value in one.items() if key in other)
