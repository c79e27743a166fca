"""A breaker: after some failures in a row an engine is left alone for a while, then tried once. State as plain JSON.

It is kept across runs. The pause doubles with each trial that fails, up to a day.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

LONGEST = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Breaker:
    """`failures` in a row; `until`: not before then, where it is open; `pauses` how many times it opened in a row."""

    failures: int = 0
    until: datetime | None = None
    pauses: int = 0

    @classmethod
    def load(cls, kept: object) -> Breaker:
        """From what was kept; anything else than that is a closed one."""
        if not isinstance(kept, dict):
            return cls()
        until = kept.get("until")
        try:
            when = datetime.fromisoformat(until) if isinstance(until, str) and until else None
        except ValueError:
            when = None
        if when is not None and when.tzinfo is None:
            when = None
        return cls(_whole(kept.get("failures")), when, _whole(kept.get("pauses")))

    def kept(self) -> Mapping[str, object]:
        """What to keep of it."""
        return {"failures": self.failures, "until": self.until.isoformat(timespec="seconds") if self.until else "", "pauses": self.pauses}

    def is_open(self, now: datetime) -> bool:
        """Whether no call may be made now."""
        return self.until is not None and now < self.until

    def failed(self, now: datetime, *, most: int, pause: timedelta) -> Breaker:
        """After one more failure; a trial after a pause opens it again at once."""
        failures = self.failures + 1
        if failures < most and not self.pauses:
            return Breaker(failures)
        longer = min(LONGEST, pause * 2 ** min(self.pauses, 20))
        return Breaker(failures, now + longer, self.pauses + 1)


def _whole(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else 0
