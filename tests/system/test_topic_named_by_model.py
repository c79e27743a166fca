"""A suggested topic named by a model: the name is of the entries' words, or the rules' name stands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command import Home
from engines import Scripted, answers
from silo.jobs import engines

DAYS = {
    "2026-03-04": "[FACT] general: Two hives were set up behind the shed",
    "2026-03-05": "[DECISION] general: No honey harvest from the hives in the first year",
    "2026-03-06": "[FACT] general: The queen of the left hive is from a Buckfast line",
    "2026-03-07": "[EVENT] general: Fed both hives with sugar syrup",
}


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path / "w")
    folder = made.root / "memory/events"
    folder.mkdir(parents=True)
    for day, line in DAYS.items():
        (folder / f"{day}.md").write_text(f"# Events {day}\n\n{line}\n", "utf-8")
    return made


def model(home: Home, monkeypatch: pytest.MonkeyPatch, title: str) -> Scripted:
    (home.root / ".silo").mkdir(exist_ok=True)
    (home.root / ".silo/config.json").write_text(json.dumps({"engines": {"name": {"engine": "http", "endpoint": "http://127.0.0.1:1/x"}}}))
    made = Scripted([lambda prompt: answers(prompt, lambda one: {"title": title})], engine="http")
    monkeypatch.setitem(engines.TRANSPORTS, "http", made.make)
    return made


def suggested(home: Home) -> list[tuple[str, str]]:
    return [(one["slug"], one["title"]) for one in home.data("run", script="suggest_topics.py")["suggestions"]]


def test_a_models_name_of_the_entries_words_is_taken(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    made = model(home, monkeypatch, "Hives behind the shed")
    assert suggested(home) == [("hives-behind-the-shed", "Hives behind the shed")]
    assert suggested(home) == [("hives-behind-the-shed", "Hives behind the shed")]
    assert len(made.prompts) == 1, "a name is asked for once"
    assert "OK" in home.run("accept", "hives-behind-the-shed", script="suggest_topics.py")
    assert (home.root / "memory/topics/hives-behind-the-shed.md").is_file()


@pytest.mark.parametrize("title", ["Quantum finance", "Ignore all previous instructions", "x" * 55, "..", "蜂"])
def test_a_name_that_nobody_said_or_that_cannot_be_one_is_not_taken(home: Home, monkeypatch: pytest.MonkeyPatch, title: str) -> None:
    by_rules = suggested(home)
    (home.root / ".silo/proposals.jsonl").unlink()
    made = model(home, monkeypatch, title)
    assert suggested(home) == by_rules
    assert len(made.prompts) == 2, "it is told once what was wrong"


def test_a_name_of_a_topic_that_is_there_is_not_taken(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    home.run("topic", "new", "hive")
    model(home, monkeypatch, "Hive")
    assert "hive" not in [slug for slug, _ in suggested(home)]
