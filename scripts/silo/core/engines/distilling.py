"""Distilling by a model: the words of a conversation go out, the published fields come back, held against those words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from silo.core.distil.distilled import MOST_ACTIONS, MOST_PEOPLE, MOST_TOPICS, Distilled
from silo.core.engines.support import supported
from silo.core.engines.task import Task
from silo.core.extract import ground
from silo.model import Candidate, Confidence, Origin, Problem, Session, Tag
from silo.text.budget import cut, cut_line
from silo.text.fold import fold
from silo.text.injection import instruction_like

VERSION = 1
_SHORT = 60  # bytes of a topic or an action


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation without its secrets."""

    session: Session

    @property
    def text(self) -> str:
        """All words of it."""
        return "\n".join(turn.text for turn in self.session.turns)

    def holds(self, text: str, openers: frozenset[str]) -> bool:
        """Whether a statement stands in what was said: its figures and dates, its names and marks, most of its words."""
        turns = self.session.turns
        claim = Candidate(Tag.FACT, Confidence.CONFIRMED, text, tuple(turn.id for turn in turns), turns[-1].at)
        return supported(text, self.text, openers) and ground(claim, self.session)


def show(conversation: Conversation) -> Mapping[str, object]:
    """All that a model sees."""
    who = {Origin.OWNER: "owner", Origin.AGENT: "assistant"}
    return {"turns": [{"who": who[turn.origin], "text": turn.text} for turn in conversation.session.turns if turn.origin in who]}


def task(
    head: str, schema: Mapping[str, Any], openers: frozenset[str], most_bytes: int, rules: Callable[[Conversation], Distilled]
) -> Task[Conversation, Distilled]:
    """The task `distil`. What an answer names and the conversation does not is dropped; a fact of that kind is refused."""

    def read(answer: Mapping[str, Any], conversation: Conversation) -> Distilled | Problem:
        fact = " ".join(str(answer["fact"]).split())
        if instruction_like(fact):
            return Problem("", "order", "its fact reads as an order")
        if not conversation.holds(fact, openers):
            return Problem("", "grounded", "its fact holds a name, figure or address that the conversation does not")
        said = fold(conversation.text)
        return Distilled(
            fact=cut_line(fact, most_bytes),
            emotion=cut(str(answer["emotion"]), 20),
            people=tuple(name for name in answer["people"] if fold(name) in said)[:MOST_PEOPLE],
            topics=tuple(cut(topic, _SHORT) for topic in answer["topics"])[:MOST_TOPICS],
            actions=tuple(cut_line(act, _SHORT) for act in answer["actions"] if conversation.holds(act, openers))[:MOST_ACTIONS],
            outcome=str(answer["outcome"]),
        )

    return Task("distil", head, schema, show, read, rules, version=VERSION, answer_tokens=150, shared={"most_bytes": most_bytes})
