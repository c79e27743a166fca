"""One thing filed under two topics, by the commands of a person: what is asked for is told as it is now, once."""

from __future__ import annotations

from pathlib import Path

import pytest

from command import Home

OLD = "The kiln in the studio fires at 900 degrees."
NEW = "The kiln in the studio fires at 950 degrees now, not 900."


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path, "2026-03-01")
    made.run("topic", "new", "house", "--type", "personal")
    return made


def store(home: Home, text: str, category: str, tag: str = "FACT") -> None:
    home.run("store", "--text", text, "--tag", tag, "--category", category)


def asked(home: Home) -> list[str]:
    return [one["text"] for one in home.data("retrieve", "at how many degrees does the kiln fire?")["results"]]


@pytest.mark.parametrize("changed_in", ["house", "kiln", "nowhere"])
@pytest.mark.parametrize("first_in", ["house", "nowhere"])
def test_a_thing_of_an_older_topic_and_a_newer_one_has_one_value(home: Home, first_in: str, changed_in: str) -> None:
    store(home, OLD, first_in)
    home.night()
    later = home.on("2026-03-03")
    later.run("topic", "new", "kiln", "--type", "hobby")
    store(later, OLD, "kiln")
    later.night()
    assert [*later.facts("house"), *later.facts("kiln")] == [OLD]
    last = later.on("2026-03-06")
    store(last, NEW, changed_in, "CHANGED")
    last.night()
    assert [*last.facts("house"), *last.facts("kiln")] == [NEW]
    found = asked(last)
    assert NEW in found
    assert not [text for text in found if OLD[:-1] in text]


def test_lines_that_an_accepted_suggestion_takes_leave_the_other_topic(home: Home) -> None:
    bees = ["The beehive by the wall has a new queen.", "The beekeeper course is on Tuesdays.", "The beehive frames are made of pine."]
    store(home, bees[0], "house")
    home.night()
    later = home.on("2026-03-03")
    for text in bees:
        store(later, text, "nowhere")
    later.run("run", script="suggest_topics.py")
    for one in later.data("list", script="suggest_topics.py")["suggestions"]:
        later.run("accept", one["id"], "--slug", "beehive", script="suggest_topics.py")
    later.night()
    assert sorted([*later.facts("house"), *later.facts("beehive")]) == sorted(bees)
    assert later.facts("house") == []


def test_undo_gives_both_back_and_the_next_night_leaves_them(home: Home) -> None:
    home.run("topic", "new", "kiln", "--type", "hobby")
    store(home, OLD, "kiln")
    home.night()
    later = home.on("2026-03-03")
    store(later, OLD, "house")
    later.night()
    assert later.facts("house") == []
    later.run("undo", "--any", "--last", "--yes")
    last = later.on("2026-03-04")
    last.night()
    assert last.facts("kiln") == [OLD]
    assert last.run("doctor", "--json")


def test_a_bullet_carried_by_hand_is_changed_where_it_stands(home: Home) -> None:
    store(home, OLD, "house")
    home.night()
    later = home.on("2026-03-03")
    later.run("topic", "new", "kiln", "--type", "hobby")
    text = (home.root / "memory/topics/house.md").read_text()
    bullet = next(line for line in text.splitlines(keepends=True) if line.startswith(f"- {OLD}"))
    later.write("memory/topics/house.md", text.replace(bullet, ""))
    there = (home.root / "memory/topics/kiln.md").read_text()
    later.write("memory/topics/kiln.md", there.replace("## Facts\n", f"## Facts\n{bullet}"))
    later.night()
    last = later.on("2026-03-06")
    store(last, NEW, "house", "CHANGED")
    last.night()
    assert (last.facts("house"), last.facts("kiln")) == ([], [NEW])


def test_the_line_behind_each_of_two_facts_is_found_where_a_hand_typed_it(home: Home) -> None:
    home.run("topic", "new", "kiln", "--type", "hobby")
    home.events("2026-03-01", "[FACT] house: The deposit is 500 euros.", "[FACT] kiln: The deposit is 500 euros.")
    home.night()
    for slug in ("house", "kiln"):
        told = home.run("why", home.parsed(slug).facts[0].id)
        assert f"[FACT] {slug}: The deposit is 500 euros." in told
        assert "no longer in the log" not in told


def test_two_topics_that_became_one_hold_the_thing_once(home: Home) -> None:
    home.run("topic", "new", "kiln", "--type", "hobby")
    store(home, OLD, "house")
    home.night()
    later = home.on("2026-03-03")
    store(later, OLD, "kiln")
    later.run("topic", "merge", "house", "kiln")
    later.night()
    assert later.facts("kiln") == [OLD]
