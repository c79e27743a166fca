"""Is a sentence of the owner worth an event, which tag does it get, and how sure was it said?

Weights of evidence, added up and compared with one threshold. The strongest evidence from outside the sentence is the
assistant's answer: what it notes down or repeats was meant to last, what it merely chats about was not.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from silo.core.extract.acts import Sentence
from silo.core.extract.agent import Heard
from silo.core.extract.changes import Values, figure_keys
from silo.core.extract.earnest import against
from silo.core.extract.passing import asks_for_text, asks_now, only_scope
from silo.core.extract.tagging import PROHIBITS, ahead, decides, tag_of
from silo.model import Confidence, Tag

__all__ = ["KEEP", "Verdict", "echo_of", "judge"]

KEEP = 2.2  # from which sum on a sentence becomes an event
ECHO = 2.0  # the most that the answer's repeating it counts


@dataclass(frozen=True, slots=True)
class Verdict:
    """The sum of the evidence, and the labels that the sentence would get."""

    score: float
    tag: Tag
    confidence: Confidence

    @property
    def keep(self) -> bool:
        return self.score >= KEEP


_FIRST = re.compile(r"\W*(?:o |a |os |as |the )?([\w'’-]+)")
NOTHING = Verdict(-9.0, Tag.FACT, Confidence.CONFIRMED)


def echo_of(sentence: Sentence, reply: Heard | None) -> float:
    """How far the answer repeats the sentence: 0 not at all, 1 a word or figure of weight, 2 its gist."""
    if reply is None:
        return 0.0
    best = 0.0
    mine, lowered = figure_keys(sentence), [n.lower() for n in sentence.names]
    for said in reply.sentences:
        if said.kind != "say":
            continue
        shared = sentence.content & said.content
        figures = mine & figure_keys(said)
        gist = (
            min(1.2, len(shared) / 3)
            if len(sentence.content) > 3
            else 0.9 * len(shared) / max(1, len(sentence.content))
        )
        if len(said.content) >= 2 and len(shared) >= 0.75 * len(said.content):
            gist += 0.6  # the assistant says nothing else: it takes it down
        strength = gist + (0.8 if figures else 0.0) + (0.5 if any(n in said.low for n in lowered) else 0.0)
        if strength > best:
            best = max(best, strength * (0.6 if reply.asks(said) else 1.0))
    return min(best, ECHO)


def judge(
    sentence: Sentence,
    reply: Heard | None,
    values: Values,
    *,
    answer: bool = False,
    listed: bool = False,
    gist: Callable[[], float] = float,
    laughing: bool = False,
    doubted: bool = False,
    asking: bool = False,
    about: str = "",
) -> Verdict:
    """Weigh one sentence. `values` are what it replaces, `answer` says that it answers a question of the assistant,
    `listed` that it stands in a list under a heading like "decided last night:", `gist` is how well the answer repeats
    the best repeated sentence of the same message, `laughing` that people joke around it, `doubted` that the owner says it is untrue, `asking` that the message asks something, `about` names what the question
    that it answers is about, where that is something that lasts."""
    s = sentence
    if s.kind != "say" or s.social or not (s.content or s.figures) or _says_nothing(s):
        return NOTHING
    told = s.to_keep or s.opens("note") or s.has("note_any") or listed
    errand, acts, matter, idle = _errand(s), min(_acts(s, values), 4.5), min(_matter(s), 3.5), _idle_talk(s)
    bonus = (
        0.0 if not (answer and about) else 2.7 if _is_short(s) else 1.2
    )  # a word is all that an answer needs
    most = (
        acts + matter + bonus - idle + ECHO + 1.0 + (1.0 if listed else 0.0) + 1.5 + (2.0 if answer else 0.0)
    )
    if most < KEEP - 0.01 and not (errand and s.opens("deed")):
        return Verdict(most, tag_of(s, values), Confidence.CONFIRMED)  # whatever the answer says
    echo = echo_of(s, reply)
    confirmed = told or (
        reply is not None and (echo > 0 or (reply.only_notes and not _fleeting(s))) and reply.noted
    )
    hedged = s.has("hedge") or (s.has("soft_hedge") and not answer and echo < 1 and not confirmed)
    score = (
        acts
        + matter
        + echo
        + (1.0 if listed else 0.0)
        + (1.5 if confirmed else 0.0)
        + (1.0 if s.to_keep else 0.0)
        + (2.0 if answer else 0.0)
    )
    score += bonus - idle
    if s.size > 28 and not (s.figures or s.names) and echo < 0.45:
        score -= 1.0  # people state facts in few words, and tell stories in many
    if (
        echo < 0.45
        and not (
            s.figures
            or s.names
            or s.dates
            or s.has("decision", "rule", "change_strong", "todo_strong", "remind", "limit")
        )
        and gist() >= 1.2
    ):
        score -= 1.5  # the assistant took down the rest of the message and passed this over
    if not (answer or told or listed) and asks_now(s) and not (reply is not None and reply.noted):
        score -= 4.0
    if not (answer or told or listed) and reply is not None and _only_names(s) and not reply.noted and (reply.question is not None or reply.proposes or reply.options):
        score -= 3.0
    if errand and not (s.has("rule", "rule_soft", "remind") or s.forbids or told):
        useful = bool(s.figures or s.names or s.marks) and not _for_me(s)
        score -= (
            0.0
            if useful and echo >= 1.2
            else 0.5
            if s.dates or (useful and s.opens("setting"))
            else 1.5
            if echo >= 0.6 and s.opens("setting")
            else 3.0
        )
    if s.has("settled") and echo < 0.5 and not s.has("decision"):
        score -= 2.0  # "we're baking then": only an answer that takes it up makes a decision of it
    score -= against(s, errand=errand, taken_in=bool(confirmed), echo=echo, laughing=laughing, doubted=doubted, asking=asking)
    if not _solid(s, values) and not confirmed and not answer and echo < 0.6:
        score -= 1.5
    if hedged and not answer and echo < 1 and not confirmed:
        score -= 1.0
    tag = tag_of(s, values)
    if errand and s.opens("deed") and reply is not None and reply.done:
        score, tag = score + 4.0, Tag.EVENT  # asked for and reported done
    return Verdict(
        score, tag, Confidence.TENTATIVE if hedged and tag is not Tag.PROCEDURE else Confidence.CONFIRMED
    )


def _only_names(s: Sentence) -> bool:
    """ "Trieste in September": what is to be talked of, and nothing said of it."""
    lasts = s.has("decision", "rule", "rule_soft", "remind", "todo", "limit", "preference", "not_doing", "change", "change_strong", "attribute", "completed")
    value = s.figures or s.marks or s.counts or s.recurring or any(len(d.value) == 10 and (d.kind != "relative" or s.has("event")) for d in s.dates)
    return s.size <= 6 and not (s.verbish or s.headed or s.forbids or lasts or value)


def _says_nothing(s: Sentence) -> bool:
    """Questions, things imagined, guesses and open matters."""
    if s.question and not (s.opens("polite") and s.has("remind", "rule", "note_any")):
        return True
    if s.has("hypothetical", "joke_scene") and not s.has("decision_sure", "remind"):
        return True
    if s.opens("conditional") and _UNREAL.search(s.low) and not s.has("decision_sure", "remind"):
        return True  # "if they asked me I'd be gone tomorrow"
    if s.opens("conditional") and s.has("idle") and not s.has("remind"):
        return True  # "if I open a shop one day you're hired"
    if (s.has("later") and not s.dates) or only_scope(s):
        return True
    if asks_for_text(s) and not s.has("remind", "note_any"):
        return True
    if s.has("agenda") and not ahead(s) and not s.figures:
        return True
    if s.has("meta") and not s.has("rule"):
        return True
    return s.has("estimate") or (s.has("about") and not ahead(s) and not s.has("decision_sure"))


# "if they asked me I'd be gone", not "if flour goes above 1.10 we'd raise prices, it is at 0.84 now".
_UNREAL = re.compile(
    r"\bif\b[^,]*?\b(?:\w{2,}ed|were|was|had|could|got|gave|won|came|went|knew|found|saw|took|made|paid|sold|left|lost|became|ran|said|told)\b.*?"
    r"(?:\b(?:i|we|you|he|she|it|they)'d (?!like|rather|better|prefer|love to)\w|\bwould(?:n't)? (?!like|rather|prefer)\w)"
    r"|\bse (?:\w+ ){0,3}?(?:\w{2,}(?:asse|esse|isse|assem|essem|issem|assemos|essemos|issemos)|fosse|fossem|fossemos|desse|pudesse|houvesse)\b"
)


def _errand(s: Sentence) -> bool:
    """It asks the assistant to do something here and now."""
    return s.opens("request") or (s.opens("polite") and s.has("request")) or _for_me(s)


def _for_me(s: Sentence) -> bool:
    return any(_FOR_ME.match(s.low, head) for head in s.heads)


# "split the bill for me", "separa pra mim por cor": an order, whatever its verb.
_FOR_ME = re.compile(
    r"(?!the\b|this\b|that\b|there\b|here\b|his\b|her\b|our\b|their\b)[a-z]{3,} (?:the|these|those|this|that|it|them|all|\d+)\b[^.:;]{0,60}\bfor me\b"
    r"|(?!est[ae]\b|ess[ae]\b|ele\b|ela\b|uma\b|cada\b|toda\b|serve\b|trouxe\b|fez\b|ja\b)[a-z]{3,}[ae](?:-[a-z]+)? (?:(?:o|a|os|as|isso|isto|ess[ae]s?|est[ae]s?|um|uma|tudo|ai)\b[^.:;]{0,60}\b)?(?:pra|para) mim\b"
)


def _solid(s: Sentence, values: Values) -> bool:
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


def _acts(s: Sentence, values: Values) -> float:
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


def _matter(s: Sentence) -> float:
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


def _fleeting(s: Sentence) -> bool:
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


def _idle_talk(s: Sentence) -> float:
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
    return score + (1.5 if _is_short(s) else 0.0)


def _only_reason(s: Sentence, kind: str) -> bool:
    """ "I've stopped the pills, they gave me headaches": the mood stands behind what was done, as its reason."""
    comma = re.search(r",\s|\s[–—-]\s", s.text[s.core :])
    if comma is None or len(s.text[s.core : s.core + comma.start()].split()) < 3:
        return False
    at = s.core + comma.start()
    acts = ("decision", "change_strong", "rule", "did", "not_doing")
    return all(a > at for a, _ in s.spans[kind]) and any(a < at for k in acts for a, _ in s.spans.get(k, ()))


def _is_short(s: Sentence) -> bool:
    return s.size <= 2 and not s.figures and not s.names


def _is_vague(s: Sentence) -> bool:
    """It speaks of something, anything, nothing; in a rule ("nada de vidro") that is no vagueness."""
    return s.has("vague") and not s.has("rule", "rule_soft") and not s.forbids and not PROHIBITS.search(s.low)
