"""Lists of plain words: "packed for the hut: stove, ropes, lamp", and what is said to be out of one again.

Names that are listed are told in `lists.py`. A list of which one thing goes keeps the others.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from silo.core.reconcile.clauses import Clause
from silo.core.reconcile.lists import MemberChange
from silo.core.reconcile.statement import Statement
from silo.core.reconcile.tokens import Token
from silo.text.flat import flat

_LINK = re.compile(r",\s+(?:and\s+|e\s+)?|\s+(?:and|e|&)\s+")
_SPOKEN = re.compile(r"\b(?:holds|contains|includes|has|have|got|tem|leva|contém|contem|inclui)\s+", re.IGNORECASE)
_LONGEST = 4  # words of an item
_NO_MORE = re.compile(r"\b(?:no longer|no more|nao ha mais|(?:not|n't) .*any ?more|ja nao|nao .*mais)\b")
_OUT = re.compile(
    r"\b(?:took|taken|pulled|removed|unpacked|crossed|struck|deleted|tir(?:ei|ou|amos|aram|ad[oa]s?)|retir(?:ei|ou|amos|aram|ad[oa]s?)|"
    r"remov(?:i|eu|emos|eram|id[oa]s?)|risqu(?:ei|amos)|risc(?:ou|aram|ad[oa]s?)|apag(?:uei|ou|amos|aram|ad[oa]s?))\b.*\b(?:out|off|from|d[eoa]s?)\b|"
    r"\b(?:is|are) (?:off|out of)\b|\bsa(?:iu|iram) d[eoa]s?\b"
)
_DENIED = re.compile(r"\b(?:not|never|nao|nunca|without|sem|don't|didn't|haven't|hasn't|wasn't|weren't|isn't|aren't|almost|quase)\b")


class Items(NamedTuple):
    """A list of plain words: where each stands, its terms, and the words of what is said before it."""

    spans: tuple[tuple[int, int], ...]
    terms: tuple[frozenset[str], ...]
    head: frozenset[str]


def with_item_gone(before: Statement, after: Statement) -> MemberChange | None:
    """The list of the fact without the one thing that the new statement says is out of it, None where it says no such thing."""
    listed = items_of(before)
    if listed is None or after.hearsay or after.unreal:
        return None
    for clause in after.clauses:
        said = clause.terms | clause.front
        hit = [i for i, terms in enumerate(listed.terms) if terms <= said]
        if len(hit) == 1 and _goes(clause, after.text):
            rest = [t for t in clause.tokens if not (set(t.terms) & listed.terms[hit[0]] or _OUT_VERB.match(t.word))]
            strange = {term for t in rest for term in t.terms} - listed.head
            if any(_words(t) & listed.head for t in rest) and len(strange) < 2:
                return _without(before, after, listed, hit[0])
    return None


def tells_part(before: Statement, after: Statement) -> bool:
    """Whether the fact lists several things and the new statement speaks of some of them alone."""
    listed = items_of(before)
    said = frozenset(term for clause in after.clauses for term in clause.terms | clause.front | clause.gone)
    return listed is not None and 0 < sum(terms <= said for terms in listed.terms) < len(listed.terms)


def items_of(statement: Statement) -> Items | None:
    """The one list of plain words of a statement, behind a colon or a word for what it holds; None where there is none."""
    text = statement.text
    colon = re.search(r":\s+", text)
    spoken = colon or _SPOKEN.search(text)
    if spoken is None or not spoken.start():
        return None
    end = len(text.rstrip(" .!"))
    gaps = list(_LINK.finditer(text, spoken.end(), end))
    if len(gaps) < (1 if colon else 2):
        return None
    starts, ends = [spoken.end(), *(g.end() for g in gaps)], [*(g.start() for g in gaps), end]
    spans = tuple(zip(starts, ends, strict=True))
    tokens = [t for clause in statement.clauses for t in clause.tokens]
    inside = [[t for t in tokens if a <= t.start < b] for a, b in spans]
    plain = all(0 < len(item) <= _LONGEST and not any(t.is_in("copula", "verb", "cue", "not") and not t.is_in("noun") for t in item) for item in inside)
    terms = tuple(frozenset(term for t in item for term in t.terms) for item in inside)
    if not plain or not all(terms) or any(v.kind == "name" and v.start >= spoken.end() for v in statement.values):
        return None
    return Items(spans, terms, frozenset(word for t in tokens if t.start < spoken.start() for word in _words(t)))


def _words(token: Token) -> frozenset[str]:
    """The terms of a word, its stems where it is one of the tables that has none: "lista de compras"."""
    return frozenset(token.terms) or (frozenset() if token.is_in("little", "where", "copula", "into", "not") else token.heads)


_OUT_VERB = re.compile(r"(?:took|taken|pulled|removed|unpacked|crossed|struck|deleted|tir|retir|remov|ris[qc]|apag|sa[ií])")


def _goes(clause: Clause, text: str) -> bool:
    low = flat(text)[clause.start : clause.end]
    return _NO_MORE.search(low) is not None or (_OUT.search(low) is not None and not _DENIED.search(low))


def _without(before: Statement, after: Statement, listed: Items, gone: int) -> MemberChange:
    text, said = before.text, after.text.strip()
    start, end = listed.spans[0][0], listed.spans[-1][1]
    stay = [text[a:b] for i, (a, b) in enumerate(listed.spans) if i != gone]
    link = text[listed.spans[-2][1] : listed.spans[-1][0]]
    new = ", ".join(stay[:-1]) + link + stay[-1] if len(stay) > 1 else stay[0]
    kept = text[:start] + new + text[end:]
    merged = f"{kept.rstrip()}{'' if kept.rstrip().endswith(('.', '!')) else '.'} {said}"
    return MemberChange(text[start:end], new, merged, f"{text[slice(*listed.spans[gone])]} is out of it")
