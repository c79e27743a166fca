"""Small counts of an agent in state.db: totals, and those of a local day, which begin anew at its midnight."""

from __future__ import annotations

from collections import Counter
from datetime import date

from silo.edge.workspace import Workspace
from silo.model import Put

TABLE = "counters"


class Counters:
    """Counts to be added in a commit. Keys: `<agent>/<name>` for totals, `<agent>/<name>@today` → [day, number]."""

    def __init__(self, workspace: Workspace, agent: str, today: date) -> None:
        self._state = workspace.state
        self._agent = agent
        self._today = today.isoformat()
        self._add: Counter[str] = Counter()
        self._add_today: Counter[str] = Counter()

    def add(self, name: str, number: int = 1) -> None:
        """So many more in all."""
        self._add[name] += number

    def add_today(self, name: str, number: int = 1) -> None:
        """So many more today."""
        self._add_today[name] += number

    def total(self, name: str) -> int:
        """How many there are in all."""
        value = self._state.get(TABLE, f"{self._agent}/{name}")
        return value if isinstance(value, int) else 0

    def today(self, name: str) -> int:
        """How many there are of the local day."""
        value = self._state.get(TABLE, f"{self._agent}/{name}@today")
        return int(value[1]) if isinstance(value, list) and len(value) == 2 and value[0] == self._today else 0

    def ops(self) -> tuple[Put, ...]:
        """What makes the counts so."""
        totals = (Put(TABLE, f"{self._agent}/{name}", self.total(name) + number) for name, number in self._add.items() if number)
        days = (
            Put(TABLE, f"{self._agent}/{name}@today", [self._today, self.today(name) + number])
            for name, number in self._add_today.items()
            if number
        )
        return (*totals, *days)
