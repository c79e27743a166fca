"""Which sentences of a message are not the owner's own word: pasted material to work on, and fiction being written."""

from __future__ import annotations

import re
from dataclasses import replace

from silo.core.extract.acts import Sentence

__all__ = ["FICTION_TURNS", "mark_quotes"]

FICTION_TURNS = 6  # messages of the owner for which edits of a text are still expected
_ASIDE = re.compile(
    r"^\W*(?:btw|by the way|on another note|unrelated|different topic|a proposito|alias|mudando de assunto|outro assunto|outra coisa)\b"
)


def mark_quotes(sentences: list[Sentence], fiction: int) -> tuple[list[Sentence], int]:
    """The sentences with those marked "quote" that state nothing, and how many messages of fiction are still expected.

    Material: all that follows a request to translate, summarise or explain something, or "got this from …"; and what
    stands before such a request if it is long and a paragraph of its own. Fiction: the message that asks for help with
    a scene or poem, and the edits after it, until the owner turns to something real.
    """
    if any(s.has("creative") and s.has("creative_ask") for s in sentences):
        return [_quote(s) for s in sentences], FICTION_TURNS
    if fiction:
        real = next((n for n, s in enumerate(sentences) if _is_real(s)), None)
        if real is None:
            return [_quote(s) for s in sentences], fiction - 1
        return [_quote(s) if n < real else s for n, s in enumerate(sentences)], 0
    asks = next((n for n, s in enumerate(sentences) if _hands_over(s, len(sentences) > n + 1, _behind(sentences, n))), None)
    if asks is None:
        return sentences, 0
    before = sentences[:asks]
    pasted = sum(s.size for s in before) >= 25 and sentences[asks].block not in {s.block for s in before}
    return [_quote(s) if n >= asks or pasted else s for n, s in enumerate(sentences)], 0


def _behind(sentences: list[Sentence], n: int) -> bool:
    """A longer text stands behind the sentence, as a paragraph of its own."""
    rest = [s for s in sentences[n + 1 :] if s.block != sentences[n].block]
    return sum(s.size for s in rest) >= 15 and len(rest) == len(sentences) - n - 1


def _hands_over(s: Sentence, more: bool, pasted: bool) -> bool:
    """The sentence hands over a text: it asks for work on one, or says where one comes from."""
    if s.kind != "say":
        return False
    if pasted and s.text.endswith(":") and (s.opens("request") or s.opens("polite") or s.question):
        return True
    return s.has("material") and (s.has("material_ask") or s.question or s.text.endswith(":") or more or s.opens("material"))


def _is_real(s: Sentence) -> bool:
    return s.kind == "say" and (
        s.has("remind", "decision_sure")
        or s.opens("note")
        or (s.has("todo_strong") and bool(s.dates))
        or bool(_ASIDE.match(s.low))
    )


def _quote(s: Sentence) -> Sentence:
    return replace(s, kind="quote")
