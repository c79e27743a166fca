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
from silo.core.extract.evidence import acts, fleeting, idle_talk, is_short, matter, solid
from silo.core.extract.passing import asks_for_text, asks_now, only_scope
from silo.core.extract.tagging import ahead, tag_of
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
    errand, own, idle = _errand(s), min(acts(s, values), 4.5) + min(matter(s), 3.5), idle_talk(s)
    bonus = (
        0.0 if not (answer and about) else 2.7 if is_short(s) else 1.2
    )  # a word is all that an answer needs
    most = (
        own + bonus - idle + ECHO + 1.0 + (1.0 if listed else 0.0) + 1.5 + (2.0 if answer else 0.0)
    )
    if most < KEEP - 0.01 and not (errand and s.opens("deed")):
        return Verdict(most, tag_of(s, values), Confidence.CONFIRMED)  # whatever the answer says
    echo = echo_of(s, reply)
    confirmed = told or (
        reply is not None and (echo > 0 or (reply.only_notes and not fleeting(s))) and reply.noted
    )
    hedged = s.has("hedge") or (s.has("soft_hedge") and not answer and echo < 1 and not confirmed)
    score = (
        own
        + echo
        + (1.0 if listed else 0.0)
        + (1.5 if confirmed else 0.0)
        + (1.0 if s.to_keep else 0.0)
        + (2.0 if answer else 0.0)
    )
    score += bonus - idle - _passed_over(s, reply, echo, gist, spared=answer or told or listed)
    if errand and not told:
        score -= _of_an_errand(s, echo)
    score -= against(s, errand=errand, taken_in=bool(confirmed), echo=echo, laughing=laughing, doubted=doubted, asking=asking)
    if not solid(s, values) and not confirmed and not answer and echo < 0.6:
        score -= 1.5
    if hedged and not answer and echo < 1 and not confirmed:
        score -= 1.0
    tag = tag_of(s, values)
    if errand and s.opens("deed") and reply is not None and reply.done:
        score, tag = score + 4.0, Tag.EVENT  # asked for and reported done
    return Verdict(
        score, tag, Confidence.TENTATIVE if hedged and tag is not Tag.PROCEDURE else Confidence.CONFIRMED
    )


def _passed_over(s: Sentence, reply: Heard | None, echo: float, gist: Callable[[], float], *, spared: bool) -> float:
    """How much is to be taken off for what nobody took up. `spared` is what the owner has answered, listed or asked to keep."""
    off = 0.0
    if s.size > 28 and not (s.figures or s.names) and echo < 0.45:
        off += 1.0  # people state facts in few words, and tell stories in many
    firm = s.figures or s.names or s.dates or s.has("decision", "rule", "change_strong", "todo_strong", "remind", "limit")
    if echo < 0.45 and not firm and gist() >= 1.2:
        off += 1.5  # the assistant took down the rest of the message and passed this over
    if s.has("settled") and echo < 0.5 and not s.has("decision"):
        off += 2.0  # "we're baking then": only an answer that takes it up makes a decision of it
    if spared or (reply is not None and reply.noted):
        return off
    if asks_now(s):
        off += 4.0
    if reply is not None and _only_names(s) and (reply.question is not None or reply.proposes or reply.options):
        off += 3.0
    return off


def _of_an_errand(s: Sentence, echo: float) -> float:
    """How much is to be taken off an order: less where it names what may last and the answer repeats it."""
    if s.has("rule", "rule_soft", "remind") or s.forbids:
        return 0.0
    useful = bool(s.figures or s.names or s.marks) and not _for_me(s)
    if useful and echo >= 1.2:
        return 0.0
    if s.dates or (useful and s.opens("setting")):
        return 0.5
    return 1.5 if echo >= 0.6 and s.opens("setting") else 3.0


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
