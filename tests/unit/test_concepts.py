"""The table of everyday words: well formed, and the same in both directions."""

from __future__ import annotations

import pytest

from silo.text.concepts import CONCEPTS, related
from silo.text.stem import stem
from silo.text.tokens import words

LINES = CONCEPTS.strip().split("\n")


def test_every_word_is_written_as_it_is_compared() -> None:
    listed = [word for line in LINES for word in line.replace("|", " ").split()]
    assert [word for word in listed if words(word)[:1] != [word]] == []


def test_every_line_joins_at_least_two_words() -> None:
    assert [line for line in LINES if len(set(map(stem, line.replace("|", " ").split()))) < 2] == []


def test_no_line_stands_twice() -> None:
    assert sorted(set(LINES)) == sorted(LINES)


@pytest.mark.parametrize(
    ("one", "other"), [("price", "custo"), ("car", "vehicle"), ("consulta", "appointment"), ("cows", "gado")]
)
def test_meaning_goes_both_ways(one: str, other: str) -> None:
    assert stem(other) in related(stem(one))
    assert stem(one) in related(stem(other))


def test_a_word_of_no_concept_has_no_relatives() -> None:
    assert related("zeppelin") == ()
