"""`export --format`: what came in by import goes out in the published files, and comes in elsewhere as the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from command import Home
from silo.formats import schema
from silo.formats.events import parse_file
from silo.formats.graph import parse_graph
from silo.formats.topics import parse_topic

SCHEMAS = Path(__file__).resolve().parents[2] / "schemas"
DAY = 1707350400  # 2024-02-08


def entry(**more: object) -> dict[str, object]:
    return {"id": "abc123def456", "text": "Chose raw JSON-RPC for the boat chain", "category": "projects/boat", "importance": 0.8, "created_at": DAY, **more}


# The same statement and tree as each version wrote them.
WARM: dict[str, Any] = {
    "1.0": [{"id": "abc123def456", "text": "Chose raw JSON-RPC for the boat chain", "category": "projects/boat", "created_at": DAY}],
    "2.0": [entry(access_count=3, score=0.74, tier="warm")],
    "2.1": [entry(access_count=3, score=0.74, tier="warm", metadata={"urls": ["https://docs.example/rpc"], "commands": [], "paths": []})],
    "2.2": [entry(access_count=3, score=0.74, tier="warm", metadata={"urls": [], "commands": ["make chain"], "paths": ["src/rpc.py"]}, source="daily:2024-02-08")],
}
TREE: dict[str, Any] = {
    "1.0": {"projects": {"desc": "Projects"}},
    "2.0": {"_schema_version": "2.0", "projects": {"desc": "Projects", "warm_count": 1, "cold_count": 0, "last_access": DAY, "children": []}},
    "2.1": {"projects": {"desc": "Projects", "warm_count": 1, "cold_count": 0, "last_access": DAY, "children": ["projects/boat"]},
            "projects/boat": {"desc": "The boat", "warm_count": 1, "cold_count": 0, "last_access": DAY, "children": []}},
}
HOT: dict[str, Any] = {
    "1.0": {"identity": {"owner_name": "Ana"}, "owner_profile": {"timezone": "Europe/Lisbon"}},
    "2.2": {"identity": {"owner_name": "Ana"}, "owner_profile": {"timezone": "Europe/Lisbon"},
            "active_context": {"projects": [{"name": "Boat", "status": "active"}], "events": [], "tasks": []}, "critical_lessons": [{"text": "Test first", "importance": 0.9}]},
}
GRAPH = (
    '{"op":"create","entity":{"id":"p_alice","type":"Person","properties":{"name":"Alice","email":"alice@example.com"}},"timestamp":"2026-01-01T00:00:00Z"}\n'
    '{"op":"create","entity":{"id":"org_acme","type":"Org","properties":{"name":"Acme"}},"timestamp":"2026-01-01T00:00:00Z"}\n'
    '{"op":"relate","from":"p_alice","rel":"member_of","to":"org_acme","timestamp":"2026-01-01T00:00:00Z"}\n'
)


def home(tmp_path: Path, name: str) -> Home:
    made = Home(tmp_path / name)
    made.run("init")
    return made


def given(tmp_path: Path, name: str, value: Any) -> str:
    place = tmp_path / "in" / name
    place.parent.mkdir(exist_ok=True)
    place.write_text(json.dumps(value), encoding="utf-8")
    return str(place)


def statements(one: Home) -> list[tuple[str, str, str]]:
    files = sorted((one.root / "memory/events").glob("*.md"))
    return [(event.date, event.text, event.category) for file in files for event in parse_file(file.read_text(), file.name).events]


@pytest.mark.parametrize("version", WARM)
def test_warm_of_every_version_comes_goes_and_comes_again(tmp_path: Path, version: str) -> None:
    first, other = home(tmp_path, "a"), home(tmp_path, "b")
    place = given(tmp_path, "warm-memory.json", WARM[version])
    first.run("import", place)
    assert first.data("import", place)["run"] is None
    said = statements(first)
    assert len(said) == 1
    assert said[0][0] == "2024-02-08"
    for value in ("docs.example/rpc", "make chain", "src/rpc.py"):
        assert (value in said[0][1]) == (value in json.dumps(WARM[version]))
    out = tmp_path / "out.json"
    first.run("export", "--format", "warm", "--whole", str(out))
    entries = json.loads(out.read_text())
    assert list(schema.check(entries, json.loads((SCHEMAS / "warm-memory.schema.json").read_text()))) == []
    assert [(one["category"], one["importance"]) for one in entries] == [("projects/boat", WARM[version][0].get("importance", 0.5))]
    other.run("import", str(out))
    assert statements(other) == said
    assert other.data("import", str(out))["run"] is None


@pytest.mark.parametrize("version", TREE)
def test_the_tree_of_every_version(tmp_path: Path, version: str) -> None:
    first, other = home(tmp_path, "a"), home(tmp_path, "b")
    first.run("import", given(tmp_path, "memory-tree.json", TREE[version]))
    out = tmp_path / "memory-tree.json"
    first.run("export", "--format", "tree", str(out))
    assert {name: one["desc"] for name, one in json.loads(out.read_text()).items()} == {name: one["desc"] for name, one in TREE[version].items() if name[0] != "_"}
    other.run("import", str(out))
    assert other.run("export", "--format", "tree") == first.run("export", "--format", "tree")


@pytest.mark.parametrize("version", HOT)
def test_the_hot_state_of_every_version(tmp_path: Path, version: str) -> None:
    first, other = home(tmp_path, "a"), home(tmp_path, "b")
    first.run("import", given(tmp_path, "hot-memory-state.json", HOT[version]))
    out = tmp_path / "hot-memory-state.json"
    first.run("export", "--format", "hot", str(out))
    value = json.loads(out.read_text())
    for key, part in HOT[version].items():
        assert value[key] == part
    other.run("import", str(out))
    assert other.run("export", "--format", "hot") == first.run("export", "--format", "hot")


def test_the_graph_line_by_line(tmp_path: Path) -> None:
    first, other = home(tmp_path, "a"), home(tmp_path, "b")
    place = tmp_path / "graph.jsonl"
    place.write_text(GRAPH)
    first.run("import", str(place))
    out = tmp_path / "out.jsonl"
    first.run("export", "--format", "graph", str(out))
    assert out.read_text() == GRAPH
    other.run("import", str(out))
    assert parse_graph((other.root / "memory/ontology/graph.jsonl").read_text()).relations == parse_graph(GRAPH).relations


def test_topics_with_their_log(tmp_path: Path) -> None:
    first, other = home(tmp_path, "a"), home(tmp_path, "b")
    first.topic("garden", "- The plot is 4 by 6 metres.", kind="hobby")
    first.run("store", "--text", "Seeds came by post.", "--topic", "garden", "--tag", "FACT")
    first.run("topic", "new", "health", "--type", "personal", "--private")
    first.run("store", "--text", "The blood test is on Friday.", "--topic", "health", "--tag", "FACT")
    first.night()
    out = tmp_path / "topic-memory"
    first.run("export", "--format", "topics", str(out))
    names = sorted(path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file())
    assert names == ["events/2026-03-10.md", "index.md", "topics/garden.md"]
    assert out.stat().st_mode & 0o777 == 0o700
    assert "blood test" not in "".join(path.read_text() for path in out.rglob("*.md"))
    other.run("import", str(out))
    facts = [fact.text for fact in parse_topic((first.root / "memory/topics/garden.md").read_text(), "memory/topics/garden.md").facts]
    assert [fact.text for fact in parse_topic((other.root / "memory/topics/garden.md").read_text(), "memory/topics/garden.md").facts] == facts
    assert other.data("import", str(out))["run"] is None
    other.run("undo", "--last", "--yes")
    assert not (other.root / "memory/topics/garden.md").exists()
    first.run("export", "--format", "topics", str(tmp_path / "with"), "--private")
    assert "blood test" in "".join(path.read_text() for path in (tmp_path / "with").rglob("*.md"))


def test_nothing_is_overwritten_and_private_stays_out(tmp_path: Path) -> None:
    first = home(tmp_path, "a")
    first.run("topic", "new", "health", "--type", "personal", "--private")
    first.run("store", "--text", "The blood test is on Friday.", "--topic", "health", "--tag", "FACT")
    assert "blood" not in first.run("export", "--format", "warm", "--whole")
    assert "blood" in first.run("export", "--format", "warm", "--whole", "--private")
    out = tmp_path / "x"
    out.write_text("mine")
    for kind in ("warm", "tree", "hot", "graph", "topics", "flat"):
        assert "exists already" in first.run("export", "--format", kind, str(out), code=2)
    assert out.read_text() == "mine"
    assert "needs a folder" in first.run("export", "--format", "topics", code=2)
    assert "say what to export" in first.run("export", code=2)
    assert json.loads(home(tmp_path, "empty").run("export", "--format", "warm")) == []
