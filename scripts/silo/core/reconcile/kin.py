"""Words of two statements that stand for the same thing: a word and its synonym, or its translation.

A statement is read in the words of another one, so that everything after compares them as if the same words had been used.
A noun of the tables of the comparison is known in both languages there, so no list of synonyms adds to it: the train stays
apart from "treino", the son from the child.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from silo.core.reconcile.clauses import Clause
from silo.core.reconcile.statement import Statement
from silo.core.reconcile.tokens import Token
from silo.text.thesaurus import key_of

_SYNONYM, _TRANSLATION = 1, 2  # the bonds of the lists that make two words one
_PARTICLES = frozenset(["back", "up", "off", "out", "in", "on", "over", "down", "away", "through", "together"])
_SILENT = ("verb", "status", "attribute", "act")
_REACH = 5  # words between a verb and its particle: "gave the deposit back"

Related = Callable[[str], Mapping[str, int]]


@dataclass(frozen=True, slots=True)
class Word:
    """A word as it may be written in a list, and the keys by which lists name what stands for it."""

    written: frozenset[str]
    keys: frozenset[str]

    def __or__(self, other: Word) -> Word:
        return Word(self.written | other.written, self.keys | other.keys)


@dataclass(frozen=True, slots=True)
class Wording:
    """A statement's words as lists of synonyms know them."""

    terms: Mapping[str, Word]
    held: frozenset[str]  # all that its clauses say, whatever word says it
    listed: frozenset[str]  # the terms that are nouns of the tables
    silent: tuple[tuple[Word, frozenset[str]], ...]  # verbs and properties that are no terms, with the properties


class Kin:
    """Looks words up in lists of synonyms and translations; what was asked once is kept."""

    def __init__(self, related: Related | None = None) -> None:
        self._related = related
        self._known: dict[tuple[str, int], frozenset[str]] = {}
        self._said: dict[int, tuple[Statement, list[tuple[str, str, frozenset[str]]]]] = {}
        self._read: dict[int, tuple[Statement, Wording]] = {}

    def like(self, word: str, bond: int) -> frozenset[str]:
        """The keys of what stands for a written word by a bond."""
        if (word, bond) not in self._known:
            found = self._related(word).items() if self._related else ()
            self._known[word, bond] = frozenset(key for key, how in found if how == bond)
        return self._known[word, bond]

    def meets(self, one: Word, other: Word, bond: int = _SYNONYM) -> bool:
        """Whether a word stands for another one, and that one for it: "banca" has the stem of "banco", and no meaning of it."""
        return not one.keys.isdisjoint(other.keys) or (self._stands(one, other, bond) and self._stands(other, one, bond))

    def _stands(self, one: Word, other: Word, bond: int) -> bool:
        return any(not self.like(word, bond).isdisjoint(other.keys) for word in one.written)

    def in_words_of(self, after: Statement, before: Statement) -> tuple[Statement, Statement]:
        """Both statements, `after` with each of its words for which `before` has another one in that one. A word that one of
        them has as a mere verb or property of the tables is one for the other as well."""
        if self._related is None:
            return after, before
        after = _turned(after, self._wording(after), self._wording(before))
        if after.language != before.language:
            after, before = self._phrases(after, before)
        new, old = self._wording(after), self._wording(before)
        bond = bond_between(after, before)
        names = self._names(new, old, bond)
        if names:
            after = replace(after, clauses=tuple(_renamed(clause, names) for clause in after.clauses))
        said = {names.get(term, term): word for term, word in new.terms.items()} if names else new.terms
        return self._dressed(after, said, old, bond), self._dressed(before, old.terms, replace(new, terms=said), bond)

    def _phrases(self, after: Statement, before: Statement) -> tuple[Statement, Statement]:
        """Both statements with a phrase and its translation as one term: "driving licence", "carta de condução"."""
        theirs = self._runs(before)
        for written, _, terms in self._runs(after):
            keys = self.like(written, _TRANSLATION)
            found = next((other for _, key, other in theirs if key in keys and len(terms) + len(other) > 2), None) if keys else None
            if found is not None and not terms & found:
                name = min(found)
                after, before = (replace(s, clauses=tuple(_renamed(c, dict.fromkeys(terms | found, name)) for c in s.clauses)) for s in (after, before))
        return after, before

    def _runs(self, statement: Statement) -> list[tuple[str, str, frozenset[str]]]:
        """What `phrases` finds, kept with the statement that it was found in."""
        kept = self._said.get(id(statement))
        if kept is None or kept[0] is not statement:
            kept = self._said[id(statement)] = (statement, phrases(statement))
        return kept[1]

    def _wording(self, statement: Statement) -> Wording:
        """What `wording` finds, kept with the statement that it was found in."""
        kept = self._read.get(id(statement))
        if kept is None or kept[0] is not statement:
            kept = self._read[id(statement)] = (statement, wording(statement))
        return kept[1]

    def _names(self, new: Wording, old: Wording, bond: int) -> dict[str, str]:
        """The terms of the new wording for which the old one has another word, with that word."""
        listed = new.listed | old.listed
        free = {term: word for term, word in old.terms.items() if term not in new.terms}
        names: dict[str, str] = {}
        for term, word in new.terms.items() if free else ():
            if term not in old.terms:
                near = ((o, theirs) for o, theirs in free.items() if o not in names.values())
                derived = next((o for o, theirs in near if not word.keys.isdisjoint(theirs.keys)), None)  # insure, insurance
                open_ = () if term in listed else ((o, theirs) for o, theirs in free.items() if o not in names.values() and o not in listed)
                other = derived or next((o for o, theirs in open_ if self.meets(word, theirs, bond)), None)
                if other is not None:
                    names[term] = other
        return names

    def _dressed(self, statement: Statement, said: Mapping[str, Word], other: Wording, bond: int) -> Statement:
        """The statement without the terms that the other one has as a word of the tables that is no term: accept, aceita."""
        gone: dict[str, frozenset[str]] = {}
        for term, word in said.items() if other.silent else ():
            if term not in other.terms and term not in other.held:
                found = next((properties for verb, properties in other.silent if self.meets(word, verb, bond)), None)
                if found is not None:
                    gone[term] = found
        return replace(statement, clauses=tuple(_without(clause, gone) for clause in statement.clauses)) if gone else statement


def bond_between(one: Statement, other: Statement) -> int:
    """How words of two statements stand for each other: synonyms in one language, translations in two, never a chain of both."""
    return _SYNONYM if one.language == other.language else _TRANSLATION


def by_synonym(statement: Statement) -> frozenset[str]:
    """The terms that a statement has only since it is read in the words of another one."""
    tokens = [token for clause in statement.clauses for token in clause.tokens]
    plain = {term for token in tokens for term in replace(token, alias=()).terms}
    return frozenset(term for token in tokens for term in token.alias if term not in plain)


def phrases(statement: Statement) -> list[tuple[str, str, frozenset[str]]]:
    """The words and runs of up to three words of a statement that lists may know: written as there, key, terms."""
    found: list[tuple[str, str, frozenset[str]]] = []
    for clause in statement.clauses:
        for i, first in enumerate(clause.tokens):
            for last in range(i, min(i + 3, len(clause.tokens))):
                run = clause.tokens[i : last + 1]
                near = all(b.start - a.end == 1 for a, b in itertools.pairwise(run))
                if first.terms and run[-1].terms and near and not any(" " in t.word for t in run):
                    written = "_".join(t.word for t in run)
                    found.append((written, key_of(written), frozenset(term for t in run for term in t.terms)))
    return found


def wording(statement: Statement) -> Wording:
    """The words of a statement as lists of synonyms know them."""
    terms: dict[str, Word] = {}
    silent: dict[Word, frozenset[str]] = {}
    listed: set[str] = set()
    for clause in statement.clauses:
        for i, token in enumerate(clause.tokens):
            word = word_of(token, clause.tokens[i + 1 : i + 1 + _REACH])
            listed.update(token.keys("noun"), token.keys("role"))
            if not token.terms and token.is_in(*_SILENT):
                silent.setdefault(word, frozenset(token.keys("attribute")))
            for term in token.terms:
                if " " not in term:
                    terms[term] = terms[term] | word if term in terms else word
    held = frozenset(term for clause in statement.clauses for term in clause.terms | clause.front)
    return Wording(terms, held, frozenset(listed), tuple(silent.items()))


def word_of(token: Token, after: tuple[Token, ...] = ()) -> Word:
    """A word or phrase, with the particle that may belong to it: "give … back"."""
    if token.stem.endswith("-m"):
        return Word(frozenset(), frozenset())  # a word that an accent alone tells from another
    bare = token.word.removesuffix("'s")
    particles = [t.word for t in after if t.word in _PARTICLES]
    written = {bare.replace(" ", "_"), *(f"{base}_{particle}" for particle in particles for base in _bases(token.base or bare))}
    single = token.heads if " " not in bare else frozenset()
    return Word(frozenset(written), frozenset(map(key_of, written)) | single)


def _bases(word: str) -> list[str]:
    """What a verb may be without the ending of its form: carries no list of forms."""
    endings = (("", ""), ("s", ""), ("es", ""), ("ed", ""), ("ed", "e"), ("ing", ""), ("ing", "e"), ("ied", "y"))
    return [word.removesuffix(end) + put for end, put in endings if word.endswith(end) and len(word) - len(end) > 1]


_DENYING = ("un", "non", "in", "im", "ir", "il", "dis", "des")


def _turned(after: Statement, new: Wording, old: Wording) -> Statement:
    """`after` with a word that denies one of the other statement by its first letters as that word, denied; or with the word
    that denies it, denied: unpasteurised is not pasteurised."""
    names: dict[str, str] = {}
    for term in new.terms.keys() - old.terms.keys():
        for other in old.terms.keys() - new.terms.keys():
            short, long = sorted((term, other), key=len)
            if len(short) > 4 and any(long == f"{prefix}{short}" for prefix in _DENYING):
                names[term] = other
    if not names:
        return after
    turned = tuple(replace(c, negative=c.negative != bool(c.terms & names.keys())) for c in after.clauses)
    return replace(after, clauses=tuple(_renamed(clause, names) for clause in turned))


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
