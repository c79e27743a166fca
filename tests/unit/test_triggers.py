"""The words by which the host's model finds the skill: a change of wording shows, and none may make it worse unseen."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
SKILL = (ROOT / "SKILL.md").read_text("utf-8")
RECORDED = json.loads((ROOT / "tests/data/triggers.json").read_text("utf-8"))
NOISE = 0.005  # of a figure over some 140 utterances


@pytest.fixture(scope="module")
def bench() -> ModuleType:
    spec = importlib.util.spec_from_file_location("triggers", ROOT / "bench/triggers.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_set_is_balanced(bench: ModuleType) -> None:
    rows = bench.read_set()
    assert len(rows) >= 120
    assert len({text for _, _, text in rows}) == len(rows)
    assert {language for _, language, _ in rows} == {"en", "pt"}
    assert 0.4 <= sum(is_ours for is_ours, _, _ in rows) / len(rows) <= 0.6


def test_the_wording_is_not_worse_than_the_recorded_one(bench: ModuleType) -> None:
    found = bench.figures(SKILL)
    worse = {name: (value, found[name]) for name, value in RECORDED.items() if found[name] < value - NOISE}
    assert not worse, f"python bench/triggers.py --wrong shows where; --record keeps new figures: {worse}"


def test_the_scorer_sees_a_change_of_wording(bench: ModuleType) -> None:
    emptied = re.sub(r'"[^"]+"', '"…"', SKILL)
    assert bench.figures(emptied)["auc"] < RECORDED["auc"] - 0.1


@pytest.mark.parametrize(
    "phrase",
    [
        "organize my memory", "memory is too big", "restructure memory", "tier my memory", "make memory more efficient", "compaction loses details",
        "remember this", "log this", "save", "open topic",
    ],
)  # fmt: skip
def test_every_promised_phrase_stands_in_the_list(phrase: str) -> None:
    assert phrase in SKILL.partition("\n## ")[0]


@pytest.mark.parametrize("word", ["organize", "restructure", "tier", "memory", "remember"])
def test_the_description_has_the_stems(word: str) -> None:
    line = next(line for line in SKILL.splitlines() if line.startswith("description:"))
    assert word in line
