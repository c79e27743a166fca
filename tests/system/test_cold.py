"""The archive as its command shows it: derived from log, warm set and tombstones, the same however it was made."""

from __future__ import annotations

import json
import random
from datetime import date, timedelta
from pathlib import Path

import pytest

from command import Home
from silo.core.archive import expired, noon, rows_of
from silo.edge.cold.base import ALL
from silo.edge.workspace import Workspace
from silo.formats.coldrow import digest
from silo.formats.events import parse_file
from silo.jobs.cold import archive_of, dropped, logged, refresh

WORDS = ["kiln", "glaze", "wheel", "clay", "cobalt", "fire", "shelf", "mould", "slip", "bisque", "cone", "porcelain"]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def filled(home: Home, count: int = 60, seed: int = 1) -> list[str]:
    """Events of three years by two agents, and a warm set that holds some of them; returns the ids in order."""
    rng = random.Random(seed)
    days: dict[str, list[str]] = {}
    ids = []
    for number in range(count):
        day = (date(2023, 3, 1) + timedelta(days=rng.randrange(1000))).isoformat()
        ident = f"e_{number:012x}"
        ids.append(ident)
        agent = " agent:nurse" if number % 5 == 0 else ""
        days.setdefault(day, []).append(f"[FACT] atelier: The {rng.choice(WORDS)} of {rng.choice(WORDS)} {number}. <!-- id:{ident} imp:0.{rng.randint(1, 9)}{agent} -->")
    for day, lines in days.items():
        home.events(day, *lines)
    return ids


def warm(home: Home, ids: list[str], agent: str = "default") -> None:
    entries = [{"id": ident, "text": "x", "category": "a", "importance": 0.5, "created_at": 1, "access_count": 0, "score": 0.5, "tier": "warm"} for ident in ids]
    home.write(f".silo/agents/{agent}/warm-memory.json", json.dumps(entries))


def held(home: Home) -> dict[str, str]:
    workspace = Workspace.open(home.root)
    with workspace.job("cold"), archive_of(workspace) as store:
        refresh(workspace, store)
        return store.digests(ALL)


def test_cold_is_every_logged_fact_that_is_neither_warm_nor_forgotten(home: Home) -> None:
    ids = filled(home)
    assert held(home).keys() == set(ids)
    warm(home, ids[:10])
    warm(home, ids[20:25], "nurse")
    home.write(".silo/tombstones.jsonl", json.dumps({"id": ids[30], "kind": "event", "created": "2026-01-01", "why": "retention"}) + "\n")
    # Number 0 and 5 are the nurse's: the default agent's warm set does not hold them, whatever it says.
    gone = {ident for n, ident in enumerate(ids) if (n < 10 and n % 5) or (20 <= n < 25 and n % 5 == 0) or n == 30}
    assert held(home).keys() == set(ids) - gone
    warm(home, [])
    warm(home, [], "nurse")
    assert held(home).keys() == set(ids) - {ids[30]}


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(1, 8))])
def test_made_anew_it_gives_the_same_answers(home: Home, seed: int) -> None:
    ids = filled(home, seed=seed)
    rng = random.Random(seed)
    held(home)
    for step in range(5):  # grown bit by bit
        home.events(f"2026-01-0{step + 1}", f"[DECISION] atelier: New {rng.choice(WORDS)} {step}.")
        warm(home, rng.sample(ids, 12))
        day = rng.choice(sorted((home.root / "memory/events").glob("*.md")))
        day.write_text(day.read_text().replace("kiln", "oven"), encoding="utf-8")
        held(home)
    questions = [*WORDS, "oven", "new wheel", "the cobalt of clay"]
    before = [home.data("cold", "--query", one, "--limit", "20")["results"] for one in questions]
    for path in home.root.glob(".silo/cold.db*"):
        path.unlink()
    after = [home.data("cold", "--query", one, "--limit", "20")["results"] for one in questions]
    for results in (*before, *after):
        for row in results:
            row.pop("access_count")
    assert before == after
    assert any(before)


def test_the_published_commands_print_json_on_a_pipe(home: Home) -> None:
    filled(home)
    made = json.loads(home.run("cold", "--init"))
    assert made["status"] == "initialized"
    assert made["cold_memories"] == 60
    found = json.loads(home.run("cold", "--query", "kiln", "--limit", "3"))
    assert len(found) == 3
    assert {"id", "agent_id", "text", "category", "importance", "created_at", "access_count"} <= found[0].keys()
    assert {row["agent_id"] for row in found} == {"default"}
    assert {row["agent_id"] for row in json.loads(home.run("cold", "--query", "kiln", "--agent-id", "nurse"))} == {"nurse"}
    assert "kiln" in home.run("cold", "--query", "kiln", "--plain")


def test_what_was_given_counts_as_used(home: Home) -> None:
    filled(home)
    first = home.data("cold", "--query", "kiln", "--limit", "1")["results"][0]
    again = home.data("cold", "--query", "kiln", "--limit", "1")["results"][0]
    assert (first["access_count"], again["access_count"]) == (1, 2)


@pytest.mark.parametrize("given", [["--query", ""], ["--query", "x", "--limit", "0"], ["--init", "--query", "x"], ["--query", "x", "--agent-id", "../x"]])
def test_bad_usage(home: Home, given: list[str]) -> None:
    home.run("cold", *given, code=2)


def test_turso_without_an_address_is_local_with_a_note(home: Home) -> None:
    home.write(".silo/config.json", '{"schema_version": 1, "cold": {"backend": "turso"}}')
    assert "NOTE cold.backend is turso" in home.run("cold", "--query", "kiln", "--plain")


def test_an_empty_workspace_has_an_empty_archive(home: Home) -> None:
    assert home.data("cold")["cold_memories"] == 0
    assert home.data("cold", "--query", "kiln")["results"] == []


def test_copied_and_read_back_before_anything_leaves(home: Home) -> None:
    ids = filled(home)
    workspace = Workspace.open(home.root)
    with workspace.job("cold"), archive_of(workspace) as store:
        assert set(store.put(list(logged(workspace, {*ids[:5], "e_ffffffffffff"})))) == set(ids[:5])
    with archive_of(workspace) as store:
        assert store.digests(ALL) == {row.id: digest(row) for row in logged(workspace, set(ids[:5]))}
    assert dropped(workspace, ids[:2], scrub=True) == ()
    with archive_of(workspace) as store:
        assert store.digests(ALL).keys() == set(ids[2:5])


def test_retention_takes_what_is_frozen_and_older_than_the_limit() -> None:
    def row(day: str, weight: float) -> str:
        return f"[FACT] a-b: Said on {day}. <!-- id:e_{noon(day):012x} imp:{weight} -->"

    rows = [one for day in ("2015-03-09", "2016-03-09", "2016-03-10", "2026-03-01") for one in rows_of(parse_file(row(day, 0.9), f"memory/events/{day}.md"))]
    found = expired(rows, today=date(2026, 3, 10), years=10, count_of=lambda ident: 0)
    assert [one.date for one in found] == ["2015-03-09", "2016-03-09"]
    assert expired(rows, today=date(2026, 3, 10), years=10, count_of=lambda ident: 0, kept={rows[0].id}) == found[1:]
    assert [one.date for one in expired(rows, today=date(2024, 2, 29), years=8, count_of=lambda ident: 0)] == ["2015-03-09"]
    # A fact that was asked for so often that it is not frozen stays, however old.
    assert expired(rows, today=date(2026, 3, 10), years=0, count_of=lambda ident: 10**60) == ()
    assert noon("2026-03-10") == 1773144000


def test_cold_rows_are_found_by_retrieve_with_their_tier(home: Home) -> None:
    home.events("2025-11-20", "[FACT] atelier: The crackle glaze needs tin. <!-- id:e_00000000000a imp:0.6 -->")
    home.events("2020-01-01", "[FACT] atelier: The raku tongs hang by the door. <!-- id:e_00000000000b imp:0.6 -->")
    assert home.data("retrieve", "--query", "crackle glaze tin")["results"][0]["tier"] in ("cold", "frozen")
    assert home.data("retrieve", "--query", "raku tongs")["results"][0]["tier"] == "frozen"
