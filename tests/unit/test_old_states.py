"""Files of every published version load without loss: warm entries before metadata, trees before and after, hot states."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from command import Home

AT = 1_772_600_400  # 4 March 2026
FACTS = [
    {"id": "abc123", "text": "The kiln is wired for 32 amperes.", "category": "hobby/kiln", "importance": 0.8, "created_at": AT},
    {"id": "abc124", "text": "The fair is held in Sines.", "category": "business/fair", "importance": 0.5, "created_at": AT - 86_400 * 400},
]
NODE = {"desc": "Spare time", "warm_count": 1, "cold_count": 0, "last_access": AT, "children": []}
VERSIONS: dict[str, dict[str, Any]] = {
    "1": {"warm-memory.json": FACTS, "memory-tree.json": {"hobby": {"desc": "Spare time"}, "hobby/kiln": {"desc": "Kiln"}}},
    "2.0": {
        "warm-memory.json": [one | {"access_count": 3, "score": 0.7, "tier": "warm"} for one in FACTS],
        "memory-tree.json": {"hobby": NODE | {"children": ["hobby/kiln"]}, "hobby/kiln": NODE | {"desc": "Kiln"}},
        "hot-memory-state.json": {
            "identity": {"agent_name": "Rook", "trust_level": 0.95},
            "owner_profile": {"timezone": "Europe/Lisbon", "topics_loved": ["glazes"]},
            "active_context": {"projects": [{"name": "Kiln", "status": "Active"}], "events": [{"text": "Fair on 14 May", "timestamp": AT}], "tasks": []},
            "critical_lessons": [{"text": "Dry the glaze for a day", "category": "kiln", "importance": 0.9, "timestamp": AT}],
        },
    },
    "2.1": {
        "warm-memory.json": [
            one | {"access_count": 3, "score": 0.7, "tier": "warm", "metadata": {"urls": ["https://kiln.example/manual"], "commands": [], "paths": []}} for one in FACTS
        ],
        "memory-tree.json": {"_schema_version": 1, "hobby": NODE},
        "hot-memory-state.json": {"identity": {}, "owner_profile": {}, "active_context": {"projects": [], "events": [], "tasks": []}, "critical_lessons": [], "note": "kept"},
    },
}


@pytest.mark.parametrize("version", VERSIONS)
def test_every_version_is_taken_in_whole(tmp_path: Path, version: str) -> None:
    home = Home(tmp_path)
    given = VERSIONS[version]
    for name, value in given.items():
        home.write(f"old/memory/default/{name}", json.dumps(value))
    home.run("import", str(tmp_path / "old"))
    folder = ".silo/agents/default"
    warm = {one["text"].split(" (URL")[0]: one for one in json.loads(home.read(f"{folder}/warm-memory.json"))}
    log = "".join(path.read_text(encoding="utf-8") for path in (tmp_path / "memory/events").glob("*.md"))
    assert all(one["text"] in log for one in FACTS)
    assert set(warm) == {FACTS[0]["text"]}, "the other is a year old: it is cold"
    (entry,) = warm.values()
    assert (entry["importance"], entry["category"]) == (0.8, "hobby/kiln")
    if version != "1":
        assert entry["access_count"] == 3
    if version == "2.1":
        assert entry["metadata"]["urls"] == ["https://kiln.example/manual"]
    tree = json.loads(home.read(f"{folder}/memory-tree.json"))
    assert {name: node["desc"] for name, node in tree.items()} == {n: v["desc"] for n, v in given["memory-tree.json"].items() if not n.startswith("_")}
    if "hot-memory-state.json" in given:
        assert json.loads(home.read(f"{folder}/hot-memory-state.json")) == given["hot-memory-state.json"]
    before = home.memory()
    home.run("import", str(tmp_path / "old"))
    assert {name: data for name, data in home.memory().items() if "cold.db" not in name} == {name: data for name, data in before.items() if "cold.db" not in name}
    assert home.data("cold", "--query", "fair in Sines")
