"""Two devices edit the same memory offline, at random, and are brought together: nothing of either is lost."""

from __future__ import annotations

import json
import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from silo.core.devices import bring
from silo.formats.decisions import read_decisions
from silo.formats.events import parse_file
from silo.formats.topics import new_topic, parse_topic

TOPIC = new_topic("atelier", type="project", created="2026-01-01", summary="A studio.").replace(
    "## Facts\n", "## Facts\n" + "".join(f"- Fact number {n}. <!-- f_{n:012x} since:2026-01-0{n} -->\n" for n in range(1, 7))
)
DAY = "# Events 2026-03-01\n\n" + "".join(f"[FACT] atelier: Statement {n}. <!-- id:e_{n:012x} -->\n" for n in range(6))
GRAPH = "".join(f'{{"op":"create","entity":{{"id":"p_{n}","type":"Person","properties":{{}}}},"timestamp":"2026-01-0{n + 1}T00:00:00Z"}}\n' for n in range(4))
HOT = {"identity": {"owner_name": "Ana"}, "owner_profile": {}, "active_context": {"projects": [{"name": "CRM", "status": "Active"}], "events": [], "tasks": []},
       "critical_lessons": [{"text": "Test first", "importance": 0.9}]}  # fmt: skip


def both(path: str, base: str | None, mine: str, other: str) -> str:
    """The merged text; both devices come to the same lines, and a second exchange changes nothing."""
    here = bring(path, None if base is None else base.encode(), mine.encode(), other.encode()).data
    there = bring(path, None if base is None else base.encode(), other.encode(), mine.encode()).data
    assert here is not None
    assert there is not None
    # The second device meets what the first has sent: nothing more is lost or doubled on the way.
    second = bring(path, other.encode(), other.encode(), here).data
    assert second == here
    if not path.endswith(".json"):  # figures and order aside, the same is said
        assert sorted(here.decode().split("\n")) == sorted(there.decode().split("\n")) or base is None or "clash" in path or _collides(path, base, mine, other)
    return here.decode()


def _collides(path: str, base: str | None, mine: str, other: str) -> bool:
    return bool(bring(path, None if base is None else base.encode(), mine.encode(), other.encode()).collisions)


def edited(text: str, rng: random.Random, who: str, bullet: str) -> tuple[str, set[str], set[str], set[str]]:
    """(the text after random edits, marks added, marks changed, marks deleted); a mark is what a line is known by."""
    lines = text.split("\n")
    added, changed, deleted = set(), set(), set()
    for step in range(rng.randint(0, 6)):
        spots = [n for n, line in enumerate(lines) if re.match(r"- Fact|- New|\[FACT\]", line)]
        kind = rng.choice(("add", "add", "change", "delete"))
        if kind == "add" or not spots:
            mark = f"{who} adds {step}-{rng.randrange(10**9)}"
            place = (rng.choice(spots) + 1) if spots else len(lines) - 1
            lines.insert(place, bullet.format(mark=mark, ident=f"{rng.randrange(16**12):012x}"))
            added.add(mark)
        elif kind == "change":
            spot = rng.choice(spots)
            mark = f"{who} changes {step}-{rng.randrange(10**9)}"
            lines[spot] = lines[spot].replace(".", f" ({mark}).", 1)
            changed.add(mark)
        else:
            gone = lines.pop(rng.choice(spots))
            deleted.add(gone)
    said = "\n".join(lines)
    return said, {m for m in added if m in said}, {m for m in changed if m in said}, deleted


@pytest.mark.parametrize(
    ("path", "base", "bullet"),
    [
        ("memory/topics/atelier.md", TOPIC, "- New: {mark}. <!-- f_{ident} -->"),
        ("memory/events/2026-03-01.md", DAY, "[FACT] atelier: {mark}. <!-- id:e_{ident} -->"),
        ("memory/active.md", TOPIC.split("---\n", 2)[2], "- New: {mark}."),
    ],
)
@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_random_edits_of_both_sides_all_arrive(path: str, base: str, bullet: str, seed: int) -> None:
    rng = random.Random(seed)
    mine, my_new, my_changes, _ = edited(base, rng, "here", bullet)
    other, their_new, their_changes, _ = edited(base, rng, "there", bullet)
    done = bring(path, base.encode(), mine.encode(), other.encode())
    assert done.data is not None
    text = done.data.decode()
    told = " ".join(f"{one.here} {one.there}" for one in done.collisions)
    assert not [mark for mark in my_new | their_new if mark not in text]
    assert not [mark for mark in my_changes | their_changes if mark not in text and mark not in told]
    if path.startswith("memory/topics"):
        parsed = parse_topic(text, path)
        assert not [one for one in parsed.problems if one.code not in ("duplicate-id",)], parsed.problems
        assert {fact.text for fact in parsed.facts if fact.text.startswith("New")} >= {f"New: {mark}." for mark in my_new | their_new if f"New: {mark}." in mine + other}
    if "/events/" in path:
        ids = [event.id for event in parse_file(text, path).events]
        assert len(ids) == len(set(ids))
    again = bring(path, other.encode(), other.encode(), done.data)
    assert again.data == done.data


@pytest.mark.parametrize(("path", "text"), [("memory/topics/atelier.md", TOPIC), ("memory/events/2026-03-01.md", DAY), ("memory/ontology/graph.jsonl", GRAPH)])
def test_without_a_base_both_stay(path: str, text: str) -> None:
    lines = text.splitlines(keepends=True)
    mine, other = "".join(lines[:-2] + lines[-1:]), "".join(line for n, line in enumerate(lines) if n != len(lines) - 3)
    merged = both(path, None, mine, other)
    assert not [line for line in lines if line not in merged]
    assert len(merged) == len(text)


@pytest.mark.parametrize(("path", "text"), [("memory/topics/a.md", TOPIC), ("memory/events/2026-03-01.md", DAY), ("memory/ontology/graph.jsonl", GRAPH)])
def test_a_deletion_of_one_side_holds_where_the_other_left_the_line(path: str, text: str) -> None:
    lines = text.splitlines(keepends=True)
    victim = next(line for line in lines if "f_" in line or "e_" in line or "p_1" in line)
    other = text + ("" if path.endswith("topics/a.md") else lines[-1].replace("p_3", "p_9").replace("0005", "0009").replace("Statement 5", "Statement 9"))
    merged = both(path, text, text.replace(victim, ""), other)
    assert victim not in merged
    assert len(merged.splitlines()) == len(other.splitlines()) - 1


def test_the_same_line_changed_on_both_sides_stands_twice_and_is_told() -> None:
    mine, other = TOPIC.replace("Fact number 2.", "Fact number two."), TOPIC.replace("Fact number 2.", "Fact number zwei.")
    done = bring("memory/topics/atelier.md", TOPIC.encode(), mine.encode(), other.encode())
    assert done.data is not None
    assert "number two." in done.data.decode()
    assert "number zwei." in done.data.decode()
    assert len(done.collisions) == 1


def test_headers_are_merged_by_key() -> None:
    mine = TOPIC.replace("last_verified: 2026-01-01", "last_verified: 2026-03-04").replace("tags: []", "tags: [clay]")
    other = TOPIC.replace("last_verified: 2026-01-01", "last_verified: 2026-03-09").replace("status: active", "status: paused")
    done = bring("memory/topics/atelier.md", TOPIC.encode(), mine.encode(), other.encode())
    header = parse_topic((done.data or b"").decode(), "x").header
    assert (header.text("last_verified"), header.text("status")) == ("2026-03-09", "paused")
    assert parse_topic((done.data or b"").decode(), "memory/topics/atelier.md").problems == ()
    assert done.collisions == ()


def test_one_deleted_the_file_the_other_changed_it() -> None:
    assert bring("memory/active.md", b"a\n", None, b"a\nb\n").data == b"a\nb\n"
    assert bring("memory/active.md", b"a\n", b"a\nb\n", None).data == b"a\nb\n"
    assert bring("memory/active.md", b"a\n", b"a\n", None).data is None
    assert bring("memory/active.md", None, b"a\n", None).data == b"a\n"


def test_decisions_are_merged_by_id() -> None:
    base = '{"id":"r_1","status":"open"}\n{"id":"r_2","status":"open"}\n'
    mine = base + '{"id":"r_1","status":"accepted","decided":"2026-03-01"}\n'
    other = base + '{"id":"r_1","status":"rejected","decided":"2026-03-02"}\n{"id":"r_3","status":"open"}\n'
    merged = bring(".silo/review.jsonl", base.encode(), mine.encode(), other.encode()).data or b""
    items = read_decisions(merged.decode(), "x").items
    assert {ident: item["status"] for ident, item in items.items()} == {"r_1": "rejected", "r_2": "open", "r_3": "open"}


def test_hot_state_is_merged_by_name() -> None:
    def dumped(change: object) -> bytes:
        return json.dumps(change).encode()

    mine, other = json.loads(json.dumps(HOT)), json.loads(json.dumps(HOT))
    mine["active_context"]["projects"].append({"name": "Boat", "status": "Active"})
    mine["owner_profile"]["timezone"] = "Europe/Lisbon"
    other["active_context"]["projects"][0]["status"] = "Completed"
    other["active_context"]["tasks"].append({"text": "Call Rui", "status": "pending"})
    other["critical_lessons"] = []
    merged = json.loads(bring(".silo/agents/default/hot-memory-state.json", dumped(HOT), dumped(mine), dumped(other)).data or b"")
    assert merged["active_context"]["projects"] == [{"name": "CRM", "status": "Completed"}, {"name": "Boat", "status": "Active"}]
    assert merged["active_context"]["tasks"] == [{"text": "Call Rui", "status": "pending"}]
    assert merged["owner_profile"] == {"timezone": "Europe/Lisbon"}
    assert merged["critical_lessons"] == []


@settings(max_examples=150, deadline=None)
@given(st.text("ab\n- #", max_size=40), st.text("ab\n- #", max_size=40), st.text("ab\n- #", max_size=40))
def test_no_line_of_either_side_is_lost(base: str, mine: str, other: str) -> None:
    done = bring("memory/active.md", base.encode(), mine.encode(), other.encode())
    merged = (done.data or b"").decode().splitlines()
    for side, rest in ((mine, other), (other, mine)):
        new = {line for line in side.splitlines() if line.strip() and line not in base.splitlines()}
        assert new <= {*merged}, (new, merged, rest)


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=60), st.binary(max_size=60), st.sampled_from(["memory/active.md", "memory/topics/a.md", "memory/events/2026-03-01.md", ".silo/config.json", "memory/ontology/graph.jsonl", ".silo/review.jsonl"]))
def test_any_bytes_are_merged(mine: bytes, other: bytes, path: str) -> None:
    assert bring(path, None, mine, other).data is not None
