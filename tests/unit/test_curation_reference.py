"""The tables of references/curation.md say what the code does: every row is run."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest

from nights import Memory
from silo.core.dedupe import id_of
from silo.core.reconcile import reconcile
from silo.edge.vocabulary import load_vocabularies
from silo.formats.events import parse_file

TEXT = (Path(__file__).parents[2] / "references" / "curation.md").read_text(encoding="utf-8")
FACT = "The gateway listens on port 8080."
BULLET = f"- {FACT} <!-- f_aaaaaaaaaaaa since:2026-03-01 seen:2026-03-01 src:e_000000000001 -->"
SAID = re.compile(r"(?P<day>\d\d-\d\d) (?P<tag>\[[A-Z]+\]) (?P<text>.*?)(?: \((?P<confidence>tentative|context)\))?")


def table(heading: str) -> list[list[str]]:
    """The rows of the table under a heading."""
    part = TEXT.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in part.splitlines() if re.match(r"\| \d+ \|", line)]


ONE = table("One statement beside one fact")
OVER = table("Who wins over whom")


@pytest.mark.parametrize(("rows", "cells"), [(ONE, 5), (OVER, 6)], ids=["one", "over"])
def test_the_tables_are_read(rows: list[list[str]], cells: int) -> None:
    assert [row[0] for row in rows] == [str(n) for n in range(1, len(rows) + 1)]
    assert len(rows) >= 18
    assert {len(row) for row in rows} == {cells}


@pytest.mark.parametrize("row", ONE, ids=lambda row: row[1][:30])
def test_each_rule_has_an_example_that_holds(row: list[str]) -> None:
    _, _, fact, said, outcome = row
    found = reconcile(fact, said, date(2026, 2, 3), date(2026, 6, 20), load_vocabularies())
    assert found.kind == outcome, found


@pytest.mark.parametrize("row", OVER, ids=lambda row: row[1][:40])
def test_each_case_of_who_wins_is_so(row: list[str]) -> None:
    _, _, hand, said, outcome, _ = row
    memory = Memory()
    memory.topic("infra", BULLET)
    memory.night("2026-03-02")
    if hand == "deleted":
        memory.edit("infra", f"{BULLET}\n", "")
    elif hand not in ("–", "undone"):
        memory.edit("infra", FACT, hand)
    memory.night("2026-03-10")
    last = ""
    for one in said.split(" / "):
        hit = SAID.fullmatch(one)
        assert hit is not None, one
        conf = f" <!-- conf:{hit['confidence']} -->" if hit["confidence"] else ""
        memory.say(f"2026-{hit['day']}", f"{hit['tag']} infra: {hit['text']}{conf}")
        path = f"memory/events/2026-{hit['day']}.md"
        last = id_of(parse_file(memory.files[path].decode(), path).events[-1])
    if hand == "undone":
        memory.state["undone"][f"{last}>f_aaaaaaaaaaaa"] = {"run": "x"}
    before = memory.facts("infra")
    memory.night("2026-03-14")
    assert memory.state["reconciled"][last] == outcome, (memory.facts("infra"), memory.changelog("infra"))
    changed = memory.facts("infra") != before
    assert changed == (outcome in ("update", "contradiction", "new", "withdrawn"))
    assert bool(memory.review()) == (outcome in ("contradiction", "doubt"))
    sets = [entry for entry in memory.changelog("infra") if " Was: " in entry and "By hand" not in entry]
    assert len(sets) == (said.count("[CHANGED]") if "/" in said and outcome == "update" else len(sets))
