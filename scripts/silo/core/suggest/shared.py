"""Groups by the words that only some lines share, for what no theme covers; and what "she" is said of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from silo.core.suggest.groups import LEAST
from silo.core.suggest.lines import Line, tells
from silo.text.themes import Themes

COMMON = 0.12  # a stem in more than this share of all lines (and in more than 8 of them) is no rare one
ANYWHERE = 9  # a word of so many themes ties nothing together


def rare_words(lines: Sequence[Line], themes: Themes) -> dict[str, frozenset[int]]:
    """Stem → the lines that hold it, for stems in two or more lines that say what a line is about."""
    found: dict[str, set[int]] = defaultdict(set)
    for at, line in enumerate(lines):
        for root in line.said.forms:
            if root not in themes.everyday and not any(c.isdigit() for c in root) and tells(root):
                found[root].add(at)
    most = max(8, int(len(lines) * COMMON))
    return {
        root: frozenset(places)
        for root, places in found.items()
        if 2 <= len(places) <= most and len(themes.index.get((root,), ())) < ANYWHERE
    }


def leftover(lines: Sequence[Line], given: Mapping[int, int], rare: Mapping[str, frozenset[int]]) -> tuple[tuple[int, ...], ...]:
    """Groups among the lines that nothing else took: three or more that share a rare word, and what it ties to them."""
    free = {at for at in range(len(lines)) if at not in given}
    within = {root: places & free for root, places in rare.items() if len(places & free) >= 2}
    found: list[tuple[int, ...]] = []
    while True:
        seeds = [(len(places), root) for root, places in within.items() if len(places) >= LEAST and len(places) * 2 > len(rare[root])]
        if not seeds:
            return tuple(found)
        _, root = max(seeds, key=lambda seed: (seed[0], seed[1]))
        group = set(within[root])
        grown = True
        while grown:
            grown = False
            for other in sorted(within):
                places = within[other]
                inside = places & group
                if other != root and len(inside) >= 2 and len(inside) * 2 >= len(places) and not places <= group:
                    group |= places
                    grown = True
        found.append(tuple(sorted(group)))
        within = {word: places - group for word, places in within.items()}


def meant(lines: Sequence[Line], given: Mapping[int, int], themes: Themes) -> dict[int, int]:
    """Lines without a group that begin with "she" or "his", where the log is about one being alone."""
    beings = {number for number in given.values() if number >= 0 and themes.all[number].being}
    if len(beings) != 1:
        return {}
    only = next(iter(beings))
    free = (at for at in range(len(lines)) if at not in given)
    return {at: only for at in free if not themes.pronouns.isdisjoint(lines[at].opens) and not lines[at].names}
