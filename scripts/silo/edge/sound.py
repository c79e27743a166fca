"""Whether what lies in .silo is sound: databases that SQLite can read, files that nobody else can, links that stay inside. Reads only."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

from silo.edge.places import SILO

DERIVED = ("cold.db", "index.db", "index-vectors.db")


def trouble_of(path: Path) -> str:
    """What is wrong with a database, "" for a sound one or none."""
    if not path.is_file():
        return ""
    try:
        with contextlib.closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=5)) as db:
            said = str(db.execute("PRAGMA quick_check(1)").fetchone()[0])
    except sqlite3.OperationalError as error:
        return "" if "locked" in str(error) or "busy" in str(error) else f"it can't be opened: {error}"
    except sqlite3.DatabaseError as error:
        return f"it is damaged: {error}"
    return "" if said == "ok" else f"it is damaged: {said}"


def open_to_others(root: Path) -> list[tuple[str, int]]:
    """(path, permission bits) of .silo and of what in it others may read. A folder that is closed closes what is below it."""
    silo = root / SILO
    if not silo.is_dir():
        return []
    mode = silo.stat().st_mode & 0o777
    found = [(SILO, mode)] if mode & 0o077 else []
    key = silo / "key"
    if key.is_file() and key.stat().st_mode & 0o077:
        found.append((f"{SILO}/key", key.stat().st_mode & 0o777))
    return found


def leading_out(root: Path) -> list[str]:
    """Links under memory/ that lead out of the workspace, or nowhere."""
    memory = root / "memory"
    if not memory.is_dir():
        return []
    links = (path for path in sorted(memory.rglob("*")) if path.is_symlink())
    return [path.relative_to(root).as_posix() for path in links if not path.exists() or not path.resolve().is_relative_to(root)]


def damaged_runs(root: Path) -> list[str]:
    """Names of runs whose manifest can't be read."""
    from silo.edge import runs

    folder = root / SILO / "runs"
    aside = [path.name for path in sorted(folder.glob("*.damaged*"))] if folder.is_dir() else []
    return [*aside, *(name for name in runs.names(folder) if (run := runs.load_past(folder / name)) is not None and run.dropped == "its manifest is damaged")]


def mend(root: Path) -> list[str]:
    """Derived databases that are damaged are taken away, .silo is its owner's alone; a sentence for each."""
    said: list[str] = []
    for name in DERIVED:
        path = root / SILO / name
        if trouble_of(path):
            for ending in ("-wal", "-shm", "-journal", ""):
                path.with_name(name + ending).unlink(missing_ok=True)
            said.append(f"{SILO}/{name} was damaged and is taken away; it is derived and is made anew")
    for name, mode in open_to_others(root):
        (root / name).chmod(0o700 if (root / name).is_dir() else 0o600)
        said.append(f"{name} had mode {mode:o} and is private now")
    return said
