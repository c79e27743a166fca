"""One value of a statement, and whether two of them are the same one, however they are written.

180 cm and 1.8 m, EUR 62k and 62,000 euros, 18h30 and half past six, 45–50 minutes and between 45 and 50 minutes. Where the
values stand is found in `values.py`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from silo.text.clock import TimeHit, same_time
from silo.text.names import same_name

# Dimensions beside which a bare number may be the same value, said without its unit.
MEASURED = frozenset(["money", "percent", "cents", "sacks", "alqueires", "pixels", "duration", "temperature", "mass", "length", "volume", "area", "bytes"])


@dataclass(frozen=True, slots=True)
class Value:
    """One value. `kind` is date, time, name, id, number, or a dimension (length, money …), or contrast/scope groups.

    `amount` is in the base unit of the dimension; `unit` tells currencies apart and units as written; `options` are other
    readings of an ambiguous unit (pounds). `of` holds stems of what is counted (25 cows), `per` the period of a rate.
    """

    kind: str
    text: str
    start: int
    end: int
    amount: float = 0.0
    unit: str = ""
    key: frozenset[str] = frozenset()
    day: str = ""  # ISO date, its precision as said
    sure: bool = True  # false: a year that was inferred, a time that may be twelve hours later
    approx: bool = False
    of: frozenset[str] = frozenset()
    per: str = ""
    options: tuple[Value, ...] = ()
    high: float | None = None  # the upper end of a range, whose lower one is `amount`
    until: str = ""  # the last day of several, whose first one is `day`


def same_value(a: Value, b: Value) -> bool:
    """Whether two values of comparable kind are the same one."""
    if a.kind == "date":
        return a.until == b.until and _same_day(a, b)
    if a.high is not None or b.high is not None:
        return any(_same_range(x, y) for x in (a, *a.options) for y in (b, *b.options))
    if a.kind == "time":
        return same_time(TimeHit(0, 0, int(a.amount), not a.sure), TimeHit(0, 0, int(b.amount), not b.sure))
    if a.kind == "name":
        return same_name(a.key, b.key)
    if a.key or b.key:
        return a.key == b.key
    return any(_same_amount(x, y) for x in (a, *a.options) for y in (b, *b.options))


def _same_range(a: Value, b: Value) -> bool:
    if a.high is None or b.high is None or a.kind != b.kind:
        return False
    low = same_value(replace(a, high=None, options=()), replace(b, high=None, options=()))
    return low and same_value(replace(a, amount=a.high, high=None, options=()), replace(b, amount=b.high, high=None, options=()))


def comparable(a: Value, b: Value) -> bool:
    """Whether two values can be values of one property: the same kind, or a bare number beside a counted one."""
    if (a.of and b.kind not in ("number", "ordinal")) or (b.of and a.kind not in ("number", "ordinal")):
        return False  # 50 gallons of a language that we do not know are no 50 litres
    if _inside(a, b) or _inside(b, a):
        return False  # "4 euros" beside "3 to 5 euros": nothing that the range denies
    kinds_a = {v.kind for v in (a, *a.options)}
    kinds_b = {v.kind for v in (b, *b.options)}
    if kinds_a & kinds_b:
        return True
    bare = {"number"}
    return bool((kinds_a == bare and kinds_b & MEASURED) or (kinds_b == bare and kinds_a & MEASURED))


def _inside(point: Value, span: Value) -> bool:
    """Whether one value lies in a range of its own kind."""
    if span.kind == point.kind == "date":
        return bool(span.until) and not point.until and len(point.day) == 10 and span.day <= point.day <= span.until
    return span.kind == point.kind and span.high is not None and point.high is None and span.amount <= point.amount <= span.high


def _same_day(a: Value, b: Value) -> bool:
    short, long = sorted((a.day, b.day), key=len)
    if long.startswith(short):
        return True
    yearless = not (a.sure and b.sure)
    return yearless and len(a.day) == len(b.day) == 10 and a.day[5:] == b.day[5:]


_LOOSE = {"duration": 0.02, "bytes": 0.05, "length": 0.012, "mass": 0.012, "volume": 0.012, "area": 0.012, "temperature": 0.03, "speed": 0.02, "percent": 0.012}


def _same_amount(a: Value, b: Value) -> bool:
    if a.kind != b.kind and "number" not in (a.kind, b.kind):
        return False
    if a.kind == "money" and b.kind == "money" and a.unit != b.unit:
        return False
    if a.per and b.per and a.per != b.per:
        return False
    x, y = a.amount, b.amount
    if a.kind != b.kind:  # a bare number beside a measured one: compare what is written
        x, y = (written(a), written(b))
    if x == y or abs(x - y) <= 1e-9 * max(abs(x), abs(y)):
        return True
    if a.approx or b.approx:
        return _rounds_to(x, y) if b.approx and not a.approx else _rounds_to(y, x) if a.approx and not b.approx else _close(x, y, 0.02)
    return a.unit != b.unit and a.kind == b.kind and _close(x, y, _LOOSE.get(a.kind, 0.0))


def written(value: Value) -> float:
    """The figure as it is written, without its unit."""
    digits = re.search(r"\d[\d.,]*", value.text)
    if value.kind in ("number", "money", "percent", "cents", "sacks", "pixels") or digits is None:
        return value.amount
    try:
        return float(digits[0].replace(",", ".") if digits[0].count(",") + digits[0].count(".") < 2 else re.sub(r"[.,]", "", digits[0]))
    except ValueError:
        return value.amount


def _close(x: float, y: float, share: float) -> bool:
    return abs(x - y) <= share * max(abs(x), abs(y))


def _rounds_to(exact: float, rough: float) -> bool:
    """Whether a rough figure is the exact one rounded to the rough one's own digits, or within two percent of it."""
    if _close(exact, rough, 0.02):
        return True
    digits = f"{abs(rough):.6g}".replace(".", "").strip("0") or "0"
    return rough != 0 and float(f"{exact:.{max(0, len(digits) - 1)}e}") == float(f"{rough:.{max(0, len(digits) - 1)}e}") and _close(exact, rough, 0.1)
