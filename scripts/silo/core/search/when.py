"""The time that a question points at: days, open spans ("since March"), and what it names instead of a day ("before the move").

English and Portuguese. A span prefers, it does not exclude: filters by date are the caller's (`Scope.since`, `until`).
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from typing import TYPE_CHECKING, NamedTuple

from silo.text.fold import fold
from silo.text.lazy import Lazy

if TYPE_CHECKING:
    import re

Span = tuple[str, str, float]  # first and last day, YYYY-MM-DD, inclusive; how closely it is meant (0..1)
FIRST, LAST = "0000-00-00", "9999-99-99"
LOOSE = 0.25  # of an open span, or of a word like "recently"

# A question without any of these points at no day. Plain words first: a question should not pay for patterns that it does
# not need, and reading dates is dearer still.
_DATE_WORDS = (
    "day", "week", "month", "year", "tomorrow", "tonight", "january", "february", "march", "april", "may", "june", "july",
    "august", "september", "october", "november", "december", "hoje", "ontem", "amanha", "semana", " mes", " ano", "janeiro",
    "fevereiro", "marco", "abril", "maio", "junho", "julho", "agosto", "setembro", "outubro", "novembro", "dezembro",
    "segunda", "terca", "quarta", "quinta", "sexta", "sabado", "domingo",
)  # fmt: skip
_DATE_FIGURES = Lazy(  # a figure alone is more often a number of something
    r"\d[-/.]\d|\d(?:st|nd|rd|th|º|o)\b|\bdias? \d|\b(?:19|20)\d\d\b|\d ?(?:ago|atras)\b"
    r"|\b(?:jan|fe[bv]|mar|a[bp]r|mai|ju[nl]|a[ug][go]|sept?|set|o[cu]t|nov|de[cz]|mon|tues?|wed|thu|fri|sat|sun|eo[dmw]|fortnights?)\b"
)
_ARTICLE = r"(?: (?:the|o|a|os|as|my|our|meu|minha))? ?\Z"
_UNIT = r"(?:(?P<n>\d{1,3}|a|an|one|two|three|four|um|uma|dois|duas|tres|quatro) )?(?P<unit>day|week|month|year|weekend|monday|tuesday|wednesday|thursday|friday|saturday|sunday|dia|semana|mes|ano)(?:s|es)? "
_BEFORE = Lazy(
    rf"\b(?:{_UNIT})?(?:before|prior to|until|till|up to|antes d[eoa]s?|ate(?: [oa]s?)?){_ARTICLE}"
)
_AFTER = Lazy(
    rf"\b(?:{_UNIT})?(?:after|since|from|depois d[eoa]s?|apos|desde(?: [oa]s?)?|a partir d[eoa]s?){_ARTICLE}"
)
_RECENT = Lazy(
    r"\b(?:last|past|previous|ultim[oa]s|passad[oa]s) (\d{1,3}|few|two|three|four|five|six|alguns|algumas|dois|duas|tres|quatro|cinco|seis) "
    r"(day|week|month|year|dia|semana|mes|ano)"
)
_LATELY = Lazy(r"\b(?:recently|lately|recentemente|ultimamente)\b")
_DIGITS = "0123456789"
_RECENT_WORDS = ("last ", "past ", "previous ", "ultim", "passad")
_LATELY_WORDS = ("recent", "lately", "ultimamente")
_NAMED_WORDS = ("before", "prior to", "antes d", "after", "since", "depois d", "apos", "desde ")
_COUNTS = {"a": 1, "an": 1, "one": 1, "um": 1, "uma": 1, "few": 3, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "alguns": 3, "algumas": 3,
           "dois": 2, "duas": 2, "tres": 3, "quatro": 4, "cinco": 5, "seis": 6}  # fmt: skip
_DAYS = {"day": 1, "week": 7, "month": 31, "year": 366, "dia": 1, "semana": 7, "mes": 31, "ano": 366}
_AHEAD = Lazy(
    r"\b(?:due|will|shall|going to|(?:have|has|need) to|must|do (?:i|we|you) have|planned|scheduled|upcoming|happens?|happening"
    r"|deadlines?|vencem?|vou|vamos|vai|vao|tenho|temos|marcad[oa]s?|agendad[oa]s?|prazos?|acontecem?|previst[oa]s?)\b"
)
_BEHIND = Lazy(r"\b(?:did|was|were|had|happened|\w+(?:ou|eu|iu|aram|eram|iram)|fo[im]|foram|fui|era|estava|tinha|fizemos|fiz|tive)\b")
_RECENT_DAYS = 30
_ISO_DAY = Lazy(r"(?<![\w-])\d{4}-\d{2}-\d{2}(?![\w-])")
_NAMED = Lazy(
    r"\b(?P<side>before|prior to|antes d[eoa]s?|after|since|depois d[eoa]s?|apos|desde [oa]s?)\b (?P<what>[^,.;?!]{3,60})"
)


class Times(NamedTuple):
    """The days and spans that a question points at, the words that say so, and those of them that only mean it seen
    from today ("last week")."""

    spans: tuple[Span, ...] = ()
    said: str = ""
    seen_from_today: str = ""


def times(text: str, today: date) -> Times:
    """The time that a question points at, seen from `today`."""
    low = fold(text)
    if _has(low, _LATELY_WORDS) and (lately := _LATELY().search(low)):
        if _has(low, _DIGITS):
            return times(_LATELY().sub(" ", low), today)
        return Times(((_ago(today, _RECENT_DAYS), today.isoformat(), LOOSE),), lately[0], lately[0])
    if _has(low, _RECENT_WORDS) and (recent := _RECENT().search(low)):
        count = _COUNTS.get(recent[1]) or int(recent[1])
        return Times(((_ago(today, count * _DAYS[recent[2]]), today.isoformat(), 1.0),), recent[0], recent[0])
    if not _has(f" {low}", _DATE_WORDS) and not (_has(low, _DIGITS) and _DATE_FIGURES().search(low)):
        return Times()
    from silo.text.dates import find_dates

    hits = find_dates(text, today, prefer="future" if _is_ahead(low) else "past")
    if any(hit.kind == "absolute" for hit in hits):  # "the Sunday before 2 May 2025" is one time
        hits = [hit for hit in hits if hit.kind not in ("week", "weekend", "weekday")]
    found: list[Span] = []
    for hit in hits:
        before = fold(text[: hit.start]) + " "
        first, last = _span(hit.value, hit.kind)
        if side := _BEFORE().search(before):
            found.append(_back(date.fromisoformat(first), side))
        elif side := _AFTER().search(before):
            found.append(_on(date.fromisoformat(first), side))
        else:
            found.append((first, last, 1.0))
    relative = [h for h in hits if h.kind in ("relative", "week", "weekend", "weekday")]
    said, seen = (" ".join(text[h.start : h.end] for h in some) for some in (hits, relative))
    return Times(tuple(dict.fromkeys(found)), said, seen)


def _is_ahead(low: str) -> bool:
    """Whether a question is about what is to come, so that a day without a year is the next one of that name."""
    return _AHEAD().search(low) is not None and _BEHIND().search(low) is None


def named(text: str) -> tuple[str, str]:
    """(before | after, what) where the question names a happening instead of a day; two empty strings if it does not."""
    low = fold(text)
    hit = _NAMED().search(low) if _has(low, _NAMED_WORDS) else None
    if hit is None:
        return "", ""
    return ("before" if hit["side"].startswith(("before", "prior", "antes")) else "after"), hit[
        "what"
    ].strip()


def beside(day: str, side: str) -> Span:
    """The span before a day, or from it on."""
    return (FIRST, _ago(date.fromisoformat(day), 1), LOOSE) if side == "before" else (day, LAST, LOOSE)


def days_of(span: Span, most: int) -> tuple[str, ...]:
    """Each day of a closed span of at most `most` days; () of an open or a longer one."""
    if span[0] == FIRST or span[1] == LAST:
        return ()
    first, last = (date.fromisoformat(day).toordinal() for day in span[:2])
    return tuple(date.fromordinal(day).isoformat() for day in range(first, last + 1)) if last - first < most else ()


def names_day(text: str, span: Span) -> bool:
    """Whether the text says a day of the span in figures (`Due 2026-03-20`); of an open span only its first day counts."""
    if span[0] == FIRST or span[1] == LAST:
        return span[0] in text
    return "-" in text and any(span[0] <= day <= span[1] for day in _ISO_DAY().findall(text))


def _has(low: str, words: Iterable[str]) -> bool:
    return any(word in low for word in words)


def _back(day: date, side: re.Match[str]) -> Span:
    """ "before DAY" is all before it; "two weeks before DAY" the days around that."""
    if not side["unit"]:
        return FIRST, _ago(day, 1), LOOSE
    unit = _DAYS.get(side["unit"], 7)
    count = _count(side["n"])
    return _ago(day, (count + 1) * unit), _ago(day, max(1, (count - 1) * unit)), 1.0


def _on(day: date, side: re.Match[str]) -> Span:
    if not side["unit"]:
        return day.isoformat(), LAST, LOOSE
    unit = _DAYS.get(side["unit"], 7)
    count = _count(side["n"])
    return _ago(day, -max(1, (count - 1) * unit)), _ago(day, -(count + 1) * unit), 1.0


def _count(word: str | None) -> int:
    return (_COUNTS.get(word) or int(word)) if word else 1


def _ago(day: date, days: int) -> str:
    return (day - timedelta(days=days)).isoformat()


def _span(value: str, kind: str) -> tuple[str, str]:
    """First and last day of a date value."""
    if len(value) == 4:
        return f"{value}-01-01", f"{value}-12-31"
    if len(value) == 7:
        first = date.fromisoformat(f"{value}-01")
        following = (first + timedelta(days=32)).replace(day=1)
        return first.isoformat(), _ago(following, 1)
    if kind in ("week", "weekend"):
        first = date.fromisoformat(value)
        return value, _ago(first, -(6 if kind == "week" else 1))
    return value, value
