"""Is a sentence of the owner worth an event, which tag does it get, and how sure was it said?

Weights of evidence, added up and compared with one threshold. The strongest evidence from outside the sentence is the
assistant's answer: what it notes down or repeats was meant to last, what it merely chats about was not.
"""

from __future__ import annotations

from dataclasses import dataclass

from silo.core.extract.acts import Sentence
from silo.core.extract.agent import Heard
from silo.core.extract.changes import Values, figure_key
from silo.model import Confidence, Tag

__all__ = ["KEEP", "Verdict", "echo_of", "judge"]

KEEP = 2.5  # from which sum on a sentence becomes an event


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
    mine = {figure_key(f) for f in sentence.figures}
    for said in reply.sentences:
        if said.kind != "say":
            continue
        shared = sentence.content & said.content
        figures = mine & {figure_key(f) for f in said.figures}
        strength = min(1.0, len(shared) / 3) + (0.8 if figures else 0.0) + (0.5 if any(n.lower() in said.low for n in sentence.names) else 0.0)
        best = max(best, strength * (0.6 if said.question else 1.0))
    return min(best, 2.0)


def judge(sentence: Sentence, reply: Heard | None, values: Values, *, answer: bool = False, noted: bool = False) -> Verdict:
    """Weigh one sentence. `values` are what it replaces, `answer` says that it answers a question of the assistant."""
    s = sentence
    if s.kind != "say" or s.social or (not s.content and not s.figures):
        return NOTHING
    if s.question and not _request_to_keep(s):
        return NOTHING
    if s.has("hypothetical", "joke_scene") and not s.has("decision_sure", "remind"):
        return NOTHING
    if s.has("later") or s.has("estimate") or (s.has("about") and not _ahead(s)):
        return NOTHING
    echo = echo_of(s, reply)
    hedged = s.has("hedge") or (s.has("soft_hedge") and not answer and echo < 1)
    confirmed = noted or (reply is not None and reply.noted and echo > 0) or s.opens("note")
    score = _evidence(s, values) + echo * 0.9 + (1.5 if confirmed else 0.0) + (1.5 if answer else 0.0)
    if _errand(s) and not s.has("rule", "remind"):
        score -= 0.0 if echo >= 1.2 and (s.figures or s.names) else 0.5 if s.dates or (s.opens("setting") and (s.figures or s.names)) else 3.0
    score -= 2.5 if s.has("joke") else 0.0
    score -= 2.0 if s.has("idle") else 0.0
    tag = _tag(s, values)
    if hedged and not answer and echo < 1 and not confirmed:
        score -= 1.0
    return Verdict(score, tag, Confidence.TENTATIVE if hedged and tag is not Tag.PROCEDURE else Confidence.CONFIRMED)


def _ahead(s: Sentence) -> bool:
    """It names a day after the day of the message."""
    return any(d.value > s.today.isoformat() for d in s.dates)


def _request_to_keep(s: Sentence) -> bool:
    return s.opens("polite") and s.has("remind", "rule", "note_any")


def _errand(s: Sentence) -> bool:
    """It asks the assistant to do something here and now."""
    return s.opens("request") or (s.opens("polite") and s.has("request"))


def _evidence(s: Sentence, values: Values) -> float:
    score = 0.0
    score += 3.0 if s.has("decision", "limit", "not_doing") or (s.has("report") and s.has("consent")) else 0.0
    score += 3.0 if s.has("change_strong") or values.old else 1.0 if s.has("change") else 0.0
    score += 3.0 if s.has("rule") else 2.0 if s.has("rule_soft") else 0.0
    score += 3.0 if s.has("remind") else 2.5 if s.has("todo_strong") else 1.0 if s.has("todo") else 0.0
    score += 2.5 if s.has("howto") and s.marks else 1.0 if s.has("howto") else 0.0
    score += 2.0 if s.has("preference") else 0.0
    score += 2.0 if s.has("state_self") else 1.0 if s.has("state") else 0.0
    score += 1.0 if s.has("event") else 0.0
    score += 1.0 if s.has("did") or s.past else 0.0
    score += 0.5 if s.has("report") else 0.0
    score += 1.5 if s.figures else 0.0
    score += 1.0 if s.dates else 0.0
    score += 1.0 if s.names else 0.0
    score += 1.0 if s.marks else 0.0
    score = min(score, 6.0)
    score -= 3.0 if s.has("weather") else 0.0
    score -= 3.0 if s.has("feeling") else 0.0
    score -= 3.0 if s.has("ephemeral") else 0.0
    score -= 3.0 if s.has("evaluation") else 0.0
    score -= 1.5 if s.has("vague") else 0.0
    score -= 1.5 if s.pronoun and not s.figures and not s.names else 0.0
    score -= 1.5 if s.size <= 2 and not s.figures and not s.names else 0.0
    return score


def _tag(s: Sentence, values: Values) -> Tag:
    day = any(len(d.value) == 10 for d in s.dates)
    if s.has("remind") or (s.has("todo_strong") and not s.has("rule")) or (s.has("rule_soft", "todo") and day and s.has("must")):
        return Tag.TODO
    if s.has("rule", "rule_soft") or (s.has("howto") and (s.marks or s.figures)):
        return Tag.PROCEDURE
    if values.old or s.has("change_strong"):
        return Tag.CHANGED
    if s.has("will") and any(len(d.value) == 10 for d in s.dates) and not s.has("not_doing"):
        return Tag.TODO
    if s.opens("request") and s.dates and not s.opens("setting"):
        return Tag.TODO
    if s.opens("setting") and s.figures:
        return Tag.CHANGED
    if s.has("decision", "limit", "not_doing") or (s.has("report") and s.has("consent")):
        return Tag.DECISION
    if any(len(d.value) == 10 for d in s.dates) and (s.has("event") or s.has("did") or s.past):
        return Tag.EVENT
    if s.has("did") and not s.has("state_self", "preference"):
        return Tag.EVENT
    return Tag.FACT
