"""Dates in prose, English and Portuguese: where they stand and which day they mean, seen from the day of the message.

Absolute, without a year, and relative ones; a weekday with a date beside it is one hit. Times of day (18h30, 14:00),
repeating days ("every Friday", "todo dia 5"), fractions and versions are no dates. It reads no clock: the day of the
message is an argument.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

from silo.text.datewords import (
    LAST_WORDS,
    MAYBE,
    MONTHS,
    NEAR_DAYS,
    NEEDS,
    NEXT_WORDS,
    NUMBERS,
    PATTERNS,
    RECURRING,
    SIGNS,
    SPELLED,
    WEEKDAYS,
)
from silo.text.flat import flat

__all__ = ["DateHit", "find_dates", "resolve"]


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


def resolve(text: str, today: date, *, prefer: str = "near", day_first: bool | None = None) -> str | None:
    """The value of the first date in `text`, None if there is none."""
    hits = find_dates(text, today, prefer=prefer, day_first=day_first)
    return hits[0].value if hits else None


def find_dates(text: str, today: date, *, prefer: str = "near", day_first: bool | None = None) -> list[DateHit]:
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
    if not MAYBE.search(low):
        return ()
    low = RECURRING.sub(lambda m: "\x00" * len(m[0]), low)
    when = _When(today, prefer, _day_first(low) if day_first is None else day_first)
    hits: list[DateHit] = []
    signs = {sign for sign, pattern in SIGNS.items() if pattern.search(low)}
    for name, pattern in PATTERNS:
        if not signs.issuperset(NEEDS[name]):
            continue
        for match in pattern.finditer(low):
            if any(match.start() < h.end and h.start < match.end() for h in hits):
                continue
            found = _READERS[name](match, _tense(match, when))
            if found is not None:
                hits.append(DateHit(match.start(), match.end(), *found))
    hits.sort(key=lambda h: h.start)
    return tuple(_in_order(_joined(hits, low), when))


@dataclass(frozen=True, slots=True)
class _When:
    today: date
    prefer: str
    day_first: bool


_PAST = re.compile(
    r"\b(?:was|were|met|did|had|got|went|came|bought|sold|paid|took|began|left|since|desde|foi|foram|fui|fomos|era|tive|fiz|fez|last)\b"
    r"|\b\w{3,}(?:ed|ou|aram|eram|iram)\b"
)
_TOWARDS = re.compile(r"\b(?:to|for|until|till|by|para|pra|pro|ate)(?: the| o| a)?(?: dia)?\s*\Z")
_PLANNING = re.compile(r"\b(?:booked|scheduled|planned|arranged|agreed|decided|marquei|marcamos|marcou|agendei|agendamos|agendou|combinei|combinamos|combinou|reservei|reservou)\b")


def _tense(match: re.Match[str], when: _When) -> _When:
    """A past verb before a date without a year puts it behind the message, unless the verb moves something to it."""
    groups = match.groupdict()
    if when.prefer != "near" or not (groups.get("m") or groups.get("w") or groups.get("d")) or groups.get("y"):
        return when
    before = re.split(r"[.!?;\n]|,(?!\d)", match.string[max(0, match.start() - 60) : match.start()])[-1]
    if not _PAST.search(before) or _TOWARDS.search(before) or _PLANNING.search(before) or _TOWARDS.search(match[0][:6].rstrip("0123456789 ")):
        return when
    return _When(when.today, "behind" if groups.get("m") else "past", when.day_first)


_SAID = ("absolute", "yearless", "day")
_Found = tuple[str, str] | None
_JOIN = re.compile(r"(?:\s*,?\s*\(?(?:the |dia |o )?|\s+(?:dia|the|on the)\s+)\Z")
_ENGLISH = re.compile(r"\b(?:the|by|on|due|is|and|we|i|to|of|at|my|for|it|with|until|from|was|will)\b")
_PORTUGUESE = re.compile(r"\b(?:o|os|as|em|de|do|da|dia|ate|para|pra|no|na|que|e|um|uma|foi|vai|com|por|nao|meu|minha)\b")


def _day_first(low: str) -> bool:
    return len(_ENGLISH.findall(low)) <= len(_PORTUGUESE.findall(low))


def _joined(hits: list[DateHit], low: str) -> list[DateHit]:
    """"Friday 13 February" and "quinta, 14/05" are one date: the weekday gives way to what stands right after it."""
    out: list[DateHit] = []
    for hit in hits:
        before = out[-1] if out else None
        if before and len(before.value) == 7 and hit.kind == "day" and _JOIN.fullmatch(low[before.end : hit.start]):
            out[-1] = DateHit(before.start, hit.end, f"{before.value}-{hit.value[8:]}", before.kind)  # "em outubro, dia 11"
            continue
        touching = before is not None and _JOIN.fullmatch(low[before.end : hit.start]) and len(before.value + hit.value) == 20
        if before and touching and before.kind in ("weekday", "relative") and hit.kind in _SAID:
            out[-1] = DateHit(before.start, hit.end, hit.value, hit.kind)
        elif before and touching and before.kind in _SAID and hit.kind == "weekday":
            out[-1] = DateHit(before.start, hit.end, before.value, before.kind)
        else:
            out.append(hit)
    return out


def _in_order(hits: list[DateHit], when: _When) -> list[DateHit]:
    """A bare day behind a full date is the next one after it: "out on 18 December, back on the 2nd"."""
    out: list[DateHit] = []
    for hit in hits:
        before = next((h for h in reversed(out) if len(h.value) == 10 and h.kind in ("absolute", "yearless")), None)
        if hit.kind == "day" and len(hit.value) == 10 and before and when.today.isoformat() <= before.value:
            later = _day_of_month(int(hit.value[8:]), _When(date.fromisoformat(before.value), "near", when.day_first))
            hit = DateHit(hit.start, hit.end, later.isoformat(), hit.kind) if later else hit
        out.append(hit)
    return out


# --- arithmetic -------------------------------------------------------------------------------------------


def _make(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _add_months(day: date, months: int) -> tuple[int, int]:
    index = day.year * 12 + day.month - 1 + months
    return index // 12, index % 12 + 1


def _last_day(year: int, month: int) -> str:
    return f"{year:04d}-{month:02d}-{calendar.monthrange(year, month)[1]:02d}"


def _yearless(month: int, day: int, when: _When) -> date | None:
    """The year in which a date without one lies: near the message, rather ahead of it than behind."""
    options = [d for y in (when.today.year - 1, when.today.year, when.today.year + 1, when.today.year + 2) if (d := _make(y, month, day))]
    back, ahead = {"future": (0, 366), "past": (366, 0), "behind": (300, 65)}.get(when.prefer, (45, 320))
    inside = [d for d in options if -back <= (d - when.today).days <= ahead]
    pool = inside or options
    return min(pool, key=lambda d: abs((d - when.today).days)) if pool else None


def _year_of_month(month: int, when: _When) -> int:
    found = _yearless(month, 28 if when.prefer not in ("past", "behind") else 1, when)
    return found.year if found else when.today.year


def _day_of_month(day: int, when: _When) -> date | None:
    """"the 7th", "dia 12": the next such day, today included; the last one where the past is meant."""
    for step in range(13):
        year, month = _add_months(when.today, -step if when.prefer == "past" else step)
        found = _make(year, month, day)
        if found and (found <= when.today if when.prefer == "past" else found >= when.today):
            return found
    return None


def _weekday(number: int, pointer: str, when: _When) -> date:
    """The weekday that people mean.

    Bare or "this": the coming one, never today. "last", "passada": the one before today. "next", "que vem": in the week
    (Monday to Sunday) after this one. "próxima": the coming one.
    """
    ahead = (number - when.today.weekday()) % 7
    if pointer in LAST_WORDS or (when.prefer == "past" and pointer not in NEXT_WORDS):
        return when.today - timedelta(days=(when.today.weekday() - number) % 7 or 7)
    if pointer in ("next", "vem"):
        return when.today + timedelta(days=7 - when.today.weekday() + number)
    return when.today + timedelta(days=ahead or 7)


def _pointer(match: re.Match[str]) -> str:
    """The word that points: next, last, vem, passada, proxima, this …; "" for none."""
    groups = match.groupdict()
    for name in ("s", "p", "q", "t"):
        if groups.get(name):
            return str(groups[name]).split()[-1]
    return ""


def _shift(pointer: str) -> int:
    return 1 if pointer in NEXT_WORDS or pointer == "outra" else -1 if pointer in LAST_WORDS else 0


# --- one reader a pattern ---------------------------------------------------------------------------------


def _read_ymd(m: re.Match[str], when: _When) -> _Found:
    found = _make(int(m["y"]), int(m["m"]), int(m["d"]))
    return (found.isoformat(), "absolute") if found else None


def _read_ym(m: re.Match[str], when: _When) -> _Found:
    return f"{m['y']}-{m['m']}", "absolute"


def _read_dmy(m: re.Match[str], when: _When) -> _Found:
    if m["sep"] != "/" and len(m["y"]) == 2:
        return None  # 1.2.26 is a version more often than a day
    first, second, year = int(m["d"]), int(m["m"]), int(m["y"])
    year += 2000 if year < 100 else 0
    day, month = (first, second) if when.day_first else (second, first)
    found = _make(year, month, day) or _make(year, day, month)
    return (found.isoformat(), "absolute") if found else None


def _read_numeric(m: re.Match[str], when: _When) -> _Found:
    first, second = m["d"], m["m"]
    padded = len(first) == len(second) == 2 and (first[0] == "0" or second[0] == "0" or int(first) > 12)
    if not padded and not _BEFORE_DATE.search(m.string[max(0, m.start() - 16) : m.start()]):
        return None  # 1/2 cup, 24/7, 4/5: a fraction unless something says that it is a day
    a, b = int(first), int(second)
    day, month = (a, b) if when.day_first else (b, a)
    found = _yearless(month, day, when) or _yearless(day, month, when) if 1 <= month <= 12 or 1 <= day <= 12 else None
    return (found.isoformat(), "yearless") if found else None


_BEFORE_DATE = re.compile(
    r"(?:\b(?:dias?|em|ate|no dia|de|desde|para|pra|by|on|due|until|till|before|after|from|since|is|e|fica|ficou|marcad[oa]|date|data|prazo|vence|starting|of|(?:segunda|terca|quarta|quinta|sexta)(?:-feira)?|\w+day|sabado|domingo)\b[,:]?\s*\(?o?\s*|\b\d{1,2}/\d{1,2} (?:a|e|to|and|ou|or) )\Z"
)


def _read_dm(m: re.Match[str], when: _When) -> _Found:
    month, day = MONTHS[m["m"]], _number(m["d"])
    if m["y"]:
        found = _make(int(m["y"]), month, day)
        return (found.isoformat(), "absolute") if found else None
    found = _yearless(month, day, when)
    return (found.isoformat(), "yearless") if found else None


def _read_end_month(m: re.Match[str], when: _When) -> _Found:
    month = MONTHS[m["m"]]
    return _last_day(int(m["y"]) if m["y"] else _year_of_month(month, when), month), "absolute" if m["y"] else "yearless"


def _read_end(m: re.Match[str], when: _When) -> _Found:
    return _last_day(when.today.year, when.today.month), "relative"


def _read_end_next(m: re.Match[str], when: _When) -> _Found:
    return _last_day(*_add_months(when.today, 1)), "relative"


def _read_end_year(m: re.Match[str], when: _When) -> _Found:
    return f"{when.today.year}-12-31", "relative"


def _read_end_week(m: re.Match[str], when: _When) -> _Found:
    """The end of a week is its Friday; said on Saturday or Sunday, its Sunday."""
    weekday = when.today.weekday()
    return (when.today + timedelta(days=(4 if weekday <= 4 else 6) - weekday)).isoformat(), "relative"


def _read_end_next_week(m: re.Match[str], when: _When) -> _Found:
    return (when.today + timedelta(days=11 - when.today.weekday())).isoformat(), "relative"


def _read_weekday_week(m: re.Match[str], when: _When) -> _Found:
    shift = 1 if m["v"] else _shift(_pointer(m))
    monday = when.today - timedelta(days=when.today.weekday()) + timedelta(weeks=shift)
    return (monday + timedelta(days=WEEKDAYS[m["w"] or m["v"]])).isoformat(), "relative"


def _read_weekend(m: re.Match[str], when: _When) -> _Found:
    shift = _shift(_pointer(m))
    if m["p"] == "proximo":
        shift = 0  # "no próximo fim de semana" is the coming one
    saturday = when.today + timedelta(days=5 - when.today.weekday(), weeks=shift)
    return saturday.isoformat(), "weekend"


def _read_near(m: re.Match[str], when: _When) -> _Found:
    words = re.sub(r"\s+", " ", m["n"]).removeprefix("the ")
    return (when.today + timedelta(days=NEAR_DAYS[words])).isoformat(), "relative"


def _offset(m: re.Match[str], when: _When, sign: int) -> _Found:
    number = int(m["n"]) if m["n"].isdigit() else NUMBERS[re.sub(r"\s+", " ", m["n"])]
    unit = m["u"][0]
    if unit == "m":
        year, month = _add_months(when.today, sign * number)
        return f"{year:04d}-{month:02d}", "relative"
    if unit in "ya":
        return (f"{when.today.year + sign * number:04d}", "relative") if number < 150 else None
    days = {"d": 1, "w": 7, "s": 7, "f": 14}[unit]
    return (when.today + timedelta(days=sign * days * number)).isoformat(), "relative"


def _read_in(m: re.Match[str], when: _When) -> _Found:
    return _offset(m, when, 1)


def _read_ago(m: re.Match[str], when: _When) -> _Found:
    return _offset(m, when, -1)


def _read_of_month(m: re.Match[str], when: _When) -> _Found:
    found = _make(*_add_months(when.today, _shift(_pointer(m))), int(m["d"]))
    return (found.isoformat(), "day") if found else None


def _read_weekday(m: re.Match[str], when: _When) -> _Found:
    return _weekday(WEEKDAYS[m["w"]], _pointer(m), when).isoformat(), "weekday"


def _number(word: str) -> int:
    return int(word) if word.isdigit() else SPELLED[re.sub(r"\s+", " ", word)]


def _read_day(m: re.Match[str], when: _When) -> _Found:
    found = _day_of_month(_number(m["d"]), when)
    return (found.isoformat(), "day") if found else None


def _read_next_month(m: re.Match[str], when: _When) -> _Found:
    year, month = _add_months(when.today, _shift(_pointer(m)))
    return f"{year:04d}-{month:02d}", "relative"


def _read_next_year(m: re.Match[str], when: _When) -> _Found:
    return f"{when.today.year + _shift(_pointer(m)):04d}", "relative"


def _read_next_week(m: re.Match[str], when: _When) -> _Found:
    monday = when.today - timedelta(days=when.today.weekday()) + timedelta(weeks=_shift(_pointer(m)))
    return monday.isoformat(), "week"


def _read_month(m: re.Match[str], when: _When) -> _Found:
    month, year = MONTHS[m["m"]], m.groupdict().get("y")
    if m.groupdict().get("p") == "last":
        when = _When(when.today, "past", when.day_first)
    return f"{year or _year_of_month(month, when)}-{month:02d}", "absolute" if year else "yearless"


def _read_year(m: re.Match[str], when: _When) -> _Found:
    return m["y"], "absolute"


_READERS: dict[str, Callable[[re.Match[str], _When], _Found]] = {
    "ymd": _read_ymd,
    "ym": _read_ym,
    "my": _read_ym,
    "dmy": _read_dmy,
    "range": _read_dm,
    "dm": _read_dm,
    "numeric": _read_numeric,
    "end-month": _read_end_month,
    "end": _read_end,
    "end-next": _read_end_next,
    "end-year": _read_end_year,
    "end-week": _read_end_week,
    "end-next-week": _read_end_next_week,
    "weekday-week": _read_weekday_week,
    "weekend": _read_weekend,
    "near": _read_near,
    "in": _read_in,
    "ago": _read_ago,
    "of-month": _read_of_month,
    "weekday": _read_weekday,
    "day": _read_day,
    "next-month": _read_next_month,
    "next-year": _read_next_year,
    "next-week": _read_next_week,
    "month": _read_month,
    "year": _read_year,
}
