"""How much a statement weighs, and the tier that follows from it and from its age."""

from __future__ import annotations

import math
from datetime import date

from silo.found import Confidence, Tag

HOT, WARM, COLD, FROZEN = "hot", "warm", "cold", "frozen"
E_FOLDING_DAYS = 30.0
DEAD_DAYS = 60  # without a use or a change: a category that nothing is filed under may go

_BY_TAG = {
    Tag.DECISION: 0.8,
    Tag.PROCEDURE: 0.8,
    Tag.CHANGED: 0.6,
    Tag.FACT: 0.6,
    Tag.TODO: 0.6,
    Tag.EVENT: 0.4,
}


def importance(tag: Tag, confidence: Confidence, stated: float | None) -> float:
    """The stated importance, else that of the tag, lowered by 0.7 where the speaker was unsure (0..1)."""
    if stated is not None:
        return stated
    value = _BY_TAG[tag]
    return round(value * 0.7, 2) if confidence is Confidence.TENTATIVE else value


def score(weight: float, day: str, today: date, access_count: int = 0) -> float:
    """min(1, importance × exp(−age in days / 30) × (1 + 0.1 × access count)); a day ahead counts as today."""
    age = max(0, (today - date.fromisoformat(day)).days)
    return min(1.0, weight * math.exp(-age / E_FOLDING_DAYS) * (1 + 0.1 * access_count))


def tier(value: float) -> str:
    """hot from 0.7, warm from 0.3, cold from 0.05, frozen below."""
    return HOT if value >= 0.7 else WARM if value >= 0.3 else COLD if value >= 0.05 else FROZEN
