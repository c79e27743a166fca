"""A memory that holds a secret in every kind of place, and the search for its bytes."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from pathlib import Path

from command import Home
from silo.text.fold import fold

SECRET = "Duarte keeps the São João key under the blue flowerpot"
OTHER = "The pump is green"


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
