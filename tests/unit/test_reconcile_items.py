"""Lists of plain words: of which one thing goes, the others stay in the fact."""

from __future__ import annotations

from datetime import date

import pytest

from silo.core.reconcile import Kind, Reconciler
from silo.edge.vocabulary import load_vocabularies

OLD_DAY, NEW_DAY = date(2026, 2, 3), date(2026, 2, 20)


@pytest.fixture(scope="module")
def compare() -> Reconciler:
    return Reconciler(load_vocabularies())


@pytest.mark.parametrize(
    ("fact", "said", "kept"),
    [
        ("In the fridge: milk, cheese and ham.", "The ham is no longer in the fridge.", "In the fridge: milk and cheese."),
        ("The bag holds a torch, two ropes and a stove.", "We took the ropes out of the bag.", "The bag holds a torch and a stove."),
        ("Lista de compras: arroz, sabão, ovos", "Risquei o sabão da lista de compras.", "Lista de compras: arroz, ovos."),
    ],
)
def test_what_stays_in_a_list_stays_in_the_fact(fact: str, said: str, kept: str, compare: Reconciler) -> None:
    outcome = compare(fact, said, OLD_DAY, NEW_DAY)
    assert outcome.kind is Kind.UPDATE
    assert outcome.merged == f"{kept} {said}"


@pytest.mark.parametrize("said", ["The scissors are gone.", "We gave the scissors away.", "There are no scissors any more.", "The scissors were stolen."])
def test_what_is_said_of_one_thing_replaces_no_list(said: str, compare: Reconciler) -> None:
    outcome = compare("In the first aid kit: plasters, scissors, gauze.", said, OLD_DAY, NEW_DAY)
    assert outcome.kind is Kind.NEW or "plasters" in (outcome.merged or "")
