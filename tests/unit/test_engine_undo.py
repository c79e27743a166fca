"""Taking runs back: byte for byte where nothing came after, by lines where something did, and back again."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from faulty_disk import FaultyDisk
from silo.edge.unwind import Part, Unwound
from silo.edge.workspace import RunResult, Workspace
from silo.errors import BadInput, Conflict
from silo.model import Append, Change, Move, Plan, Put, Remove, StateOp, Write
from silo.text.lines import sha256

NOW = datetime(2026, 9, 29, 12, 0, tzinfo=UTC)
EVENTS = "memory/events/2026-09-29.md"
HEAD = b"# Events 2026-09-29\n\n"
GARDEN = "memory/topics/garden.md"
TEXT = b"# Garden\n\n- Pump green\n- Roses\n- Fence\n\nEnd\n"


def event(number: int, text: str, source: str = "") -> bytes:
    mark = f" src:{source}" if source else ""
    return f"[FACT] garden: {text} <!-- id:e_{number:012x} conf:confirmed{mark} -->\n".encode()


@pytest.fixture
def space(tmp_path: Path) -> Workspace:
    (tmp_path / "memory" / "topics").mkdir(parents=True)
    (tmp_path / GARDEN).write_bytes(TEXT)
    return Workspace.open(tmp_path, fs=FaultyDisk())


def do(space: Workspace, *changes: Change, state: tuple[StateOp, ...] = (), scheduled: bool = False) -> str:
    plan = Plan("job", changes, state)
    result = space.apply(plan, now=NOW, command="job", scheduled=scheduled)
    assert result.run_id
    return result.run_id


def undo(space: Workspace, run: str | None) -> RunResult:
    assert run
    return space.undo(run, now=NOW, command="undo")


def seen(space: Workspace) -> dict[str, bytes]:
    found = {}
    for path in sorted(space.root.rglob("*")):
        name = path.relative_to(space.root).as_posix()
        if path.is_file() and (not name.startswith(".silo/") or name.startswith(".silo/agents/")):
            found[name] = path.read_bytes()
    return found


def everything(space: Workspace) -> str:
    (space.root / "memory/gone.md").write_bytes(b"to be removed, no line end")
    (space.root / "memory/gone.md").chmod(0o640)
    (space.root / "memory/here.md").write_bytes(b"\xff\r\nto be moved\r\n")
    return do(
        space,
        Append(EVENTS, event(1, "Pump blue", "openclaw/s1#m1"), HEAD),
        Write(GARDEN, sha256(TEXT), TEXT.replace(b"green", b"blue")),
        Write(".silo/agents/default/warm-memory.json", None, b"[1]\n"),
        Remove("memory/gone.md", sha256(b"to be removed, no line end")),
        Move("memory/here.md", "memory/there.md", sha256(b"\xff\r\nto be moved\r\n")),
        state=(Put("cursors", "s1", 5),),
    )


def test_last_run_comes_back_byte_for_byte(space: Workspace) -> None:
    run = everything(space)
    after = seen(space)
    result = undo(space, run)
    before = seen(space)
    assert before[GARDEN] == TEXT
    assert before["memory/gone.md"] == b"to be removed, no line end"
    assert (space.root / "memory/gone.md").stat().st_mode & 0o777 == 0o640
    assert before["memory/here.md"] == b"\xff\r\nto be moved\r\n"
    assert not {EVENTS, "memory/there.md", ".silo/agents/default/warm-memory.json"} & before.keys()
    assert space.state.get("cursors", "s1") == 5  # never rewound
    again = undo(space, result.run_id)
    assert seen(space) == after
    undo(space, again.run_id)
    assert seen(space) == before


def test_undone_events_are_remembered_until_the_undo_is_undone(space: Workspace) -> None:
    topic = "memory/topics/pump.md"
    old = topic_text("- Pump is green. <!-- f_0123456789ab since:2026-01-01 src:e_000000000009 -->\n", "")
    new = topic_text(
        "- Pump is blue. <!-- f_0123456789ab since:2026-09-29 src:e_000000000001 -->\n",
        "- 2026-09-29: Pump is blue. Was: Pump is green. <!-- f:f_0123456789ab op:set src:e_000000000001 -->\n",
    )
    first = do(space, Write(topic, None, old))
    run = do(
        space,
        Append(EVENTS, event(1, "Pump is blue", "openclaw/s/1#m1,m2") + event(2, "By store"), HEAD),
        Write(topic, sha256(old), new),
    )
    taken = undo(space, run)
    keys = space.state.items("undone")
    assert set(keys) == {
        "e_000000000001",
        "e_000000000002",
        "s/1#m1",
        "s/1#m2",
        "e_000000000001>f_0123456789ab",
    }
    assert keys["s/1#m1"] == {"run": run, "events": ["e_000000000001"]}
    assert {drop.key for drop in space.again(["e_000000000001"])} == set(keys) - {"e_000000000002"}
    assert {drop.key for drop in space.again([run])} == set(keys)
    with pytest.raises(Conflict, match="undone already"):
        undo(space, run)
    back = undo(space, taken.run_id)
    assert space.state.items("undone") == {}
    undo(space, back.run_id)
    assert space.state.items("undone") == keys
    assert first


def test_events_that_became_private_are_taken_out_there(space: Workspace) -> None:
    private = f".silo/private/{EVENTS.removeprefix('memory/')}"
    run = do(space, Append(EVENTS, event(1, "one"), HEAD))
    do(
        space,
        Append(private, event(1, "one") + event(2, "two"), HEAD),
        Remove(EVENTS, sha256(HEAD + event(1, "one"))),
    )
    undo(space, run)
    assert space.read(EVENTS) is None
    assert space.read(private) == HEAD + event(2, "two")


def topic_text(facts: str, changes: str) -> bytes:
    return (
        "---\ntopic: pump\ntype: reference\nstatus: active\n---\n<!-- CURATED_START -->\n"
        f"{facts}\n## Changelog\n{changes}<!-- CURATED_END -->\n<!-- SOURCE_START -->\n<!-- SOURCE_END -->\n"
    ).encode()


def test_undo_with_later_appends_takes_out_its_lines_only(space: Workspace) -> None:
    do(space, Append(EVENTS, event(1, "one"), HEAD))
    run = do(space, Append(EVENTS, event(2, "two") + event(3, "three"), HEAD))
    do(space, Append(EVENTS, event(4, "four"), HEAD))
    with (space.root / EVENTS).open("ab") as log:
        log.write(b"[FACT] garden: by hand\n")
    result = undo(space, run)
    assert space.read(EVENTS) == HEAD + event(1, "one") + event(4, "four") + b"[FACT] garden: by hand\n"
    undo(space, result.run_id)
    assert sorted((space.read(EVENTS) or b"").splitlines()) == sorted(
        (HEAD + b"".join(event(n, t) for n, t in enumerate(("one", "two", "three", "four"), 1))
         + b"[FACT] garden: by hand\n").splitlines()
    )  # fmt: skip


def test_undone_line_comes_back_beside_a_later_one(space: Workspace) -> None:
    run = do(space, Append(EVENTS, event(1, "one"), HEAD))
    do(space, Append(EVENTS, event(2, "two"), HEAD))
    taken = undo(space, run)
    do(space, Append(EVENTS, event(3, "three"), HEAD))
    undo(space, taken.run_id)
    lines = (space.read(EVENTS) or b"").splitlines(keepends=True)
    assert set(lines[2:]) == {event(1, "one"), event(2, "two"), event(3, "three")}
    assert len(lines) == 5
    last = undo(space, do(space, Append(EVENTS, event(4, "four"), HEAD)))
    do(space, Append(EVENTS, event(5, "five"), HEAD))
    undo(space, last.run_id)
    assert (space.read(EVENTS) or b"").splitlines(keepends=True)[-2:] == [event(5, "five"), event(4, "four")]
    assert space.read(".silo/review.jsonl") is None
    assert space.chain_problems() == ()


def test_a_line_never_comes_back_twice(space: Workspace) -> None:
    run = do(space, Append(EVENTS, event(1, "one"), HEAD))
    do(space, Append(EVENTS, event(2, "two"), HEAD))
    first = str(undo(space, run).run_id)
    back = str(undo(space, first).run_id)
    do(space, Append(EVENTS, event(3, "three"), HEAD))
    second = str(undo(space, back).run_id)
    do(space, Append(EVENTS, event(4, "four"), HEAD))
    undo(space, first)
    (space.root / EVENTS).write_bytes((space.read(EVENTS) or b"").rstrip(b"\n"))
    undo(space, second)
    assert (space.read(EVENTS) or b"").count(event(1, "one").strip()) == 1


def test_rerouted_line_goes_and_reworded_line_stays_for_review(space: Workspace) -> None:
    run = do(space, Append(EVENTS, event(1, "one") + event(2, "two"), HEAD))
    text = (
        (space.read(EVENTS) or b"").replace(b"garden: one", b"roses: one").replace(b"two", b"two and a half")
    )
    (space.root / EVENTS).write_bytes(text)
    result = undo(space, run)
    assert space.read(EVENTS) == HEAD + event(2, "two and a half")
    review = (space.read(".silo/review.jsonl") or b"").decode()
    assert "two and a half" in review
    assert json.loads(review)["kind"] == "edit"
    assert any("see `review`" in note for note in result.notes)


def test_later_edits_survive_and_collisions_wait(space: Workspace) -> None:
    run = do(space, Write(GARDEN, sha256(TEXT), TEXT.replace(b"green", b"blue").replace(b"Roses", b"Tulips")))
    (space.root / GARDEN).write_bytes(
        (space.read(GARDEN) or b"").replace(b"Fence", b"Hedge").replace(b"Tulips", b"Red tulips")
    )
    undo(space, run)
    text = (space.read(GARDEN) or b"").decode()
    assert "Hedge" in text
    assert "Red tulips" in text
    review = (space.read(".silo/review.jsonl") or b"").decode()
    assert "Red tulips" in review
    assert "Roses" in review


def test_clean_merge_leaves_no_review(space: Workspace) -> None:
    run = do(space, Write(GARDEN, sha256(TEXT), TEXT.replace(b"green", b"blue")))
    (space.root / GARDEN).write_bytes((space.read(GARDEN) or b"").replace(b"Fence", b"Hedge"))
    result = undo(space, run)
    assert space.read(GARDEN) == TEXT.replace(b"Fence", b"Hedge")
    assert space.read(".silo/review.jsonl") is None
    undo(space, result.run_id)
    assert space.read(GARDEN) == TEXT.replace(b"Fence", b"Hedge").replace(b"green", b"blue")


def test_file_moved_by_a_later_run_is_found(space: Workspace) -> None:
    new = TEXT.replace(b"green", b"blue")
    run = do(space, Write(GARDEN, sha256(TEXT), new))
    do(space, Move(GARDEN, ".silo/private/topics/garden.md", sha256(new)))
    undo(space, run)
    assert space.read(".silo/private/topics/garden.md") == TEXT
    assert space.read(GARDEN) is None


def test_undo_of_a_move_takes_later_edits_along(space: Workspace) -> None:
    run = do(space, Move(GARDEN, "memory/topics/plot.md", sha256(TEXT)))
    (space.root / "memory/topics/plot.md").write_bytes(TEXT + b"- Later\n")
    undo(space, run)
    assert space.read(GARDEN) == TEXT + b"- Later\n"
    assert space.read("memory/topics/plot.md") is None


def test_move_and_change_in_one_plan(space: Workspace) -> None:
    new = TEXT.replace(b"green", b"blue")
    run = do(
        space,
        Move(GARDEN, "memory/topics/plot.md", sha256(TEXT)),
        Write("memory/topics/plot.md", sha256(TEXT), new),
    )
    assert space.read("memory/topics/plot.md") == new
    (space.root / "memory/topics/plot.md").write_bytes(new.replace(b"Fence", b"Hedge"))
    undo(space, run)
    assert space.read(GARDEN) == TEXT.replace(b"Fence", b"Hedge")


def test_broken_json_is_never_merged(space: Workspace) -> None:
    path = ".silo/agents/default/warm-memory.json"
    old, new = b'[\n  "a",\n  "b"\n]\n', b'[\n  "a",\n  "b",\n  "c"\n]\n'
    do(space, Write(path, None, old))
    run = do(space, Write(path, sha256(old), new))
    later = b'[\n  "a",\n  "b",\n  "c",\n  "d"\n]\n'
    do(space, Write(path, sha256(new), later))
    undo(space, run)
    json.loads(space.read(path) or b"")


def test_a_format_merges_itself(space: Workspace) -> None:
    run = do(space, Write(GARDEN, sha256(TEXT), TEXT.replace(b"green", b"blue")))
    (space.root / GARDEN).write_bytes(TEXT.replace(b"green", b"blue") + b"more\n")
    parts: list[Part] = []

    def unwind(part: Part) -> Unwound | None:
        parts.append(part)
        return Unwound("merged\n")

    space.undo(run, now=NOW, command="undo", unwind=unwind)
    assert space.read(GARDEN) == b"merged\n"
    assert parts[0].before == TEXT.decode()
    assert parts[0].now.endswith("more\n")


def test_refusals_say_why(space: Workspace) -> None:
    with pytest.raises(BadInput, match="there is no run"):
        undo(space, "20260101-000000-0001")
    with pytest.raises(BadInput, match="there is no run"):
        undo(space, "../../etc")


def test_which_run_is_last(space: Workspace) -> None:
    assert space.last_run() is None
    mine = do(space, Append(EVENTS, event(1, "one"), HEAD))
    nightly = do(space, Append(EVENTS, event(2, "two"), HEAD), scheduled=True)
    assert space.last_run() == mine
    assert space.last_run(any_run=True) == nightly
    taken = undo(space, mine).run_id
    assert space.last_run() == taken


def test_diff_reads_like_a_diff(space: Workspace) -> None:
    run = everything(space)
    do(space, Append(EVENTS, event(7, "later"), HEAD))
    text = space.diff(run)
    assert "-- Pump green\n+- Pump blue\n" in text
    assert f"--- /dev/null\n+++ b/{EVENTS}\n" in text
    assert "--- a/memory/gone.md\n+++ /dev/null\n" in text
    assert "\\ No newline at end of file" in text
    assert "later" not in text
    assert "@@ at the end @@\n+[FACT] garden: later" in space.diff(space.last_run() or "")


def test_preview_is_what_apply_writes(space: Workspace) -> None:
    plan = Plan("job", (Write(GARDEN, sha256(TEXT), TEXT.replace(b"green", b"blue")),))
    shown = space.preview(plan)
    result = space.apply(plan, now=NOW, command="job", scheduled=False)
    assert space.diff(result.run_id or "") == shown


def test_runs_are_listed_with_what_they_did(space: Workspace) -> None:
    run = everything(space)
    taken = undo(space, run).run_id
    rows = space.runs()
    assert [row.id for row in rows] == [run, taken]
    assert rows[1].undoes == run
    assert rows[0].at == "2026-09-29T12:00:00+00:00"
    assert set(rows[0].paths) >= {GARDEN, EVENTS, "memory/there.md", "memory/here.md"}


def test_ids_go_on_when_the_clock_jumps_back(space: Workspace) -> None:
    first = do(space, Append(EVENTS, event(1, "one"), HEAD))
    result = space.apply(
        Plan("job", (Append(EVENTS, event(2, "two")),)),
        now=NOW - timedelta(days=400),
        command="x",
        scheduled=False,
    )
    third = do(space, Append(EVENTS, event(3, "three"), HEAD))
    assert first < str(result.run_id) < third
    assert space.runs()[1].at.startswith("2025-08-25")
