"""Level 6: what lies near the question in meaning, joined to what its words found.

Scores are added, never ranks: a passage gets a share of the best lexical score by how near it is, more where the words
found little. A line that holds the question letter for letter keeps its place. Computes no vectors; those are the
caller's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple, Protocol

from silo.core.search.rank import Scored
from silo.found import Passage, Scope


class Meaning(Protocol):
    """Nearness of passages to a question, by some model."""

    def near(self, query: str, scope: Scope, most: int, also: Iterable[int]) -> Mapping[int, tuple[Passage, float]]:
        """The `most` nearest passages that the scope lets through, and the rows `also` where they are known, each with
        the cosine of its angle to the question. Empty where the model gives no answer."""


class Fusion(NamedTuple):
    """How much meaning counts beside words. Chosen on the `tune` half of LoCoMo and a small set in two languages."""

    dense: float = 0.4  # of the best lexical score, for the nearest passage
    weak: float = 0.2  # more of it, in proportion to what the words did not find of the question
    nearest: int = 100  # passages that meaning brings in


def fuse(ranked: list[Scored], near: Mapping[int, tuple[Passage, float]], held: float, f: Fusion) -> list[Scored]:
    """The same list with passages near in meaning, best first; `held` is the share of the question that words found."""
    if not near:
        return ranked
    cosines = sorted((cosine for _, cosine in near.values()), reverse=True)[: f.nearest]
    top, low = cosines[0], cosines[-1]
    best = ranked[0].score if ranked else 1.0
    weight = (f.dense + f.weak * (1.0 - held)) * best
    scored = {s.row: s for s in ranked}
    for row, (passage, cosine) in near.items():
        share = (cosine - low) / (top - low) if top > low else 1.0
        if row not in scored and share > 0:
            scored[row] = Scored(row, passage)
        if row in scored and share > 0:
            scored[row].add("meaning", weight * min(1.0, share))
    for s in scored.values():
        if "literal" in s.parts:
            s.add("meaning", weight - s.parts.get("meaning", 0.0))
    return sorted(scored.values(), key=lambda s: (-round(s.score, 9), -s.row, s.passage.path, s.passage.line))
