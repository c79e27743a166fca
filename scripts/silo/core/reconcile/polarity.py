"""Whether a clause affirms or denies, which state it says, and what it says that goes."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from silo.core.reconcile.tokens import Token
from silo.text.flat import flat
from silo.text.values import Value, comparable


@dataclass(frozen=True, slots=True)
class Status:
    """A state: its family (payment, approval, any …), stage (0 open, 1 under way, 2 reached) and outcome."""

    family: str
    stage: int
    good: bool
    text: str




TWO_STATES = ("door", "lock", "switch", "stock")  # not the one is the other


def is_state(token: Token, tokens: tuple[Token, ...], values: tuple[Value, ...], text: str) -> bool:
    """Whether a word that is both a state and something else ('open', 'on', 'live') is a state here: after a copula, no
    time of day after it, and, where it is a preposition as well, at the end."""
    if not token.is_in("status"):
        return False
    if token is tokens[0] and token.word.partition(" ")[0] in ("a", "o", "the"):
        return False  # "a venda de bolos" is what is spoken of
    if token.is_in("verb") and token is not tokens[-1]:
        return False  # "works as gardener", "funciona em Olinda"
    if _ahead(token, tokens):
        return False  # "will be paid on Friday"
    if token.is_in("out") and not token.is_in("copula") and not any(t.is_in("copula") for t in tokens if t.end <= token.start and token.start - t.end < 2):
        return False  # who "has replaced" somebody is in no state
    if "price" in token.keys("attribute") and any(v.kind == "money" and v.start >= token.end for v in values):
        return False  # "pagamos 40 euros por ele": what it costs
    if not token.is_in("attribute", "scope", "noun", "where"):
        return True
    before = [t for t in tokens if t.end <= token.start][-2:]
    last = token is tokens[-1] and not token.is_in("where") and not any(v.start >= token.end for v in values)
    past = token.word.endswith(("ed", "ou", "amos", "imos", "iram", "aram")) and not any(v.kind == "time" for v in values)
    after_be = past or any(t.is_in("copula") or t.word in ("has", "have", "had") for t in before)
    if not after_be and not (last and before):
        return False
    if token.is_in("where"):
        return re.match(r"\s*(?:[.;,!]|$)", text[token.end :]) is not None
    return not any(v.kind == "time" and v.start >= token.end for v in values)


def statuses(tokens: tuple[Token, ...], values: tuple[Value, ...], text: str) -> Iterator[Status]:
    """States that the clause says; a "not" before a reached one makes it an open one."""
    for i, token in enumerate(tokens):
        if (open_ := _still(i, tokens)) is not None:
            yield open_
        if not is_state(token, tokens, values, text):
            continue
        if i and _from(tokens[i - 1]) and _TO.search(flat(text[token.end : token.end + 6])):
            continue  # "went from requested to confirmed"
        ordered = tokens[0].is_in("not") and not any(t.is_in("copula") for t in tokens[:i])  # "never leave the gate open"
        negated = ordered or any(t.is_in("not") for t in tokens[max(0, i - 3) : i])
        for key in token.keys("status"):
            family, stage, outcome = (*key.split("."), "")[:3]
            if negated and family in TWO_STATES:
                yield Status(family, 2, outcome == "no", token.word)
            elif negated and int(stage):
                yield Status(family, 0, True, token.word)
            elif not negated:
                yield Status(family, int(stage), outcome != "no", token.word)


_WILL = frozenset(["will", "shall", "i'll", "we'll", "you'll", "it'll", "he'll", "she'll", "they'll"])
_WILL_BE = frozenset(["vai ser", "vao ser", "sera", "serao", "will be", "vai estar", "estara"])


def _ahead(token: Token, tokens: tuple[Token, ...]) -> bool:
    """Whether a word is said of what is still to come: "will be paid", "vai ser pago"."""
    near = [t for t in tokens if t.end <= token.start][-3:]
    return any(t.is_in("copula") and t.word in _WILL_BE for t in near) or any(a.word in _WILL and b.is_in("copula") for a, b in itertools.pairwise(near))


_INFINITIVE = re.compile(r"[a-z]{2,}(?:ar|er|ir)\Z")
_PARTICIPLE = re.compile(r"[a-z]{2,}(?:[ai]d[oa]s?|ed|en|[iu]t[oa]s?)\Z")


def _still(i: int, tokens: tuple[Token, ...]) -> Status | None:
    """What is to be done or under way, whatever verb it is: "por vender", "a ser traduzido", "being translated"."""
    if i + 1 == len(tokens):
        return None
    word, after = tokens[i].word, tokens[i + 1]
    if after.is_in("status"):
        return None
    if word == "por" and _INFINITIVE.match(after.word) and any(t.is_in("copula") for t in tokens[:i]):
        return Status("any", 0, True, f"por {after.word}")
    going = word in ("being", "sendo") or (word == "ser" and i > 0 and tokens[i - 1].word == "a")
    return Status("any", 1, True, f"{word} {after.word}") if going and _PARTICIPLE.match(after.word) else None


def is_negative(tokens: tuple[Token, ...], values: tuple[Value, ...], text: str) -> bool:
    """An odd number of negations that deny the clause, not a value that is said to go ("28 May, not 14 May")."""
    count = 0
    for i, token in enumerate(tokens):
        if not token.is_in("not", "inner") or (token.stem == "stop" and _halts(i, tokens)):
            continue
        after = tokens[i + 1].start if i + 1 < len(tokens) else 10**9
        follows = any(token.end <= v.start < after and v.start - token.end <= 4 for v in values)
        instead = any(re.fullmatch(r"[\s,;–—-]{1,3}", text[v.end : token.start]) for v in values)
        if token.word not in ("not", "nao") or not ((follows and instead) or _aside(i, tokens, text)):
            count += 1
    return count % 2 == 1


def _halts(i: int, tokens: tuple[Token, ...]) -> bool:
    """Whether "stop" says where a train or bus does, or is such a place: "stops in Olney", "the bus stop"."""
    where = i + 1 < len(tokens) and tokens[i + 1].word in ("at", "in", "here", "by")
    thing = tokens[i].word == "stop" and i > 0 and (bool(tokens[i - 1].terms) or tokens[i - 1].word in ("a", "the", "our", "next", "last"))
    return where or thing


def _aside(i: int, tokens: tuple[Token, ...], text: str) -> bool:
    """Whether a "not" only sets an end of a clause apart: "on Signal, not by e-mail"."""
    apart = i > 0 and re.search(r"[,;–—]\s*\Z", text[: tokens[i].start]) is not None
    return apart and tokens[i].word in ("not", "nao") and not any(t.is_in("verb", "copula") for t in tokens[i + 1 :])


ORIGIN = frozenset({"from", "de", "do", "da", "dos", "das"})
_TO = re.compile(r"\b(?:to|para|pra|pro)\b")


def outgoing_values(text: str, tokens: tuple[Token, ...], values: tuple[Value, ...]) -> frozenset[int]:
    """Starts of the values that the clause says are replaced: after 'instead of', in 'from X to Y', before 'was replaced by'."""
    low = flat(text)
    found = set(outgoing_holders(tokens, values))
    for token in tokens:
        if token.is_in("passive"):
            found.update(v.start for v in values if v.end <= token.start)
        elif token.is_in("out") and (value := _first_after(token, tokens, values)) is not None and not _denied_alone(token, value, values):
            found.add(value.start)
    for first, second in itertools.pairwise(values):
        if first.kind == second.kind or comparable(first, second):
            before = [t for t in tokens if t.end <= first.start][-2:]
            gap = low[first.end : second.start]
            if any(_from(t) for t in before) and _TO.search(gap) and len(gap) < 24:
                found.add(first.start)
    return frozenset(found)


def _from(token: Token) -> bool:
    """Whether a word or phrase ends with "from": from, went from, passou de."""
    return token.word.split()[-1] in ORIGIN


def _denied_alone(token: Token, value: Value, values: tuple[Value, ...]) -> bool:
    """Whether "no longer", "já não" denies the value and nothing comes in its stead: "no longer plays in the Krone"."""
    denies = token.is_in("not") and token.word not in ("not", "nao")
    figure = value.kind not in ("name", "id")  # "weighs 40 kg, no longer 35"; a name before it is who does it
    return denies and not any(comparable(v, value) and (v.start >= token.end or figure) for v in values if v is not value)


def outgoing_holders(tokens: tuple[Token, ...], values: tuple[Value, ...]) -> frozenset[int]:
    """Starts of names from whom somebody takes over: 'took over the books from Marta', 'assumiu a tesouraria do Davi'."""
    found: set[int] = set()
    for token in tokens:
        if token.is_in("takeover"):
            held = [v for v in values if v.kind == "name" and v.start > token.end]
            found.update(v.start for v in held if any(t.word in ORIGIN and 0 < v.start - t.end <= 3 for t in tokens))
    return frozenset(found)


def _first_after(token: Token, tokens: tuple[Token, ...], values: tuple[Value, ...]) -> Value | None:
    for value in values:
        if value.start < token.end:
            continue
        between = [t for t in tokens if token.end <= t.start < value.start]
        return None if len(between) > 6 or any(t.is_in("into") for t in between) else value
    return None


def outgoing_terms(text: str, tokens: tuple[Token, ...], values: tuple[Value, ...]) -> frozenset[str]:
    """Plain words that go: 'instead of window seats', 'from kestrel to osprey', 'rather than the morning'. Terms, and
    members of contrast groups as `group.member`."""
    found: set[str] = set()
    for i, token in enumerate(tokens):
        if (token.is_in("out") and not token.is_in("not")) or _aside(i, tokens, text):
            found |= _words_until(tokens[i + 1 :], values, token.end)
        elif token.word in ("to", "a", "ao") and _over(tokens[:i]):
            found |= _words_until(tokens[i + 1 :], values, token.end)  # prefers X to Y
        elif _from(token) and _leads_to(tokens[i + 1 : i + 6]):
            found |= _words_until(tokens[i + 1 :], values, token.end)
    return frozenset(found)


def _over(tokens: tuple[Token, ...]) -> bool:
    """Whether "prefers" and what is preferred stand before: 'prefers X to Y', not 'prefers to travel'."""
    at = next((n for n, t in enumerate(tokens) if "prefer" in t.keys("attribute")), None)
    return at is not None and any(t.terms or t.is_in("contrast") for t in tokens[at + 1 :])


def _leads_to(tokens: tuple[Token, ...]) -> bool:
    """Whether a "to" follows before a verb does: 'from kestrel to osprey', 'do Trello para o Notion'."""
    for token in tokens:
        if token.is_in("copula", "verb") or {"change", "replace"} & set(token.keys("cue")):
            return False
        if token.word in ("to", "para", "pra"):
            return True
    return False


def _words_until(tokens: tuple[Token, ...], values: tuple[Value, ...], start: int) -> set[str]:
    """The words up to a link ("to", "for", "por", "and"), a verb or a value; four at most."""
    found: set[str] = set()
    for token in tokens[:4]:
        stop = token.is_in("into", "copula", "cue") or token.word in ("to", "para", "pra", "a", "ao") or any(start <= v.start < token.start for v in values)
        if stop:
            break
        found.update(token.terms)
        found.update(token.keys("contrast"))
        found.update(key for key in token.keys("scope") if key.startswith("days."))
    return found
