"""Years later the context is within its budget on any day, and what the first year told is found as well as at its end."""

from __future__ import annotations

from pathlib import Path

import pytest

from years import DAYS, Years

QUOTAS = {"Active": 2048, "Protocols": 1536, "Hot": 1536, "Today": 1536}


def check(sizes: dict[str, int], topics: int) -> None:
    """The budgets of a day."""
    assert sizes["context"] <= 8192
    assert sizes["context --full"] <= 15 * 1024
    for title, most in QUOTAS.items():
        assert sizes.get(f"context: {title}", 0) <= most + 1, (title, sizes)
    assert sizes["index.md"] <= 151 * topics + 300
    assert sizes["MEMORY.md lines"] <= 29
    assert sizes.get("hot-memory-state.json", 0) <= 50_000
    assert sizes.get("warm-memory.json", 0) <= 200_000


def grown(root: Path, facts: int, days: tuple[int, ...], questions: int) -> tuple[float, float]:
    """Recall of the first year's facts at its end and at the end of the last; the budgets are looked at on the days between."""
    root.mkdir()
    made = Years(root, facts)
    first = last = 0.0
    for day in days:
        made.grow(day)
        check(made.sizes(day), len(list((root / "memory/topics").glob("*.md"))))
        if day in (365, DAYS):
            first, last = (made.recall(day, made.questions(questions)) if day == at else had for at, had in ((365, first), (DAYS, last)))
    return first, last


@pytest.mark.long
def test_five_years_of_few_facts(tmp_path: Path) -> None:
    first, last = grown(tmp_path / "w", 1500, (1, 30, 365, DAYS), 60)
    assert first >= 0.95
    assert last >= first


@pytest.mark.long
def test_five_years(tmp_path: Path) -> None:
    first, last = grown(tmp_path / "w", 10_000, (1, 30, 365, 700, 1100, 1500, DAYS), 150)
    assert first >= 0.95
    assert last >= first
