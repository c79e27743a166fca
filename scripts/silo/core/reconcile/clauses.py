"""Where a statement falls into clauses, and what each of them says of what.

A clause has one predicate. A comma parts clauses only where something like a verb stands on both sides; a clause that
starts with a pronoun or a bare verb ("it is 4 TB now", "passa a ser Barro Vivo") has the subject of the one before.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date

from silo.core.reconcile.labels import labels_of
from silo.core.reconcile.parting import VERBAL, denies, is_pronoun, spans
from silo.core.reconcile.polarity import (
    ORIGIN,
    Status,
    is_negative,
    is_state,
    outgoing_holders,
    outgoing_terms,
    outgoing_values,
    statuses,
)
from silo.core.reconcile.predicate import done_by, find_predicate, leaves_behind, named_event
from silo.core.reconcile.tokens import Token
from silo.text.flat import flat
from silo.text.stem import stem
from silo.text.values import Value

Groups = dict[str, frozenset[str]]
Gaps = tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a statement with one predicate. Terms are stems or noun keys; offsets count in the statement's text."""

    start: int
    end: int
    verb: int  # where the predicate begins; the clause's start where none was found
    copula: bool
    subject: frozenset[str]
    predicate: frozenset[str]
    tokens: tuple[Token, ...]
    values: tuple[Value, ...]
    attributes: frozenset[str]  # keys of the properties that it names
    topics: frozenset[str]  # those of them that stand before the verb: "the deadline is …"
    slots: bool  # names a property whose value is whatever follows
    purpose: frozenset[str]  # the terms after "for", "para"; they stand in subject or predicate as well
    place: frozenset[str]  # the terms right after a preposition of place, and where something was moved to
    stays: bool  # says where something is: it is, stands, is kept, was moved there
    soft: frozenset[str]  # verbs that help to align and never part
    contrasts: Groups  # group → members, e.g. colour → {green}
    scopes: Groups
    bearings: Groups  # before/after, over/under, only, with
    statuses: tuple[Status, ...]
    negative: bool
    yet: bool
    past: bool
    cues: frozenset[str]
    leaves: bool
    joins: bool
    front: frozenset[str]  # terms of an opening phrase: "After the new disk, …"
    outgoing: frozenset[int]  # starts of the values that are said to go
    gone: frozenset[str]  # terms, contrast members and weekdays that are said to go
    holders: frozenset[int]  # starts of the names from whom somebody takes over; they are outgoing as well
    labels: Mapping[str, str]  # the number or letter of a thing by its noun's stem: level two
    inherited: bool = field(default=False)

    @property
    def taken(self) -> bool:
        """Whether it tells that somebody took something over."""
        return any(t.is_in("takeover") for t in self.tokens)

    @property
    def offices(self) -> frozenset[str]:
        """What it says somebody has charge of; who took something over has it since."""
        return self.attributes | {"charge"} if self.taken else self.attributes

    @property
    def terms(self) -> frozenset[str]:
        return self.subject | self.predicate


def read_clauses(text: str, tokens: tuple[Token, ...], values: tuple[Value, ...], gaps: Gaps) -> tuple[Clause, ...]:
    """The clauses of a statement, at least one. `gaps` are signs of change in two parts (`Vocabulary.gaps`)."""
    found: list[Clause] = []
    for start, end, body in spans(text, tokens):
        clause = _with_gaps(_clause(text, tokens, values, start, end, body), gaps)
        found.append(_inherit(found[-1], clause) if found and _leans(text, clause) else clause)
    return tuple(found)


def _with_gaps(clause: Clause, gaps: Gaps) -> Clause:
    """The clause with the signs of change whose two parts stand in it: "put the fee up", "não aceita mais"."""
    stems = [stem(word) for token in clause.tokens for word in token.word.split()]
    found = set()
    for key, first, last in gaps:
        for i, word in enumerate(stems):
            if word == first and last in stems[i + 1 : i + 8]:
                found.add(key)
    return replace(clause, cues=clause.cues | found) if found else clause


def _leans(text: str, clause: Clause) -> bool:
    """Whether the clause has no subject of its own: it starts with a pronoun, a copula or a verb of change."""
    if clause.subject or not clause.tokens or clause.tokens[0].word == "there":
        return False
    points = any(is_pronoun(t) or t.is_in("yet") or "now" in t.keys("cue") for t in clause.tokens)
    if clause.values and points and not clause.terms and not clause.attributes:
        return True  # "Mo Haddad does it now"
    first = clause.tokens[0]
    bare = not any(v.start < first.start for v in clause.values)
    if first.is_in("not") and denies(clause.tokens, clause.start, clause.end):
        return True
    says_be = any(t.is_in("copula") for t in clause.tokens[:3]) and first.is_in("verb", "cue", "copula", "little")
    return bare and (is_pronoun(first) or first.is_in("copula", "attribute", "verb") or says_be)


def _inherit(before: Clause, clause: Clause) -> Clause:
    """The clause with the subject (or, where that is open, the object) and the property of the one before."""
    named = frozenset(term for t in before.tokens if not VERBAL.match(t.word) for term in t.terms)
    return replace(
        clause,
        subject=(before.subject or before.predicate) & named,
        topics=clause.topics or before.topics,
        attributes=clause.attributes or before.attributes,
        slots=clause.slots or before.slots,
        scopes={**before.scopes, **clause.scopes},
        inherited=True,
    )


def _clause(text: str, tokens: tuple[Token, ...], values: tuple[Value, ...], start: int, end: int, body: int) -> Clause:
    mine = tuple(t for t in tokens if start <= t.start < end)
    own = _with_period(mine, tuple(v for v in values if start <= v.start < end))
    verb, copula = find_predicate(text, mine, body, end)
    terms = [(t, key) for t in mine for key in t.terms]
    purpose, place = _governed(mine, own, "purpose"), _governed(mine, own, "where")
    outgoing = outgoing_terms(text, mine, own)
    moved = _destination(mine, own) if outgoing else frozenset()
    purpose, place = purpose - moved, place | moved
    done, act = done_by(text, mine, own)
    habit = any(v.kind == "every" for v in own)  # "is cleaned every week" says what is done, not what is so now
    if habit:
        act |= frozenset(key for t in mine if t.is_in("status") for key in t.keys("act"))
    hours = any(v.kind == "time" and v.high is not None for v in own)  # "is closed from 12 to 14" says when, not what is so now
    event = named_event(mine, own, body, verb) if copula else None
    states = set() if habit else {t.start for t in mine if t is not done and is_state(t, mine, own, text) and not (hours and _door(t))}
    return Clause(
        start=start,
        end=end,
        verb=verb,
        copula=copula,
        subject=frozenset(key for t, key in terms if body <= t.start < verb) | (frozenset({event.stem}) if event else frozenset()),
        predicate=frozenset(key for t, key in terms if t.start >= verb) | act,
        tokens=mine,
        values=own,
        attributes=_properties((t for t in mine if t.start >= body and t.start not in states), own, hours),
        topics=_properties((t for t in mine if body <= t.start < verb and t.start not in states), own, hours),
        slots=any(t.is_in("slot") for t in mine),
        purpose=frozenset(key for t, key in terms if t.start in purpose),
        place=frozenset(key for t, key in terms if t.start in place),
        stays=copula or bool(moved) or any(t.is_in("stay") for t in mine),
        soft=frozenset(t.stem for t in mine if t.is_in("cue", "verb", "decision") and not t.is_in("copula")),
        contrasts=_groups(mine, "contrast"),
        scopes=_undated(_groups(mine, "scope"), own),
        bearings=_groups(tuple(t for t in mine if not _idle(t, own)), "bearing"),
        statuses=() if habit else tuple(statuses(tuple(t for t in mine if t is not done and t is not event and not (hours and _door(t))), own, text)),
        negative=is_negative(mine, own, text),
        yet=any(t.is_in("yet") for t in mine),
        past=any(t.is_in("past") for t in mine),
        cues=_more(text, own) | frozenset(k for t in mine if t is not event for k in t.keys("cue")),
        leaves=any(t.is_in("leave") and not leaves_behind(t, mine) for t in mine),
        joins=any(t.is_in("join") for t in mine),
        front=frozenset(key for t, key in terms if t.start < body),
        outgoing=outgoing_values(text, mine, own),
        gone=outgoing,
        holders=outgoing_holders(mine, own),
        labels=labels_of(text, mine, own, verb) if mine else {},
    )


_ROUND = {86400.0: "day", 604800.0: "week", 2629800.0: "month", 31557600.0: "year"}  # seconds between two times


def _with_period(tokens: tuple[Token, ...], values: tuple[Value, ...]) -> tuple[Value, ...]:
    """The values with an amount of money as that of the one period which another word of the clause names: "the monthly fee"."""
    money = [v for v in values if v.kind == "money"]
    if not money or any(v.per for v in money):
        return values
    named = {key for t in tokens for key in t.keys("period")} | {_ROUND[v.amount] for v in values if v.kind == "every" and v.high is None and v.amount in _ROUND}
    return tuple(replace(v, per=min(named)) if v in money and len(named) == 1 else v for v in values)


def _door(token: Token) -> bool:
    return any(key.startswith("door.") for key in token.keys("status"))


def _properties(tokens: Iterable[Token], values: tuple[Value, ...], hours: bool) -> frozenset[str]:
    """The properties that tokens name; a length in hours is a duration, open or closed from one hour to another the property
    of opening or closing."""
    tokens = tuple(tokens)
    found = frozenset(key for t in tokens for key in t.keys("attribute"))
    if hours:
        found |= frozenset("finish" if key.endswith(".no") else "start" for t in tokens if _door(t) for key in t.keys("status") if key.startswith("door."))
    if "validity" in found:
        found = found - {"validity", "finish"} | {"duration" if any(v.kind == "duration" for v in values) else "finish"}
    lasting = "length" in found and any(v.kind == "duration" for v in values) and not any(v.kind == "length" for v in values)
    if not any(v.kind in ("duration", "time") or (v.kind == "number" and not v.of) for v in values):
        found = found - {"duration"} | ({"consume"} if "duration" in found else set())  # "takes two pills" tells no time
    return found - {"length"} | {"duration"} if lasting else found


_MORE_BEFORE = re.compile(r"\b(?:mais|another|outros|outras)\s+\Z")
_MORE_AFTER = re.compile(r"\s+(?:(?:more|extra|fewer|a mais|a menos)\b|(?:\w+\s+)?left\b(?!\s+(?:the|hand|side)))")


def _more(text: str, values: tuple[Value, ...]) -> frozenset[str]:
    """'Three more', 'mais duas' beside a figure: it has changed by so much."""
    low = flat(text)
    by = any(v.kind == "number" and (_MORE_BEFORE.search(low[: v.start]) or _MORE_AFTER.match(low, v.end)) for v in values)
    return frozenset({"change"}) if by else frozenset()


def _governed(tokens: tuple[Token, ...], values: tuple[Value, ...], table: str) -> frozenset[int]:
    """Starts of the words right after a preposition of `table`: up to three, until a value or another kind of word."""
    found: set[int] = set()
    for i, token in enumerate(tokens):
        if not token.is_in(table):
            continue
        left = 3
        for after in tokens[i + 1 :]:
            if left == 0 or after.is_in("verb", "copula", "cue", "not"):
                break
            if any(token.end <= v.start < after.start for v in values):
                break
            if after.terms:
                found.add(after.start)
                left -= 1
            elif not after.is_in("little"):
                break
    return frozenset(found)


def _destination(tokens: tuple[Token, ...], values: tuple[Value, ...]) -> frozenset[int]:
    """Starts of the words after the "to" of "moved from the attic to the hall", "mudado da cave para a sala"."""
    cue = next((t for t in tokens if t.is_in("cue")), None)
    origin = next((t for t in tokens if cue is not None and t.start >= cue.start and t.word.split()[-1] in ORIGIN), None)
    if origin is None:
        return frozenset()
    to = next((t for t in tokens if t.start > origin.start and t.word in ("to", "into", "para", "pra", "pro")), None)
    if to is None:
        return frozenset()
    found: set[int] = set()
    for token in tokens:
        if token.start <= to.start or (not token.terms and token.is_in("little")):
            continue
        if not token.terms or len(found) == 3 or any(to.end <= v.start < token.start for v in values):
            break
        found.add(token.start)
    return frozenset(found)


def _idle(token: Token, values: tuple[Value, ...]) -> bool:
    """"More than", "mais de" without a figure after it says nothing of an amount."""
    over = any(key.startswith("amount.") for key in token.keys("bearing"))
    return over and not any(0 <= v.start - token.end <= 4 for v in values)


_WEEK = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def _undated(scopes: Groups, values: tuple[Value, ...]) -> Groups:
    """The circumstances without the weekday that a date of the clause is: "13 March, a Friday"."""
    days = frozenset(_WEEK[date.fromisoformat(v.day).weekday()] for v in values if len(v.day) == 10 and not v.until)
    if not days or "days" not in scopes:
        return scopes
    left = scopes["days"] - days
    return {group: left if group == "days" else members for group, members in scopes.items() if group != "days" or left}


def _groups(tokens: tuple[Token, ...], table: str) -> Groups:
    found: dict[str, set[str]] = {}
    for token in tokens:
        for key in token.keys(table):
            group, _, member = key.partition(".")
            found.setdefault(group, set()).add(member)
    return {group: frozenset(members) for group, members in found.items()}
