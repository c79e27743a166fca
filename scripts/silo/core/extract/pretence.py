"""Role play: while owner and assistant speak as somebody else, nothing that they say is so."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from silo.core.extract.acts import Sentence
from silo.core.extract.agent import Heard
from silo.text.language import Language

__all__ = ["ROLE_TURNS", "in_earnest", "mark_roles"]

ROLE_TURNS = 10  # messages of the owner after which nobody plays any more, said or not
_SET_OFF = re.compile(r"[\s\w]{0,12}?\s*[,:;–—-]+\s+(?=\S+\s+\S+\s+\S)")
_DIRECTION = re.compile(r"(?<![*\w])\*[^*\n]{3,80}\*(?![*\w])|(?<!\w)_[^_\n]{3,80}_(?!\w)")
_OUTSIDE = 8  # words of the sentence that ends it, up to which it says nothing else


def in_earnest(reply: Heard | None) -> bool:
    """The assistant's answer takes down what was said, in its own voice: nobody plays."""
    return reply is not None and reply.noted and not _DIRECTION.search(reply.text)


def mark_roles(
    sentences: list[Sentence],
    role: int,
    languages: tuple[Language, ...],
    part: Callable[[Sentence, str], Sentence],
) -> tuple[list[Sentence], int]:
    """The sentences with those played marked "quote", and for how many messages of the owner the play may still go on."""
    if not role:
        start = _begins(sentences, languages)
        if start is None:
            return sentences, 0
        return [_quote(s) if n >= start else s for n, s in enumerate(sentences)], ROLE_TURNS
    for n, s in enumerate(sentences):
        if s.kind != "say":
            continue
        end = max((m.end() for lang in languages if (m := lang.shape("role_out").search(s.low))), default=0)
        if not end and not s.to_keep and not s.has("remind"):
            continue
        rest = sentences[n + 1 :]
        off = _SET_OFF.match(s.text, end) if end else None
        if off is not None:
            rest = [part(s, s.text[off.end() :]), *rest]
        elif not end or s.figures or s.names or s.dates or s.size > _OUTSIDE:
            rest = [s, *rest]
        return [*(_quote(x) for x in sentences[:n]), *rest], 0
    return [_quote(s) for s in sentences], role - 1


def _begins(sentences: list[Sentence], languages: tuple[Language, ...]) -> int | None:
    """The sentence in which the play is agreed on, which may take two to say: "let's rehearse. you play my boss"."""
    if not any(s.kind == "say" and s.has("role_cue") for s in sentences):
        return None
    said = [(n, s.low) for n, s in enumerate(sentences) if s.kind == "say"]
    text = ". ".join(low.rstrip(".!") for _, low in said)
    found = next((m for lang in languages if (m := lang.shape("role_in").search(text))), None)
    if found is None:
        return None
    at = 0
    for n, low in said:
        at += len(low.rstrip(".!")) + 2
        if found.start() < at - 1:
            return n
    return None


def _quote(s: Sentence) -> Sentence:
    return replace(s, kind="quote")
