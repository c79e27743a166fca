"""Whether what a model wrote stands in what was said: stricter than the check for the rules, which write no word of their own.

Every name, wherever in the sentence it stands, every address, path, option and identifier has to be in the source letter by
letter (case and accents aside), and so have most of the words.
"""

from __future__ import annotations

import re

from silo.text.fold import fold
from silo.text.stopwords import STOP
from silo.text.tokens import terms, tokens

LEAST = 0.5  # the share of a sentence's words that were said
_CAPITAL = re.compile(r"(?<![\w'’])[A-ZÀ-Ý][\w'’-]*")
_OPENS = re.compile(r"(?:^|[.!?:;…]\s+|[\"“«(]\s*)$")
# Options, identifiers, addresses, files, paths: what a command or a place is made of.
_MARK = re.compile(
    r"(?<![\w-])-{1,2}[A-Za-z][\w-]*|[^\s\"“”«»()]*(?:[_@\\/|$=<>&*~]|\w\.\w)[^\s\"“”«»()]*|\b[a-z]+[A-Z]\w*|`[^`]+`"
)
_TRIM = "`.,;:!?'\"…"


def supported(text: str, source: str, openers: frozenset[str], *, value: bool = False) -> bool:
    """Whether the text follows from the source by its words. With `value` it is a mere value: all of its words count."""
    said = fold(source)
    roots = set(tokens(source))
    for mark in _MARK.finditer(text):
        if fold(mark[0].strip(_TRIM)) not in said:
            return False
    for match in _CAPITAL.finditer(text):
        word = fold(match[0]).removesuffix("'s").removesuffix("’s")
        if word in said:
            continue
        opens = not value and _OPENS.search(text[: match.start()])
        if not opens or not (word in openers or word in STOP or roots & set(tokens(word))):
            return False
    content = terms(text)
    held = sum(term in roots for term in content)
    return held >= (1.0 if value else LEAST) * len(content)
