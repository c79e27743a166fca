"""The table of references/curation.md says what the code does."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest

from silo.core.reconcile import reconcile
from silo.edge.vocabulary import load_vocabularies

TEXT = (Path(__file__).parents[2] / "references" / "curation.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in TEXT.splitlines()
    if re.match(r"\| \d+ \|", line) and line.count("|") == 6
]


def test_the_table_is_read() -> None:
    assert [row[0] for row in ROWS] == [str(n) for n in range(1, 21)]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[1][:30])
def test_each_rule_has_an_example_that_holds(row: list[str]) -> None:
    _, _, fact, said, outcome = row
    found = reconcile(fact, said, date(2026, 2, 3), date(2026, 6, 20), load_vocabularies())
    assert found.kind == outcome, found
