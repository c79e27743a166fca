"""Values that stand for one together: ranges ('8–10 hours', 'entre as 13h e as 14h30') and sums ('1 hour 30 minutes').

Takes what `values.py` has found and joins neighbours; what stands between two values decides. Reads no new figures.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from silo.text.value import MEASURED, Value
from silo.text.vocabulary import Unit, Vocabulary, marks_within

_DASH = re.compile(r"\s?-\s?\Z")
_UP_TO = re.compile(r"\s(?:to|till|until|through|a|as|ao|ate|ate as|ate ao)\s\Z")
_AND = re.compile(r"\s(?:and|e)\s(?:[oa]s\s|the\s)?\Z")
_BETWEEN = re.compile(r"\b(?:between|entre)\s(?:[oa]s\s|the\s)?\Z")
_SUM = re.compile(r"\s?(?:,\s|and\s|e\s)?\Z")
_HOUR_WORDS = re.compile(r"(?:from|at|das|as)\s")
_SUMMED = ("duration", "length", "mass")


def join_values(low: str, values: Sequence[Value], vocabulary: Vocabulary) -> tuple[Value, ...]:
    """The values of a flat text in order, with neighbours that make a range or a sum joined to one."""
    found: list[Value] = []
    changes = None
    for value in values:
        last = found[-1] if found else None
        if last is not None and last.high is None and not last.until and (one := _sum(low, last, value)) is not None:
            found[-1] = one
            continue
        if last is not None and last.high is None and not last.until and (link := _link(low, last, value)):
            if changes is None:
                changes = any(m.table == "cue" and m.key in ("change", "replace") for m in marks_within(low, vocabulary))
            one = None if changes and link == "to" else _range(low, last, value, vocabulary)
            if one is not None:
                found[-1] = one
                continue
        found.append(value)
    return tuple(found)


def _link(low: str, a: Value, b: Value) -> str:
    """How two neighbours are linked to a range: 'dash', 'to', 'and'; '' if they are not."""
    gap = low[a.end : b.start]
    if not gap or len(gap) > 10:
        return ""
    if _DASH.match(gap):
        return "dash"
    if _UP_TO.match(gap) or (_UP_TO.match(f"{gap}{_hour_word(b.text)}") and b.kind == "time"):
        return "to"
    between = _BETWEEN.search(low[: a.start]) or (a.kind == "time" and low[a.start :].startswith("entre"))
    return "and" if between and _AND.match(gap) else ""


def _hour_word(text: str) -> str:
    match = _HOUR_WORDS.match(text.lower())
    return match[0] if match else ""


def _range(low: str, a: Value, b: Value, vocabulary: Vocabulary) -> Value | None:
    """The range from `a` to `b`; the unit may stand with the last alone."""
    text_start, end = a.start, b.end
    if a.kind == "time" and not a.sure and a.amount % 60 == 0 and b.kind in MEASURED:
        a = replace(a, kind="number", amount=a.amount / 60)  # "at 5 to 8 °C"
    if a.kind == b.kind == "date":
        return replace(a, end=end, until=b.day, sure=a.sure and b.sure) if len(a.day) == len(b.day) == 10 and a.day < b.day else None
    if "time" in (a.kind, b.kind) and {a.kind, b.kind} <= {"time", "number"}:
        opens, closes = (v.amount if v.kind == "time" else _hour(v) for v in (a, b))
        if opens is None or closes is None or opens == closes:
            return None
        return replace(b if b.kind == "time" else a, start=text_start, end=end, amount=opens, high=closes, sure=a.sure and b.sure, of=frozenset())
    if a.kind == "money" and b.kind == "number" and not b.of:
        b = replace(a, end=b.end, amount=b.amount)  # "R$ 10 a 15"
    if b.kind not in MEASURED and not (a.kind == b.kind == "number"):
        return None
    readings = []
    for last in (replace(b, options=()), *b.options):
        same = a.kind == last.kind and (a.unit == last.unit or last.kind != "money")
        first = a.amount if same else _in_unit(a, last, vocabulary) if a.kind == "number" else None
        if first is not None and first < last.amount:
            readings.append(replace(last, start=text_start, end=end, amount=first, high=last.amount, approx=a.approx or b.approx))
    return replace(readings[0], options=tuple(readings[1:])) if readings else None


def _hour(value: Value) -> float | None:
    whole = value.amount == int(value.amount) and 0 <= value.amount <= 24 and not value.of
    return value.amount * 60 if whole else None


def _in_unit(bare: Value, measured: Value, vocabulary: Vocabulary) -> float | None:
    """A bare figure in the unit of another value: the 8 of '8–10 hours'."""
    if measured.kind in ("money", "percent"):
        return bare.amount
    units: tuple[Unit, ...] = vocabulary.units.get(measured.unit, ())
    return next(((bare.amount + u.offset) * u.factor for u in units if u.dimension == measured.kind), None)


def _sum(low: str, a: Value, b: Value) -> Value | None:
    """'1 hour 30 minutes', '2 m 40 cm': the second in a smaller unit, with at most an "and" between."""
    if a.kind != b.kind or a.kind not in _SUMMED or a.unit == b.unit or not 0 < b.amount < a.amount:
        return None
    gap = low[a.end : b.start]
    if not _SUM.fullmatch(gap) or a.per or a.options or b.options or _unit_size(a) <= b.amount:
        return None
    return replace(a, end=b.end, amount=a.amount + b.amount, per=b.per)


def _unit_size(value: Value) -> float:
    """How much one of its unit is, as far as the figure tells: 3600 for '2 hours'."""
    digits = re.match(r"[\d.,]+", value.text)
    figure = float(digits[0].replace(",", ".")) if digits and digits[0].count(".") + digits[0].count(",") < 2 else 1.0
    return value.amount / figure if digits else value.amount
