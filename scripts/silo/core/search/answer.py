"""Answer a question from a memory, cheapest way first; a level runs only where the ones before it did not suffice.

1 what the caller has in context, 2 the topic index, 3 the curated layer of the topics found, 4 today's events, 5 every
word in the index, 6 meaning (where a model is given), 7 one question back. Reads nothing and counts nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import NamedTuple

from silo.core.search import expect
from silo.core.search.asked import NO_WORDS, Asked, ask
from silo.core.search.doubt import Doubt, doubt, share
from silo.core.search.meaning import Fusion, Meaning, fuse
from silo.core.search.question import Question, read
from silo.core.search.rank import Scored, Weights, rank, rank_these
from silo.core.search.same import Group, fold_same
from silo.core.search.tier import layers_of, tier_of
from silo.core.search.view import View
from silo.core.search.when import beside, days_of, named, names_day
from silo.found import LAYERS, Kind, Passage, Scope
from silo.text.thesaurus import Thesaurus
from silo.text.tokens import terms

_ANCHORS = 40  # candidates among which the line is looked for that dates "the move" in "before the move"
_OF_TIER = 5000  # candidates where a tier is asked for: it is told of a passage when that is there, not of an index
_SPAN_DAYS = 31  # of a question that asks for a time alone: within so many days lines that name one of them count too
_NAMED_LINES = 200
_COUNTED = 20  # hits elsewhere that are counted


class Place(NamedTuple):
    """Where another copy of a result stands."""

    id: str
    path: str
    line: int


class Result(NamedTuple):
    """One answer: what it says, where it stands, and why it is here. `parts` add up to `score`."""

    id: str  # of the fact, event or entity; `path:line` where the line has none
    path: str
    line: int
    text: str
    score: float
    tier: str
    layer: str
    kind: str
    slug: str
    tag: str
    date: str
    confidence: str
    source: str
    parts: tuple[tuple[str, float], ...] = ()
    also: tuple[Place, ...] = ()


class Answer(NamedTuple):
    """Results, best first. `level` is the last level that ran.

    Where `needs_clarification`, `question` asks back and `candidates` are what it may be about (the results are those
    of weak evidence). `notes` are sentences for the user.
    """

    results: tuple[Result, ...]
    needs_clarification: bool = False
    question: str = ""
    candidates: tuple[str, ...] = ()
    level: int = 5
    notes: tuple[str, ...] = ()
    share: float = 0.0  # how much of the question's words, by weight, the best results hold


def answer(
    view: View,
    query: str,
    *,
    today: date,
    scope: Scope | None = None,
    limit: int = 10,
    context: str = "",
    tier: str = "",
    weights: Weights | None = None,
    meaning: Meaning | None = None,
    fusion: Fusion | None = None,
    thesaurus: Thesaurus = NO_WORDS,
) -> Answer:
    """The best `limit` results for the query; `context` is text that the caller has before its eyes already.
    With a `thesaurus` other words for the same, and those of another language, are looked for too."""
    asked_in = scope or Scope()
    scope = asked_in._replace(layers=asked_in.layers & layers_of(tier)) if tier else asked_in
    weights = weights or Weights()
    if tier:
        weights = weights._replace(candidates=max(weights.candidates, _OF_TIER))
    question = read(query, today)
    if context and (line := _in_context(question, context)):
        return Answer((), level=1, notes=(f"already in context: {line}",))
    view.scan(question.words)
    question = _dated(view, question, scope, weights)
    asked = ask(view, question, weights.like, thesaurus)
    level, ranked = _levels(view, question, asked, scope, today, weights)
    held = share(asked, ranked)
    near: Mapping[int, tuple[Passage, float]] = {}
    if level == 5 and meaning is not None:
        fusion = fusion or Fusion()
        near = meaning.near(question.text, scope, fusion.nearest, [s.row for s in ranked])
        by_words = list(ranked)
        ranked = fuse(ranked, near, held, fusion)
    if tier:
        ranked = [s for s in ranked if tier_of(s.passage, today) == tier]
    results = tuple(_result(group, today) for group in fold_same(view, ranked, scope, limit, question.days))
    notes = () if results else _elsewhere(view, asked, asked_in, tier)
    found = doubt(view, question, asked, by_words if near else ranked) if level == 5 and results else None
    level, held = 6 if near else level, round(held, 3)
    if found is None:
        return Answer(results, level=level, notes=notes, share=held)
    candidates = tuple(dict.fromkeys(r.text for r in results))[:3]
    return Answer(results, True, _ask_back(found), candidates, 7, notes, held)


def _dated(view: View, question: Question, scope: Scope, weights: Weights) -> Question:
    """The question with the time before or after what it names ("before the move"), if the memory dates that."""
    side, what = named(question.text)
    if not side or question.days:
        return question
    anchor = read(what, date.min)
    few = weights._replace(candidates=_ANCHORS)
    best = rank(view, anchor, ask(view, anchor, few.like), scope, few)[:1] if anchor.terms else []
    if not best or not best[0].passage.date or not best[0].held.keys() >= set(anchor.terms):
        return question
    return question._replace(days=(beside(best[0].passage.date, side),))


def _levels(
    view: View, question: Question, asked: Asked, scope: Scope, today: date, weights: Weights
) -> tuple[int, list[Scored]]:
    """The level that sufficed, and what it found."""
    topics = _named(view, question, scope)
    if topics:
        inside = scope._replace(
            slugs=frozenset(p.slug for p in topics.values()), layers=frozenset({"curated"})
        )
        curated = rank(view, question, asked, inside, weights)
        newer = view.newer({p.slug: p.seen for p in topics.values()}, scope)
        if not newer and question.terms and _is_name(question, topics):
            return 2, curated
        if not newer and _suffices(question, curated):
            return 3, curated
    if question.days and "events" in scope.layers:
        days = _of_days(view, question, asked, scope, today, weights)
        if days and (question.only_time or _holds_all(question, days[0])):
            return 4, days
    return 5, rank(view, question, asked, scope, weights)


def _of_days(
    view: View, question: Question, asked: Asked, scope: Scope, today: date, weights: Weights
) -> list[Scored]:
    """Today's events for a question about today; of a question that asks for nothing but a time all that fell in it."""
    day = today.isoformat()
    if question.only_time:
        spans = [view.between(first, last, scope) for first, last, _ in question.days]
        fell = dict(sorted(((row, p) for some in spans for row, p in some.items()), reverse=True))
        named = _naming(view, question, scope)
        to_come = max(last for _, last, _ in question.days) >= day  # asked for what is due before what has happened
        order = (named, fell) if to_come else (fell, named)
        found = {row: p for some in order for row, p in some.items()}
        return [Scored(row, p, {"when": 1.0}) for row, p in found.items()]
    if all(span[:2] != (day, day) for span in question.days):
        return []
    only = scope._replace(since=day, until=day, layers=frozenset({"events"}))
    return rank_these(view, view.between(day, day, only), question, asked, only, weights)


def _naming(view: View, question: Question, scope: Scope) -> dict[int, Passage]:
    """Lines that name a day of the question in figures, such as what is due then."""
    days = {day: 1.0 for span in question.days for day in days_of(span, _SPAN_DAYS)}
    found = view.find(days, scope, _NAMED_LINES) if days else {}
    naming = [
        (row, p)
        for row, p in found.items()
        if p.kind is not Kind.CHANGE and any(names_day(p.text, span) for span in question.days)
    ]
    # A note's line after the event that was made of it, which is then shown for both.
    return dict(sorted(naming, key=lambda one: (one[1].kind in (Kind.NOTE, Kind.SOURCE), -one[0])))


def _named(view: View, question: Question, scope: Scope) -> dict[int, Passage]:
    """Topics of which the question says a whole name: level 2."""
    if "curated" not in scope.layers:
        return {}
    said = set(question.terms)
    found = {}
    for row, p in view.topics(scope).items():
        names = (set(terms(name)) for name in (p.slug.replace("-", " "), *p.heading.split("\n")))
        if any(name and name <= said for name in names):
            found[row] = p
    return found


def _is_name(question: Question, topics: dict[int, Passage]) -> bool:
    """Whether the question is the name of a topic and nothing else."""
    said = set(question.terms)
    return any(said <= set(terms(f"{p.slug.replace('-', ' ')} {p.heading}")) for p in topics.values())


def _suffices(question: Question, ranked: Sequence[Scored]) -> bool:
    """The best fact of the topic holds every word of the question, one of them in its own text, and was so at its time."""
    if not ranked or ranked[0].passage.kind is not Kind.FACT or not _holds_all(question, ranked[0]):
        return False
    return not question.days or ranked[0].passage.date <= max(span[1] for span in question.days)


def _holds_all(question: Question, s: Scored) -> bool:
    own = {*s.passage.terms.split(), *s.passage.labels.split()}
    return own.issuperset(question.terms) and not own.isdisjoint(s.passage.terms.split())


def _in_context(question: Question, context: str) -> str:
    """The first line of the context that holds every word of the question, if it says more than the question."""
    wanted = set(question.terms)
    for line in context.split("\n"):
        held = set(terms(line))
        if len(wanted) > 1 and wanted < held:
            return line.strip()
    return ""


def _result(group: Group, today: date) -> Result:
    s, p = group.shown, group.shown.passage
    parts = tuple((name, round(value, 4)) for name, value in s.parts.items())
    return Result(
        id=p.id or f"{p.path}:{p.line}",
        path=p.path,
        line=p.line,
        text=p.text,
        score=round(sum(value for _, value in parts), 4),
        tier=tier_of(p, today),
        layer=LAYERS[p.kind],
        kind=p.kind.value,
        slug=p.slug,
        tag=p.tag,
        date=p.date,
        confidence=p.confidence.value,
        source=p.source,
        parts=parts,
        also=tuple(Place(c.id, c.path, c.line) for c in group.also),
    )


def _elsewhere(view: View, asked: Asked, scope: Scope, tier: str) -> tuple[str, ...]:
    """Where else there would be something, when the scope has nothing: never what it says."""
    found = []
    flags = [flag for flag, given in _narrowing(scope, tier) if given]
    wide = scope._replace(tags=frozenset(), slugs=frozenset(), entity="", since="", until="")
    if flags:
        found.append((len(view.find(asked.pull, wide, _COUNTED)), f"without {', '.join(flags)}"))
    if "source" not in scope.layers:
        source = wide._replace(layers=frozenset({"source"}))
        found.append((len(view.find(asked.pull, source, _COUNTED)), "in the source layer: --layer source"))
    if not scope.archived:
        old = view.find(asked.pull, wide._replace(archived=True), _COUNTED)
        found.append((len(old.keys() - view.find(asked.pull, wide, _COUNTED)), "in archived topics: --archived"))
    return tuple(f"{n}{'+' if n == _COUNTED else ''} {where}" for n, where in found if n)


def _narrowing(scope: Scope, tier: str) -> tuple[tuple[str, object], ...]:
    """The filters by the names of their flags, and whether each is set."""
    return (
        ("--topic", scope.slugs), ("--tag", scope.tags), ("--entity", scope.entity), ("--since", scope.since),
        ("--until", scope.until), ("--tier", tier),
    )  # fmt: skip


_ASK_BACK = {
    expect.NUMBER: "The memory has something on this, but not the figure asked for. Which of these is meant, or shall it be noted?",
    expect.MONEY: "The memory has something on this, but no sum. Which of these is meant, or shall it be noted?",
    expect.PHONE: "The memory holds no such number. Which of these is meant, or shall it be noted?",
    expect.OFTEN: "The memory has something on this, but not how often. Which of these is meant, or shall it be noted?",
    expect.LASTS: "The memory has something on this, but not how long. Which of these is meant, or shall it be noted?",
    expect.CLOCK: "The memory has something on this, but no time of day. Which of these is meant, or shall it be noted?",
    expect.DAY: "The memory has something on this, but no date. Which of these is meant, or shall it be noted?",
    expect.PLACE: "The memory has something on this, but not where. Which of these is meant, or shall it be noted?",
    expect.NAME: "The memory does not hold that name. Which of these is meant, or who is it?",
    expect.SECRET: "Passwords and keys are never stored. Is one of these meant instead?",
    "": "The memory holds little on this. Is one of these meant?",
}


def _ask_back(found: Doubt) -> str:
    return _ASK_BACK[found.kind]
