"""Whatever is added, removed, filed and pruned: the tree keeps its limits, and its counts are those of the facts."""

from __future__ import annotations

import contextlib
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from silo.core import tree as trees
from silo.core.tree import Filed
from silo.errors import BadInput
from silo.formats.warm import parse_tree, render_tree

NAMES = st.sampled_from(["a", "b", "c", "D", "é", "owner", "boat refit", "x" * 30])
PATHS = st.lists(NAMES, min_size=1, max_size=6).map("/".join)
STEPS = st.one_of(
    st.tuples(st.just("add"), PATHS, st.text(max_size=60)),
    st.tuples(st.just("grow"), PATHS, st.just("")),
    st.tuples(st.just("remove"), PATHS, st.just("")),
    st.tuples(st.just("file"), PATHS, st.just("")),
    st.tuples(st.just("prune"), PATHS, st.just("")),
)
DAY = 86_400.0


@settings(max_examples=60, deadline=None)
@given(st.lists(STEPS, max_size=60))
def test_limits_and_counts_hold_after_every_step(steps: list[tuple[str, str, str]]) -> None:
    nodes: trees.Tree = {}
    facts: list[Filed] = []
    for number, (what, path, desc) in enumerate(steps):
        now = number * 10 * DAY
        counted = trees.count(nodes, facts, now)
        if what == "file":
            facts.append(Filed((path,), number % 2 == 0, now))
        elif what == "grow":
            nodes = trees.grow(nodes, path, now)
        elif what == "prune":
            nodes, dead = trees.prune(counted, now)
            assert not set(dead) & set(nodes)
        else:
            with contextlib.suppress(BadInput):
                nodes = trees.add(nodes, path, desc, now) if what == "add" else trees.remove(counted, path)
        counted = trees.count(nodes, facts, now)
        check(counted, facts)
        nodes = counted.nodes


def check(counted: trees.Counted, facts: list[Filed]) -> None:
    nodes = counted.nodes
    assert len(nodes) <= trees.MOST_NODES
    assert counted.size <= trees.MOST_BYTES
    assert parse_tree(render_tree(nodes.values()), "t")[1] == ()
    assert sum(counted.every) == len(facts)
    tops = [node for name, node in nodes.items() if "/" not in name]
    assert len(tops) <= trees.MOST_CHILDREN
    assert sum(node.warm_count + node.cold_count for node in tops) + sum(counted.unfiled) == len(facts)
    for name, node in nodes.items():
        assert name.count("/") < trees.MOST_DEPTH
        assert len(node.children) <= trees.MOST_CHILDREN
        assert all(trees.above(child) == name for child in node.children)
        assert "/" not in name or name in nodes[trees.above(name)].children
        below = [nodes[child] for child in node.children]
        assert node.warm_count >= sum(child.warm_count for child in below)
        assert node.cold_count >= sum(child.cold_count for child in below)
        assert node.last_access >= max((child.last_access for child in below), default=0.0)


@settings(max_examples=60, deadline=None)
@given(st.lists(PATHS, max_size=8), st.lists(PATHS, min_size=1, max_size=4), st.lists(PATHS, max_size=4))
def test_what_a_run_added_can_be_taken_out_again(first: list[str], added: list[str], later: list[str]) -> None:
    def grown(nodes: trees.Tree, paths: list[str]) -> trees.Tree:
        for path in paths:
            nodes = trees.grow(nodes, path, 0.0)
        return nodes

    before = grown({}, first)
    made = grown(before, added)
    now = grown(made, later)
    back = trees.taken_back(before, made, now)
    assert before.keys() <= back.keys() <= now.keys()
    kept = back.keys() - before.keys()
    assert all(name not in made or any(other.startswith(f"{name}/") for other in now.keys() - made.keys()) for name in kept)
    assert trees.taken_back(before, made, made).keys() == before.keys()


@pytest.mark.slow
def test_ten_thousand_adds_and_removes() -> None:
    """One tree through a long life: growth until it is full, removals, prunings, facts that come and go."""
    rng = random.Random(1)
    names = ["a", "b", "c", "D", "é", "owner", "boat refit", "x" * 30, *(f"n{n}" for n in range(30))]
    nodes: trees.Tree = {}
    facts: list[Filed] = []
    for number in range(10_000):
        now, path = number * DAY, "/".join(rng.choices(names, k=rng.randrange(1, 6)))
        what = rng.choice(("add", "add", "add", "grow", "remove", "remove", "file", "drop", "prune" if number % 50 == 0 else "remove"))
        if what == "file":
            facts.append(Filed((path,), rng.random() < 0.5, now))
        elif what == "drop" and facts:
            facts.pop(rng.randrange(len(facts)))
        elif what == "grow":
            nodes = trees.grow(nodes, path, now)
        elif what == "prune":
            nodes, _ = trees.prune(trees.count(nodes, facts, now), now)
        elif what in ("add", "remove"):
            there = rng.choice(sorted(nodes)) if nodes and what == "remove" else path
            with contextlib.suppress(BadInput):
                nodes = trees.add(nodes, path, "what it is", now) if what == "add" else trees.remove(trees.count(nodes, facts, now), there)
        if number % 25 == 0:
            counted = trees.count(nodes, facts, now)
            check(counted, facts)
            nodes = counted.nodes
