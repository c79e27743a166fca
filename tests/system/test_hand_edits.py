"""A person at a topic of 200 facts while the night works on it, and afterwards: what was typed stays, what was said arrives."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from command import Home
from faulty_disk import FaultyDisk, quick_folder
from hands import EDITS, WRITING
from silo.core.history import known_at, state_of
from silo.edge import reader as engine
from silo.edge.workspace import Workspace
from silo.jobs import night as nights

PATH = "memory/topics/house.md"
THINGS = ("shelf", "lamp", "door", "crate", "pump", "valve", "bench", "drill")
FACTS = [f"Item {n}: the {THINGS[n % 8]} number {n * 7} stands in room {n % 13}" for n in range(200)]
NEWS = ("The cellar key hangs behind the stove.", "The roof was painted green in May.", "Rent is due on the fifth of each month.")
WORD = "quinceword"


@pytest.fixture(scope="module")
def first() -> Iterator[Path]:
    """A topic of 200 facts that a night has written, and three statements that wait for the next one."""
    folder = quick_folder()
    home = Home(folder / "first", "2026-03-02")
    home.root.mkdir()
    bullets = [f"- {said}. <!-- f_{n:012x} since:2026-01-01 seen:2026-01-01 src:e_{n:012x} -->" for n, said in enumerate(FACTS)]
    home.topic("house", *bullets[:150], "", "## Attic", *bullets[150:])
    home.events("2026-03-01", "[FACT] house: The garden gate squeaks. <!-- id:e_0000000000ff -->")
    home.night()
    home.events("2026-03-09", *(f"[FACT] house: {said} <!-- id:e_{n:012x} -->" for n, said in enumerate(NEWS, 0x1000)))
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def home(first: Path) -> Home:
    shutil.rmtree(first / "w", ignore_errors=True)
    shutil.copytree(first / "first", first / "w")
    return Home(first / "w", "2026-03-10")


class Person:
    """Edits the file once, at one moment of somebody else's run; `by`: as an editor that replaces it, or in place."""

    def __init__(self, home: Home, kind: str, moment: int, by: str) -> None:
        self.place, self.kind, self.moment, self.by = home.root / PATH, kind, moment, by
        self.typed = ""

    def __call__(self, number: int, name: str) -> None:
        if number != self.moment:
            return
        before = self.place.read_bytes().decode()
        self.typed = EDITS[self.kind](before, 7, WORD) or before
        if self.by == "in place":
            self.place.write_text(self.typed, encoding="utf-8")
        else:
            draft = self.place.with_name("house.md~")
            draft.write_text(self.typed, encoding="utf-8")
            draft.rename(self.place)


def night_with(home: Home, monkeypatch: pytest.MonkeyPatch, person: Person | None) -> FaultyDisk:
    disk = FaultyDisk(at_step=person)
    with monkeypatch.context() as patch:
        patch.setattr(engine, "Disk", lambda owner=None: disk)
        home.night()
    return disk


def review(home: Home) -> list[dict[str, Any]]:
    place = home.root / ".silo/review.jsonl"
    return [json.loads(line) for line in place.read_text(encoding="utf-8").splitlines()] if place.exists() else []


def check(home: Home, person: Person) -> None:
    """Whatever the moment was: nothing is lost, and after the next night all of it stands where it belongs."""
    asked = [item for item in review(home) if item["kind"] == "edit"]
    text = home.read(PATH)
    if asked:
        copy = re.search(r"\.silo/conflicts/\S+\.md", asked[0]["text"])
        assert copy is not None
        assert all(said in home.read(copy[0]) for said in NEWS)
        assert text == person.typed
        assert "Your version stays" in asked[0]["text"]
    next_night = home.on("2026-03-11")
    next_night.night()
    text = home.read(PATH)
    # every fact stands there, or the changelog says what it said
    assert [said for said in FACTS if said not in text] == []
    assert [said for said in NEWS if text.count(f"- {said} <!--") != 1] == []
    if person.kind in WRITING:
        assert WORD in text
    kept = {line.partition(" <!--")[0].strip() for line in person.typed.split("\n") if line.startswith("- ") and " op:" not in line}
    there = {line.partition(" <!--")[0].strip() for line in text.split("\n")}
    assert kept <= there
    # what the memory held before is still known, and nothing is left to do
    facts = known_at(home.parsed("house"), "2026-03-05")
    assert [said for said in FACTS if said not in facts.values()] == []
    ids = [fact.id for fact in home.parsed("house").facts]
    assert len(ids) == len(set(ids))
    before = home.memory()
    next_night.night()
    assert home.memory() == before


@pytest.mark.parametrize("by", ["in place", "replaced"])
@pytest.mark.parametrize("kind", EDITS)
def test_an_edit_just_before_the_rename(home: Home, monkeypatch: pytest.MonkeyPatch, kind: str, by: str) -> None:
    shutil.copytree(home.root, home.root.with_name("dry"))
    steps = night_with(Home(home.root.with_name("dry"), home.today), monkeypatch, None).steps
    shutil.rmtree(home.root.with_name("dry"))
    person = Person(home, kind, 1 + steps.index("exchange house.md"), by)
    night_with(home, monkeypatch, person)
    assert person.typed
    assert len([item for item in review(home) if item["kind"] == "edit"]) == 1
    check(home, person)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["reworded", "deleted", "copied", "without_comment"])
def test_an_edit_at_every_step_of_the_night(home: Home, monkeypatch: pytest.MonkeyPatch, first: Path, kind: str) -> None:
    steps = night_with(home, monkeypatch, None).steps
    conflicts = 0
    for number in range(1, len(steps) + 1):
        shutil.rmtree(home.root)
        shutil.copytree(first / "first", home.root)
        person = Person(home, kind, number, "replaced")
        night_with(home, monkeypatch, person)
        if person.typed:  # a night that reads anew makes other steps
            conflicts += bool(review(home))
            check(home, person)
    print(f"{kind}: an edit at each of {len(steps)} steps, {conflicts} met the rename")


@pytest.mark.parametrize("kind", EDITS)
def test_an_edit_while_the_night_thinks_is_planned_on(home: Home, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    person = Person(home, kind, 1, "replaced")
    plan = nights.plan_night

    def slow(*args: Any) -> Any:
        made = plan(*args)
        if not person.typed:
            person(1, "")
        return made

    monkeypatch.setattr(nights, "plan_night", slow)
    home.night()
    assert review(home) == []
    check(home, person)


def test_what_is_stored_while_the_night_thinks_is_for_the_next_one(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = nights.plan_night

    def slow(*args: Any) -> Any:
        made = plan(*args)
        monkeypatch.setattr(nights, "plan_night", plan)
        home.run("store", "--topic", "house", "--tag", "FACT", "--text", "The boiler is serviced in autumn.")
        return made

    monkeypatch.setattr(nights, "plan_night", slow)
    home.night()
    assert "boiler" not in home.read(PATH)
    home.night()
    assert "- The boiler is serviced in autumn. <!--" in home.read(PATH)


def test_an_edit_right_after_the_commit_is_for_the_next_night(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    apply = Workspace.apply_planned
    edited: list[bool] = []

    def slow(space: Workspace, *args: Any, **more: Any) -> Any:
        result = apply(space, *args, **more)
        if not edited:
            edited.append(True)
            Person(home, "deleted", 1, "replaced")(1, "")
        return result

    with monkeypatch.context() as patch:
        patch.setattr(Workspace, "apply_planned", slow)
        home.night()
    home.on("2026-03-11").night()
    assert "[removed] Was: Item 7" in home.changelog("house")[0]


def test_a_deleted_fact_stays_deleted_until_it_is_said_again(home: Home) -> None:
    home.night()
    said = NEWS[0]
    lines = home.read(PATH).splitlines(keepends=True)
    home.write(PATH, "".join(line for line in lines if not line.startswith(f"- {said}")))
    home.on("2026-03-12").night()
    home.on("2026-03-10").run("store", "--topic", "house", "--tag", "FACT", "--text", said)
    home.on("2026-03-13").night()
    assert said not in home.facts("house")
    home.on("2026-04-01").run("store", "--topic", "house", "--tag", "FACT", "--text", said)
    home.on("2026-04-02").night()
    assert home.facts("house").count(said) == 1


def test_an_edit_whose_telling_was_taken_back_is_told_again(home: Home) -> None:
    home.night()
    place = home.root / PATH
    place.write_text((EDITS["deleted"](home.read(PATH), 7, WORD) or "").replace("Item 9:", "Thing 9:"), encoding="utf-8")
    edited = home.read(PATH)
    state = state_of(home.parsed("house"))
    home.on("2026-03-12").night()
    home.on("2026-03-12").run("undo", "--last", "--any", "--yes")
    assert home.read(PATH) == edited
    home.on("2026-03-13").night()
    assert {line.partition("]")[0] for line in home.changelog("house")[:2]} == {"- 2026-03-13: [removed", "- 2026-03-13: [edited"}
    assert state_of(home.parsed("house")) == state


@pytest.mark.parametrize("days", [0, 1])
def test_said_again_before_the_deletion_was_noticed_a_person_is_asked(home: Home, days: int) -> None:
    home.night()
    said = NEWS[0]
    lines = home.read(PATH).splitlines(keepends=True)
    home.write(PATH, "".join(line for line in lines if not line.startswith(f"- {said}")))
    home.on("2026-03-12").run("store", "--topic", "house", "--tag", "FACT", "--text", said)
    home.on(f"2026-03-{12 + days}").night()
    assert said not in home.facts("house")
    assert [item["kind"] for item in review(home)] == ["doubt"]
    assert "removed by hand" in review(home)[0]["text"]


def test_the_old_value_said_again_does_not_confirm_what_a_hand_wrote(home: Home) -> None:
    home.night()
    home.write(PATH, home.read(PATH).replace("hangs behind the stove", "hangs in the hall", 1))
    edited = next(fact for fact in home.parsed("house").facts if "hangs in the hall" in fact.text)
    home.on("2026-04-12").run("store", "--topic", "house", "--tag", "FACT", "--text", NEWS[0])
    home.on("2026-04-12").night()
    after = next(fact for fact in home.parsed("house").facts if fact.id == edited.id)
    assert (after.text, after.seen) == (edited.text, edited.seen)
    assert "changed by hand" in review(home)[0]["text"]
    # said again later it is evidence like any other
    home.on("2026-05-20").run("store", "--topic", "house", "--tag", "CHANGED", "--text", NEWS[0])
    home.on("2026-05-21").night()
    assert NEWS[0] in home.facts("house")


def test_a_to_do_that_is_done_is_to_be_done_again(home: Home) -> None:
    add = ("store", "--topic", "house", "--tag", "TODO", "--text", "Sweep the chimney.")
    home.run(*add)
    home.night()
    home.write(PATH, home.read(PATH).replace("- [ ] Sweep", "- [x] Sweep"))
    home.on("2026-03-12").night()
    home.on("2026-09-01").run(*add)
    home.on("2026-09-02").night()
    assert [fact for fact in home.facts("house") if "Sweep" in fact] == ["[x] Sweep the chimney.", "[ ] Sweep the chimney."]


@pytest.mark.parametrize("header", [False, True], ids=["the file alone", "the header too"])
def test_a_renamed_topic_file_is_the_same_topic(home: Home, header: bool) -> None:
    text = home.read(PATH).replace("Item 9:", "Thing 9:", 1)
    (home.root / PATH).rename(home.root / "memory/topics/cottage.md")
    home.write("memory/topics/cottage.md", text.replace("topic: house", "topic: cottage") if header else text)
    home.night()
    assert home.changelog("cottage")[-2].startswith("- 2026-03-10: [edited] Thing 9:")
    arrived = [said for said in NEWS if said in home.facts("cottage")]
    assert arrived == ([] if header else list(NEWS))  # by its new name alone nothing says that it was the house
    home.run("store", "--topic", "cottage", "--tag", "FACT", "--text", "The well is deep.")
    (home.root / "memory/topics/cottage.md").rename(home.root / PATH)
    home.on("2026-03-11").night()
    assert not [line for line in home.changelog("house") if "removed" in line]
    assert ("The well is deep." in home.facts("house")) == header  # the header still names it so
