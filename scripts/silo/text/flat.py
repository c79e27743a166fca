"""Flattening: lower case and accents off, character for character, so that offsets stay those of the original text.

`fold` compares whole texts and may change their length; patterns that must point back into a text use this instead.
"""

from __future__ import annotations

import re
import unicodedata


class _Table(dict[int, int]):
    """Code point → code point, filled as characters are met."""

    def __missing__(self, point: int) -> int:
        lower = chr(point).lower()
        bare = unicodedata.normalize("NFD", lower)[:1] if lower else ""
        # A letter keeps its base letter; typographic quotes and dashes become the typed ones; the rest stays.
        value = ord(_TYPED.get(chr(point), bare or chr(point)))
        self[point] = value
        return value


_TYPED = {
    "\u2019": "'",
    "\u2018": "'",
    "\u201c": '"',
    "\u201d": '"',
    "\u2013": "-",
    "\u2014": "-",
    "\u2212": "-",
    "\xa0": " ",
    "\u202f": " ",
    "\t": " ",
}
_TABLE = _Table()


def flat(text: str) -> str:
    """Lower case, accents off, typed quotes and dashes; `len(flat(t)) == len(t)` always: 'Até o 1º' → 'ate o 1º'."""
    return text.lower() if text.isascii() and "\t" not in text else text.translate(_TABLE)


# Flattened, these would read as other words: "é" (is) as "e" (and), "está" (is) as "esta" (this).
_KEPT = re.compile(r"\b(?:é|está|dá|É|Está|Dá|ESTÁ)\b")


def flat_words(text: str) -> str:
    """`flat`, but the few words keep their accent that would otherwise become another word: 'É e Está' → 'é e está'."""
    low = flat(text)
    if text.isascii():
        return low
    for match in _KEPT.finditer(text):
        low = low[: match.start()] + match[0].lower() + low[match.end() :]
    return low
