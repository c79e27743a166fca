"""Rank passages for a question. Every score is a sum of named parts, so that `--explain` adds up.

BM25 (Robertson and Zaragoza 2009, k1 .9, b .4) over stemmed terms and what stands for them (asked.py); to it come how much
of the question a line speaks of, by weight, so that several words met by their meaning beat one that occurs; the words around a line (topic, tags,
entities, heading), its neighbours in the file, whose line it is, how much of the question its day holds, dates, and how
far the layer is trusted. Weights were chosen on the five `tune` conversations of LoCoMo; see bench/.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from silo.core.search.asked import Asked, Likeness
from silo.core.search.expect import fits
from silo.core.search.names import called
from silo.core.search.question import Question
from silo.core.search.view import View
from silo.core.search.when import names_day
from silo.found import Confidence, Kind, Passage, Scope
from silo.text.fold import fold
from silo.text.stem import stem
from silo.text.tokens import STOP, words


class Weights(NamedTuple):
    """What each kind of evidence counts, most of it as a share of a score."""

    k1: float = 0.9
    b: float = 0.4
    cover: float = 0.9  # a line that speaks of all that was asked for: that share of its words on top
    labels: float = 0.35  # a term in what stands around the line, of its weight
    near: tuple[float, ...] = (0.3, 0.1)  # of the words of lines one and two places away
    near_plain: float = 0.5  # of these, where nobody speaks: what was noted on a day belongs together less than turns of talk
    near_lines: int = 30  # how many of the best lines lend to lines that hold no term themselves
    person: float = 1.0  # a line of a person named in the question
    day: float = 0.4  # a line of the day (file) that answers best, of the best score
    day_lines: int = 2  # how many lines of a day count for it
    literal: float = 1.0  # a line that holds the question letter for letter, of the best score
    when: float = 1.2  # a line of the days that the question points at
    recent: float = 0.05  # a line of today; half of it after `recent_days`
    recent_now: float = 0.4  # the same where the question asks for what holds now
    recent_days: float = 60.0
    kind: tuple[tuple[str, float], ...] = (
        ("often", 0.8), ("number", 0.4), ("money", 0.8), ("lasts", 0.8), ("clock", 0.8), ("day", 0.8), ("name", 0.3), ("place", 0.2), ("cause", 0.3),
    )  # fmt: skip
    like: Likeness = Likeness()
    tentative: float = -0.15
    notes: float = -0.1
    source: float = -0.25
    curated: float = 0.05
    topic: float = -0.2  # a summary says less than the facts that it sums up
    candidates: int = 400
    called: int = 100  # candidates more by the names of what the question means
    pull_of_names: float = 1.0  # added to the weight of a person's name when candidates are chosen


class Scored:
    """A passage with its score; the parts add up to it. `held` are the terms of the question that it or its labels hold or
    have a word for, each with how surely that means it (0..1)."""

    __slots__ = ("held", "parts", "passage", "row", "score")

    def __init__(
        self, row: int, passage: Passage, parts: dict[str, float] | None = None, held: Mapping[str, float] = MappingProxyType({})
    ) -> None:
        self.row = row
        self.passage = passage
        self.parts = {} if parts is None else parts
        self.score = sum(self.parts.values())
        self.held = held

    def add(self, part: str, value: float) -> None:
        if value:
            self.parts[part] = self.parts.get(part, 0.0) + value
            self.score += value


def rank(view: View, question: Question, asked: Asked, scope: Scope, w: Weights) -> list[Scored]:
    """All candidates, best first; equal scores in the order newest, path, line."""
    named = {stem(name) for name in question.names}
    pull = {t: value + (w.pull_of_names if t in named else 0.0) for t, value in asked.pull.items()}
    found = view.find(pull, scope, w.candidates)
    names = called(question, asked, found.values())
    if names:
        asked = asked.with_names(view, names, w.like)
        more = {t: asked.pull[t] for some in names.values() for t in some if t in asked.pull}
        found = found | view.find(more, scope, w.called)
    return rank_these(view, found, question, asked, scope, w)


def rank_these(
    view: View, found: Mapping[int, Passage], question: Question, asked: Asked, scope: Scope, w: Weights
) -> list[Scored]:
    """The same over given passages; their neighbours and literal matches elsewhere come in too."""
    _, mean = view.totals()
    scored = {row: _words(row, p, asked, mean, w) for row, p in found.items()}
    scored = {row: s for row, s in scored.items() if s.parts}
    _near(view, scored, scope, w)
    _person(scored, question, w)
    _literal(view, scored, question, scope, w)
    _day(scored, w)
    kind = dict(w.kind).get(question.expects, 0.0)
    for s in scored.values():
        if kind:  # it holds an answer of the kind that the question waits for
            s.add("kind", kind * fits(question.expects, s.passage.text, question.words) * s.score)
        if question.days:
            _when(s, question, w)
        else:
            _recent(s, question, w)
        _trust(s, w)
    return sorted(scored.values(), key=lambda s: (-round(s.score, 9), -s.row, s.passage.path, s.passage.line))


def _words(row: int, p: Passage, asked: Asked, mean: float, w: Weights) -> Scored:
    terms = p.terms.split()
    counts: dict[str, int] = {}
    for term in (*terms, *asked.phrases_in(terms, p.text)):
        if term in asked.answers:
            counts[term] = counts.get(term, 0) + 1
    norm = w.k1 * (1 - w.b + w.b * len(terms) / mean)
    inside: dict[str, float] = {}
    said: dict[str, float] = {}
    for term, n in counts.items():
        worth = n * (w.k1 + 1) / (n + norm)
        for wanted, value in asked.answers[term]:
            meant = w.like.friend if asked.is_friend(term, wanted, p.text) else 1.0
            inside[wanted] = max(inside.get(wanted, 0.0), meant * value * worth)
            said[wanted] = max(said.get(wanted, 0.0), meant * asked.sure[wanted][term])
    around: dict[str, float] = {}
    held = dict(said)
    for term in p.labels.split():
        for wanted, value in asked.answers.get(term, ()):
            around[wanted] = max(around.get(wanted, 0.0), value)
            held[wanted] = max(held.get(wanted, 0.0), asked.sure[wanted][term])
    scored = Scored(row, p, held=held)
    own = sum(inside.values())
    scored.add("words", own)
    scored.add("cover", own * w.cover * asked.cover(said))
    scored.add("labels", w.labels * sum(around.values()))
    return scored


def _near(view: View, scored: dict[int, Scored], scope: Scope, w: Weights) -> None:
    """Lines beside a good one answer it more often than chance: a question and its answer stand together."""
    own = {row: s.parts.get("words", 0.0) + s.parts.get("cover", 0.0) for row, s in scored.items()}
    reach = len(w.near)
    best = sorted(own, key=lambda row: (-own[row], -row))[: w.near_lines]
    for row, p in view.around(best, scope, reach).items():
        if row not in scored and p.kind in _SPOKEN:
            scored[row] = Scored(row, p)
    for row, value in own.items():
        own_place = _place(scored[row].passage)
        for distance, share in enumerate(w.near, 1):
            for beside in (scored.get(row - distance), scored.get(row + distance)):
                if beside is not None and _place(beside.passage) == own_place:
                    beside.add("near", share * value * (1.0 if is_turn(beside.passage) else w.near_plain))
    for row in [row for row, s in scored.items() if not s.parts]:
        del scored[row]


def is_turn(p: Passage) -> bool:
    """Whether somebody speaks in an event (`Name: …`); notes and sources are read as one text anyway."""
    lead = _LEAD.match(p.text)
    return p.kind is not Kind.EVENT or (lead is not None and bool(lead[2]))


def _place(p: Passage) -> tuple[str, str, str, str]:
    """Lines are neighbours only within a file, a layer, a topic and under one heading."""
    return p.path, p.kind, p.slug, p.heading


_SPOKEN = frozenset({Kind.EVENT, Kind.NOTE, Kind.SOURCE})  # lines that follow each other as they were said
_ENOUGH = 10  # literal matches of a word or two, before every line is looked at for more of them
_LEAD = re.compile(r"\W*([^\W\d_][\w'’-]*)(:?)")


def _person(scored: Mapping[int, Scored], question: Question, w: Weights) -> None:
    """Lines that a person named in the question says (`Name: …`); where nobody speaks, lines that name the person."""
    named = frozenset(stem(name) for name in question.names)
    for s in scored.values():
        lead = _LEAD.match(s.passage.text)
        if lead is not None and lead[2]:
            name = _first_word(lead[1])
            about = name in question.words and name not in STOP
        else:
            about = bool(named) and not named.isdisjoint(s.passage.terms.split())
        if about:
            s.add("person", w.person * s.score)


@lru_cache(maxsize=4096)
def _first_word(text: str) -> str:
    return next(iter(words(text)), "")


def _literal(view: View, scored: dict[int, Scored], question: Question, scope: Scope, w: Weights) -> None:
    """What holds the question letter for letter is in, whatever its words count, and in front."""
    if not question.literal:
        return
    best = max((s.score for s in scored.values()), default=1.0)
    held: dict[int, Passage] = {}
    if question.inner or question.figure:
        held = view.holding(question.literal, question.inner, scope, 50, question.figure)
    else:
        held = {row: s.passage for row, s in scored.items() if question.literal in fold(s.passage.text)}
        if len(held) < _ENOUGH:
            held |= view.holding(question.literal, (), scope, _ENOUGH)
    for row, p in held.items():
        scored.setdefault(row, Scored(row, p)).add("literal", w.literal * best)


def _day(scored: Mapping[int, Scored], w: Weights) -> None:
    """The file (a day, a topic) that answers best lends to all its lines."""
    files: dict[str, list[float]] = {}
    for s in scored.values():
        files.setdefault(s.passage.path, []).append(s.score)
    if len(files) < 2:
        return
    sums = {path: sum(sorted(values, reverse=True)[: w.day_lines]) for path, values in files.items()}
    best, top = max(sums.values()), max(s.score for s in scored.values())
    for s in scored.values():
        if s.held or is_turn(s.passage):  # what was merely noted on that day is about anything
            s.add("day", w.day * top * sums[s.passage.path] / best)


def _when(s: Scored, question: Question, w: Weights) -> None:
    """Lines of the time that the question points at, or that name a day of it."""
    p = s.passage
    met = [
        closely
        for first, last, closely in question.days
        if any(first <= day <= last for day in (p.date, p.seen) if day) or (p.kind is not Kind.CHANGE and names_day(p.text, (first, last, closely)))
    ]
    s.add("when", w.when * max(met, default=0.0) * s.score)


def _recent(s: Scored, question: Question, w: Weights) -> None:
    """Of two lines that say the same the newer one counts; a curated fact is as new as its last confirmation."""
    day = max(s.passage.date, s.passage.seen)
    if day:
        share = w.recent_now if question.now else w.recent
        age = max(0, question.today.toordinal() - ordinal(day))
        s.add("recent", share * s.score * 0.5 ** (age / w.recent_days))


@lru_cache(maxsize=4096)
def ordinal(day: str) -> int:
    """The number of a day; 1 for what is no day."""
    try:
        return date.fromisoformat(day).toordinal()
    except ValueError:
        return 1


def _trust(s: Scored, w: Weights) -> None:
    p = s.passage
    share = 0.0 if p.kind is Kind.EVENT else w.topic if p.kind is Kind.TOPIC else _trusted(p.layer, w)
    if p.confidence is Confidence.TENTATIVE:
        share += w.tentative
    s.add("trust", share * s.score)


def _trusted(layer: str, w: Weights) -> float:
    return {"curated": w.curated, "notes": w.notes, "source": w.source}.get(layer, 0.0)
