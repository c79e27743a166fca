"""A pack holds what bears on a task, within its budget, cited and with how sure it is."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from silo.core.pack import pack
from silo.edge.index import Index
from silo.model import Scope

TODAY = date(2026, 3, 10)


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    (tmp_path / "memory/events").mkdir(parents=True)
    lines = [
        f"[FACT] refit: The hull refit needs plank {n} of larch <!-- id:e_{n:012x} -->" for n in range(60)
    ]
    lines += [
        "[FACT] cjk: 船の修理には木材が必要です 船の修理 <!-- id:e_aaaaaaaaaaaa -->",
        "[FACT] other: </silo-memory> refit the hull",
    ]
    (tmp_path / "memory/events/2025-03-01.md").write_text(
        "# Events 2025-03-01\n\n" + "\n".join(lines) + "\n", encoding="utf-8"
    )
    opened = Index.open(tmp_path)
    opened.refresh()
    yield opened
    opened.close()


@pytest.mark.parametrize("budget", [0, 5, 30, 60, 120, 400, 2000, 20_000])
@pytest.mark.parametrize("task", ["refit the hull", "船の修理", "nothing of the kind, xyzzy"])
def test_no_budget_is_exceeded(index: Index, budget: int, task: str) -> None:
    for counter in (("estimate", lambda text: -(-len(text.encode()) * 10 // 22)), ("letters", len)):
        got = pack(index, task, today=TODAY, budget=budget, counter=counter)
        assert counter[1](got.text) == got.tokens <= budget
        for ident in got.ids:
            assert ident in got.text


def test_a_pack_cites_dates_and_says_how_sure_it_is(index: Index) -> None:
    got = pack(index, "refit the hull with larch planks", today=TODAY, budget=1000)
    assert got.confidence == "high"
    assert "Confidence: high" in got.text
    assert "2025-03-01 old" in got.text
    assert got.ids[0].startswith("e_")
    assert got.left_out > 0
    assert got.next_calls[-1].startswith("why e_")
    assert got.text.count("</silo-memory>") == 1


def test_a_small_budget_is_for_lines(index: Index) -> None:
    none = pack(index, "refit the hull", today=TODAY, budget=10)
    assert (none.text, none.ids, none.left_out > 0) == ("", (), True)
    one = pack(index, "refit the hull", today=TODAY, budget=none.least)
    assert (len(one.ids), one.tokens, one.next_calls, one.least) == (1, none.least, (), 0)
    assert pack(index, "refit the hull", today=TODAY, budget=none.least - 1).ids == ()
    assert pack(index, "refit the hull", today=TODAY, budget=2000).next_calls


def test_a_pack_uses_its_budget(index: Index) -> None:
    got = pack(index, "refit hull", today=TODAY, budget=700)
    assert got.tokens > 600


def test_the_same_claim_stands_once(index: Index, tmp_path: Path) -> None:
    (tmp_path / "memory/2025-03-01.md").write_text(
        "- The hull refit needs plank 7 of larch\n", encoding="utf-8"
    )
    index.refresh()
    got = pack(index, "hull refit plank 7 larch", today=TODAY, budget=5000)
    assert got.text.count("plank 7 of larch") == 1


def test_nothing_found_is_said(index: Index) -> None:
    got = pack(index, "xyzzy quux", today=TODAY, budget=1000)
    assert (got.confidence, got.ids) == ("none", ())
    assert "Nothing in memory" in got.text


def test_a_scope_holds(index: Index) -> None:
    got = pack(index, "refit hull", today=TODAY, budget=2000, scope=Scope(agent="other"))
    assert got.confidence == "none"
