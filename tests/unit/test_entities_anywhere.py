"""Who and what a memory names in the middle of its lines, told by all the places where the name stands."""

from __future__ import annotations

from datetime import date
from functools import cache

import pytest

from silo.core.entities import query
from silo.core.migrate.plan import plan_migration
from silo.core.migrate.request import Request
from silo.edge.migration_words import load_migration_words
from silo.formats.graph import parse_graph


@cache
def request() -> Request:
    return Request("MEMORY.md", date(2026, 4, 10), "2026-04-10T12:00:00Z", "default", load_migration_words())


def found(text: str) -> dict[str, str]:
    """Name and aliases → type, of everything that the text's plan puts into the graph."""
    plan = plan_migration(text, {}, request())
    lines = "".join(c.data.decode() for c in plan.changes if c.path == query.GRAPH)
    return {name: e.type for e in parse_graph(lines, query.GRAPH).entities.values() for name in e.names}


ABOUT = "# M\n\n## Odds and ends\n"


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("- the piano goes to my sister Ottoline once the stairs are free", {"Ottoline": "Person"}),
        ("- ask Graham about the ladder, he still has it", {"Graham": "Person"}),
        ("- waiting for Beatriz to sign the second page", {"Beatriz": "Person"}),
        ("- a chave está com o Tó da oficina, falta ir buscá-la", {"Tó": "Person"}),
        ("- falta ligar à Odete sobre o jantar", {"Odete": "Person"}),
        ("- Marta - contabilista, só atende de manhã", {"Marta": "Person"}),
        ("- Perpétua (irmã) vive em Faro", {"Perpétua": "Person"}),
        ("- my neighbour Walt waters the tomatoes", {"Walt": "Person"}),
        ("- uncle Fergus keeps the boat papers", {"Fergus": "Person"}),
        ("- a dona Ermelinda quer a janela pintada", {"Ermelinda": "Person"}),
        ("- Wrenford, electrician, cash only", {"Wrenford": "Person"}),
        ("- the slates are ordered from Bramley Roofing, not delivered yet", {"Bramley Roofing": "Org"}),
        ("- ela trabalha na Clínica Boavista às terças", {"Clínica Boavista": "Org"}),
        ("- Serralharia Fontes: portões e grades", {"Serralharia Fontes": "Org"}),
        ("- there are two sites: Gull Cove and Otter's Reach", {"Gull Cove": "Location", "Otter's Reach": "Location"}),
        ("- a feira é na Quinta do Lago Seco, lugar 14", {"Quinta do Lago Seco": "Location"}),
        ("- надо позвонить Марине насчет ключей", {"Марина": "Person"}),
    ],
)  # fmt: skip
def test_a_name_is_told_by_what_stands_around_it(line: str, names: dict[str, str]) -> None:
    told = found(ABOUT + line + "\n")
    assert names.items() <= told.items(), told


@pytest.mark.parametrize(
    "line",
    [
        "- the newsletter goes out through Mailchimp on Monday mornings",
        "- Notion has the drafts and Slack has the rest",
        "- in April the French lessons start again",
        "- Chapter two is the hard one",
        "- Ordered two boxes, Thursday at the earliest",
        "- Reunião de segunda passou para Abril",
        "- Will there be a second coat of paint?",
        "- Grace period of ten days on the licence",
        "- Faturas em PDF, recibos em CSV",
        "- a app do Multibanco não abre no Android",
        "- Use `Marta` as the branch name, with Docker running",
        "- the heading says \"Ana and the Sea\", keep it",
        "- Python runs the nightly job, Restic runs the backup",
        "- São Paulo e Minas ficam para depois",
    ],
)  # fmt: skip
def test_a_capital_alone_makes_no_name(line: str) -> None:
    assert {n: t for n, t in found(ABOUT + line + "\n").items() if t != "Project"} == {}


def test_what_is_said_in_one_place_speaks_for_the_name_in_another() -> None:
    told = found("# M\n\n- Corvina wants the keys back\n- call Corvina on Friday\n- the van is with Corvina until June\n")
    assert told.get("Corvina") == "Person"


def test_a_first_name_joins_the_one_full_name() -> None:
    told = found("# M\n\n## People\n- Leonor Sabrosa, potter\n\n## Open\n- [ ] call Leonor about the kiln\n")
    assert told == {"Leonor Sabrosa": "Person", "Leonor": "Person"}


def test_who_is_named_only_in_what_is_over_stays_out_of_the_graph() -> None:
    told = found("# M\n\n## History 2023\n- 2023-04-02: lunch with Gwen, moved house\n- 2023-05-09: sold the old car\n")
    assert "Gwen" not in told
