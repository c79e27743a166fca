"""One reader for each pattern of a date: a match and the day of the message → the value. Pure arithmetic of calendars."""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta

from silo.text.datewords import LAST_WORDS, MONTHS, NEAR_DAYS, NEXT_WORDS, NUMBERS, SPELLED, WEEKDAYS

__all__ = ["READERS", "When", "day_of_month"]


@dataclass(frozen=True, slots=True)
class When:
    today: date
    prefer: str
    day_first: bool


Found = tuple[str, str] | None


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


def _yearless(month: int, day: int, when: When) -> date | None:
    """The year in which a date without one lies: near the message, rather ahead of it than behind."""
    options = [
        d
        for y in (when.today.year - 1, when.today.year, when.today.year + 1, when.today.year + 2)
        if (d := _make(y, month, day))
    ]
    back, ahead = {"future": (0, 366), "past": (366, 0), "behind": (300, 65)}.get(when.prefer, (45, 320))
    inside = [d for d in options if -back <= (d - when.today).days <= ahead]
    pool = inside or options
    return min(pool, key=lambda d: abs((d - when.today).days)) if pool else None


def _year_of_month(month: int, when: When) -> int:
    found = _yearless(month, 28 if when.prefer not in ("past", "behind") else 1, when)
    return found.year if found else when.today.year


def day_of_month(day: int, when: When) -> date | None:
    """ "the 7th", "dia 12": the next such day, today included; the last one where the past is meant."""
    for step in range(13):
        year, month = _add_months(when.today, -step if when.prefer == "past" else step)
        found = _make(year, month, day)
        if found and (found <= when.today if when.prefer == "past" else found >= when.today):
            return found
    return None


def _weekday(number: int, pointer: str, when: When) -> date:
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


def _read_ymd(m: re.Match[str], when: When) -> Found:
    found = _make(int(m["y"]), int(m["m"]), int(m["d"]))
    return (found.isoformat(), "absolute") if found else None


def _read_ym(m: re.Match[str], when: When) -> Found:
    return f"{m['y']}-{m['m']}", "absolute"


def _read_dmy(m: re.Match[str], when: When) -> Found:
    if m["sep"] != "/" and len(m["y"]) == 2:
        return None  # 1.2.26 is a version more often than a day
    first, second, year = int(m["d"]), int(m["m"]), int(m["y"])
    year += 2000 if year < 100 else 0
    day, month = (first, second) if when.day_first else (second, first)
    found = _make(year, month, day) or _make(year, day, month)
    return (found.isoformat(), "absolute") if found else None


def _read_numeric(m: re.Match[str], when: When) -> Found:
    first, second = m["d"], m["m"]
    padded = len(first) == len(second) == 2 and (first[0] == "0" or second[0] == "0" or int(first) > 12)
    if not padded and not _BEFORE_DATE.search(m.string[max(0, m.start() - 16) : m.start()]):
        return None  # 1/2 cup, 24/7, 4/5: a fraction unless something says that it is a day
    a, b = int(first), int(second)
    day, month = (a, b) if when.day_first else (b, a)
    found = (
        _yearless(month, day, when) or _yearless(day, month, when)
        if 1 <= month <= 12 or 1 <= day <= 12
        else None
    )
    return (found.isoformat(), "yearless") if found else None


_BEFORE_DATE = re.compile(
    r"(?:\b(?:dias?|em|ate|no dia|de|desde|para|pra|by|on|due|until|till|before|after|from|since|is|e|fica|ficou|marcad[oa]|date|data|prazo|vence|starting|of|(?:segunda|terca|quarta|quinta|sexta)(?:-feira)?|\w+day|sabado|domingo)\b[,:]?\s*\(?o?\s*|\b\d{1,2}/\d{1,2} (?:a|e|to|and|ou|or) )\Z"
)


def _read_dm(m: re.Match[str], when: When) -> Found:
    month, day = MONTHS[m["m"]], _number(m["d"])
    if m["y"]:
        found = _make(int(m["y"]), month, day)
        return (found.isoformat(), "absolute") if found else None
    found = _yearless(month, day, when)
    return (found.isoformat(), "yearless") if found else None


def _read_end_month(m: re.Match[str], when: When) -> Found:
    month = MONTHS[m["m"]]
    return _last_day(int(m["y"]) if m["y"] else _year_of_month(month, when), month), "absolute" if m[
        "y"
    ] else "yearless"


def _read_end(m: re.Match[str], when: When) -> Found:
    return _last_day(when.today.year, when.today.month), "relative"


def _read_end_next(m: re.Match[str], when: When) -> Found:
    return _last_day(*_add_months(when.today, 1)), "relative"


def _read_end_year(m: re.Match[str], when: When) -> Found:
    return f"{when.today.year}-12-31", "relative"


def _read_end_week(m: re.Match[str], when: When) -> Found:
    """The end of a week is its Friday; said on Saturday or Sunday, its Sunday."""
    weekday = when.today.weekday()
    return (when.today + timedelta(days=(4 if weekday <= 4 else 6) - weekday)).isoformat(), "relative"


def _read_end_next_week(m: re.Match[str], when: When) -> Found:
    return (when.today + timedelta(days=11 - when.today.weekday())).isoformat(), "relative"


def _read_weekday_week(m: re.Match[str], when: When) -> Found:
    shift = 1 if m["v"] else _shift(_pointer(m))
    monday = when.today - timedelta(days=when.today.weekday()) + timedelta(weeks=shift)
    return (monday + timedelta(days=WEEKDAYS[m["w"] or m["v"]])).isoformat(), "relative"


def _read_weekend(m: re.Match[str], when: When) -> Found:
    shift = _shift(_pointer(m))
    if m["p"] == "proximo":
        shift = 0  # "no próximo fim de semana" is the coming one
    saturday = when.today + timedelta(days=5 - when.today.weekday(), weeks=shift)
    return saturday.isoformat(), "weekend"


def _read_near(m: re.Match[str], when: When) -> Found:
    words = re.sub(r"\s+", " ", m["n"]).removeprefix("the ")
    return (when.today + timedelta(days=NEAR_DAYS[words])).isoformat(), "relative"


def _offset(m: re.Match[str], when: When, sign: int) -> Found:
    number = int(m["n"]) if m["n"].isdigit() else NUMBERS[re.sub(r"\s+", " ", m["n"])]
    unit = m["u"][0]
    if unit == "m":
        year, month = _add_months(when.today, sign * number)
        return f"{year:04d}-{month:02d}", "relative"
    if unit in "ya":
        return (f"{when.today.year + sign * number:04d}", "relative") if number < 150 else None
    days = {"d": 1, "w": 7, "s": 7, "f": 14}[unit]
    return (when.today + timedelta(days=sign * days * number)).isoformat(), "relative"


def _read_in(m: re.Match[str], when: When) -> Found:
    return _offset(m, when, 1)


def _read_ago(m: re.Match[str], when: When) -> Found:
    return _offset(m, when, -1)


def _read_of_month(m: re.Match[str], when: When) -> Found:
    found = _make(*_add_months(when.today, _shift(_pointer(m))), int(m["d"]))
    return (found.isoformat(), "day") if found else None


def _read_weekday(m: re.Match[str], when: When) -> Found:
    return _weekday(WEEKDAYS[m["w"]], _pointer(m), when).isoformat(), "weekday"


def _number(word: str) -> int:
    return int(word) if word.isdigit() else SPELLED[re.sub(r"\s+", " ", word)]


def _read_day(m: re.Match[str], when: When) -> Found:
    found = day_of_month(_number(m["d"]), when)
    return (found.isoformat(), "day") if found else None


def _read_next_month(m: re.Match[str], when: When) -> Found:
    year, month = _add_months(when.today, _shift(_pointer(m)))
    return f"{year:04d}-{month:02d}", "relative"


def _read_next_year(m: re.Match[str], when: When) -> Found:
    return f"{when.today.year + _shift(_pointer(m)):04d}", "relative"


def _read_next_week(m: re.Match[str], when: When) -> Found:
    monday = when.today - timedelta(days=when.today.weekday()) + timedelta(weeks=_shift(_pointer(m)))
    return monday.isoformat(), "week"


def _read_month(m: re.Match[str], when: When) -> Found:
    month, year = MONTHS[m["m"]], m.groupdict().get("y")
    if m.groupdict().get("p") == "last":
        when = When(when.today, "past", when.day_first)
    return f"{year or _year_of_month(month, when)}-{month:02d}", "absolute" if year else "yearless"


def _read_year_month(m: re.Match[str], when: When) -> Found:
    """ "next year, July", "julho do ano que vem"."""
    return f"{when.today.year + _shift(_pointer(m))}-{MONTHS[m['m']]:02d}", "relative"


def _read_year(m: re.Match[str], when: When) -> Found:
    return m["y"], "absolute"


READERS: dict[str, Callable[[re.Match[str], When], Found]] = {
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
    "year-month": _read_year_month,
    "year": _read_year,
}
