"""A forget is cut off, or refused, at any step that it writes: the memory is as before or nothing holds the words; never a claim."""

from __future__ import annotations

import errno
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from command import Home
from faulty_disk import AFTER, FaultyDisk, Killed, quick_folder
from forgetting import SECRET, everywhere, held
from silo.edge import reader


@pytest.fixture
def top(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Path, str]]:
    folder = quick_folder()
    monkeypatch.setattr(reader, "Disk", lambda owner=None: FaultyDisk())
    home = Home(folder / "first")
    home.run("init")
    yield folder, everywhere(home)
    shutil.rmtree(folder)


def fresh(folder: Path) -> Home:
    shutil.rmtree(folder / "w", ignore_errors=True)
    shutil.copytree(folder / "first", folder / "w")
    return Home(folder / "w")


def counted(folder: Path, ident: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    disk = FaultyDisk()
    home = fresh(folder)
    monkeypatch.setattr(reader, "Disk", lambda owner=None: disk)
    home.run("forget", ident, "--yes")
    assert held(home.root, SECRET) == {}
    return disk.steps


def settled(home: Home, ident: str, before: dict[str, str], label: str) -> None:
    """After the next start nothing is half-forgotten; asked again, it is forgotten."""
    home.run("status")
    found = held(home.root, SECRET, ident)
    assert found == {} or {k: v for k, v in found.items() if "/runs/" not in k} == before, f"{label}: {sorted(found)}"
    home.run("forget", ident, "--yes")
    assert held(home.root, SECRET, ident) == {}, label
    assert not list((home.root / ".silo/runs").glob("*.committing")), label


def steps_of(number: int, every: int) -> range:
    return range(1, number + 1, every)


@pytest.mark.parametrize("every", [9, pytest.param(1, marks=pytest.mark.long)])
def test_killed(top: tuple[Path, str], every: int, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, ident = top
    before = {k: v for k, v in held(folder / "first", SECRET, ident).items() if "/runs/" not in k}
    steps = counted(folder, ident, monkeypatch)
    for number in steps_of(len(steps), every):
        home = fresh(folder)
        monkeypatch.setattr(reader, "Disk", lambda owner=None, at=number: FaultyDisk(die_at=(at, AFTER)))
        with pytest.raises(Killed):
            home.run("forget", ident, "--yes")
        monkeypatch.setattr(reader, "Disk", lambda owner=None: FaultyDisk())
        settled(home, ident, before, f"step {number} ({steps[number - 1]})")
    print(f"{len(steps)} steps")


@pytest.mark.parametrize("every", [11, pytest.param(1, marks=pytest.mark.long)])
def test_refused(top: tuple[Path, str], every: int, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, ident = top
    before = {k: v for k, v in held(folder / "first", SECRET, ident).items() if "/runs/" not in k}
    steps = counted(folder, ident, monkeypatch)
    for number in steps_of(len(steps), every):
        home = fresh(folder)
        disk = FaultyDisk(fail_at=(number, errno.EIO))
        monkeypatch.setattr(reader, "Disk", lambda owner=None, disk=disk: disk)
        try:
            said = home.run("forget", ident, "--yes", code=3)
        except AssertionError:
            assert held(home.root, SECRET, ident) == {}, f"step {number} ({steps[number - 1]}) claims what is not so"
        else:
            assert "OK forgotten" not in said
        monkeypatch.setattr(reader, "Disk", lambda owner=None: FaultyDisk())
        settled(home, ident, before, f"step {number} ({steps[number - 1]})")
