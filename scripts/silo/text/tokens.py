"""Text to tokens: the one tokenizer of index, ranking, dedupe and routing, the same for every language.

`words` folds and splits, `tokens` stems as well, `terms` also drops stop words. Scripts written without spaces become
bigrams. Figures and identifiers stay whole; a compound yields its parts too. It knows no language and no dictionary.
"""

from __future__ import annotations

import re
from functools import lru_cache

from silo.text.fold import fold
from silo.text.lazy import Lazy
from silo.text.stem import stem
from silo.text.stopwords import STOP

__all__ = ["STOP", "terms", "tokens", "words"]

# Scripts without spaces between words (and Hangul, whose particles are glued on): indexed as pairs of characters.
_DENSE = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff"
)
_JOIN = r"(?:[-_./:@+&']|(?<=\d),(?=\d))"
_SIGNS = r"(?:\+\+|(?<=[a-z])#)?"
_ASCII = re.compile(rf"[a-z0-9]+(?:{_JOIN}+[a-z0-9]+)*{_SIGNS}")
# \w knows no vowel signs of Indic scripts; without them a word would fall to pieces.
_LETTER = rf"(?:(?![{_DENSE}_])[\w\u0300-\u036f\u0900-\u0dff])"

_SPLIT = Lazy(r"[^\w']+|_+")
_CONTRACTION = Lazy(r"^(?:.*n't|.+'(?:re|ve|ll|d|m))$")
_GROUPED = Lazy(r"^\d{1,3}(?:[.,]\d{3})+$")  # 1.250 and 1,250 are 1250
_ROUND = Lazy(r"^(\d+)[.,]0+$")  # 250,00 is 250
_DAY = Lazy(r"^(\d{4})-(\d{2})-\d{2}$")
_UNIT = Lazy(r"^(\d+(?:[.,]\d+)?)([a-z]{1,3})$")  # 26km is also 26 km

_ARABIC_MARKS = Lazy("[\u0640\u064b-\u065f\u0670]")
_LETTERS = str.maketrans(
    {"\u2019": "'", "\u2018": "'", "\u02bc": "'", "أ": "ا", "إ": "ا", "آ": "ا", "ى": "ي"}
)


@lru_cache(maxsize=1)
def _any_script() -> re.Pattern[str]:
    """Compiled when the first text needs it: its classes are large."""
    return re.compile(rf"([{_DENSE}]+)|{_LETTER}+(?:{_JOIN}+{_LETTER}+)*{_SIGNS}")


def _compound(token: str) -> list[str]:
    """A token with joiners or with letters and digits: itself, and what it may be asked for by."""
    if "'" in token:
        if token.endswith("'s"):
            return _compound(token[:-2])
        if _CONTRACTION().match(token):
            return [token]
    if _GROUPED().match(token):
        return [token, re.sub(r"[.,]", "", token)]
    if whole := _ROUND().match(token):
        return [token, whole[1]]
    if day := _DAY().match(token):
        return [token, f"{day[1]}-{day[2]}", day[1]]
    if unit := _UNIT().match(token):
        return [token, unit[1], unit[2]]
    parts = [p for p in _SPLIT().split(token.replace("'", " ")) if p]
    if len(parts) < 2:
        return [token]
    if all(p.isdigit() for p in parts) and len(parts) == 2:
        return [token]  # a decimal, a time of day, a range
    return [token, *(p for p in parts if len(p) > 1 or p.isdigit())]


def words(text: str) -> list[str]:
    """Folded, unstemmed words in reading order: 'Porta 8080 do acme-crm' → porta 8080 do acme-crm acme crm."""
    folded = fold(text)
    found: list[str] = []
    if folded.isascii():
        for token in _ASCII.findall(folded):
            if token.isalpha() or token.isdigit():
                found.append(token)
            else:
                found.extend(_compound(token))
        return found
    folded = _ARABIC_MARKS().sub("", folded.translate(_LETTERS))
    for hit in _any_script().finditer(folded):
        token, dense = hit[0], hit[1]
        if dense:
            found.extend(dense[i : i + 2] for i in range(max(1, len(dense) - 1)))
        elif token.isalpha() or token.isdigit():
            found.append(token)
        else:
            found.extend(_compound(token))
    return found


def tokens(text: str) -> list[str]:
    """Stemmed words, stop words kept: for comparing statements."""
    return [stem(word) for word in words(text)]


def terms(text: str) -> list[str]:
    """Stemmed words without stop words: for asking."""
    return [stem(word) for word in words(text) if word not in STOP]
