"""A no to what the assistant put forward, and what stands behind it: another value, a reason, or nothing."""

from __future__ import annotations

import re
from collections.abc import Callable

from silo.core.extract.acts import Sentence
from silo.core.extract.agent import Heard
from silo.core.extract.editing import seems
from silo.core.extract.reply import Reply
from silo.text.tokens import terms

__all__ = ["other_no", "refusal", "turned_down"]

Part = Callable[[Sentence, str], Sentence]  # some words of a sentence, read as one of their own

_NAME_NO = re.compile(
    r"^(?P<what>[^,.;:!?]{2,40}?)\s*,?\s+(?:não|nao|no|nope|nah|não quero|nem pensar)\s*(?:[,.;:!–—-]|$)",
    re.I,
)
_OTHER_NO = re.compile(r"no (?P<what>[a-z]{4,}(?: [a-z]{3,})?)\s*(?:[,;.:!–—-]|$)")
_NEVER = re.compile(r"(?:not|no|don't|skip|não|nao|nada|sem|nem)\b", re.I)
_REASON = re.compile(r"\s*(?:[,;:–—]|\s-)\s+(?:because\s+|since\s+|as\s+|porque\s+|que\s+|pois\s+)?|\s+(?:because|since|porque|pois)\s+", re.I)
# "the fees are silly" is a taste, no fact.
_JUDGES = re.compile(r"\b(?:is|are|'s|was|looks?|sounds?|seems?|e|é|sao|era|parece|acho)\s+(?:(?:just|too|so|very|really|a bit|muito|tao|demasiado|bem|um pouco)\s+)*[a-z]+\W*$")
_FRONT = 6  # letters that a word shares with its cousin in another language
_WHY = 3  # words from which a reason is one


def turned_down(s: Sentence, heard: Heard, part: Part) -> Reply | None:
    """ "Jadlog não, they broke three vases": a thing that was offered, and a no behind it."""
    match = _NAME_NO.match(s.body)
    if match is None:
        return None
    named = frozenset(terms(match["what"]))
    said = frozenset().union(*(x.content for x in heard.sentences))
    if not named or not named <= said:
        return None
    return _with_reason(s, heard, part)


def other_no(s: Sentence, heard: Heard) -> tuple[int, int] | None:
    """ "no influencers, o cliente vetou": an English no before a thing that was spoken of, in Portuguese words."""
    match = _OTHER_NO.match(s.low[s.core :]) if s.lang.code != "en" else None
    if match is None or not _known(frozenset(terms(match["what"])), frozenset().union(*(x.content for x in heard.sentences))):
        return None
    return s.core, s.core + 2


def refusal(s: Sentence, no: tuple[int, int], heard: Heard, part: Part, label: str) -> Reply | None:
    """Turned down. A counter-proposal behind it ("no, Thursday", "neither, 30 tops") is the owner's own answer."""
    if s.has("later"):
        return Reply("reject")
    asked = heard.proposes or heard.question is not None or bool(heard.options)
    rest = s.text[no[1] :]
    stopped = not rest.strip() or re.match(r"\s*[,.;:!–—-]", rest)
    if not asked and (stopped or not (s.opens("reject_thing") or other_no(s, heard))):
        return None
    if stopped and (counter := rest.strip(" ,.;:!–—-")):
        if _NEVER.match(counter) or part(s, counter).opens("reject_sure"):
            return Reply("reject")
        return Reply("answer" if heard.question else "none", counter, label, counter)
    said = frozenset().union(
        *(x.content for x in heard.proposals),
        *(x.content for x in heard.sentences if x.question or not asked),
        *(frozenset(o.text.lower().split()) for o in heard.options),
    )
    words = frozenset(terms(re.split(r"[,;:–—]\s", s.body)[0])) - {"not", "no", "skip", "nao", "quer"}
    named = bool(words and _known(words, said) / len(words) >= 0.3 and (s.opens("reject_thing") or no == other_no(s, heard)))
    if not asked and not (named and _with_reason(s, heard, part).kind == "decline"):
        return None
    if stopped or (s.opens("reject_sure") and s.size <= 3) or named:
        return _with_reason(s, heard, part) if named and not stopped else Reply("reject")
    return None


def _known(words: frozenset[str], said: frozenset[str]) -> int:
    """How many of the words were said, be it in another language: "influencers" of an influenciador."""
    fronts = {w[:_FRONT] for w in said if len(w) >= _FRONT}
    return sum(w in said or (len(w) >= _FRONT and w[:_FRONT] in fronts) for w in words)


def _with_reason(s: Sentence, heard: Heard, part: Part) -> Reply:
    """ "no fireworks, the farm has horses": with such a reason it stays so; an errand of the moment does not."""
    behind = _REASON.search(s.body)
    reason = part(s, s.body[behind.end() :]) if behind else None
    if reason is None or _JUDGES.search(reason.low) or seems(reason) or reason.size < _WHY or reason.question or heard.one_off or s.has("hedge", "feeling", "evaluation"):
        return Reply("reject")
    return Reply("decline", s.body)
