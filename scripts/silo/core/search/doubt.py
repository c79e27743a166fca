"""Whether the evidence for an answer is too weak to give it as one, and what to ask back.

Calibrated on a small set of questions that nothing answers: a line about the same thing without the kind of answer that
was asked for (a phone without a number) is no answer. It judges the evidence, not the truth of what it says.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from silo.core.search.expect import NAME, SECRET, has
from silo.core.search.question import Question
from silo.core.search.rank import Asked, Scored
from silo.core.search.view import View
from silo.text.stem import stem

_LEAST = 0.15  # share of the question's weight that the best line must hold
_CLOSE = (
    0.45  # lines that hold this share of what the best one holds of the subject are looked at for the answer
)
_LOOK = 5


class Doubt(NamedTuple):
    """Why: `kind` is the kind of answer that no line holds, `missing` what the memory has no word of."""

    kind: str
    missing: tuple[str, ...]


def doubt(view: View, question: Question, asked: Asked, ranked: Sequence[Scored]) -> Doubt | None:
    """None where the best lines may well answer the question."""
    if not ranked or not question.terms:
        return None
    literal = any("literal" in s.parts for s in ranked[:_LOOK])
    if literal:
        return None
    known = view.frequencies(question.terms)
    missing = tuple(t for t in question.terms if t not in known and t not in question.dated)
    whole = _whole(view, question, asked)
    if max(_held(s, asked, question.terms) for s in ranked[:_LOOK]) < _LEAST * whole:
        return Doubt("", missing)
    if any(stem(name) in missing for name in question.names) and not any(
        stem(n) in known for n in question.names
    ):
        return Doubt(NAME, missing)
    if not question.expects or (not missing and question.expects != SECRET):
        return None
    shares = {s.row: _held(s, asked, question.subject) for s in ranked[:_LOOK]}
    close = [s for s in ranked[:_LOOK] if shares[s.row] >= _CLOSE * max(shares.values())]
    if any(has(question.expects, s.passage.text, question.words) for s in close):
        return None
    return Doubt(question.expects, missing)


def share(view: View, question: Question, asked: Asked, ranked: Sequence[Scored]) -> float:
    """How much of what was asked for the best lines hold together, by weight of its words (0..1)."""
    lines = [{*s.passage.terms.split(), *s.passage.labels.split()} for s in ranked[:_LOOK]]
    if not lines or not question.terms:
        return 0.0
    held = sum(
        max((v for t, v in asked.ways[term].items() if any(t in line for line in lines)), default=0.0)
        for term in question.terms
    )
    whole = _whole(view, question, asked)
    return min(1.0, held / whole) if whole else 0.0


def _whole(view: View, question: Question, asked: Asked) -> float:
    """The weight of all terms; one that stands nowhere weighs as much as one that stands once."""
    count, _ = view.totals()
    most = math.log(1 + (count + 0.5) / 0.5)
    # A day that no line says in these words is met by the days of lines.
    return sum(asked.ways[t].get(t, 0.0 if t in question.dated else most) for t in question.terms)


def _held(s: Scored, asked: Asked, terms: Sequence[str]) -> float:
    words = {*s.passage.terms.split(), *s.passage.labels.split()}
    return sum(max((v for t, v in asked.ways[term].items() if t in words), default=0.0) for term in terms)
