"""Scores, tiers, the warm set's limits, intervals and the proposal of a tree, as pure functions."""

from __future__ import annotations

import math
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from silo.core import tree as trees
from silo.core.importance import tier
from silo.core.tiers.intervals import interval, is_due
from silo.core.tiers.rebuild import analysis, checked, rebuilt
from silo.core.tiers.scoring import Scoring
from silo.core.tiers.settle import settle
from silo.core.tiers.warm import Member, Rules, entry_size, expired, fit, render, unwound
from silo.core.tree import Filed
from silo.errors import BadInput
from silo.formats.warm import TreeNode, WarmEntry, render_warm
from silo.model import Event, Tag
from silo.text.budget import size

TODAY = date(2026, 3, 10)


@pytest.mark.parametrize(
    ("weight", "days", "used", "wanted"),
    [(0.8, 0, 0, 0.8), (0.8, 30, 0, 0.8 / math.e), (0.8, 30, 5, 0.8 / math.e * 1.5), (0.9, 0, 9, 1.0), (1.0, 300, 0, math.exp(-10)), (0.5, -3, 0, 0.5)],
)
def test_the_score_is_the_published_formula_capped(weight: float, days: int, used: int, wanted: float) -> None:
    day = (TODAY - timedelta(days=days)).isoformat()
    assert Scoring().score(weight, day, TODAY, used) == pytest.approx(wanted)


def test_a_true_half_life_halves() -> None:
    assert Scoring(30, halves=True).score(0.8, "2026-02-08", TODAY) == pytest.approx(0.4)


@pytest.mark.parametrize(("score", "wanted"), [(0.7, "hot"), (0.6999, "warm"), (0.3, "warm"), (0.2999, "cold"), (0.05, "cold"), (0.0499, "frozen")])
def test_tiers(score: float, wanted: str) -> None:
    assert tier(score) == wanted


entries = st.builds(
    WarmEntry,
    id=st.text("abcdef", min_size=1, max_size=12),
    text=st.text(min_size=1, max_size=120),
    category=st.text(max_size=20),
    importance=st.floats(0, 1),
    created_at=st.integers(0, 2_000_000_000).map(float),
    access_count=st.integers(0, 10**6),
    score=st.floats(0, 1),
    tier=st.sampled_from(["hot", "warm", "cold", "frozen"]),
    urls=st.lists(st.text(max_size=30), max_size=10).map(tuple),
    commands=st.lists(st.text(max_size=30), max_size=5).map(tuple),
    paths=st.lists(st.text(max_size=30), max_size=3).map(tuple),
    extra=st.dictionaries(st.sampled_from(["x", "y"]), st.lists(st.integers(), max_size=3), max_size=2),
)
sets = st.lists(entries, max_size=12, unique_by=lambda one: one.id)


@given(entries)
def test_the_size_of_an_entry_is_that_in_the_file(entry: WarmEntry) -> None:
    assert entry_size(entry) == size(render_warm([entry])) - size("[\n\n]\n")


@given(sets, st.integers(200, 4000))
def test_whoever_stays_fits_and_nobody_is_lost(found: list[WarmEntry], room: int) -> None:
    rules = Rules(max_bytes=room)
    members = [Member(one, "2026-03-09") for one in found]
    kept, out = fit(members, rules, TODAY)
    assert size(render(kept)) <= room
    assert sorted(one.entry.id for one in (*kept, *out)) == sorted(one.id for one in found)
    assert min((one.entry.score for one in kept), default=1) >= max((one.entry.score for one in out), default=0)
    assert fit(kept, rules, TODAY) == (kept, ()), "the same again changes nothing"


def test_of_equal_scores_the_oldest_leaves() -> None:
    members = [Member(WarmEntry(day, "the same", score=0.5), day) for day in ("2026-03-02", "2026-03-01", "2026-03-03")]
    room = size(render(members)) - 1
    assert [one.day for one in fit(members, Rules(max_bytes=room), TODAY)[1]] == ["2026-03-01"]


def test_age_alone_puts_nobody_out_and_neither_does_a_low_score() -> None:
    def one(score: float, days: int) -> bool:
        return expired(Member(WarmEntry("a", "a", score=score), (TODAY - timedelta(days=days)).isoformat()), Rules(), TODAY)

    assert not one(0.01, 30)
    assert one(0.29, 31)
    assert not one(0.3, 3000)


@given(sets, sets, sets)
def test_an_undo_takes_out_what_came_and_never_passes_the_limit(before: list[WarmEntry], made: list[WarmEntry], now: list[WarmEntry]) -> None:
    back = unwound(before, made, now, 3000)
    ids = {one.id for one in back}
    assert len(ids) == len(back)
    came = {one.id for one in made} - {one.id for one in before}
    assert not ids & came
    assert {one.id for one in now} - came <= ids
    assert size(render_warm(back)) <= max(3000, size(render_warm(now)))


def event(n: int, day: str, weight: float = 0.6, tag: Tag = Tag.FACT) -> Event:
    return Event(day, tag, "general", f"Fact {n}", f"e_{n:012d}", importance=weight)


def test_settle_says_who_entered_who_left_and_why() -> None:
    events = {e.id: e for e in (event(1, "2026-03-09"), event(2, "2026-01-01"), event(3, "2026-03-09"), event(4, "2026-02-10", 1.0))}
    known = {
        ident: WarmEntry(ident, text, tier=tier, score=0.5)
        for ident, text, tier in ((event(2, "").id, "Fact 2", "warm"), (event(3, "").id, "Fact 3", "warm"), (event(4, "").id, "Fact 4", "hot"), ("e_gone", "x", "warm"))
    }
    found = settle(events, known, resting={event(3, "").id}, used={}, at=lambda day: 0.0, rules=Rules(), today=TODAY)
    assert [one.entry.id for one in found.kept] == [event(1, "").id, event(4, "").id]
    assert found.admitted == (event(1, "").id,)
    assert [one.entry.id for one in found.evicted] == [event(2, "").id]
    assert found.curated == (event(3, "").id,)
    assert found.gone == ("e_gone",)
    assert found.moved == {event(4, "").id: ("hot", "warm")}
    assert (found.promoted, found.demoted) == (0, 1)
    again = settle(events, {one.entry.id: one.entry for one in found.kept}, resting={event(3, "").id}, used={}, at=lambda day: 0.0, rules=Rules(), today=TODAY)
    assert not again.changed
    assert not again.evicted
    assert not again.admitted


@pytest.mark.parametrize(("text", "hours"), [("hourly", 1), ("Daily", 24), ("6h", 6), ("3d", 72), ("2w", 336), ("monthly", 672), ("sometimes", None)])
def test_intervals(text: str, hours: int | None) -> None:
    assert interval(text) == (None if hours is None else timedelta(hours=hours))


def test_a_replay_of_earlier_days_does_not_wait() -> None:
    assert is_due("monthly", "2026-05-01T12:00:00+00:00", datetime(2026, 3, 10, 12, tzinfo=UTC))


def test_a_step_is_due_after_its_interval() -> None:
    now = datetime(2026, 3, 10, 12, tzinfo=UTC)

    def ago(**more: int) -> str:
        return (now - timedelta(**more)).isoformat()

    assert is_due("daily", "", now)
    assert is_due("daily", ago(hours=24), now)
    assert not is_due("daily", ago(hours=20), now)
    assert is_due("daily", ago(hours=23, minutes=57), now), "a schedule is not punctual"
    assert not is_due("never", "", now)
    assert is_due("always", ago(seconds=1), now)


NOW = 1_800_000_000.0


def tree_of(*paths: str) -> trees.Tree:
    nodes: trees.Tree = {}
    for path in paths:
        nodes = trees.add(nodes, path, "", NOW - 100 * 86_400)
    return nodes


def test_a_tree_is_proposed_for_what_many_facts_name() -> None:
    facts = [Filed(("projects/boat/mast",), True, NOW)] * 4 + [Filed(("home/garden",), False, NOW)] * 3 + [Filed(("home/attic",), False, NOW)]
    counted = trees.count(tree_of("projects", "old/empty"), facts, NOW)
    better = rebuilt(counted, facts, NOW)
    assert better.added == {"projects/boat": 4, "projects/boat/mast": 4, "home": 4, "home/garden": 3}
    assert better.removed == ("old", "old/empty")
    assert better.nodes["projects/boat"].warm_count == 4
    again = rebuilt(trees.count(better.nodes, facts, NOW), facts, NOW)
    assert not again.added
    assert not again.removed


def test_a_proposal_never_passes_the_limits() -> None:
    facts = [Filed((f"a{n}/b{m}/c{k}",), True, NOW) for n in range(12) for m in range(8) for k in range(3) for _ in range(3)]
    better = rebuilt(trees.count({}, facts, NOW), facts, NOW)
    assert len(better.nodes) <= trees.MOST_NODES
    assert trees.size(better.nodes) <= trees.MOST_BYTES
    assert all(len(node.children) <= trees.MOST_CHILDREN for node in better.nodes.values())
    with pytest.raises(BadInput):
        checked({f"n{n}": "" for n in range(60)}, {}, NOW)


def test_the_analysis_names_what_is_large_empty_and_unfiled() -> None:
    counted = trees.count(tree_of("projects/boat", "old"), [Filed(("projects/boat",), True, NOW), Filed(("elsewhere",), True, NOW)], NOW)
    found = analysis(counted)
    assert found["empty"] == ["old"]
    assert found["unfiled"] == 1
    assert found["depth"] == 2
    assert found["only_children"] == ["projects"]
    assert TreeNode("x").path == "x"
