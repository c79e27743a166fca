"""Scheduled jobs that have fallen silent, told from their last records and the clock of whoever asks. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

JOBS = ("extract", "curate", "suggest")  # what `consolidate` does a night does too: silent alone, it is missed by nobody
LIMIT = timedelta(days=3)
AHEAD = timedelta(days=1)  # further in the future than two clocks and zones can be apart


@dataclass(frozen=True, slots=True)
class Silent:
    """A job that last worked on that day. `ahead`: the day has not come yet, so its record says nothing."""

    job: str
    day: str
    ahead: bool = False


def silent(ran: Mapping[str, str], now: datetime) -> tuple[Silent, ...]:
    """Jobs whose last good run (an ISO instant) is more than three days ago, or lies in the future. A job that never ran
    is not scheduled. `now` is aware; an instant without a zone is read in the zone of `now`."""
    found: list[Silent] = []
    for job, at in sorted(ran.items()):
        try:
            then = datetime.fromisoformat(at)
        except ValueError:
            continue
        gone = now - (then if then.tzinfo else then.replace(tzinfo=now.tzinfo))
        if gone > LIMIT or -gone > AHEAD:
            found.append(Silent(job, at[:10], ahead=gone < timedelta(0)))
    return tuple(found)
