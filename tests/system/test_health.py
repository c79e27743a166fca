"""One record a run, quiet and failed ones included, and the silence of a job seen from outside."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from pathlib import Path

import pytest

from command import Home
from silo.edge.workspace import Workspace
from silo.formats import schema
from silo.jobs import curate as night

SHAPE = json.loads((Path(__file__).resolve().parents[2] / "schemas/health.schema.json").read_text(encoding="utf-8"))


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path)
    made.topic("garden")
    made.events("2026-03-09", "[FACT] garden: The gate is green. <!-- id:e_000000000001 -->")
    made.write("talk.txt", "[2026-03-09 10:00] User: Remember that the tap is closed in winter.\n")
    return made


def history(home: Home, job: str) -> list[dict[str, object]]:
    rows = [dict(row) for row in Workspace.open(home.root).state.items("metrics").values() if isinstance(row, dict)]
    return [row for row in rows if row["name"] == job]


def test_each_run_leaves_one_record_that_fits_its_schema(home: Home) -> None:
    home.night()
    home.night()
    home.run("--source", "text", "--path", str(home.root / "talk.txt"), script="extract_session.py")
    home.run("run", script="suggest_topics.py")
    jobs = home.data("status")["jobs"]
    for job in ("curate", "extract", "suggest"):
        assert list(schema.check(jobs[job], SHAPE)) == []
        assert jobs[job]["errors"] == 0
        assert {"files", "actions", "engine", "calls", "cost", "seconds"} <= jobs[job].keys()
    first, quiet = history(home, "curate")
    assert (first["actions"], quiet["actions"], quiet["files"]) == ({"new": 1}, {}, 0)
    assert len(history(home, "extract")) == 1


def test_a_dry_run_leaves_none(home: Home) -> None:
    home.run("--dry-run", script="curate_nightly.py")
    assert history(home, "curate") == []


def test_a_failed_run_is_on_record_and_the_next_good_one_clears_it(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    home.night()
    with monkeypatch.context() as patch:
        patch.setattr(night, "signature", lambda *seen: 1 / 0)
        for day in ("2026-03-11", "2026-03-12"):
            home.on(day).run("--scheduled", script="curate_nightly.py", code=70)
    value = home.data("status")["jobs"]["curate"]
    assert list(schema.check(value, SHAPE)) == []
    assert (value["errors"], value["failed"], value["at"][:10], value["failed_at"][:10]) == (2, "ZeroDivisionError", "2026-03-10", "2026-03-12")
    assert "curate failed on 2026-03-12 12:00 (ZeroDivisionError), 2 times since it last worked" in home.run("status")
    assert [row.get("errors") for row in history(home, "curate")] == [0, 1, 1]
    assert "D009" in home.on("2026-03-14").run("doctor", code=1)  # it ran, and never worked
    home.on("2026-03-14").night()
    assert home.data("status")["jobs"]["curate"]["errors"] == 0


def test_doctor_notices_a_silent_job_from_outside(home: Home) -> None:
    home.night()
    assert "D009" not in home.on("2026-03-13").run("doctor")
    told = home.on("2026-03-14").run("doctor", code=1)
    assert "PROBLEM .silo/state.db:1 D009 curate last ran on 2026-03-10" in told
    home.on("2026-03-14").night()
    assert "D009" not in home.on("2026-03-14").run("doctor")


def test_a_silent_job_is_told_at_the_session_start_where_a_scheduler_ran_it(home: Home) -> None:
    home.run(script="curate_nightly.py")
    told = "Scheduled jobs that have not run for days: {} (memory_cli.py doctor)"
    assert "have not run" not in home.on("2026-03-20").run("context")  # a person ran it, and may run it when they like
    home.night()
    assert "have not run" not in home.on("2026-03-13").run("context")
    assert told.format("curate") in home.on("2026-03-14").run("context")
    assert "consolidate last ran 2026-03-10" in home.run("status")
    assert "have not run" not in home.on("2026-03-14").run("context", "--audience", "group")


def test_a_clock_that_was_ahead_keeps_no_alarm_away(home: Home) -> None:
    home.on("2027-03-10").night()
    told = home.run("doctor", code=1)
    assert "D009 curate is on record for 2027-03-10, which has not come yet (a clock was wrong)" in told
    home.night()
    assert "D009" not in home.run("doctor")


LEDGER = "CREATE TABLE plugin_state_entries (plugin_id TEXT, namespace TEXT, entry_key TEXT, value_json TEXT, created_at INTEGER, expires_at INTEGER)"


def ledger(home: Home, *rows: tuple[str, str, str]) -> None:
    """The host's ledger with these rows: path, class, the content that the host last saw."""
    file = home.root / "state/state/openclaw.sqlite"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.unlink(missing_ok=True)
    with sqlite3.connect(file) as db:
        db.execute(LEDGER)
        for path, origin, text in rows:
            key = ":".join(hashlib.sha256(part.encode()).hexdigest() for part in (str(home.root.resolve()), path))
            value = {"relativePath": path, "fileHash": hashlib.sha256(text.encode()).hexdigest(), "originClass": origin}
            db.execute("INSERT INTO plugin_state_entries VALUES (?,?,?,?,1,NULL)", ("core:memory-artifact-provenance", "workspace-files", key, json.dumps(value)))
    db.close()


def findings(home: Home) -> dict[str, str]:
    found = json.loads(home.run("doctor", "--json", code=1))["findings"]
    return {one["where"]: one["message"] for one in found if one["code"] == "D014"}


def test_doctor_names_what_the_host_distrusts_and_what_it_will(home: Home) -> None:
    for path in ("MEMORY.md", "USER.md", "memory/2026-03-09.md"):
        home.write(path, "here\n")
    topic = home.read("memory/topics/garden.md")
    ledger(
        home,
        ("MEMORY.md", "untrusted", "here\n"), ("USER.md", "agent", "before\n"), ("memory/2026-03-09.md", "agent", "before\n"),
        ("memory/topics/garden.md", "agent", topic), ("memory/gone.md", "untrusted", "x"),
    )  # fmt: skip
    found = findings(home)
    assert sorted(found) == ["MEMORY.md:1", "USER.md:1", "memory/topics/garden.md:1"]
    assert "out of every prompt" in found["MEMORY.md:1"]
    assert "write it once" not in found["MEMORY.md:1"]
    assert "next edit" in found["USER.md:1"]
    ledger(home, ("MEMORY.md", "untrusted", "before\n"), ("USER.md", "agent", "here\n"), ("memory/2026-03-09.md", "untrusted", "here\n"))
    found = findings(home)
    assert sorted(found) == ["MEMORY.md:1", "memory/2026-03-09.md:1"]
    assert "write it once with its own tool, then" in found["MEMORY.md:1"]
    assert "prompt" not in found["memory/2026-03-09.md:1"]


def test_doctor_says_that_the_hosts_ledger_cannot_be_read(home: Home) -> None:
    home.write("state/state/openclaw.sqlite", "no database")
    assert "can't be read" in findings(home)["MEMORY.md:1"]


def test_a_setting_that_a_night_goes_by_ends_the_quiet(home: Home) -> None:
    home.topic("shop", "- The rent is 900.")
    block = "### 2026-03-0{0} — Talk {0}\n> said\n\n> owner: {1}\n\n"
    text = home.read("memory/topics/shop.md")
    home.write("memory/topics/shop.md", text.replace("<!-- SOURCE_START -->\n", "<!-- SOURCE_START -->\n" + "".join(block.format(n, "word " * 100) for n in (3, 2, 1))))
    home.night()
    assert home.data(script="curate_nightly.py")["quiet"] is True
    home.run("config", "set", "curation.source_bytes", "1000")
    assert home.data(script="curate_nightly.py")["counts"] == {"blocks archived": 2}
    assert home.data(script="curate_nightly.py")["quiet"] is True
