"""Figures in prose: '1,150', '2.000' by language, '62k', '4,5 mil', 'dois mil e trezentos', 'half a million'.

Finds where a number stands and what it is worth. Units, dates and times of day are read elsewhere; a bare 'one', 'um' or
'uma' is an article more often than a number and is left alone where nothing countable follows.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from silo.text.fractions import find_parts
from silo.text.vocabulary import WORD, Vocabulary

# 1,150 · 2.000.000 · 1 500 (no-break space) · 4,5 · 0.25; not inside a word, a version or a longer identifier.
_NUMERAL = re.compile(r"(?<![\w.,/-])[-−+]?(\d{1,3}(?:[.,'\u00a0\u202f ]\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)?)(?!\d|\.\d)")
# The end of a range, which a dash alone parts from its start: 8-10, 2,5-3; no date, phone number or code.
_RANGED = re.compile(r"(?<![\w.,/-])\d{1,6}(?:[.,]\d+)?\s?-\s?(\d{1,6}(?:[.,]\d+)?)(?![\w.]*\d|-|/)")
_GLUE = re.compile(r"[\s-]+\Z|\s+(?:and|e)\s+\Z|\s*-\s*\Z")
_HALF = re.compile(r"\s+(?:and a half|e meio|e meia)\b")
_WHOLE = re.compile(r"\b(?:an?|one|um|uma) (?:full |whole |inteir[oa] )(?=(?:hour|hora|day|dia|week|semana|month|mes|year|ano)\b)|\b(?:an?|uma?) (?=(?:hour|hora|day|dia|week|semana|month|mes|year|ano|litre|liter|litro|kilo|quilo|metre|meter|metro|mile|ton) (?:and a half|e mei[oa])\b)")
_HALVES = re.compile(r"\b(half an?|half|meia|meio)(?=\s+(?:hour|hora|million|milhao|day|dia|dozen|duzia|litre|liter|litro|kilo|quilo|metre|meter|metro|mile|pound|ton|tonelada|year|ano|week|semana|month|mes|cup|gallon|milha|arroba|hectare|acre|alqueire|kilometre|kilometer|quilometro|pint|tablet|pill|cup|glass|comprimido|pastilha|copo|chavena|colher)\b)")


@dataclass(frozen=True, slots=True)
class Figure:
    """`text[start:end]` is worth `value`; `exact` is false for word forms like 'a couple'."""

    start: int
    end: int
    value: float
    spelled: bool = False


def find_figures(low: str, vocabulary: Vocabulary) -> list[Figure]:
    """Every figure of a flat text (`flat.flat`), numerals and number words, in order."""
    found = [_scaled(low, m.start(1), m.end(1), read_numeral(m[1], vocabulary.decimal), vocabulary) for m in _NUMERAL.finditer(low)]
    starts = {f.start for f in found}
    tails = [m for m in _RANGED.finditer(low) if m.start(1) not in starts]
    found += [_scaled(low, m.start(1), m.end(1), read_numeral(m[1], vocabulary.decimal), vocabulary) for m in tails]
    found += [Figure(p.start, p.end, p.share, spelled=True) for p in find_parts(low, vocabulary) if p.of_unit]
    taken = [(f.start, f.end) for f in found]
    for figure in _spelled(low, vocabulary):
        if not any(figure.start < end and start < figure.end for start, end in taken):
            found.append(_scaled(low, figure.start, figure.end, figure.value, vocabulary) if figure.value == 0.5 else figure)
    return sorted(found, key=lambda f: f.start)


def read_numeral(text: str, decimal: str) -> float:
    """The worth of a numeral: with both marks the last is the decimal one; a lone mark before exactly three digits
    groups thousands unless it is the language's decimal mark."""
    bare = re.sub(r"['\u00a0\u202f ]", "", text)
    marks = [c for c in bare if c in ".,"]
    if not marks:
        return float(bare)
    last = marks[-1]
    if len(set(marks)) == 2:
        other = "," if last == "." else "."
        return float(bare.replace(other, "").replace(last, "."))
    grouped = len(marks) > 1 or (len(bare.rpartition(last)[2]) == 3 and last != decimal and not bare.startswith("0"))
    return float(bare.replace(last, "")) if grouped else float(bare.replace(last, "."))


def _scaled(low: str, start: int, end: int, value: float, vocabulary: Vocabulary) -> Figure:
    """With the multiplier after it: 62k, 1.5 million, 85 mil; and a half: 2 and a half."""
    word = re.compile(r"\s*([^\W\d_]+)").match(low, end)
    if word and word[1] in vocabulary.scales and not (word[1] == "k" and word.end() - end > 2):
        value, end = value * vocabulary.scales[word[1]], word.end()
        return _scaled(low, start, end, value, vocabulary)
    if half := _HALF.match(low, end):
        return Figure(start, half.end(), value + 0.5)
    return Figure(start, end, value)


def _spelled(low: str, vocabulary: Vocabulary) -> list[Figure]:
    """Runs of number words."""
    words = [(m[0], m.start(), m.end()) for m in WORD.finditer(low)]
    found: list[Figure] = [Figure(m.start(), m.start() + len(m[1]), 0.5, spelled=True) for m in _HALVES.finditer(low)]
    found += [Figure(m.start(), m.end() - 1, 1.0, spelled=True) for m in _WHOLE.finditer(low)]
    i = 0
    while i < len(words):
        j = i
        while j < len(words) and _counts(words[j][0], vocabulary) and (j == i or _GLUE.search(low[words[j - 1][2] : words[j][1]])):
            j += 1
            if j + 1 < len(words) and words[j][0] in ("and", "e") and _counts(words[j + 1][0], vocabulary):
                j += 1  # two hundred and fifty, dois mil e trezentos; the linking word is passed over
        run = [w for w in words[i:j] if _counts(w[0], vocabulary)]
        if not run:
            i += 1
            continue
        while (value := _worth([w[0] for w in run], vocabulary)) is None and len(run) > 1:
            run.pop()  # "two and three hours": two figures
            j = words.index(run[-1]) + 1
        lone = len(run) == 1 and (run[0][0] in ("one", "um", "uma") or (run[0][0] in vocabulary.scales and run[0][0] != "mil"))
        if value is not None and not (lone and not _half_of(low, run[0])):
            end = run[-1][2]
            if half := _HALF.match(low, end):
                value, end = value + 0.5, half.end()
            found.append(Figure(run[0][1], end, value, spelled=True))
        i = max(j, i + 1)
    return found


def _half_of(low: str, word: tuple[str, int, int]) -> bool:
    """Whether a lone 'one', 'um' counts: one hour, uma hora e meia, a dozen."""
    after = low[word[2] : word[2] + 24]
    return re.match(r"[\s-]+(?:hours?|horas?|minut|dias?\b|days?\b|weeks?|semanas?|months?|mes\b|years?|ano\b|metros?|metres?|meters?|litros?|litres?|and a half|e mei)", after) is not None


def _counts(word: str, vocabulary: Vocabulary) -> bool:
    return word in vocabulary.numbers or (word in vocabulary.scales and len(word) > 2)


def _worth(words: list[str], vocabulary: Vocabulary) -> float | None:
    """'two hundred fifty thousand' → 250000. None for a run that is no number: 'two three'."""
    total = current = 0.0
    last = float("inf")
    for word in words:
        if word in vocabulary.numbers:
            value = vocabulary.numbers[word]
            if value >= last:
                return None
            current, last = current + value, value if value < 10 else (10 if value < 100 else 100)
        elif (scale := vocabulary.scales[word]) == 100:
            current, last = max(current, 1) * 100, 100
        else:
            total, current, last = total + max(current, 1) * scale, 0.0, float("inf")
    return total + current
