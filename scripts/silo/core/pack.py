"""What the memory holds for a task, within a token budget: cited, dated, and with how sure it is.

`context` opens a session; `pack` answers "what do I need to know for this?". It picks, it does not summarise: every line
is one that stands in a file. Pure; who may see what is the scope's matter.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from silo.core.context import wrap
from silo.core.search.answer import Answer, Result, answer
from silo.core.search.asked import NO_WORDS
from silo.core.search.view import View
from silo.found import Scope
from silo.text.budget import cut_line, estimate_tokens
from silo.text.fold import fold
from silo.text.recalled import shown
from silo.text.thesaurus import Thesaurus

Counter = tuple[str, Callable[[str], int]]
ESTIMATE: Counter = ("estimate", estimate_tokens)
_WIDE = 60  # results that are looked at
_LONGEST = 600  # bytes of one line
_OLD_DAYS = 90


@dataclass(frozen=True, slots=True)
class Pack:
    """`text` holds at most the tokens asked for, by `counter`. `confidence` is high, medium, low or none; `ids` are
    cited in the text; `next_calls` are commands that tell more. `least`: the budget that the first line needs, where it
    does not fit."""

    text: str
    tokens: int
    counter: str
    confidence: str
    ids: tuple[str, ...] = ()
    next_calls: tuple[str, ...] = ()
    left_out: int = 0
    least: int = 0


def pack(
    view: View,
    task: str,
    *,
    today: date,
    budget: int,
    scope: Scope | None = None,
    counter: Counter = ESTIMATE,
    thesaurus: Thesaurus = NO_WORDS,
) -> Pack:
    """The lines that bear on the task, best topics first, at most `budget` tokens; empty where not even one line fits."""
    found = answer(view, task, today=today, scope=scope or Scope(), limit=_WIDE, thesaurus=thesaurus)
    sure = confidence(found)
    if sure == "none":
        text = "Nothing in memory bears on this.\n"
        text = text if counter[1](text) <= budget else ""
        return Pack(text, counter[1](text), counter[0], sure)
    picked = _once(found.results)
    calls = _next_calls(picked)
    kept, text = _fitting(picked, budget, counter[1], lambda lines: _text(lines, sure, found, calls, today))
    if not kept:  # a small budget is for lines, not for what to call next
        calls = ()
        kept, text = _fitting(picked, budget, counter[1], lambda lines: _text(lines, sure, found, (), today))
    least = 0 if kept else counter[1](_text(picked[:1], sure, found, (), today))
    ids = tuple(r.id for r in picked[:kept])
    return Pack(text, counter[1](text), counter[0], sure, ids, calls, len(picked) - kept, least)


def _fitting(
    picked: list[Result], budget: int, count: Callable[[str], int], told: Callable[[list[Result]], str]
) -> tuple[int, str]:
    """How many of the results fit, and the text of these; (0, "") where not even the first does."""
    kept = len(picked)
    while kept and (tokens := count(told(picked[:kept]))) > budget:
        # A cut in proportion, at least one line: few rounds whatever the budget.
        kept = max(0, min(kept - 1, kept * budget // tokens))
    kept = kept or int(count(told(picked[:1])) <= budget)
    while 0 < kept < len(picked) and count(told(picked[: kept + 1])) <= budget:
        kept += 1
    return kept, told(picked[:kept]) if kept else ""


def confidence(found: Answer) -> str:
    """high: the best lines hold most of what was asked for; low: the evidence is weak; none: nothing was found."""
    if not found.results:
        return "none"
    if found.needs_clarification or found.share < 0.25:
        return "low"
    return "high" if found.share >= 0.6 else "medium"


def _once(results: tuple[Result, ...]) -> list[Result]:
    """Results without repeated claims, those of one topic together, topics in the order of their best result."""
    seen: set[str] = set()
    topics: dict[str, list[Result]] = {}
    for r in results:
        claim = re.sub(r"\W+", " ", fold(r.text)).strip()
        if claim and claim not in seen:
            seen.add(claim)
            topics.setdefault(r.slug, []).append(r)
    return [r for own in topics.values() for r in own]


def _text(results: list[Result], sure: str, found: Answer, calls: tuple[str, ...], today: date) -> str:
    lines = [f"Confidence: {sure} ({found.share:.0%} of the task's words by weight; {len(results)} line{'s' * (len(results) != 1)})."]
    topic: str | None = None
    for r in results:
        if r.slug != topic:
            topic = r.slug
            lines.append(f"## {topic or 'notes'}")
        lines.append(cut_line(f"- {shown(r.text)}", _LONGEST) + f" [{_cite(r, today)}]")
    if found.question:
        lines.append(f"Ask first: {found.question}")
    return wrap([*lines, *(f"Next: {call}" for call in calls)])


def _cite(r: Result, today: date) -> str:
    old = bool(r.date) and (today - date.fromisoformat(r.date)).days > _OLD_DAYS
    parts = (
        r.id,
        r.date + (" old" if old else ""),
        r.layer,
        r.confidence if r.confidence != "confirmed" else "",
    )
    return ", ".join(part for part in parts if part)


def _next_calls(picked: list[Result]) -> tuple[str, ...]:
    slugs = [s for s in dict.fromkeys(r.slug for r in picked if r.layer == "curated") if s]
    calls = [f"load {slug}" for slug in slugs[:2]]
    first = next((r.id for r in picked if r.id.startswith(("f_", "e_"))), "")
    return tuple(calls + ([f"why {first}"] if first else []))
