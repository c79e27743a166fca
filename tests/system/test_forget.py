"""`memory_cli.py forget`: what is meant is gone from every file of ours, whatever form it stood in; the rest keeps its bytes."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
from pathlib import Path

import pytest

from command import Home
from silo.text.fold import fold

SECRET = "Duarte keeps the São João key under the blue flowerpot"
OTHER = "The pump is green"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home(tmp_path / "w")
    home.run("init")
    return home


def held(root: Path, *words: str) -> dict[str, str]:
    """Files that hold one of the words in UTF-8, escaped in JSON, or folded."""
    found: dict[str, str] = {}
    for path in sorted(root.rglob("*")):
        if not path.is_file():
            continue
        data = path.read_bytes()
        low = fold(data.decode("utf-8", "replace"))
        for word in words:
            forms = (word, json.dumps(word)[1:-1], json.dumps(word, ensure_ascii=False)[1:-1])
            if any(form.encode() in data for form in forms) or fold(word) in low:
                found[path.relative_to(root).as_posix()] = word
    return found


def everywhere(home: Home) -> str:
    """A memory that has the secret in every kind of place; returns the id of its event."""
    home.topic("house", "- The roof is new. <!-- f_00000000000a since:2026-01-02 seen:2026-01-02 -->", kind="personal")
    ident = str(home.data("store", "--text", f"{SECRET}.", "--topic", "house", "--tag", "FACT")["id"])
    home.run("store", "--text", f"{OTHER}.", "--topic", "house", "--tag", "FACT")
    home.night()
    home.on("2026-03-11").night()
    home.run("retrieve", "--query", "flowerpot key")  # the index holds it now
    home.write("memory/protocols.md", f"<!-- Protocols -->\n# Protocols\n\n- Lock the gate.\n- {SECRET}!\n")
    agent = ".silo/agents/default"
    entries = [{"id": ident, "text": f"{SECRET}.", "category": "house", "importance": 0.6, "created_at": 1, "access_count": 0, "score": 0.6, "tier": "warm"},
               {"id": "e_00000000000b", "text": f"{OTHER}.", "category": "house", "importance": 0.6, "created_at": 1, "access_count": 0, "score": 0.6, "tier": "warm"}]
    home.write(f"{agent}/warm-memory.json", json.dumps(entries, indent=2, ensure_ascii=False) + "\n")
    hot = {"identity": {"owner_name": "Ana"}, "owner_profile": {"note": SECRET}, "active_context": {"projects": [], "events": [{"text": SECRET}], "tasks": []},
           "critical_lessons": [{"text": "Test first."}, {"text": SECRET}]}
    home.write(f"{agent}/hot-memory-state.json", json.dumps(hot, indent=2) + "\n")
    home.write(f"{agent}/memory-tree.json", json.dumps({"house": {"desc": SECRET, "warm_count": 1, "cold_count": 0, "last_access": 0, "children": []}}) + "\n")
    review = {"id": "r_00000000000c", "kind": "contradiction", "status": "open", "topic": "house", "facts": [], "events": [ident], "created": "2026-03-10", "text": f"The file says: {SECRET}."}
    home.write(".silo/review.jsonl", json.dumps(review, ensure_ascii=False) + "\n")
    proposal = {"id": "s_00000000000d", "status": "open", "slug": "flowerpot", "title": "Flowerpot", "type": "hobby", "events": [ident], "words": ["flowerpot"], "created": "2026-03-10"}
    home.write(".silo/proposals.jsonl", json.dumps(proposal) + "\n")
    home.write("memory/ontology/graph.jsonl", "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in [
        {"op": "create", "entity": {"id": "p_duarte", "type": "Person", "properties": {"name": "Duarte", "note": f"{SECRET}."}}, "timestamp": "2026-01-01T00:00:00Z"},
        {"op": "create", "entity": {"id": "p_ana", "type": "Person", "properties": {"name": "Ana"}}, "timestamp": "2026-01-01T00:00:00Z"}]))
    home.write(".silo/handover/h_00000000000e.md", f"# Memory\n- {SECRET}\n")
    home.write(".silo/handover/h_00000000000e.json", "{}")
    home.write(".silo/conflicts/20260310-120000-0001/memory/topics/house.md", f"- {SECRET}\n")
    with contextlib.closing(sqlite3.connect(home.root / ".silo/cold.db", isolation_level=None)) as db:
        db.execute("CREATE TABLE IF NOT EXISTS notes (id TEXT, text TEXT)")
        db.execute("INSERT INTO notes VALUES (?, ?)", (ident, fold(SECRET)))
        db.execute("INSERT INTO notes VALUES (?, ?)", ("e_1", OTHER))
    return ident


def test_nothing_of_ours_holds_it_afterwards(home: Home) -> None:
    ident = everywhere(home)
    before = held(home.root, SECRET)
    assert len(before) >= 15, before
    shown = home.run("forget", ident, "--dry-run")
    assert held(home.root, SECRET) == before
    assert "memory/protocols.md:5 tier" in shown
    assert "nothing was written" in shown
    said = home.data("forget", ident, "--yes")
    assert held(home.root, SECRET, ident) == {}
    assert said["left"] == []
    kinds = {place["kind"] for place in said["forgotten"]}
    assert kinds >= {"event", "fact", "tier", "warm", "hot", "tree", "review", "proposal", "entity"}, kinds
    assert OTHER in (home.root / "memory/topics/house.md").read_text()
    assert "The roof is new." in (home.root / "memory/topics/house.md").read_text()
    assert (home.root / "memory/protocols.md").read_text() == "<!-- Protocols -->\n# Protocols\n\n- Lock the gate.\n"
    assert "p_duarte" in (home.root / "memory/ontology/graph.jsonl").read_text()
    assert sqlite3.connect(home.root / ".silo/cold.db").execute("SELECT text FROM notes").fetchall() == [(OTHER,)]
    assert "flowerpot" not in home.run("retrieve", "--query", "flowerpot key")
    assert OTHER in home.run("retrieve", "--query", "pump")
    home.run("doctor", "--check", "memory/events", "--check", "memory/topics", "--check", "memory/ontology")


def test_the_key_is_private_and_the_stone_holds_no_word(home: Home) -> None:
    ident = everywhere(home)
    home.run("forget", ident, "--yes")
    assert (home.root / ".silo/key").stat().st_mode & 0o777 == 0o600
    for line in (home.root / ".silo/tombstones.jsonl").read_text().splitlines():
        item = json.loads(line)
        assert set(item) <= {"id", "kind", "created", "why", "agent", "hash", "evidence", "key"}
        assert ident not in line
        assert item["why"] == "forget"


def test_runs_that_held_it_are_not_undone(home: Home) -> None:
    kept = home.data("store", "--text", "The gate squeaks.", "--tag", "FACT")["id"]
    home.data("store", "--text", f"{SECRET}.", "--tag", "FACT")
    runs = home.data("log")["runs"]
    home.run("forget", "--query", "blue flowerpot", "--yes")
    refused = home.run("undo", runs[0]["id"], "--yes", code=3)
    assert "it held what was forgotten on 2026-03-10" in refused
    assert "leaves nothing behind" in home.run("undo", "--last", "--yes", code=3)
    home.run("undo", runs[1]["id"], "--yes")
    assert kept not in home.run("retrieve", "--query", "gate squeaks")


def test_it_is_not_learnt_again(home: Home) -> None:
    home.run("store", "--text", f"{SECRET}.", "--tag", "FACT")
    home.run("forget", "--query", SECRET, "--yes")
    assert "--again" in home.run("store", "--text", f"{SECRET.upper()}", "--tag", "FACT", code=2)
    warm = home.root.parent / "warm-memory.json"
    warm.write_text(json.dumps([{"id": "abc", "text": SECRET, "category": "house", "importance": 0.5, "created_at": 1767225600}]))
    home.run("import", str(warm))
    assert held(home.root, SECRET) == {}
    home.write("memory/2026-03-10.md", f"# Notes\n\n- {SECRET}.\n- {OTHER}.\n")
    home.on("2026-03-11").night()
    assert held(home.root, SECRET) == {"memory/2026-03-10.md": SECRET}
    home.run("store", "--text", f"{SECRET}.", "--tag", "FACT", "--again")
    assert held(home.root, SECRET)


def test_what_is_not_ours_is_named_and_cleaned_when_asked(home: Home) -> None:
    home.run("store", "--text", f"{SECRET}.", "--tag", "FACT")
    home.write("MEMORY.md", f"# Mine\n\n- {SECRET}\n- My own line.\n")
    home.write("memory/2026-03-09.md", f"- {SECRET}\n- Rain.\n")
    home.write("USER.md", f"{SECRET}\n")
    (home.root / ".git").mkdir()
    said = home.data("forget", "--query", "blue flowerpot", "--yes")
    named = " ".join(f"{row['where']} {row['clean']}" for row in said["outside"])
    for where in ("MEMORY.md:3", "memory/2026-03-09.md:1", "USER.md:1", "--notes", "git filter-repo", "memory index --force"):
        assert where in named
    assert set(held(home.root, SECRET)) == {"MEMORY.md", "memory/2026-03-09.md", "USER.md"}
    home.run("forget", "--query", "blue flowerpot", "--notes", "--yes")
    assert set(held(home.root, SECRET)) == {"USER.md"}
    assert (home.root / "MEMORY.md").read_text() == "# Mine\n\n- My own line.\n"


def test_a_topic_goes_whole_with_its_name(home: Home) -> None:
    home.topic("divorce-lawyer", f"- {SECRET}. <!-- f_00000000000a -->")
    home.topic("house", "- The roof is new.", related="divorce-lawyer")
    home.run("store", "--text", "Hearing on the ninth of May.", "--topic", "divorce-lawyer", "--tag", "EVENT")
    home.night()
    home.run("forget", "--topic", "divorce-lawyer", "--yes")
    assert held(home.root, SECRET, "divorce-lawyer", "ninth of May") == {}
    assert "house" in (home.root / "memory/index.md").read_text()


def test_an_entity_goes_with_what_names_it(home: Home) -> None:
    home.run("store", "--text", "Rui Salgado is my dentist, phone +351 912 000 111.", "--tag", "FACT")
    home.run("store", "--text", "The ruin near Salgados is closed.", "--tag", "FACT")
    home.run("entity", "add", "Person", "Rui Salgado")
    home.run("forget", "--entity", "Rui Salgado", "--yes")
    assert held(home.root, "Rui Salgado", "912 000 111", "p_rui") == {}
    assert "The ruin near Salgados" in home.run("retrieve", "--query", "ruin closed")


def test_a_question_without_answer_forgets_nothing(home: Home) -> None:
    home.run("store", "--text", f"{SECRET}.", "--tag", "FACT")
    said = home.run("forget", "--query", "flowerpot")
    assert "nothing was forgotten; --yes" in said
    assert SECRET in said
    assert held(home.root, SECRET)
    assert "nothing of that stands" in home.run("forget", "--query", "a zebra in the attic")
    assert "say what to forget" in home.run("forget", code=2)
    assert os.listdir(home.root / ".silo/runs")
