"""Whether the evidence for an answer is too weak to give it as one, and what to ask back.

A word met by one of the same meaning is evidence as the word itself is. Calibrated on questions of two small sets, each
asked of the other's memory too, which answers none of them: of several words one alone is no evidence, and a line about the
same thing without the kind of answer that was asked for (a phone without a number) is no answer. It judges the evidence,
not the truth of what it says.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from silo.core.search.asked import Asked
from silo.core.search.expect import NAME, SECRET, SHOWN, fits, has
from silo.core.search.question import Question
from silo.core.search.rank import Scored, is_turn
from silo.core.search.view import View
from silo.text.stem import stem

_LEAST = 0.2  # share of the question's weight that the best line must speak of
_ONE = 0.4  # the same, where all good lines together speak of one word of several
_TYPED = 0.7  # the same, where no close line has the kind of answer that was asked for
_MEANT = 0.5  # how surely a line must mean a word to speak of it
_NAMED = 0.7  # how surely a word must mean a name to be one for it: more than being of its kind
_ALIKE = 4  # first letters that a name has in common with itself in another case or language: Vienna, Viena
_BESIDE = 0.4  # of what the best line speaks of, that a line with such an answer must speak of
_CLOSE = 0.45  # lines that speak of this share of what the best one says of the subject are looked at for the answer
_LOOK = 5
_FAR = 10  # the same, for an answer that stands apart from the best line


class Doubt(NamedTuple):
    """Why: `kind` is the kind of answer that no line holds, `missing` what the memory has no word of."""

    kind: str
    missing: tuple[str, ...]


def doubt(view: View, question: Question, asked: Asked, ranked: Sequence[Scored]) -> Doubt | None:
    """None where the best lines may well answer the question."""
    best = ranked[:_LOOK]
    if not best or not question.terms or any("literal" in s.parts for s in best):
        return None
    missing = tuple(t for t in question.terms if not asked.ways[t] and t not in question.dated)
    known = view.frequencies(stem(name) for name in question.names)
    if not known and any(_unmet(stem(name), question, asked) for name in question.names):
        return Doubt(NAME, missing)
    most = max(asked.cover(s.held) for s in best)
    if _answers_elsewhere(question, asked, ranked[:_FAR]):
        return Doubt(question.expects, missing)
    if _lacks_kind(question, asked, best) and (most < _TYPED or missing or question.expects == SECRET):
        return Doubt(question.expects, missing)
    if most < _LEAST or (most < _ONE and _speak_of_one(question, asked, best)):
        return Doubt("", missing)
    return None


def _unmet(name: str, question: Question, asked: Asked) -> bool:
    """Whether nothing in the memory bears a name of the question: a town that it knows is not Vienna."""
    if name not in question.terms or name in question.dated:
        return False
    sure = asked.sure.get(name, {})
    return all(sure.get(way, 0.0) < _NAMED and way[:_ALIKE] != name[:_ALIKE] for way in asked.ways[name])


def _lacks_kind(question: Question, asked: Asked, best: Sequence[Scored]) -> bool:
    """Whether no line on the subject has the kind of answer that the question waits for."""
    if not question.expects:
        return False
    shares = {s.row: asked.cover({t: sure for t, sure in s.held.items() if t in question.subject}) for s in best}
    close = [s for s in best if shares[s.row] >= _CLOSE * max(shares.values())]
    return not any(has(question.expects, s.passage.text, question.words) for s in close)


def _answers_elsewhere(question: Question, asked: Asked, best: Sequence[Scored]) -> bool:
    """Whether the line that speaks of what is asked has no such answer, and the lines that have one speak of something else:
    "Ilka takes up the drums", beside a price of the lessons, is no price of the drums, and a line about nobody that is named
    in the question and in the best line says nothing of them."""
    if question.expects not in SHOWN or is_turn(best[0].passage):  # in a talk the answer stands in another turn than what it is about
        return False
    wanted = [t for t in question.subject if t not in question.dated]
    whole = sum(asked.worth[t] for t in wanted)
    spoken = [sum(asked.worth[t] * s.held.get(t, 0.0) for t in wanted) / whole if whole else 0.0 for s in best]
    named = {stem(name) for name in question.names}.intersection(best[spoken.index(max(spoken))].held)
    answering = max(
        share * fits(question.expects, s.passage.text, question.words) if named <= s.held.keys() else 0.0
        for share, s in zip(spoken, best, strict=True)
    )
    return answering < _BESIDE * min(1.0, max(spoken))


def _speak_of_one(question: Question, asked: Asked, best: Sequence[Scored]) -> bool:
    """Whether of what is asked about, if that is several words, all lines together have only one, or a word for one.

    A word that no list knows says nothing here: it may stand in the lines by another word."""
    wanted = [t for t in question.subject if t not in question.dated]
    met = [t for t in wanted if any(s.held.get(t, 0.0) >= _MEANT for s in best)]
    told = [t for t in wanted if t in met or t in asked.listed]
    return len(met) < min(2, len(told))


def share(asked: Asked, ranked: Sequence[Scored]) -> float:
    """How much of what was asked for the best lines speak of together, by weight of its words (0..1)."""
    held: dict[str, float] = {}
    for s in ranked[:_LOOK]:
        for term, sure in s.held.items():
            held[term] = max(held.get(term, 0.0), sure)
    return asked.cover(held)
