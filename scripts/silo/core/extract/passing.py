"""What is said in passing and holds for nothing later: a reproach to oneself, a complaint of the moment, a threat in jest,
what somebody else would like, a text that is asked for, and words that only say how far an order goes."""

from __future__ import annotations

import re

from silo.core.extract.acts import Sentence
from silo.text.language import Language, framed

__all__ = ["asks_for_text", "asks_now", "complains", "only_scope", "others_wish", "threatens", "without_reproach"]

_ALL_REPROACH = r"(?i)^\W*(?:(?:{ah}|{and_but})[\s,]+)*{reproach}\W*$"
_BEHIND = r"(?i)\s*(?:[,;:(–—-]|\.\.+|…)\s*(?:(?:{ah}|{and_but})\s+)?{reproach}\s*\)?(?=\s*(?:[.!?,;…]|$))"
_RUN_ON = r"(?i)\s+{reproach_run_on}\W*$"
_BEFORE = r"(?i)^\W*(?:{ah}[\s,]+)*{reproach}\s*[,;:.!–—-]+\s*(?=\S)"
_MAYBE = r"(?i)\b{reproach_sign}\b"


def without_reproach(text: str, languages: tuple[Language, ...]) -> str:
    """A sentence without the clause in which its speaker scolds himself ("call Rui, stupid me"); "" if it is nothing else."""
    if not framed(_MAYBE, languages).search(text):
        return text
    if framed(_ALL_REPROACH, languages).match(text):
        return ""
    bare = text
    for frame in (_BEHIND, _RUN_ON, _BEFORE):
        bare = framed(frame, languages).sub("", bare)
    return bare if re.search(r"\w{2,}", bare) else text


# "just for this test", "só para esta receita"
_SCOPE = r"^\W*(?:(?:{and_but}|{leads}|ok)\W+)*{only}\s+(?:{span}\b\s*)?{this_time}\b(?:\s+[\w'-]+){0,2}\W*$"
# The clause that a secret stood in, up to where the next begins.
_SECRET = r"^.*\[redacted:[^\]]*\]\s*[,;:.–—-]*\s*(?={only}\b)"


def _fits(s: Sentence, frame: str, text: str) -> bool:
    return framed(frame, s.words.languages).match(text) is not None


def only_scope(s: Sentence) -> bool:
    """It says nothing but how far what was ordered goes, or beside a secret, which is not kept, what that is for."""
    return (s.size <= 7 and _fits(s, _SCOPE, s.low)) or _fits(s, _SECRET, s.low)


_NEEDS = r"^(?:{leads}\s+)*{needing}\s*{a_few}\s+(?:(?!{purpose}\b)[\w'-]+\s+){0,3}?{wording}\b"


def asks_for_text(s: Sentence) -> bool:
    """ "I need a name for the show, send me three": words are asked for that the assistant is to make now."""
    return _fits(s, _NEEDS, s.low[s.core :]) and not any(d.value > s.today.isoformat() for d in s.dates)


_NOW = r"(?:{leads} ,? ?)*{at_once}"
_NOT_NOW = r"\w+\s?:|{not_at_once}"


def asks_now(s: Sentence) -> bool:
    """ "Could you check whether the shop is open till six": for now, whatever values it names."""
    lasts = s.recurring or s.has("remind", "note_any", "rule", "rule_soft", "must") or any(d.value > s.today.isoformat() for d in s.dates)
    by = s.lang.shape("deadline").search(s.low) is not None
    return not lasts and not by and _fits(s, _NOW, s.low[s.core :]) and not _fits(s, _NOT_NOW, s.low[s.core :])


# What is proposed for all is not so before it is decided.
_WISH = r"^{somebody} (?:{still} )?{wish}"


def others_wish(s: Sentence) -> bool:
    """Somebody else would like something for all, or proposes it: "Dov wants plastic cups banned"."""
    return not s.has("consent", "decision_sure") and _fits(s, _WISH, s.body)


# Several more such things, or the same again, and the owner does what he would not do.
_THREAT = r"^{if}\b[^.]*\b{again}\b[^.]*?,?\s{i_do}\b|^{one_more}\b[^.,]*,? {and}\s+{i_do}\b"


def threatens(s: Sentence) -> bool:
    """ "One more meeting like this and I move to Peru": what the owner will do to whom, said in a temper."""
    return _fits(s, _THREAT, s.low[s.core :])


_COMPLAINT = r"{complaint}|^{a_few} {hours} {kept}\b"


def complains(s: Sentence) -> bool:
    """How the owner feels at this hour: tired, aching, hungry, kept too long."""
    return not s.has("event", "remind", "rule", "decision", "todo_strong", "completed") and not s.names and framed(_COMPLAINT, s.words.languages).search(s.low[s.core :]) is not None
