"""Where the predicate of a clause begins, and who or what stands in odd places beside it: the doer of a passive, an event
that is the subject, a thing that is left behind.
"""

from __future__ import annotations

import itertools
import re

from silo.core.reconcile.parting import ARTICLES
from silo.core.reconcile.tokens import Token
from silo.text.flat import flat
from silo.text.values import Value


def find_predicate(text: str, tokens: tuple[Token, ...], start: int, end: int) -> tuple[int, bool]:
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
        noun = bool(before) and before[-1].word in ARTICLES and not low[before[-1].end : token.start].strip()  # "a diária custa", "the fee went up"
        if first_verb is None and not noun and token.is_in("verb", "attribute", "cue", "leave", "join", "status", "act", "decision") and not token.is_in("noun", "where"):
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
    if len(mine) < 3 or mine[0].word not in ARTICLES:
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


def named_event(tokens: tuple[Token, ...], values: tuple[Value, ...], body: int, verb: int) -> Token | None:
    """The noun that a clause is about where the tables know it as a word of change alone: "the move is on 3 May"."""
    before = [t for t in tokens if body <= t.start < verb]
    if len(before) < 2 or any(v.end <= verb and v.start >= body for v in values) or any(t.terms or t.is_in("attribute") for t in before):
        return None
    last, article = before[-1], before[-2]
    changes = ({"change", "replace"} & set(last.keys("cue")) or last.is_in("status")) and not last.word.endswith(("ed", "ing", "ado", "ada"))
    return last if changes and article.word in ARTICLES else None


_THINGS = {"left": ("his", "her", "their", "a", "an", "some", "it", "them"), "deixou": ("seu", "sua", "seus", "suas", "um", "uma")}


def leaves_behind(token: Token, tokens: tuple[Token, ...]) -> bool:
    """Whether something is left, not a group or a place: "left his umbrella in the hall", not "left his post"."""
    after = [t for t in tokens if t.start >= token.end][:2]
    if len(after) < 2 or after[0].word not in _THINGS.get(token.word, ()):
        return False
    return after[1].word not in ("post", "job", "role", "position", "office", "wife", "husband", "cargo", "emprego", "posto")


_BY = frozenset(["by", "por", "pelo", "pela", "pelos", "pelas"])


def done_by(text: str, tokens: tuple[Token, ...], values: tuple[Value, ...]) -> tuple[Token | None, frozenset[str]]:
    """The participle of a passive whose doer is named ("is approved by Ana"), and the term of its verb; it says no state."""
    for i, token in enumerate(tokens[:-1]):
        by = tokens[i + 1]
        if by.word not in _BY or text[token.end : by.start].strip() or not any(t.is_in("copula") for t in tokens[max(0, i - 3) : i]):
            continue
        named = any(0 < v.start - by.end <= 3 and v.kind == "name" for v in values)
        if named and (token.is_in("act") or not token.is_in("attribute", "verb", "noun", "cue", "leave")):
            return token, frozenset(token.keys("act")) or frozenset({token.stem})
    return None, frozenset()
