"""The score of a fact and the tier that follows from it. Computed when it is needed, never kept as truth."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import date

from silo.core.importance import COLD, FROZEN, HOT, WARM

TIERS = (HOT, WARM, COLD, FROZEN)


@dataclass(frozen=True, slots=True)
class Scoring:
    """`days`: the time in which a score falls to 1/e; to one half with `halves`. `boost`: what each use adds."""

    days: float = 30.0
    boost: float = 0.1
    halves: bool = False

    def score(self, weight: float, day: str, today: date, used: int = 0) -> float:
        """min(1, importance × exp(−age in days / days) × (1 + boost × uses)), 0…1; a day ahead counts as today."""
        time = self.days / math.log(2) if self.halves else self.days
        value = weight * math.exp(-age(day, today) / time) * (1 + self.boost * max(0, used))
        return min(1.0, max(0.0, value))


def age(day: str, today: date) -> int:
    """Whole days since a day (YYYY-MM-DD); 0 for one ahead or none."""
    try:
        return max(0, (today - date.fromisoformat(day[:10])).days)
    except ValueError:
        return 0
