"""`memory_cli.py forget`: what is meant is gone from every file of ours, whatever form it stood in; the rest keeps its bytes."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from pathlib import Path

import pytest

from command import Home
from forgetting import OTHER, SECRET, everywhere, held
from silo.formats import schema
from transcript import Log


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home(tmp_path / "w")
    home.run("init")
    return home


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
    shape = json.loads((Path(__file__).resolve().parents[2] / "schemas" / "forget.schema.json").read_text(encoding="utf-8"))
    assert list(schema.check(said, shape)) == []
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


def test_words_that_stand_in_a_persons_own_lines_alone_are_named(home: Home) -> None:
    home.write("MEMORY.md", f"- {SECRET}\n")
    (home.root / ".silo-before-restore-20260101-000000").mkdir()
    said = home.run("forget", "--query", "blue flowerpot", "--yes")
    assert "nothing of that stands in the memory" in said
    assert "MEMORY.md:1" in said
    assert "rm -r" in said
    assert "forget --query 'blue flowerpot' --notes" in said
    home.run("forget", "--query", "blue flowerpot", "--notes", "--yes")
    assert held(home.root, SECRET) == {}


def test_own_lines_beside_a_block_of_ours_that_goes_are_named_too(home: Home) -> None:
    home.run("hot", "--update", "lesson", "Never miss the quokkafest.")
    home.run("hot", "--rebuild")
    home.write("MEMORY.md", home.read("MEMORY.md") + "\nMine: the quokkafest in June.\nMine: tea.\n")
    said = home.run("forget", "--query", "quokkafest", "--yes")
    lines = home.read("MEMORY.md").splitlines()
    assert "Never miss" not in home.read("MEMORY.md")
    assert f"MEMORY.md:{lines.index('Mine: the quokkafest in June.') + 1} (lines that are not ours)" in said
    assert "MEMORY.md:" not in home.run("forget", "--query", "quokkafest", "--notes", "--yes")
    assert "quokkafest" not in home.read("MEMORY.md")
    assert "Mine: tea." in home.read("MEMORY.md")


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
    assert any((home.root / ".silo/runs").iterdir())


# --- conversations ----------------------------------------------------------------------------------------


def talk(home: Home) -> Path:
    """A conversation with two statements, and one that says one of them in other words."""
    log = Log("s-1")
    log.user("Please remember: the landlord's phone number is 555-0177.")
    log.agent("Noted.")
    log.user("We decided to repaint the hall in May.")
    log.agent("Noted.")
    place = home.root.parent / "sessions" / "s-1.jsonl"
    place.parent.mkdir(exist_ok=True)
    place.write_text("\n".join(log.lines) + "\n", encoding="utf-8")
    return place


def extracted(home: Home, place: Path) -> list[str]:
    home.run("--source", "jsonl", "--path", str(place), "--all", script="extract_session.py")
    return [line for path in sorted((home.root / "memory/events").glob("*.md")) for line in path.read_text().splitlines() if line.startswith("[")]


def test_its_message_is_not_read_again(home: Home) -> None:
    place = talk(home)
    lines = extracted(home, place)
    assert any("555-0177" in line for line in lines), lines
    home.night()
    said = home.data("forget", "--query", "555-0177", "--yes")
    assert any("openclaw memory forget --session s-1" in row["clean"] for row in said["outside"])
    assert held(home.root, "555-0177") == {}
    for database in home.root.glob(".silo/state.db*"):
        database.unlink()  # cursors and what was seen are lost; the tombstones are not
    assert not any("555-0177" in line for line in extracted(home, place))
    assert any("repaint" in line for line in extracted(home, place))
    home.on("2026-03-12").night()
    assert held(home.root, "555-0177") == {}


def test_a_session_goes_and_stays_away(home: Home) -> None:
    place = talk(home)
    assert extracted(home, place)
    home.run("store", "--text", f"{OTHER}.", "--tag", "FACT")
    home.night()
    home.run("forget", "--session", "s-1", "--yes")
    assert held(home.root, "555-0177", "repaint the hall") == {}
    with place.open("a", encoding="utf-8") as file:
        log = Log("s-1", n=4)
        log.user("Remember that the boiler is serviced every October.")
        file.write(log.lines[-1] + "\n")
    assert extracted(home, place) == [line for line in extracted(home, place) if OTHER in line]


# --- what stays keeps its bytes ---------------------------------------------------------------------------


def test_the_changelog_of_a_fact_that_stays_loses_the_words_alone(home: Home) -> None:
    text = (
        "- The gate code is 4711. <!-- f_00000000000a src:e_00000000000b -->\n- A hand wrote this.\n"
    )
    home.topic("house", *text.splitlines())
    path = home.root / "memory/topics/house.md"
    log = (
        "- 2026-02-01: [code] The gate code is 4711. Was: The gate code is 1234. Said by Ana. <!-- f:f_00000000000a op:set at:2026-02-01T00:00:00+00:00 src:e_00000000000b -->\n"
        "- 2026-01-01: [roof] The roof is new. <!-- f:f_00000000000c op:add -->\n"
    )
    path.write_text(path.read_text().replace("## Changelog\n", f"## Changelog\n{log}"))
    before = path.read_text()
    home.run("forget", "--query", "The gate code is 1234", "--yes")
    wanted = before.replace("Was: The gate code is 1234. Said", "Was: (forgotten). Said")
    assert path.read_text() == wanted
    assert "4711" in wanted


def test_a_block_about_two_facts_keeps_the_other(home: Home) -> None:
    home.topic("house", "- The hall is repainted in May. <!-- f_00000000000a src:e_00000000000b -->")
    block = (
        "### 2026-03-01 — The landlord's number is 555-0177\n> The landlord's number is 555-0177.\n> The hall is repainted in May.\n\n"
        "> owner: his landlord phone: five five five, 555-0177\n> owner: let us repaint the hall in May\n\n"
    )
    path = home.root / "memory/topics/house.md"
    path.write_text(path.read_text().replace("<!-- SOURCE_START -->\n", f"<!-- SOURCE_START -->\n{block}"))
    home.run("forget", "--query", "landlord's number", "--yes")
    text = path.read_text()
    assert "555-0177" not in text
    assert "### 2026-03-01 — The hall is repainted in May\n> The hall is repainted in May.\n\n> owner: let us repaint the hall in May\n" in text


def test_edits_by_hand_that_nobody_has_read_stay_such(home: Home) -> None:
    home.topic("house", f"- {SECRET}. <!-- f_00000000000a -->", "- The gate is red. <!-- f_00000000000b -->")
    home.run("store", "--text", "The bell rings twice.", "--topic", "house", "--tag", "FACT")
    home.night()
    path = home.root / "memory/topics/house.md"
    path.write_text(path.read_text().replace("The gate is red.", "The gate is blue."))
    home.run("forget", "f_00000000000a", "--yes")
    base = (home.root / ".silo/base/memory/topics/house.md").read_text()
    assert "The gate is red." in base
    assert held(home.root, SECRET) == {}
    home.on("2026-03-12").night()
    assert "Was: The gate is red." in path.read_text()


def test_where_the_host_keeps_a_ledger_the_agent_takes_the_lines_out(home: Home) -> None:
    home.run("store", "--text", f"{SECRET}.", "--tag", "FACT")
    home.write("MEMORY.md", f"# Mine\n- {SECRET}\n- Stays.\n")
    folder = home.root / "state/state"
    folder.mkdir(parents=True)
    key = ":".join(hashlib.sha256(part.encode()).hexdigest() for part in (str(home.root.resolve()), "MEMORY.md"))
    row = {"relativePath": "MEMORY.md", "fileHash": "0" * 64, "originClass": "agent"}
    with sqlite3.connect(folder / "openclaw.sqlite") as db:
        db.execute("CREATE TABLE plugin_state_entries (plugin_id TEXT, namespace TEXT, entry_key TEXT, value_json TEXT)")
        db.execute("INSERT INTO plugin_state_entries VALUES ('core:memory-artifact-provenance', 'workspace-files', ?, ?)", (key, json.dumps(row)))
    said = home.data("forget", "--query", "blue flowerpot", "--notes", "--yes")
    assert "Replace the whole content of MEMORY.md" in said["handed"][0]
    assert set(held(home.root, SECRET)) == {"MEMORY.md"}
    (handover,) = (home.root / ".silo/handover").glob("*.md")
    assert handover.read_text() == "# Mine\n- Stays.\n"


def test_a_query_touches_no_other_line(home: Home) -> None:
    lines = [f"[FACT] general: Note {n} about {'tulips' if n % 3 == 0 else 'roses'}. <!-- id:e_0000000000{n:02x} conf:confirmed -->" for n in range(30)]
    home.events("2026-03-01", *lines)
    home.run("forget", "--query", "tulips", "--yes")
    kept = (home.root / "memory/events/2026-03-01.md").read_text().splitlines()
    assert kept == ["# Events 2026-03-01", "", *(line for line in lines if "roses" in line)]
    assert "D010" not in home.run("doctor", "--check", "memory/events")
