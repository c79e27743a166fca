"""Names of what is kept of a thing (`Camera settings`, `Printer profile`), which are like those of work and of people.

They are neither, unless what is said of them tells of work: a state, an owner, a deadline, a repository, a date.
"""

from __future__ import annotations

import re
from datetime import date

from silo.text.dates import find_dates
from silo.text.entity_words import EntityWords
from silo.text.fold import fold
from silo.text.lexicon import split_words

_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_SOME_DAY = date(2000, 1, 1)  # whether a date is named at all is asked, not which
_PART_DONE = re.compile(r"\d ?%|\[[ xX]\]")


def is_kept(name: str, words: EntityWords) -> bool:
    """Whether a name is built like that of something kept or looked up."""
    if _UNSPACED.search(name):
        return name.endswith(words.kept_endings)
    tokens = split_words(name)
    return len(tokens) >= 2 and (tokens[-1] in words.kept or tokens[0] in words.kept_first)


def is_worked_on(text: str, words: EntityWords) -> bool:
    """Whether what is said of a thing tells of work on it."""
    return bool(words.worked_on.find(text) or _PART_DONE.search(text) or find_dates(fold(text), _SOME_DAY))
