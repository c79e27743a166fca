"""The process dies, or the disk refuses, at every single step of a commit: the memory is old or new, then repaired."""

from __future__ import annotations

import errno
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from faulty_disk import AFTER, TORN, FaultyDisk, Killed, quick_folder
from silo.edge.workspace import Workspace
from silo.errors import Conflict, Trouble
from silo.model import Append, Move, Plan, Put, Remove, Write
from silo.text.lines import sha256

NOW = datetime(2026, 9, 29, 12, 0, tzinfo=UTC)
EVENTS = "memory/events/2026-09-29.md"
HEAD = b"# Events 2026-09-29\n\n"
OLD_EVENT = b"[FACT] garden: The pump is green. <!-- id:e_000000000001 conf:confirmed -->\n"
NEW_EVENTS = (
    b"[FACT] garden: The pump is blue. <!-- id:e_000000000002 conf:confirmed src:openclaw/s1#m1 -->\n"
    b"[TODO] garden: Oil the pump. Due 2026-10-01. <!-- id:e_000000000003 conf:confirmed src:openclaw/s1#m2,m3 -->\n"
)
TOPIC = b"# Garden\r\n\r\n- The pump is green.\r\n- Roses by the wall.\r\n"
TOPIC_NEW = b"# Garden\r\n\r\n- The pump is blue.\r\n- Roses by the wall.\r\n"


def prepare(root: Path, *, log: bytes = HEAD + OLD_EVENT) -> None:
    """A workspace with a little of everything, made by an engine that nothing disturbs."""
    root.mkdir()
    space = Workspace.open(root, fs=FaultyDisk())
    changes = (
        Append(EVENTS, log[len(HEAD) :], HEAD),
        Write("memory/topics/garden.md", None, TOPIC),
        Write("memory/topics/old.md", None, b"gone soon\n"),
        Write("memory/topics/moving.md", None, b"\xff not utf-8, no line end"),
        Write(".silo/agents/default/warm-memory.json", None, b"[]\n"),
    )
    space.apply(Plan("store", changes, (Put("cursors", "s1", 1),)), now=NOW, command="store", scheduled=False)
    if not log.endswith(b"\n"):
        (root / EVENTS).write_bytes(log)


def wanted() -> Plan:
    """One of every change, in one plan."""
    changes = (
        Append(EVENTS, NEW_EVENTS, HEAD),
        Append(
            "memory/events/2026-09-28.md",
            b"[FACT] general: A second file. <!-- id:e_000000000004 -->\n",
            b"# E\n\n",
        ),
        Write("memory/topics/garden.md", sha256(TOPIC), TOPIC_NEW),
        Write("memory/deep/new/place.md", None, b"made\n"),
        Write(".silo/agents/default/warm-memory.json", sha256(b"[]\n"), b"[1]\n"),
        Remove("memory/topics/old.md", sha256(b"gone soon\n")),
        Move("memory/topics/moving.md", "memory/topics/moved.md", sha256(b"\xff not utf-8, no line end")),
    )
    return Plan("curate", changes, (Put("cursors", "s1", 2), Put("reconciled", "e_000000000002", True)))


def files(root: Path) -> dict[str, bytes]:
    """All that a person sees, and what of .silo is memory."""
    found = {}
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if path.is_file() and (not name.startswith(".silo/") or name.startswith(".silo/agents/")):
            found[name] = path.read_bytes()
    return found


def count(root: Path, plan: Plan, **options: bool) -> list[str]:
    """The steps of an undisturbed commit."""
    disk = FaultyDisk(**options)
    Workspace.open(root, fs=disk).apply(plan, now=NOW, command="curate", scheduled=True)
    return disk.steps


@pytest.fixture
def fresh() -> Iterator[Callable[[], Path]]:
    """A new prepared workspace at each call; the one before is gone."""
    top = quick_folder()
    prepare(top / "first")

    def make() -> Path:
        shutil.rmtree(top / "w", ignore_errors=True)
        shutil.copytree(top / "first", top / "w")
        return top / "w"

    yield make
    shutil.rmtree(top)


WAYS = [
    pytest.param({}, id="exchange"),
    pytest.param({"exchange": False}, id="links", marks=pytest.mark.slow),
    pytest.param({"exchange": False, "links": False}, id="neither", marks=pytest.mark.slow),
]


@pytest.mark.parametrize("options", [pytest.param({"power": True}, id="power cut"), *WAYS[1:]])
def test_killed_at_every_step(fresh: Callable[[], Path], options: dict[str, bool]) -> None:
    root = fresh()
    before = files(root)
    steps = count(root, wanted(), **options)
    after = files(root)
    assert after != before
    for number in range(1, len(steps) + 1):
        for where in (TORN, AFTER):  # before a step is after the one before
            if where == TORN and not steps[number - 1].startswith("write"):
                continue
            root = fresh()
            disk = FaultyDisk(die_at=(number, where), **options)
            with pytest.raises(Killed):
                Workspace.open(root, fs=disk).apply(wanted(), now=NOW, command="curate", scheduled=True)
            label = f"{where} step {number} ({steps[number - 1]})"
            for name, data in files(root).items():  # no file is half-written, except the tail of a log
                torn_log = name.startswith("memory/events/") and after[name].startswith(data)
                assert data in (before.get(name), after.get(name)) or torn_log, f"{name} {label}"
            space = Workspace.open(root, fs=FaultyDisk())
            said = space.recover(NOW)
            found = files(root)
            state = space.state.get("cursors", "s1")
            if found == before:
                assert state == 1, label
                space.apply(wanted(), now=NOW, command="curate", scheduled=True)
                found = files(root)
            else:
                assert state == 2, label
            assert found == after, label
            assert space.state.get("cursors", "s1") == 2
            assert space.recover(NOW) == []
            assert len(said) <= 1
            assert not [name for name in (root / ".silo" / "runs").iterdir() if name.suffix]
            assert space.base("memory/topics/garden.md") == TOPIC_NEW
            assert space.chain.findings(space.paths("memory/events/*.md")) == (), label
            assert not (root / ".silo" / "review.jsonl").exists(), label
    print(f"{len(steps)} steps, {options or 'plain'}")


@pytest.mark.parametrize(
    ("code", "for_good"),
    [
        pytest.param(errno.ENOSPC, False, id="disk full once"),
        pytest.param(errno.EACCES, True, id="permission lost for good"),
        pytest.param(errno.ENOSPC, True, id="disk full for good", marks=pytest.mark.slow),
        pytest.param(errno.EACCES, False, id="permission lost once", marks=pytest.mark.slow),
    ],
)
def test_refused_at_every_step(fresh: Callable[[], Path], code: int, for_good: bool) -> None:
    root = fresh()
    before = files(root)
    steps = count(root, wanted())
    after = files(root)
    half = 0
    for number in range(1, len(steps) + 1):
        root = fresh()
        disk = FaultyDisk(fail_at=(number, code), for_good=for_good)
        label = f"step {number} ({steps[number - 1]})"
        space = Workspace.open(root, fs=disk)
        try:
            result = space.apply(wanted(), now=NOW, command="curate", scheduled=True)
        except Conflict as trouble:
            sentence = str(trouble)
            assert (
                "disk is full" if code == errno.ENOSPC else "no permission"
            ) in sentence or "state.db" in sentence
            if "next start" in sentence:
                half += 1
            else:
                assert "nothing was" in sentence, label
                assert files(root) == before, label
                assert space.state.get("cursors", "s1") == 1
                assert Workspace.open(root).recover(NOW) == [], label
        else:  # a step that only closes a run which has happened, or one that has another way
            assert result.run_id, label
        space = Workspace.open(root, fs=FaultyDisk())
        space.recover(NOW)
        found = files(root)
        assert found in (before, after), label
        if found == before:
            space.apply(wanted(), now=NOW, command="curate", scheduled=True)
        assert files(root) == after, label
        assert space.state.get("cursors", "s1") == 2
    if not for_good:
        assert half == 0


@pytest.mark.parametrize("options", WAYS)
@pytest.mark.parametrize("save", ["in place", "by rename"])
@pytest.mark.parametrize(
    "victim", ["memory/topics/garden.md", "memory/topics/old.md", "memory/topics/moving.md"]
)
def test_edit_at_every_step(
    fresh: Callable[[], Path], options: dict[str, bool], save: str, victim: str
) -> None:
    """A person saves a file while the run is at work: their text stays, ours is kept beside it."""
    root = fresh()
    steps = count(root, wanted(), **options)
    edited = b"# By hand\n- I was here.\n"
    kept = 0
    for number in range(1, len(steps) + 1):
        root = fresh()
        done = False

        def edit(at: int, name: str, root: Path = root, number: int = number) -> None:
            nonlocal done
            if at != number:
                return
            done = True
            if save == "in place":
                (root / victim).write_bytes(edited)
            else:
                draft = root / "memory" / "draft~"
                draft.write_bytes(edited)
                draft.replace(root / victim)

        label = f"step {number} ({steps[number - 1]})"
        space = Workspace.open(root, fs=FaultyDisk(at_step=edit, **options))
        before_edit = files(root)
        try:
            result = space.apply(wanted(), now=NOW, command="curate", scheduled=True)
        except Conflict as trouble:
            refused = str(trouble)
        else:
            refused = ""
        if refused:
            assert "nothing was written" in refused, label
            assert files(root) == before_edit | {victim: edited}, label
            continue
        if not done:
            continue
        if (
            not options.get("exchange", True)
            and save == "by rename"
            and steps[number - 1].endswith("5 garden.md")
        ):
            continue  # the one instant that can't be closed where names can't be exchanged
        assert (root / victim).read_bytes() == edited, label
        if result.conflicts:
            kept += 1
            assert result.conflicts == (victim,)
            review = (root / ".silo" / "review.jsonl").read_text()
            assert review.count('"kind":"edit"') == 1
            if victim.endswith("garden.md"):
                copy = root / ".silo" / "conflicts" / str(result.run_id) / victim
                assert copy.read_bytes() == TOPIC_NEW, label
        assert space.recover(NOW) == []
    assert kept > 0


def test_edit_and_kill_at_every_step(fresh: Callable[[], Path]) -> None:
    """A person edits after we were killed: recovery leaves the edit alone and keeps ours."""
    root = fresh()
    steps = count(root, wanted())
    edited = b"# By hand\n"
    for number in range(1, len(steps) + 1):
        root = fresh()
        with pytest.raises(Killed):
            Workspace.open(root, fs=FaultyDisk(die_at=(number, AFTER))).apply(
                wanted(), now=NOW, command="curate", scheduled=True
            )
        (root / "memory/topics/garden.md").write_bytes(edited)
        with (root / EVENTS).open("ab") as log:
            log.write(b"[FACT] general: typed by hand\n")
        space = Workspace.open(root, fs=FaultyDisk())
        marked = any(
            (folder / "manifest.json").exists() for folder in (root / ".silo/runs").glob("*.committing")
        )
        said = space.recover(NOW)
        assert (root / "memory/topics/garden.md").read_bytes() == edited
        lines = (root / EVENTS).read_bytes().splitlines()
        assert len(lines) == len(set(lines)) or lines.count(b"") == len(lines) - len(set(lines)) + 1
        assert b"[FACT] general: typed by hand" in lines
        if marked:
            assert len(said) == 1
            assert set(NEW_EVENTS.splitlines()) <= set(lines)
            closing = space.runs()[-1].kept == ()
            assert closing or (root / ".silo/conflicts").exists()


@pytest.mark.parametrize("save", ["append", "replace"])
def test_log_line_at_every_step(fresh: Callable[[], Path], save: str) -> None:
    """The agent adds a line to the log, without asking, while we do: both are there, once."""
    root = fresh()
    steps = count(root, wanted())
    typed = b"[FACT] general: typed by hand\n"
    for number in range(1, len(steps) + 1):
        root = fresh()

        def edit(at: int, name: str, root: Path = root, number: int = number) -> None:
            if at != number:
                return
            if save == "append":
                with (root / EVENTS).open("ab") as log:
                    log.write(typed)
            else:
                draft = root / "memory" / "draft~"
                draft.write_bytes((root / EVENTS).read_bytes() + typed)
                draft.replace(root / EVENTS)

        space = Workspace.open(root, fs=FaultyDisk(at_step=edit))
        space.apply(wanted(), now=NOW, command="curate", scheduled=True)
        lines = (root / EVENTS).read_bytes().splitlines(keepends=True)
        for line in (OLD_EVENT, typed, *NEW_EVENTS.splitlines(keepends=True)):
            assert lines.count(line) == 1, f"{line!r} step {number} ({steps[number - 1]})"


STRIDE = 23  # of the second death, so that the pairs stay few; together with the first they meet every step


def twice(fresh: Callable[[], Path], stride: int) -> int:
    """Killed at every step, and killed again while the next start repairs that. Returns how many pairs were tried."""
    steps = count(fresh(), wanted())
    root = fresh()
    count(root, wanted())
    after = files(root)
    pairs = 0
    for number in range(1, len(steps) + 1):
        second = number % stride + 1
        while True:
            root = fresh()
            space = Workspace.open(root, fs=FaultyDisk(die_at=(number, AFTER)))
            with pytest.raises(Killed):
                space.apply(wanted(), now=NOW, command="curate", scheduled=True)
            before = files(root)
            disk = FaultyDisk(die_at=(second, AFTER))
            try:
                Workspace.open(root, fs=disk).recover(NOW)
            except Killed:
                pairs += 1
            else:
                break  # the repair needs fewer steps than that
            space = Workspace.open(root, fs=FaultyDisk())
            space.recover(NOW)
            if space.state.get("cursors", "s1") == 1:
                assert files(root) == before
                space.apply(wanted(), now=NOW, command="curate", scheduled=True)
            assert files(root) == after, f"{number}, then {second}"
            second += stride
    return pairs


def test_killed_again_while_repairing(fresh: Callable[[], Path]) -> None:
    assert twice(fresh, STRIDE) > 50


@pytest.mark.slow
def test_killed_again_at_every_step_of_the_repair(fresh: Callable[[], Path]) -> None:
    print(twice(fresh, 1), "pairs of deaths")


def test_killed_while_taking_back(fresh: Callable[[], Path]) -> None:
    """The disk fills up at the last file, and the process dies while it puts the others back."""
    root = fresh()
    steps = count(root, wanted())
    after = files(root)
    last = max(number for number, name in enumerate(steps, 1) if name.startswith("rename old.md"))
    for second in range(last + 1, last + 40):
        root = fresh()
        disk = FaultyDisk(fail_at=(last, errno.EIO), die_at=(second, AFTER))
        try:
            Workspace.open(root, fs=disk).apply(wanted(), now=NOW, command="curate", scheduled=True)
        except Killed:
            pass
        except Conflict:
            break
        space = Workspace.open(root, fs=FaultyDisk())
        space.recover(NOW)
        if space.state.get("cursors", "s1") == 1:
            space.apply(wanted(), now=NOW, command="curate", scheduled=True)
        assert files(root) == after, second
    else:
        pytest.fail("the taking back never came to an end")


@pytest.mark.parametrize("options", WAYS)
def test_undo_killed_at_every_step(fresh: Callable[[], Path], options: dict[str, bool]) -> None:
    root = fresh()
    before = files(root)
    run = (
        Workspace.open(root, fs=FaultyDisk())
        .apply(wanted(), now=NOW, command="curate", scheduled=True)
        .run_id
    )
    assert run
    made = files(root)
    top = root.parent / "made"
    shutil.copytree(root, top)
    disk = FaultyDisk(**options)
    Workspace.open(root, fs=disk).undo(run, now=NOW, command="undo")
    assert files(root) == before
    for number in range(1, len(disk.steps) + 1):
        shutil.rmtree(root)
        shutil.copytree(top, root)
        with pytest.raises(Killed):
            Workspace.open(root, fs=FaultyDisk(die_at=(number, AFTER), **options)).undo(
                run, now=NOW, command="undo"
            )
        space = Workspace.open(root, fs=FaultyDisk())
        space.recover(NOW)
        if files(root) == made:
            assert space.state.items("undone") == {}
            space.undo(run, now=NOW, command="undo")
        assert files(root) == before, f"step {number} ({disk.steps[number - 1]})"
        assert "e_000000000002" in space.state.items("undone")
        assert space.chain_problems() == ()
    print(f"undo: {len(disk.steps)} steps, {options or 'plain'}")


def test_killed_at_every_step_of_the_very_first_commit(fresh: Callable[[], Path]) -> None:
    plan = Plan("store", (Append(EVENTS, NEW_EVENTS, HEAD),), (Put("cursors", "s1", 2),))
    root = fresh()
    disk = FaultyDisk()
    for number in range(1, 1000):
        shutil.rmtree(root)
        root.mkdir()
        disk = FaultyDisk(die_at=(number, AFTER))
        try:
            Workspace.open(root, fs=disk).apply(plan, now=NOW, command="store", scheduled=False)
        except Killed:
            pass
        else:
            break
        space = Workspace.open(root, fs=FaultyDisk())
        space.recover(NOW)
        if space.state.get("cursors", "s1") is None:
            assert space.read(EVENTS) is None
            space.apply(plan, now=NOW, command="store", scheduled=False)
        assert space.read(EVENTS) == HEAD + NEW_EVENTS, disk.steps[-1]
        assert (root / ".silo/.gitignore").read_bytes() == b"*\n"
        assert space.chain_problems() == ()
    assert len(disk.steps) > 20


def test_folders_on_two_devices(fresh: Callable[[], Path]) -> None:
    """memory/ may be a mount of its own: names can't be renamed or linked across."""
    root = fresh()
    count(root, wanted())
    after = files(root)
    root = fresh()
    steps = count(root, wanted(), devices=True)
    assert files(root) == after
    for number in range(1, len(steps) + 1):
        root = fresh()
        space = Workspace.open(root, fs=FaultyDisk(die_at=(number, AFTER), devices=True))
        with pytest.raises(Killed):
            space.apply(wanted(), now=NOW, command="curate", scheduled=True)
        space = Workspace.open(root, fs=FaultyDisk(devices=True))
        space.recover(NOW)
        if space.state.get("cursors", "s1") == 1:
            space.apply(wanted(), now=NOW, command="curate", scheduled=True)
        assert files(root) == after, f"step {number} ({steps[number - 1]})"


def test_incomplete_last_line_is_completed(tmp_path: Path) -> None:
    root = tmp_path / "w"
    prepare(root, log=HEAD + OLD_EVENT.rstrip(b"\n"))
    Workspace.open(root).apply(wanted(), now=NOW, command="store", scheduled=False)
    assert (root / EVENTS).read_bytes() == HEAD + OLD_EVENT + NEW_EVENTS


def test_trouble_names_the_path(tmp_path: Path) -> None:
    root = tmp_path / "w"
    prepare(root)
    space = Workspace.open(root)
    for change in (
        Write("../out.md", None, b""),
        Write("/etc/out.md", None, b""),
        Append("memory/../../out.md", b"x\n"),
        Write(".silo/state.db", None, b""),
        Write(".silo", None, b""),
        Write("memory/a\nb.md", None, b""),
    ):
        with pytest.raises(Trouble) as caught:
            space.apply(Plan("x", (change,)), now=NOW, command="x", scheduled=False)
        assert caught.value.code == 2
