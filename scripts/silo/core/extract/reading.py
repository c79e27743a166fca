"""Reading one piece of a message into a `Sentence`: its language, its phrases, and where its substance begins."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache

from silo.core.extract.acts import Sentence
from silo.core.extract.clauses import Piece
from silo.text.flat import flat_words
from silo.text.language import Language, Spans, Token, detect, tokens_of

__all__ = ["detect_start", "read"]

KEPT = 2048  # readings of words that are said again: courtesies, reports, retries
_LABEL = re.compile(r"[^\n:?!.,]{2,30}:\s+(?=[^\W\d])")
_STOPPED = re.compile(r"[,.:;!…-]")
_SAID = re.compile(r"\"[^\"\n]*?\s[^\"\n]*?\s[^\"\n]*\"")
_AFTER_FILLER = re.compile(r"[\s,.:;!…-]*")
_OPENING = frozenset(
    ["filler", "filler_stop", "accept", "accept_sure", "reject", "reject_sure", "reject_thing", "neither", "correction", "retract", "note", "note_any", "social", "polite",
     "question", "question_bare", "propose_ask", "propose_mark", "ack", "noted", "dropped", "done", "change_mind", "material", "conditional"]
)  # fmt: skip


def _blank(match: re.Match[str]) -> str:
    return '"' + "\x00" * (len(match[0]) - 2) + '"'


@lru_cache(maxsize=512)
def detect_start(text: str, languages: tuple[Language, ...]) -> tuple[Language, ...]:
    """The languages of a message, by its beginning."""
    return detect(text, tokens_of(flat_words(text)), languages)


def read(
    piece: Piece,
    languages: tuple[Language, ...],
    usual: Language,
    today: date,
    known: frozenset[str] = frozenset(),
    *,
    heard: tuple[Language, ...] | None = None,
) -> Sentence:
    """Read one piece. `usual` is the language spoken before, for pieces that do not tell their own; `known` are words
    that are names elsewhere in the conversation, for those written small or at the start of a sentence; `heard` is the
    language of the assistant's answer, of which only some phrases are looked for at first."""
    if piece.kind == "code":
        return Sentence(piece.text, "", (), {}, usual, piece.kind, piece.block, today, known, (), (0,))
    words = _read(piece.text, languages, usual, heard)
    return Sentence(
        piece.text, words.low, words.tokens, words.spans, words.lang, piece.kind, piece.block, today, known,
        words.unread, words.heads, words.memo,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Words:
    """What words say wherever they stand; the fields are those of a `Sentence`."""

    low: str
    tokens: tuple[Token, ...]
    spans: Spans
    lang: Language
    unread: tuple[tuple[Language, int], ...]
    heads: tuple[int, ...]
    memo: dict[str, object] = field(default_factory=dict)


@lru_cache(maxsize=KEPT)
def _read(
    text: str, languages: tuple[Language, ...], usual: Language, heard: tuple[Language, ...] | None
) -> _Words:
    low = flat_words(text)
    if '"' in low:
        low = _SAID.sub(_blank, low)  # what is quoted is not the speaker's own act
    tokens = tuple(tokens_of(low))
    found = detect(text, tokens, languages) if heard is None else heard
    spans: Spans = {}
    # People mix languages: long words of the other one are understood too, its short ones mean something else here.
    scans = tuple((lang, 1 if not found or lang in found else 6) for lang in languages)
    for lang, shortest in scans:
        for kind, places in (
            (lang.phrases if heard is None else lang.heard).scan(low, tokens, shortest).items()
        ):
            spans.setdefault(kind, []).extend(places)
    lang = found[0] if found else usual
    heads = _heads(low, spans)
    if heads[-1] > 0:  # "só pra você saber, …": words of an opening phrase do nothing else
        spans = {
            k: kept
            for k, places in spans.items()
            if (kept := [p for p in places if p[1] > heads[-1] or k in _OPENING])
        }
    return _Words(low, tokens, spans, lang, () if heard is None else scans, heads)


def _heads(low: str, spans: Spans) -> tuple[int, ...]:
    """Where the sentence may be said to begin: leading fillers are taken off one after another.

    A filler that is also a plain word ("right", "good", "não") counts only with a stop after it.
    """
    heads = [len(low) - len(low.lstrip("-–—*• ("))]
    loose = {low[a:b] for a, b in spans.get("filler", ())}
    stopped = {low[a:b] for a, b in spans.get("filler_stop", ())}
    fillers = sorted(loose | stopped, key=len, reverse=True)
    moved = True
    while moved:
        moved = False
        for word in fillers:
            end = heads[-1] + len(word)
            if not low.startswith(word, heads[-1]) or (
                end < len(low) and (low[end].isalnum() or low[end] in "'-")
            ):
                continue
            gap = _AFTER_FILLER.match(low, end)
            after = gap.end() if gap else end
            if after < len(low) and (word in loose or _STOPPED.search(low[end:after])):
                heads.append(after)
                moved = True
                break
    label = _LABEL.match(low[heads[-1] :]) if ":" in low else None
    return (heads[-1] + label.end(), *heads) if label else tuple(heads)
