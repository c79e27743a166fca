"""What recall needs of an index, whoever keeps it. Rows are numbers that are the same in every build of the index."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from silo.found import Passage, Scope


class View(Protocol):
    """Look-ups over all passages of a workspace. Whatever takes a scope returns only what the scope lets through."""

    def scan(self, words: Iterable[str]) -> None:
        """Called first, with the words of the question: files not indexed yet are looked through for them."""

    def totals(self) -> tuple[int, float]:
        """(number of passages, mean number of terms)."""

    def frequencies(self, terms: Iterable[str]) -> dict[str, int]:
        """In how many passages each term stands; what stands nowhere is left out."""

    def beginning(self, prefix: str, most: int = 40) -> dict[str, int]:
        """Terms that begin with `prefix`, and in how many passages each stands."""

    def find(self, weights: Mapping[str, float], scope: Scope, most: int) -> dict[int, Passage]:
        """The passages with the largest sums of weights of the terms that they hold, newest first among equals."""

    def around(self, rows: Iterable[int], scope: Scope, reach: int = 1) -> dict[int, Passage]:
        """The passages up to `reach` places before and after these in the same file; neighbours are one apart."""

    def holding(self, folded: str, whole: Iterable[str], scope: Scope, most: int, start: str = "") -> dict[int, Passage]:
        """Passages whose folded text holds `folded`; `whole` are terms that any such passage must hold, and one that begins
        with `start`."""

    def bullets(self, ids: Iterable[str], scope: Scope) -> dict[str, dict[int, Passage]]:
        """For each id of a fact or event the curated bullets that are it or rest on it."""

    def between(self, first: str, last: str, scope: Scope, most: int = 200) -> dict[int, Passage]:
        """Events from the day `first` to the day `last`, newest first, at most `most`."""

    def topics(self, scope: Scope) -> dict[int, Passage]:
        """Every topic as a whole; `heading` holds its other names, one a line, `seen` the day of its last curation."""

    def newer(self, days: Mapping[str, str], scope: Scope) -> bool:
        """Whether any of these topics (slug → day) has an event on or after that day."""
