"""One record a run, quiet and failed ones included, and the silence of a job seen from outside."""

from __future__ import annotations

import json
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
        patch.setattr(night, "signature", lambda seen: 1 / 0)
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
