"""Meaning joined to words: a sum of parts, more where words found little, and never over a literal match."""

from __future__ import annotations

import pytest

from silo.core.search.meaning import Fusion, fuse
from silo.core.search.rank import Scored
from silo.model import Kind, Passage

F = Fusion(dense=0.5, weak=0.5, nearest=3)


def passage(n: int) -> Passage:
    return Passage(Kind.EVENT, "memory/events/2026-03-01.md", n, f"line {n}")


def near(**cosines: float) -> dict[int, tuple[Passage, float]]:
    return {int(name[1:]): (passage(int(name[1:])), value) for name, value in cosines.items()}


def test_without_a_model_nothing_changes() -> None:
    ranked = [Scored(1, passage(1), {"words": 2.0})]
    assert fuse(ranked, {}, 1.0, F) is ranked


@pytest.mark.parametrize(("held", "first"), [(1.0, 1), (0.0, 2)])
def test_meaning_counts_more_where_words_found_little(held: float, first: int) -> None:
    ranked = [Scored(1, passage(1), {"words": 4.0}), Scored(3, passage(3), {"words": 1.0})]
    found = fuse(ranked, near(r2=0.9, r3=0.85, r4=0.8), held, F)
    assert found[0].row == first if held else found[0].parts["meaning"] == 4.0
    assert all(abs(sum(s.parts.values()) - s.score) < 1e-9 for s in found)
    assert {s.row for s in found} == {1, 2, 3}  # the last of the nearest gets nothing


def test_a_literal_match_stays_in_front() -> None:
    ranked = [Scored(1, passage(1), {"words": 1.0, "literal": 1.0}), Scored(2, passage(2), {"words": 1.9})]
    found = fuse(ranked, near(r2=0.9, r3=0.8, r4=0.7), 0.0, F)
    assert [s.row for s in found][:2] == [1, 2]


def test_where_words_find_nothing_meaning_alone_ranks() -> None:
    assert [s.row for s in fuse([], near(r2=0.8, r3=0.9, r4=0.7), 0.0, F)] == [3, 2]
    assert [s.row for s in fuse([], near(r2=0.8), 0.0, F)] == [2]
