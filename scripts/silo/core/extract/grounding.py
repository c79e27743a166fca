"""The grounding check: every figure, name, link, command and path of a candidate stands in its evidence.

It is the same for every engine, so that a model can't bring in what nobody said. Dates that the evidence resolves to
and the fixed labels of the format are exempt.
"""

from __future__ import annotations

import re

from silo.core.extract.changes import figure_key
from silo.model import Candidate, Origin, Session, Turn
from silo.text.dates import find_dates
from silo.text.fold import fold

__all__ = ["ground"]

_FIGURE = re.compile(r"\d[\d.,:h/]*")
_ISO = re.compile(r"\b\d{4}-\d{2}(?:-\d{2})?\b")
_MARK = re.compile(
    r"`([^`\n]+)`|(https?://\S+)|((?<!\w)(?:~|\.{1,2})?/[\w.-]+(?:/[\w.-]+)+)|(\b[\w.+-]+@[\w-]+\.\w+)"
)
_NAME = re.compile(r"(?<=[\w,;:)] )[A-ZÀ-Ý][\w'’-]*(?<!['’]s)")
_LABELS = frozenset(
    ["was", "due", "effective", "era", "prazo", "vigente", "withdrawn", "retirado", "owner", "user", "i"]
)


def _mean(said: list[Turn], days: list[str]) -> bool:
    """Whether each day (or month, or year) is one that a date in the turns can mean. Costly: asked only where it counts."""
    found = {
        hit.value
        for turn in said
        for prefer in ("near", "future", "past")
        for first in (True, False)
        for hit in find_dates(turn.text, turn.at.date(), prefer=prefer, day_first=first)
    }
    return all(any(value.startswith(day) for value in found) for day in days)


def ground(candidate: Candidate, session: Session) -> bool:
    """Whether all evidence exists, was said by the owner or the assistant, and holds what the text claims."""
    turns = {t.id: t for t in session.turns}
    if not candidate.evidence or any(
        e not in turns or turns[e].origin not in (Origin.OWNER, Origin.AGENT) for e in candidate.evidence
    ):
        return False
    said = [turns[e] for e in candidate.evidence]
    source = fold(" ".join(t.text for t in said))
    figures = {figure_key(f) for f in _FIGURE.findall(source)} | {
        k for f in re.findall(r"\d+", source) if (k := figure_key(f))
    }
    text = candidate.text
    resolved = [iso for iso in _ISO.findall(text) if iso not in source]
    if resolved:
        # A day that follows from the text's own words ("18 December … the 2nd") is grounded by those words.
        bare = re.sub(r" \(\s*\)", "", _ISO.sub("", text))
        own = {
            h.value for first in (True, False) for h in find_dates(bare, candidate.at.date(), day_first=first)
        }
        resolved = [iso for iso in resolved if iso not in own]
    if resolved and not _mean(said, resolved):
        return False
    text = _ISO.sub(" ", text)
    for mark in _MARK.finditer(text):
        if fold(next(g for g in mark.groups() if g).rstrip(".,;:)")) not in source:
            return False
    if any(figure_key(f) not in figures for f in _FIGURE.findall(text)):
        return False
    return all(fold(n) in _LABELS or fold(n) in source for n in _NAME.findall(text))
