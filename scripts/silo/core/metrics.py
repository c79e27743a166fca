"""The published figures of a memory, and how they changed. Definitions: references/tiers.md. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime

KEYS = (
    "tree_index_size_bytes", "tree_node_count", "hot_memory_size_bytes", "warm_memory_count", "warm_memory_size_kb", "retrieval_count",
    "evictions_today", "reinforcements_today", "consolidation_count", "last_consolidation", "context_tokens_saved",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Metrics:
    """One look. Sizes are those of the files; `*_today` counts the local day; `last_consolidation` is seconds since 1970, 0 for
    never; `timestamp` the local time without zone, as published."""

    tree_index_size_bytes: int
    tree_node_count: int
    hot_memory_size_bytes: int
    warm_memory_count: int
    warm_memory_size_kb: float
    retrieval_count: int
    evictions_today: int
    reinforcements_today: int
    consolidation_count: int
    last_consolidation: int
    context_tokens_saved: int
    timestamp: str

    @property
    def data(self) -> dict[str, object]:
        """As printed."""
        return asdict(self)


def tokens_saved(flat: int, start: int) -> int:
    """Tokens that a session does without: all that is remembered as one flat file, less what the session starts with."""
    return max(0, flat - start)


def trend(rows: Iterable[Mapping[str, object]], days: int, now: datetime) -> dict[str, dict[str, object]]:
    """For each figure the first and last value of so many days, and what lies between. `rows` as recorded, oldest first."""
    seen = [row for row in rows if (at := _at(row)) is not None and 0 <= (now.replace(tzinfo=None) - at).total_seconds() <= days * 86_400]
    found: dict[str, dict[str, object]] = {}
    for key in KEYS:
        values = [value for row in seen if isinstance(value := row.get(key), int | float) and not isinstance(value, bool)]
        if values:
            change = round(values[-1] - values[0], 2)
            found[key] = {"first": values[0], "last": values[-1], "change": change, "lowest": min(values), "highest": max(values)}
    return found


def _at(row: Mapping[str, object]) -> datetime | None:
    try:
        return datetime.fromisoformat(str(row.get("timestamp"))).replace(tzinfo=None)
    except ValueError:
        return None
