"""Topics renamed, taken back and renamed again: there is one file of each, under one name, and its lines lead there."""

from __future__ import annotations

from pathlib import Path

import pytest

from command import Home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path)
    made.run("topic", "new", "garden", "--summary", "Beds and seeds.")
    made.run("store", "--topic", "garden", "--tag", "FACT", "--text", "The plot is 4 by 6 meters.")
    made.night()
    return made


def last(home: Home) -> str:
    return str(home.data("log", "--limit", "1")["runs"][0]["id"])


def files(home: Home) -> list[str]:
    return sorted(path.stem for path in (home.root / "memory/topics").glob("*.md"))


def test_an_undone_rename_brought_back_after_another_one_leaves_one_topic(home: Home) -> None:
    home.run("topic", "rename", "garden", "beds")
    home.run("undo", "--last", "--yes")
    undone = last(home)
    assert files(home) == ["garden"]
    home.run("topic", "rename", "garden", "plots")
    home.run("store", "--topic", "plots", "--tag", "FACT", "--text", "The fence is new.")
    home.on("2026-03-11").night()
    home.run("undo", undone, "--yes")
    assert files(home) == ["beds"]
    assert home.facts("beds") == ["The plot is 4 by 6 meters.", "The fence is new."]
    assert home.parsed("beds").header.text("topic") == "beds"
    home.on("2026-03-12").night()
    assert "beds |" in home.read("memory/index.md")
    assert "PROBLEM" not in home.on("2026-03-12").run("doctor")  # what was stored under the later name still leads here


def test_a_rename_taken_back_marks_no_fact_as_undone(home: Home) -> None:
    home.run("topic", "rename", "garden", "beds")
    home.run("undo", "--last", "--yes")
    lines = home.read("memory/topics/garden.md").splitlines(keepends=True)
    home.write("memory/topics/garden.md", "".join(line for line in lines if "The plot is" not in line or "op:" in line))
    home.on("2026-03-12").night()
    home.on("2026-04-01").run("store", "--topic", "garden", "--tag", "FACT", "--text", "The plot is 4 by 6 meters.")
    home.on("2026-04-02").night()
    assert home.facts("garden") == ["The plot is 4 by 6 meters."]
