"""What a sentence has for and against it by its own words: the acts that it does, what it is about, and idle talk. Weights for
`worth.py`, which adds what the answer says of it.
"""

from __future__ import annotations

import re

from silo.core.extract.acts import Sentence
from silo.core.extract.changes import Values
from silo.core.extract.tagging import PROHIBITS, ahead, decides

__all__ = ["acts", "fleeting", "idle_talk", "is_short", "matter", "solid"]

_FIRST = re.compile(r"\W*(?:o |a |os |as |the )?([\w'’-]+)")


def solid(s: Sentence, values: Values) -> bool:
    """It has something to hold on to: a figure, a name, a command, or an act that is meant to last."""
    return (
        bool(s.steps or s.recurring or s.figures or s.counts or s.dates or s.names or s.marks or values.old)
        or s.has(
            "decision",
            "limit",
            "not_doing",
            "rule",
            "rule_soft",
            "remind",
            "todo_strong",
            "change_strong",
            "preference",
            "did",
            "completed",
        )
        or s.forbids
        or bool(PROHIBITS.search(s.low))
        or (s.headed and s.has("attribute"))
        or (s.has("kept_thing") and s.has("state") and not s.has("retract"))
        or _plain_fact(s) > 1
        or _condition(s)
        or (s.has("settled") and s.size <= 6)
    )


def acts(s: Sentence, values: Values) -> float:
    """What the sentence does."""
    score = 3.0 if decides(s) or s.has("limit") else 0.0
    score += 3.0 if s.has("change_strong") or values.old else 1.0 if s.has("change") else 0.0
    score += (
        3.0 if s.has("rule") else 2.6 if s.forbids and s.size >= 3 else 2.0 if s.has("rule_soft") else 0.0
    )
    if PROHIBITS.search(s.low) and not s.past:
        score += 2.6
    score += 3.0 if s.has("remind") else 2.5 if s.has("todo_strong") else 1.0 if s.has("todo") else 0.0
    score += (
        3.0
        if s.steps
        else 2.0
        if s.has("howto") and (s.marks or s.figures)
        else 1.0
        if s.has("howto")
        else 0.0
    )
    score += 0.6 if s.has("rule_soft") and s.opens("reject_thing") else 0.0  # "skip the greeting in future"
    score += 1.0 if _CONTRAST.search(s.low) else 0.0
    score += 2.0 if s.has("preference") else 1.2 if s.has("taste") else 0.0
    score += 1.5 if s.has("state_self") else 1.0 if s.has("state") else 0.0
    score += 0.7 if s.has("mine") else 0.0
    score += 0.8 if s.has("event") else 0.0
    score += 2.0 if s.has("completed") else 1.5 if s.has("did") else 0.5 if s.past else 0.0
    return score + (0.5 if s.has("report") else 0.0)


_CONTRAST = re.compile(
    r"(?:,\s+(?:not|and not|nao|e nao)|(?<=\w)\s(?:not|e nao))\s+(?:the |a |an |o |um |uma )?\w+\W*$"
)


def matter(s: Sentence) -> float:
    """What the sentence holds."""
    score = (
        (1.9 if len(s.figures) > 1 else 1.5 if s.figures else 0.8 if s.counts else 0.0)
        + (1.0 if s.dates or s.recurring else 0.0)
        + (1.0 if ahead(s) else 0.0)
        + (1.0 if s.names else 0.0)
        + (1.5 if s.marks else 0.0)
    )
    first = _FIRST.match(s.body)
    if (first and first[1] in s.names) or _named_first(s):
        score += 0.6  # somebody or something with a name is what it is about
    if s.has("role") and (s.names or _named_first(s)):
        score += 0.8  # who does it
    score += max(_plain_fact(s), 1.7 if _condition(s) else 0.0)
    if s.has("kept_thing") and s.has("state") and not s.has("retract") and _SOMEWHERE.search(s.low):
        score += 1.5
    return score + (1.5 if s.headed else 0.0) + (0.8 if s.has("attribute") else 0.0)


_FULL_NAME = re.compile(r"(?:[Oo] |[Aa] )?([A-ZÀ-Þ][\w'’-]+)(?: (?:d[aeo]s? )?[A-ZÀ-Þ][\w'’-]+)+(?= [a-zà-ÿ])")


def _named_first(s: Sentence) -> bool:
    """It begins with a name of several words, of which the first one has its capital anyway: "Rui Costa keeps the key"."""
    found = _FULL_NAME.match(s.body)
    return found is not None and found[1].lower() not in s.lang.function_words and not s.opens("filler_stop")


_THING_FIRST = re.compile(
    r"(?:[\w'’-]+,? ){0,3}?(?:the|my|our|his|her|their|o|a|os|as|meu|minha|nosso|nossa|seu|sua) [\w'’-]+"
)


def _condition(s: Sentence) -> bool:
    """It says how a thing is until somebody changes that: "the pump is broken", "a bicicleta fica na garagem"."""
    return (
        s.has("condition")
        and s.has("state")
        and s.size <= 16
        and not s.pronoun
        and not s.has("hedge", "soft_hedge", "evaluation", "feeling", "weather", "joke", "wish", "anecdote")
        and _THING_FIRST.match(s.low[s.core :]) is not None
    )


_WEATHER_OF = re.compile(r"\w{3,} d[eao]s? $")
_WEATHER_NOUN = re.compile(r" (?!is|was|are|were|has|today|tonight|outside|here|there|again|now|and|but|so|for|in|on|at|this|next|all|e|é|esta|hoje|aqui|que|mas)[a-z]{3,}")


def _weather(s: Sentence) -> bool:
    """It speaks of the weather; a weather station and a barril de chuva do not."""

    def thing(a: int, b: int) -> bool:
        front = _WEATHER_OF.search(s.low[:a]) is not None
        return front or (s.lang.code == "en" and " " not in s.low[a:b] and _WEATHER_NOUN.match(s.low, b) is not None)

    return any(not thing(a, b) for a, b in s.spans.get("weather", ()))


def fleeting(s: Sentence) -> bool:
    """It points at what was just said, or tells what today is like: to take it in means nothing."""
    bare = not (s.figures or s.names or s.marks or _named_first(s)) and not s.has("remind", "todo_strong", "decision", "change_strong", "rule", "did", "completed")
    today = bool(s.dates) and all(d.value == s.today.isoformat() for d in s.dates)
    points = s.pronoun and s.lang.shape("person").match(s.low[s.core :]) is None
    return bare and not _condition(s) and (points or today)


def _passing(s: Sentence) -> bool:
    """It speaks of what passes within the hour; "at the moment" alone does not make a broken thing whole again."""
    spans = s.spans.get("ephemeral", ())
    return bool(spans) and not (_condition(s) and set(spans) <= set(s.spans.get("present", ())))


_SOMEWHERE = re.compile(
    r"\b(?:in|under|behind|inside|on|at|above|below|next to|n[oa]s?|em|embaixo|atras|dentro|debaixo|em cima|ao lado)\s+(?:d[oa]s?\s+)?(?:the|a|my|our|o|a|\w+)\b"
)


def _plain_fact(s: Sentence) -> float:
    """ "the new porter is called Enzo", "o wifi novo é CASA_7B", "backend we do in django": says plainly what something is."""
    if (
        s.size > 14
        or s.past
        or s.has("hedge", "soft_hedge", "evaluation", "feeling", "weather", "ephemeral", "joke")
    ):
        return 0.0
    plain = s.lang.shape("plain").match(s.low[s.core :])
    if plain is None:
        return 0.0
    return 2.5 if plain["how"] else 0.8 if s.figures or s.names or s.marks else 0.0


def idle_talk(s: Sentence) -> float:
    """What speaks against it: mood, weather, what passes in an hour, remarks on the assistant's work, jokes."""
    score = 3.0 * (sum(s.has(k) and not _only_reason(s, k) for k in ("feeling", "evaluation")) + _weather(s) + _passing(s))
    score += (
        (2.5 if s.has("joke") else 0.0)
        + (2.0 if s.has("idle") else 0.0)
        + (5.0 if s.has("anecdote") else 0.0)
        + (0.8 if _is_vague(s) else 0.0)
    )
    if s.pronoun and not (s.figures or s.names or s.dates):
        score += 1.0
    if s.has("wish") and not s.figures and not s.names and not any(len(d.value) > 4 for d in s.dates):
        score += 2.5
    return score + (1.5 if is_short(s) else 0.0)


def _only_reason(s: Sentence, kind: str) -> bool:
    """ "I've stopped the pills, they gave me headaches": the mood stands behind what was done, as its reason."""
    comma = re.search(r",\s|\s[–—-]\s", s.text[s.core :])
    if comma is None or len(s.text[s.core : s.core + comma.start()].split()) < 3:
        return False
    at = s.core + comma.start()
    acts = ("decision", "change_strong", "rule", "did", "not_doing")
    return all(a > at for a, _ in s.spans[kind]) and any(a < at for k in acts for a, _ in s.spans.get(k, ()))


def is_short(s: Sentence) -> bool:
    return s.size <= 2 and not s.figures and not s.names


def _is_vague(s: Sentence) -> bool:
    """It speaks of something, anything, nothing; in a rule ("nada de vidro") that is no vagueness."""
    return s.has("vague") and not s.has("rule", "rule_soft") and not s.forbids and not PROHIBITS.search(s.low)
