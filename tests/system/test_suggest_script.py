"""suggest_topics.py as a person or the assistant runs it: suggest, list, accept, dismiss, undo."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from silo.formats import schema

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "scripts"
BEES = {
    "2026-04-04": ["[FACT] general: Two hives were set up behind the shed"],
    "2026-04-09": [
        "[DECISION] general: No honey harvest in the first year",
        "[EVENT] general: Lost the blue umbrella on the tram",
    ],
    "2026-04-19": ["[FACT] general: The queen is from a Buckfast line <!-- conf:confirmed src:cli -->"],
}


def run(home: Path, *args: str, script: str = "suggest_topics.py", today: str = "2026-04-20", code: int = 0) -> str:
    command = [sys.executable, str(SCRIPTS / script), *args, "--workspace", str(home), "--today", today, "--timezone", "UTC"]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env={"HOME": str(home), "PATH": "/usr/bin:/bin"}
    )
    assert done.returncode == code, (done.returncode, done.stdout, done.stderr)
    return done.stdout + done.stderr if code else done.stdout


def found(home: Path, *args: str, today: str = "2026-04-20") -> list[dict[str, Any]]:
    data = json.loads(run(home, *args, "--json", today=today))
    shape = json.loads((ROOT / "schemas" / "suggestions.schema.json").read_text(encoding="utf-8"))
    assert list(schema.check(data, shape)) == []
    return list(data["suggestions"])


def write(home: Path, days: dict[str, list[str]]) -> None:
    folder = home / "memory" / "events"
    folder.mkdir(parents=True, exist_ok=True)
    for day, lines in days.items():
        with (folder / f"{day}.md").open("a", encoding="utf-8") as file:
            if file.tell() == 0:
                file.write(f"# Events {day}\n\n")
            file.write("".join(line + "\n" for line in lines))


def digest(home: Path, *, memory_alone: bool = False) -> dict[str, str]:
    kept = [p for p in home.rglob("*") if p.is_file() and p.name not in ("state.db", "state.db-wal", "state.db-shm")]
    kept = [p for p in kept if "locks" not in p.parts and p.name != ".gitignore" and (not memory_alone or "memory" in p.parts)]
    return {str(p.relative_to(home)): hashlib.sha256(p.read_bytes()).hexdigest() for p in kept}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    write(tmp_path, BEES)
    return tmp_path


def test_three_entries_about_one_thing_are_suggested_and_two_are_not(home: Path, tmp_path: Path) -> None:
    (only,) = found(home, "run")
    assert only["slug"] == "beekeeping"
    assert [e["date"] for e in only["events"]] == ["2026-04-04", "2026-04-09", "2026-04-19"]
    assert "umbrella" not in json.dumps(only)
    fewer = tmp_path / "fewer"
    write(fewer, {"2026-04-04": BEES["2026-04-04"], "2026-04-09": BEES["2026-04-09"]})
    assert found(fewer) == []


def test_old_entries_and_events_alone_are_not_suggested(tmp_path: Path) -> None:
    write(tmp_path, {"2026-04-04": ["[EVENT] general: Saw a swarm", "[EVENT] general: Bees again", "[TODO] general: Order a hive"]})
    assert found(tmp_path) == []
    write(tmp_path, {"2026-04-04": ["[FACT] general: The hive is a Langstroth"]})
    assert len(found(tmp_path)) == 1
    assert found(tmp_path, today="2026-06-20") == []


def test_a_topic_that_is_there_already_is_not_suggested(home: Path) -> None:
    run(home, "topic", "new", "apiary", "--summary", "Bees and hives", script="memory_cli.py")
    assert found(home) == []


def test_a_second_run_changes_nothing_and_nothing_is_created(home: Path) -> None:
    found(home)
    before = digest(home)
    first = found(home)
    assert digest(home) == before
    assert found(home) == first
    assert not (home / "memory" / "topics").exists()
    assert found(home, "list")[0]["id"] == first[0]["id"]


def test_dry_runs_write_nothing(home: Path) -> None:
    before = digest(home)
    assert "proposals.jsonl" in run(home, "run", "--dry-run")
    assert digest(home) == before
    (only,) = found(home)
    before = digest(home)
    assert "+topic: beekeeping" in run(home, "accept", only["id"], "--dry-run")
    run(home, "dismiss", only["id"], "--dry-run")
    assert digest(home) == before


def test_accept_opens_the_topic_and_files_its_entries(home: Path) -> None:
    (only,) = found(home)
    run(home, "accept", only["slug"], "--slug", "bees", "--type", "hobby")
    text = (home / "memory/topics/bees.md").read_text(encoding="utf-8")
    assert "topic: bees\ntype: hobby\n" in text
    log = {p.name: p.read_text(encoding="utf-8") for p in (home / "memory/events").iterdir()}
    assert log["2026-04-19.md"].endswith("[FACT] bees: The queen is from a Buckfast line <!-- conf:confirmed src:cli -->\n")
    assert "[EVENT] general: Lost the blue umbrella on the tram\n" in log["2026-04-09.md"]
    assert "\nbees | hobby | " in "\n" + (home / "memory/index.md").read_text(encoding="utf-8")
    assert found(home) == []
    assert found(home, "list") == []
    assert [(one["status"], one["slug"]) for one in found(home, "list", "--all")] == [("accepted", "bees")]
    assert "chain" not in run(home, "doctor", script="memory_cli.py", code=0)
    run(home, script="curate_nightly.py")
    facts = (home / "memory/topics/bees.md").read_text(encoding="utf-8")
    assert "- Two hives were set up behind the shed <!-- f_" in facts


def test_later_entries_are_routed_to_the_accepted_topic(home: Path) -> None:
    run(home, "run")
    run(home, "accept", "beekeeping")
    talk = home / "talk.jsonl"
    rows: list[dict[str, Any]] = [
        {"type": "session", "version": 3, "id": "8d9001d3-2c6a-403d-8592-1a77115050f3", "timestamp": "2026-04-20T09:00:00Z"},
        {
            "type": "message",
            "id": "m1",
            "timestamp": "2026-04-20T09:00:00Z",
            "message": {"role": "user", "content": [{"type": "text", "text": "I decided to move the second hive behind the shed."}]},
        },
    ]
    talk.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    run(home, "--source", "jsonl", "--path", str(talk), script="extract_session.py")
    assert "[DECISION] beekeeping: " in (home / "memory/events/2026-04-20.md").read_text(encoding="utf-8")


def test_accept_is_undone_byte_for_byte(home: Path) -> None:
    found(home)
    before = digest(home, memory_alone=True)
    run(home, "accept", "beekeeping")
    run(home, "undo", "--last", "--yes", script="memory_cli.py")
    assert digest(home, memory_alone=True) == before


def test_dismiss_waits_two_weeks_and_for_something_newer(home: Path) -> None:
    (only,) = found(home)
    run(home, "dismiss", only["id"])
    assert found(home) == []
    assert found(home, today="2026-05-04") == []
    write(home, {"2026-04-25": ["[FACT] general: Varroa count was three mites"]})
    assert found(home, today="2026-05-03") == []
    (again,) = found(home, today="2026-05-04")
    assert again["id"] == only["id"]
    assert len(again["events"]) == 4
    run(home, "accept", only["id"], today="2026-05-04")


def test_an_open_suggestion_keeps_its_id_and_name_while_it_grows(home: Path) -> None:
    (only,) = found(home)
    write(home, {"2026-04-20": ["[FACT] general: Varroa count was three mites", "[TODO] general: Ask the vet about mites"]})
    (grown,) = found(home)
    assert (grown["id"], grown["slug"]) == (only["id"], only["slug"])
    assert len(grown["events"]) == 5


def test_what_can_not_be_done_is_said_and_writes_nothing(home: Path) -> None:
    run(home, "run")
    run(home, "topic", "new", "taken", "--summary", "Something else", script="memory_cli.py")
    before = digest(home)
    assert "no open suggestion" in run(home, "accept", "nothing", code=2)
    assert "exists already" in run(home, "accept", "beekeeping", "--slug", "taken", code=2)
    assert "try my-bees" in run(home, "accept", "beekeeping", "--slug", "My Bees", code=2)
    assert "no open suggestion" in run(home, "dismiss", "nothing", code=2)
    assert digest(home) == before


def test_private_lines_and_other_agents_stay_apart(tmp_path: Path) -> None:
    private = tmp_path / ".silo/private/events"
    private.mkdir(parents=True)
    lines = "".join(line + "\n" for day in BEES.values() for line in day)
    (private / "2026-04-19.md").write_text(f"# Events 2026-04-19\n\n{lines.replace('general', 'gone')}", encoding="utf-8")
    assert found(tmp_path) == []
    own = {day: [f"{line.partition(' <!--')[0]} <!-- agent:work -->" for line in said] for day, said in BEES.items()}
    write(tmp_path, own)
    (only,) = found(tmp_path)
    assert only["agent"] == "work"
    assert found(tmp_path, "run", "--agent-id", "default") == []
    run(tmp_path, "accept", only["id"])
    assert "agents: [work]" in (tmp_path / "memory/topics/beekeeping.md").read_text(encoding="utf-8")


def test_a_secret_in_the_log_is_not_repeated(home: Path) -> None:
    write(home, {"2026-04-19": ["[FACT] general: The hive camera's key is sk-proj-4f9aK2mZ8xQ1wE7rT5yU3iO0pL6sD"]})
    shown = json.dumps(found(home))
    assert "sk-proj" not in shown
    assert "sk-proj" not in (home / ".silo/proposals.jsonl").read_text(encoding="utf-8")
