"""topic rename, merge, archive and activate: what names the topic follows, nothing is lost, one undo takes it back."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from command import Home

ARCHIVE = "---\ntopic: {0}\n---\n<!-- CURATED_START -->\n## Changelog\n- 2025-01-01: [fact] Old {0}. Said. <!-- f:f_0000000000ff op:add -->\n<!-- CURATED_END -->\n<!-- SOURCE_START -->\n### 2025-01-01 — Old talk of {0}\n> words\n\n<!-- SOURCE_END -->\n"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path)
    made.topic("garage", "- The door is red. <!-- f_0000000000a1 since:2026-01-02 src:e_0000000000a1 -->", "- The roof leaks.", aliases="shed")
    text = made.read("memory/topics/garage.md").replace("## Changelog", "A word by hand.\n\n## Tools\n- A lathe.\n  - from Ana\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n## Changelog")
    text = text.replace("<!-- SOURCE_START -->\n", "<!-- SOURCE_START -->\n### 2026-02-02 — Talk\n> said\n\n")
    made.write("memory/topics/garage.md", text)
    made.write("memory/topics/garage.archive.md", ARCHIVE.format("garage"))
    made.topic("house", "- The house is old.", "- The roof leaks.", related="garage")
    made.events("2026-03-02", "[FACT] garage: The bench is oak. <!-- id:e_0000000000b1 conf:confirmed -->", "[FACT] house: The stairs creak.", "prose")
    made.events("2026-03-03", "[EVENT] garage: Swept it.")
    made.night()
    return made


def words(home: Home) -> Counter[str]:
    return Counter(word for name, data in home.memory().items() if name.startswith("memory/topics") for word in data.decode().split())


def test_rename_takes_everything_along_and_the_old_name_leads_there(home: Home) -> None:
    before = home.memory()
    assert "is now" in home.run("topic", "rename", "garage", "workshop", "--dry-run")
    assert home.memory() == before
    home.run("topic", "rename", "garage", "workshop")
    assert not (home.root / "memory/topics/garage.md").exists()
    assert home.parsed("workshop").header.list("aliases") == ("shed", "garage")
    assert home.parsed("workshop").problems == ()
    assert "topic: workshop" in home.read("memory/topics/workshop.archive.md")
    assert "[FACT] workshop: The bench is oak. <!-- id:e_0000000000b1 conf:confirmed -->\n[FACT] house:" in home.read("memory/events/2026-03-02.md")
    assert "[EVENT] workshop: Swept it." in home.read("memory/events/2026-03-03.md")
    assert home.parsed("house").header.list("related") == ("workshop",)
    assert "workshop |" in home.read("memory/index.md")
    assert "garage |" not in home.read("memory/index.md")
    after = home.memory()
    home.night()
    assert home.memory() == after
    home.run("store", "--text", "The vice is new.", "--topic", "garage", "--tag", "FACT")
    home.events("2026-03-09", "[FACT] shed: The saw is blue. <!-- id:e_0000000000b9 -->")
    home.night()
    assert {"The vice is new.", "The saw is blue."} <= set(home.facts("workshop"))
    assert "OK nothing found" in home.run("doctor")


def test_every_verb_that_takes_a_topic_takes_its_old_name(home: Home) -> None:
    home.topic("garage2", "- [ ] Sweep the yard. Due 2026-04-01. <!-- f_0000000000a9 since:2025-01-02 seen:2025-01-02 -->", "- The yard is of stone. <!-- f_0000000000a8 since:2025-01-02 seen:2025-01-02 -->")
    home.night()
    home.run("topic", "rename", "garage2", "yard")
    for verb in (["load", "{0}"], ["todos", "--topic", "{0}"], ["stale", "--topic", "{0}"], ["retrieve", "--query", "yard", "--topic", "{0}", "--json"]):
        old, new = (home.run(*(word.format(name) for word in verb)) for name in ("garage2", "yard"))
        assert old == new, verb
        assert "yard" in new.casefold(), verb
    assert "exists already" in home.run("topic", "new", "garage2", code=2)
    home.run("topic", "archive", "garage2")
    assert home.parsed("yard").header.text("status") == "archived"


def test_rename_is_undone_by_one_undo(home: Home) -> None:
    before = home.memory()
    home.run("topic", "rename", "garage", "workshop")
    home.run("undo", "--last", "--yes")
    assert home.memory() == before


def test_merge_loses_no_word_and_no_history(home: Home) -> None:
    before = words(home)
    facts = home.facts("garage")
    home.run("topic", "merge", "garage", "house")
    assert not (home.root / "memory/topics/garage.md").exists()
    assert not (home.root / "memory/topics/garage.archive.md").exists()
    lost = before - words(home)
    assert set(lost) <= {"#", "##", "garage", "house", "Facts", "Changelog", "---", "topic:", "-", "<!--", "-->", "CURATED_START", "CURATED_END", "SOURCE_START", "SOURCE_END",
                         *["Kept", "by", "memory-silo:", "correct", "it", "by", "hand", "as", "you", "like;", "the", "assistant", "changes", "it", "through", "the", "commands."]}, lost
    house = home.parsed("house")
    assert house.problems == ()
    assert set(facts) <= set(home.facts("house"))
    assert home.facts("house").count("The roof leaks.") == 1
    assert [h.text for h in house.headings if h.level == 2] == ["Facts", "Tools", "Changelog"]
    assert [change.date for change in house.changes] == sorted((change.date for change in house.changes), reverse=True)
    assert house.header.list("aliases") == ("shed", "garage")
    assert "### 2025-01-01 — Old talk of garage" in home.read("memory/topics/house.archive.md")
    assert "[FACT] house: The bench is oak." in home.read("memory/events/2026-03-02.md")
    after = home.memory()
    home.night()
    assert home.memory() == after


def test_merge_is_undone_by_one_undo(home: Home) -> None:
    before = home.memory()
    home.run("topic", "merge", "garage", "house")
    home.run("undo", "--last", "--yes")
    assert home.memory() == before


def test_archive_and_activate(home: Home) -> None:
    home.run("topic", "archive", "garage")
    assert "garage |" not in home.read("memory/index.md")
    assert "already" in home.run("topic", "archive", "garage")
    home.run("topic", "activate", "garage")
    assert "garage |" in home.read("memory/index.md")


def test_wrong_names_write_nothing(home: Home) -> None:
    before = home.memory()
    home.topic("secret", "- A pin.", sensitivity="private")
    for args, why in (
        (("rename", "garage"), "needs the new name"),
        (("rename", "garage", "Bad Name"), "can't name a topic"),
        (("rename", "garage", "house"), "leads to the topic house"),
        (("rename", "nowhere", "else"), "no topic nowhere"),
        (("merge", "garage"), "needs the topic that stays"),
        (("merge", "garage", "garage"), "are one topic"),
        (("merge", "garage", "secret"), "not for the same readers"),
        (("archive",), "needs a topic"),
    ):
        assert why in home.run("topic", *args, code=2)
    (home.root / "memory/topics/secret.md").unlink()
    assert home.memory() == before
