"""What a cold store reads by the same SQL wherever its table is: by id, by words, in numbers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence

from silo.edge.cold import base
from silo.edge.cold.base import ColdStats, chunks
from silo.formats.coldrow import asked, from_values
from silo.model import ColdRow


class SqlReading(ABC):
    """The reading half of a store; how a question reaches its table is the store's own."""

    @abstractmethod
    def _read(self, sql: str, given: Sequence[str | int]) -> Sequence[Sequence[object]]:
        """The rows that a SELECT gives; none where there is no table yet."""

    def get(self, ids: Collection[str], agent: str) -> dict[str, ColdRow]:
        found: dict[str, ColdRow] = {}
        for part in chunks(sorted(ids)):
            found |= {row.id: row for row in map(from_values, self._read(base.select(len(part)), (agent, agent, *part)))}
        return found

    def search(self, query: str, limit: int, agent: str) -> list[ColdRow]:
        words = asked(query)
        if not words or limit < 1:
            return []
        return [from_values(row) for row in self._read(base.search(len(words)), (*words, agent, agent, limit))]

    def stats(self, agent: str) -> ColdStats:
        count, first, last, size = (self._read(base.STATS, (agent, agent)) or [(0, "", "", 0)])[0]
        return ColdStats(int(str(count)), str(first), str(last), int(str(size)))
