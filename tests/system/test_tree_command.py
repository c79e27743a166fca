"""The tree of categories as it is called: limits, counts, pruning, search, and what store does to it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command import Home
from silo.formats.schema import check

FILE = ".silo/agents/default/memory-tree.json"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path)
    made.run("init")
    return made


def nodes(home: Home) -> dict[str, dict[str, object]]:
    found: dict[str, dict[str, object]] = home.data("tree")["nodes"]
    return found


def counts(home: Home) -> dict[str, tuple[object, object]]:
    return {path: (node["warm_count"], node["cold_count"]) for path, node in nodes(home).items()}


def test_the_published_look(home: Home) -> None:
    home.run("tree", "--add", "projects/boat", "Refit of the boat")
    home.run("tree", "--add", "owner", "Owner", "profile")
    home.run("store", "--text", "The hull is made of larch.", "--category", "projects/boat")
    shown = home.run("tree", "--show").splitlines()
    size = len((home.root / FILE).read_bytes())
    assert shown == [
        "Memory Tree Index",
        "=" * 50,
        "📂 Root (warm:1, cold:0)",
        "  📁 owner — Owner profile",
        "     Memories: warm=0, cold=0",
        "  📁 projects",
        "     Memories: warm=1, cold=0",
        "    📁 projects/boat — Refit of the boat",
        "       Memories: warm=1, cold=0",
        "",
        "Nodes: 3/50",
        f"Size: {size} / 2048 bytes",
    ]
    node = json.loads(home.read(FILE))["projects"]
    assert list(node) == ["desc", "warm_count", "cold_count", "last_access", "children"]
    assert (node["warm_count"], node["children"]) == (1, ["projects/boat"])


def test_limits_are_named(home: Home) -> None:
    assert "5 levels" in home.run("tree", "--add", "a/b/c/d/e", code=2)
    assert "no path" in home.run("tree", "--add", "a//b", code=2)
    for n in range(10):
        home.run("tree", "--add", f"n{n}")
    assert "the top would have 11 children, a node has at most 10" in home.run("tree", "--add", "n10", code=2)
    assert "2048" in home.run("tree", "--add", "n0/long", "x" * 1500, code=2)
    refused = home.run("tree", "--add", "n0/a/b/c" + "c" * 30, "a" * 100, code=0)
    assert "Nodes: 13/50" in refused
    for n in range(4):
        home.run("tree", "--add", f"n{n}/x")
    assert len((home.root / FILE).read_bytes()) <= 2048


def test_a_full_tree_never_stops_a_store(home: Home) -> None:
    for n in range(40):
        home.run("store", "--text", f"Box {n} holds thing number {n}.", "--category", f"shed/shelf{n}/left/top/back")
    found = counts(home)
    assert 10 <= len(found) <= 50
    assert found["shed"] == (40, 0)
    assert len((home.root / FILE).read_bytes()) <= 2048
    assert home.data("tree")["warm_count"] == 40
    assert len(found["shed"]) + sum(path.count("/") == 1 for path in found) <= 12


def test_counts_are_those_of_the_facts_at_any_time(home: Home) -> None:
    home.run("tree", "--add", "projects/boat", "Refit")
    home.topic("boat", "- The mast is new.", "- The hull is larch. <!-- f_00000000000a src:e_00000000000a -->", path="projects/boat")
    home.events(
        "2026-03-09",
        "[FACT] boat: The hull is larch. <!-- id:e_00000000000a -->",
        "[FACT] general: The keel is oak. <!-- id:e_00000000000b cat:projects/boat/keel -->",
        "[FACT] general: Rent is due on Mondays. <!-- id:e_00000000000c -->",
        "[FACT] boat: Foreign. <!-- id:e_00000000000d agent:other -->",
    )
    home.events("2025-03-09", "[FACT] boat: The boat was bought. <!-- id:e_00000000000e -->")
    assert counts(home) == {"projects": (3, 1), "projects/boat": (3, 1)}
    data = home.data("tree")
    assert (data["warm_count"], data["cold_count"], data["unfiled"]) == (4, 1, {"warm_count": 1, "cold_count": 0})
    assert "NOTE in no category: warm=1, cold=0" in home.run("tree")
    home.night()
    assert sum(counts(home)["projects/boat"]) == 4  # type: ignore[arg-type]


def test_counts_in_the_file_are_right_after_every_job(home: Home) -> None:
    """The file is read by others too: whatever a job changes, what stands there is what a new count gives."""

    def job(*args: str, script: str = "memory_cli.py") -> str:
        told = home.run(*args, script=script)
        stored = {path: (n["warm_count"], n["cold_count"], n["children"]) for path, n in json.loads(home.read(FILE)).items()}
        anew = {path: (n["warm_count"], n["cold_count"], n["children"]) for path, n in nodes(home).items()}
        assert stored == anew, args
        seen.append(sum(n[0] + n[1] for n in stored.values()))  # type: ignore[operator]
        return told

    seen: list[int] = []
    job("tree", "--add", "boat/hull")
    job("tree", "--add", "shed")
    job("topic", "new", "boat", "--summary", "The boat and its hull")
    job("store", "--text", "The hull of the boat is of larch.", "--category", "boat/hull")
    job("store", "--text", "The boat needs a mast.", "--category", "boat")
    job("topic", "new", "shed", "--summary", "The shed")
    job("store", "--text", "Oil the door of the shed.", "--category", "shed", "--tag", "TODO")
    home.write("talk.txt", "User: We decided to paint the boat blue.\n")
    job("--source", "text", "--path", str(home.root / "talk.txt"), script="extract_session.py")
    assert seen[-1] > seen[-2]
    job("--scheduled", script="curate_nightly.py")
    job("correct", home.data("retrieve", "mast")["results"][0]["id"], "The boat has a mast of spruce.")
    job("todos", "--done", home.data("todos")["todos"][0]["id"])
    job("topic", "rename", "shed", "barn")
    job("topic", "archive", "barn")
    job("topic", "activate", "barn")
    job("forget", home.data("retrieve", "larch")["results"][0]["id"], "--yes")
    assert seen[-1] < seen[-2]
    job("undo", home.data("log", "--limit", "5")["runs"][-1]["id"], "--yes")  # with later runs after it
    job("topic", "merge", "barn", "boat")
    job("undo", "--last", "--yes")
    job("ingest-daily")


def test_only_what_is_empty_is_removed(home: Home) -> None:
    home.run("tree", "--add", "a/b", "Some")
    home.run("store", "--text", "The box is green.", "--category", "a/b")
    assert "holds other categories: a/b" in home.run("tree", "--remove", "a", code=2)
    assert "a/b holds 1 fact" in home.run("tree", "--remove", "a/b", code=2)
    assert "no category 'c'" in home.run("tree", "--remove", "c", code=2)
    home.run("tree", "--add", "a/c")
    assert "would" in home.run("tree", "--remove", "A/C", "--dry-run")
    assert "a/c" in counts(home)
    assert "OK" in home.run("tree", "--remove", "A/C")
    assert set(counts(home)) == {"a", "a/b"}


def test_pruning_after_sixty_days(home: Home) -> None:
    home.run("tree", "--add", "old/quiet", "Nothing since")
    home.run("store", "--text", "The box is green.", "--category", "old/quiet")
    home.on("2026-05-01").run("tree", "--add", "fresh", "New")
    assert "nothing to prune" in home.on("2026-05-08").run("tree", "--prune")
    home.on("2026-05-10").run("tree", "--prune")
    assert set(counts(home)) == {"fresh"}
    assert sum(counts(home)["fresh"]) == 0  # type: ignore[arg-type]
    home.on("2026-05-10").run("consolidate", "--mode", "quick")  # too old for the warm set
    assert home.on("2026-05-10").data("tree")["unfiled"] == {"warm_count": 0, "cold_count": 1}


def test_search_by_words(home: Home) -> None:
    home.run("tree", "--add", "projects/evoclaw/bsc", "Integration with the chain")
    home.run("tree", "--add", "projects/evoclaw", "Framework")
    home.run("tree", "--add", "garden", "Tomatoes and herbs")
    found = home.data("tree", "--search", "integrating BSC")
    assert found[0]["path"] == "projects/evoclaw/bsc"
    assert 0 < found[0]["relevance"] <= 1
    assert "bsc" in found[0]["reason"]
    assert [one["path"] for one in home.data("tree", "--search", "evoclaw")] == ["projects/evoclaw", "projects/evoclaw/bsc"]
    assert home.data("tree", "--search", "tomato and herb")[0]["reason"] == "matches tomato, herb"  # the question's words, not their stems
    assert "no category" in home.run("tree", "--search", "xyzzy")
    assert "needs a question" in home.run("tree", "--search", " ", code=2)
    assert "asks for nothing" in home.run("tree", "--search", "herbs", "--limit", "-1", code=2)


def test_a_run_is_taken_back_with_later_changes_kept(home: Home) -> None:
    home.run("tree", "--add", "a", "First")
    home.run("store", "--text", "The box is green.", "--category", "b/c")
    store = next(one["id"] for one in home.data("log")["runs"] if "store" in one["command"])
    home.run("tree", "--add", "d", "Later")
    home.run("undo", store, "--yes")
    assert set(counts(home)) == {"a", "d"}
    assert "r_" not in home.run("review")


def test_a_damaged_tree_is_named_and_left_alone(home: Home) -> None:
    home.run("tree", "--add", "a")
    home.write(FILE, '["no tree"]')
    assert "repair the file" in home.run("tree", "--add", "b", code=2)
    assert "left alone" in home.run("store", "--text", "The box is green.", "--category", "a", "--plain")
    assert home.read(FILE) == '["no tree"]'


def test_the_full_context_shows_the_tree(home: Home) -> None:
    home.run("tree", "--add", "garden", "Tomatoes and herbs")
    assert "📁 garden — Tomatoes and herbs" in home.run("context", "--full")
    assert "garden" not in home.run("context")


def test_the_json_fits_its_schema(home: Home) -> None:
    home.run("tree", "--add", "garden", "Tomatoes")
    shape = json.loads((Path(__file__).resolve().parents[2] / "schemas/tree.schema.json").read_text(encoding="utf-8"))
    assert list(check(home.data("tree"), shape)) == []
