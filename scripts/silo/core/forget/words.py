"""The words that go: whether a text holds one of them, whatever its case, accents, spaces or closing stop."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from silo.formats import comment
from silo.text.fold import fold

PART = 10  # a statement of fewer characters, or of one word, is only known as a whole: "Tea." is no part of "Tea at five."
_EDGES = " \t.!?…;:,-*+>#|"
_COMMENT = re.compile(r"<!--.*?-->", re.S)


def plain(text: str) -> str:
    """A text as it is compared: folded, without marks that hide, without what opens a list's item or closes a sentence."""
    return fold(comment.show(_COMMENT.sub(" ", text))).strip(_EDGES)


@dataclass(slots=True)
class Words:
    """`parts` count wherever they stand as words, `wholes` only as a whole statement. All of them `plain`."""

    parts: set[str] = field(default_factory=set)
    wholes: set[str] = field(default_factory=set)

    def add(self, texts: Iterable[str], *, named: bool = False) -> None:
        """Statements that go; with `named` a person typed the words, and they count however short they are."""
        for text in texts:
            bare = plain(text)
            if not bare:
                continue
            if named or (len(bare) >= PART and " " in bare):
                self.parts.add(bare)
            else:
                self.wholes.add(bare)

    def __len__(self) -> int:
        return len(self.parts) + len(self.wholes)

    def held(self, text: str) -> bool:
        """Whether the text holds one of the words, or is one."""
        if not text or not (self.parts or self.wholes):
            return False
        bare = plain(text)
        return bare in self.wholes or any(_stands(part, bare) for part in self.parts if part in bare)


def _stands(part: str, text: str) -> bool:
    """Whether it stands there between word boundaries: "rui" is no part of "ruin"."""
    at = text.find(part)
    while at >= 0:
        end = at + len(part)
        before = at == 0 or not (text[at - 1].isalnum() and part[0].isalnum())
        after = end == len(text) or not (text[end].isalnum() and part[-1].isalnum())
        if before and after:
            return True
        at = text.find(part, at + 1)
    return False
