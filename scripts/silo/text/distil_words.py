"""The words by which a conversation is distilled and a note is checked (lang/distil.toml), as one frozen value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from silo.text.fold import fold
from silo.text.lexicon import Lexicon

COMPLETE = ("nouns", "uses", "actions", "decisions", "next_steps")


@dataclass(frozen=True, slots=True)
class DistilWords:
    """Lexicons labelled by emotion and outcome; words beside a person's name; what a note says that calls for more."""

    emotion: Lexicon
    outcome: Lexicon
    proposal: Lexicon  # labels: proposes, agrees
    before_person: frozenset[str]
    after_person: frozenset[str]
    complete: Lexicon  # labels: those of COMPLETE

    @classmethod
    def of(cls, table: Mapping[str, Mapping[str, Sequence[str]]]) -> DistilWords:
        """From the parsed file."""
        return cls(
            Lexicon(table["emotion"]),
            Lexicon(table["outcome"]),
            Lexicon(table["proposal"]),
            frozenset(fold(word) for word in table["person"]["before"]),
            frozenset(fold(word) for word in table["person"]["after"]),
            Lexicon({label: table["complete"][label] for label in COMPLETE}),
        )

    def checking(self, lists: Mapping[str, Sequence[str]], table: Mapping[str, Mapping[str, Sequence[str]]]) -> DistilWords:
        """With a person's own lists in place of those of the file."""
        return replace(self, complete=Lexicon({label: lists.get(label, table["complete"][label]) for label in COMPLETE}))
