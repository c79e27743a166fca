"""What speaks against taking an owner's sentence at its word: somebody else holds it to be so, nobody believes it, it is
for once only, or it is part of a joke."""

from __future__ import annotations

import re

from silo.core.extract.acts import Sentence
from silo.core.extract.passing import complains, others_wish, threatens
from silo.core.extract.tagging import ahead

__all__ = ["against"]

_TOLD = re.compile(
    r"\b(?:says?|said|saying|tells?|told|telling|read|heard|diz|dizem|disse|disseram|conta|contou|contam|fala|falam|falou|falaram|afirma|afirmam|li|ouvi)\b"
)
_GOING = re.compile(
    r"\b(?:going to|gonna|i'll|we'll|should|would|could|must|every|always|never|sempre|nunca)\b"
)


def against(
    s: Sentence, *, errand: bool, taken_in: bool, echo: float, laughing: bool = False, doubted: bool = False, asking: bool = False
) -> float:
    """How much is to be taken off: 0 for what is meant as said. `taken_in` says that the answer writes it down or was asked
    to, `echo` how far it repeats it, `laughing` that people joke around it, `doubted` that the owner calls it untrue,
    `asking` that the same message asks something."""
    off = 0.0
    firm = taken_in or echo >= 0.6
    if s.has("opinion") and not (taken_in or (firm and (s.figures or s.names or s.dates))):
        off += 5.0
    if (doubted or s.has("disbelief")) and (s.has("opinion", "report") or _TOLD.search(s.low)) and not taken_in:
        off += 6.0
    if not firm and not (s.figures or s.dates) and _KIN_SAYS.match(s.low[s.core :]):
        off += 3.0
    if (s.has("once") and not (s.past or s.has("did", "state", "event"))) or (
        (s.has("once", "just_now")) and (errand or _orders(s))
    ):
        off += 4.0
    if not taken_in and (others_wish(s) or threatens(s)):
        off += 5.0
    if complains(s) and not (taken_in and (s.figures or s.dates)):
        off += 4.0
    if asking and not (firm or echo >= 0.45) and _lends_reason(s):
        off += 1.5
    if laughing and not firm and not _happened(s):
        off += 5.0
    return off


def _lends_reason(s: Sentence) -> bool:
    """Nothing to hold on to: "what was the code? I lost my notes" says only why it is asked."""
    firm = s.figures or s.names or s.dates or s.marks or s.counts or s.recurring
    lasts = s.has("decision", "rule", "rule_soft", "remind", "todo_strong", "change_strong", "preference", "state_self", "completed", "limit")
    return not firm and not lasts


# "my husband says I snore": what people say of each other at home, unless the answer takes it up.
_KIN_SAYS = re.compile(
    r"(?:my|our|(?:o |a |os |as )?(?:meus?|minhas?|nossos?|nossas?)) (?:[\w-]+ ){0,2}?(?:says?|said|keeps? saying|tells? me|told me|diz(?:em)?|disse(?:ram)?|fala|falou|falam) (?:que |that )?(?!yes\b|no\b|ok\b|sim\b|nao\b)"
)


def _orders(s: Sentence) -> bool:
    """ "Today keep it short": the order stands right behind the words that say for how long."""
    ends = [b for kind in ("once", "just_now") for _, b in s.spans.get(kind, ())]
    return any(0 <= a - b <= 2 for a, _ in s.spans.get("request", ()) for b in ends)


def _happened(s: Sentence) -> bool:
    """Told as a fact with something to hold on to: laughter about it does not make it a joke."""
    plan = s.has("will", "joke", "joke_scene", "decision", "todo", "wish", "vague") or _GOING.search(s.low)
    told = s.past or s.has("did", "state", "state_self")
    return bool(told and (s.figures or s.names or s.dates)) and not plan and not (ahead(s) and not s.has("event"))
