"""Which lines belong together: themes that the log shows, then words that only these lines share.

A theme is opened when lines speak of it that nothing open explains better; each line goes to the open theme that it fits
best. What no theme covers is grouped by rare words and names. Deterministic: ties go by the order of themes and lines.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from heapq import heapify, heappop, heappush, nlargest

from silo.core.suggest.lines import Line
from silo.model import Tag
from silo.text.themes import Themes

LEAST = 3  # lines of a topic
CAP = 3.6  # one line counts no more than this for opening a theme, however much it says
LEANS = 0.6  # a line that may be about a theme: it counts for opening it
# What a line must score to join an opened theme: one-off events and errands come in any life, while something that was
# changed, or is always done so, is part of something.
FITS = {Tag.CHANGED: 0.4, Tag.PROCEDURE: 0.4, Tag.DECISION: 0.6, Tag.FACT: 0.75, Tag.TODO: 1.0, Tag.EVENT: 1.0}
STRONG = 1.5  # a line that is clearly about a theme
CORES = 2  # so many of them an opened theme has: broad words alone found none
WEIGHS = {Tag.EVENT: 0.6, Tag.TODO: 0.9}  # for opening a theme: what only happened, or is to be done once, founds little
NAMESAKE = 0.3  # how far a line says what another line of the same proper name says
NEAR = 0.35  # how far what speaks of a theme speaks of those near it
# What an opened theme must explain beyond those open before. In fifty lines of everything about one theme in two hundred
# scores 5 by chance (a line in a hundred holds a word of a given theme, one in a thousand a word that names it).
TAKEN = 0.65  # how much what explains a line already takes from another theme
OPENING = 5.2
KEPT = 4.0  # of it, once every line has gone where it fits best
WIDE = 2.2  # times as much for a theme whose lines come in any life
OWN = 0.3  # of what a line must say of a theme itself: near ones alone bring none in
RATIO = 0.25  # of the line's best theme: a line that is clearly about something else is left alone


def themed(
    lines: Sequence[Line], themes: Themes, taken: Mapping[int, Mapping[int, float]], called: Sequence[frozenset[int]] = ()
) -> dict[int, int]:
    """Line → theme. `taken`: what stands open already, as number → scores by line (existing topics, below -1).
    `called`: sets of lines that bear one proper name; what one of them says, the others say a little too."""
    scores: dict[int, dict[int, float]] = {number: dict(found) for number, found in taken.items()}
    weighs = [WEIGHS.get(line.event.tag, 1.0) for line in lines]
    for at, line in enumerate(lines):
        for number, value in line.scores.items():
            if value >= min(FITS.values()):
                scores.setdefault(number, {})[at] = value
    sure = {number: dict(found) for number, found in scores.items()}
    for of_line in [scores[number] for number in scores if number >= 0]:
        said = dict(of_line)
        for places in called:
            (most, first), (second, _) = nlargest(2, [(min(said.get(at, 0.0), CAP), at) for at in places])
            for at in places:
                mates = second if at == first else most
                if mates:
                    of_line[at] = max(of_line.get(at, 0.0), said.get(at, 0.0) + NAMESAKE * mates)
    named = {number: dict(found) for number, found in scores.items()}
    for number, of_line in named.items():
        for other in themes.all[number].near if number >= 0 else ():
            if other in scores:
                for at, value in of_line.items():
                    scores[other][at] = max(scores[other].get(at, 0.0), NEAR * value)
    best_of = [max(line.scores.values(), default=0.0) for line in lines]
    banned: set[int] = set()
    while True:
        opened = _opened(scores, sure, weighs, list(taken), banned, themes)
        given = _assigned(lines, opened, scores, named, best_of, themes)
        weak = _weakest(given, scores, taken)
        if weak is None:
            return given
        banned.add(weak)


def _raise(best: dict[int, float], scores: Mapping[int, float]) -> None:
    for at, value in scores.items():
        best[at] = max(best[at], min(value, CAP))


def _opened(
    scores: Mapping[int, Mapping[int, float]],
    sure: Mapping[int, Mapping[int, float]],
    weighs: Sequence[float],
    opened: list[int],
    banned: set[int],
    themes: Themes,
) -> list[int]:
    """What stands open already, and after it one by one the theme that explains most of what is not explained yet, if it is enough."""
    best: dict[int, float] = defaultdict(float)
    for number in opened:
        _raise(best, scores[number])
    # What a theme explains grows less with every other that is opened, so only the first of the queue has to be weighed again.
    queue = [(-math.inf, number) for number in scores if number >= 0 and number not in banned and number not in opened]
    heapify(queue)
    while queue:
        _, number = heappop(queue)
        gain = _gain(scores[number], sure[number], best, weighs)
        if gain is None or gain < OPENING * themes.breadth[number] * (WIDE if themes.all[number].wide else 1.0):
            continue
        if queue and (-gain, number) > queue[0]:
            heappush(queue, (-gain, number))
        else:
            opened.append(number)
            _raise(best, scores[number])
    return opened


def _gain(of_line: Mapping[int, float], sure: Mapping[int, float], best: Mapping[int, float], weighs: Sequence[float]) -> float | None:
    """What a theme explains of what nothing open explains; None where too few lines speak of it."""
    count = cores = 0
    gain = 0.0
    for at, value in of_line.items():
        own, before = min(value, CAP), best.get(at, 0.0)
        if own > before:
            cores += sure.get(at, 0.0) >= STRONG
            if value >= LEANS:
                count += 1
                gain += weighs[at] * (own - TAKEN * before)
    return gain if count >= LEAST and cores >= CORES else None


def _assigned(
    lines: Sequence[Line],
    opened: Sequence[int],
    scores: Mapping[int, Mapping[int, float]],
    own: Mapping[int, Mapping[int, float]],
    best_of: Sequence[float],
    themes: Themes,
) -> dict[int, int]:
    mass = {number: sum(min(v, CAP) for v in scores[number].values()) for number in opened}
    given: dict[int, int] = {}
    for at, line in enumerate(lines):
        fits = [(scores[number].get(at, 0.0), mass[number], -number) for number in opened]
        value, _, number = max(fits, default=(0.0, 0.0, 0))
        if number <= 0 and own.get(-number, {}).get(at, 0.0) < OWN:
            continue
        if value >= FITS[line.event.tag] * (themes.breadth[-number] if number <= 0 else 1.0) and value >= RATIO * best_of[at]:
            given[at] = -number
    return given


def _weakest(
    given: Mapping[int, int], scores: Mapping[int, Mapping[int, float]], taken: Mapping[int, Mapping[int, float]]
) -> int | None:
    """A theme that did not come to anything once every line has gone where it fits best."""
    count = Counter(given.values())
    mass: dict[int, float] = defaultdict(float)
    for at, number in given.items():
        mass[number] += min(scores[number][at], CAP)
    weak = [(mass[n], -n) for n in count if n not in taken and (count[n] < CORES or mass[n] < KEPT)]
    return -min(weak)[1] if weak else None
