"""The chain over the event log: what was changed after it was logged is named until it is acknowledged."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from faulty_disk import FaultyDisk
from silo.edge.workspace import Workspace
from silo.model import Append, Plan, Put, Write
from silo.text.lines import sha256

NOW = datetime(2026, 9, 29, 12, 0, tzinfo=UTC)
EVENTS = "memory/events/2026-09-29.md"
HEAD = b"# Events 2026-09-29\n\n"


def event(number: int, text: str) -> bytes:
    return f"[FACT] garden: {text} <!-- id:e_{number:012x} conf:confirmed -->\n".encode()


def log(space: Workspace, data: bytes) -> None:
    space.apply(Plan("store", (Append(EVENTS, data, HEAD),)), now=NOW, command="store", scheduled=False)


def acknowledge(space: Workspace) -> None:
    space.apply(
        Plan("ack", state=space.chain_acknowledged()), now=NOW, command="doctor --ack", scheduled=False
    )


def told(space: Workspace) -> list[tuple[str, str]]:
    return [(problem.where, problem.code) for problem in space.chain_problems()]


@pytest.fixture
def space(tmp_path: Path) -> Workspace:
    space = Workspace.open(tmp_path, fs=FaultyDisk())
    log(space, event(1, "The pump is green.") + event(2, "The fence is old.") + event(3, "The gate squeaks."))
    return space


def rewrite(space: Workspace, old: bytes, new: bytes) -> None:
    place = space.root / EVENTS
    assert old in place.read_bytes()
    place.write_bytes(place.read_bytes().replace(old, new))


def test_a_log_of_ours_is_whole(space: Workspace) -> None:
    log(space, event(4, "more"))
    assert told(space) == []
    assert (space.root / ".silo/key").stat().st_mode & 0o777 == 0o600


def test_every_flipped_byte_is_found(space: Workspace) -> None:
    place = space.root / EVENTS
    whole = place.read_bytes()
    start = whole.index(event(2, "The fence is old."))
    for at in range(start, start + len(event(2, "The fence is old.")) - 1):
        for flip in (1, 0x20, 0x80):
            place.write_bytes(whole[:at] + bytes([whole[at] ^ flip]) + whole[at + 1 :])
            found = space.chain_problems()
            assert found, (at, flip)
            assert any("e_000000000002" in problem.message for problem in found), (at, flip)
    place.write_bytes(whole)
    assert told(space) == []


def test_a_changed_line_is_named_until_acknowledged(space: Workspace) -> None:
    rewrite(space, b"fence is old", b"fence is new")
    assert told(space) == [(f"{EVENTS}:4", "chain-edited")]
    log(space, event(4, "A later store adopts nothing."))
    assert told(space) == [(f"{EVENTS}:4", "chain-edited")]
    acknowledge(space)
    assert told(space) == []


def test_a_line_that_can_not_be_read_is_damage(space: Workspace) -> None:
    rewrite(space, b"[FACT] garden: The fence", b"[F\xffCT] garden: The fence")
    assert told(space) == [(f"{EVENTS}:4", "chain-damaged")]


def test_a_line_typed_by_hand_is_adopted(space: Workspace) -> None:
    rewrite(
        space,
        event(2, "The fence is old."),
        event(2, "The fence is old.") + b"[FACT] garden: Typed by hand.\n",
    )
    assert told(space) == []
    ids = space.chain.ids(EVENTS, space.read(EVENTS) or b"")
    assert ids[4] == "e_000000000002"
    typed = ids[5]
    assert typed.startswith("e_")
    result = space.apply(Plan("curate"), now=NOW, command="curate", scheduled=True, adopt=True)
    assert result.run_id is None
    known = (space.root / ".silo/state.db").read_bytes()
    space.apply(Plan("curate"), now=NOW, command="curate", scheduled=True, adopt=True)
    assert (space.root / ".silo/state.db").read_bytes() == known
    rewrite(space, b"Typed by hand", b"Typed by my hand")
    assert told(space) == [(f"{EVENTS}:5", "chain-edited")]
    assert space.chain.ids(EVENTS, space.read(EVENTS) or b"")[5] == typed


def test_a_deleted_line_is_told_and_kept_out(space: Workspace) -> None:
    rewrite(space, event(3, "The gate squeaks."), b"")
    assert told(space) == [(EVENTS, "chain-deleted")]
    log(space, event(4, "more"))
    assert told(space) == [(EVENTS, "chain-deleted")]
    acknowledge(space)
    assert told(space) == []


def test_a_removed_file_is_told(space: Workspace) -> None:
    (space.root / EVENTS).unlink()
    assert told(space) == [(EVENTS, "chain-deleted")] * 3


def test_moved_lines_are_no_edit(space: Workspace) -> None:
    lines = (space.root / EVENTS).read_bytes().splitlines(keepends=True)
    (space.root / EVENTS).write_bytes(b"".join([*lines[:2], lines[4], lines[2], lines[3]]))
    assert told(space) == []


def test_our_own_rewrite_is_no_edit_but_keeps_older_ones(space: Workspace) -> None:
    rewrite(space, b"fence is old", b"fence is new")
    data = space.read(EVENTS) or b""
    moved = data.replace(b"garden: The gate", b"gates: The gate")
    space.apply(Plan("route", (Write(EVENTS, sha256(data), moved),)), now=NOW, command="x", scheduled=False)
    assert told(space) == [(f"{EVENTS}:4", "chain-edited")]


def test_changed_records_are_told(space: Workspace) -> None:
    value = space.state.get("chain", EVENTS)
    assert isinstance(value, dict)
    value["lines"][2][1] = "0" * 16
    space.state.apply([Put("chain", EVENTS, value)])
    assert (EVENTS, "chain-records") in told(space)


def test_another_key_begins_afresh_and_says_so(space: Workspace) -> None:
    log(space, event(4, "more"))
    (space.root / ".silo/key").write_bytes(b"another\n")
    result = space.apply(Plan("s", (Append(EVENTS, event(5, "x")),)), now=NOW, command="s", scheduled=False)
    assert any("another key" in note for note in result.notes)
    assert told(space) == []
    assert list(space.state.items("chain")) == ["#key", EVENTS]


def test_a_lost_state_adopts_the_log(space: Workspace) -> None:
    (space.root / ".silo/state.db").unlink()
    assert told(space) == []
    log(space, event(4, "more"))
    rewrite(space, b"fence is old", b"fence is new")
    assert told(space) == [(f"{EVENTS}:4", "chain-edited")]


def test_no_words_in_the_state(space: Workspace) -> None:
    assert b"fence" not in (space.root / ".silo/state.db").read_bytes()
