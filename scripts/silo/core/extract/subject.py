"""Restoring what a sentence is about where it does not say so itself: from the question it answers, from the words
that the assistant repeated, or from what was being talked about."""

from __future__ import annotations

import re

from silo.core.extract.acts import Sentence
from silo.core.extract.agent import Heard
from silo.core.extract.changes import figure_key

__all__ = ["Antecedent", "antecedent", "best_echo", "needs_subject", "object_pronoun", "strip_ack"]

_OBJECT = {
    "en": re.compile(r"\b(?:it|them|that one|this one|there|him|her)\b(?!'s)"),
    "pt": re.compile(r"\b(?:isso|ele|ela|eles|elas|nele|nela|dele|dela|lo|la)\b"),
}


def needs_subject(s: Sentence) -> bool:
    """It can't be read alone: a pronoun for a subject, or a fragment that hangs on the words before it."""
    if s.pronoun:
        return True
    if s.verbish or s.size > 8:
        return False
    return not (s.names and s.size >= 4) and not re.match(r"^[^\n:]{2,40}:\s", s.body)


def object_pronoun(s: Sentence) -> bool:
    return bool(_OBJECT.get(s.lang.code, _OBJECT["en"]).search(s.low[s.core :]))


def strip_ack(s: Sentence) -> str:
    """The assistant's sentence without its opening "Noted:", "OK,", "Atualizado:"."""
    text = s.text
    for _ in range(3):
        spans = [b for k in ("ack", "noted", "filler", "filler_stop") for a, b in s.spans.get(k, ()) if a == len(s.text) - len(text)]
        if not spans:
            break
        rest = s.text[max(spans) :]
        if not re.match(r"\s*[:,.!;—–-]", rest):
            break
        text = rest.lstrip(" :,.!;—–-")
    return text


def best_echo(s: Sentence, reply: Heard | None) -> Sentence | None:
    """The sentence of the answer that says the same in full: all figures of `s`, some of its words, and more."""
    if reply is None:
        return None
    mine = {figure_key(f) for f in s.figures}
    best, weight = None, 0.0
    for said in reply.sentences:
        if said.kind != "say" or said.question or said.lang.code != s.lang.code or said.size > 28 or said.has("unsure", "dropped"):
            continue
        theirs = {figure_key(f) for f in said.figures}
        shared = s.content & said.content
        if not mine <= theirs or not (shared or mine) or len(said.content) < 2:
            continue
        strength = len(shared) + 2 * len(mine & theirs)
        if strength > weight and strength >= 1:
            best, weight = said, strength
    return best


class Antecedent(tuple[str, str, str]):
    """(what it is about, the assistant's words that say so, another value of the same kind that stands there)."""

    __slots__ = ()


_SEGMENT = re.compile(r"\s*(?:[;:(),]|\band\b|\be\b|\bbut\b|\bmas\b|\.\s)\s*")
_SMALL_END = re.compile(r"(?:\s+(?:the|a|an|of|for|to|on|at|in|is|are|by|from|o|os|as|de|do|da|dos|das|para|pra|no|na|em|é|e|with|com))+$", re.I)
_SMALL_START = re.compile(r"^(?:(?:the|a|an|your|our|and|o|a|os|as|e|seu|sua|um|uma)\s+)+", re.I)


def antecedent(s: Sentence, heard: Heard | None) -> Antecedent | None:
    """What the assistant said before about the same figure or name, and what stood there before it."""
    if heard is None:
        return None
    keys = {figure_key(f) for f in s.figures if len(figure_key(f)) >= 2}
    names = [n for n in s.names if len(n) > 1]
    for said in heard.sentences:
        if said.kind != "say" or said.question:
            continue
        for figure in said.figures:
            if figure_key(figure) in keys:
                return _split_at(said, figure)
        for name in names:
            at = said.low.find(name.lower())
            if at >= 0:
                return _split_at(said, said.text[at : at + len(name)])
    return None


def _split_at(said: Sentence, item: str) -> Antecedent | None:
    at = said.text.find(item)
    before = _SEGMENT.split(said.text[:at])[-1].strip()
    label = _SMALL_START.sub("", _SMALL_END.sub("", before)).strip(" ,;:-")
    if not label or len(label.split()) > 6 or not re.search(r"[^\W\d]{3,}", label):
        return None
    return Antecedent((label, said.text, ""))
