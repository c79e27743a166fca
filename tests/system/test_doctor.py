"""`doctor`: each fault of a file, found at its place with what mends it; `--fix` mends what needs no person and can be taken back."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from command import Home
from silo.core.checks_stores import CODES
from silo.edge.llm.templates import load_schema
from silo.formats.schema import check

AGENT = ".silo/agents/default"
JUNK = b"this is no database, and it is longer than its header would be" * 100


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A memory without a fault, made once."""
    home = Home(tmp_path_factory.mktemp("sound") / "w")
    home.run("init")
    home.topic("garden", "- The plot is 4 by 6 metres. <!-- f_00000000000a since:2026-01-01 seen:2026-03-01 -->", kind="hobby")
    home.run("store", "--text", "Seeds came by post.", "--topic", "garden", "--tag", "FACT")
    home.night()
    home.run("retrieve", "--query", "seeds")
    assert "OK nothing found" in home.run("doctor")
    return home.root


@pytest.fixture
def home(sound: Path, tmp_path: Path) -> Home:
    shutil.copytree(sound, tmp_path / "w")
    return Home(tmp_path / "w")


def findings(home: Home, code: int = 1) -> dict[str, dict[str, str]]:
    said = json.loads(home.run("doctor", "--json", code=code).splitlines()[0])
    assert check(said, load_schema("doctor")) == ()
    return {row["code"]: row for row in said["findings"]}


def tomb(home: Home) -> None:
    home.run("store", "--text", "The safe stands behind the books.", "--tag", "FACT")
    home.run("forget", "--query", "safe stands", "--yes")


def host_forgot(home: Home) -> None:
    home.events("2026-03-09", "[FACT] garden: Said in a talk. <!-- id:e_00000000000b src:openclaw/s-9#m1 -->")
    home.run("doctor", "--ack", code=0)
    folder = home.root / "state/agents/main/agent"
    folder.mkdir(parents=True)
    with sqlite3.connect(folder / "openclaw-agent.sqlite") as db:
        db.execute("CREATE TABLE memory_session_tombstones (session_id TEXT PRIMARY KEY, agent_id TEXT)")
        db.execute("INSERT INTO memory_session_tombstones VALUES ('s-9', 'main')")


def another_key(home: Home) -> None:
    tomb(home)
    (home.root / ".silo/key").write_text("another\n")


def handed(home: Home) -> None:
    one = {"schema_version": 1, "id": "h_00000000000a", "path": "MEMORY.md", "base": "0" * 64, "target": "1" * 64, "created": "2026-03-01", "instruction": "Replace it.", "keep": []}
    home.write(".silo/handover/h_00000000000a.json", json.dumps(one))
    home.write(".silo/handover/h_00000000000a.md", "x\n")
    home.write("MEMORY.md", "changed\n")


def damaged_run(home: Home) -> None:
    (run, *_) = sorted((home.root / ".silo/runs").iterdir())
    (run / "manifest.json").write_text("{")


def linked_out(home: Home) -> None:
    (home.root / "memory/outside.md").symlink_to("/etc/hostname")


def entry(ident: str, text: str = "x") -> dict[str, object]:
    return {"id": ident, "text": text, "category": "garden", "importance": 0.5, "created_at": 1, "access_count": 0, "score": 0.5, "tier": "warm", "metadata": {"urls": [], "commands": [], "paths": []}}


# code → (what is done to a sound memory, where the finding stands, words of its remedy)
FAULTS: dict[str, tuple[Callable[[Home], object], str, str]] = {
    "D018": (host_forgot, "memory/events/2026-03-09.md:3", "forget --session s-9"),
    "D019": (lambda h: (h.root / ".silo/cold.db").write_bytes(JUNK), ".silo/cold.db", "doctor --fix"),
    "D020": (lambda h: ([p.unlink() for p in h.root.glob(".silo/index.db-*")] and 0) or (h.root / ".silo/index.db").write_bytes(JUNK), ".silo/index.db", "doctor --fix"),
    "D021": (lambda h: (h.root / ".silo/state.db").write_bytes(JUNK), ".silo/state.db", "sets it aside"),
    "D022": (lambda h: h.write(f"{AGENT}/hot-memory-state.json", json.dumps({"owner_profile": {"note": "x" * 6000}})), f"{AGENT}/hot-memory-state.json", "hot --rebuild"),
    "D023": (lambda h: h.write(f"{AGENT}/warm-memory.json", "{}"), f"{AGENT}/warm-memory.json", "undo"),
    "D024": (lambda h: h.write(".silo/config.json", '{\n "hot": {\n  "max_bites": 3\n }\n}\n'), ".silo/config.json:3", "did you mean `hot.max_bytes`"),
    "D025": (another_key, ".silo/tombstones.jsonl", "restore .silo/key"),
    "D026": (lambda h: (h.root / ".silo/key").chmod(0o644), ".silo/key", "doctor --fix"),
    "D027": (lambda h: h.write(".silo/review.jsonl", '{"id": "r_00000000000a", "text": 5}\n'), ".silo/review.jsonl:1", "repair or delete"),
    "D028": (lambda h: h.write("memory/ontology/graph.jsonl", '{"op":"relate","from":"p_a","rel":"knows","to":"p_b","timestamp":"2026-01-01T00:00:00Z"}\n'), "memory/ontology/graph.jsonl:1", "correct the line"),
    "D029": (lambda h: h.write("MEMORY.md", "<!-- silo:router:begin -->\nno end\n"), "MEMORY.md:1", "mend or remove"),
    "D030": (lambda h: h.write(f"{AGENT}/memory-tree.json", json.dumps({"a": {"desc": "", "children": ["b"]}, "a/c": {"desc": "", "children": []}})), f"{AGENT}/memory-tree.json", "doctor --fix"),
    "D031": (damaged_run, ".silo/runs/", "move the folder away"),
    "D032": (linked_out, "memory/outside.md", "replace it"),
    "D033": (lambda h: h.write("memory/topics/orchard.archive.md", "---\ntopic: orchard\n---\n"), "memory/topics/orchard.archive.md", "there is no topic orchard"),
    "D034": (lambda h: h.write(".silo/private/topics/garden.md", (h.root / "memory/topics/garden.md").read_text()), ".silo/private/topics/garden.md", "delete one"),
    "D035": (handed, ".silo/handover/h_00000000000a.md", "has changed since"),
    "D036": (lambda h: h.write(f"{AGENT}/warm-memory.json", json.dumps([entry("e_ffffffffffff")])), f"{AGENT}/warm-memory.json", "import"),
}
MORE = [
    ("D022", lambda h: h.write(f"{AGENT}/hot-memory-state.json", "[1]")),
    ("D023", lambda h: h.write(f"{AGENT}/warm-memory.json", json.dumps([entry(f"e_{n:012x}", "y" * 400) for n in range(200)]))),
    ("D024", lambda h: h.write(".silo/config.json", '{"hot": {"max_lessons": "many"}}')),
    ("D025", lambda h: (tomb(h), (h.root / ".silo/key").unlink())),
    ("D025", lambda h: h.write(".silo/tombstones.jsonl", "not json\n")),
    ("D026", lambda h: (h.root / ".silo").chmod(0o755)),
    ("D030", lambda h: h.write(f"{AGENT}/memory-tree.json", "[]")),
]


def test_every_code_has_a_fault() -> None:
    assert set(FAULTS) == set(CODES)


@pytest.mark.parametrize("code", FAULTS)
def test_a_fault_is_found_at_its_place_with_what_mends_it(home: Home, code: str) -> None:
    spoil, where, remedy = FAULTS[code]
    spoil(home)
    found = findings(home)
    assert code in found, found
    assert found[code]["where"].startswith(where)
    assert remedy in found[code]["message"]


@pytest.mark.parametrize(("code", "spoil"), MORE, ids=[f"{code}-{n}" for n, (code, _) in enumerate(MORE)])
def test_its_other_forms_are_found_too(home: Home, code: str, spoil: Callable[[Home], object]) -> None:
    spoil(home)
    assert code in findings(home)


def test_fix_mends_what_needs_no_person_and_can_be_taken_back(home: Home) -> None:
    for code in ("D019", "D020", "D026", "D030"):
        FAULTS[code][0](home)
    topic = home.root / "memory/topics/garden.md"
    topic.write_text(topic.read_text().replace("type: hobby", "type: hobby\ncurated_lines: 99"))
    index = home.root / "memory/index.md"
    index.write_text("# mine now\n")
    before = {path: path.read_bytes() for path in (topic, index, home.root / f"{AGENT}/memory-tree.json")}
    assert set(findings(home)) >= {"D006", "D017", "D019", "D020", "D026", "D030"}
    assert "nothing was written" in home.run("doctor", "--fix", "--dry-run", code=1)
    assert {path: path.read_bytes() for path in before} == before
    said = home.run("doctor", "--fix")
    assert "OK nothing found" in said
    assert (home.root / ".silo/key").stat().st_mode & 0o777 == 0o600
    home.run("undo", "--last", "--yes")
    assert {path: path.read_bytes() for path in before} == before
    assert "Seeds came" in home.run("retrieve", "--query", "seeds")
