"""Dates in prose, English and Portuguese: where they stand and which day they mean, seen from the day of the message.

Absolute, without a year, and relative ones; a weekday with a date beside it is one hit. Times of day (18h30, 14:00),
repeating days ("every Friday", "todo dia 5"), fractions and versions are no dates. It reads no clock: the day of the
message is an argument.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from silo.text.datereaders import READERS, When, day_of_month
from silo.text.datewords import MAYBE, NEEDS, PATTERNS, RECURRING, SIGNS
from silo.text.flat import flat
from silo.text.lazy import Lazy

__all__ = ["DateHit", "find_dates"]


@dataclass(frozen=True, slots=True)
class DateHit:
    """`text[start:end]` means `value`: YYYY, YYYY-MM or YYYY-MM-DD.

    kind: "absolute" (its year is said), "yearless" (day and month, or a month), "day" (a day of the month alone),
    "weekday", "relative" (tomorrow, in two weeks, next month), "week" (a week, as its Monday), "weekend" (its Saturday).
    """

    start: int
    end: int
    value: str
    kind: str


def find_dates(
    text: str, today: date, *, prefer: str = "near", day_first: bool | None = None
) -> list[DateHit]:
    """Every date in `text`, in order, never overlapping.

    `prefer` decides where the text leaves the year, month or week open: "near" (a date without a year lies up to 45 days
    behind, else ahead; after a past verb up to 300 days behind; weekdays and days of the month lie ahead), "future" or
    "past". `day_first` reads
    5/2 as 5 February; None takes it from the language of the text, day first unless it looks English.
    """
    return list(_find(text, today, prefer, day_first))


@lru_cache(maxsize=4096)
def _find(text: str, today: date, prefer: str, day_first: bool | None) -> tuple[DateHit, ...]:
    low = flat(text)
    if not MAYBE().search(low):
        return ()
    low = RECURRING().sub(
        lambda m: m[0] if _MOVED().search(m.string[max(0, m.start() - 40) : m.start()]) else "\x00" * len(m[0]), low
    )
    when = When(today, prefer, _day_first(low) if day_first is None else day_first)
    hits: list[DateHit] = []
    signs = {sign for sign, pattern in SIGNS.items() if pattern().search(low)}
    for name, pattern in PATTERNS:
        if not signs.issuperset(NEEDS[name]):
            continue
        for match in pattern().finditer(low):
            if any(match.start() < h.end and h.start < match.end() for h in hits):
                continue
            found = READERS[name](match, _tense(match, when))
            if found is not None:
                hits.append(DateHit(match.start(), match.end(), *found))
    hits.sort(key=lambda h: h.start)
    return tuple(_in_order(_joined(hits, low), when))


_PAST = Lazy(
    r"\b(?:was|were|met|did|had|got|went|came|bought|sold|paid|took|began|left|since|desde|foi|foram|fui|fomos|era|tive|fiz|fez|last)\b"
    r"|\b(?:quit|sent|made|broke|lost|found|told|saw|ran|gave|chose|hired|cut|put|spent|taught|wrote|left|stopped|vendi|recebi|perdi|abri|saiu|parti|nasci)\b"
    r"|\b\w{3,}(?:ed|ou|aram|eram|iram)\b|\b(?!frei|gabriel)\w{3,}ei\b"
)
_TOWARDS = Lazy(r"\b(?:to|for|until|till|by|para|pra|pro|ate)(?: the| o| a)?(?: dia)?\s*\Z")
# "moved from Tuesday to Wednesday" names two days, not a span of them.
_MOVED = Lazy(
    r"\b(?:mov|chang|resched|push|shift|brought|switch|mud|pass|adi|antecip|remarc|troc)\w*\b[^.,;]*\b(?:from|d[aeo])\s+\Z"
)
_TO_DAY = Lazy(r"(?:to|for|until|till|by|para|pra|pro|ate)\s")
_PLANNING = Lazy(
    r"\b(?:booked|scheduled|planned|arranged|agreed|decided|marquei|marcamos|marcou|agendei|agendamos|agendou|combinei|combinamos|combinou|reservei|reservou|ficou|ficaram|ficamos|vence|venceu)\b"
)


def _tense(match: re.Match[str], when: When) -> When:
    """A past verb before a date without a year puts it behind the message, unless the verb moves something to it."""
    groups = match.groupdict()
    if (
        when.prefer != "near"
        or not (groups.get("m") or groups.get("w") or groups.get("d"))
        or groups.get("y")
    ):
        return when
    if _THEN().match(match.string, match.end()):
        return When(when.today, "behind" if groups.get("m") else "past", when.day_first)
    before = re.split(r"[.!?;\n]|[,:](?!\d)", match.string[max(0, match.start() - 60) : match.start()])[-1]
    if (
        not _PAST().search(before)
        or _TOWARDS().search(before)
        or _PLANNING().search(before)
        or _STANDS().search(before)
        or _TOWARDS().search(match[0][:6].rstrip("0123456789 "))
        or _TO_DAY().match(match[0])
    ):
        return when
    return When(when.today, "behind" if groups.get("m") else "past", when.day_first)


# "he told me that the race is on 25 October": what stands right before the date is of now.
_STANDS = Lazy(r"\b(?:is|are|sao|e|fica|ficam|cai|calha|comeca|starts|begins)(?: (?:on|at|the|a|o|no|na|em|dia|from))*\s*\Z")
# "in January it was 86"
_THEN = Lazy(r"\s+(?:(?:it|there|they) )?(?:was|were|era|eram|estava|estavam|tinha|havia)\b")
_SAID = ("absolute", "yearless", "day")
_JOIN = Lazy(r"(?:\s*,?\s*\(?(?:the |dia |o )?|\s+(?:dia|the|on the)\s+)\Z")
_ENGLISH = Lazy(r"\b(?:the|by|on|due|is|and|we|i|to|of|at|my|for|it|with|until|from|was|will)\b")
_PORTUGUESE = Lazy(
    r"\b(?:o|os|as|em|de|do|da|dia|ate|para|pra|no|na|que|e|um|uma|foi|vai|com|por|nao|meu|minha)\b"
)


def _day_first(low: str) -> bool:
    return len(_ENGLISH().findall(low)) <= len(_PORTUGUESE().findall(low))


def _joined(hits: list[DateHit], low: str) -> list[DateHit]:
    """ "Friday 13 February" and "quinta, 14/05" are one date: the weekday gives way to what stands right after it."""
    out: list[DateHit] = []
    for hit in hits:
        before = out[-1] if out else None
        if (
            before
            and len(before.value) == 7
            and hit.kind == "day"
            and _JOIN().fullmatch(low[before.end : hit.start])
        ):
            out[-1] = DateHit(
                before.start, hit.end, f"{before.value}-{hit.value[8:]}", before.kind
            )  # "em outubro, dia 11"
            continue
        touching = (
            before is not None
            and _JOIN().fullmatch(low[before.end : hit.start])
            and len(before.value + hit.value) == 20
        )
        if before and touching and before.kind in ("weekday", "relative") and hit.kind in _SAID:
            out[-1] = DateHit(before.start, hit.end, hit.value, hit.kind)
        elif before and touching and before.kind in _SAID and hit.kind == "weekday":
            out[-1] = DateHit(before.start, hit.end, before.value, before.kind)
        else:
            out.append(hit)
    return out


def _in_order(hits: list[DateHit], when: When) -> list[DateHit]:
    """A bare day behind a full date is the next one after it: "out on 18 December, back on the 2nd"."""
    out: list[DateHit] = []
    for hit in hits:
        before = next(
            (h for h in reversed(out) if len(h.value) == 10 and h.kind in ("absolute", "yearless")), None
        )
        if hit.kind == "day" and len(hit.value) == 10 and before and when.today.isoformat() <= before.value:
            later = day_of_month(
                int(hit.value[8:]), When(date.fromisoformat(before.value), "near", when.day_first)
            )
            hit = DateHit(hit.start, hit.end, later.isoformat(), hit.kind) if later else hit
        out.append(hit)
    return out
