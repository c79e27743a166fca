"""`doctor --secrets` names what is there already by place and kind, never by value, and changes nothing."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from command import Home

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0kLmNoPqRsTuVwXyZ"
WORD = "Copper" + "!Lantern88"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home(tmp_path / "w")
    home.run("init")
    return home


def test_a_clean_memory_has_none(home: Home) -> None:
    home.run("store", "--text", "Rotate the token every month.", "--tag", "PROCEDURE")
    assert "OK no secret found" in home.run("doctor", "--secrets")


def test_each_is_named_by_place_and_kind_and_not_shown(home: Home) -> None:
    home.write("MEMORY.md", f"# Memory\n\n- The wifi password is {WORD}.\n")
    home.write("memory/topics/boat.md", f"# Boat\n\ntext\n{TOKEN}\n")
    home.write("memory/events/2026-03-01.md", f"# Events 2026-03-01\n\n[FACT] boat: the key is {TOKEN}\n")
    before = home.memory()
    said = home.run("doctor", "--secrets", code=1)
    for place in ("MEMORY.md:3 secret password", "memory/topics/boat.md:4 secret github-token", "memory/events/2026-03-01.md:3 secret github-token"):
        assert place in said
    assert TOKEN not in said
    assert WORD not in said
    assert home.memory() == before
    rows = json.loads(home.run("doctor", "--secrets", "--json", code=1).splitlines()[0])["secrets"]
    assert {row["path"]: row["whose"] for row in rows} == {"MEMORY.md": "user", "memory/topics/boat.md": "user", "memory/events/2026-03-01.md": "ours"}


def test_a_database_is_looked_through_and_a_copy_for_undo_is_no_finding(home: Home) -> None:
    with sqlite3.connect(home.root / ".silo/old.db") as database:
        database.execute("create table t (x)")
        database.execute("insert into t values (?)", (f"my password is {WORD} and more",))
    said = home.run("doctor", "--secrets", code=1)
    assert ".silo/old.db secret password" in said
    (home.root / ".silo/old.db").unlink()
    home.write(".silo/base/memory/topics/boat.md", f"the password is {WORD}\n")
    assert "NOTE .silo/base/memory/topics/boat.md holds 1" in home.run("doctor", "--secrets")
