"""Groups by the words that only some lines share, for what no theme covers; and what "she" is said of."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from silo.core.suggest.groups import LEAST
from silo.core.suggest.lines import Line, tells
from silo.text.themes import Themes, base

COMMON = 0.12  # a stem in more than this share of all lines (and in more than 8 of them) is no rare one
ANYWHERE = 9  # a word of so many themes ties nothing together
SHARE = 0.02  # of all lines: what fewer of them hold is scattered by chance
MANY = 4  # unless so many lines hold it
RECURS, OFTEN = 0.08, 0.5  # of all lines hold a word of every day that is what they are about


def rare_words(lines: Sequence[Line], themes: Themes, named: frozenset[str] = frozenset()) -> dict[str, frozenset[int]]:
    """Stem → the lines that hold it, for stems in two or more lines that say what a line is about. `named`: those that are
    proper names here, whatever else they mean."""
    found: dict[str, set[int]] = defaultdict(set)
    for at, line in enumerate(lines):
        for root in line.said.forms:
            if root not in themes.everyday and not any(c.isdigit() for c in root) and tells(root):
                found[root].add(at)
    most = max(8, int(len(lines) * COMMON))
    return recurring(lines, themes) | {
        root: frozenset(places)
        for root, places in found.items()
        if 2 <= len(places) <= most and (root in named or len(themes.index.get((root,), ())) < ANYWHERE * (2 if len(places) >= MANY else 1))
    }


def recurring(lines: Sequence[Line], themes: Themes) -> dict[str, frozenset[int]]:
    """Stem → the lines that hold it, for words that hint at many themes and tell of none, where so many lines hold one that it
    is what they are about: a book, a fair. Words that anybody says of anything (a day, to call) never are."""
    found: dict[str, set[int]] = defaultdict(set)
    for at, line in enumerate(lines):
        for root in line.said.forms.keys() & themes.everyday:
            if base(line.said.forms[root]) not in themes.daily and not any(c.isdigit() for c in root) and tells(root):
                found[root].add(at)
    least, most = max(MANY, RECURS * len(lines)), OFTEN * len(lines)
    return {root: frozenset(places) for root, places in found.items() if least <= len(places) <= most}


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


def shared(lines: Sequence[Line], given: Mapping[int, int], rare: Mapping[str, frozenset[int]], kept: frozenset[int], first: int) -> dict[int, int]:
    """Line → a group numbered from `first` downwards: what is left over, and lines that share a word of which no group holds more
    than half, so that they may be one thing that was taken for several. `kept` groups lose no line."""
    groups = list(leftover(lines, given, rare))
    now = dict(given)
    found: dict[int, int] = {}
    for number, members in enumerate(groups):
        found |= dict.fromkeys(members, first - number)
    now |= found
    for root in sorted(rare, key=lambda root: (-len(rare[root]), root)):
        places = sorted(rare[root])
        within = Counter(now[at] for at in places if at in now)
        if len(places) < max(LEAST, SHARE * len(lines)) or max(within.values(), default=0) * 2 > len(places):
            continue
        moved = dict.fromkeys((at for at in places if now.get(at) not in kept), first - len(groups))
        groups.append(tuple(moved))
        found |= moved
        now |= moved
    return found


def meant(lines: Sequence[Line], given: Mapping[int, int], themes: Themes) -> dict[int, int]:
    """Lines without a group that begin with "she" or "his", where the log is about one being alone."""
    beings = {number for number in given.values() if number >= 0 and themes.all[number].being}
    if len(beings) != 1:
        return {}
    only = next(iter(beings))
    free = (at for at in range(len(lines)) if at not in given)
    return {at: only for at in free if not themes.pronouns.isdisjoint(lines[at].opens) and not lines[at].names}
