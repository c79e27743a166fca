"""The core summary: a statement in less than 30 bytes, for a node of the tree."""

from __future__ import annotations

import re

from silo.text.budget import cut, size
from silo.text.fold import fold
from silo.text.tokens import STOP

MOST_BYTES = 29  # published: under 30
_WORD = re.compile(r"[^\s,;:!?()\"“”«»]+")


def core_summary(fact: str, most: int = MOST_BYTES) -> str:
    """The words that carry the statement, in its order, as many as fit `most` bytes; never half a character."""
    if size(fact) <= most:
        return fact
    words = [hit[0].rstrip(".…") for hit in _WORD.finditer(fact)]
    telling = [word for word in words if word and fold(word) not in STOP] or words
    chosen: list[int] = []
    for at in sorted(range(len(telling)), key=lambda at: (-_weight(telling[at]), at)):
        if size(" ".join(telling[n] for n in [*chosen, at])) <= most:
            chosen.append(at)
    return " ".join(telling[at] for at in sorted(chosen)) or cut(telling[0], most)


def _weight(word: str) -> float:
    """What a word tells by its looks: names, figures and compounds more than plain words, longer ones more than short."""
    return min(len(word), 12) + 6 * any(char.isdigit() for char in word) + 4 * any(char.isupper() for char in word) + 3 * ("-" in word)
