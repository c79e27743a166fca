"""Finds words and phrases of labelled lists in a text, in one pass over its words.

An entry is a word or a phrase (`waiting on`), compared folded; `word*` stands for every word that starts so. Entries
in a script without spaces (Chinese, Japanese, Korean) are found anywhere in the text. Knows no grammar and no weights.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from silo.text.fold import fold

_WORD = re.compile(r"[^\W_]+")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")


def split_words(text: str) -> list[str]:
    """The folded words of a text, split at everything that is no letter or digit: `Don't` → don, t."""
    return _WORD.findall(fold(text))


@dataclass(frozen=True, slots=True)
class Found:
    """One entry met in a text: its label, the entry as listed, the index of its first word (-1: unspaced script)."""

    label: str
    entry: str
    at: int
    length: int  # in words; characters for an unspaced script


class Lexicon:
    """Lists of entries, each under a label, ready to be looked up."""

    def __init__(self, lists: Mapping[str, Iterable[str]]) -> None:
        self._by_first: dict[str, list[tuple[tuple[str, ...], str, str]]] = {}
        self._stems: dict[str, list[tuple[str, str]]] = {}
        self._unspaced: list[tuple[str, str, str]] = []
        seen: set[tuple[str, str]] = set()
        for label, entries in lists.items():
            for entry in entries:
                if (label, entry) not in seen:
                    seen.add((label, entry))
                    self._add(label, entry)
        self._stem_lengths = sorted({len(stem) for stem in self._stems})
        self._shortest = self._stem_lengths[0] if self._stem_lengths else 0
        self._stem_heads = frozenset(
            stem[: self._shortest] for stem in self._stems
        )  # most words end the search here

    def _add(self, label: str, entry: str) -> None:
        words = tuple(split_words(entry))
        if not words:
            return
        if _UNSPACED.search(entry):
            self._unspaced.append((fold(entry), label, entry))
        elif entry.endswith("*") and len(words) == 1:
            self._stems.setdefault(words[0], []).append((label, entry))
        else:
            self._by_first.setdefault(words[0], []).append((words, label, entry))

    def find(self, text: str, words: list[str] | None = None) -> list[Found]:
        """Every entry that the text holds, in the order of its words. `words` are those of `split_words`, if at hand."""
        if words is None:
            words = split_words(text)
        found: list[Found] = []
        for at, word in enumerate(words):
            for phrase, label, entry in self._by_first.get(word, ()):
                if self._matches(words, at, phrase, entry):
                    found.append(Found(label, entry, at, len(phrase)))
            if word[: self._shortest] not in self._stem_heads:
                continue
            for length in self._stem_lengths:
                if length > len(word):
                    break
                for label, entry in self._stems.get(word[:length], ()):
                    found.append(Found(label, entry, at, 1))
        if self._unspaced and _UNSPACED.search(text):
            folded = fold(text)
            found += [
                Found(label, entry, -1, len(part)) for part, label, entry in self._unspaced if part in folded
            ]
        return found

    @staticmethod
    def _matches(words: list[str], at: int, phrase: tuple[str, ...], entry: str) -> bool:
        end = at + len(phrase)
        if not entry.endswith("*"):
            return tuple(words[at:end]) == phrase
        return (
            tuple(words[at : end - 1]) == phrase[:-1]
            and end <= len(words)
            and words[end - 1].startswith(phrase[-1])
        )
