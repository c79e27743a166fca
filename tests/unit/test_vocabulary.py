"""The tables of comparison words: what a native speaker may edit without breaking anything else."""

from __future__ import annotations

import pytest

from silo.edge.vocabulary import load_vocabularies
from silo.text.vocabulary import Vocabulary, choose, from_table, marks_of, pieces, root

ALL = load_vocabularies()
TABLES = {
    "not", "yet", "cue", "out", "stay", "passive", "into", "leave", "join", "past", "role", "act", "takeover", "unreal", "hearsay", "approx", "decision", "copula", "verb", "light", "attribute",
    "bearing", "slot", "contrast", "scope", "period", "inner", "status", "purpose", "where", "noun", "faint", "without",
}  # fmt: skip


def by_code(code: str) -> Vocabulary:
    return next(v for v in ALL if v.code == code)


def test_english_comes_first() -> None:
    assert [v.code for v in ALL] == ["en", "pt"]


@pytest.mark.parametrize("vocabulary", ALL, ids=lambda v: v.code)
def test_every_table_is_there_and_no_phrase_is_empty(vocabulary: Vocabulary) -> None:
    assert set(vocabulary.marks) == TABLES
    assert [p for group in vocabulary.marks.values() for phrases in group.values() for p in phrases if not pieces(p)] == []


def test_keys_mean_the_same_in_both_languages() -> None:
    """A property, group or state that one language names and the other can't would never meet its partner."""
    english, portuguese = by_code("en"), by_code("pt")
    for table in ("attribute", "contrast", "status", "noun", "cue", "period", "bearing"):
        known = set(english.marks[table])
        strange = set(portuguese.marks[table]) - known
        assert strange <= {"grace"}, (table, strange)


@pytest.mark.parametrize("vocabulary", ALL, ids=lambda v: v.code)
def test_groups_have_members_that_exclude_each_other(vocabulary: Vocabulary) -> None:
    for table in ("contrast", "scope", "bearing"):
        assert all(key.count(".") == 1 for key in vocabulary.marks[table])
    for key in vocabulary.marks["status"]:
        family, stage, *outcome = key.split(".")
        assert family.isalpha()
        assert stage in ("0", "1", "2")
        assert outcome in ([], ["no"])


def test_a_phrase_is_met_in_its_inflections_and_an_exact_word_is_not() -> None:
    table = {"language": "xx", "marks": {"attribute": {"price": ["cost", "=fees"]}}}
    made = from_table(table)
    assert [m.key for m in marks_of("costs", made)] == ["price"]
    assert [m.key for m in marks_of("fees", made)] == ["price"]
    assert marks_of("fee", made) == ()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("The gateway listens on port 8088.", "en"), ("A câmara fria é de 2.000 litros.", "pt"), ("Consulta: 180 reais.", "pt"), ("Boleto pago.", "pt"),
        ("Lives in Ghent.", "en"), ("A reunião dura 90 minutos.", "pt"), ("Deploy on Fridays.", "en"),
    ],
)  # fmt: skip
def test_the_language_is_told_by_its_words(text: str, code: str) -> None:
    assert choose(text, ALL).code == code


def test_where_nothing_tells_the_likely_one_is_taken() -> None:
    assert choose("8088", ALL, by_code("pt")).code == "pt"
    assert choose("8088", ALL).code == "en"


@pytest.mark.parametrize(("a", "b", "code"), [("fuma", "fumar", "pt"), ("rehearsal", "rehearses", "en"), ("vacas", "vaca", "pt"), ("delivers", "delivering", "en")])
def test_verb_forms_meet(a: str, b: str, code: str) -> None:
    assert root(a, by_code(code)) == root(b, by_code(code))
