"""The hot state: its parts, its limits at every commit, what leaves it, its block in MEMORY.md, how it is found."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from command import Home
from silo.core.hot import KEYS, LISTS, Limits, settled, size_of, updated
from silo.errors import BadInput
from silo.formats.warm import empty_hot, parse_hot, render_hot

HOT = ".silo/agents/default/hot-memory-state.json"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def update(home: Home, part: str, value: object, *more: str) -> Any:
    return home.data("hot", "--update", part, value if isinstance(value, str) else json.dumps(value), *more)


def state(home: Home) -> Any:
    return json.loads(home.read(HOT))


def logged(home: Home) -> str:
    return "".join(path.read_text(encoding="utf-8") for path in sorted((home.root / "memory/events").glob("*.md"))) if (home.root / "memory").exists() else ""


def test_every_part_can_be_set_and_is_shown(home: Home) -> None:
    update(home, "identity", {"agent_name": "Rook", "owner_name": "M."})
    update(home, "owner_profile", {"timezone": "Europe/Lisbon", "topics_loved": ["glazes", "boats"]})
    update(home, "lesson", {"text": "Dry the glaze for a day", "category": "pottery", "importance": 0.9})
    update(home, "event", "Fair on 14 May")
    update(home, "task", {"text": "Order bricks"})
    update(home, "project", {"name": "Kiln", "status": "Active - foundation", "description": "Build a kiln"})
    shown = json.loads(home.run("hot"))
    assert shown == state(home)
    assert list(shown) == ["identity", "owner_profile", "active_context", "critical_lessons"]
    assert shown["active_context"]["tasks"][0]["status"] == "pending"
    text = home.run("hot", "--plain")
    for words in ("Rook", "glazes, boats", "[pottery]: Dry the glaze", "Fair on 14 May", "Order bricks", "Kiln (Active - foundation): Build a kiln"):
        assert words in text
    assert "Europe/Lisbon" in home.run("context")


def test_items_are_told_by_text_or_name(home: Home) -> None:
    update(home, "project", {"name": "Kiln", "status": "Active", "description": "Build a kiln"})
    update(home, "project", {"name": "kiln", "status": "Waiting"})
    update(home, "lesson", {"text": "Dry the glaze", "importance": 0.5})
    update(home, "lesson", {"text": "dry the glaze", "importance": 0.9})
    update(home, "owner_profile", {"timezone": "Europe/Lisbon", "work_hours": "9-6"})
    update(home, "owner_profile", {"work_hours": None})
    assert state(home)["active_context"]["projects"] == [{"name": "Kiln", "status": "Waiting", "description": "Build a kiln"}]
    assert [one["importance"] for one in state(home)["critical_lessons"]] == [0.9]
    assert state(home)["owner_profile"] == {"timezone": "Europe/Lisbon"}


@pytest.mark.parametrize("status", ["Completed", "done", "cancelled - no money", "Concluído"])
def test_what_is_over_leaves_and_becomes_an_event_in_the_same_run(home: Home, status: str) -> None:
    update(home, "project", {"name": "Kiln", "status": "Active", "description": "Build a kiln"})
    update(home, "task", "Order bricks")
    update(home, "project", {"name": "Kiln", "status": status})
    update(home, "task", {"text": "Order bricks", "status": status})
    assert state(home)["active_context"] == {"projects": [], "events": [], "tasks": []}
    assert f"[EVENT] general: Project Kiln: Build a kiln. Status: {status}." in logged(home)
    assert ": Order bricks <!--" in logged(home)
    warm = json.loads(home.read(".silo/agents/default/warm-memory.json"))
    assert len(warm) == 2
    home.run("undo", "--last", "--yes")
    assert [one["text"] for one in state(home)["active_context"]["tasks"]] == ["Order bricks"]
    assert "Order bricks" not in logged(home)


def test_over_the_number_the_least_important_goes_into_the_log_and_the_warm_set(home: Home) -> None:
    for n in range(23):
        update(home, "lesson", {"text": f"Lesson {n} of the workshop", "importance": (n * 7 % 23) / 23})
    kept = {one["text"]: one["importance"] for one in state(home)["critical_lessons"]}
    assert len(kept) == 20
    assert min(kept.values()) >= 3 / 23
    warm = {one["text"] for one in json.loads(home.read(".silo/agents/default/warm-memory.json"))}
    everything = kept.keys() | warm
    assert everything == {f"Lesson {n} of the workshop" for n in range(23)}
    for n in range(23):
        found = [one for one in home.data("retrieve", "--query", f"lesson {n} of the workshop")["results"] if f"esson {n} of" in one["text"]]
        assert len(found) == 1, n


def test_only_the_last_ten_events_and_ten_pending_tasks_stay(home: Home) -> None:
    for n in range(12):
        update(home, "event", {"text": f"Event {n}", "timestamp": 1_772_600_000 + n})
        update(home, "task", {"text": f"Task {n}", "timestamp": 1_772_600_000 + n})
    active = state(home)["active_context"]
    assert [one["text"] for one in active["events"]] == [f"Event {n}" for n in range(2, 12)]
    assert [one["text"] for one in active["tasks"]] == [f"Task {n}" for n in range(2, 12)]
    assert "Event 0 (2026-03-04)" in logged(home)
    assert "[TODO] general: Task 1" in logged(home)


def test_a_profile_that_is_too_long_is_refused_whole(home: Home) -> None:
    update(home, "owner_profile", {"timezone": "Europe/Lisbon"})
    before = home.read(HOT)
    said = home.run("hot", "--update", "owner_profile", json.dumps({"personality": "calm " * 1100}), code=2)
    assert "5120" in said
    assert home.read(HOT) == before
    assert not logged(home)


def test_a_profile_that_needs_the_room_puts_others_out_with_a_notice(home: Home) -> None:
    for n in range(10):
        update(home, "event", f"Event {n} with words enough to take some room in the state, so that it counts")
    said = home.run("hot", "--update", "owner_profile", json.dumps({"personality": "calm " * 800}), "--plain")
    assert "had no room" in said
    assert (home.root / HOT).stat().st_size <= 5120
    assert state(home)["owner_profile"]["personality"] == "calm " * 800
    kept = {one["text"][:7] for one in state(home)["active_context"]["events"]}
    assert {f"Event {n}" for n in range(10)} == kept | {f"Event {n}" for n in range(10) if f"Event {n} with" in logged(home)}


@pytest.mark.parametrize(
    ("part", "value"),
    [("mood", "{}"), ("identity", "[]"), ("identity", "calm"), ("lesson", "{"), ("lesson", '{"category": "x"}'), ("lesson", '{"text": "a", "importance": 7}'), ("task", "[1]"), ("project", '{"status": "x"}')],
)
def test_a_bad_update_is_refused_and_says_how(home: Home, part: str, value: str) -> None:
    assert "NEXT" in home.run("hot", "--update", part, value, code=2)
    assert not (home.root / HOT).exists()


@pytest.mark.parametrize("value", ['{"a": NaN}', '{"a": -Infinity}', '{"a": "\\ud800"}', '{"\\udfff": 1}', '{"a": ' + "[" * 5000 + "]" * 5000 + "}", '{"a": ' + "9" * 5000 + "}"])
@pytest.mark.parametrize("part", ["identity", "lesson"])
def test_what_no_file_of_json_can_hold_is_refused(home: Home, part: str, value: str) -> None:
    said = home.run("hot", "--update", part, value, code=2)
    assert "the value is no JSON" in said
    assert not (home.root / ".silo/agents").exists()


def test_secrets_do_not_get_in(home: Home) -> None:
    secret = "ghp_" + "A1b2C3d4E5f6G7h8I9j0" * 2
    update(home, "owner_profile", {"note": f"token {secret}"})
    assert secret not in home.read(HOT)


def test_the_block_is_written_on_request_and_kept_up_to_date(home: Home) -> None:
    home.write("MEMORY.md", "# Mine\n\nA line by hand.\n")
    update(home, "lesson", "Dry the glaze for a day")
    home.run("consolidate")
    assert home.read("MEMORY.md") == "# Mine\n\nA line by hand.\n", "nobody asked for the block"
    home.run("hot", "--rebuild")
    text = home.read("MEMORY.md")
    assert text.startswith("# Mine\n\nA line by hand.\n")
    assert "- Lesson: Dry the glaze for a day" in text
    home.write("MEMORY.md", text + "\nAnother by hand.\n")
    update(home, "task", "Order bricks")
    text = home.read("MEMORY.md")
    assert "- Task (pending): Order bricks" in text
    assert text.endswith("\nAnother by hand.\n")
    home.run("hot", "--remove-block")
    assert home.read("MEMORY.md").replace("\n\n\n", "\n\n") in ("# Mine\n\nA line by hand.\n\nAnother by hand.\n", "# Mine\n\nA line by hand.\n\n\nAnother by hand.\n")
    home.run("hot", "--rebuild", "--agent-id", "scout")
    assert (home.root / "MEMORY-scout.md").exists()


def test_damaged_marks_are_an_error_and_nothing_is_written(home: Home) -> None:
    home.write("MEMORY.md", "<!-- silo:hot:begin -->\nno end\n")
    assert "MEMORY.md:1" in home.run("hot", "--rebuild", code=2)
    assert home.read("MEMORY.md") == "<!-- silo:hot:begin -->\nno end\n"


def test_what_scores_high_is_promoted_and_leaves_again(home: Home) -> None:
    ident = home.data("store", "--text", "The lease ends in December.", "--importance", "0.95")["id"]
    low = home.data("store", "--text", "The fence is green.")["id"]
    home.run("consolidate")
    events = state(home)["active_context"]["events"]
    assert [one.get("id") for one in events] == [ident]
    assert low not in home.read(HOT)
    home.run("consolidate")
    assert state(home)["active_context"]["events"] == events
    home.on("2026-03-25").run("consolidate")
    assert not state(home)["active_context"]["events"]
    found = home.data("retrieve", "--query", "when does the lease end")["results"]
    assert [one["id"] for one in found if "lease" in one["text"]] == [ident], "once, and still there"


def test_lessons_identity_and_profile_do_not_leave_by_age(home: Home) -> None:
    update(home, "lesson", {"text": "Dry the glaze for a day", "importance": 0.1})
    update(home, "identity", {"agent_name": "Rook"})
    before = state(home)
    home.on("2036-03-10").run("consolidate", "--mode", "full")
    assert state(home) == before


def test_promoted_facts_give_way_to_what_somebody_says(home: Home) -> None:
    for n in range(12):
        home.run("store", "--text", f"Weighty matter number {n}.", "--importance", "0.95")
    home.run("consolidate")
    assert len(state(home)["active_context"]["events"]) == 10
    update(home, "event", "Fair on 14 May")
    events = state(home)["active_context"]["events"]
    assert len(events) == 10
    assert "Fair on 14 May" in [one["text"] for one in events]
    assert logged(home).count("Weighty") == 12, "no line twice"


def test_an_import_keeps_the_limits_too(home: Home) -> None:
    old = empty_hot()
    old["owner_profile"] = {"personality": " ".join(f"calm{n}" for n in range(500)), "history": " ".join(f"long{n}" for n in range(300))}
    old["critical_lessons"] = [{"text": f"Lesson {n} from before", "importance": n / 40} for n in range(30)]
    home.write("old/hot-memory-state.json", json.dumps(old))
    said = home.run("import", str(home.root / "old/hot-memory-state.json"))
    assert (home.root / HOT).stat().st_size <= 5120
    assert "had no room" in said
    log = logged(home)
    assert all(f"Lesson {n} from before" in log + home.read(HOT) for n in range(30))
    whole = log + home.read(HOT)
    assert all(re.search(rf"calm{n}\b", whole) for n in range(500))
    assert all(re.search(rf"long{n}\b", whole) for n in range(300))


def test_an_undo_with_later_changes_takes_out_its_own_part(home: Home) -> None:
    update(home, "lesson", "The first")
    update(home, "lesson", "The second")
    update(home, "owner_profile", {"timezone": "Europe/Lisbon"})
    rows = [line.split()[0] for line in home.run("log").splitlines()]
    home.run("undo", rows[1], "--yes")
    assert [one["text"] for one in state(home)["critical_lessons"]] == ["The first"]
    assert state(home)["owner_profile"] == {"timezone": "Europe/Lisbon"}


def test_what_an_undo_gives_back_to_a_full_state_is_kept_in_the_log(home: Home) -> None:
    for n in range(21):
        update(home, "lesson", {"text": f"Lesson {n} of the workshop", "importance": 0.1 + n / 100})
    run = home.data("log")["runs"][0]["id"]
    assert "Lesson 0 of" in logged(home)
    update(home, "lesson", {"text": "Lesson 21 of the workshop", "importance": 0.9})
    update(home, "lesson", {"text": "Lesson 22 of the workshop", "importance": 0.9})
    home.run("undo", run, "--yes")
    everything = home.read(HOT) + logged(home)
    for n in {*range(23)} - {20}:
        assert f"Lesson {n} of" in everything, n
    assert len(state(home)["critical_lessons"]) <= 20


def test_the_full_context_holds_the_whole_state_and_tree(home: Home) -> None:
    update(home, "owner_profile", {"history": " ".join(f"year{n}" for n in range(180))})
    for n in range(15):
        update(home, "lesson", {"text": f"Lesson {n} of the workshop, told with words enough to take room", "importance": 0.5})
    for n in range(8):
        home.run("tree", "--add", f"projects/part{n}", "A part of the whole")
        home.run("store", "--text", f"Open work number {n} with words enough to take room in the day's list.")
    assert (home.root / HOT).stat().st_size > 3000
    full = home.run("context", "--full")
    assert len(full.encode()) <= 15 * 1024
    for words in (*(f"year{n}" for n in range(180)), *(f"Lesson {n} of" for n in range(15)), *(f"projects/part{n}" for n in range(8))):
        assert words in full, words
    assert len(home.run("context").encode()) <= 8192


# --- fuzz -------------------------------------------------------------------------------------------------

words = st.builds(lambda text, times: text * times, st.text(max_size=6), st.integers(0, 120))
values = st.one_of(words, st.dictionaries(st.sampled_from(["text", "name", "status", "importance", "description", "category", "x"]), st.one_of(words, st.floats(0, 1)), max_size=5))
profiles = st.dictionaries(st.text(min_size=1, max_size=12), st.one_of(words, st.lists(words, max_size=3), st.none()), max_size=4)
updates = st.lists(st.tuples(st.sampled_from(KEYS), values, profiles), max_size=25)


@settings(suppress_health_check=[HealthCheck.too_slow])  # the first text of a process takes a second
@given(updates)
def test_whatever_is_said_the_state_keeps_its_limits_and_loses_nothing(found: list[tuple[str, Any, Any]]) -> None:
    limits = Limits()
    now = empty_hot()
    for n, (key, value, profile) in enumerate(found):
        try:
            after, _over, came = updated(now, key, profile if key in ("identity", "owner_profile") else value, 1000.0 + n)
        except BadInput:
            continue
        kept, gone = settled(after, limits, came)
        assert size_of(kept) <= limits.max_bytes
        assert len(kept["critical_lessons"]) <= 20
        assert all(len(kept["active_context"][name]) <= 10 for name in ("events", "tasks"))
        before = sum(len(after["active_context"][name]) for name in LISTS) + len(after["critical_lessons"]) + len(after["identity"]) + len(after["owner_profile"])
        left = sum(len(kept["active_context"][name]) for name in LISTS) + len(kept["critical_lessons"]) + len(kept["identity"]) + len(kept["owner_profile"])
        assert before == left + len(gone)
        assert parse_hot(render_hot(kept), "")[0] == kept
        assert settled(kept, limits) == (kept, ())
        now = kept
