"""Answers of models, kept by what was asked in .silo/index-answers.db, so that the same question costs nothing twice.

Derived: thrown away, they are asked again. They hold redacted words of conversations, so they lie with the machine's
state (mode 0600) and go with it; the oldest leave after a while.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from silo.edge.fs import Disk, new_file, owner_of

FILE = "index-answers.db"
KEPT_DAYS = 90
_ENDS = "CREATE TABLE IF NOT EXISTS ends (session TEXT NOT NULL, turn TEXT NOT NULL, day TEXT NOT NULL, PRIMARY KEY (session, turn)) WITHOUT ROWID"
_TABLE = "CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, day TEXT NOT NULL, answer TEXT NOT NULL) WITHOUT ROWID"


class Answers:
    """The file of one workspace. A damaged one is made anew; one that can't be written keeps nothing."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._path = root / ".silo" / FILE

    def get(self, keys: Iterable[str]) -> dict[str, Mapping[str, Any]]:
        """Kept answers by key."""
        if not self._path.is_file():
            return {}
        found: dict[str, Mapping[str, Any]] = {}
        try:
            with contextlib.closing(self._connect()) as db:
                for key in keys:
                    row = db.execute("SELECT answer FROM answers WHERE key = ?", (key,)).fetchone()
                    if row is not None and isinstance(value := json.loads(row[0]), dict):
                        found[key] = value
        except (sqlite3.Error, ValueError, OSError):
            return found
        return found

    def put(self, answers: Mapping[str, Mapping[str, Any]], today: date) -> None:
        """Keep answers; those older than 90 days go."""
        rows = [(key, today.isoformat(), json.dumps(value)) for key, value in answers.items()]
        self._insert("INSERT OR REPLACE INTO answers VALUES (?, ?, ?)", rows, today)

    def ends(self, session: str) -> frozenset[str]:
        """Ids of the turns behind which a session was cut when it was asked about."""
        if not self._path.is_file():
            return frozenset()
        try:
            with contextlib.closing(self._connect()) as db:
                return frozenset(str(row[0]) for row in db.execute("SELECT turn FROM ends WHERE session = ?", (session,)))
        except (sqlite3.Error, OSError):
            return frozenset()

    def put_ends(self, ends: Iterable[tuple[str, str]], today: date) -> None:
        """Remember (session, turn) where pieces ended, so that the same session is cut in the same places again."""
        rows = [(session, turn, today.isoformat()) for session, turn in ends]
        self._insert("INSERT OR REPLACE INTO ends VALUES (?, ?, ?)", rows, today)

    def _insert(self, sql: str, rows: list[tuple[str, str, str]], today: date) -> None:
        oldest = ((today - timedelta(days=KEPT_DAYS)).isoformat(),)
        for _ in range(2):
            try:
                self._make()
                with contextlib.closing(self._connect()) as db:
                    for table, made in (("answers", _TABLE), ("ends", _ENDS)):
                        db.execute(made)
                        db.execute(f"DELETE FROM {table} WHERE day < ?", oldest)
                    db.execute("BEGIN")
                    db.executemany(sql, rows)
                    db.execute("COMMIT")
                return
            except sqlite3.OperationalError:
                return  # another process writes, or the disk is full: they are asked for again
            except sqlite3.DatabaseError:
                forget_answers(self._root)
            except OSError:
                return

    def _make(self) -> None:
        if not self._path.exists():
            with contextlib.suppress(FileExistsError):  # another process was first
                new_file(Disk(owner_of(self._root)), self._path, b"", 0o600)

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(self._path, timeout=5.0, isolation_level=None)


def forget_answers(root: Path) -> None:
    """Remove what is kept: it is damaged, or words in it are to be forgotten."""
    for ending in ("", "-journal", "-wal", "-shm"):
        (root / ".silo" / (FILE + ending)).unlink(missing_ok=True)
