"""Lines compared: what changed between two texts, told as a small delta, a unified diff, or a three-way merge.

Works on lines as `lines.split` gives them and keeps every byte. Knows no format: merging facts by their id is not here.
The three-way merge is diff3 as described by Khanna, Kunal and Pierce, "A formal investigation of diff3" (2007).
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass, field

from silo.text.lines import content, split

LARGE = 2000  # lines on both sides from which difflib's heuristic for popular lines is used, to stay fast

Piece = str | list[int]  # inserted text, or [from, to) lines of the old text


@dataclass(frozen=True, slots=True)
class Clash:
    """A place that both sides changed differently; texts are whole lines, "" for nothing.

    `line` is where it stands in theirs, from 1, `at` in the lines of the merged text, from 0.
    """

    line: int
    base: str
    mine: str
    theirs: str
    at: int = field(default=0, compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Merged:
    """The merged text; where both sides clash it has theirs."""

    text: str
    clashes: tuple[Clash, ...]


def blocks(old: list[str], new: list[str]) -> list[tuple[int, int, int]]:
    """Matching runs (start in old, start in new, length), in order, ended by an empty one at both ends."""
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    mid_old, mid_new = old[head : len(old) - tail], new[head : len(new) - tail]
    found = [(0, 0, head)] if head else []
    if mid_old and mid_new:
        large = len(mid_old) > LARGE and len(mid_new) > LARGE
        matcher = difflib.SequenceMatcher(None, mid_old, mid_new, autojunk=large)
        found += [(a + head, b + head, n) for a, b, n in matcher.get_matching_blocks() if n]
    if tail:
        found.append((len(old) - tail, len(new) - tail, tail))
    return [*found, (len(old), len(new), 0)]


def delta(old: str, new: str) -> list[Piece]:
    """The pieces that make `new` of `old`: copied line ranges and inserted text. `patch` is its inverse."""
    old_lines, new_lines = split(old), split(new)
    pieces: list[Piece] = []
    at = 0
    for a, b, n in blocks(old_lines, new_lines):
        if b > at:
            pieces.append("".join(new_lines[at:b]))
        if n:
            pieces.append([a, a + n])
        at = b + n
    return pieces


def patch(old: str, pieces: list[Piece]) -> str:
    """`new` again, of `old` and `delta(old, new)`."""
    lines = split(old)
    return "".join(p if isinstance(p, str) else "".join(lines[p[0] : p[1]]) for p in pieces)


def unified(path: str, old: str | None, new: str | None) -> str:
    """A unified diff of one file, "" where nothing differs; None stands for a file that is not there."""
    before, after = split(old or ""), split(new or "")
    names = ("/dev/null" if old is None else f"a/{path}", "/dev/null" if new is None else f"b/{path}")
    shown: list[str] = []
    for line in difflib.unified_diff(before, after, *names):
        whole = line.endswith("\n")
        shown.append(line if whole else line + "\n")
        if not whole:
            shown.append("\\ No newline at end of file\n")
    if not shown and (old is None) != (new is None):  # an empty file comes or goes
        return f"--- {names[0]}\n+++ {names[1]}\n"
    return "".join(shown)


def merge(base: str, mine: str, theirs: str) -> Merged:
    """Both sides' changes to `base`. Equal changes count once; where they clash theirs stands and the clash is told."""
    o, a, b = split(base), split(mine), split(theirs)
    of_a, of_b = _matches(o, a), _matches(o, b)
    merged: list[str] = []
    clashes: list[Clash] = []
    i = j = k = 0  # first line not yet merged of base, mine, theirs
    while i < len(o) or j < len(a) or k < len(b):
        stable = 0
        while i + stable < len(o) and of_a[i + stable] == j + stable and of_b[i + stable] == k + stable:
            stable += 1
        if stable:
            merged += b[k : k + stable]
            i, j, k = i + stable, j + stable, k + stable
            continue
        end, j_end, k_end = next(
            (
                (n, x, y)
                for n in range(i, len(o))
                if (x := of_a[n]) is not None and (y := of_b[n]) is not None
            ),
            (len(o), len(a), len(b)),
        )
        was, ours, hand = "".join(o[i:end]), "".join(a[j:j_end]), "".join(b[k:k_end])
        if hand == was or ours == hand:
            merged.append(ours)
        elif ours == was:
            merged.append(hand)
        else:
            clashes.append(Clash(k + 1, was, ours, hand, at=sum(piece.count("\n") for piece in merged)))
            merged.append(hand)
        i, j, k = end, j_end, k_end
    return Merged("".join(merged), tuple(clashes))


def _matches(base: list[str], side: list[str]) -> list[int | None]:
    """For each line of `base` the line of `side` that it matches."""
    found: list[int | None] = [None] * len(base)
    for a, b, n in blocks(base, side):
        for offset in range(n):
            found[a + offset] = b + offset
    return found


def shown(text: str, limit: int = 12) -> str:
    """At most `limit` lines of a text for a person to read, the rest counted."""
    lines = [content(line) for line in split(text)]
    if len(lines) <= limit:
        return "\n".join(lines)
    return "\n".join([*lines[:limit], f"… and {len(lines) - limit} more lines"])
