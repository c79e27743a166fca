"""A statement taken apart for comparison: clauses with their subject, property, values, circumstances, state and polarity.

A shallow reading by tables and word order, made to compare two statements of one person's notes, not to parse a language.
It decides nothing about which statement is right.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, replace
from datetime import date

from silo.core.reconcile.clauses import Clause, read_clauses
from silo.core.reconcile.tokens import Token, find_tokens, with_qualities
from silo.text.flat import flat
from silo.text.stem import stem
from silo.text.values import Value, find_values
from silo.text.vocabulary import Vocabulary, choose

__all__ = ["Clause", "Statement", "Token", "analyse", "names_of", "standing"]


@dataclass(frozen=True, slots=True)
class Statement:
    """A text with its clauses. `unreal`: hypothetical or unsure; `hearsay`: somebody else's claim."""

    text: str
    language: str
    clauses: tuple[Clause, ...]
    values: tuple[Value, ...]
    cues: frozenset[str]
    unreal: bool
    hearsay: bool
    decision: bool
    members: tuple[Value, ...]  # the names of its enumeration, if it holds one of two or more


def analyse(
    text: str, day: date, vocabularies: tuple[Vocabulary, ...], likely: Vocabulary | None = None, known: frozenset[str] = frozenset()
) -> Statement:
    """The statement of `text`, said on `day`. `likely` decides the language where the text does not; `known` are flat
    words that are names wherever they stand."""
    vocabulary = choose(text, vocabularies, likely)
    values = find_values(text, day, vocabulary, known)
    tokens = with_qualities(tuple(_linking(_accented(t, text), values) for t in find_tokens(flat(text), values, vocabulary)))
    values = tuple(_counting(v, tokens) for v in values)
    clauses = tuple(_with_hours(c) for c in read_clauses(text, tokens, values, vocabulary.gaps))
    marks = {(m.table, m.key) for t in tokens for m in t.marks}
    cues = {key for clause in clauses for key in clause.cues}
    return Statement(
        text=text,
        language=vocabulary.code,
        clauses=clauses,
        values=values,
        cues=frozenset(cues) | _since(text, clauses, values),
        unreal=_unreal(tokens, clauses) or text.rstrip().endswith("?"),
        hearsay=("hearsay", "strong") in marks or {("hearsay", "say"), ("hearsay", "source")} <= marks,
        decision=("decision", "decision") in marks,
        members=_members(text, values, tokens),
    )


def standing(statement: Statement) -> tuple[Clause, ...]:
    """The clauses that say what is so: one that only tells what is over ("…, no longer 40 kg", "it isn't red any more, it is
    green") says nothing beside another one of the same subject."""
    over = [c for c in statement.clauses if c.leaves or "end" in c.cues]
    stay = [c for c in statement.clauses if c not in over]
    return tuple(c for c in statement.clauses if c in stay or not any(_beside(c, s) for s in stay))


def _beside(clause: Clause, other: Clause) -> bool:
    """Whether the clause has the subject of the other one, or says a mere value or place ("…, no longer in the shed")."""
    if clause.subject:
        return clause.subject <= other.subject and not any(v.kind == "name" for v in clause.values)
    return clause.terms <= clause.place and all(v.kind not in ("name", "id") for v in clause.values)


def _accented(token: Token, text: str) -> Token:
    """Words that an accent alone tells apart: avô and avó are two persons."""
    return replace(token, stem=f"{token.stem}-m") if token.word in ("avo", "vovo", "bisavo") and "ô" in text[token.start : token.end].lower() else token


def _linking(token: Token, values: tuple[Value, ...]) -> Token:
    """"e" between two values links them and is no "é": 'Davi e Noé'."""
    linked = token.word == "e" and any(v.end + 1 == token.start for v in values) and any(v.start == token.end + 1 for v in values)
    return replace(token, marks=tuple(m for m in token.marks if m.table != "copula")) if linked else token


def _counting(value: Value, tokens: tuple[Token, ...]) -> Value:
    """A bare number with what it counts: the terms of the next two words."""
    if value.kind != "number":
        return value
    after = [t for t in tokens if t.start >= value.end][:2]
    close = bool(after) and after[0].start - value.end <= 4
    return replace(value, of=frozenset(term for t in after for term in t.terms or _PEOPLE & {t.stem})) if close else value


_PEOPLE = frozenset(map(stem, ("people", "person", "pessoas", "guest")))  # words that carry no subject, but are counted


def _with_hours(clause: Clause) -> Clause:
    """The clause whose bare hours are times of day where it tells of an opening, a start or an end: 'opening time is 8'."""
    if not clause.attributes & {"start", "finish", "hours"} or any(v.kind == "time" for v in clause.values):
        return clause
    figures = [v for v in clause.values if v.kind == "number" and v.start >= clause.verb]
    return replace(clause, values=tuple(_as_time(v) if [v] == figures else v for v in clause.values))


def _as_time(value: Value) -> Value:
    ends = [value.amount] if value.high is None else [value.amount, value.high]
    if value.kind != "number" or value.of or not all(0 < n <= 24 and n == int(n) for n in ends):
        return value
    return replace(value, kind="time", amount=ends[0] * 60, high=ends[1] * 60 if len(ends) > 1 else None, sure=ends[0] > 12)


def _unreal(tokens: tuple[Token, ...], clauses: tuple[Clause, ...]) -> bool:
    """Whether something is only supposed. Portuguese "se" and "caso" say so at the start of a clause alone."""
    starts = {clause.tokens[0].start for clause in clauses if clause.tokens}
    return any(t.is_in("unreal") and (t.word not in ("se", "caso") or t.start in starts) for t in tokens)


def names_of(statement: Statement) -> frozenset[str]:
    """The flat words of a statement's names."""
    return frozenset(word for v in statement.values if v.kind == "name" for word in v.key)


_SINCE = re.compile(
    r"\b(?:since|from|as of|starting|desde|a partir d[eoa])\s+(?:the\s+|a\s+|o\s+|last\s+|next\s+|este\s+|esta\s+)?"
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|(?:yesterday|today|tomorrow|now|last|this|next|january|february|march|april|may|june|july|august|"
    r"september|october|november|december|segunda|terca|quarta|quinta|sexta|sabado|domingo|ontem|hoje|amanha|janeiro|fevereiro|marco|abril|maio|junho|"
    r"julho|agosto|setembro|outubro|novembro|dezembro|semana|mes|ano)\b|\d)"
)


def _since(text: str, clauses: tuple[Clause, ...], values: tuple[Value, ...]) -> frozenset[str]:
    """'Since Tuesday', 'from 1 May', 'desde segunda', or a clause that opens with "since": a value that starts. No range does."""
    low = flat(text)
    ranges = [v for v in values if v.high is not None or v.until]
    opens = any(re.match(r"(?:since|desde|ever since)\b", low[c.start :]) for c in clauses)
    starts = any(not any(m.start() < v.end and v.start < m.end() + 1 for v in ranges) for m in _SINCE.finditer(low))
    return frozenset({"now"}) if opens or starts else frozenset()


_LIST_GAP = re.compile(r"\s*(?:,|\band\b|\be\b|&|,\s*and\b|,\s*e\b|\+|/)\s*(?:[oa]\s+|the\s+)?\Z", re.IGNORECASE)


def _members(text: str, values: tuple[Value, ...], tokens: tuple[Token, ...]) -> tuple[Value, ...]:
    """The longest run of names that are listed: 'Ilse, Bao and Per'. No list is 'in Linear, Jira is read-only'."""
    names = [v for v in values if v.kind == "name"]
    best: list[Value] = []
    run: list[Value] = names[:1]
    for before, name in itertools.pairwise(names):
        run = [*run, name] if _LIST_GAP.fullmatch(text[before.end : name.start]) else [name]
        if len(run) > len(best) and not _acts(text, run, tokens):
            best = run
    return tuple(best) if len(best) > 1 else ()


def _acts(text: str, run: list[Value], tokens: tuple[Token, ...]) -> bool:
    """Whether the last of names that only commas part starts a clause of its own: a word, no preposition, follows it."""
    if len(run) < 2:
        return False
    comma = not re.search(r"\b(?:and|e)\b|[&+/]", text[run[-2].end : run[-1].start], re.IGNORECASE)
    follows = next((t for t in tokens if t.start >= run[-1].end), None)
    close = follows is not None and text[run[-1].end : follows.start] == " "
    return comma and bool(text[: run[0].start].strip()) and close and follows is not None and (follows.is_in("copula") or not follows.is_in("where", "purpose", "bearing", "into"))
