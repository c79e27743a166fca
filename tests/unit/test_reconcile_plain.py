"""What becomes of a new statement that says a fact in other words, in another order or language, but for one word, or as over.

The pairs are in tests/data/reconcile/plain.txt, one a line. Beside each class stand near misses that both stay.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from silo.core.reconcile import Kind, Reconciler
from silo.core.reconcile.ended import ended_part
from silo.core.reconcile.exchanged import exchanged
from silo.core.reconcile.recast import fuel_of, recast
from silo.edge.vocabulary import load_vocabularies
from silo.text.vocabulary import choose

FILE = Path(__file__).parent.parent / "data" / "reconcile" / "plain.txt"
ROWS = [tuple(line.split(" | ")) for line in FILE.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
LABEL = {Kind.CONTRADICTION: "contradict", Kind.UPDATE: "update", Kind.DUPLICATE: "duplicate", Kind.NEW: "compatible"}
OLD_DAY, NEW_DAY = date(2026, 2, 3), date(2026, 2, 20)


@pytest.fixture(scope="module")
def compare() -> Reconciler:
    return Reconciler(load_vocabularies())


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]}: {row[2]} | {row[3]}")
def test_pair(row: tuple[str, ...], compare: Reconciler) -> None:
    _, labels, old, new = row
    outcome = compare(old, new, OLD_DAY, NEW_DAY)
    assert LABEL[outcome.kind] in labels.split("/"), outcome


def test_near_misses_are_a_third_of_the_pairs() -> None:
    assert sum("compatible" in row[1] for row in ROWS) >= len(ROWS) // 3


def test_what_is_older_than_the_fact_changes_nothing(compare: Reconciler) -> None:
    assert compare("My gym is Pulse.", "Cancelled Pulse, I've joined Kraft.", NEW_DAY, OLD_DAY).kind in (Kind.OUTDATED, Kind.NEW)
    assert compare("O anel é de prata.", "O anel é de ouro.", NEW_DAY, OLD_DAY).kind is Kind.OUTDATED


def test_values_are_words_of_the_texts(compare: Reconciler) -> None:
    for _, _, old, new in ROWS:
        outcome = compare(old, new, OLD_DAY, NEW_DAY)
        if outcome.loose and outcome.why == "the same but for one word":
            assert outcome.old_value in old
            assert outcome.new_value in new


@pytest.mark.parametrize(
    ("text", "language", "plain"),
    [
        ("Peer's flat is on the fourth floor.", "en", "Peer lives on the fourth floor."),
        ("The Hansens' house is in Mill Road.", "en", "The Hansens live in Mill Road."),
        ("A casa da Olga fica em Silves.", "pt", "A Olga mora em Silves."),
        ("O trator tem motor a gasolina.", "pt", "O combustível do trator é gasolina."),
        ("A sopa está quente.", "pt", "A sopa está quente."),
        ("The soup is hot.", "en", "The soup is hot."),
    ],
)
def test_recast(text: str, language: str, plain: str) -> None:
    assert recast(text, language) == plain


@pytest.mark.parametrize(
    ("old", "new", "slot"),
    [
        ("The gate is made of oak.", "The gate is made of iron.", ("oak", "iron")),
        ("O tampo é de vidro.", "O tampo é de granito.", ("vidro", "granito")),
        ("The gate is made of oak.", "The gate is squeaky.", None),
        ("The gate is red.", "The gate is squeaky.", None),
        ("The gate is made of oak.", "The gate is made of oak and iron.", None),
    ],
)
def test_exchanged(old: str, new: str, slot: tuple[str, str] | None) -> None:
    assert exchanged(old, new) == slot


@pytest.mark.parametrize("text", ["I might cancel Pulse.", "We haven't sold the boat.", "Ainda não cancelei a Fibrax.", "If Pulse is cancelled we go to Kraft.", "Is the boat sold?"])
def test_what_is_not_over_ends_nothing(text: str) -> None:
    assert ended_part(text) is None


@pytest.mark.parametrize(
    ("text", "language"),
    [("Zé doesn't tolerate lactose.", "en"), ("Vendemos a tenda.", "pt"), ("Rui won't fly.", "en"), ("Passámos a Linha.", "pt"), ("Não temos televisão.", "pt")],
)
def test_a_short_sentence_has_the_language_of_its_denial_or_verb(text: str, language: str) -> None:
    vocabularies = load_vocabularies()
    other = next(v for v in vocabularies if v.code != language)
    assert choose(text, vocabularies, other).code == language


@pytest.mark.parametrize(
    ("text", "language", "fuel"),
    [
        ("The car runs on diesel.", "en", "diesel"),
        ("O carro é a gasóleo.", "pt", "diesel"),
        ("The van is electric.", "en", "electric"),
        ("A moto anda a gasolina.", "pt", "petrol"),
        ("The van is red.", "en", None),
    ],
)
def test_fuel(text: str, language: str, fuel: str | None) -> None:
    found = fuel_of(text, language)
    assert (found.fuel if found else None) == fuel


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        ("O cachecol da Rita é de lã.", "O cachecol da Rita é comprido.", Kind.NEW),
        ("A saia da Inês é de lã.", "A saia da Inês é larga.", Kind.NEW),
        ("Marta's hall is wide.", "Marta's hall is long.", Kind.NEW),
        ("Tom's desk is high.", "Tom's desk is wide.", Kind.NEW),
        ("O cachecol da Rita é de lã.", "O cachecol da Rita é em lã.", Kind.DUPLICATE),
        ("Tom's desk is big.", "Tom's desk is large.", Kind.DUPLICATE),
    ],
)
def test_whose_it_is_makes_two_properties_no_double(old: str, new: str, kind: Kind, compare: Reconciler) -> None:
    assert compare(old, new, OLD_DAY, NEW_DAY).kind is kind
    assert compare(new, old, OLD_DAY, NEW_DAY).kind is kind


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The dishwasher holds 432 litres.", "Desde este mês a máquina de lavar loiça não tem seguro."),
        ("The boat holds six people.", "O barco não tem seguro desde maio."),
        ("The tent weighs 5 kg.", "Desde maio a tenda já não tem garantia."),
        ("A máquina de lavar loiça leva 12 pratos.", "Since this month the dishwasher has no insurance."),
    ],
)
def test_what_a_thing_lacks_ends_no_figure_of_it_in_the_other_language(old: str, new: str, compare: Reconciler) -> None:
    for changed in (False, True):
        assert compare(old, new, OLD_DAY, NEW_DAY, changed=changed).kind is Kind.NEW


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("A caldeira tem seguro.", "O esquentador tem seguro."),
        ("The boiler is insured.", "The water heater is insured."),
        ("A caldeira está na cave.", "O esquentador está na cave."),
    ],
)
def test_a_thing_that_is_only_like_another_is_another(one: str, other: str, compare: Reconciler) -> None:
    assert compare(one, other, OLD_DAY, NEW_DAY).kind is Kind.NEW
    assert compare(other, one, OLD_DAY, NEW_DAY).kind is Kind.NEW
