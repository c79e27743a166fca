"""Frequent given names, and the everyday words that a capital does not make a name, as one frozen value. Opens no file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from silo.text.fold import fold
from silo.text.stopwords import STOP

_CYRILLIC = re.compile("[А-яЁё]")
# What the nominative ends in → what its other cases end in, folded.
_DECLINED = {
    "а": ("ы", "и", "е", "у", "ои"),
    "я": ("и", "е", "ю", "еи"),
    "и": ("я", "ю", "е", "ем"),
    "ь": ("я", "ю", "е", "ем"),
}
_HUSHING = "гкхжшчщ"
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
            stem, ending = low[:-cut], low[-cut:]
            for name_end, cases in _DECLINED.items():
                soft = ending == "и" and name_end == "а" and stem[-1:] not in _HUSHING
                if len(stem) >= 2 and ending in cases and not soft and stem + name_end in listed:
                    return listed[stem + name_end]
        return listed.get(low[:-1], "") if low[-1:] in "ауе" else listed.get(low[:-2], "") if low.endswith("ом") else ""
