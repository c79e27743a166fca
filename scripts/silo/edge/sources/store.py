"""OpenClaw's per-agent SQLite store: opening it while the host goes on writing, and what it tells of its sessions.

Opened read-only. With no `-wal` beside it nobody has it open: then it is read as immutable, so that no side file is
made, and read anew if it changed meanwhile. A `-wal` without its `-shm` is left from a crash, and a folder may be
mounted read-only: then a copy is read, so that nothing is made beside the host's file.
Columns and tables are looked up, never assumed: the schema went from 4 to 23 within months, and a newer one is read as
far as it can be. The records themselves are `store_sessions`' part.
"""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Mapping
from pathlib import Path

from silo.formats.session import Kind, kind_of_key

KNOWN_SCHEMA = 23


class Store:
    """A store's file, connected when first needed. `notes` are sentences to be said."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.notes: list[str] = []
        self._connection: sqlite3.Connection | None = None
        self._stat: tuple[int, int] | None = None  # set while read as immutable
        self._copy: tempfile.TemporaryDirectory[str] | None = None
        self._columns: dict[str, frozenset[str]] = {}

    def close(self) -> None:
        """Close the file; it is opened again when needed."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        if self._copy is not None:
            self._copy.cleanup()
            self._copy = None

    def query(self, sql: str, values: tuple[object, ...] = ()) -> list[tuple[object, ...]]:
        """All rows of a short query, asked again on a fresh connection where the file changed under an immutable read."""
        for last in (False, True):
            try:
                rows: list[tuple[object, ...]] = self._connect().execute(sql, values).fetchall()
            except sqlite3.DatabaseError:
                if last or not self._changed():
                    raise
            else:
                if not self._changed():
                    return rows
            self.close()
        return self._connect().execute(sql, values).fetchall()

    def columns(self, table: str) -> frozenset[str]:
        """The columns of a table, empty when there is no such table."""
        if table not in self._columns:
            self._columns[table] = frozenset(
                str(row[1]) for row in self.query(f'PRAGMA table_info("{table}")')
            )
        return self._columns[table]

    def _changed(self) -> bool:
        return self._stat is not None and (self._stat != _stat(self.path) or _wal(self.path).exists())

    def _connect(self) -> sqlite3.Connection:
        if self._connection is None:
            self._connection = self._open()
        return self._connection

    def _open(self) -> sqlite3.Connection:
        self._stat = None
        if not _wal(self.path).exists():
            self._stat = _stat(self.path)
            return _tried(self.path, "immutable=1")
        if self.path.with_name(self.path.name + "-shm").exists():
            try:
                return _tried(self.path, "mode=ro")
            except sqlite3.OperationalError as error:
                self.notes.append(f"{self.path}: read from a copy ({error})")
        self._copy = tempfile.TemporaryDirectory(prefix="silo-")
        copied = Path(self._copy.name) / self.path.name
        shutil.copyfile(_wal(self.path), _wal(copied))
        shutil.copyfile(self.path, copied)
        return _tried(copied, "mode=rw")


def _wal(path: Path) -> Path:
    return path.with_name(path.name + "-wal")


def _stat(path: Path) -> tuple[int, int]:
    stat = path.stat()
    return stat.st_size, stat.st_mtime_ns


def _tried(path: Path, mode: str) -> sqlite3.Connection:
    """A connection that has answered a first question: opening alone reads nothing."""
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?{mode}", uri=True, timeout=5)
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.DatabaseError:
        connection.close()
        raise
    return connection


def tombstones(store: Store) -> frozenset[str]:
    """Sessions that the user had the host forget."""
    if "session_id" not in store.columns("memory_session_tombstones"):
        return frozenset()
    return frozenset(str(row[0]) for row in store.query("SELECT session_id FROM memory_session_tombstones"))


def _whole(value: object) -> int:
    return value if isinstance(value, int) else 0


def version(store: Store) -> int:
    if "schema_version" in store.columns("schema_meta"):
        rows = store.query("SELECT MAX(schema_version) FROM schema_meta")
        return _whole(rows[0][0])
    return _whole(store.query("PRAGMA user_version")[0][0])


_WINDOW = (
    "chat_type",
    "session_scope",
    "spawned_by",
    "plugin_owner_id",
    "acp_owned",
    "hook_external_content_source",
)


def places(store: Store) -> dict[str, tuple[str, Kind]]:
    """session id → (session key, kind), from whichever tables the schema has."""
    nodes: dict[str, str] = {}
    found: dict[str, tuple[str, Kind]] = {}
    columns = store.columns("session_nodes")
    if {"session_key", "current_session_id"} <= columns:
        via = "created_via" if "created_via" in columns else "NULL"
        for key, current, how in store.query(
            f"SELECT session_key, current_session_id, {via} FROM session_nodes"
        ):
            nodes[str(key)] = str(how or "")
            found[str(current)] = (str(key), _kind(str(key), {"created_via": how}))
    for table in ("sessions", "session_entries", "session_windows"):
        columns = store.columns(table)
        if not {"session_key", "session_id"} <= columns:
            continue
        have = [name for name in _WINDOW if name in columns]
        for row in store.query(f"SELECT {', '.join(['session_id', 'session_key', *have])} FROM {table}"):
            key = str(row[1] or "")
            facts = dict(zip(have, row[2:], strict=True)) | {"created_via": nodes.get(key, "")}
            found[str(row[0])] = (key, _kind(key, facts))
    return found


_VIA = {"cron": Kind.CRON, "spawn": Kind.SUBAGENT, "plugin": Kind.PLUGIN, "internal": Kind.PLUGIN}


def _kind(key: str, facts: Mapping[str, object]) -> Kind:
    """The kind of a session from its key first, then from what the host wrote beside it."""
    kind = kind_of_key(key)
    if kind not in (Kind.MAIN, Kind.DIRECT, Kind.GROUP, Kind.UNKNOWN):
        return kind
    if facts.get("hook_external_content_source"):
        return Kind.HOOK
    if facts.get("spawned_by"):
        return Kind.SUBAGENT
    if facts.get("plugin_owner_id") or facts.get("acp_owned"):
        return Kind.PLUGIN
    via = _VIA.get(str(facts.get("created_via") or ""))
    if via is not None:
        return via
    if facts.get("chat_type") in ("group", "channel") or facts.get("session_scope") in ("group", "channel"):
        return Kind.GROUP
    if kind is Kind.UNKNOWN and facts.get("chat_type") == "direct":
        return Kind.DIRECT
    return kind
