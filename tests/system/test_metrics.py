"""The published figures, each by what it counts; their history; procedures that prove themselves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from command import Home
from silo.core.metrics import KEYS
from silo.formats import schema

ROOT = Path(__file__).resolve().parents[2]
PUBLISHED = [*KEYS, "timestamp"]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def figures(home: Home, *more: str) -> dict[str, Any]:
    return dict(json.loads(home.run("metrics", *more)))


def test_the_output_fits_its_schemas(home: Home) -> None:
    home.run("store", "--text", "To restart the gateway run: systemctl restart gw", "--tag", "PROCEDURE", "--category", "net/gateway")
    for name, words in (("metrics", ["metrics"]), ("used", ["used"]), ("consolidate", ["consolidate", "--mode", "full"])):
        shape = json.loads((ROOT / "schemas" / f"{name}.schema.json").read_text(encoding="utf-8"))
        assert not list(schema.check(home.data(*words), shape)), name


def test_an_empty_memory_has_all_figures(home: Home) -> None:
    found = figures(home)
    assert [key for key in found if key in PUBLISHED] == PUBLISHED
    assert {found[key] for key in KEYS} == {0}
    assert found["timestamp"] == "2026-03-10T12:00:00"


def test_sizes_and_counts_are_those_of_the_files(home: Home) -> None:
    home.run("store", "--text", "The kiln fires at 1240 degrees.", "--category", "hobby/kiln")
    home.run("hot", "--update", "task", "Order bricks")
    found = figures(home)
    folder = home.root / ".silo/agents/default"
    assert found["tree_index_size_bytes"] == (folder / "memory-tree.json").stat().st_size
    assert found["tree_node_count"] == 2
    assert found["hot_memory_size_bytes"] == (folder / "hot-memory-state.json").stat().st_size
    assert found["warm_memory_count"] == 1
    assert found["warm_memory_size_kb"] == round((folder / "warm-memory.json").stat().st_size / 1024, 1)
    assert found["consolidation_count"] == 0
    assert found["last_consolidation"] == 0
    home.run("consolidate")
    home.run("consolidate", "--mode", "daily")
    found = figures(home)
    assert found["consolidation_count"] == 2
    assert found["last_consolidation"] == 1773144000


def test_uses_are_counted_where_a_result_was_given_and_by_the_day(home: Home) -> None:
    home.run("store", "--text", "The kiln fires at 1240 degrees.")
    home.run("retrieve", "--query", "kiln degrees")
    home.run("retrieve", "--query", "kiln degrees")
    home.run("retrieve", "--query", "submarine volcano trombone")
    home.run("context")
    home.run("retrieve", "--query", "kiln degrees", "--agent-id", "scout")
    found = figures(home)
    assert found["retrieval_count"] == 2
    assert found["reinforcements_today"] == 2
    late = home.on("2026-03-11")
    assert figures(late)["reinforcements_today"] == 0
    assert figures(late)["retrieval_count"] == 2
    late.run("retrieve", "--query", "kiln degrees")
    assert figures(late)["reinforcements_today"] == 1
    late.run("consolidate")
    assert figures(late)["reinforcements_today"] == 1
    assert figures(home, "--agent-id", "scout")["retrieval_count"] == 0


def test_evictions_count_until_midnight(home: Home) -> None:
    for n in range(3):
        home.run("store", "--text", f"A remark number {n} that fades.")
    late = home.on("2026-05-01")
    late.run("consolidate")
    assert figures(late)["evictions_today"] == 3
    assert figures(home.on("2026-05-02"))["evictions_today"] == 0
    assert figures(late, "--agent-id", "scout")["evictions_today"] == 0


def test_tokens_are_saved_once_the_memory_is_larger_than_a_session_start(home: Home) -> None:
    lines = [f"[FACT] general: Crate {n} stands in hall {n % 17}, row {n % 7}, under the window of the old mill." for n in range(400)]
    home.events("2026-02-01", *lines)
    context = home.data("context")
    size = (home.root / "memory/events/2026-02-01.md").stat().st_size
    saved = figures(home)["context_tokens_saved"]
    assert saved == -(-size * 10 // 22) - context["tokens"]
    assert saved > 10_000


def test_the_history_is_json_lines_and_the_trend_tells_what_changed(home: Home) -> None:
    home.run("store", "--text", "The kiln fires at 1240 degrees.")
    home.run("metrics", "--record")
    for day, text in (("2026-03-12", "The lease ends in December."), ("2026-03-14", "The fence is green.")):
        home.on(day).run("store", "--text", text)
        home.on(day).run("consolidate")
    late = home.on("2026-03-15")
    rows = [json.loads(line) for line in late.run("metrics", "--report", "--plain").splitlines()]
    assert [row["warm_memory_count"] for row in rows] == [1, 2, 3]
    assert all([key for key in row if key in PUBLISHED] == PUBLISHED for row in rows)
    found = json.loads(late.run("metrics", "--trend"))["trend"]
    assert found["warm_memory_count"] == {"first": 1, "last": 3, "change": 2, "lowest": 1, "highest": 3}
    assert len(home.on("2026-03-20").run("metrics", "--report", "--plain").splitlines()) == 1
    assert len(home.on("2026-03-20").run("metrics", "--report", "--days", "30", "--plain").splitlines()) == 3
    assert "nothing was recorded" in late.run("metrics", "--trend", "--agent-id", "scout", "--plain")


# --- procedures -------------------------------------------------------------------------------------------


def procedure(home: Home, text: str = "To restart the gateway run: systemctl restart gw, its config is /etc/nope-gw/gw.conf") -> str:
    return str(home.data("store", "--text", text, "--tag", "PROCEDURE")["id"])


def test_a_procedure_carries_its_successes_and_failures(home: Home) -> None:
    ident = procedure(home)
    home.run("used", ident, "--ok")
    home.run("used", ident, "--failed")
    (row,) = home.data("used")["procedures"]
    assert (row["id"], row["ok"], row["failed"], row["last"], row["proven"]) == (ident, 1, 1, "2026-03-10", False)


def test_a_curated_procedure_is_counted_under_its_entry(home: Home) -> None:
    home.topic("gateway", "- It runs on port 80. <!-- f_0123456789ab since:2026-01-01 -->")
    ident = str(home.data("store", "--text", "To restart the gateway run: systemctl restart gw", "--tag", "PROCEDURE", "--topic", "gateway")["id"])
    home.night()
    fact = home.parsed("gateway").facts[-1].id
    assert home.data("used", fact, "--ok")["id"] == ident


def test_what_is_no_procedure_or_has_no_outcome_is_refused(home: Home) -> None:
    fact = home.data("store", "--text", "The fence is green.", "--tag", "FACT")["id"]
    assert "is no procedure" in home.run("used", fact, "--ok", code=2)
    assert "say how it went" in home.run("used", procedure(home), code=2)


def test_dead_paths_are_flagged_and_addresses_only_on_request(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    home.write("here.conf", "")
    procedure(home, f"To restart see /etc/nope-gw/gw.conf and {home.root}/here.conf and https://gone.example/manual")
    asked: list[str] = []
    monkeypatch.setattr("silo.jobs.used.answers", lambda url: asked.append(url))
    (row,) = home.data("used")["procedures"]
    assert row["dead_paths"] == ["/etc/nope-gw/gw.conf"]
    assert not asked
    (row,) = home.data("used", "--check-urls")["procedures"]
    assert row["dead_urls"] == asked == ["https://gone.example/manual"]


def test_a_proven_procedure_is_offered_and_becomes_a_skill_only_when_accepted(home: Home) -> None:
    ident = procedure(home)
    for _ in range(4):
        home.run("used", ident, "--ok")
    assert not (home.root / "skills").exists()
    (item,) = [one for one in home.data("review", "list")["items"] if one["kind"] == "skill"]
    home.run("review", "accept", item["id"])
    (skill,) = (home.root / "skills").glob("*/SKILL.md")
    text = skill.read_text(encoding="utf-8")
    assert text.startswith("---\nname: to-restart-the-gateway-run\n")
    assert "systemctl restart gw" in text
    home.run("undo", "--last", "--yes")
    assert not skill.exists()
    home.run("review", "reject", item["id"])
    home.run("used", ident, "--ok")
    assert not [one for one in home.data("review", "list")["items"] if one["kind"] == "skill"], "asked once"
