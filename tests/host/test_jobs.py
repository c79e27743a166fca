"""The jobs in the real scheduler: added once, run without a model, their record ok or an error, and taken out again alone."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from openclaw import ZONE, Host, wait

from silo.core.schedule import JOBS

pytestmark = pytest.mark.host
KEYS = {job.key for job in JOBS}


def jobs(host: Host) -> dict[str, dict[str, Any]]:
    """All jobs of the host by key or, where they have none, by id."""
    return {one.get("declarationKey") or one["id"]: one for one in host.call("cron.list", includeDisabled=True)["jobs"]}


def forced(host: Host, key: str) -> dict[str, Any]:
    """A run of the job, now; its record."""
    ident = jobs(host)[key]["id"]

    def records() -> list[dict[str, Any]]:
        return list(host.call("cron.runs", id=ident)["entries"])

    before = len(records())
    host.call("cron.run", id=ident, mode="force")
    wait(lambda: len(records()) > before, f"a record of {key}")
    return max(records(), key=lambda one: int(one["ts"]))


@pytest.fixture(scope="module")
def before(curated: Host) -> dict[str, dict[str, Any]]:
    """The host's jobs before ours came."""
    found = jobs(curated)
    assert not KEYS & found.keys()
    return found


@pytest.fixture(scope="module")
def scheduled(curated: Host, before: dict[str, dict[str, Any]]) -> Host:
    """The shared host with our jobs; the day's one stood there already, as an earlier release had added it."""
    old = json.dumps(["/usr/bin/python3", "/an/older/place/curate_nightly.py"])
    curated.oc(
        "cron", "add", "--name", "memory curate", "--declaration-key", "memory-silo:curate", "--cron", "0 5 * * *",
        "--session", "isolated", "--no-deliver", "--command-argv", old,
    )  # fmt: skip
    for _ in range(2):
        curated.silo("init", "--host", "openclaw", "--schedule", "--yes")
    return curated


def test_each_job_is_there_once_and_is_a_command(scheduled: Host) -> None:
    found = [one for one in scheduled.call("cron.list", includeDisabled=True)["jobs"] if str(one.get("declarationKey", "")).startswith("memory-silo:")]
    assert sorted(one["declarationKey"] for one in found) == sorted(KEYS)
    for one in found:
        (job,) = [job for job in JOBS if job.key == one["declarationKey"]]
        assert one["payload"]["kind"] == "command"
        assert Path(one["payload"]["argv"][1]) == scheduled.skill / "scripts" / job.script
        assert (one["schedule"]["expr"], one["schedule"]["tz"]) == (job.cron, ZONE)
        assert one["delivery"]["mode"] == "none"


def test_a_run_extracts_without_a_model_and_is_recorded_as_ok(scheduled: Host) -> None:
    scheduled.say("We decided that the boat shed gets a rain barrel.")
    asked = len(scheduled.model.requests)
    assert forced(scheduled, "memory-silo:extract")["status"] == "ok"
    assert len(scheduled.model.requests) == asked
    events = "".join(path.read_text(encoding="utf-8") for path in scheduled.workspace.glob("memory/events/*.md"))
    assert events.count("rain barrel") == 1
    assert forced(scheduled, "memory-silo:curate")["status"] == "ok"
    assert "rain barrel" in scheduled.silo("load", "boat-shed")


@pytest.fixture
def newer(scheduled: Host) -> Iterator[Host]:
    """The workspace's state as a later release would have written it."""
    file = scheduled.workspace / ".silo/state.db"
    with closing(sqlite3.connect(file)) as db:
        (was,) = db.execute("PRAGMA user_version").fetchone()
        db.execute(f"PRAGMA user_version = {was + 50}")
        db.commit()
    yield scheduled
    with closing(sqlite3.connect(file)) as db:
        db.execute(f"PRAGMA user_version = {was}")
        db.commit()


def test_a_failing_job_shows_an_error_and_says_why(newer: Host) -> None:
    found = forced(newer, "memory-silo:extract")
    assert found["status"] == "error"
    assert "update memory-silo" in json.dumps(found)


def test_an_upgrade_keeps_state_and_jobs(scheduled: Host, skill_folder: Path, tmp_path: Path) -> None:
    facts = {path: path.read_bytes() for path in scheduled.workspace.glob("memory/**/*.md")}
    later = tmp_path / "memory-silo"
    shutil.copytree(skill_folder, later)
    (later / "CHANGELOG").write_text("a later release\n", encoding="utf-8")
    scheduled.oc("skills", "install", str(later), "--force")
    assert (scheduled.skill / "CHANGELOG").exists()
    assert {one: forced(scheduled, one)["status"] for one in sorted(KEYS)} == dict.fromkeys(sorted(KEYS), "ok")
    assert {path: path.read_bytes() for path in scheduled.workspace.glob("memory/**/*.md")} == facts


def test_what_was_added_is_taken_out_and_nothing_else(scheduled: Host, before: dict[str, dict[str, Any]]) -> None:
    scheduled.silo("init", "--hooks")
    scheduled.silo("init", "--remove")
    assert {key: one["id"] for key, one in jobs(scheduled).items()} == {key: one["id"] for key, one in before.items()}
    assert not (scheduled.workspace / "hooks/memory-silo").exists()
    assert "nothing of ours" in scheduled.silo("init", "--remove")
