"""Laughter in a conversation: what was said before it was the joke."""

from __future__ import annotations

import re

from silo.model import Origin, Session

__all__ = ["laughed_at"]

_HA = r"(?:a?(?:ha)+h?|h?(?:eh)+e?|(?:he)+h?|(?:hua)+|k{3,}|(?:rs)+|lo+l|lmao|rofl)"
_LAUGHTER = re.compile(rf"\b{_HA}\b|[😂🤣😆😹]", re.I)
# It stands at the front and is set off: "ahah. olha, …", "haha ok so".
_OPENS = re.compile(rf"\W*(?:{_HA}\b|[😂🤣😆😹])+(?:\s*[,.!;:–—-]|\s*$|\s*\n|\s+(?:ok|okay|no|well|so|right|anyway|but|and|now|not|na|não|ta|tá|bom|olha|mas|e|enfim|agora|pronto)\b)", re.I)
_ALONE = 60  # characters, beside which there is no room for a statement
_NEXT = 12  # turns within which the owner's next message is the answer to the assistant's


def laughed_at(session: Session, index: int) -> bool:
    """Whether the owner's message at `index` is laughed at: by the assistant's answer, or by the owner's next message."""
    turns = session.turns
    for n in range(index + 1, min(index + _NEXT, len(turns))):
        turn = turns[n]
        if turn.origin is Origin.AGENT and n == index + 1 and _OPENS.match(turn.text):
            return True
        if turn.origin is Origin.OWNER:
            return _only(turn.text) or bool(_OPENS.match(turn.text))
    return False


def _only(text: str) -> bool:
    return len(text) < _ALONE and bool(_LAUGHTER.search(text)) and len(_LAUGHTER.sub("", text).split()) <= 3
