"""What a cold store can do, and the SQL that SQLite and a Turso server share.

Plain rowid tables and positional arguments alone: what every such server understands. All of it is idempotent by id and
digest, so that doing it again is always safe.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from silo.formats.coldrow import COLUMNS, STORED
from silo.model import ColdRow

ALL = ""  # as an agent: everybody's rows, for upkeep alone
CHUNK = 250  # rows of one transaction, ids of one question
TABLE = """CREATE TABLE IF NOT EXISTS cold_memories (
  id TEXT PRIMARY KEY,
  agent_id TEXT NOT NULL,
  text TEXT NOT NULL,
  category TEXT NOT NULL,
  importance REAL DEFAULT 0.5,
  created_at INTEGER NOT NULL,
  access_count INTEGER DEFAULT 0,
  tag TEXT DEFAULT '',
  topic TEXT DEFAULT '',
  date TEXT DEFAULT '',
  confidence TEXT DEFAULT '',
  source TEXT DEFAULT '',
  line TEXT DEFAULT '',
  place INTEGER DEFAULT 0,
  private INTEGER DEFAULT 0,
  folded TEXT DEFAULT '',
  sha TEXT DEFAULT ''
)"""
_NUMBERS = {"place", "private"}
# A table as published lacks these; they are added to it.
ADDED = {
    name: f"ALTER TABLE cold_memories ADD COLUMN {name} " + ("INTEGER DEFAULT 0" if name in _NUMBERS else "TEXT DEFAULT ''")
    for name in STORED[7:]
}
INDEX = "CREATE INDEX IF NOT EXISTS cold_by_agent ON cold_memories (agent_id, id)"
_SAME = ", ".join(f"{name} = excluded.{name}" for name in STORED if name != "id")
_SELECTED = ", ".join(COLUMNS)


@dataclass(frozen=True, slots=True)
class ColdStats:
    """How many rows an agent has, the days of the first and last of them ("" for none), and bytes of their texts."""

    count: int
    first: str
    last: str
    text_bytes: int


class ColdStore(Protocol):
    """An archive of logged facts. `agent` limits what is seen and touched; `ALL` is for upkeep.

    Raises, from every method:
        ServiceDown: the store did not answer, or did not keep what it was given; nothing is half-done.
    """

    name: str

    def put(self, rows: Sequence[ColdRow]) -> frozenset[str]:
        """The rows are in, replacing those of the same id; returns the ids that a read-back has confirmed."""

    def get(self, ids: Collection[str], agent: str) -> dict[str, ColdRow]:
        """The rows of these ids that there are."""

    def search(self, query: str, limit: int, agent: str) -> list[ColdRow]:
        """The rows that hold most of the question's words; of equal ones the weightier, the newer, the smaller id."""

    def stats(self, agent: str) -> ColdStats:
        """How much there is."""

    def digests(self, agent: str) -> dict[str, str]:
        """The digest of every row, by id: what tells two stores apart without their texts."""

    def delete(self, ids: Collection[str], agent: str) -> int:
        """The rows are gone, their bytes overwritten as far as the store can; returns how many there were."""

    def scrub(self) -> tuple[str, ...]:
        """What was deleted leaves the store's files as well (vacuum, checkpoint); sentences on what it could not do."""

    def close(self) -> None:
        """Nothing stays open."""


def upsert(rows: int) -> str:
    """Rows that are new or changed, `rows` at once."""
    one = f"({', '.join('?' * len(STORED))})"
    return f"INSERT INTO cold_memories ({', '.join(STORED)}) VALUES {', '.join([one] * rows)} ON CONFLICT (id) DO UPDATE SET {_SAME}"


def select(ids: int, *, columns: str = _SELECTED) -> str:
    """Rows by id; the agent comes first, twice."""
    return f"SELECT {columns} FROM cold_memories WHERE (? = '' OR agent_id = ?) AND id IN ({', '.join('?' * ids)})"


def search(terms: int) -> str:
    """The best rows for so many words; then the agent, twice, and the limit."""
    hits = " + ".join(["(instr(folded, ?) > 0)"] * terms)
    return (
        f"SELECT {_SELECTED} FROM (SELECT *, {hits} AS hits FROM cold_memories WHERE (? = '' OR agent_id = ?)) "
        "WHERE hits > 0 ORDER BY hits DESC, importance DESC, created_at DESC, id LIMIT ?"
    )


STATS = (
    "SELECT count(*), coalesce(min(date), ''), coalesce(max(date), ''), coalesce(sum(length(CAST(text AS BLOB))), 0) "
    "FROM cold_memories WHERE (? = '' OR agent_id = ?)"
)
DIGESTS = "SELECT id, sha FROM cold_memories WHERE (? = '' OR agent_id = ?) AND id > ? ORDER BY id LIMIT ?"

PAGE = f"SELECT {_SELECTED} FROM cold_memories WHERE (? = '' OR agent_id = ?) AND id > ? ORDER BY id LIMIT ?"


def overwrite(ids: int) -> str:
    """Every text of the rows becomes as many zeros: what a later copy of the page shows of them."""
    texts = [name for name in STORED if name not in {"id", "agent_id", "importance", "created_at", "access_count", *_NUMBERS}]
    blank = ", ".join(f"{name} = substr(hex(zeroblob(length(CAST({name} AS BLOB)))), 1, length(CAST({name} AS BLOB)))" for name in texts)
    return f"UPDATE cold_memories SET {blank} WHERE (? = '' OR agent_id = ?) AND id IN ({', '.join('?' * ids)})"


def delete(ids: int) -> str:
    return f"DELETE FROM cold_memories WHERE (? = '' OR agent_id = ?) AND id IN ({', '.join('?' * ids)})"


Item = TypeVar("Item")


def chunks(items: Sequence[Item], size: int = CHUNK) -> Iterator[Sequence[Item]]:
    """The items in pieces of at most `size`."""
    for start in range(0, len(items), size):
        yield items[start : start + size]


def confirmed(wanted: Mapping[str, str], found: Mapping[str, str]) -> frozenset[str]:
    """The ids of which the store holds the digest that was sent."""
    return frozenset(ident for ident, sha in wanted.items() if found.get(ident) == sha)
