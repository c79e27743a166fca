"""The same look-ups as `store.Store` over passages in memory: where SQLite has no FTS5, and for files not indexed yet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from silo.edge.index.audience import Hidden, TopicRow, hidden, says
from silo.edge.index.schema import PLACES, file_number
from silo.found import Kind, Passage, Scope
from silo.text.fold import fold


class Bare:
    """Passages of whole files, their words and postings as plain dictionaries."""

    def __init__(self) -> None:
        self._passages: dict[int, Passage] = {}
        self._postings: dict[str, list[int]] = {}
        self._words = 0
        self._files: set[int] = set()
        self.hides: Callable[[Scope], Hidden] = lambda scope: hidden(self.topic_rows(), scope)

    def __len__(self) -> int:
        return len(self._passages)

    @property
    def files(self) -> int:
        return len(self._files)

    def put(self, path: str, passages: Sequence[Passage]) -> None:
        """Add the passages of a file that is not in yet."""
        number = file_number(path)
        while number in self._files:
            number += 1
        self._files.add(number)
        for p in passages:
            row = (number << PLACES) | p.place
            self._passages[row] = p
            self._words += p.terms.count(" ") + 1
            for term in {*p.terms.split(), *p.labels.split()}:
                self._postings.setdefault(term, []).append(row)

    def topic_rows(self) -> list[TopicRow]:
        return [
            TopicRow(p.slug, p.heading, p.agents, p.private, p.archived) for p in self._passages.values() if p.kind is Kind.TOPIC
        ]

    def totals(self) -> tuple[int, float]:
        return len(self._passages), self._words / len(self._passages) if self._passages else 1.0

    def frequencies(self, terms: Iterable[str]) -> dict[str, int]:
        return {term: len(self._postings[term]) for term in terms if term in self._postings}

    def beginning(self, prefix: str, most: int) -> dict[str, int]:
        near = sorted(term for term in self._postings if term.startswith(prefix))[:most]
        return self.frequencies(near)

    def load(self, rows: Iterable[int], scope: Scope) -> dict[int, Passage]:
        found = ((row, self._passages.get(row)) for row in sorted(set(rows)))
        return {row: p for row, p in found if p is not None and self._sees(p, scope)}

    def texts(self, scope: Scope) -> Iterator[tuple[int, str]]:
        return ((row, p.text) for row, p in self._passages.items() if self._sees(p, scope))

    def heaviest(self, weights: Mapping[str, int]) -> list[tuple[int, int]]:
        sums: dict[int, int] = {}
        for term, weight in weights.items():
            for row in self._postings.get(term, ()):
                sums[row] = sums.get(row, 0) + weight
        return sorted(sums.items(), key=lambda pair: (-pair[1], -pair[0]))

    def holding(
        self, folded: str, scope: Scope, most: int, whole: Iterable[str] = (), start: str = ""
    ) -> dict[int, Passage]:
        rows: Iterable[int] = self._passages
        held = [set(self._postings.get(term, ())) for term in whole]
        if start:
            held.append({row for term, some in self._postings.items() if term.startswith(start) for row in some})
        if held:
            rows = set.intersection(*held)
        found: dict[int, Passage] = {}
        for row in sorted(rows, reverse=True):
            p = self._passages[row]
            if folded in fold(p.text) and self._sees(p, scope):
                found[row] = p
                if len(found) >= most:
                    break
        return found

    def bullets(self, ids: Iterable[str], scope: Scope) -> dict[str, dict[int, Passage]]:
        wanted = set(ids)
        found: dict[str, dict[int, Passage]] = {}
        for row, p in self._passages.items():
            if p.kind is Kind.FACT and self._sees(p, scope):
                for event in wanted.intersection((p.id, *p.source.split(","))):
                    found.setdefault(event, {})[row] = p
        return found

    def between(self, first: str, last: str, scope: Scope, most: int) -> dict[int, Passage]:
        rows = [
            row
            for row, p in self._passages.items()
            if p.kind is Kind.EVENT and first <= p.date <= last and self._sees(p, scope)
        ]
        return {row: self._passages[row] for row in sorted(rows, reverse=True)[:most]}

    def topics(self, scope: Scope) -> dict[int, Passage]:
        return {row: p for row, p in self._passages.items() if p.kind is Kind.TOPIC and self._sees(p, scope)}

    def newer(self, days: Mapping[str, str], scope: Scope) -> bool:
        return any(
            p.kind is Kind.EVENT and p.slug in days and p.date >= days[p.slug] and self._sees(p, scope)
            for p in self._passages.values()
        )

    def _sees(self, p: Passage, scope: Scope) -> bool:
        hides = self.hides(scope)
        if p.layer not in scope.layers or (p.agents and scope.agent not in p.agents):
            return False
        if p.slug in hides.wholly or (p.kind is not Kind.EVENT and p.slug in hides.facts):
            return False
        if (scope.group and p.private) or (p.archived and not scope.archived):
            return False
        if (scope.tags and p.tag not in scope.tags) or (scope.slugs and p.slug not in scope.slugs):
            return False
        if (scope.since and p.date < scope.since) or (scope.until and not "" < p.date <= scope.until):
            return False
        folded = f"{fold(p.text)} {p.labels}" if scope.entity else ""
        return not scope.entity or any(says(folded, fold(name)) for name in scope.entity.split("\n"))
