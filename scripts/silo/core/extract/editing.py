"""Orders that work on the text or plan at hand: a line goes, a word sounds wrong, what was put on a plan is taken off again."""

from __future__ import annotations

import re

from silo.core.extract.acts import Sentence
from silo.core.extract.agent import Heard
from silo.text.language import framed
from silo.text.tokens import terms

__all__ = ["called_off", "edits", "seems"]

# "sounds like a postcard" judges a wording; it says nothing of anything else.
_SEEMS = r"(?:^|[,;:.–-]\s*|\b{it} )(?:{so_very} )?{sounds} (?:{so_very} )*{style}\b"
_EDIT = r"(?:{leads} )*{edit}\b"
_QUOTE = re.compile(r"[\"“«][^\"”»\n]+[\"”»]")
_QUOTED = re.compile(r"[\"“«]([^\"”»]{18,})[\"”»]")
_LASTS = ("rule", "rule_soft", "remind", "note_any")


def seems(s: Sentence) -> bool:
    """It judges how a wording sounds."""
    return framed(_SEEMS, s.words.languages).search(s.low) is not None


def edits(s: Sentence, heard: Heard | None, busy: bool) -> bool:
    """ "Leave the second line out", "tira o sorriso, parece um postal": an order about the text that the assistant has
    just made; `busy` says that one was asked for of late."""
    spoken = s.words.languages
    order = framed(_EDIT, spoken).match(s.low[s.core :])
    if order is None and heard is not None and s.size <= 12 and (busy or _QUOTED.search(heard.text)) and framed(r"\b{sounds_so}\b", spoken).search(s.low):
        return not (s.figures or s.dates or s.has(*_LASTS))
    if order is None or heard is None or s.recurring or s.has(*_LASTS) or any(d.value > s.today.isoformat() for d in s.dates):
        return False
    quoted = " ".join(m[1] for m in _QUOTED.finditer(heard.text))
    if not (busy or quoted):
        return False
    if framed(r"\b{part}\b", spoken).search(s.low) or seems(s) or (busy and framed(r"\b{swap_word}$", spoken).search(order[0]) and _QUOTE.search(s.text)):
        return True
    thing = framed(r"[,;:–]\s|\s{because}\s", spoken).split(s.text[s.core + order.end() :])[0]
    words = frozenset(terms(thing))
    return bool(quoted and words) and words <= frozenset(terms(quoted))


_FRONT = r"^(?:(?:{leads}|{ah}|{and_but}|{turning})\b ?,? ?)*"
_WHAT = r"(?:{article} )?(?P<what>[^,.;:!?()]{3,40}?)"
_END = r"\s*(?:$|[.!]+\s*$|[,;:–(-]\s*(?P<why>.+)$|\s(?:{because}|{as})\s(?P<cause>.+)$)"
_OFF = tuple(
    _FRONT + frame + _END
    for frame in (
        rf"{{drop}}\s+{_WHAT}(?:\s+{{off_again}})*",
        rf"{{take}}\s+{_WHAT}\s+{{out}}(?:\s+{{off_again}})*",
        rf"{{without}}\s+{_WHAT}\s+{{after_all}}",
        rf"{_WHAT}\s+{{is_off}}",
    )
)


def called_off(s: Sentence) -> tuple[frozenset[str], str] | None:
    """(the words of what is taken off, the reason behind it): "actually take yoga off again, my knee won't like it"."""
    spoken = s.words.languages
    if s.kind != "say" or not framed(r"\b(?:{drop}|{out}|{after_all}|{is_off})\b", spoken).search(s.low) or s.size > 18 or s.recurring or s.has(*_LASTS) or s.text.endswith("?") or framed(r"\b{i_said}\b", spoken).search(s.low):
        return None
    for frame in _OFF:
        match = framed(frame, spoken).match(s.low)
        if match is None:
            continue
        words = frozenset(terms(match["what"]))
        if words and not any(c.isdigit() for c in match["what"]):
            at = match.start("why") if match["why"] else match.start("cause") if match["cause"] else len(s.text)
            return words, s.text[at:]
    return None
