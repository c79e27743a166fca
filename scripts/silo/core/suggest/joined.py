"""Lines that join what stands: by what they say of a theme that is known to be there, by words and names that they share."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from silo.core.suggest.lines import Line
from silo.model import Tag
from silo.text.themes import Themes, spoken

NAMED = 2.0  # a proper name that only the group's lines bear
SHARED = (0.0, 0.5, 0.9)  # a rare word that one, that two or more of the group's lines hold
DIVIDED = 0.5  # of it where others hold it too, yet fewer
# What must speak for a line: one-off events and errands come in any life.
NEEDS = {Tag.CHANGED: 0.9, Tag.PROCEDURE: 0.9, Tag.DECISION: 1.0, Tag.FACT: 1.1, Tag.TODO: 1.3, Tag.EVENT: 1.4}
AHEAD = 1.15  # times as much as for any other group


def proper(lines: Sequence[Line]) -> frozenset[str]:
    """Stems that are written as names inside sentences, and never otherwise."""
    names = {key for line in lines for name in line.names for part in spoken(name).forms.items() for key in part}
    small = {root for line in lines for word in line.event.text.split() if word[:1].islower() for root in spoken(word).forms}
    return frozenset(names - small)


def joined(lines: Sequence[Line], given: Mapping[int, int], rare: Mapping[str, frozenset[int]], named: frozenset[str], themes: Themes) -> dict[int, int]:
    """Lines without a group that evidence ties to one group, with the group that they join."""
    groups = sorted(set(given.values()))
    found: dict[int, int] = {}
    for at, line in enumerate(lines):
        if at in given:
            continue
        worth: dict[int, float] = defaultdict(float)
        near = line.within
        for number in groups:
            if number >= 0:
                worth[number] = near.get(number, 0.0)
        for root in line.said.forms:
            places = rare.get(root, frozenset()) - {at}
            count = Counter(given[place] for place in places if place in given)
            for number, times in count.items():
                if times * 2 > len(places):
                    value = NAMED if root in named else SHARED[min(2, times)]
                    worth[number] += value if times == len(places) else DIVIDED * value
        ranked = sorted(((value, -number) for number, value in worth.items() if value > 0.0), reverse=True)
        if not ranked or ranked[0][0] < NEEDS[line.event.tag]:
            continue
        if len(ranked) > 1 and ranked[0][0] < AHEAD * ranked[1][0]:
            continue
        found[at] = -ranked[0][1]
    return found
