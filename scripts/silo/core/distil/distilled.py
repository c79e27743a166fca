"""What a conversation comes to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

MOST_PEOPLE, MOST_TOPICS, MOST_ACTIONS = 5, 3, 5
DECISION = "decision"


@dataclass(frozen=True, slots=True)
class Distilled:
    """One statement that stands alone, and what it is about. `outcome`: positive, negative or neutral, and the word
    decision after it where one was taken."""

    fact: str
    emotion: str = "neutral"
    people: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    outcome: str = "neutral"

    def as_data(self) -> dict[str, object]:
        """The published object, every key in its place."""
        return {"fact": self.fact, "emotion": self.emotion, "people": list(self.people), "topics": list(self.topics),
                "actions": list(self.actions), "outcome": self.outcome}  # fmt: skip

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Distilled:
        """From an object that fits schemas/distilled.schema.json."""
        return cls(
            data["fact"], data["emotion"], tuple(data["people"]), tuple(data["topics"]), tuple(data["actions"]), data["outcome"]
        )
