"""Extraction on any text: it never fails, never claims what is not there, never writes a long or broken line."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from silo.core.extract import extract, ground
from silo.core.extract.clauses import pieces
from silo.edge.lang import load_languages
from silo.model import Origin, Session, Turn
from silo.text.dates import find_dates
from silo.text.flat import flat, flat_words

WORDS = st.sampled_from(
    [
        "the",
        "rent",
        "is",
        "900",
        "now",
        "no",
        "not",
        "wait",
        "actually",
        "Friday",
        "on",
        "by",
        "remind",
        "me",
        "to",
        "never",
        "always",
        "Ana",
        "`make",
        "all`",
        "said",
        "ok",
        "yes",
        "sim",
        "não",
        "o",
        "aluguel",
        "passou",
        "de",
        "para",
        "R$",
        "980",
        "dia",
        "12",
        "sexta",
        "às",
        "18h30",
        "era",
        "antes",
        "esquece",
        ",",
        ".",
        "?",
        "!",
        ":",
        ";",
        "-",
        ">",
        "\n",
        '"',
        "(",
        ")",
        "👍",
        "lol",
        "kkk",
        "if",
        "se",
        "[REDACTED:password]",
        "05/02",
        "2026-03-07",
        "1)",
        "2)",
        "or",
        "ou",
        "it",
        "ela",
    ]
)
TALK = st.lists(WORDS, max_size=24).map(" ".join)
TEXT = st.one_of(TALK, st.text(max_size=80))


ASKS = ["call the plumber", "can you check 5% of 80", "liga à Ana", "remind me", "note that", "por favor", "Friday", "no, thanks", "actually", "forget it", "ok", "isso", "the", ""]
SCOLDS = ["stupid me", "I'm such an idiot", "silly of me to forget", "burro que eu sou", "que estupidez a minha", "sou mesmo despassarado", "what an idiot I am", "sorry"]
GLUE = [", ", ". ", "! ", "\n", " - ", "; ", ": ", "... "]
REPLIES = ["Done.", "Noted.", "I'll remind you.", "Anotado.", "Noted: Friday.", "OK, call the plumber.", "Shall I?"]


def _says_something(text: str) -> bool:
    """A figure or a word of weight is left beside the fixed labels."""
    small = {w for lang in load_languages() for w in lang.function_words} | {"was", "era", "due", "prazo", "effective", "vigente", "desde"}
    return any(w.replace("'", "") not in small for w in re.findall(r"\w+(?:'\w+)?", text.lower().replace("’", "'")))


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(ASKS), st.sampled_from(GLUE), st.sampled_from(SCOLDS), st.booleans(), st.sampled_from(REPLIES)), min_size=1, max_size=4))
def test_a_request_and_a_word_against_oneself_never_leave_an_empty_line(said: list[tuple[str, str, str, bool, str]]) -> None:
    start = datetime(2026, 3, 4, 9, tzinfo=UTC)
    turns = []
    for n, (ask, glue, scold, first, reply) in enumerate(said):
        text = f"{scold}{glue}{ask}" if first else f"{ask}{glue}{scold}"
        turns.append(Turn(f"m{2 * n}", "user", Origin.OWNER, start + timedelta(minutes=2 * n), text, True))
        turns.append(Turn(f"m{2 * n + 1}", "assistant", Origin.AGENT, start + timedelta(minutes=2 * n + 1), reply, True))
    for candidate in extract(Session("s", "text", "default", tuple(turns)), (), load_languages()):
        assert _says_something(candidate.text), candidate.text
        assert not any(scold in candidate.text.lower() for scold in ("stupid me", "such an idiot", "burro que eu sou", "estupidez a minha"))


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(list(Origin)), TEXT, st.booleans()), max_size=8))
def test_any_conversation_gives_grounded_lines(said: list[tuple[Origin, str, bool]]) -> None:
    start = datetime(2026, 3, 4, 9, tzinfo=UTC)
    turns = tuple(
        Turn(f"m{n}", "user", origin, start + timedelta(minutes=n), text, fresh)
        for n, (origin, text, fresh) in enumerate(said)
    )
    session = Session("s", "text", "default", turns)
    fresh = {t.id for t in turns if t.fresh}
    for candidate in extract(session, (), load_languages()):
        assert ground(candidate, session)
        assert len(candidate.text) <= 500
        assert "\n" not in candidate.text
        assert _says_something(candidate.text)
        assert fresh & set(candidate.evidence)


@settings(max_examples=200, deadline=None)
@given(TEXT, st.dates(min_value=date(1990, 1, 1), max_value=date(2090, 1, 1)))
def test_dates_are_in_order_and_inside_the_text(text: str, today: date) -> None:
    at = 0
    for hit in find_dates(text, today):
        assert at <= hit.start < hit.end <= len(text)
        assert len(hit.value) in (4, 7, 10)
        at = hit.end


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60))
def test_flattening_keeps_the_length(text: str) -> None:
    assert len(flat(text)) == len(flat_words(text)) == len(text)


@settings(max_examples=150, deadline=None)
@given(TEXT)
def test_pieces_hold_words_of_the_message_only(text: str) -> None:
    for piece in pieces(text):
        assert all(word in text for word in re.findall(r"\w+", piece.text))
