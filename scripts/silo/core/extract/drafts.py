"""Drafts: events in the making. They stay open until the conversation ends, because later words may correct, complete
or withdraw them; then `finish` turns each into a candidate."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache

from silo.core.extract.acts import Sentence
from silo.core.extract.agent import Heard
from silo.core.extract.changes import figure_key
from silo.core.extract.compose import capital, clause, dated, says_nothing, text_of
from silo.model import Candidate, Confidence, Tag, Turn
from silo.text.dates import DateHit, find_dates
from silo.text.language import Language
from silo.text.similar import fingerprint
from silo.text.tokens import terms

__all__ = ["Draft", "finish", "settle"]

MOST_TURNS = 8  # beyond which no further saying of the same is named


@dataclass
class Draft:
    """A statement that will become an event unless it is withdrawn. `turn` is the one that made it hold."""

    body: str
    tag: Tag
    confidence: Confidence
    turn: Turn
    index: int  # of the turn in the session
    lang: Language
    evidence: list[str]
    label: str = ""
    old: str = ""
    new: str = ""
    score: float = 0.0
    dates: dict[str, str] = field(
        default_factory=dict
    )  # own reading of a date → what the dialogue settled on
    replaces: bool = (
        False  # it changes or settles something, so another figure for the same thing is the old one
    )
    corrects: bool = False  # it says that something before was wrong or is thought better of
    slip: bool = False  # it only puts a slip of the tongue right
    open_change: bool = False  # says what is no longer so, not yet what is instead
    withdrawn: bool = False  # takes back what an earlier run has logged
    gone: bool = False

    @property
    def content(self) -> frozenset[str]:
        return _content(f"{self.label} {self.body}")

    @property
    def figures(self) -> frozenset[str]:
        return _figures(f"{self.label} {self.body}")

    @property
    def denies(self) -> bool:
        return _denies(f"{self.label} {self.body}")

    @property
    def empty(self) -> bool:
        """No statement is left of it."""
        return says_nothing(self.body, self.label, self.lang)

    def rest_on(self, turns: Iterable[str]) -> None:
        """Name more turns that say the same, a few: what is said again all day needs no longer line."""
        more = [one for one in dict.fromkeys(turns) if one not in self.evidence]
        self.evidence += more[: max(0, MOST_TURNS - len(self.evidence))]

    def add(self, text: str, turn_id: str, glue: str = ". ") -> None:
        """Say more of the same statement."""
        extra = clause(text)
        if extra:
            self.body = f"{self.body}{glue}{capital(extra) if glue == '. ' else extra}"
        if turn_id not in self.evidence:
            self.evidence.append(turn_id)


@lru_cache(maxsize=1024)
def _content(text: str) -> frozenset[str]:
    return frozenset(terms(text))


@lru_cache(maxsize=1024)
def _denies(text: str) -> bool:
    return fingerprint(text).denies


@lru_cache(maxsize=1024)
def _figures(text: str) -> frozenset[str]:
    return frozenset(figure_key(f) for f in _FIGURES.findall(text))


_FIGURES = re.compile(r"\d[\d.,:h]*")


def settle(sentence: Sentence, *heard: Heard | None) -> tuple[dict[str, str], tuple[str, ...]]:
    """Own readings of open dates → the full date that the assistant's words give for the same weekday or day; and the
    turns that say so."""
    known: dict[str, str] = {}
    sources: list[str] = []
    if not any(
        h.kind in ("weekday", "day", "relative", "week") and len(h.value) == 10 for h in sentence.dates
    ):
        return known, ()
    others = [
        (h, ears.ids[0])
        for ears in heard
        if ears
        for s in ears.sentences
        for h in s.dates
        if h.kind in ("absolute", "yearless", "day") and len(h.value) == 10
    ]
    for hit in sentence.dates:
        if hit.kind not in ("weekday", "day", "relative", "week") or len(hit.value) != 10:
            continue
        mine = date.fromisoformat(hit.value)
        for other, source in others:
            theirs = date.fromisoformat(other.value)
            same = (
                theirs.weekday() == mine.weekday()
                if hit.kind == "weekday"
                else theirs.day == mine.day
                if hit.kind == "day"
                else hit.kind == "week" and 0 <= (theirs - mine).days < 7
            )
            if same and theirs != mine and abs((theirs - mine).days) <= 31:
                known.setdefault(hit.value, other.value)
                sources.append(source)
    return known, tuple(sources)


def finish(draft: Draft) -> Candidate:
    """The candidate of a draft: dates absolute, values and due date written in the way of the format."""
    today = draft.turn.at.date()
    first = draft.lang.day_first
    prefer = "future" if draft.tag is Tag.TODO else "near"
    hits = [
        DateHit(h.start, h.end, draft.dates.get(h.value, h.value), h.kind)
        for h in find_dates(draft.body, today, prefer=prefer, day_first=first)
    ]
    due, effective = _due(draft, hits, today), _effective(draft, hits)
    skip = frozenset(v for v in (due, effective) if v)
    gone = _place(draft.body, draft.old)
    body, _ = dated(draft.body, today, draft.dates, skip=skip, prefer=prefer, day_first=first, gone=gone)
    old = draft.old if draft.old and draft.old.lower() not in (draft.new.lower(), "") else ""
    label = ": ".join(
        p for p in (draft.lang.labels["withdrawn"] if draft.withdrawn else "", draft.label) if p
    )
    text = text_of(body, draft.lang, label=label, old=old, effective=effective, due=due)
    return Candidate(draft.tag, draft.confidence, text, tuple(draft.evidence), draft.turn.at)


def _place(body: str, old: str) -> tuple[int, int]:
    """Where the old value stands in the statement, (0, 0) for nowhere. Which year it was meant in can't be told any more."""
    at = body.lower().find(old.lower()) if old else -1
    return (at, at + len(old)) if at >= 0 else (0, 0)


def _due(draft: Draft, hits: list[DateHit], today: date) -> str:
    if draft.tag is not Tag.TODO:
        return ""
    days = [h for h in hits if len(h.value) == 10 and h.kind != "week"]
    ahead = [h for h in days if h.value >= today.isoformat()] or days
    if ahead:
        strong = [
            h
            for h in ahead
            if re.search(
                r"(?:\b(?:by|before|until|due|deadline|até|ate|vence|prazo|antes d[eo])\W*(?:the |o |dia |on |is |em )*)$",
                draft.body[: h.start],
                re.I,
            )
        ]
        return (strong or ahead)[0].value
    months = [h.value for h in hits if len(h.value) == 7]
    return months[0] if months and months[0] >= today.isoformat()[:7] else ""


def _effective(draft: Draft, hits: list[DateHit]) -> str:
    if draft.tag not in (Tag.CHANGED, Tag.DECISION, Tag.PROCEDURE):
        return ""
    pattern = draft.lang.shape("effective")
    old = draft.old.lower()
    found = [
        h.value
        for h in hits
        if pattern.search(draft.body[: h.start])
        and h.kind != "week"
        and not (old and draft.body[h.start : h.end].lower() in old)
    ]
    return found[0] if found else ""
