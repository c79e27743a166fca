"""store, extract, curate and undo are killed at every step that they write; run again, they end where they should."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from faulty_disk import AFTER, FaultyDisk, Killed, quick_folder
from silo.config import load
from silo.edge import reader as engine
from silo.edge.workspace import Workspace
from silo.jobs.curate import curate
from silo.jobs.extract import ExtractOptions, extract
from silo.jobs.history import undo
from silo.jobs.run import Call
from silo.jobs.store import StoreOptions, store

SAMPLE = Path(__file__).parents[2] / "sample"
NOW = datetime(2026, 3, 10, 12, 0, tzinfo=UTC)


@pytest.fixture
def top(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = quick_folder()
    monkeypatch.setenv("OPENCLAW_STATE_DIR", str(SAMPLE / "state"))
    shutil.copytree(SAMPLE / "workspace", folder / "first")
    yield folder
    shutil.rmtree(folder)


def call(root: Path) -> Call:
    environ = {"OPENCLAW_STATE_DIR": str(SAMPLE / "state"), "HOME": str(root)}
    return Call(
        config=load(workspace=str(root), agent=None, timezone_name="UTC", environ=environ),
        now=NOW,
        command="test",
    )


def do_store(root: Path) -> None:
    store(call(root), StoreOptions(text="The pump by the gate is blue now."))


def do_extract(root: Path) -> None:
    extract(call(root), ExtractOptions(source="openclaw", everything=True, quiet=True))


def do_curate(root: Path) -> None:
    curate(call(root), mode="daily")


def do_undo(root: Path) -> None:
    if not Workspace.open(root).runs()[-1].undoes:
        undo(call(root), run=None, last=True, any_run=True, ask=lambda question: True)


def files(root: Path) -> dict[str, bytes]:
    found = {}
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if path.is_file() and not name.startswith(
            (".silo/runs/", ".silo/state", ".silo/locks/", ".silo/key", ".silo/index")
        ):
            found[name] = path.read_bytes()
    return found


JOBS: dict[str, tuple[tuple[Callable[[Path], None], ...], Callable[[Path], None]]] = {
    "store": ((), do_store),
    "extract": ((), do_extract),
    "curate": ((do_extract,), do_curate),
    "undo": ((do_extract, do_curate), do_undo),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", JOBS)
def test_killed_at_every_step(top: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    earlier, job = JOBS[name]
    monkeypatch.setattr(engine, "Disk", lambda owner=None: FaultyDisk())
    for step in earlier:
        step(top / "first")

    def run(disk: FaultyDisk) -> Path:
        shutil.rmtree(top / "w", ignore_errors=True)
        shutil.copytree(top / "first", top / "w")
        monkeypatch.setattr(engine, "Disk", lambda owner=None: disk)
        job(top / "w")
        return top / "w"

    whole = FaultyDisk()
    wanted = files(run(whole))
    assert wanted != files(top / "first")
    for number in range(1, len(whole.steps) + 1):
        with pytest.raises(Killed):
            run(FaultyDisk(die_at=(number, AFTER)))
        monkeypatch.setattr(engine, "Disk", lambda owner=None: FaultyDisk())
        space = Workspace.open(top / "w")
        space.recover(NOW)
        job(top / "w")
        assert files(top / "w") == wanted, f"{name}: step {number} ({whole.steps[number - 1]})"
        assert space.chain_problems() == ()
        assert not (top / "w/.silo/conflicts").exists()
    print(f"{name}: {len(whole.steps)} steps")
