"""What a question asks for, as far as its words tell: terms, names, the days that it points at, what it quotes."""

from __future__ import annotations

import re
from datetime import date
from typing import NamedTuple

from silo.core.search.expect import expected, kind_asked
from silo.core.search.when import Span, times
from silo.text.fold import fold
from silo.text.lazy import Lazy
from silo.text.stem import stem
from silo.text.tokens import STOP, words

_CAPITAL = Lazy(r"(?<![.?!:]\s)(?<!^)\b[A-ZÀ-ÖØ-ÞА-Я][\w'’-]+")
_EDGE = re.compile(r"^[^\w]+|[^\w%+#]+$")
# Says "now" in words that look like content, and in others.
_NOW = Lazy(
    r"\b(?:these days|at the moment|at present|so far|hoje em dia|nos dias de hoje|neste momento)\b"
)
_NOW_STARTS = ("these days", "at ", "so far", "dia", "moment")
_NOW_WORDS = frozenset(
    [
        "now",
        "currently",
        "current",
        "nowadays",
        "latest",
        "newest",
        "still",
        "agora",
        "atual",
        "atualmente",
        "ainda",
        "presentemente",
    ]
)
# Ask what there is at a time, and for nothing in particular: "what is due on Friday?", "o que está marcado para amanhã?"
_OPEN = frozenset((
    "happen", "happens", "happened", "happening", "due", "planned", "plans", "scheduled", "schedule", "agenda", "calendar", "deadline",
    "deadlines", "upcoming", "coming", "acontece", "acontecem", "aconteceu", "acontecer", "prazo", "prazos", "vence", "vencem",
    "agendado", "agendada", "calendario", "marcado", "marcada", "marcados", "marcadas", "previsto", "prevista", "planeado", "planejado",
))  # fmt: skip


class Question(NamedTuple):
    """A question, taken apart.

    `terms` are its distinct stemmed words without stop words, in order. `names` are its folded words written with a
    capital inside a sentence, but not in capitals alone. `literal` is the folded question without outer punctuation,
    `inner` the terms that any text holding it letter for letter holds as whole words, `figure` the number that it ends
    with, which may go on there.
    `days` are the times that it points at.
    """

    text: str
    terms: tuple[str, ...]
    words: frozenset[str]
    names: frozenset[str]
    literal: str
    inner: tuple[str, ...]
    figure: str
    today: date
    now: bool  # asks for what holds at present
    days: tuple[Span, ...] = ()
    expects: str = ""  # the kind of answer that it waits for (expect.py)
    subject: tuple[str, ...] = ()  # the terms that do not just say so
    only_time: bool = False  # asks for nothing but what fell in `days`
    dated: frozenset[str] = frozenset()  # the terms that say `days`
    kind: str = ""  # the term for the kind of thing of which one is asked for: "which fruit"
    abbreviations: frozenset[str] = frozenset()  # its folded words in capitals alone: they name nobody


def read(text: str, today: date) -> Question:
    """Take a question apart; relative dates are seen from `today`."""
    low = fold(text)
    found = words(_NOW().sub(" now ", low) if any(word in low for word in _NOW_STARTS) else low)
    now = not _NOW_WORDS.isdisjoint(found)
    pointed = times(text, today)
    shown = set(words(pointed.seen_from_today))
    terms = tuple(dict.fromkeys(stem(word) for word in found if word not in STOP and word not in shown))
    literal = _EDGE.sub("", low) or low  # of a question of signs alone, these
    inside = literal.split(" ")[1:-1]
    inner = tuple(dict.fromkeys(stem(w) for part in inside for w in words(part)[:1] if w not in STOP))
    last = literal.rpartition(" ")[2] if " " in literal else ""
    figure = last if last.isascii() and last.isdigit() else ""
    no_name = STOP.union(words(pointed.said))  # "on 20 March" names a day and nobody
    capitals = [(w, hit) for hit in _CAPITAL().findall(text) for w in words(hit) if w not in no_name]
    shouted = text.isupper()
    abbreviations = frozenset(w for w, hit in capitals if hit.isupper() and not shouted)
    names = frozenset(w for w, _ in capitals) - abbreviations
    expects, said = expected(text)
    subject = tuple(t for t in terms if t not in {stem(word) for word in words(said)}) or terms
    dated = frozenset(stem(word) for word in words(pointed.said)).intersection(terms)
    only_time = bool(pointed.spans) and dated.union(map(stem, _OPEN)).issuperset(terms)
    return Question(
        text,
        terms,
        frozenset(found),
        names,
        literal,
        inner,
        figure,
        today,
        now,
        pointed.spans,
        expects,
        subject,
        only_time,
        dated,
        stem(kind_asked(text)),
        abbreviations,
    )
