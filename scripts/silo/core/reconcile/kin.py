"""Words of two statements that stand for the same thing: a word and its synonym, or its translation.

A statement is read in the words of another one, so that everything after compares them as if the same words had been used.
A noun of the tables of the comparison is known in both languages there, so no list of synonyms adds to it: the train stays
apart from "treino", the son from the child.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from silo.core.reconcile.clauses import Clause
from silo.core.reconcile.statement import Statement
from silo.core.reconcile.tokens import Token
from silo.text.stem import stem

_SYNONYM, _TRANSLATION = 1, 2  # the bonds of the lists that make two words one
_PARTICLES = frozenset(["back", "up", "off", "out", "in", "on", "over", "down", "away", "through", "together"])
_SILENT = ("verb", "status", "attribute", "act")
_REACH = 5  # words between a verb and its particle: "gave the deposit back"

Related = Callable[[str], Mapping[str, int]]


@dataclass(frozen=True, slots=True)
class Wording:
    """A statement's words as lists of synonyms know them."""

    terms: Mapping[str, frozenset[str]]  # each term with its stems
    listed: frozenset[str]  # the terms that are nouns of the tables
    silent: tuple[tuple[str, frozenset[str]], ...]  # verbs and properties that are no terms: their stems, the properties


class Kin:
    """Looks words up in lists of synonyms and translations; what was asked once is kept."""

    def __init__(self, related: Related | None = None) -> None:
        self._related = related
        self._known: dict[tuple[str, int], frozenset[str]] = {}
        self._read: dict[int, tuple[Statement, Wording]] = {}

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
        new, old = self._wording(after), self._wording(before)
        bond = _SYNONYM if after.language == before.language else _TRANSLATION  # portão and port have one stem, and nothing else
        names = self._names(new, old, bond)
        if names:
            after = replace(after, clauses=tuple(_renamed(clause, names) for clause in after.clauses))
        said = {names.get(term, term): stems for term, stems in new.terms.items()} if names else new.terms
        return self._dressed(after, said, old, bond), self._dressed(before, old.terms, replace(new, terms=said), bond)

    def _wording(self, statement: Statement) -> Wording:
        """What `wording` finds, kept with the statement that it was found in."""
        kept = self._read.get(id(statement))
        if kept is None or kept[0] is not statement:
            kept = self._read[id(statement)] = (statement, wording(statement))
        return kept[1]

    def _names(self, new: Wording, old: Wording, bond: int) -> dict[str, str]:
        """The terms of the new wording for which the old one has another word, with that word."""
        listed = new.listed | old.listed
        free = {term: stems for term, stems in old.terms.items() if term not in new.terms and term not in listed}
        names: dict[str, str] = {}
        for term, stems in new.terms.items() if free else ():
            if term not in old.terms and term not in listed:
                other = next((o for o, theirs in free.items() if o not in names.values() and self.meets(stems, theirs, bond)), None)
                if other is not None:
                    names[term] = other
        return names

    def _dressed(self, statement: Statement, said: Mapping[str, frozenset[str]], other: Wording, bond: int) -> Statement:
        """The statement without the terms that the other one has as a word of the tables that is no term: accept, aceita."""
        gone: dict[str, frozenset[str]] = {}
        for term, stems in said.items() if other.silent else ():
            if term not in other.terms:
                found = next((properties for verb, properties in other.silent if self.meets(stems, {verb}, bond)), None)
                if found is not None:
                    gone[term] = found
        return replace(statement, clauses=tuple(_without(clause, gone) for clause in statement.clauses)) if gone else statement


def by_synonym(statement: Statement) -> frozenset[str]:
    """The terms that a statement has only since it is read in the words of another one."""
    tokens = [token for clause in statement.clauses for token in clause.tokens]
    plain = {term for token in tokens for term in replace(token, alias=()).terms}
    return frozenset(term for token in tokens for term in token.alias if term not in plain)


def wording(statement: Statement) -> Wording:
    """The words of a statement as lists of synonyms know them."""
    terms: dict[str, set[str]] = {}
    silent: dict[str, frozenset[str]] = {}
    listed: set[str] = set()
    for clause in statement.clauses:
        for i, token in enumerate(clause.tokens):
            stems = _stems(token, clause.tokens[i + 1 : i + 1 + _REACH])
            listed.update(token.keys("noun"), token.keys("role"))
            if not token.terms and token.is_in(*_SILENT):
                silent.setdefault(" ".join(map(stem, token.word.split())), frozenset(token.keys("attribute")))
            for term in token.terms:
                if " " not in term:
                    terms.setdefault(term, set()).update(stems, {term} if token.is_in("noun", "act") else ())
    return Wording({term: frozenset(stems) for term, stems in terms.items()}, frozenset(listed), tuple(silent.items()))


def _stems(token: Token, after: tuple[Token, ...]) -> set[str]:
    """The stems of a word or phrase, with the particle that may belong to it: "give … back"."""
    if token.stem.endswith("-m"):
        return set()  # a word that an accent alone tells from another
    words = {" ".join(map(stem, token.word.split()))} if " " in token.word else {stem(token.word.removesuffix("'s")), *token.heads}
    return words | {f"{word} {t.word}" for t in after if t.word in _PARTICLES for word in words}


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
