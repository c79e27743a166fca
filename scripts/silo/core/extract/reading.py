"""Reading one piece of a message into a `Sentence`."""

from __future__ import annotations

from datetime import date

from silo.core.extract.acts import Sentence
from silo.core.extract.clauses import Piece
from silo.core.extract.spoken import Code, words_of
from silo.text.language import Language

__all__ = ["read"]


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
    words = Code(piece.text, usual) if piece.kind == "code" else words_of(piece.text, languages, usual, heard)
    return Sentence(piece.text, piece.kind, piece.block, today, known, words, words.memo)
