"""How index.db is opened: to be written, only read, or held in memory."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from silo.edge.fs import Disk, new_file, owner_of
from silo.edge.index.store import Store

_LOCK_WAIT = 100  # milliseconds that a question waits for another process that is indexing
_MAKE_WAIT = 5.0  # seconds that it waits for another process that is making the tables


def on_disk(path: Path) -> Store:
    """The store at `path`, made if missing. Raises OSError or sqlite3.DatabaseError where it can't be made, read or written."""
    if not path.exists():
        _make(path)
    db = sqlite3.connect(path, timeout=_MAKE_WAIT, isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = NORMAL")
    store = Store(db)
    store.prepare()
    db.execute(f"PRAGMA busy_timeout = {_LOCK_WAIT}")
    return store


def as_it_is(path: Path) -> Store | None:
    """An index that can only be read, such as on a read-only disk; None if there is none of this version."""
    try:
        db = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True, isolation_level=None
        )
        store = Store(db, writable=False)
        if store.is_ready():
            store.totals()
            return store
        db.close()
    except sqlite3.DatabaseError:
        return None
    return None


def in_memory() -> Store:
    """An empty store that nothing outlives."""
    store = Store(sqlite3.connect(":memory:", isolation_level=None))
    store.prepare()
    return store


def _make(path: Path) -> None:
    """An empty file of ours alone, so that SQLite opens it with the right owner and mode."""
    disk = Disk(owner_of(path.parent.parent))
    if not path.parent.is_dir():
        disk.mkdir(path.parent, 0o700)
        new_file(disk, path.parent / ".gitignore", b"*\n")
    try:
        new_file(disk, path, b"")
    except FileExistsError:
        return  # another process was first
