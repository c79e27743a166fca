"""What a workspace refuses, keeps and repairs, each in one sentence and with nothing half-written."""

from __future__ import annotations

import errno
import json
import os
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from faulty_disk import FaultyDisk
from silo.edge import retention
from silo.edge.workspace import RunResult, Workspace
from silo.errors import BadInput, Busy, Conflict
from silo.formats.schema import check
from silo.model import Append, Change, Drop, Plan, Put, Remove, StateOp, Write
from silo.text.lines import sha256

NOW = datetime(2026, 9, 29, 12, 0, tzinfo=UTC)
NOTE = "memory/topics/note.md"


@pytest.fixture
def space(tmp_path: Path) -> Workspace:
    return Workspace.open(tmp_path, fs=FaultyDisk())


def do(space: Workspace, *changes: Change, state: tuple[StateOp, ...] = (), now: datetime = NOW) -> RunResult:
    return space.apply(Plan("job", changes, state), now=now, command="job", scheduled=False)


def test_an_unknown_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="nowhere does not exist"):
        Workspace.open(tmp_path / "nowhere")
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(BadInput, match="file is not a folder"):
        Workspace.open(tmp_path / "file", create=True)
    assert Workspace.open(tmp_path / "made" / "here", create=True).paths("**/*") == []


def test_nothing_is_made_before_the_first_write(space: Workspace) -> None:
    space.read(NOTE)
    space.paths("**/*.md")
    space.state.get("cursors", "x")
    assert space.recover(NOW) == []
    assert space.runs() == []
    assert space.chain_problems() == ()
    assert space.preview(Plan("job", (Write(NOTE, None, b"x\n"),)))
    do(space)
    assert list(space.root.iterdir()) == []


def test_machine_state_is_private(space: Workspace) -> None:
    do(
        space,
        Write(NOTE, None, b"x\n"),
        Write(".silo/agents/a/warm-memory.json", None, b"[]"),
        state=(Put("cursors", "a", 1),),
    )
    for path in (space.root / ".silo").rglob("*"):
        assert path.stat().st_mode & 0o077 == 0, path
    assert (space.root / ".silo/.gitignore").read_bytes() == b"*\n"
    assert (space.root / NOTE).stat().st_mode & 0o777 == 0o666 & ~_umask()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_permissions_of_a_file_stay(space: Workspace) -> None:
    do(space, Write(NOTE, None, b"x\n"))
    (space.root / NOTE).chmod(0o606)
    do(space, Write(NOTE, sha256(b"x\n"), b"y\n"))
    assert (space.root / NOTE).stat().st_mode & 0o777 == 0o606


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (Write(NOTE, None, b"new\n"), "was created"),
        (Write(NOTE, sha256(b"other"), b"new\n"), "was changed"),
        (Write("memory/none.md", sha256(b"other"), b"new\n"), "was removed"),
        (Remove(NOTE, sha256(b"other")), "was changed"),
        (Remove("memory/none.md", sha256(b"other")), "was removed"),
    ],
)
def test_a_stale_plan_writes_nothing(space: Workspace, change: Change, said: str) -> None:
    do(space, Write(NOTE, None, b"x\n"))
    with pytest.raises(Conflict, match=said):
        do(space, Write("memory/other.md", None, b"\n"), change, state=(Put("cursors", "a", 1),))
    assert space.paths("memory/**/*.md") == [NOTE]
    assert space.state.items("cursors") == {}
    assert len(space.runs()) == 1


def test_links_that_lead_out_are_refused(space: Workspace, tmp_path_factory: pytest.TempPathFactory) -> None:
    out = tmp_path_factory.mktemp("out")
    (out / "secret.md").write_bytes(b"x\n")
    (space.root / "memory").mkdir()
    (space.root / "memory/topics").symlink_to(out)
    (space.root / "MEMORY.md").symlink_to(out / "secret.md")
    for path in ("memory/topics/secret.md", "memory/topics/new.md", "MEMORY.md"):
        with pytest.raises(BadInput, match="leads out of the workspace"):
            space.read(path)
        with pytest.raises(BadInput, match="leads out of the workspace"):
            do(space, Append(path, b"y\n"))
    assert space.paths("**/*.md") == []
    assert (out / "secret.md").read_bytes() == b"x\n"


def test_a_link_inside_is_written_through(space: Workspace) -> None:
    (space.root / "real.md").write_bytes(b"x\n")
    (space.root / "MEMORY.md").symlink_to("real.md")
    do(space, Write("MEMORY.md", sha256(b"x\n"), b"y\n"))
    assert (space.root / "MEMORY.md").is_symlink()
    assert (space.root / "real.md").read_bytes() == b"y\n"


def test_no_plan_writes_the_machine_s_own_files(space: Workspace) -> None:
    (space.root / "in").symlink_to(".silo")
    for path in (".silo/state.db", ".silo/runs/x", ".silo/key", ".silo/base/a.md", ".silo/locks/x", "in/key"):
        with pytest.raises(BadInput):
            do(space, Write(path, None, b""))


def test_a_folder_in_the_place_of_a_file(space: Workspace) -> None:
    (space.root / NOTE).mkdir(parents=True)
    (space.root / "memory/plain").write_bytes(b"")
    for path in (NOTE, "memory/plain/deep.md"):
        with pytest.raises(Conflict, match="a folder stands where a file should, or the reverse"):
            do(space, Append(path, b"x\n"))
        with pytest.raises(Conflict, match="a folder stands where a file should, or the reverse"):
            do(space, Write(path, None, b"x\n"))
    assert space.runs() == []


def test_binary_files_get_no_lines(space: Workspace) -> None:
    (space.root / "memory").mkdir()
    (space.root / "memory/x.md").write_bytes(b"a\0b")
    with pytest.raises(Conflict, match="not a text file"):
        do(space, Append("memory/x.md", b"x\n"))


@pytest.mark.parametrize("what", ["state", "config", "manifest"])
def test_a_newer_version_s_workspace_is_refused(space: Workspace, what: str) -> None:
    run = do(space, Write(NOTE, None, b"x\n")).run_id
    silo = space.root / ".silo"
    if what == "state":
        with sqlite3.connect(silo / "state.db") as db:
            db.execute("PRAGMA user_version = 99")
    elif what == "config":
        (silo / "config.json").write_text('{"schema_version": 99}')
    else:
        (silo / "runs" / str(run)).rename(silo / "runs" / f"{run}.committing")
        manifest = silo / "runs" / f"{run}.committing" / "manifest.json"
        manifest.write_text(json.dumps(json.loads(manifest.read_text()) | {"schema_version": 99}))
    before = (space.root / NOTE).read_bytes()
    with pytest.raises(BadInput, match=r"schema 99, this version of memory-silo knows 1"):
        Workspace.open(space.root).recover(NOW)
    with pytest.raises(BadInput, match=r"schema 99"):
        do(Workspace.open(space.root), Append(NOTE, b"y\n"))
    assert (space.root / NOTE).read_bytes() == before


def test_an_older_version_s_manifest_is_read(space: Workspace) -> None:
    """Keys that a later version added are passed over, missing ones have defaults."""
    run = str(do(space, Append(NOTE, b"x\n")).run_id)
    manifest = space.root / ".silo/runs" / run / "manifest.json"
    value = json.loads(manifest.read_text())
    value["new key"] = 1
    value["steps"][0]["new key"] = 1
    del value["kept"], value["dropped"], value["steps"][0]["moved_from"]
    manifest.write_text(json.dumps(value))
    assert space.runs()[0].paths == (NOTE,)
    space.undo(run, now=NOW, command="undo")
    assert space.read(NOTE) is None


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_a_read_only_workspace(space: Workspace) -> None:
    space.root.chmod(0o555)
    with pytest.raises(Conflict, match="no permission"):
        do(space, Write(NOTE, None, b"x\n"))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can leave files that others can't write")
def test_root_leaves_files_to_the_owner(tmp_path: Path) -> None:
    os.chown(tmp_path, 1000, 1000)
    do(Workspace.open(tmp_path), Write("memory/deep/x.md", None, b"x\n"), Append(NOTE, b"y\n"))
    for path in tmp_path.rglob("*"):
        assert (path.stat().st_uid, path.stat().st_gid) == (1000, 1000), path


def test_a_lost_or_broken_state_is_set_aside(space: Workspace) -> None:
    do(space, Write(NOTE, None, b"x\n"), state=(Put("cursors", "a", 1),))
    state = space.root / ".silo/state.db"
    state.write_bytes(b"this is no database, whatever it was before" * 100)
    again = Workspace.open(space.root, fs=FaultyDisk())
    assert again.state.get("cursors", "a") is None
    result = do(again, Append(NOTE, b"y\n"), state=(Put("cursors", "b", 2),))
    assert any("was damaged and is now state.db.damaged-1" in note for note in result.notes)
    assert again.state.items("cursors") == {"b": 2}
    assert again.read(NOTE) == b"x\ny\n"
    state.unlink()
    do(Workspace.open(space.root, fs=FaultyDisk()), Append(NOTE, b"z\n"))
    assert len(again.runs()) == 3
    again.undo(again.runs()[2].id, now=NOW, command="undo")
    assert again.read(NOTE) == b"x\ny\n"


def test_a_page_of_the_state_is_broken(space: Workspace) -> None:
    do(space, state=tuple(Put("cursors", f"{n:06}", "x" * 50) for n in range(2000)))
    state = space.root / ".silo/state.db"
    data = bytearray(state.read_bytes())
    data[8192:40960] = b"\xff" * (40960 - 8192)
    state.write_bytes(data)
    result = do(Workspace.open(space.root), Write(NOTE, None, b"x\n"), state=(Put("cursors", "000500", 1),))
    assert result.run_id
    assert Workspace.open(space.root).state.get("cursors", "000500") == 1


def test_a_transaction_that_was_cut_off_is_taken_back(space: Workspace) -> None:
    """A killed writer leaves a journal; whoever reads next must be able to roll it back."""
    do(space, state=(Put("cursors", "a", 1),))
    if (pid := os.fork()) == 0:
        db = sqlite3.connect(space.root / ".silo/state.db", isolation_level=None)
        db.execute("PRAGMA cache_size = 1")
        db.execute("BEGIN IMMEDIATE")
        for n in range(2000):
            db.execute("INSERT INTO cursors VALUES (?, ?)", (f"x{n}", '"y"' * 100))
        os._exit(0)
    os.waitpid(pid, 0)
    assert (space.root / ".silo/state.db-journal").stat().st_size > 0
    assert Workspace.open(space.root).state.items("cursors") == {"a": 1}


def test_state_alone_leaves_no_run(space: Workspace) -> None:
    result = do(space, state=(Put("access", "f_1", 3), Drop("access", "f_2")))
    assert result.run_id is None
    assert space.runs() == []
    assert space.state.items("access") == {"f_1": 3}


def test_what_changes_nothing_leaves_no_run(space: Workspace) -> None:
    do(space, Write(NOTE, None, b"x\n"))
    result = do(space, Write(NOTE, sha256(b"x\n"), b"x\n"), Append(NOTE, b""))
    assert result.run_id is None
    assert len(space.runs()) == 1


def test_state_by_prefix_health_and_metrics(space: Workspace) -> None:
    do(
        space,
        state=(Put("cursors", "a/1", [1]), Put("cursors", "a/2", {"x": None}), Put("cursors", "b/1", "é")),
    )
    assert space.state.items("cursors", "a/") == {"a/1": [1], "a/2": {"x": None}}
    space.state.record_health({"curate": {"at": "2026-09-29"}})
    assert space.state.get("health", "curate") == {"at": "2026-09-29"}
    space.state.add_metric("curate", NOW, {"events": 2})
    space.state.add_metric("curate", NOW - timedelta(days=9), {"events": 3})
    assert [row["events"] for row in space.state.items("metrics").values() if isinstance(row, dict)] == [2, 3]
    with pytest.raises(ValueError, match="not a table name"):
        space.state.get("x; drop", "y")


def test_base_is_our_last_write(space: Workspace) -> None:
    do(space, Write(NOTE, None, b"x\n"))
    (space.root / NOTE).write_bytes(b"by hand\n")
    assert space.base(NOTE) == b"x\n"
    do(space, Write(NOTE, sha256(b"by hand\n"), b"merged\n"))
    assert space.base(NOTE) == b"merged\n"
    do(space, Remove(NOTE, sha256(b"merged\n")))
    assert space.base(NOTE) is None


def test_locks_say_who_holds_them(space: Workspace) -> None:
    with space.job("curate"):
        with (
            pytest.raises(Busy, match=rf"the job curate is held by process {os.getpid()} since 20\d\d-"),
            space.job("curate"),
        ):
            pass
        with space.job("extract"):
            do(space, Append(NOTE, b"x\n"))
    with space.job("curate"):
        pass


def test_contradicting_changes_are_a_mistake_of_the_job(space: Workspace) -> None:
    with pytest.raises(ValueError, match="two changes of one plan"):
        do(space, Write(NOTE, None, b"x\n"), Write(NOTE, None, b"y\n"))
    do(space, Append(NOTE, b"x\n", b"# H\n"), Append(NOTE, b"y\n", b"# H\n"))
    assert space.read(NOTE) == b"# H\nx\ny\n"


def test_a_short_plan_is_made_while_nobody_else_writes(space: Workspace) -> None:
    def planned() -> Plan:
        with pytest.raises(Busy):
            Workspace.open(space.root)._commit_lock(0).__enter__()
        return Plan("store", () if space.read(NOTE) else (Append(NOTE, b"once\n"),))

    for _ in range(2):
        space.apply_planned(planned, now=NOW, command="store", scheduled=False)
    assert space.read(NOTE) == b"once\n"
    assert len(space.runs()) == 1


def test_reading_goes_on_where_repairing_is_refused(space: Workspace) -> None:
    run = do(space, Write(NOTE, None, b"x\n")).run_id
    (space.root / ".silo/runs" / str(run)).rename(space.root / f".silo/runs/{run}.committing")
    refusing = Workspace.open(space.root, fs=FaultyDisk(fail_at=(1, errno.EROFS), for_good=True))
    said = refusing.recover(NOW)
    assert len(said) == 1
    assert "can't be finished now" in said[0]
    assert refusing.read(NOTE) == b"x\n"
    assert "is finished now" in Workspace.open(space.root).recover(NOW)[0]


def test_a_damaged_manifest_stops_nothing(space: Workspace) -> None:
    first = str(do(space, Write(NOTE, None, b"x\n")).run_id)
    second = str(do(space, Append(NOTE, b"y\n")).run_id)
    (space.root / f".silo/runs/{first}/manifest.json").write_bytes(b"{")
    (space.root / f".silo/runs/{second}/manifest.json").write_bytes(b'{"schema_version": 1}')
    (space.root / f".silo/runs/{second}").rename(space.root / f".silo/runs/{second}.committing")
    said = space.recover(NOW)
    assert len(said) == 1
    assert "is set aside in" in said[0]
    assert [(run.id, run.dropped) for run in space.runs()] == [(first, "its manifest is damaged")]
    with pytest.raises(Conflict, match="its manifest is damaged"):
        space.undo(first, now=NOW, command="undo")
    do(space, Append(NOTE, b"z\n"), now=NOW + timedelta(days=2))
    assert space.read(NOTE) == b"x\ny\nz\n"


def test_a_manifest_fits_its_schema(space: Workspace) -> None:
    do(
        space,
        Write(NOTE, None, b"x\n"),
        Append("memory/e.md", b"\xff\n"),
        state=(Put("cursors", "a", 1), Drop("cursors", "b")),
    )
    schema = json.loads((Path(__file__).parents[2] / "schemas/run-manifest.schema.json").read_text())
    for manifest in (space.root / ".silo/runs").glob("*/manifest.json"):
        assert check(json.loads(manifest.read_text()), schema) == ()


# --- how long runs are kept -------------------------------------------------------------------------------


def test_runs_are_kept_thirty_days_and_the_last_twenty(space: Workspace) -> None:
    do(space, Write(NOTE, None, b"0\n"))
    for number in range(30):
        do(space, Write(NOTE, sha256(f"{number}\n".encode()), f"{number + 1}\n".encode()))
    first = space.runs()[0].id
    do(space, Append(NOTE, b"later\n"), now=NOW + timedelta(days=29))
    assert space.runs()[0].id == first
    do(space, Append(NOTE, b"later\n"), now=NOW + timedelta(days=31))
    rows = space.runs()
    assert len(rows) == 20
    assert {row.dropped for row in rows[:18]} == {"its contents were kept for 30 days"}
    assert not list((space.root / ".silo/runs").glob("*/old-*"))
    with pytest.raises(Conflict, match="its contents were kept for 30 days"):
        space.undo(rows[0].id, now=NOW, command="undo")
    with pytest.raises(Conflict, match="its contents were kept for 30 days"):
        space.diff(rows[0].id)
    space.undo(rows[-1].id, now=NOW, command="undo")


def test_runs_stay_within_their_bytes(space: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "KEEP_BYTES", 100_000)
    for number in range(40):
        do(space, Append(NOTE, b"x" * 5000 + f"{number}\n".encode()))
    assert len(space.runs()) == 40
    do(space, Append(NOTE, b"x\n"), now=NOW + timedelta(days=1))
    assert len(space.runs()) == 20
    assert space.usage().runs == 20
    assert space.usage().run_bytes < 150_000


def test_forgotten_words_leave_every_copy(space: Workspace) -> None:
    log = "memory/events/2026-09-29.md"
    word = "tangerine"
    do(space, Write("memory/other.md", None, b"about tangerine\n"))
    do(space, Write("memory/other.md", sha256(b"about tangerine\n"), b"about nothing\n"))
    line = b"[FACT] general: a tangerine <!-- id:e_000000000001 -->\n"
    do(space, Append(log, line, b"# Events\n\n"))
    kept = do(space, Append(log, b"[FACT] general: an apple <!-- id:e_000000000002 -->\n"))
    data = space.read(log) or b""
    plan = Plan("forget", (Write(log, sha256(data), data.replace(line, b"")),))
    gone = space.apply(plan, now=NOW, command="forget e_000000000001", scheduled=False, forget=[word])
    for path in space.root.rglob("*"):
        assert not path.is_file() or word.encode() not in path.read_bytes(), path
    rows = space.runs()
    assert [bool(row.dropped) for row in rows] == [True, True, True, False, True]
    with pytest.raises(Conflict, match="it held what was forgotten on 2026-09-29"):
        space.undo(rows[2].id, now=NOW, command="undo")
    with pytest.raises(Conflict, match="it was a forget"):
        space.undo(str(gone.run_id), now=NOW, command="undo")
    space.undo(str(kept.run_id), now=NOW, command="undo")
    assert space.read(log) == b"# Events\n\n"
