"""Distilling by a model: the words of a conversation go out, the published fields come back, held against those words."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from silo.core.distil.distilled import MOST_ACTIONS, MOST_PEOPLE, MOST_TOPICS, Distilled
from silo.core.engines.support import supported
from silo.core.engines.task import Task
from silo.core.extract import ground
from silo.model import Candidate, Confidence, Origin, Problem, Session, Tag
from silo.text.budget import cut, cut_line
from silo.text.disguise import visible_line
from silo.text.fold import fold
from silo.text.injection import instruction_like

VERSION = 1
_WORDS = re.compile(r"[^\W\d_]+(?:[ ,/-]+[^\W\d_]+){0,3}")
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


def _lines(texts: Sequence[str]) -> tuple[str, ...]:
    """Each on one line, once; none that is empty or reads as an order."""
    return tuple(dict.fromkeys(line for text in texts if not instruction_like(text) and (line := visible_line(text))))


def _emotion(text: str) -> str:
    """A word or two; anything else says nothing of how it was."""
    line = visible_line(text)
    return cut(line, 20) if _WORDS.fullmatch(line) and not instruction_like(text) else "neutral"


def _named(name: str, said: str) -> bool:
    """Whether the name stands in the folded words as a whole word."""
    return re.search(rf"(?<!\w){re.escape(fold(name))}(?!\w)", said) is not None


def task(
    head: str, schema: Mapping[str, Any], openers: frozenset[str], most_bytes: int, rules: Callable[[Conversation], Distilled]
) -> Task[Conversation, Distilled]:
    """The task `distil`. What an answer names and the conversation does not is dropped; a fact of that kind is refused."""

    def read(answer: Mapping[str, Any], conversation: Conversation) -> Distilled | Problem:
        fact = visible_line(str(answer["fact"]))
        if instruction_like(answer["fact"]):
            return Problem("", "order", "its fact reads as an order")
        if not conversation.holds(fact, openers):
            return Problem("", "grounded", "its fact holds a name, figure or address that the conversation does not")
        said = fold(conversation.text)
        people, topics, actions = (_lines(answer[name]) for name in ("people", "topics", "actions"))
        return Distilled(
            fact=cut_line(fact, most_bytes),
            emotion=_emotion(str(answer["emotion"])),
            people=tuple(name for name in people if _named(name, said))[:MOST_PEOPLE],
            topics=tuple(cut(topic, _SHORT) for topic in topics if not set("<>`") & set(topic))[:MOST_TOPICS],
            actions=tuple(cut_line(act, _SHORT) for act in actions if conversation.holds(act, openers))[:MOST_ACTIONS],
            outcome=str(answer["outcome"]),
        )

    return Task("distil", head, schema, show, read, rules, version=VERSION, answer_tokens=150, shared={"most_bytes": most_bytes})
