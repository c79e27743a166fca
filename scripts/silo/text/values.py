"""What a statement says in comparable form: quantities, money, dates, times of day, names, identifiers.

`find_values` reads them with their places; whether two are the same one is asked in `value.py`. Knows nothing of subjects or
of change.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date

from silo.text.clock import find_times
from silo.text.dates import DateHit, find_dates
from silo.text.figures import Figure, find_figures
from silo.text.flat import flat
from silo.text.fractions import find_parts
from silo.text.joined import join_values
from silo.text.names import find_names
from silo.text.value import Value, comparable, same_value, written
from silo.text.vocabulary import Unit, Vocabulary, marks_of, marks_within

__all__ = ["DAYLIKE", "Value", "comparable", "find_values", "same_value", "written"]

DAYLIKE = ("absolute", "yearless", "day")  # kinds of DateHit that name a day by themselves, whenever they are said


_URL = re.compile(r"\b(?:https?|ftp|ssh|file)://[^\s<>()]+[^\s<>().,;:!?'\"]|\bwww\.[^\s<>()]+[^\s<>().,;:!?]", re.IGNORECASE)
_MAIL = re.compile(r"\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b")
_PATH = re.compile(r"(?<![\w/])(?:~|\.{1,2})?/[\w.-]+(?:/[\w.-]*)*[\w-]|\b[A-Za-z]\w*(?:/[\w.-]+){2,}")
_PHONE = re.compile(r"(?<![\w+])(?:\+\d[\d\s().-]{6,}\d|\(?\d{2,4}\)?[\s-]\d{3,5}[\s-]\d{3,4}|\(?0\d{2,4}\)?[\s-]\d{5,8})(?!\w|[.,]\d)")
_CODE = re.compile(
    r"\b(?=[\w.-]*\d)(?=[\w.-]*[A-Za-z])[A-Za-z0-9]+(?:[._-][A-Za-z0-9]+)*\b|\b\d+(?:\.\d+){2,}\b|`[^`]+`|\b[a-z]+[_.][a-z_.]*[a-z]\b|\b[a-z]+(?:-[a-z]+){2,}\b"
)
_ORDINAL = re.compile(r"\b(\d{1,3})(?:st|nd|rd|th|\.?[ºª°](?!\s?[cf]\b))(?!\w)")
_ORDERED = re.compile(r"\b([^\W\d_]+)(?=[\s-]([^\W\d_]+(?:-feira)?))")
_GLUED = re.compile(r"\d+(?:[.,]\d+)?(?:[a-zµ°º%€$£²³]{1,5})\Z", re.IGNORECASE)
_UNIT_WORD = re.compile(r"(?:\s|-(?=[a-z]))?([°º%€$£¥]\s?[a-z]?\b|[°º%€$£¥]|[^\W\d_]+[²³\d]?(?:/[a-z]+)?)")
_CURRENCY_BEFORE = re.compile(r"((?:us|r|c|a)?[$€£¥]|\b(?:usd|eur|gbp|brl|chf|jpy|cad|aud|sek|nok|dkk|pln|mxn|ars|inr|cny|btc))\s?\Z")
_PER = re.compile(r"(?:\s+[a-z]+){0,2}?\s*(?:/|\b(?:per|por|ao)\b)\s*([a-z]+)|\s*\b(?:an?|every|a cada)\s+([a-z]+)")
_YEAR = re.compile(r"(?:19|20)\d\d")
_YEAR_BEFORE = re.compile(r"\b(?:for|of|in|since|until|by|from|de|do|em|para|desde|ate)\s+\Z")
_HALF = re.compile(r"\s+(?:and a half|e meia|e meio)\b")
_PERIODS = {
    "second": "second", "segundo": "second", "s": "second", "minute": "minute", "minuto": "minute", "min": "minute", "hour": "hour", "hora": "hour", "h": "hour",
    "day": "day", "dia": "day", "week": "week", "semana": "week", "month": "month", "mes": "month", "year": "year", "ano": "year",
}  # fmt: skip


def find_values(
    text: str, today: date, vocabulary: Vocabulary, known: frozenset[str] = frozenset()
) -> tuple[Value, ...]:
    """All values of `text` in order, never overlapping. `today` is the day on which it was said; `known` are flat words
    that are names wherever they stand (see `names.find_names`)."""
    low = flat(text)
    found: list[Value] = []

    def free(start: int, end: int) -> bool:
        return not any(start < v.end and v.start < end for v in found)

    def add(values: Iterable[Value]) -> None:
        for value in values:
            if free(value.start, value.end):
                found.append(value)

    add(Value("id", m[0], m.start(), m.end(), key=frozenset({m[0].rstrip("/").lower()})) for p in (_URL, _MAIL, _PATH) for m in p.finditer(text))
    dates = [replace(h, end=h.end - 1) if text[h.end - 1] == "." else h for h in find_dates(text, today)]
    add(_days(text, dates))
    add(_rates(text, low, vocabulary))
    add(_phones(text))
    add(_clock(text, low))
    add(_ordinals(text, low, vocabulary))
    add(_shares(text, low, vocabulary))
    add(_quantities(text, low, vocabulary))
    add(_codes(text))
    taken = [(v.start, v.end) for v in found]

    def is_common(word: str) -> bool:
        return word in vocabulary.vote or bool(marks_of(word, vocabulary))

    def is_office(words: str) -> bool:
        return any(m.table == "role" or (m.table == "attribute" and m.key in ("lead", "manage")) for m in marks_within(words, vocabulary))

    for hit in find_names(text, taken, is_common, known, is_office):
        if not all(any(m.table == "scope" or m.key.startswith("channel.") for m in marks_of(word, vocabulary)) for word in hit.key):
            add([Value("name", text[hit.start : hit.end], hit.start, hit.end, key=hit.key)])
    joined = join_values(low, sorted(found, key=lambda v: v.start), vocabulary)
    return tuple(replace(v, text=text[v.start : v.end]) for v in joined)


def _days(text: str, hits: Sequence[DateHit]) -> list[Value]:
    """Dates that name a day by themselves; one with its reading in brackets behind it, "9 March (2027-03-09)", "tomorrow
    (2026-03-05)", is one value and not two."""
    found: list[Value] = []
    for before, hit in itertools.pairwise((None, *hits)):
        assert hit is not None
        start, sure = hit.start, hit.kind == "absolute"
        fits = before is not None and (before.kind not in DAYLIKE or before.value[5:] == hit.value[5:])  # it is the reading of that day
        if before is not None and fits and sure and text[before.end : hit.start] == " (" and text[hit.end : hit.end + 1] == ")":
            start, sure = before.start, before.kind not in DAYLIKE or before.kind == "absolute"
            found = [one for one in found if one.start < start]
            hit = replace(hit, end=hit.end + 1)
        elif " (" in text[hit.start : hit.end] and text[hit.end : hit.end + 1] == ")":
            hit = replace(hit, end=hit.end + 1)  # read as one already
        if hit.kind in DAYLIKE:
            found.append(Value("date", text[start : hit.end], start, hit.end, day=hit.value, sure=sure))
    return found


_EACH = re.compile(r"\bde ([\w.,]+) em ([\w.,]+) ([a-z]+)\b")  # "de 15 em 15 dias"
# "Three times a week", "two or three times a week", "duas vezes por semana", "once a fortnight", "2x por dia".
_TIMES = re.compile(
    r"\b(?:(once|twice)|(?:([\w.,]+)(?:\s+(?:or|to|ou|a)\s+|\s?[-–]\s?))?([\w.,]+?)(?:\s?x\b|\s+(?:times|vez|vezes)\b))"
    r"\s+(?:an?|per|each|every|por|ao|a cada|cada)\s+([a-z]+)\b"
)
_BELOW_ZERO = re.compile(r"(?:^|(?<=[\s(:]))((?:minus|menos)\s+|[-−])\Z")
_ONCE = {"once": 1.0, "one": 1.0, "um": 1.0, "uma": 1.0, "twice": 2.0}
_EVERY = re.compile(r"\b(?:every|each|a cada|cada)\s+(other\s+|outr[oa]\s+)?(?:([\w.,]+)\s+)?([a-z]+)\b")


def _rates(text: str, low: str, vocabulary: Vocabulary) -> list[Value]:
    """How often: weekly, every two weeks, a cada 15 dias; `amount` is the seconds between two times."""
    found = _times(text, low, vocabulary)
    for word, seconds in vocabulary.rates.items():
        found += [Value("every", m[0], m.start(), m.end(), amount=seconds) for m in re.finditer(rf"\b{re.escape(word)}\b", low)]
    for match in _EVERY.finditer(low):
        unit = next((u for form in _forms(match[3]) for u in vocabulary.units.get(form, ()) if u.dimension == "duration"), None)
        figures = find_figures(match[2], vocabulary) if match[2] else []
        if unit is not None and (figures or not match[2]):
            count = figures[0].value if figures else 2 if match[1] else 1
            found.append(Value("every", text[match.start() : match.end()], match.start(), match.end(), amount=count * unit.factor))
    for match in _EACH.finditer(low):
        unit = next((u for form in _forms(match[3]) for u in vocabulary.units.get(form, ()) if u.dimension == "duration"), None)
        one, other = (find_figures(match[n], vocabulary) for n in (1, 2))
        if unit is not None and one and other and one[0].value == other[0].value:
            found.append(Value("every", text[match.start() : match.end()], match.start(), match.end(), amount=one[0].value * unit.factor))
    return found


def _times(text: str, low: str, vocabulary: Vocabulary) -> list[Value]:
    """So many times in one period, as the seconds between two of them; "two or three times" is a range of it."""
    found = []
    for match in _TIMES.finditer(low):
        unit = next((u for form in _forms(match[4]) for u in vocabulary.units.get(form, ()) if u.dimension == "duration"), None)
        least, most = (_count(word, vocabulary) for word in (match[2], match[1] or match[3]))
        if unit is None or not most:
            continue
        start = match.start() if least or match[1] else match.start(3)
        ranged = least if least and least < most else 0.0
        found.append(Value("every", text[start : match.end()], start, match.end(), amount=unit.factor / most, high=unit.factor / ranged if ranged else None))
    return found


def _count(word: str | None, vocabulary: Vocabulary) -> float:
    """The worth of a lone count, 0 where a word is none."""
    figures = find_figures(word, vocabulary) if word else []
    return _ONCE.get(word or "", figures[0].value if len(figures) == 1 else 0.0)


def _clock(text: str, low: str) -> list[Value]:
    return [Value("time", text[h.start : h.end], h.start, h.end, amount=h.minutes, sure=not h.half) for h in find_times(low)]


def _phones(text: str) -> list[Value]:
    found = []
    for match in _PHONE.finditer(text):
        digits = re.sub(r"\D", "", match[0])
        if len(digits) >= 8:
            found.append(Value("id", match[0], match.start(), match.end(), key=frozenset({digits[-9:]})))
    return found


def _codes(text: str) -> list[Value]:
    """Identifiers: v2.1, PT4, kestrel-2, acme_crm, `quoted code`. Figures with a unit glued on (26km) are none."""
    return [
        Value("id", m[0], m.start(), m.end(), key=frozenset({m[0].strip("`").lower()}))
        for m in _CODE.finditer(text)
        if not _GLUED.match(m[0])
    ]


def _ordinals(text: str, low: str, vocabulary: Vocabulary) -> list[Value]:
    """4th, 3º: a place in an order; in words where something follows that is counted so: second floor."""
    found = [Value("ordinal", m[0], m.start(), m.end(), amount=float(m[1])) for m in _ORDINAL.finditer(low)]
    for match in _ORDERED.finditer(low):
        place = vocabulary.ordinals.get(match[1])
        if place is not None and match[2] in vocabulary.ordered:
            found.append(Value("ordinal", text[match.start(1) : match.end(1)], match.start(1), match.end(1), amount=float(place)))
    return found


def _shares(text: str, low: str, vocabulary: Vocabulary) -> list[Value]:
    """Parts of a whole as percent: 'a third of', 'metade dos'; its loose unit lets 33 % be a third."""
    parts = [p for p in find_parts(low, vocabulary) if not p.of_unit]
    return [Value("percent", text[p.start : p.end], p.start, p.end, amount=100 * p.share, unit="part") for p in parts]


def _quantities(text: str, low: str, vocabulary: Vocabulary) -> list[Value]:
    return [_quantity(text, low, figure, vocabulary) for figure in find_figures(low, vocabulary)] + _ones(text, low, vocabulary)


_ONE = re.compile(r"\ban? ([a-z]+)( and a half\b)?(?= and (?:\d|[a-z-]+ [a-z]+s\b)|(?<=half))")


def _ones(text: str, low: str, vocabulary: Vocabulary) -> list[Value]:
    """"An hour and 35 minutes", "an hour and a half": one of a unit by its article, where more of it follows."""
    found = []
    for match in _ONE.finditer(low) if vocabulary.code == "en" else ():
        unit = next((u for u in vocabulary.units.get(match[1], ()) if u.dimension in ("duration", "length", "mass", "volume")), None)
        if unit is not None:
            amount = (1.5 if match[2] else 1.0) * unit.factor
            found.append(Value(unit.dimension, text[match.start() : match.end()], match.start(), match.end(), amount=amount, unit=match[1]))
    return found


def _quantity(text: str, low: str, figure: Figure, vocabulary: Vocabulary) -> Value:
    """The figure with its unit or currency, its period, and whether it is said to be rough."""
    start, end, unit = figure.start, figure.end, ""
    units: tuple[Unit, ...]
    if sign := _CURRENCY_BEFORE.search(low, max(0, start - 5), start):
        start, unit = sign.start(1), sign[1].strip()
        units = vocabulary.units.get(unit, ())
    else:
        units, end, unit = _unit_after(low, end, vocabulary)
        if units and (half := _HALF.match(low, end)):  # uma hora e meia
            figure, end = replace(figure, value=figure.value + 0.5), half.end()
    if not units and _YEAR.fullmatch(low[start:end]) and _YEAR_BEFORE.search(low[:start]):
        value = Value("date", text[start:end], start, end, day=text[start:end])
    elif not units:
        value = Value("number", text[start:end], start, end, amount=figure.value)
    else:
        if units[0].dimension == "temperature" and (below := _BELOW_ZERO.search(low, max(0, start - 7), start)):
            start, figure = below.start(1), replace(figure, value=-figure.value)
        readings = [_reading(text, start, end, figure, option, unit) for option in units]
        value = replace(readings[0], options=tuple(readings[1:]))
    if (period := _PER.match(low, end)) and (per := _PERIODS.get((period[1] or period[2]).removesuffix("s"))):
        value = replace(value, per=per)
    return replace(value, approx=_rough(low, start, vocabulary))


def _reading(text: str, start: int, end: int, figure: Figure, unit: Unit, word: str) -> Value:
    if unit.dimension == "money":
        return Value("money", text[start:end], start, end, amount=figure.value, unit=unit.name)
    return Value(unit.dimension, text[start:end], start, end, amount=(figure.value + unit.offset) * unit.factor, unit=word)


def _unit_after(low: str, end: int, vocabulary: Vocabulary) -> tuple[tuple[Unit, ...], int, str]:
    """The unit that stands after a figure: the longest of up to three words that is one, in singular or plural."""
    words: list[tuple[str, int]] = []
    at = end
    while len(words) < 3 and (match := _UNIT_WORD.match(low, at)):
        words.append((match[1].replace(" ", "").replace("²", "2").replace("³", "3"), match.end()))
        at = match.end()
        if words[0][0] in ("de", "of") and len(words) == 1:
            words.clear()  # "1.5 million of euros", "85 mil de reais"
    for size in range(len(words), 0, -1):
        phrase = " ".join(word for word, _ in words[:size])
        for form in _forms(phrase):
            if form in vocabulary.units and (form == phrase or phrase not in vocabulary.vote):
                return vocabulary.units[form], words[size - 1][1], form
    return (), end, ""


def _forms(phrase: str) -> list[str]:
    """A unit phrase and its likely singulars."""
    forms = [phrase]
    singular = " ".join(w.removesuffix("s") if len(w) > 3 else w for w in phrase.split())
    forms += [singular, phrase.removesuffix("es"), phrase.removesuffix("s")]
    return list(dict.fromkeys(f.strip() for f in forms if f.strip()))


def _rough(low: str, start: int, vocabulary: Vocabulary) -> bool:
    """Whether 'about', 'cerca de', '~' stands right before the figure."""
    before = low[max(0, start - 28) : start].rstrip()
    if before.endswith(("~", "≈", "c.", "ca.")):
        return True
    tail = tuple(re.findall(r"[^\W\d_]+", before)[-4:])
    return any(tail[-len(words) :] == words for words in vocabulary.approx)
