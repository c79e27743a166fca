"""OpenClaw's per-agent SQLite store: which sessions it holds, and their records, read while the host goes on writing.

Opened read-only. With no `-wal` beside it nobody has it open: then it is read as immutable, so that no side file is
made, and read anew if it changed meanwhile. A `-wal` without its `-shm` is left from a crash, and a folder may be
mounted read-only: then a copy is read, so that nothing is made beside the host's file.
Columns and tables are looked up, never assumed: the schema went from 4 to 23 within months, and a newer one is read as
far as it can be. Records come in batches by key, so that no read transaction stays open.
"""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from silo.edge.sources import branch
from silo.edge.sources.assemble import CURSORS, Assembler, covers
from silo.edge.sources.files import number
from silo.edge.sources.found import CONTEXT, Reading, Skipped, SourceSession
from silo.edge.sources.zstd import CannotDecompress, Decompressor
from silo.formats.session import Kind, kind_of_key

KNOWN_SCHEMA = 23
_BATCH = 400
_ROLE = ('"role":"toolResult"', '"role":"custom"', '"role":"bashExecution"')


@dataclass(frozen=True, slots=True)
class Row:
    """One record: its place, and its JSON text, or its compressed frame with the host's summary of it."""

    seq: int
    text: str | None
    frame: bytes | None
    summary: str | None


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


@dataclass(frozen=True, slots=True)
class StoreSession:
    """One session of a store that can be read."""

    store: Store
    session: str
    source: str
    agent: str
    last_seq: int
    generation: str = ""
    kind: Kind = Kind.UNKNOWN
    key: str = ""
    last: datetime | None = None
    size: int = 0

    @property
    def where(self) -> str:
        return f"{self.store.path} session {self.session}"

    @property
    def cursor_key(self) -> str:
        return f"store:{self.agent}:{self.session}"

    def close(self) -> None:
        """Let go of the store's file."""
        self.store.close()

    def read(self, reading: Reading) -> Iterator[SourceSession]:
        """What is new in the session, in one part or, after a `/new` or where it is very long, in several."""
        given = reading.get(CURSORS, self.cursor_key)
        cursor: Mapping[str, object] = given if isinstance(given, dict) else {}
        same = cursor.get("generation") == self.generation and covers(cursor, reading)
        if same and number(cursor.get("seq")) == self.last_seq + 1:
            return
        try:
            with Decompressor() as frames:
                yield from _Walk(self, reading, cursor if same else {}, frames).parts()
        except (sqlite3.DatabaseError, OSError) as error:
            reading.skipped.append(Skipped(self.where, str(error)))


@dataclass(slots=True)
class _Walk:
    """One pass over a session's rows. A cursor's `seq` is the first one not read yet."""

    of: StoreSession
    reading: Reading
    cursor: Mapping[str, object]
    frames: Decompressor
    unread: list[int] = field(default_factory=list)
    reason: str = ""

    def parts(self) -> Iterator[SourceSession]:
        of = self.of
        work = Assembler(
            reading=self.reading, where=of.where, source=of.source, agent=of.agent, session=of.session,
            cursor_key=of.cursor_key, key=of.key, kind=of.kind, leaf=self.cursor.get("leaf") is True,
            machine=str(self.cursor.get("machine") or ""),
        )  # fmt: skip
        fresh_from = int(number(self.cursor.get("seq")))
        if work.leaf:
            work.hidden = self._hidden()
        done = fresh_from
        for row in self._rows(max(0, fresh_from - 8 * CONTEXT)):
            line = self._line(row)
            mark = work.take(line, fresh=row.seq >= fresh_from) if line else None
            if mark is not None and mark.what == "leaf" and row.seq >= fresh_from:
                work.hidden = self._hidden()
                if fresh_from:  # what lay off the branch before may count now
                    self.cursor = {}
                    yield from self.parts()
                    return
            done = max(done, row.seq + 1)
            reset = mark is not None and mark.what == "reset"
            if reset or work.full:
                yield work.part(self._cursor(work, done), keep_context=not reset)
        yield work.part(self._cursor(work, done))
        if self.unread:
            which = ", ".join(map(str, self.unread[:5])) + (" …" if len(self.unread) > 5 else "")
            self.reading.skipped.append(
                Skipped(f"{of.where} seq {which}", f"{len(self.unread)} records: {self.reason}")
            )

    def _cursor(self, work: Assembler, done: int) -> dict[str, object]:
        # A record that could not be decompressed is tried again by later runs: the cursor stays before it.
        upto = min([done, *self.unread])
        value: dict[str, object] = {"seq": upto, "generation": self.of.generation}
        if work.machine:
            value["machine"] = work.machine
        if work.leaf:
            value["leaf"] = True
        return value

    def _rows(self, start: int) -> Iterator[Row]:
        store, after = self.of.store, start - 1
        columns = store.columns("transcript_events")
        frame = "event_zstd" if "event_zstd" in columns else "NULL"
        summary = "navigation_json" if "navigation_json" in columns else "NULL"
        sql = (
            f"SELECT seq, event_json, {frame}, CASE WHEN event_json IS NULL THEN {summary} END FROM transcript_events"
            f" WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT {_BATCH}"
        )
        while rows := store.query(sql, (self.of.session, after)):
            for seq, text, blob, brief in rows:
                after = int(str(seq))
                yield Row(
                    after,
                    text if isinstance(text, str) else None,
                    blob if isinstance(blob, bytes) else None,
                    brief if isinstance(brief, str) else None,
                )

    def _line(self, row: Row) -> bytes:
        """A record's JSON text; b'' for tool output that need not be decompressed, and for what can't be."""
        if row.text is not None:
            return row.text.encode("utf-8", "surrogatepass")
        if row.frame is None or (row.summary is not None and any(role in row.summary for role in _ROLE)):
            return b""
        try:
            return self.frames.row(row.frame)
        except CannotDecompress as error:
            self.unread.append(row.seq)
            self.reason = str(error)
            return b""

    def _hidden(self) -> frozenset[str]:
        return branch.hidden_ids(
            (row.text or row.summary or "").encode("utf-8", "surrogatepass") for row in self._rows(0)
        )


def sessions(store: Store, agent: str, source: str = "openclaw") -> list[StoreSession]:
    """Every session of a store, with what its windows and nodes tell of its kind."""
    if not store.columns("transcript_events"):
        raise sqlite3.DatabaseError("no transcripts in it (table transcript_events)")
    version = _version(store)
    if version > KNOWN_SCHEMA:
        store.notes.append(
            f"{store.path}: schema {version} is newer than {KNOWN_SCHEMA}, the newest known; read as far as it can be"
        )
    known = places(store)
    rewrites = {}
    if {"session_id", "generation"} <= store.columns("transcript_rewrite_watermarks"):
        rewrites = {
            str(s): str(g)
            for s, g in store.query("SELECT session_id, generation FROM transcript_rewrite_watermarks")
        }
    found = []
    for ident, last_seq in store.query(
        "SELECT session_id, MAX(seq) FROM transcript_events GROUP BY session_id"
    ):
        session = str(ident)
        key, kind = known.get(session, ("", Kind.UNKNOWN))
        stamp = store.query(
            "SELECT created_at FROM transcript_events WHERE session_id = ? AND seq = ?", (session, last_seq)
        )
        last = (
            datetime.fromtimestamp(number(stamp[0][0]) / 1000, UTC) if stamp and number(stamp[0][0]) else None
        )
        found.append(
            StoreSession(
                store,
                session,
                source,
                agent,
                int(str(last_seq)),
                rewrites.get(session, ""),
                kind,
                key,
                last,
                size=int(str(last_seq)) * 600,
            )
        )
    return found


def tombstones(store: Store) -> frozenset[str]:
    """Sessions that the user had the host forget."""
    if "session_id" not in store.columns("memory_session_tombstones"):
        return frozenset()
    return frozenset(str(row[0]) for row in store.query("SELECT session_id FROM memory_session_tombstones"))


def _version(store: Store) -> int:
    if "schema_version" in store.columns("schema_meta"):
        rows = store.query("SELECT MAX(schema_version) FROM schema_meta")
        return int(number(rows[0][0]))
    return int(number(store.query("PRAGMA user_version")[0][0]))


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
