"""The index of a workspace: the look-ups that recall ranks, over what is stored and what is not yet.

`refresh` (keeping.py) reads what changed within a time budget; what it could not read in time is scanned when a question is
asked, so an answer is never older than the files. Where index.db can't be written, or SQLite has no FTS5, the same look-ups
run in memory and `notes` says so. Does not rank.
"""

from __future__ import annotations

import heapq
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from silo.edge.index.keeping import Kept
from silo.edge.index.opening import as_it_is, in_memory, on_disk
from silo.found import Passage, Scope

_UNIT = 1 << 16  # weights are summed as whole numbers, so that their order never matters
_MOST_TERMS = 400  # of a question: SQLite joins 500 look-ups at most
_LIGHT = 20  # terms of less than this part of the heaviest one are looked up only where the others find too little


class Index(Kept):
    """Open with `Index.open`; close when done."""

    @classmethod
    def open(cls, root: Path) -> Index:
        """The index of the workspace `root`; index.db is made if missing, and made anew if it is damaged."""
        path = root / ".silo" / "index.db"
        try:
            return cls(root, on_disk(path), ())
        except sqlite3.OperationalError as error:
            if "fts5" in str(error):
                return cls(root, None, ("this Python's SQLite has no FTS5: searching in memory, slower",))
            if (store := as_it_is(path)) is not None:
                return cls(
                    root, store, ("index.db can't be written: what changed since is searched directly",)
                )
        except OSError:
            pass
        except sqlite3.DatabaseError:
            for ending in ("", "-wal", "-shm", "-journal"):
                path.with_name(path.name + ending).unlink(missing_ok=True)
            return cls(root, on_disk(path), ("index.db was damaged and is built anew",))
        return cls(root, in_memory(), ("index.db can't be written: searching in memory",))

    @classmethod
    def of(cls, root: Path, found: Mapping[str, Sequence[Passage]]) -> Index:
        """An index in memory over these passages (path → its passages in order) and nothing else; not to be refreshed."""
        made = cls(root, None, ())
        for path, some in found.items():
            made._side.put(path, some)
        return made

    def totals(self) -> tuple[int, float]:
        """(number of passages, mean number of terms)."""
        count, mean = self._store.totals() if self._store is not None else (0, 1.0)
        more, mean_more = self._side.totals()
        every = count + more
        return every, (count * mean + more * mean_more) / every if every else 1.0

    def frequencies(self, terms: Iterable[str]) -> dict[str, int]:
        """In how many passages each term stands; what stands nowhere is left out."""
        terms = tuple(terms)
        found = self._store.frequencies(terms) if self._store is not None else {}
        for term, count in self._side.frequencies(terms).items():
            found[term] = found.get(term, 0) + count
        return found

    def beginning(self, prefix: str, most: int = 40) -> dict[str, int]:
        """Terms that begin with `prefix`, and in how many passages each stands."""
        found = self._store.beginning(prefix, most) if self._store is not None else {}
        return found | self._side.beginning(prefix, most)

    def find(self, weights: Mapping[str, float], scope: Scope, most: int) -> dict[int, Passage]:
        """The passages with the largest sums of weights of the terms that they hold, newest first among equals; of very many
        terms the heaviest count.

        Numbers are the same in every build of the index; neighbours in a file are one apart.
        """
        best = heapq.nsmallest(_MOST_TERMS, weights, key=lambda term: (-weights[term], term))
        whole = {term: max(1, round(weights[term] * _UNIT)) for term in best}
        least = max(whole.values(), default=0) // _LIGHT
        heavy = {term: weight for term, weight in whole.items() if weight >= least}
        light = sum(whole.values()) - sum(heavy.values())
        found = self._heaviest(heavy, scope, most)
        if light and (len(found) < most or found[-1][1] < light):
            found = self._heaviest(whole, scope, most)
        return {row: p for row, _, p in found}

    def _heaviest(self, weights: Mapping[str, int], scope: Scope, most: int) -> list[tuple[int, int, Passage]]:
        """(number, sum, passage) of the first `most` that the scope lets through."""
        pairs: Iterable[tuple[int, int]] = self._store.heaviest(weights) if self._store is not None else ()
        if len(self._side):
            pairs = heapq.merge(pairs, self._side.heaviest(weights), key=lambda pair: (-pair[1], -pair[0]))
        pairs = iter(pairs)
        found: list[tuple[int, int, Passage]] = []
        while len(found) < most and (some := dict(islice(pairs, most))):
            loaded = self._load(some, scope)
            found += [(row, weight, loaded[row]) for row, weight in some.items() if row in loaded]
        return found[:most]

    def around(self, rows: Iterable[int], scope: Scope, reach: int = 1) -> dict[int, Passage]:
        """The passages up to `reach` places before and after these in the same file."""
        given = set(rows)
        steps = [step for step in range(-reach, reach + 1) if step]
        return self._load({row + step for row in given for step in steps} - given, scope)

    def holding(
        self, folded: str, whole: Iterable[str], scope: Scope, most: int, start: str = ""
    ) -> dict[int, Passage]:
        """Passages whose folded text holds `folded` letter for letter, newest first.

        `whole` are terms that any such passage must hold, `start` is what one of its terms must begin with; without either
        every passage is looked at.
        """
        whole = tuple(whole)[:_MOST_TERMS]
        found = self._store.holding(folded, scope, most, whole, start) if self._store is not None else {}
        return found | self._side.holding(folded, scope, most, whole, start)

    def bullets(self, ids: Iterable[str], scope: Scope) -> dict[str, dict[int, Passage]]:
        """For each id of a fact or event the curated bullets that are it or rest on it."""
        ids = tuple(ids)
        found = self._store.bullets(ids, scope) if self._store is not None else {}
        for ident, more in self._side.bullets(ids, scope).items():
            found[ident] = found.get(ident, {}) | more
        return found

    def between(self, first: str, last: str, scope: Scope, most: int = 200) -> dict[int, Passage]:
        """Events from the day `first` to the day `last`, newest first, at most `most`."""
        found = self._store.between(first, last, scope, most) if self._store is not None else {}
        found |= self._side.between(first, last, scope, most)
        return {row: found[row] for row in sorted(found, reverse=True)[:most]}

    def topics(self, scope: Scope) -> dict[int, Passage]:
        """Every topic as a whole."""
        found = self._store.topics(scope) if self._store is not None else {}
        return found | self._side.topics(scope)

    def newer(self, days: Mapping[str, str], scope: Scope) -> bool:
        """Whether any of these topics (slug → day) has an event on or after that day."""
        return (self._store is not None and self._store.newer(days, scope)) or self._side.newer(days, scope)

    def texts(self, scope: Scope) -> Iterator[tuple[int, str]]:
        """Number and text of every passage that the scope lets through."""
        if self._store is not None:
            yield from self._store.texts(scope)
        yield from self._side.texts(scope)

    def passages(self, rows: Iterable[int], scope: Scope) -> dict[int, Passage]:
        """The passages of these numbers that the scope lets through."""
        return self._load(rows, scope)

    def _load(self, rows: Iterable[int], scope: Scope) -> dict[int, Passage]:
        rows = tuple(rows)
        found = self._store.load(rows, scope) if self._store is not None else {}
        return found | self._side.load(rows, scope)
