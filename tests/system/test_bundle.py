"""`export --all` and `restore --from FILE`: a workspace in one file, and back byte for byte; nothing is overwritten, nothing leads out."""

from __future__ import annotations

import json
import sqlite3
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from command import Home
from silo.edge import bundle
from silo.errors import Trouble


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home(tmp_path / "w")
    home.run("init")
    home.topic("house", "- The roof is new. <!-- f_00000000000a -->", kind="personal")
    home.run("store", "--text", "The pump is green.", "--topic", "house", "--tag", "FACT")
    home.run("topic", "new", "health", "--type", "personal", "--private")
    home.run("store", "--text", "The blood test is on Friday.", "--topic", "health", "--tag", "FACT")
    home.night()
    home.write("MEMORY.md", "# Mine\n")
    home.write("memory/2026-03-01.md", "- A note of the host.\n")
    home.write("AGENTS.md", "not of the memory\n")
    home.run("retrieve", "--query", "pump")
    return home


def files(root: Path) -> dict[str, tuple[bytes, int]]:
    found = {}
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        passing = name.startswith((".silo/locks", ".silo/index", "state/", "AGENTS"))
        if path.is_file() and not passing and not name.endswith(("-wal", "-shm")):
            found[name] = (path.read_bytes(), path.stat().st_mode & 0o777)
    return found


def test_a_restore_reproduces_every_byte_and_the_memory_works(home: Home, tmp_path: Path) -> None:
    place = tmp_path / "memory.silo"
    said = home.data("export", "--all", str(place))
    assert place.stat().st_mode & 0o777 == 0o600
    before = files(home.root)
    assert ".silo/key" in before
    assert said["files"] == len(before)
    other = Home(tmp_path / "deep" / "other")
    told = other.run("restore", "--from", str(place))
    assert "verified" in told
    assert files(other.root) == before
    other.run("restore", "--from", str(place), "--verify")
    other.write("memory/topics/house.md", "changed\n")
    assert "memory/topics/house.md:1 unlike" in other.run("restore", "--from", str(place), "--verify", code=1)
    other.write("memory/topics/house.md", (home.root / "memory/topics/house.md").read_text())
    assert "blood test" in other.run("retrieve", "--query", "blood test")
    assert "D010" not in other.run("doctor", "--check", "memory/events", "--check", ".silo/private")
    other.run("undo", "--any", "--last", "--yes")
    assert not (other.root / "AGENTS.md").exists()


def test_the_same_memory_gives_the_same_bytes(home: Home, tmp_path: Path) -> None:
    for name in ("a", "b"):
        home.run("export", "--all", str(tmp_path / name))
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_nothing_is_overwritten_unless_asked(home: Home, tmp_path: Path) -> None:
    place = tmp_path / "memory.silo"
    home.run("export", "--all", str(place))
    assert "exists already" in home.run("export", "--all", str(place), code=2)
    assert "lies inside the memory" in home.run("export", "--all", str(home.root / "memory/x"), code=2)
    home.run("store", "--text", "Said after the bundle.", "--tag", "FACT")
    now = files(home.root)
    refused = home.run("restore", "--from", str(place), code=2)
    assert "not empty" in refused
    assert "--overwrite" in refused
    assert files(home.root) == now
    home.run("restore", "--from", str(place), "--overwrite")
    (aside,) = home.root.glob(".silo-before-restore-*")
    assert files(aside) == now
    assert "Said after" not in home.run("retrieve", "--query", "said after the bundle")


def made(place: Path, path: str, data: bytes = b"x", **manifest: object) -> Path:
    import hashlib

    value = {"kind": bundle.KIND, "schema_version": 1, "files": [[path, hashlib.sha256(data).hexdigest(), len(data), 0o644]]} | manifest
    with zipfile.ZipFile(place, "w") as archive:
        archive.writestr(bundle.MANIFEST, json.dumps(value))
        archive.writestr("files/000000", data)
    return place


@pytest.mark.parametrize("path", ["../outside.md", "/etc/x", "memory/../../x", "a/b.md", ".git/hooks/post-commit", "memory/a\\b", "AGENTS.md", "MEMORY.md/x", "~/x", "memory/\x00"])
def test_a_path_that_is_none_of_the_memory_is_refused(tmp_path: Path, path: str) -> None:
    place = made(tmp_path / "bad.silo", path)
    said = Home(tmp_path / "w").run("restore", "--from", str(place), code=2)
    assert "PROBLEM" in said
    assert not (tmp_path / "w").exists() or not any((tmp_path / "w").iterdir())
    assert sorted(p.name for p in tmp_path.iterdir()) in (["bad.silo"], ["bad.silo", "w"])


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda p: made(p, "memory/x.md", schema_version=2), "this version of memory-silo knows 1"),
        (lambda p: made(p, "memory/x.md", kind="other"), "is no bundle"),
        (lambda p: made(p, "memory/x.md", files=[["memory/x.md", "0" * 64, 1, 0o644]]), "not what its list tells"),
        (lambda p: made(p, "memory/x.md", files=[["memory/x.md", "0" * 64, 1, 0o644]] * 2), "twice"),
        (lambda p: p.write_bytes(b"no zip"), "damaged, or no bundle"),
        (lambda p: p.write_bytes(made(p, "memory/x.md", b"y" * 5000).read_bytes()[:-40]), "damaged"),
        (lambda p: made(p, ".silo/config.json", b'{"schema_version": 99}'), "has schema 99"),
    ],
)
def test_a_bundle_that_is_not_whole_writes_nothing(tmp_path: Path, spoil: Callable[[Path], object], message: str) -> None:
    place = tmp_path / "bad.silo"
    spoil(place)
    assert message in Home(tmp_path / "w").run("restore", "--from", str(place), code=2)
    left = [path for path in (tmp_path / "w").rglob("*") if path.is_file() and bundle.STAGING not in path.parts]
    assert left == []


def test_a_dry_run_finds_what_is_damaged(home: Home, tmp_path: Path) -> None:
    place = tmp_path / "memory.silo"
    home.run("export", "--all", str(place))
    assert "is whole" in Home(tmp_path / "new").run("restore", "--from", str(place), "--dry-run")
    assert not (tmp_path / "new").exists()
    bad = made(tmp_path / "bad", "memory/x.md", files=[["memory/x.md", "0" * 64, 1, 0o644]])
    assert "damaged" in Home(tmp_path / "new").run("restore", "--from", str(bad), "--dry-run", code=1)


def test_a_newer_state_is_refused(home: Home, tmp_path: Path) -> None:
    with sqlite3.connect(home.root / ".silo/state.db") as db:
        db.execute("PRAGMA user_version = 99")
    place = tmp_path / "memory.silo"
    bundle.pack(home.root, place)
    assert "has schema 99" in Home(tmp_path / "new").run("restore", "--from", str(place), code=2)


def test_a_restore_that_was_cut_off_goes_on(home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "memory.silo"
    home.run("export", "--all", str(place))
    before = files(home.root)
    packed = bundle.contents(place)
    rename = Path.rename
    for fatal in range(1, 6):
        root = tmp_path / f"new{fatal}"
        steps = 0

        def dying(self: Path, to: Path, fatal: int = fatal) -> Path:
            nonlocal steps
            steps += 1
            if steps == fatal:
                raise OSError(5, "gone")
            return rename(self, to)

        monkeypatch.setattr(Path, "rename", dying)
        try:
            bundle.unpack(place, root, packed, overwrite=False, stamp="x")
        except Trouble:
            assert not (root / ".silo").exists() or any(root.iterdir())
        monkeypatch.setattr(Path, "rename", rename)
        bundle.unpack(place, root, packed, overwrite=False, stamp="x") if (root / bundle.STAGING).exists() else None
        assert files(root) == before
        assert bundle.unlike(root, packed) == []
        assert not (root / bundle.STAGING).exists()


def test_a_flipped_bit_anywhere_is_found_or_changes_nothing_and_leaves_nothing_behind(home: Home, tmp_path: Path) -> None:
    place, bad = tmp_path / "whole", tmp_path / "flipped"
    home.run("export", "--all", str(place))
    data, before = place.read_bytes(), files(home.root)
    end = range(len(data) - 30, len(data))
    for number, at in enumerate([*range(7, len(data), len(data) // 60), *end]):
        bad.write_bytes(data[:at] + bytes([data[at] ^ (1 << number % 8)]) + data[at + 1 :])
        new = tmp_path / f"new-{number}"
        try:
            packed = bundle.contents(bad)
            found = bundle.damaged(bad, packed)
            bundle.unpack(bad, new, packed, overwrite=False, stamp="x")
        except Trouble:
            assert not new.exists() or list(new.iterdir()) == [], at
        else:
            assert found == [], at
            assert files(new) == before, at
