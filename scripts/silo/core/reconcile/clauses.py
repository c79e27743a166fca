"""Where a statement falls into clauses, and what each of them says of what.

A clause has one predicate. A comma parts clauses only where something like a verb stands on both sides; a clause that
starts with a pronoun or a bare verb ("it is 4 TB now", "passa a ser Barro Vivo") has the subject of the one before.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from silo.core.reconcile.labels import labels_of
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
from silo.core.reconcile.tokens import Token
from silo.text.flat import flat
from silo.text.stem import stem
from silo.text.values import Value
from silo.text.vocabulary import WORD

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
    for start, end, body in _spans(text, tokens):
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


# --- where they part --------------------------------------------------------------------------------------

_TITLES = "".join(rf"(?<!\b{t})" for t in ("Dr", "Dra", "Mr", "Mrs", "Ms", "Sr", "Sra", "St", "Prof", "Av", "No", "no", "nr"))
_BREAK = re.compile(
    rf"\s*;\s*|{_TITLES}[.!?…]+\s+|\s[—–-]\s|,\s+(?:but|mas|porque|because|so|so that|entao|então|e agora|and now)\s+|\s+(?:because|porque|but|mas)\s+|,\s+|\s+\("
)
_VERBISH = ("copula", "verb", "cue", "leave", "join", "status", "unreal", "hearsay")
# Endings of finite verbs that the tables do not list; good enough to tell a clause from a list item.
_VERBAL = re.compile(r"[a-z]{2,}(?:ied|[^e]ed|amos|emos|imos|aram|eram|iram|ou|iu|ava|avam|ei)\Z")
# A name that does something in an ending that nouns have as well: "o Gavião encheu", "a Hetzner caía muito".
_NAMED_ACTS = re.compile(
    r"(?:[oa]s? )?[A-ZÀ-Þ][\w-]+ [^\W\d_]+(?:eu|iu|ia|iam|ía|íam)\b|[oa]s? [^\W\d_]+ (?!muse|pne|europe|chapé|trofé)[^\W\d_]{2,}(?:eu|iu)\b"
)
_PRONOUNS = frozenset(["it", "it's", "its", "he", "she", "they", "we", "he's", "she's", "they're", "we're", "ele", "ela", "eles", "elas", "isso", "isto", "esta", "este"])
_ARTICLES = frozenset(["the", "a", "an", "our", "my", "his", "her", "their", "o", "os", "as", "um", "uma", "nosso", "nossa", "meu", "minha", "seu", "sua"])
_OPENING = frozenset(["on", "at", "in", "during", "for", "when", "while", "after", "before", "since", "with", "from", "without", "as", "em", "no", "na", "nos", "nas", "aos", "as", "ao", "durante", "quando", "para", "depois", "antes", "desde", "com", "apos"])


def _spans(text: str, tokens: tuple[Token, ...]) -> list[tuple[int, int, int]]:
    """(start, end, where its opening phrase ends) of each clause."""
    cuts = [m for m in _BREAK.finditer(text) if not re.match(r"\d", text[m.end() : m.end() + 1]) or m[0].strip() not in (",", ".") or _figure_acts(tokens, m.end())]
    edges = [0, *(m.end() for m in cuts), len(text)]
    firm = [False, *(m[0].strip() not in (",", "(") for m in cuts)]
    parts: list[tuple[int, int, int]] = []
    for i, (a, b) in enumerate(itertools.pairwise(edges)):
        if b <= a:
            continue
        joins = bool(parts) and not firm[i]
        acts = _NAMED_ACTS.match(text, a) is not None
        if joins and not _has_verb(tokens, parts[-1][2], parts[-1][1]):
            opening = _starts_with(text, parts[-1][0], _OPENING)
            parts[-1] = (parts[-1][0], b, a if opening else parts[-1][2])
        elif joins and not acts and not _has_verb(tokens, a, b) and not _denies(tokens, a, b):
            parts[-1] = (parts[-1][0], b, parts[-1][2])
        else:
            parts.append((a, b, a))
    return parts or [(0, len(text), 0)]


def _figure_acts(tokens: tuple[Token, ...], start: int) -> bool:
    """Whether the figure at `start` has a verb right behind it: ", 8080 clashed with the printer"."""
    first = next((t for t in tokens if t.start >= start), None)
    return first is not None and first.start - start < 12 and (first.is_in("copula", "verb") or _VERBAL.match(first.word) is not None)


def _has_verb(tokens: tuple[Token, ...], start: int, end: int) -> bool:
    inside = [t for t in tokens if start <= t.start < end]
    if inside and _is_pronoun(inside[0]):
        return True
    inside = [t for t in inside if t is inside[-1] or not (t.is_in("where") and t.is_in("status"))]  # "not on paper"
    return any(t.is_in(*_VERBISH) or (t.is_in("attribute") and not t.is_in("noun")) or _VERBAL.match(t.word) for t in inside)


def _denies(tokens: tuple[Token, ...], start: int, end: int) -> bool:
    """Whether a part without a verb says what there is none of: "cash only, no cards", "com pátio, sem piscina"."""
    inside = [t for t in tokens if start <= t.start < end]
    return 1 < len(inside) < 4 and inside[0].word in ("no", "without", "sem", "nenhum", "nenhuma") and bool(inside[1].terms)


def _is_pronoun(token: Token) -> bool:
    """A pronoun, contracted ones too: it, it's, we'll."""
    return token.word.partition("'")[0] in _PRONOUNS


def _starts_with(text: str, start: int, words: frozenset[str]) -> bool:
    word = WORD.search(flat(text), start)
    return word is not None and word[0] in words


def _leans(text: str, clause: Clause) -> bool:
    """Whether the clause has no subject of its own: it starts with a pronoun, a copula or a verb of change."""
    if clause.subject or not clause.tokens or clause.tokens[0].word == "there":
        return False
    points = any(_is_pronoun(t) or t.is_in("yet") or "now" in t.keys("cue") for t in clause.tokens)
    if clause.values and points and not clause.terms and not clause.attributes:
        return True  # "Mo Haddad does it now"
    first = clause.tokens[0]
    bare = not any(v.start < first.start for v in clause.values)
    if first.is_in("not") and _denies(clause.tokens, clause.start, clause.end):
        return True
    says_be = any(t.is_in("copula") for t in clause.tokens[:3]) and first.is_in("verb", "cue", "copula", "little")
    return bare and (_is_pronoun(first) or first.is_in("copula", "attribute", "verb") or says_be)


def _inherit(before: Clause, clause: Clause) -> Clause:
    """The clause with the subject (or, where that is open, the object) and the property of the one before."""
    named = frozenset(term for t in before.tokens if not _VERBAL.match(t.word) for term in t.terms)
    return replace(
        clause,
        subject=(before.subject or before.predicate) & named,
        topics=clause.topics or before.topics,
        attributes=clause.attributes or before.attributes,
        slots=clause.slots or before.slots,
        scopes={**before.scopes, **clause.scopes},
        inherited=True,
    )


# --- what one says ----------------------------------------------------------------------------------------


def _clause(text: str, tokens: tuple[Token, ...], values: tuple[Value, ...], start: int, end: int, body: int) -> Clause:
    mine = tuple(t for t in tokens if start <= t.start < end)
    own = tuple(v for v in values if start <= v.start < end)
    verb, copula = _predicate(text, mine, body, end)
    terms = [(t, key) for t in mine for key in t.terms]
    purpose, place = _governed(mine, own, "purpose"), _governed(mine, own, "where")
    outgoing = outgoing_terms(text, mine, own)
    moved = _destination(mine, own) if outgoing else frozenset()
    purpose, place = purpose - moved, place | moved
    done, act = _done_by(text, mine, own)
    habit = any(v.kind == "every" for v in own)  # "is cleaned every week" says what is done, not what is so now
    if habit:
        act |= frozenset(key for t in mine if t.is_in("status") for key in t.keys("act"))
    hours = any(v.kind == "time" and v.high is not None for v in own)  # "is closed from 12 to 14" says when, not what is so now
    event = _named_event(mine, own, body, verb) if copula else None
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
        scopes=_groups(mine, "scope"),
        bearings=_groups(tuple(t for t in mine if not _idle(t, own)), "bearing"),
        statuses=() if habit else tuple(statuses(tuple(t for t in mine if t is not done and not (hours and _door(t))), own, text)),
        negative=is_negative(mine, own, text),
        yet=any(t.is_in("yet") for t in mine),
        past=any(t.is_in("past") for t in mine),
        cues=_more(text, own) | frozenset(k for t in mine if t is not event for k in t.keys("cue")),
        leaves=any(t.is_in("leave") and not _leaves_behind(t, mine) for t in mine),
        joins=any(t.is_in("join") for t in mine),
        front=frozenset(key for t, key in terms if t.start < body),
        outgoing=outgoing_values(text, mine, own),
        gone=outgoing,
        holders=outgoing_holders(mine, own),
        labels=labels_of(text, mine, own, verb) if mine else {},
    )


def _door(token: Token) -> bool:
    return any(key.startswith("door.") for key in token.keys("status"))


def _properties(tokens: Iterable[Token], values: tuple[Value, ...], hours: bool) -> frozenset[str]:
    """The properties that tokens name; a length in hours is a duration, open or closed from one hour to another the property
    of opening or closing."""
    tokens = tuple(tokens)
    found = frozenset(key for t in tokens for key in t.keys("attribute"))
    if hours:
        found |= frozenset("finish" if key.endswith(".no") else "start" for t in tokens if _door(t) for key in t.keys("status") if key.startswith("door."))
    lasting = "length" in found and any(v.kind == "duration" for v in values) and not any(v.kind == "length" for v in values)
    if not any(v.kind in ("duration", "time") or (v.kind == "number" and not v.of) for v in values):
        found = found - {"duration"} | ({"consume"} if "duration" in found else set())  # "takes two pills" tells no time
    return found - {"length"} | {"duration"} if lasting else found


def _named_event(tokens: tuple[Token, ...], values: tuple[Value, ...], body: int, verb: int) -> Token | None:
    """The noun that a clause is about where the tables know it as a word of change alone: "the move is on 3 May"."""
    before = [t for t in tokens if body <= t.start < verb]
    if len(before) < 2 or any(v.end <= verb and v.start >= body for v in values) or any(t.terms or t.is_in("attribute") for t in before):
        return None
    last, article = before[-1], before[-2]
    changes = {"change", "replace"} & set(last.keys("cue")) and not last.word.endswith(("ed", "ing", "ado", "ada"))
    return last if changes and article.word in _ARTICLES else None


_THINGS = {"left": ("his", "her", "their", "a", "an", "some", "it", "them"), "deixou": ("seu", "sua", "seus", "suas", "um", "uma")}


def _leaves_behind(token: Token, tokens: tuple[Token, ...]) -> bool:
    """Whether something is left, not a group or a place: "left his umbrella in the hall", not "left his post"."""
    after = [t for t in tokens if t.start >= token.end][:2]
    if len(after) < 2 or after[0].word not in _THINGS.get(token.word, ()):
        return False
    return after[1].word not in ("post", "job", "role", "position", "office", "wife", "husband", "cargo", "emprego", "posto")


_BY = frozenset(["by", "por", "pelo", "pela", "pelos", "pelas"])


def _done_by(text: str, tokens: tuple[Token, ...], values: tuple[Value, ...]) -> tuple[Token | None, frozenset[str]]:
    """The participle of a passive whose doer is named ("is approved by Ana"), and the term of its verb; it says no state."""
    for i, token in enumerate(tokens[:-1]):
        by = tokens[i + 1]
        if by.word not in _BY or text[token.end : by.start].strip() or not any(t.is_in("copula") for t in tokens[max(0, i - 3) : i]):
            continue
        named = any(0 < v.start - by.end <= 3 and v.kind == "name" for v in values)
        if named and (token.is_in("act") or not token.is_in("attribute", "verb", "noun", "cue", "leave")):
            return token, frozenset(token.keys("act")) or frozenset({token.stem})
    return None, frozenset()


_MORE_BEFORE = re.compile(r"\b(?:mais|another|outros|outras)\s+\Z")
_MORE_AFTER = re.compile(r"\s+(?:(?:more|extra|fewer|a mais|a menos)\b|(?:\w+\s+)?left\b(?!\s+(?:the|hand|side)))")


def _more(text: str, values: tuple[Value, ...]) -> frozenset[str]:
    """'Three more', 'mais duas' beside a figure: it has changed by so much."""
    low = flat(text)
    by = any(v.kind == "number" and (_MORE_BEFORE.search(low[: v.start]) or _MORE_AFTER.match(low, v.end)) for v in values)
    return frozenset({"change"}) if by else frozenset()


def _predicate(text: str, tokens: tuple[Token, ...], start: int, end: int) -> tuple[int, bool]:
    """Where the predicate begins: at the first copula, colon or equals sign after a subject, else at the first verb."""
    low = flat(text)
    first_verb = None
    for i, token in enumerate(tokens):
        if token.start < start:
            continue
        if token.is_in("copula"):
            return token.start, True
        before = [t for t in tokens[:i] if t.start >= start]
        edge = before[-1].end if before else start
        if mark := re.search(r"[:=]", low[edge : token.start]):
            at = edge + mark.start()
            if any(t.terms or t.is_in("attribute") for t in before) or any(c.isdigit() for c in low[start:at]):
                return at, True
        noun = bool(before) and before[-1].word in _ARTICLES and not low[before[-1].end : token.start].strip()  # "a diária custa", "the fee went up"
        if first_verb is None and not noun and token.is_in("verb", "attribute", "cue", "leave", "join", "status", "act") and not token.is_in("noun", "where"):
            first_verb = token.start
    if mark := re.search(r"\s*[:=]\s", low[start:end]):
        return start + mark.start(), True
    if first_verb is None and (unlisted := _unlisted_verb(low, tokens, start)) is not None:
        return unlisted, False
    return (first_verb if first_verb is not None else start), False


_BEHIND = frozenset(["for", "in", "at", "on", "to", "from", "with", "by", "between", "only", "em", "as", "no", "na", "por", "para", "de", "das", "entre", "com", "so"])


def _unlisted_verb(low: str, tokens: tuple[Token, ...], start: int) -> int | None:
    """Where a verb that no table lists stands, by its place: "the broth simmers for …", "a tinta seca em …". Behind an
    article and a noun, before a preposition or a figure; in English with the ending of he, she and it."""
    mine = [t for t in tokens if t.start >= start]
    if len(mine) < 3 or mine[0].word not in _ARTICLES:
        return None
    english = mine[0].word in ("the", "our", "my", "his", "her", "their", "an")
    for noun, verb in itertools.pairwise(mine[1:]):
        if not noun.terms or not verb.terms or low[noun.end : verb.start] != " " or verb.is_in("noun", "role"):
            continue
        after = next((t for t in mine if t.start >= verb.end), None)
        gap = low[verb.end : after.start] if after is not None else low[verb.end :]
        behind = bool(re.match(r"\s+\d", gap)) or (after is not None and after.word in _BEHIND and gap == " ")
        ending = verb.word.endswith("s") and not verb.word.endswith("ss") and not noun.word.endswith("s") if english else verb.word.endswith(("a", "e", "am", "em"))
        if behind and ending:
            return verb.start
    return None


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
    origin = next((t for t in tokens if t.word.split()[-1] in ORIGIN), None)
    if origin is None or not any(t.is_in("cue") and t.start <= origin.start for t in tokens):
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


def _groups(tokens: tuple[Token, ...], table: str) -> Groups:
    found: dict[str, set[str]] = {}
    for token in tokens:
        for key in token.keys(table):
            group, _, member = key.partition(".")
            found.setdefault(group, set()).add(member)
    return {group: frozenset(members) for group, members in found.items()}
