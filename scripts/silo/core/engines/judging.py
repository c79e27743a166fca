"""A second opinion on what a new statement does to the facts beside it, where the rules find nothing or no winner.

A model chooses one of four relations and one of the facts that it was shown; it writes nothing. A choice that the formats
forbid (the same, with other figures; a change by older evidence; against a hand's edit) is not taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from silo.core.engines.task import Task
from silo.model import Fact, Problem
from silo.text.similar import fingerprint, jaccard, same_values

VERSION = 1
NEAR = 0.12  # share of stems from which a fact is worth a question
MOST_NEAR = 3  # facts in one question


class Relation(StrEnum):
    """What a statement does to a fact."""

    SAME = "same"
    CHANGES = "changes"
    CONTRADICTS = "contradicts"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Question:
    """A statement, the day it was said, and the facts beside it as (id, text, since)."""

    said: str
    day: str
    facts: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class Opinion:
    """The relation, and the id of the fact that it is to ("" for `other`)."""

    relation: Relation
    fact: str = ""


@dataclass(slots=True)
class Judge:
    """What is known already, and what has been asked for since; a plan made with it is as pure as its opinions."""

    opinions: Mapping[Question, Opinion] = field(default_factory=dict)
    wanted: dict[Question, None] = field(default_factory=dict)

    def __call__(self, question: Question) -> Opinion | None:
        """The opinion; None while nobody has been asked."""
        known = self.opinions.get(question)
        if known is None:
            self.wanted.setdefault(question)
        return known


def question_of(said: str, day: str, facts: Iterable[Fact]) -> Question | None:
    """The question about the facts nearest to a statement; None where none is near."""
    mine = fingerprint(said)
    near = [(jaccard(mine.core | mine.names, other.core | other.names), fact) for fact in facts for other in (fingerprint(fact.text),)]
    near = sorted((one for one in near if one[0] >= NEAR), key=lambda one: (-one[0], one[1].id))[:MOST_NEAR]
    return Question(said, day, tuple((fact.id, fact.text, fact.since) for _, fact in near)) if near else None


def says_the_same(fact: str, said: str) -> bool:
    """Whether the formats let two statements count as one: the same figures, dates, names and negation."""
    return same_values(fingerprint(fact), fingerprint(said))


def show(question: Question) -> Mapping[str, object]:
    """All that a model sees."""
    facts = [{"n": n, "text": text, "since": since} for n, (_, text, since) in enumerate(question.facts, 1)]
    return {"statement": question.said, "day": question.day, "facts": facts}


def task(head: str, schema: Mapping[str, Any], none: Callable[[Question], Opinion | None]) -> Task[Question, Opinion | None]:
    """The task `reconcile`. `none` is what stands where no model answers: the rules' own finding stays."""

    def read(answer: Mapping[str, Any], question: Question) -> Opinion | Problem | None:
        relation, number = Relation(answer["relation"]), int(answer["fact"])
        if relation is Relation.OTHER:
            return Opinion(relation)
        if not 1 <= number <= len(question.facts):
            return Problem("", "fact", f"its fact is not one of 1 to {len(question.facts)}")
        return Opinion(relation, question.facts[number - 1][0])

    return Task("reconcile", head, schema, show, read, none, version=VERSION, answer_tokens=30)
