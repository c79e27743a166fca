"""What a statement is about, where its own words tell it without what it was filed under.

"The cabin rent is 900 euros." is about the cabin wherever it stands. "The key is in the car.", "Ana leads the project." and "The rent
is 900 euros." may each be true of several things: a place or a value says nothing of whose, and a matter that everything has one of
needs its owner.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from typing import NamedTuple

from silo.core.reconcile.kin import Related
from silo.core.reconcile.statement import Statement
from silo.core.reconcile.tokens import Token
from silo.text.stem import stem
from silo.text.tokens import terms

# Noun keys, or English words, of what any house, project or person may have one of.
_OWNED = frozenset(
    [
        "rent", "budget", "invoice", "deposit", "contract", "insurance", "tax", "loan", "order", "team", "meeting", "task",
        "report", "message", "key", "password", "code", "alarm", "backup", "file", "ticket", "visa", "passport", "permit",
        "deadline", "delivery", "cleaning", "answer", "consultation", "contact", "roof", "wall", "window", "door", "lock",
        "floor", "room", "kitchen", "boiler", "heating", "fridge", "water", "electricity", "rubbish", "engine", "tyre",
        "customer", "supplier", "salesperson", "landlord", "tenant", "neighbour", "member", "coordinator", "doctor",
        "dentist", "vet", "lawyer", "accountant", "teacher",
    ]
)  # fmt: skip
_STEMS = frozenset(map(stem, _OWNED))
_ASIDE, _WHITHER = ("where", "purpose", "into", "bearing"), ("to", "from", "para", "pra")
_PROPERTY = ("attribute", "role", "status")
_WORD = re.compile(r"[^\W\d_][\w'’-]*")
# One that is spoken of as known, though nothing says whose: "the project", "o contrato", "do contrato".
_KNOWN = {
    "en": re.compile(r"\b(?:the|our|my)\s+[a-z]"),
    "pt": re.compile(r"\b(?:[oa]s?|d[oa]s?|noss[oa]s?|meus?|minhas?)\s+[a-zà-ÿ]"),
}


class Subject(NamedTuple):
    """The words (as of `terms`) of what a statement is about; `things` are those of them that need no owner."""

    words: frozenset[str] = frozenset()
    things: frozenset[str] = frozenset()

    def is_called(self, name: frozenset[str]) -> bool:
        """Whether it is something of that name."""
        return name <= self.words and not name.isdisjoint(self.things)


def told_of(statement: Statement, related: Related | None = None) -> Subject:
    """What the statement is about by its own words; empty where something else has to tell it. `related` knows synonyms and
    translations."""
    clause, text = statement.clauses[0], statement.text
    if not clause.tokens:
        return Subject()
    verb = min([clause.verb, *(t.start for t in clause.tokens if t.is_in("stay"))])
    if verb <= clause.tokens[0].start:  # no predicate was found: it begins before what must belong to it
        verb = min([*(v.start for v in clause.values if v.kind != "name"), *(t.start for t in clause.tokens if t.is_in("cue", *_ASIDE))], default=0)
    first = clause.tokens[0]  # "In the car there is a spare key"
    before = [t for t in clause.tokens if t.start < verb and not (first.is_in("where") and clause.place & set(t.terms))]
    if before and not terms(text[clause.start : verb]):  # "We keep the van in the garage"
        after = (t for t in clause.tokens if t.start >= verb)
        return _subject(text, related, itertools.takewhile(lambda t: not t.is_in(*_ASIDE) and t.word not in _WHITHER, after))
    known = _KNOWN.get(statement.language)
    if _is_name(text[clause.start : verb]) and known is not None and known.search(text, verb, clause.end):
        return Subject()
    return _subject(text, related, before, [text[v.start : v.end] for v in clause.values if v.kind == "name" and v.start < verb])


def shares_subject_alone(before: Statement, after: Statement) -> bool:
    """Whether two statements that something is so and so have nothing in common but what it is: "O cachecol da Rita é de lã.",
    "… é comprido." What the tables know of their predicates is no word, so that these are compared letter by letter."""
    told = []
    if before.language != after.language:
        return False
    for statement in (before, after):
        clause = statement.clauses[0]
        known = clause.predicate or clause.statuses or clause.contrasts or clause.scopes or any(v.start >= clause.verb for v in clause.values)
        if len(statement.clauses) > 1 or not clause.copula or clause.verb <= clause.start or known:
            return False
        copula = next((t.end for t in clause.tokens if t.start == clause.verb), clause.verb)
        said = _WORD.findall(statement.text[copula : clause.end].lower())
        told.append({word for word in said if len(word) > 2 or not word.isascii()})
    return all(told) and told[0].isdisjoint(told[1])


def _is_name(subject: str) -> bool:
    """Whether a subject is a name and no more: capitals, with the article of Portuguese at most."""
    said = [word for word in _WORD.findall(subject) if word not in ("O", "A", "Os", "As")]
    return bool(said) and all(word[0].isupper() for word in said)


def _subject(text: str, related: Related | None, tokens: Iterable[Token], names: Iterable[str] = ()) -> Subject:
    named = frozenset(term for name in names for term in terms(name))
    words, things = set(named), set(named)
    for token in tokens:
        found = terms(text[token.start : token.end])
        words.update(found)
        if token.terms and not token.is_in(*_PROPERTY) and not _is_owned(token, related):
            things.update(found)
    return Subject(frozenset(words), frozenset(things))


def _is_owned(token: Token, related: Related | None) -> bool:
    like = related(token.word).keys() if related is not None else frozenset[str]()
    return not _OWNED.isdisjoint(token.keys("noun")) or not _STEMS.isdisjoint({token.stem, *like})
