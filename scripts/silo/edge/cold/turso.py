"""A cold store at a Turso or libSQL server. A put counts only where a read-back, in a request of its own, shows it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from silo.edge.cold import base
from silo.edge.cold.base import chunks
from silo.edge.cold.hrana import Hrana, NoTable, Refused, Unreachable, Value
from silo.edge.cold.reading import SqlReading
from silo.formats.coldrow import STORED, digest, from_values, values
from silo.model import ColdRow

PAGE = 5000  # digests of one question
FILLED = 262_144  # pages (1 GB) that are written over at most
MOST_FILL = 4_000_000  # bytes of zeros of one row
STATE = (
    "CREATE TABLE IF NOT EXISTS critical_state (agent_id TEXT PRIMARY KEY, data TEXT NOT NULL, updated_at INTEGER NOT NULL)",
    """CREATE TABLE IF NOT EXISTS silo_files (
  agent_id TEXT NOT NULL, path TEXT NOT NULL, sha256 TEXT NOT NULL, data TEXT NOT NULL, updated_at INTEGER NOT NULL,
  PRIMARY KEY (agent_id, path)
)""",
)


class TursoCold(SqlReading):
    """The table `cold_memories` of a server. The adapter makes no retries of its own: the connection does, where told to."""

    name = "turso"

    def __init__(self, server: Hrana) -> None:
        self.server = server

    def init(self) -> None:
        """The tables are there with all their columns, one made by another program too. Run again, nothing changes."""
        self.server.batch([(base.TABLE, ()), *((sql, ()) for sql in STATE)])
        have = {str(row[1]) for row in self.server.ask("PRAGMA table_info(cold_memories)")}
        missing = [name for name in STORED if name not in have]
        if missing:
            self.server.batch([(base.ADDED[name], ()) for name in missing if name in base.ADDED])
        self.server.ask(base.INDEX)

    def put(self, rows: Sequence[ColdRow]) -> frozenset[str]:
        found: set[str] = set()
        for part in chunks(rows):
            wanted = {row.id: digest(row) for row in part}
            flat = [value for row in part for value in values(row)]
            try:
                self.server.batch([(base.upsert(len(part)), flat)])
            except Refused:
                self.init()  # tables that are missing, or of another program; what is wrong otherwise is wrong again
                self.server.batch([(base.upsert(len(part)), flat)])
            found |= base.confirmed(wanted, self._digests_of(list(wanted)))
        return frozenset(found)

    def digests(self, agent: str) -> dict[str, str]:
        found: dict[str, str] = {}
        last = ""
        while True:
            page = self._read(base.DIGESTS, (agent, agent, last, PAGE))
            found |= {str(ident): str(sha or "") for ident, sha in page}
            if len(page) < PAGE:
                return found
            last = str(page[-1][0])

    def pages(self, agent: str, size: int = 2000) -> list[ColdRow]:
        """Every row of an agent, by id."""
        found: list[ColdRow] = []
        last = ""
        while True:
            page = [from_values(row) for row in self._read(base.PAGE, (agent, agent, last, size))]
            found += page
            if len(page) < size:
                return found
            last = page[-1].id

    def delete(self, ids: Collection[str], agent: str) -> int:
        gone = 0
        for part in chunks(sorted(ids)):
            keys = (agent, agent, *part)
            there = self._read(base.select(len(part), columns="id"), keys)
            if there:
                self.server.batch([(base.overwrite(len(part)), keys), (base.delete(len(part)), keys)])
                left = self._read(base.select(len(part), columns="id"), keys)
                if left:
                    raise Unreachable(f"{self.server.host} kept {len(left)} rows that it was told to delete", "run the command again")
            gone += len(there)
        return gone

    def scrub(self) -> tuple[str, ...]:
        """Where the server knows no VACUUM, its tables are copied, and what they leave behind is written over."""
        try:
            self.server.ask("VACUUM")
        except Refused:
            try:
                for table, columns in (("cold_memories", ", ".join(STORED)), ("silo_files", "agent_id, path, sha256, data, updated_at")):
                    self._copied(table, columns)
            except Refused as refused:
                return (f"deleted rows are gone; what their pages hold stays until {self.server.host} uses them again ({refused})",)
        try:
            self.server.ask("PRAGMA wal_checkpoint(TRUNCATE)")
        except Refused:
            return (f"{self.server.host} does its checkpoints by itself: its log holds older pages until then",)
        return ()

    def _copied(self, table: str, columns: str) -> None:
        """A table whose pages hold nothing but its rows: a copy of it, while the old pages are filled with zeros."""
        strange = {str(row[1]) for row in self.server.ask(f"PRAGMA table_info({table})")} - set(columns.split(", "))
        if strange:
            raise Refused(f"{table} has columns of another program")
        made = {"cold_memories": base.TABLE, "silo_files": STATE[1]}[table].replace(table, f"{table}_copy", 1)
        found = self.server.ask("PRAGMA page_count")
        size = min(int(str(found[0][0])), FILLED) * 4096 if found else 0
        rounds = [("INSERT INTO silo_filler VALUES (zeroblob(?))", (min(size - done, MOST_FILL),)) for done in range(0, size, MOST_FILL)]
        self.server.batch([
            (f"DROP TABLE IF EXISTS {table}_copy", ()),
            (made, ()),
            (f"INSERT INTO {table}_copy ({columns}) SELECT {columns} FROM {table}", ()),
            (f"DROP TABLE {table}", ()),
            (f"ALTER TABLE {table}_copy RENAME TO {table}", ()),
            ("DROP TABLE IF EXISTS silo_filler", ()),
            ("CREATE TABLE silo_filler (zeros BLOB)", ()),
            *rounds,
            ("DROP TABLE silo_filler", ()),
            *([(base.INDEX, ())] if table == "cold_memories" else []),
        ])  # fmt: skip

    def close(self) -> None:
        """There is nothing open."""

    def _read(self, sql: str, given: Sequence[Value]) -> list[tuple[Value, ...]]:
        """The rows; none where there is no table yet."""
        try:
            return self.server.ask(sql, given)
        except NoTable:
            return []

    def _digests_of(self, ids: Sequence[str]) -> dict[str, str]:
        rows = self._read(base.select(len(ids), columns="id, sha"), (base.ALL, base.ALL, *ids))
        return {str(ident): str(sha or "") for ident, sha in rows}
