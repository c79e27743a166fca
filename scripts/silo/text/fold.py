"""Folding: one form for comparing words, whatever their case, accents or width."""

from __future__ import annotations

import unicodedata

from silo.text.lazy import Lazy

# Only the Latin/Greek/Cyrillic combining marks go: Japanese voicing marks and Indic vowel signs change the word.
_MARKS = Lazy("[\u0300-\u036f]")


def fold(text: str) -> str:
    """Casefolded, compatibility-normalised, Latin accents off, white space collapsed: 'São  PAULO' → 'sao paulo'."""
    if text.isascii():
        return " ".join(text.lower().split())
    bare = _MARKS().sub("", unicodedata.normalize("NFKD", text.casefold()))
    return " ".join(unicodedata.normalize("NFC", bare).split())
