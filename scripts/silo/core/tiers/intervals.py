"""The least interval between two runs of a step, under the published keys of `consolidation`."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

_NAMED = {
    "always": timedelta(0), "hourly": timedelta(hours=1), "daily": timedelta(days=1), "weekly": timedelta(days=7),
    "monthly": timedelta(days=28), "quarterly": timedelta(days=90), "yearly": timedelta(days=365), "never": timedelta.max,
}  # fmt: skip
_COUNTED = re.compile(r"(\d{1,5})\s*([hdw])")
SLACK = timedelta(minutes=5)  # a schedule is not punctual to the second


def interval(text: str) -> timedelta | None:
    """The time that a word stands for (`hourly`, `daily`, … or `6h`, `3d`, `2w`); None for another word."""
    hit = _COUNTED.fullmatch(text.strip().lower())
    if hit:
        return timedelta(hours=int(hit[1]) * {"h": 1, "d": 24, "w": 168}[hit[2]])
    return _NAMED.get(text.strip().lower())


def is_due(text: str, last: str, now: datetime) -> bool:
    """Whether the step may run again; a step that never ran, and an interval that means nothing, may."""
    wait = interval(text)
    if wait == timedelta.max:
        return False
    if wait is None or not last:
        return True
    try:
        gone = now - datetime.fromisoformat(last)
        return gone < timedelta(0) or gone >= wait - min(SLACK, wait)  # a replay of days gone by waits for nothing
    except (ValueError, TypeError):
        return True
