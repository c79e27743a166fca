"""Folding: one form for comparing words, whatever their case, accents or width."""

from __future__ import annotations

import re
import unicodedata

_SPACE = re.compile(r"\s+")
# Only the Latin/Greek/Cyrillic combining marks go: Japanese voicing marks and Indic vowel signs change the word.
_MARKS = re.compile("[\u0300-\u036f]")


def fold(text: str) -> str:
    """Casefolded, compatibility-normalised, Latin accents off, white space collapsed: 'São  PAULO' → 'sao paulo'."""
    if text.isascii():
        return _SPACE.sub(" ", text.lower()).strip()
    bare = _MARKS.sub("", unicodedata.normalize("NFKD", text.casefold()))
    return _SPACE.sub(" ", unicodedata.normalize("NFC", bare)).strip()
