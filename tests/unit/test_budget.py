"""Budgets: the estimate errs high, and no cut splits a character as a reader sees it."""

from __future__ import annotations

import pytest

from silo.text.budget import cut, cut_line, estimate_tokens, size

FAMILY = "👩‍👩‍👧‍👦"
FLAGS = "🇧🇷🇵🇹"


@pytest.mark.parametrize(("text", "tokens"), [("", 0), ("a", 1), ("a" * 22, 10), ("a" * 23, 11), ("日本", 3)])
def test_estimate_is_bytes_by_2_2_rounded_up(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens


@pytest.mark.parametrize(
    "text", [FAMILY * 3, FLAGS * 3, "e\u0301" * 20, "ação " * 10, "한국어 " * 8, "👍🏽" * 9]
)
@pytest.mark.parametrize("limit", range(60))
def test_a_cut_fits_and_keeps_whole_characters(text: str, limit: int) -> None:
    short = cut(text, limit)
    assert size(short) <= limit or short == text
    head = short.removesuffix("…")
    assert text.startswith(head)
    rest = text[len(head) :].lstrip()
    if short != text and head and rest:
        assert rest[0] not in "\u0301\u200d🏽"
        assert not head.endswith("\u200d")
        assert sum("\U0001f1e6" <= c <= "\U0001f1ff" for c in head) % 2 == 0


def test_a_short_text_is_left_alone() -> None:
    assert cut("short", 5) == "short"
    assert cut_line("short line", 100) == "short line"


def test_a_line_is_cut_between_words() -> None:
    assert cut_line("one two three four five", 18) == "one two three…"
