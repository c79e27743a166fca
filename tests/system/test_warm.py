"""The warm set: whichever door a fact comes through, it is there within 50 KB, and what leaves is in the archive first."""

from __future__ import annotations

import json
import random
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from command import Home
from silo.edge.cold.sqlite import SqliteCold
from silo.errors import ServiceDown

WARM = ".silo/agents/default/warm-memory.json"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def warm(home: Home, agent: str = "default") -> dict[str, dict[str, Any]]:
    return {one["id"]: one for one in json.loads(home.read(WARM.replace("default", agent)))}


def cold(home: Home) -> dict[str, str]:
    place = home.root / ".silo/cold.db"
    if not place.exists():
        return {}
    with sqlite3.connect(place) as db:
        return dict(db.execute("SELECT id, text FROM cold_memories").fetchall())


def store(home: Home, text: str, *more: str) -> str:
    return str(home.data("store", "--text", text, *more)["id"])


def test_a_stored_statement_is_an_entry_of_the_published_shape(home: Home) -> None:
    ident = store(home, "The kiln fires at 1240 degrees, see https://kiln.example/manual.", "--category", "hobby/kiln", "--importance", "0.8")
    (entry,) = warm(home).values()
    assert entry["id"] == ident
    assert entry["category"] == "hobby/kiln"
    assert list(entry) == ["id", "text", "category", "importance", "created_at", "access_count", "score", "tier", "metadata"]
    assert (entry["importance"], entry["score"], entry["tier"], entry["access_count"]) == (0.8, 0.8, "hot", 0)
    assert entry["metadata"]["urls"] == ["https://kiln.example/manual"]
    assert 0 <= home_noon("2026-03-10") - entry["created_at"] < 86_400


def home_noon(day: str) -> int:
    from datetime import UTC, datetime

    return int(datetime.fromisoformat(f"{day}T12:00:00").replace(tzinfo=UTC).timestamp())


@pytest.mark.parametrize(("number", "kb"), [(40, 8), pytest.param(400, 50, marks=pytest.mark.long)])
def test_stores_that_overflow_are_all_found(home: Home, number: int, kb: int) -> None:
    home.write(".silo/config.json", json.dumps({"warm": {"max_kb": kb}}))
    numbers = random.Random(4).sample(range(10_000, 99_999), number)
    ids = {}
    for number in numbers:
        ids[number] = store(home, f"Crate {number} stands in hall {number % 17}, row {number % 7}, under the window of the old mill.", "--tag", "FACT")
        assert (home.root / WARM).stat().st_size <= kb * 1024
    assert kb * 2 < len(warm(home)) < number, "some had to leave"
    home.run("consolidate")
    inside, outside = warm(home), cold(home)
    assert inside.keys() ^ outside.keys() == set(ids.values()), "each is in one of the two"
    questions = home.root / "questions.jsonl"
    questions.write_text("".join(json.dumps({"id": n, "query": f"where does crate {n} stand"}) + "\n" for n in numbers), encoding="utf-8")
    for line in home.run("retrieve", "--batch", str(questions), "--limit", "3").splitlines():
        answer = json.loads(line)
        hits = [one["id"] for one in answer["results"] if answer["id"] in one["text"]]
        assert hits == [ids[int(answer["id"])]], answer["id"]


def test_the_lowest_score_leaves_first(home: Home) -> None:
    home.write(".silo/config.json", json.dumps({"warm": {"max_kb": 2}}))
    weak = store(home, "A remark that hardly weighs.", "--importance", "0.35")
    strong = [store(home, f"A weighty matter of the year {1900 + n}.", "--importance", "0.9") for n in range(5)]
    middling = store(home, "A matter of some weight.", "--importance", "0.6")
    assert warm(home).keys() == {*strong, middling}
    assert cold(home).keys() == {weak}
    assert (home.root / WARM).stat().st_size <= 2048


def test_age_and_score_together_put_a_fact_out(home: Home) -> None:
    dull = store(home, "The neighbour has painted the fence green.")
    weighty = store(home, "The lease ends in December.", "--importance", "1.0")
    home.on("2026-04-08").run("consolidate")  # 29 days
    assert dull in warm(home)
    assert warm(home)[dull]["tier"] == "cold"
    report = home.on("2026-04-10").data("consolidate")  # 31 days
    assert warm(home).keys() == {weighty}
    assert cold(home).keys() == {dull}
    assert report["totals"]["evicted"] == 1
    home.on("2026-06-10").run("consolidate")
    assert not warm(home)
    assert cold(home).keys() == {dull, weighty}


def test_what_is_asked_for_comes_back(home: Home) -> None:
    ident = store(home, "The spare key hangs behind the boiler.", "--importance", "1.0")
    late = home.on("2026-05-01")
    late.run("consolidate")
    assert ident not in warm(home)
    for _ in range(12):
        late.run("retrieve", "--query", "where is the spare key")
    report = late.data("consolidate")
    assert warm(home)[ident]["tier"] == "warm"
    assert warm(home)[ident]["access_count"] == 12
    assert report["totals"]["admitted"] == 1
    assert ident not in cold(home)


def test_looking_around_is_no_use(home: Home) -> None:
    ident = store(home, "The spare key hangs behind the boiler.")
    questions = home.root / "q.jsonl"
    questions.write_text('{"id": "1", "query": "spare key"}\n', encoding="utf-8")
    home.run("retrieve", "--batch", str(questions))
    home.run("context")
    home.run("pack", "the spare key")
    home.run("retrieve", "--query", "submarine volcano trombone")
    home.run("consolidate")
    assert warm(home)[ident]["access_count"] == 0
    home.run("retrieve", "--query", "spare key")
    home.run("store", "--text", "Something else that makes the set be written.")
    assert warm(home)[ident]["access_count"] == 1


def test_a_fact_that_became_curated_is_no_longer_warm_and_never_decays(home: Home) -> None:
    home.topic("boat", "- The hull is oak. <!-- f_0123456789ab since:2026-01-01 -->")
    ident = store(home, "The mast of the boat is spruce.", "--topic", "boat")
    assert ident in warm(home)
    home.night()
    assert ident not in warm(home)
    for day in ("2026-06-01", "2036-06-01"):
        home.on(day).run("consolidate", "--mode", "monthly")
    assert "The mast of the boat is spruce." in home.facts("boat")
    assert ident in home.run("why", home.parsed("boat").facts[-1].id), "its source is kept too"


def test_by_hand_out_and_back_after_use(home: Home) -> None:
    ident = store(home, "The neighbour has painted the fence green.")
    home.run("consolidate", "--evict", ident)
    assert ident not in warm(home)
    assert ident in cold(home)
    home.run("consolidate")
    assert ident not in warm(home), "what somebody took out stays out"
    home.on("2026-03-12").run("retrieve", "--query", "colour of the fence")
    home.on("2026-03-12").run("consolidate")
    assert ident in warm(home)


def test_the_file_is_written_only_when_an_entry_comes_goes_or_changes_its_tier(home: Home) -> None:
    store(home, "The neighbour has painted the fence green.", "--importance", "0.65")
    before = home.read(WARM)
    home.on("2026-03-11").run("consolidate", "--mode", "full")
    assert home.read(WARM) == before, "a lower score alone is no reason"
    home.on("2026-04-05").run("consolidate")
    assert home.read(WARM) != before


def test_a_cold_store_that_fails_lets_nobody_leave(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    home.write(".silo/config.json", json.dumps({"warm": {"max_kb": 2}}))
    first = [store(home, f"Matter {n} of some weight, told at length so that it fills the room.", "--importance", "0.5") for n in range(3)]
    held = warm(home).keys()

    def down(self: SqliteCold, rows: object) -> frozenset[str]:
        raise ServiceDown("no room on the disk")

    with monkeypatch.context() as patch:
        patch.setattr(SqliteCold, "put", down)
        new = [store(home, f"Weightier matter {n}, told at length so that it fills the room.", "--importance", "0.9") for n in range(4)]
        assert held <= warm(home).keys()
        assert (home.root / WARM).stat().st_size <= 2048
        home.on("2026-06-01").run("consolidate")
        assert held <= warm(home).keys(), "not even by age"
        for ident, text in zip(new, range(4), strict=True):
            assert ident in home.run("retrieve", "--query", f"weightier matter {text}", "--plain")
    home.run("consolidate")
    assert set(new) & warm(home).keys()
    assert set(first) | set(new) == warm(home).keys() | cold(home).keys()


def test_a_read_back_that_differs_lets_nobody_leave(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    ident = store(home, "The neighbour has painted the fence green.")
    with monkeypatch.context() as patch:
        patch.setattr(SqliteCold, "put", lambda self, rows: frozenset())
        assert "stay" in home.on("2026-06-01").run("consolidate", "--plain")
    assert ident in warm(home)


def test_undo_takes_the_entry_along_and_brings_back_what_it_put_out(home: Home) -> None:
    home.write(".silo/config.json", json.dumps({"warm": {"max_kb": 2}}))
    for n in range(3):
        store(home, f"Matter {n} of some weight, told at length so that it fills the room.", "--importance", "0.5")
    before = home.read(WARM)
    store(home, "A weightier one, told at length so that it fills the room, and more of it.", "--importance", "0.9")
    assert home.read(WARM) != before
    home.run("undo", "--last", "--yes")
    assert home.read(WARM) == before
    one = store(home, "One that is taken back later.", "--importance", "0.8")
    store(home, "One that stays.", "--importance", "0.8")
    rows = [line.split()[0] for line in home.run("log").splitlines()]
    home.run("undo", rows[1], "--yes")
    texts = {entry["text"] for entry in warm(home).values()}
    assert one not in warm(home)
    assert "One that stays." in texts
    assert (home.root / WARM).stat().st_size <= 2048


def test_a_damaged_warm_set_is_left_alone_and_said(home: Home) -> None:
    store(home, "The first.")
    home.write(WARM, "[{]")
    said = home.run("store", "--text", "The second.", "--plain")
    assert "left alone" in said
    assert home.read(WARM) == "[{]"
    assert "left alone" in home.run("consolidate", "--plain")
    assert home.read(WARM) == "[{]"


def test_a_line_that_a_hand_deleted_takes_its_entry_along(home: Home) -> None:
    ident = store(home, "The neighbour has painted the fence green.")
    kept = store(home, "The lease ends in December.")
    path = "memory/events/2026-03-10.md"
    home.write(path, "".join(line for line in home.read(path).splitlines(keepends=True) if ident not in line))
    home.events("2026-03-10", "[FACT] general: Typed by hand, no id.")
    home.run("consolidate")
    assert ident not in warm(home)
    assert kept in warm(home)
    assert len(warm(home)) == 2


def test_the_configuration_sets_the_scoring(home: Home) -> None:
    def score_after(days: str, **scoring: object) -> float:
        root = home.root / str(len(list(home.root.iterdir())))
        root.mkdir()
        here = Home(root)
        here.write(".silo/config.json", json.dumps({"scoring": scoring}))
        store(here, "The lease ends in December.", "--importance", "1.0")
        here.on(days).run("store", "--text", "Something to write the set for.", "--plain")
        return float(next(one["score"] for one in warm(here).values() if "lease" in one["text"]))

    assert score_after("2026-03-25", half_life_days=15) == pytest.approx(0.3679, abs=1e-4)
    assert score_after("2026-03-25", half_life_days=15, true_half_life=True) == pytest.approx(0.5, abs=1e-4)


def test_agents_have_sets_of_their_own(home: Home) -> None:
    mine = store(home, "The lease ends in December.")
    theirs = store(home, "The boiler is serviced in May.", "--agent-id", "scout")
    assert warm(home).keys() == {mine}
    assert warm(home, "scout").keys() == {theirs}
    home.on("2026-06-01").run("consolidate")
    assert (warm(home), warm(home, "scout")) == ({}, {}), "without the flag all agents are served"
    assert "odd" in home.run("store", "--text", "x", "--agent-id", "../odd", code=2)
    assert not (home.root / ".silo/odd").exists()


def test_an_old_memory_gets_its_warm_set_with_the_first_new_fact(home: Home) -> None:
    home.events("2026-03-09", "[FACT] general: From before there was a warm set.", "[EVENT] general: So is this.")
    home.events("2025-01-09", "[FACT] general: Long ago.")
    store(home, "The first new one.")
    assert {one["text"] for one in warm(home).values()} == {"From before there was a warm set.", "So is this.", "The first new one."}
