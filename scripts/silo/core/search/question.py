"""What a question asks for, as far as its words tell: terms, names, the days that it points at, what it quotes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta

from silo.core.search.expect import expected
from silo.text.fold import fold
from silo.text.stem import stem
from silo.text.tokens import STOP, words

_CAPITAL = re.compile(r"(?<![.?!:]\s)(?<!^)\b[A-ZÀ-ÖØ-ÞА-Я][\w'’-]+")
_EDGE = re.compile(r"^[^\w]+|[^\w%+#]+$")
# A question without any of these points at no day; reading dates is not cheap.
_MAYBE_DATE = re.compile(
    r"\d|day|week|month|year|yesterday|tomorrow|tonight|january|february|march|april|may|june|july|august|september"
    r"|october|november|december|recent|hoje|ontem|amanha|semana|mes|ano|janeiro|fevereiro|marco|abril|maio|junho|julho"
    r"|agosto|setembro|outubro|novembro|dezembro|segunda|terca|quarta|quinta|sexta|sabado|domingo"
)


# Says "now" in words that look like content.
_NOW = re.compile(
    r"\b(?:these days|at the moment|at present|so far|hoje em dia|nos dias de hoje|neste momento)\b"
)


@dataclass(frozen=True, slots=True)
class Question:
    """A question, taken apart.

    `terms` are its distinct stemmed words without stop words, in order. `names` are its folded words written with a
    capital inside a sentence. `literal` is the folded question without outer punctuation, `inner` the terms that any
    text holding it letter for letter holds as whole words. `days` are (first, last) of each date it points at.
    """

    text: str
    terms: tuple[str, ...]
    words: frozenset[str]
    names: frozenset[str]
    literal: str
    inner: tuple[str, ...]
    days: tuple[tuple[str, str], ...] = ()
    expects: str = ""  # the kind of answer that it waits for (expect.py)
    subject: tuple[str, ...] = ()  # the terms that do not just say so


def read(text: str, today: date) -> Question:
    """Take a question apart; relative dates are seen from `today`."""
    found = words(_NOW.sub(" ", fold(text)))
    terms = tuple(dict.fromkeys(stem(word) for word in found if word not in STOP))
    literal = _EDGE.sub("", fold(text))
    inside = literal.split(" ")[1:-1]
    inner = tuple(dict.fromkeys(stem(w) for part in inside for w in words(part)[:1] if w not in STOP))
    names = frozenset(w for hit in _CAPITAL.findall(text) for w in words(hit) if w not in STOP)
    expects, said = expected(text)
    subject = tuple(t for t in terms if t not in {stem(word) for word in words(said)}) or terms
    return Question(
        text, terms, frozenset(found), names, literal, inner, _days(text, today), expects, subject
    )


def _days(text: str, today: date) -> tuple[tuple[str, str], ...]:
    if not _MAYBE_DATE.search(fold(text)):
        return ()
    from silo.text.dates import find_dates

    found = (_span(hit.value, hit.kind) for hit in find_dates(text, today, prefer="past"))
    return tuple(dict.fromkeys(found))


def _span(value: str, kind: str) -> tuple[str, str]:
    """First and last day of a date value."""
    if len(value) == 4:
        return f"{value}-01-01", f"{value}-12-31"
    if len(value) == 7:
        return f"{value}-01", f"{value}-31"
    if kind in ("week", "weekend"):
        first = date.fromisoformat(value)
        return value, (first + timedelta(days=6 if kind == "week" else 1)).isoformat()
    return value, value
