"""A cold store in a dictionary: for tests, and the plainest statement of what a store does."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from silo.edge.cold.base import ALL, ColdStats
from silo.formats.coldrow import asked, digest, folded
from silo.model import ColdRow
from silo.text.lines import encode


class MemoryCold:
    """Rows by id; gone with the process."""

    name = "memory"

    def __init__(self) -> None:
        self._rows: dict[str, ColdRow] = {}

    def put(self, rows: Sequence[ColdRow]) -> frozenset[str]:
        self._rows |= {row.id: row for row in rows}
        return frozenset(row.id for row in rows)

    def get(self, ids: Collection[str], agent: str) -> dict[str, ColdRow]:
        return {row.id: row for row in self._of(agent) if row.id in ids}

    def search(self, query: str, limit: int, agent: str) -> list[ColdRow]:
        words = asked(query)
        hits = {row.id: sum(word in folded(row) for word in words) for row in self._of(agent)}
        found = [row for row in self._of(agent) if hits[row.id]]
        return sorted(found, key=lambda row: (-hits[row.id], -row.importance, -row.created_at, row.id))[: max(0, limit)]

    def stats(self, agent: str) -> ColdStats:
        rows = self._of(agent)
        days = sorted(row.date for row in rows)
        return ColdStats(len(rows), days[0] if days else "", days[-1] if days else "", sum(len(encode(row.text)) for row in rows))

    def digests(self, agent: str) -> dict[str, str]:
        return {row.id: digest(row) for row in sorted(self._of(agent), key=lambda row: row.id)}

    def delete(self, ids: Collection[str], agent: str) -> int:
        gone = [row.id for row in self._of(agent) if row.id in ids]
        for ident in gone:
            del self._rows[ident]
        return len(gone)

    def scrub(self) -> tuple[str, ...]:
        return ()

    def close(self) -> None:
        self._rows.clear()

    def _of(self, agent: str) -> list[ColdRow]:
        return [row for row in self._rows.values() if agent in (ALL, row.agent_id)]
