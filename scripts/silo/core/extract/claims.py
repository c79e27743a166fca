"""What a message says of the statements that it makes: that they are settled, that others were wrong, that one is taken back."""

from __future__ import annotations

import re

from silo.core.extract.acts import Sentence
from silo.text.tokens import terms

__all__ = ["BEHIND", "DENIES", "FRONT", "SETTLED", "states", "things_of"]

SETTLED = re.compile(
    r"^\W*(?:(?:it's|it is|that's|that is|this is|esta|fica|ficou|e) )?(?:(?P<decided>settled|decided|agreed|decidid[oa]|assente|combinado)|confirmed|official|confirmad[oa]|oficial)\s*:\s+"
)
FRONT = 24  # characters before which a message that takes something back says so
BEHIND = re.compile(r"(?:[\s,]+[\w'’-]+){0,5}?\s*,?\s*:\s+(?=\S)")
DENIES = re.compile(r"^\W*(?:(?:that|it|this|isso|isto) )?(?:(?:is|was|isn't|wasn't|e|é|era|foi) )?(?:not|never|nao|nunca|wrong|false|untrue|errado|falso|mentira|true no)\b|^\W*(?:that|it|this) (?:isn't|wasn't)\b")
_NOUNS = re.compile(
    r"\b(?:the|my|our|his|her|their|o|a|os|as|d[oa]s?|n[oa]s?|pel[oa]s?|meu|minha|nosso|nossa|ao|à)\s+((?:[^\W\d_][\w'’-]*\s?){1,3})", re.I
)
_VERBS = ("state", "did", "change", "will", "report")


def states(s: Sentence) -> bool:
    """A whole statement: it says something of something, and is more than a new value."""
    return s.size >= 4 and not s.question and bool(things_of(s))


def things_of(s: Sentence) -> frozenset[str]:
    """The words of the things that a whole clause names with their article: "the glaze bench", "do elevador"."""
    first = _NOUNS.match(s.low, s.core)  # a verb that no table knows may follow
    if not s.verbish and not s.own_subject and (first is None or s.size < 5):
        return frozenset()
    found: set[str] = set()
    verbs = [span for kind in _VERBS for span in s.spans.get(kind, ())]
    for match in _NOUNS.finditer(s.low):
        stop = min((a for a, _ in verbs if a > match.start(1)), default=match.end(1))
        if any(d.start <= match.start(1) < d.end for d in s.dates):
            continue  # "no domingo" names no thing
        found.update(term for term in terms(s.text[match.start(1) : min(stop, match.end(1))]) if not any(c.isdigit() for c in term))
        break
    return frozenset(found)
