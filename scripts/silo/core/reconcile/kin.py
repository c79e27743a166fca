"""Words of two statements that stand for the same thing: a word and its synonym, or its translation.

A statement is read in the words of another one, so that everything after compares them as if the same words had been used.
A noun of the tables of the comparison is known in both languages there, so no list of synonyms adds to it: the train stays
apart from "treino", the son from the child.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace

from silo.core.reconcile.clauses import Clause
from silo.core.reconcile.statement import Statement
from silo.core.reconcile.tokens import Token
from silo.text.stem import stem

_SYNONYM, _TRANSLATION = 1, 2  # the bonds of the lists that make two words one
_PARTICLES = frozenset(["back", "up", "off", "out", "in", "on", "over", "down", "away", "through", "together"])
_REACH = 5  # words between a verb and its particle: "gave the deposit back"

Related = Callable[[str], Mapping[str, int]]
Spoken = Mapping[str, frozenset[str]]  # the terms of a statement, each with the stems by which lists of words know it


class Kin:
    """Looks words up in lists of synonyms and translations; what was asked once is kept."""

    def __init__(self, related: Related | None = None) -> None:
        self._related = related
        self._known: dict[tuple[str, int], frozenset[str]] = {}
        self._said: dict[int, tuple[Statement, Spoken]] = {}

    def of(self, word: str, bond: int = _SYNONYM) -> frozenset[str]:
        """A stem (or the stems of a phrase) with what stands for it by a bond."""
        key = (word, bond)
        if key not in self._known:
            found = self._related(word).items() if self._related and word else ()
            self._known[key] = frozenset({word, *(other for other, how in found if how == bond)})
        return self._known[key]

    def meets(self, ones: Iterable[str], others: Collection[str], bond: int = _SYNONYM) -> bool:
        """Whether any of the first words stands for any of the others."""
        return any(not self.of(one, bond).isdisjoint(others) for one in ones)

    def in_words_of(self, after: Statement, before: Statement) -> tuple[Statement, Statement]:
        """Both statements, `after` with each of its words for which `before` has another one in that one. A word that one of
        them has as a mere verb or property of the tables is one for the other as well."""
        if self._related is None:
            return after, before
        said, known = self._spoken(after), self._spoken(before)
        bond = _SYNONYM if after.language == before.language else _TRANSLATION  # portão and port have one stem, and nothing else
        if said.keys() - known.keys() and known.keys() - said.keys() and (names := _names(after, before, self, said, known, bond)):
            after = replace(after, clauses=tuple(_renamed(clause, names) for clause in after.clauses))
            said = {names.get(term, term): words for term, words in said.items()}
        return _dressed(after, before, self, said, known, bond), _dressed(before, after, self, known, said, bond)

    def _spoken(self, statement: Statement) -> Spoken:
        """What `spoken` finds, kept with the statement that it was found in."""
        kept = self._said.get(id(statement))
        if kept is None or kept[0] is not statement:
            kept = self._said[id(statement)] = (statement, spoken(statement))
        return kept[1]


def by_synonym(statement: Statement) -> frozenset[str]:
    """The terms that a statement has only since it is read in the words of another one."""
    tokens = [token for clause in statement.clauses for token in clause.tokens]
    plain = {term for token in tokens for term in replace(token, alias=()).terms}
    return frozenset(term for token in tokens for term in token.alias if term not in plain)


def spoken(statement: Statement) -> Spoken:
    """The terms of a statement, each with the stems by which lists of words know it."""
    found: dict[str, set[str]] = {}
    for clause in statement.clauses:
        for i, token in enumerate(clause.tokens):
            words = {stem(token.word.removesuffix("'s"))} if " " not in token.word else {" ".join(map(stem, token.word.split()))}
            words |= token.heads if " " not in token.word else set()
            words |= {f"{word} {t.word}" for t in clause.tokens[i + 1 : i + 1 + _REACH] if t.word in _PARTICLES for word in tuple(words)}
            if token.stem.endswith("-m"):
                words = set()  # a word that an accent alone tells from another
            for term in token.terms:
                found.setdefault(term, set()).update(words, {term} if token.is_in("noun", "act") else ())
    return {term: frozenset(words) for term, words in found.items()}


def _names(after: Statement, before: Statement, kin: Kin, said: Spoken, known: Spoken, bond: int) -> dict[str, str]:
    """The terms of `after` for which `before` has another word, with that word; `said` and `known` are their terms."""
    free = {term: words for term, words in known.items() if term not in said and " " not in term}
    listed = _listed(after) | _listed(before)
    names: dict[str, str] = {}
    for term, words in said.items():
        if term in known or " " in term:
            continue
        for other, theirs in free.items():
            if other not in names.values() and not {term, other} & listed and kin.meets(words, theirs, bond):
                names[term] = other
                break
    return names


def _dressed(statement: Statement, other: Statement, kin: Kin, said: Spoken, known: Spoken, bond: int) -> Statement:
    """The statement without the terms that the other one has as a word of the tables that is no term there: accept, aceita."""
    silent = [(token, {" ".join(map(stem, token.word.split()))}) for clause in other.clauses for token in clause.tokens if token.is_in(*_SILENT) and not token.terms]
    gone: dict[str, frozenset[str]] = {}
    for term, words in said.items():
        if term not in known and " " not in term and silent:
            met = next((token for token, stems in silent if kin.meets(words, stems, bond)), None)
            if met is not None:
                gone[term] = frozenset(met.keys("attribute"))
    return replace(statement, clauses=tuple(_without(clause, gone) for clause in statement.clauses)) if gone else statement


_SILENT = ("verb", "status", "attribute", "act")


def _without(clause: Clause, gone: Mapping[str, frozenset[str]]) -> Clause:
    if not clause.terms & gone.keys():
        return clause
    properties = frozenset(key for term, keys in gone.items() if term in clause.terms for key in keys)
    named = any(v.kind == "name" for v in clause.values)
    if not (clause.terms - gone.keys() or properties or named):
        return clause  # nothing else would be left of what it is about
    return replace(
        clause,
        subject=clause.subject - gone.keys(),
        predicate=clause.predicate - gone.keys(),
        attributes=clause.attributes | properties,
        soft=clause.soft | (clause.terms & gone.keys()),
    )


def _listed(statement: Statement) -> frozenset[str]:
    return frozenset(key for clause in statement.clauses for token in clause.tokens for key in (*token.keys("noun"), *token.keys("role")))


def _renamed(clause: Clause, names: Mapping[str, str]) -> Clause:
    def new(terms: frozenset[str]) -> frozenset[str]:
        return frozenset(names.get(term, term) for term in terms)

    return replace(
        clause,
        subject=new(clause.subject),
        predicate=new(clause.predicate),
        purpose=new(clause.purpose),
        place=new(clause.place),
        front=new(clause.front),
        gone=new(clause.gone),
        tokens=tuple(_named(token, names) for token in clause.tokens),
    )


def _named(token: Token, names: Mapping[str, str]) -> Token:
    return replace(token, alias=tuple(names.get(term, term) for term in token.terms)) if any(t in names for t in token.terms) else token
