"""Parts of a whole in words: 'a third of', 'three quarters', 'half of the', 'um terço', 'dois quintos', 'metade dos'.

A part is read where its wording leaves no doubt: 'a third of', not 'the third'; 'um quarto da receita', not 'um quarto' (a
room). Knows nothing of what the whole is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from silo.text.vocabulary import Vocabulary

_SINGLE = frozenset(["a", "an", "one", "um", "uma"])
_WORD = re.compile(r"\b[^\W\d_]+\b")
_BEFORE = re.compile(r"\b([^\W\d_]+|\d{1,2})[\s-]\Z")
_OF = re.compile(r"\s+(?:of|off|d[oa]s?)\b")
_OF_ALL = re.compile(r"\s+(?:of\b|the\b|our\b|my\b|its\b|his\b|her\b|their\b|all\b|d[aeo]s?\b)")
_OF_UNIT = re.compile(r"\s+(?:of an?|de)\s+(?=(?:hour|mile|pound|litre|liter|kilo|gram|metre|meter|mile|ton|day|year|million|hora|milha|litro|quilo|grama|metro|tonelada)\b)")
_ENDS = re.compile(r"\s*(?:[.,;!?)]|$)")


_IN_EVERY = re.compile(r"\b([^\W\d_]+|\d{1,3}) (?:out of|in every|in each|em cada|de cada|(?<=\bone )in(?= [a-z]+ [a-z]+s\b)) (?:every )?([^\W\d_]+|\d{1,3})\b")


@dataclass(frozen=True, slots=True)
class Part:
    """`text[start:end]` is `share` of a whole (0 to 1); `of_unit`: of the unit that follows, 'a quarter of an hour'."""

    start: int
    end: int
    share: float
    of_unit: bool


def find_parts(low: str, vocabulary: Vocabulary) -> list[Part]:
    """Every part of a flat text (`flat.flat`), in order."""
    found: list[Part] = []
    for match in _IN_EVERY.finditer(low):
        some, all_ = (float(w) if w.isdigit() else vocabulary.numbers.get(w, 0.0) for w in (match[1], match[2]))
        if 0 < some < all_:
            found.append(Part(match.start(), match.end(), some / all_, of_unit=False))
    for match in _WORD.finditer(low):
        whole = vocabulary.fractions.get(match[0])
        if whole and (part := _part(low, match.start(), match.end(), whole, vocabulary)) is not None:
            found.append(part)
    return found


def _part(low: str, start: int, end: int, whole: int, vocabulary: Vocabulary) -> Part | None:
    before = _BEFORE.search(low, max(0, start - 14), start)
    count = 0.0
    if before and (before[1] in _SINGLE or before[1] in vocabulary.numbers or before[1].isdigit()):
        count = 1.0 if before[1] in _SINGLE else float(before[1]) if before[1].isdigit() else vocabulary.numbers[before[1]]
    if whole == 2:
        return Part(before.start(1) if before and count == 1 else start, end, 0.5, of_unit=False) if count <= 1 and _OF_ALL.match(low, end) else None
    if before is None or not 0 < count < whole:
        return None
    if unit := _OF_UNIT.match(low, end):
        return Part(before.start(1), unit.end(), count / whole, of_unit=True)
    spoken_of = _OF.match(low, end) is not None
    room = vocabulary.ordinals.get(low[start:end].removesuffix("s")) is not None and vocabulary.decimal == ","  # um quarto, três quartos
    plain = not room and (count > 1 or (before[1] == "one" and _ENDS.match(low, end) is not None))
    return Part(before.start(1), end, count / whole, of_unit=False) if spoken_of or plain else None
