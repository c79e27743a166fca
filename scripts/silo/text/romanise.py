"""A name in Latin letters, for a slug: Cyrillic by a table, kana and Hangul by the names of their letters.

What has no such reading (Han) stands as its code: 民宿 → u6c11-u5bbf, which is ugly, the same every time, and the person's to change.
"""

from __future__ import annotations

import re
import unicodedata

_CYRILLIC = dict(
    zip(
        "абвгдеёжзийклмнопрстуфхцчшщъыьэюяієїґ",
        ["a", "b", "v", "g", "d", "e", "yo", "zh", "z", "i", "y", "k", "l", "m", "n", "o", "p", "r", "s", "t", "u", "f", "kh", "ts", "ch", "sh", "shch", "", "y", "", "e", "yu", "ya", "i", "ye", "yi", "g"],
        strict=True,
    )
)
_LETTER = re.compile(r"(?:HIRAGANA|KATAKANA) LETTER (SMALL )?([A-Z]+)$|HANGUL SYLLABLE ([A-Z]+)$")


def latin(text: str) -> str:
    """The text with letters of other scripts read out; what is Latin stays as it is."""
    return "".join(_read(c) for c in unicodedata.normalize("NFC", text))


def _read(letter: str) -> str:
    if letter.isascii():
        return letter
    if (plain := _CYRILLIC.get(letter.lower())) is not None:
        return plain
    if "\u3400" <= letter <= "\u9fff" or letter >= "\U00020000":
        return f" u{ord(letter):x} "
    if letter == "ー":
        return ""
    hit = _LETTER.match(unicodedata.name(letter, ""))
    return (hit[2] or hit[3]).lower() if hit else letter
