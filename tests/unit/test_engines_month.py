"""The arithmetic of references/engines.md against the ledger of a simulated month, bench/month.py."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "references" / "engines.md"


@pytest.fixture
def bench() -> Iterator[ModuleType]:
    sys.path.insert(0, str(ROOT / "bench"))
    try:
        import month

        yield month
    finally:
        sys.path.remove(str(ROOT / "bench"))


def test_the_page_has_the_table_that_the_bench_prints(bench: ModuleType) -> None:
    shown = re.search(r"<!-- month:begin -->\n(.*?)<!-- month:end -->", PAGE.read_text(encoding="utf-8"), re.S)
    assert shown
    assert shown[1].splitlines() == bench.table(), "python bench/month.py --table"


def test_the_page_says_how_many_calls_a_day(bench: ModuleType) -> None:
    (said,) = re.findall(r"at most (\d+) calls a day", PAGE.read_text(encoding="utf-8"))
    assert bench.estimate().calls == 30 * int(said)


def within(found: int, estimated: int, share: float) -> bool:
    return abs(found - estimated) <= share * estimated


def check(bench: ModuleType, home: Path, days: int) -> None:
    found = bench.simulate(home, days=days)
    made = bench.estimate()
    assert max(found.days.values()) <= 4
    assert len(found.days) >= days
    assert sum(found.days.values()) == made.calls * days // 30
    assert within(found.tokens_in, made.tokens_in * days // 30, 0.05)
    assert within(found.tokens_out, made.tokens_out * days // 30, 0.10)
    assert found.told["calls"] == sum(found.days.values())
    assert found.told["tokens"] == found.tokens_in + found.tokens_out
    price = bench.price_of("gpt-4o-mini", bench.config.DEFAULTS["engines"]["prices"])
    assert float(found.told["usd"]) == pytest.approx(price.of(found.tokens_in, found.tokens_out), abs=1e-4)
    assert found.again == 0
    assert found.events >= 0.9 * found.statements


def test_a_day(bench: ModuleType, tmp_path: Path) -> None:
    check(bench, tmp_path, 1)


@pytest.mark.long
def test_talk_in_three_chats_takes_no_more_calls(bench: ModuleType, tmp_path: Path) -> None:
    found = bench.simulate(tmp_path, days=3, chats=3)
    assert max(found.days.values()) <= 4
    assert sum(found.days.values()) <= 12
    assert found.again == 0
    assert found.events >= 0.9 * found.statements


@pytest.mark.long
def test_a_month(bench: ModuleType, tmp_path: Path) -> None:
    check(bench, tmp_path, 30)
