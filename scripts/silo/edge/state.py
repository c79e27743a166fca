"""state.db: named tables of key → JSON value, in one SQLite file that holds no words of a memory.

Its transaction is the last step of a commit and knows the run that made it, so that applying a run twice does nothing.
A lost or broken database costs counts and cursors, never a fact: it is set aside and a new one started. Does not know
what the tables mean.
"""

from __future__ import annotations

import contextlib
import json
import re
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from silo.edge.fs import FileSystem, new_file
from silo.errors import BadInput, Conflict

if TYPE_CHECKING:
    from silo.model import StateOp

SCHEMA_VERSION = 1  # PRAGMA user_version
WAIT = 30.0  # seconds that SQLite waits for another process
METRICS_KEPT = 5000
TABLE = re.compile(r"^[a-z][a-z_]{0,40}$")
OWN = "engine"  # the engine's own table; plans can't write it
LAST_RUN = "last_run"


Answer = TypeVar("Answer")


class State:
    """The database of one workspace. Nothing is created before the first write; a missing one reads as empty."""

    def __init__(self, path: Path, fs: FileSystem, prepare: Callable[[], None]) -> None:
        """`prepare` makes the folder of the database; it is called before the first write."""
        self.path = path
        self.notes: list[str] = []  # sentences for the user, emptied by whoever prints them
        self._fs = fs
        self._prepare = prepare
        self._damaged = False

    # --- reading ---

    def get(self, table: str, key: str) -> object:
        """The value of a key, None if there is none."""
        rows = self._select(table, "SELECT value FROM {} WHERE key = ?", (key,))
        return json.loads(str(rows[0][0])) if rows else None

    def items(self, table: str, prefix: str = "") -> dict[str, object]:
        """All keys and values of a table, by key; with `prefix` those that begin with it."""
        if not prefix:
            rows = self._select(table, "SELECT key, value FROM {} ORDER BY key", ())
        else:
            sql = "SELECT key, value FROM {} WHERE substr(key, 1, ?) = ? ORDER BY key"
            rows = self._select(table, sql, (len(prefix), prefix))
        return {str(key): json.loads(str(value)) for key, value in rows}

    def check(self) -> None:
        """BadInput if a newer version of this program wrote the database."""
        self._ask(lambda db: _check_version(db, self.path))

    def _select(self, table: str, sql: str, values: tuple[object, ...]) -> list[tuple[object, ...]]:
        name = _name(table)

        def rows(db: sqlite3.Connection) -> list[tuple[object, ...]]:
            known = db.execute(
                "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", (table,)
            ).fetchone()
            return db.execute(sql.format(name), values).fetchall() if known else []

        return self._ask(rows) or []

    def _ask(self, question: Callable[[sqlite3.Connection], Answer]) -> Answer | None:
        """The answer of a database that is only read; None where there is none, or a broken one."""
        if not self.path.is_file():
            return None
        try:
            try:
                return self._answer(question, "ro")
            except sqlite3.OperationalError:
                # A writer was killed: SQLite takes its half transaction back now, and may write for that alone.
                return self._answer(question, "rw")
        except sqlite3.OperationalError as error:
            raise Conflict(
                f"{self.path} can't be read: {error}", "see that it may be read and written"
            ) from error
        except sqlite3.DatabaseError:
            self._damaged = True
            note = (
                f"{self.path} is damaged and was read as empty; the next command that writes sets it aside."
            )
            if note not in self.notes:
                self.notes.append(note)
            return None

    def _answer(self, question: Callable[[sqlite3.Connection], Answer], mode: str) -> Answer:
        where = f"{self.path.absolute().as_uri()}?mode={mode}"
        with contextlib.closing(sqlite3.connect(where, uri=True, timeout=WAIT)) as db:
            return question(db)

    # --- writing ---

    def apply(self, ops: Iterable[StateOp], run_id: str | None = None) -> None:
        """All ops are in, in one transaction, or none. A run that is in already changes nothing."""
        ops = tuple(ops)
        for op in ops:
            if op.table == OWN:
                raise ValueError("the engine's own table is not for plans")
        if ops or run_id:
            tables = {OWN, *(op.table for op in ops)}
            self._mend_and(lambda: self._transact(tables, lambda db: _take(db, ops, run_id)))

    def count(self, table: str, keys: Iterable[str], day: str) -> None:
        """One more use of each key: its value is `{"count": …, "last": day}`. Cheap: the last of them may be lost with the power."""
        keys = tuple(keys)
        if keys:
            self._mend_and(lambda: self._transact({table}, lambda db: _count(db, table, keys, day), careful=False))

    def applied(self) -> str:
        """The id of the last run whose transaction is in, "" if there is none."""
        found = self.get(OWN, LAST_RUN)
        return found if isinstance(found, str) else ""

    def record_health(self, health: Mapping[str, object]) -> None:
        """Upsert named figures of the last job (dates, counts); replaces each given name as a whole."""
        from silo.model import Put

        self.apply(Put("health", name, value) for name, value in health.items())

    def add_metric(self, name: str, at: datetime, values: Mapping[str, object]) -> None:
        """Add one row to the metrics of `name`; the oldest go when there are more than a few thousand."""
        from silo.model import Drop, Put

        rows = self._select("metrics", "SELECT key FROM {} ORDER BY key", ())
        kept = [str(row[0]) for row in rows]
        number = int(kept[-1]) + 1 if kept else 1
        gone = [Drop("metrics", key) for key in kept[: max(0, len(kept) + 1 - METRICS_KEPT)]]
        row = {"name": name, "at": at.isoformat(timespec="seconds"), **values}
        self.apply([*gone, Put("metrics", f"{number:010d}", row)])

    def _mend_and(self, write: Callable[[], None]) -> None:
        try:
            if self._damaged:
                self._set_aside()
            write()
        except sqlite3.OperationalError as error:
            raise Conflict(f"{self.path} can't be written: {error}", "see that the disk has room") from error
        except sqlite3.DatabaseError:
            self._set_aside()
            write()

    def _transact(self, tables: set[str], work: Callable[[sqlite3.Connection], None], *, careful: bool = True) -> None:
        self._prepare()
        if not self.path.exists():
            with contextlib.suppress(FileExistsError):  # another process was first
                new_file(self._fs, self.path, b"", 0o600)
                self._fs.sync_folder(self.path.parent)
        with contextlib.closing(sqlite3.connect(self.path, timeout=WAIT, isolation_level=None)) as db:
            db.execute(f"PRAGMA synchronous = {'FULL' if careful else 'NORMAL'}")
            db.execute("BEGIN IMMEDIATE")
            try:
                _check_version(db, self.path)
                _make_tables(db, tables)
                work(db)
                self._fs.commit(db)
            except Exception:
                db.rollback()
                raise

    def _set_aside(self) -> None:
        self._damaged = False
        if self._is_sound():  # another process has set it aside already
            return
        number = 1
        while (aside := self.path.with_name(f"{self.path.name}.damaged-{number}")).exists():
            number += 1
        for ending in ("-journal", "-wal", "-shm"):
            side = self.path.with_name(self.path.name + ending)
            if side.exists():
                self._fs.rename(side, aside.with_name(aside.name + ending))
        self._fs.rename(self.path, aside)
        self.notes.clear()  # they told of the damage
        self.notes.append(
            f"{self.path} was damaged and is now {aside.name}; a new one was begun. "
            "No fact is lost; counts and cursors start afresh."
        )

    def _is_sound(self) -> bool:
        try:
            with contextlib.closing(sqlite3.connect(self.path, timeout=WAIT)) as db:
                return bool(db.execute("PRAGMA quick_check").fetchone()[0] == "ok")
        except sqlite3.DatabaseError:
            return False


def _name(table: str) -> str:
    if not TABLE.match(table):
        raise ValueError(f"not a table name: {table!r}")
    return f'"{table}"'


def _check_version(db: sqlite3.Connection, path: Path) -> None:
    found = db.execute("PRAGMA user_version").fetchone()[0]
    if found > SCHEMA_VERSION:
        raise BadInput(
            f"{path} has schema {found}, this version of memory-silo knows {SCHEMA_VERSION}",
            "update memory-silo; nothing was written",
        )


def _make_tables(db: sqlite3.Connection, tables: Iterable[str]) -> None:
    for table in sorted(tables):
        db.execute(
            f"CREATE TABLE IF NOT EXISTS {_name(table)} (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID"
        )
    db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def _take(db: sqlite3.Connection, ops: tuple[StateOp, ...], run_id: str | None) -> None:
    """The ops are in, unless this run's are already."""
    from silo.model import Put

    known = db.execute(f"SELECT value FROM {OWN} WHERE key = ?", (LAST_RUN,)).fetchone()
    if run_id is None or known is None or json.loads(known[0]) != run_id:
        _execute(db, ops)
        if run_id is not None:
            _execute(db, (Put(OWN, LAST_RUN, run_id),))


def _count(db: sqlite3.Connection, table: str, keys: Iterable[str], day: str) -> None:
    for key in keys:
        row = db.execute(f"SELECT value FROM {_name(table)} WHERE key = ?", (key,)).fetchone()
        value = json.loads(row[0]) if row else None
        number = value.get("count", 0) if isinstance(value, dict) else 0
        _put(db, table, key, {"count": (number if isinstance(number, int) else 0) + 1, "last": day})


def _put(db: sqlite3.Connection, table: str, key: str, value: object) -> None:
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"), sort_keys=True)
    db.execute(f"INSERT OR REPLACE INTO {_name(table)} (key, value) VALUES (?, ?)", (key, text))


def _execute(db: sqlite3.Connection, ops: Iterable[StateOp]) -> None:
    from silo.model import Drop, Put

    for op in ops:
        match op:
            case Put(table, key, value):
                _put(db, table, key, value)
            case Drop(table, key):
                db.execute(f"DELETE FROM {_name(table)} WHERE key = ?", (key,))
