"""Months of a user (tests/life.py), lived by the true jobs: every night the invariants hold, and at the end the memory knows what
was true, and what it held, on other days. SILO_YEARS="1 2 3" lives several lives, SILO_YEAR_DAYS=365 whole years (a good
ten minutes each); bench/year.py prints the figures.
"""

from __future__ import annotations

import os

import pytest

from living import Answered, Living, lived

SEEDS = [int(seed) for seed in os.environ.get("SILO_YEARS", "1").split()]
DAYS = int(os.environ.get("SILO_YEAR_DAYS", "120"))
ASKED = 50  # facts of each way of telling
STORED = 0.98  # of the facts stored by command: one told in other words may stay beside the new value
TOLD = 0.9  # of the facts of conversations, at least: what is filed under another topic, or not aligned, stands beside
FOUND = 0.9  # by questions, of either


def share(rows: list[Answered], *, stored: bool) -> float:
    """How many of the answers are right."""
    mine = [row.right for row in rows if row.stored is stored]
    return sum(mine) / len(mine)


def check(life: Living, facts: int, told: float = TOLD) -> None:
    """Nothing was wrong on any night; what was stored is known on three days in both ways, and of what was told that share."""
    assert life.wrong == []
    rows = life.audit(facts)
    assert share(rows, stored=True) >= STORED, [row for row in rows if row.stored and not row.right]
    assert share(rows, stored=False) >= told
    asked = life.asked(min(facts, 20))
    assert share(asked, stored=True) >= FOUND
    assert share(asked, stored=False) >= min(FOUND, told)


def test_two_weeks() -> None:
    with lived(1, 14, every=5) as life:
        check(life, 10, told=0.8)  # of ten facts


@pytest.mark.long
@pytest.mark.parametrize("seed", SEEDS)
def test_a_life(seed: int) -> None:
    with lived(seed, DAYS, every=10) as life:
        check(life, ASKED)
