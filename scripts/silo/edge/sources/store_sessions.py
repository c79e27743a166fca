"""The sessions of a host's store: listed with their kinds, read in batches by key, so that no transaction stays open.

A cursor holds the first row that was not read. A rewritten transcript (its generation changed) is read anew, and known
messages are passed over; a row that can't be decompressed is named and tried again by later runs.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

import silo.edge.sources.branch as branch
from silo.edge.sources.assemble import CURSORS, Assembler, covers
from silo.edge.sources.files import number
from silo.edge.sources.found import CONTEXT, Reading, Skipped, SourceSession
from silo.edge.sources.store import KNOWN_SCHEMA, Store, places, version
from silo.edge.sources.zstd import CannotDecompress, Decompressor
from silo.formats.session import Kind

_BATCH = 64  # rows held at once: one may be of 4 MB
_ROLE = ('"role":"toolResult"', '"role":"custom"', '"role":"bashExecution"')


@dataclass(frozen=True, slots=True)
class Row:
    """One record: its place, and its JSON text, or its compressed frame with the host's summary of it."""

    seq: int
    text: str | None
    frame: bytes | None
    summary: str | None


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
        cursor: Mapping[str, object] = (
            given if isinstance(given, dict) and not reading.wants_again(self.session) else {}
        )
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
            at=of.last.timestamp() if of.last else None,
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
    schema = version(store)
    if schema > KNOWN_SCHEMA:
        store.notes.append(
            f"{store.path}: schema {schema} is newer than {KNOWN_SCHEMA}, the newest known; read as far as it can be"
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
