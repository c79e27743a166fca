"""consolidate: each mode does its steps and no others, each step's effect; cut off anywhere, the memory stands; intervals; the night."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from command import Home

WARM = ".silo/agents/default/warm-memory.json"
TREE = ".silo/agents/default/memory-tree.json"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def lived(home: Home) -> Home:
    """A memory with something to do for every step, and the day on which it is due."""
    home.events(
        "2015-01-05",
        "[FACT] general: The old flat had a red door. <!-- id:e_000000000001 conf:confirmed -->",
        "[FACT] general: The old flat had two keys. <!-- id:e_000000000002 conf:confirmed -->",
    )
    home.events("2026-01-05", *(f"[FACT] general: Plank {n} is oak. <!-- id:e_00000000001{n} conf:confirmed cat:projects/boat -->" for n in range(4)))
    home.write("memory/2026-05-18.md", "# Monday\n\n- The plumber comes on Friday.\n")
    home.run("tree", "--add", "quiet/corner", "Nothing here")
    home.run("store", "--text", "The lease ends in December.", "--category", "home/lease", "--importance", "0.95")
    return home.on("2026-05-20")


def tree(home: Home) -> Any:
    return json.loads(home.read(TREE))


def log(home: Home) -> str:
    return "".join(path.read_text(encoding="utf-8") for path in sorted((home.root / "memory/events").glob("*.md")))


STEPS = {"quick": 0, "daily": 1, "monthly": 2, "full": 3}


@pytest.mark.parametrize("mode", STEPS)
def test_each_mode_does_its_steps(home: Home, mode: str) -> None:
    late = lived(home)
    report = late.data("consolidate", "--mode", mode)
    deep = STEPS[mode]
    assert report["mode"] == mode
    assert not json.loads(late.read(WARM)) or deep, "the lease has left by age"
    assert ("plumber" in log(late)) is (deep >= 1)
    assert ("quiet/corner" not in tree(late)) is (deep >= 1)
    assert ("red door" not in log(late)) is (deep >= 2)
    stones = late.root / ".silo/tombstones.jsonl"
    assert stones.exists() is (deep >= 2)
    assert ("tree" in report["agents"]["default"]) is (deep >= 3)
    if deep >= 1:
        assert report["ingested"]["ingested"] == 1
        assert report["totals"]["pruned"] >= 1
    if deep >= 2:
        assert report["retired"]["ids"] == ["e_000000000001", "e_000000000002"]
        assert [json.loads(line)["why"] for line in stones.read_text(encoding="utf-8").splitlines()] == ["retention"] * 2
    assert late.data("consolidate", "--mode", mode)["runs"] == [], "a second run changes nothing"


def test_retention_takes_the_line_and_the_row_and_is_undone(home: Home) -> None:
    late = lived(home)
    late.run("consolidate")
    assert late.data("retrieve", "--query", "red door of the old flat")["results"]
    report = late.data("consolidate", "--mode", "monthly")
    assert not (home.root / "memory/events/2015-01-05.md").exists()
    assert "e_000000000001" not in late.run("cold", "--query", "red door")
    assert not [one for one in late.data("retrieve", "--query", "red door of the old flat")["results"] if "red" in one["text"]]
    run = next(run for run in report["runs"] if "2015" in late.run("diff", run))
    late.run("undo", run, "--yes")
    assert "red door" in log(late)
    assert not (home.root / ".silo/tombstones.jsonl").exists()


def test_retention_keeps_what_a_curated_fact_rests_on_and_what_is_young(home: Home) -> None:
    home.events("2015-01-05", "[FACT] boat: The hull is oak. <!-- id:e_000000000001 conf:confirmed -->")
    home.events("2017-01-05", "[FACT] general: The shed was blue. <!-- id:e_000000000002 conf:confirmed -->")
    home.topic("boat", "- The hull is oak. <!-- f_0123456789ab since:2015-01-05 src:e_000000000001 -->")
    before = log(home)
    home.run("consolidate", "--mode", "monthly")
    assert log(home) == before
    home.write(".silo/config.json", json.dumps({"cold": {"retention_years": 5}}))
    home.run("consolidate", "--mode", "monthly")
    assert "hull" in log(home)
    assert "shed" not in log(home)


def test_the_proposed_tree_is_shown_applied_and_undone(home: Home) -> None:
    late = lived(home)
    report = late.data("consolidate", "--mode", "monthly")
    proposed = report["agents"]["default"]["tree_proposal"]
    assert proposed["added"] == {"projects": 4, "projects/boat": 4}
    before = late.read(TREE)
    assert "projects/boat" not in before
    assert "+ projects/boat (4 facts)" in late.run("consolidate", "--tree", "show")
    assert late.read(TREE) == before
    late.run("consolidate", "--tree", "apply")
    assert tree(late)["projects/boat"]["cold_count"] == 4
    assert "no tree is proposed" in late.run("consolidate", "--tree", "apply", code=2)
    late.run("undo", "--last", "--yes")
    assert late.read(TREE) == before
    late.run("consolidate", "--tree", "dismiss")
    assert not (home.root / ".silo/agents/default/tree-proposal.json").exists()


def test_a_proposal_that_is_no_longer_about_this_tree_or_breaks_a_limit_is_refused(home: Home) -> None:
    late = lived(home)
    late.run("consolidate", "--mode", "monthly")
    place = ".silo/agents/default/tree-proposal.json"
    value = json.loads(late.read(place))
    late.write(place, json.dumps({**value, "nodes": {f"n{n}": "" for n in range(60)} | value["nodes"]}))
    before = late.read(TREE)
    late.run("consolidate", "--tree", "apply", code=2)
    assert late.read(TREE) == before
    late.write(place, json.dumps(value))
    late.run("tree", "--add", "another", "One more")
    assert "has changed since" in late.run("consolidate", "--tree", "apply", code=2)
    late.run("tree", "--remove", "another")
    late.run("consolidate", "--tree", "apply")
    late.write(place, json.dumps({**value, "base": sorted(tree(late)), "nodes": {}}))
    assert "facts are filed there" in late.run("consolidate", "--tree", "apply", code=2)
    assert "projects/boat" in tree(late)


def test_a_dry_run_shows_and_writes_nothing(home: Home) -> None:
    late = lived(home)
    before = late.memory()
    said = late.run("consolidate", "--mode", "full", "--dry-run", "--plain")
    assert "would consolidate" in said
    assert "-[FACT] general: The old flat had a red door." in said
    assert {name: data for name, data in late.memory().items() if "cold.db" not in name} == before


@pytest.mark.parametrize("after", range(5))
def test_cut_off_anywhere_the_memory_stands_and_the_next_run_ends_it(home: Home, monkeypatch: pytest.MonkeyPatch, after: int) -> None:
    from silo.edge.workspace import Workspace

    late = lived(home)
    calls = [0]
    whole = Workspace._commit

    def cut(self: Workspace, *args: Any, **more: Any) -> Any:
        calls[0] += 1
        if calls[0] > after:
            raise KeyboardInterrupt
        return whole(self, *args, **more)

    with monkeypatch.context() as patch:
        patch.setattr(Workspace, "_commit", cut)
        late.run("consolidate", "--mode", "full", code=130 if after < 4 else 0)
    for text in ("lease ends", "Plank 3"):
        assert text in log(late)
    assert ("red door" in log(late)) is not (home.root / ".silo/tombstones.jsonl").exists()
    late.run("consolidate", "--mode", "full")
    assert "plumber" in log(late)
    assert "red door" not in log(late)
    held = {one["id"] for one in json.loads(late.read(WARM))}
    assert held == {line.split("id:")[1][:14] for line in log(late).splitlines() if "plumber" in line}


def test_a_step_waits_for_its_interval(home: Home) -> None:
    home.write(".silo/config.json", json.dumps({"consolidation": {"warm_eviction": "hourly", "tree_prune": "weekly", "tree_rebuild": "monthly"}}))
    home.run("tree", "--add", "old", "Old")
    home.run("store", "--text", "The fence is green.")
    home.run("consolidate", "--mode", "daily")
    day = home.on("2026-05-20")
    assert day.data("consolidate", "--mode", "daily")["totals"]["evicted"] == 1
    assert "old" not in tree(day)
    day.run("tree", "--add", "older", "Older")
    home.on("2026-05-21").run("consolidate", "--mode", "daily")
    assert home.on("2026-05-21").data("consolidate", "--mode", "daily")["agents"]["default"]["pruned"] == 0


def test_the_night_does_the_steps_too_and_a_quiet_one_nothing(home: Home) -> None:
    late = lived(home)
    late.run(script="curate_nightly.py")
    assert "plumber" in log(late)
    assert "quiet/corner" not in tree(late)
    held = json.loads(late.read(WARM))
    assert [one["text"] for one in held] == ["The plumber comes on Friday."]
    late.run(script="curate_nightly.py")
    before = late.memory()
    said = late.data(script="curate_nightly.py")
    assert said["quiet"] is True
    assert "tiers" not in said
    assert late.memory() == before
    later = home.on("2026-07-20")
    said = later.data(script="curate_nightly.py")
    assert said["tiers"]["totals"]["evicted"] == 1, "time alone has moved a fact, and it says so"
    later.run("--mode", "monthly", script="curate_nightly.py")
    assert "red door" not in log(later)


def test_agents_are_served_one_by_one_or_all(home: Home) -> None:
    home.run("store", "--text", "The fence is green.")
    home.run("store", "--text", "The boiler is old.", "--agent-id", "scout")
    late = home.on("2026-06-01")
    assert list(late.data("consolidate", "--agent-id", "scout")["agents"]) == ["scout"]
    assert json.loads(late.read(WARM))
    assert sorted(late.data("consolidate")["agents"]) == ["default", "scout"]
    assert not json.loads(late.read(WARM))
    assert [one["text"] for one in late.data("retrieve", "--query", "boiler", "--agent-id", "scout")["results"]] == ["The boiler is old."]
    assert not late.data("retrieve", "--query", "boiler")["results"]


def test_notes_are_ingested_once_by_a_command_of_their_own(home: Home) -> None:
    home.write("memory/2026-03-09.md", "# Monday\n\n- The plumber comes on Friday.\n- The lease ends in December.\n")
    assert home.data("ingest-daily")["ingested"] == 2
    assert home.data("ingest-daily")["ingested"] == 0
    assert log(home).count("plumber") == 1
    assert len(json.loads(home.read(WARM))) == 2
