"""A bundle: everything of a workspace in one ZIP file, and the way back into a folder, byte for byte.

The first entry, `memory-silo.json`, lists each file with path, hash, size and mode; contents are numbered entries, so that
no name in the archive is ever a path. Writes one file that a person names, or an empty workspace.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import shutil
import sqlite3
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from silo.edge.fs import Disk, new_file, owner_of, trouble
from silo.edge.outfile import open_new
from silo.edge.places import SILO, Places, check
from silo.edge.site import check_versions
from silo.edge.state import State
from silo.errors import BadInput, Conflict

SCHEMA_VERSION = 1
KIND = "memory-silo bundle"
MANIFEST = "memory-silo.json"
STAGING = ".silo-restoring"
ASIDE = ".silo-before-restore"
MOST = 4_000_000_000  # bytes that one file may unpack to
_DERIVED = ("index.db", "index-vectors.db")  # built anew by the next question
# What zipfile raises for bytes that are not as a ZIP has them: flags of encryption, unknown methods, fields that contradict.
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, struct.error, ValueError, RuntimeError)
_STAMP = (1980, 1, 1, 0, 0, 0)  # the same contents give the same bytes


@dataclass(frozen=True, slots=True)
class Packed:
    """A file of a bundle. `path` is relative to the workspace, `mode` its permission bits."""

    path: str
    sha256: str
    size: int
    mode: int


def members(root: Path) -> list[str]:
    """The files that a bundle of this workspace holds: memory/, MEMORY files, and .silo without what is derived or passing."""
    found = [*root.glob("MEMORY*.md"), *(root / "memory").rglob("*"), *(root / SILO).rglob("*")]
    names = (path.relative_to(root).as_posix() for path in found if path.is_file() and not path.is_symlink())
    return sorted(name for name in names if not _is_passing(name))


def _is_passing(name: str) -> bool:
    parts = name.split("/")
    if parts[0] != SILO:
        return False
    return parts[1] == "locks" or parts[1].startswith(_DERIVED) or any(part.endswith(".committing") for part in parts)


def pack(root: Path, to: Path) -> list[Packed]:
    """The bundle is at `to`, for its owner's eyes alone; what it holds. Callers keep others from writing meanwhile.

    Raises:
        BadInput: `to` exists, or its folder does not.
        Conflict: the system refused, or a database is being written.
    """
    names = members(root)
    handle = open_new(to)
    try:
        with os.fdopen(handle, "wb") as file:
            packed = _packed(root, names, file)
            file.flush()
            os.fsync(file.fileno())
    except (OSError, sqlite3.Error) as error:
        to.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise trouble(error, f"writing {to}") from error
        raise Conflict(f"a database of the memory can't be copied now: {error}", "try again in a moment") from error
    return packed


def _packed(root: Path, names: list[str], file: Any) -> list[Packed]:
    with contextlib.ExitStack() as held:
        for name in names:
            if name.endswith(".db"):
                held.enter_context(_still(root / name))
        packed = [_one(root, name) for name in names]
        manifest = {"kind": KIND, "schema_version": SCHEMA_VERSION, "files": [[one.path, one.sha256, one.size, one.mode] for one in packed]}
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(_entry(MANIFEST), json.dumps(manifest, ensure_ascii=True, indent=0))
            for number, one in enumerate(packed):
                with archive.open(_entry(f"files/{number:06d}"), "w", force_zip64=one.size > 1_000_000_000) as entry, (root / one.path).open("rb") as source:
                    shutil.copyfileobj(source, entry)
    return packed


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, _STAMP)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o600 << 16
    return entry


def _one(root: Path, name: str) -> Packed:
    path = root / name
    digest = hashlib.sha256()
    size = 0
    with path.open("rb") as file:
        while part := file.read(1 << 20):
            digest.update(part)
            size += len(part)
    return Packed(name, digest.hexdigest(), size, path.stat().st_mode & 0o777)


@contextlib.contextmanager
def _still(path: Path) -> Iterator[None]:
    """Nobody writes the database inside the block, and its one file holds all of it. A file that is no database is taken as it is."""
    db = sqlite3.connect(path, timeout=30, isolation_level=None)
    try:
        try:
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            db.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError:
            pass
        yield
    finally:
        db.close()


# --- looking into one -------------------------------------------------------------------------------------


def contents(file: Path) -> list[Packed]:
    """What a bundle says that it holds.

    Raises:
        BadInput: it is none, is damaged, was made by a newer version, or names a path that leads out of a workspace.
    """
    with _opened(file) as archive:
        return _contents(file, archive)


def _contents(file: Path, archive: zipfile.ZipFile) -> list[Packed]:
    try:
        value = json.loads(archive.read(MANIFEST))
        kind, version, rows = value["kind"], value["schema_version"], value["files"]
        packed = [Packed(str(path), str(sha), int(size), int(mode)) for path, sha, size, mode in rows]
    except (KeyError, TypeError, OSError, *_BROKEN) as error:
        raise BadInput(f"{file} is no bundle, or is damaged: {error}", "give a file that `export --all` has made") from None
    if kind != KIND or not isinstance(version, int):
        raise BadInput(f"{file} is no bundle", "give a file that `export --all` has made")
    if version > SCHEMA_VERSION:
        raise BadInput(f"{file} has schema {version}, this version of memory-silo knows {SCHEMA_VERSION}", "update memory-silo; nothing was written")
    for one in packed:
        parts = check(one.path).parts
        if parts[0] not in (SILO, "memory") and not (len(parts) == 1 and parts[0].startswith("MEMORY")):
            raise BadInput(f"{file} holds {one.path!r}, which is no file of a memory", "the file was tampered with; nothing was written")
        if not 0 <= one.size <= MOST:
            raise BadInput(f"{file}: {one.path} has an impossible size", "the file was tampered with; nothing was written")
    if len({one.path for one in packed}) < len(packed):
        raise BadInput(f"{file} names a file twice", "the file was tampered with; nothing was written")
    return packed


@contextlib.contextmanager
def _opened(file: Path) -> Iterator[zipfile.ZipFile]:
    try:
        try:
            archive = zipfile.ZipFile(file)
        except OSError as error:
            if error.errno != errno.EINVAL:
                raise
            raise zipfile.BadZipFile("its directory lies outside of it") from None
        with archive:
            yield archive
    except FileNotFoundError:
        raise BadInput(f"there is no file {file}", "give a file that `export --all` has made") from None
    except _BROKEN as error:
        raise BadInput(f"{file} is damaged, or no bundle: {error}", "give a whole file that `export --all` has made") from None


def damaged(file: Path, packed: list[Packed]) -> list[str]:
    """Paths whose contents in the bundle are not those that its list tells."""
    found: list[str] = []
    with _opened(file) as archive:
        for number, one in enumerate(packed):
            try:
                with _entry_of(archive, number) as entry:
                    digest, size = _digest(entry, one.size)
            except (KeyError, *_BROKEN):
                found.append(one.path)
                continue
            if (digest, size) != (one.sha256, one.size):
                found.append(one.path)
    return found


def _entry_of(archive: zipfile.ZipFile, number: int) -> IO[bytes]:
    """The contents of a file. Raises KeyError if there are none, BadZipFile where the directory points outside of the archive."""
    try:
        return archive.open(f"files/{number:06d}")
    except OSError as error:
        raise zipfile.BadZipFile(f"its directory is wrong: {error}") from None


def _digest(entry: Any, most: int) -> tuple[str, int]:
    digest, size = hashlib.sha256(), 0
    while size <= most and (part := entry.read(1 << 20)):
        digest.update(part)
        size += len(part)
    return digest.hexdigest(), size


# --- the way back -----------------------------------------------------------------------------------------


def in_the_way(root: Path) -> list[str]:
    """What a restore would overwrite."""
    tops = [*root.glob("MEMORY*.md"), root / "memory", root / SILO]
    return sorted(path.name for path in tops if path.is_file() or path.is_symlink() or (path.is_dir() and any(path.iterdir())))


def unpack(file: Path, root: Path, packed: list[Packed], *, overwrite: bool, stamp: str) -> str:
    """The workspace `root` is what the bundle holds; returns where what stood there before lies now, "" if nothing did.

    All of it is unpacked and compared beside the memory first, then moved into place, `.silo` last. Cut off, it is begun
    anew: nothing is in place before all is there.

    Raises:
        BadInput: the workspace is not empty (without `overwrite`), or the contents are not those that the list tells.
        Conflict: the system refused.
    """
    try:
        root.mkdir(parents=True, exist_ok=True)
        disk = Disk(owner_of(root))
        staging = root / STAGING
        if (staging / "whole").exists():
            return _moved(root, staging, "")
        if (there := in_the_way(root)) and not overwrite:
            raise BadInput(f"{root} is not empty: {', '.join(there)}", "restore into an empty folder, or give --overwrite: what stands there is moved aside")
        if staging.exists():
            shutil.rmtree(staging)
        try:
            _staged(file, staging, packed, disk)
        except BadInput:  # no half of a memory is left lying about
            shutil.rmtree(staging, ignore_errors=True)
            raise
        check_versions(Places(staging.resolve()), State(staging / SILO / "state.db", disk, lambda: None))
        aside = _put_aside(root, there, stamp) if there else ""
        new_file(disk, staging / "whole", b"")
        disk.sync_folder(staging)
        return _moved(root, staging, aside)
    except OSError as error:
        raise trouble(error, "restoring; what is in place stays, and the same command goes on") from error


def _staged(file: Path, staging: Path, packed: list[Packed], disk: Disk) -> None:
    disk.mkdir(staging, 0o700)
    with _opened(file) as archive:
        for number, one in enumerate(packed):
            place = staging / one.path
            missing = [folder for folder in reversed(place.parents) if folder.is_relative_to(staging) and not folder.exists()]
            for folder in missing:
                disk.mkdir(folder, 0o700 if folder.relative_to(staging).parts[0] == SILO else 0o755)
            try:
                entry = _entry_of(archive, number)
            except KeyError:
                raise BadInput(f"{file} lacks {one.path}", "the file is damaged; nothing was written") from None
            with entry, os.fdopen(disk.create(place, 0o600), "wb") as out:
                digest, size = hashlib.sha256(), 0
                while size <= one.size and (part := entry.read(1 << 20)):
                    out.write(part)
                    digest.update(part)
                    size += len(part)
                out.flush()
                disk.sync(out.fileno())
            if (digest.hexdigest(), size) != (one.sha256, one.size):
                raise BadInput(f"{file}: {one.path} is not what its list tells", "the file is damaged; nothing was written")
            place.chmod(one.mode & 0o777)


def _put_aside(root: Path, there: list[str], stamp: str) -> str:
    number, aside = 1, root / f"{ASIDE}-{stamp}"
    while aside.exists():
        number += 1
        aside = root / f"{ASIDE}-{stamp}-{number}"
    aside.mkdir(mode=0o700)
    for name in there:
        (root / name).rename(aside / name)
    return aside.name


def _moved(root: Path, staging: Path, aside: str) -> str:
    """What is staged is in place, the machine's state last."""
    for entry in sorted(staging.iterdir(), key=lambda path: (path.name == SILO, path.name)):
        if entry.name == "whole":
            continue
        there = root / entry.name
        if there.is_dir() and not any(there.iterdir()):
            there.rmdir()
        entry.rename(there)
    shutil.rmtree(staging)
    return aside


def unlike(root: Path, packed: list[Packed]) -> list[str]:
    """Paths of the workspace that are not byte for byte what the bundle holds."""
    found: list[str] = []
    for one in packed:
        place = root / one.path
        same = place.is_file() and not place.is_symlink() and _one(root, one.path).sha256 == one.sha256
        if not same:
            found.append(one.path)
    return found


def totals(packed: list[Packed]) -> Mapping[str, int]:
    """How many files and bytes."""
    return {"files": len(packed), "bytes": sum(one.size for one in packed)}
