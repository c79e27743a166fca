"""Frequent given names, and the everyday words that a capital does not make a name, as one frozen value. Opens no file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from silo.text.fold import fold
from silo.text.stopwords import STOP

_CYRILLIC = re.compile("[\u0410-\u044f\u0401\u0451]")
_CASES = 2  # letters that a case may put in the place of a Cyrillic name's last one


@dataclass(frozen=True, slots=True)
class GivenNames:
    """Sets of folded words. `frequent` are names and little else, `words_too` everyday words or places as well."""

    frequent: frozenset[str] = frozenset()
    words_too: frozenset[str] = frozenset()
    cyrillic: Mapping[str, str] | None = None  # folded nominative → as it is written
    chinese: frozenset[str] = frozenset()  # family names
    korean: frozenset[str] = frozenset()
    everyday: frozenset[str] = frozenset()  # words of the lexicon

    @classmethod
    def of(cls, tables: Mapping[str, Mapping[str, list[str]]], everyday: frozenset[str]) -> GivenNames:
        """From the tables of lang/names.toml: given.frequent|words_too|cyrillic, family.chinese|korean."""
        given, family = tables["given"], tables["family"]
        return cls(
            frequent=frozenset(given["frequent"]),
            words_too=frozenset(given["words_too"]),
            cyrillic={fold(name): name for name in given["cyrillic"]},
            chinese=frozenset(family["chinese"]),
            korean=frozenset(family["korean"]),
            everyday=everyday - frozenset(given["frequent"]),
        )

    def is_common(self, word: str) -> bool:
        """Whether a folded word is one of everyday: a capital at the start of a sentence makes it no name."""
        if word in self.frequent:
            return False
        if word in STOP or word in self.everyday:
            return True
        singular = (word[:-1], word[:-2] if word.endswith("es") else "", word[:-3] + "ao" if word.endswith("oes") else "")
        return word.endswith("s") and any(one in self.everyday for one in singular)

    def nominative(self, word: str) -> str:
        """The listed name of which a Cyrillic word is a case (`Мариной` → Марина), else ""."""
        if word.isascii() or not _CYRILLIC.match(word):
            return ""
        listed = self.cyrillic or {}
        low = fold(word)
        if low in listed:
            return listed[low]
        for cut in range(1, _CASES + 1):
            stem = low[:-cut]
            if len(stem) >= 3:
                for end in ("", "а", "я", "ия", "ии", "еи"):
                    if stem + end in listed:
                        return listed[stem + end]
        return ""
