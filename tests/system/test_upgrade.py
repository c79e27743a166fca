"""A workspace of an earlier release under this one: its state is taken up, nothing is read or written twice, its runs can be
taken back; and a workspace of a later one is refused with nothing changed."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from command import Home

DATA = Path(__file__).resolve().parents[1] / "data/openclaw"
DAY = "2026-11-29"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """What an earlier release left after extracting and curating the sessions of the real store, and that store."""
    root = tmp_path / "workspace"
    shutil.copytree(DATA / "earlier/workspace", root)
    (root / "dot-silo").rename(root / ".silo")
    shutil.copytree(DATA / "2026.9.6/agents", root / "state/agents")
    return Home(root, DAY)


def test_nothing_is_read_twice_and_what_waited_is_worked_in(home: Home) -> None:
    before = home.read(f"memory/events/{DAY}.md")
    home.run("--scheduled", script="extract_session.py")
    assert home.read(f"memory/events/{DAY}.md") == before
    facts = home.facts("cat")
    home.night()
    assert home.facts("cat") == [*facts, "Mochi_now_eats_at_seven."]
    later = home.memory()
    home.run("--scheduled", script="extract_session.py")
    home.night()
    assert home.memory() == later


def test_its_runs_can_still_be_taken_back(home: Home) -> None:
    text = home.read("memory/topics/cat.md")
    assert "curate" in home.run("log")
    home.run("undo", "--any", "--last", "--yes")
    assert "eats_at_seven" not in home.read(f"memory/events/{DAY}.md")
    assert home.read("memory/topics/cat.md") == text
    home.run("undo", "20261129-120000-0004", "--yes")
    assert home.facts("cat") == []


def test_a_workspace_of_a_later_release_is_refused_untouched(home: Home) -> None:
    with closing(sqlite3.connect(home.root / ".silo/state.db")) as db:
        db.execute("PRAGMA user_version = 99")
        db.commit()
    before = home.memory()
    for script, args in (("extract_session.py", ("--scheduled",)), ("curate_nightly.py", ("--scheduled",)), ("memory_cli.py", ("store", "--text", "x"))):
        assert "update memory-silo" in home.run(*args, script=script, code=2)
    assert home.memory() == before
