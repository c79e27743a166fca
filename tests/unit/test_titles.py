"""Titles, roles, days and months: no entity and no name by themselves; before a name they are part of it."""

from __future__ import annotations

from datetime import date
from functools import cache

import pytest

from silo.core.entities import query
from silo.core.migrate.plan import plan_migration
from silo.core.migrate.request import Request
from silo.core.suggest import suggest
from silo.edge.migration_words import load_migration_words
from silo.edge.themes import load_themes
from silo.formats.graph import parse_graph
from silo.model import Event, Tag


@cache
def request() -> Request:
    return Request("MEMORY.md", date(2026, 4, 10), "2026-04-10T12:00:00Z", "default", load_migration_words())


def people(text: str) -> dict[str, tuple[str, ...]]:
    """Id → names of the persons that the graph has after the migration of a text."""
    plan = plan_migration("# M\n\n" + text, {}, request())
    lines = "".join(c.data.decode() for c in plan.changes if c.path == query.GRAPH)
    return {e.id: e.names for e in parse_graph(lines, query.GRAPH).entities.values() if e.type == "Person"}


@pytest.mark.parametrize(
    "word",
    ["Sr", "Sra.", "Dr", "Dra.", "Mr.", "Mrs", "Dona", "Prof.", "Doctor", "Neighbour", "Boss", "Landlord", "Plumber", "Vizinha", "Médico", "Porteiro", "Vecino", "Nachbar",
     "Monday", "Tuesdays", "Friday", "Segunda-feira", "Sábados", "Lunes", "March", "Dezembro", "Septiembre", "Tomorrow", "Сосед", "Врач", "Понедельник", "先生", "月曜日", "邻居", "사장님"],
)  # fmt: skip
@pytest.mark.parametrize("line", ["- {} — calls at nine", "- **{}**: two keys", "- {} (at the gate)"])
def test_what_names_nobody_is_no_person(word: str, line: str) -> None:
    assert people(f"## People\n- Omar Field — deputy\n{line.format(word)}\n") == {"p_omar_field": ("Omar Field",)}


@pytest.mark.parametrize(
    ("line", "ident", "names"),
    [
        ("- Dona Amélia — neighbour, waters the plants", "p_dona_amelia", ("Dona Amélia", "Amélia")),
        ("- Mr Adeyemi — landlord", "p_mr_adeyemi", ("Mr Adeyemi", "Adeyemi")),
        ("- Sr. Valadares: contabilista", "p_sr_valadares", ("Sr. Valadares", "Valadares")),
        ("- Dr. Halima Sesay: family doctor", "p_halima_sesay", ("Halima Sesay",)),
        ("- Marcos — brother", "p_marcos", ("Marcos",)),
        ("- Domingos — baker", "p_domingos", ("Domingos",)),
    ],
)
def test_with_its_name_a_title_is_one_person(line: str, ident: str, names: tuple[str, ...]) -> None:
    assert people(f"## People\n{line}\n") == {ident: names}


def test_a_table_of_people_knows_titles_too() -> None:
    rows = "| Sra. Teixeira | lawyer | 555 0101 |\n| Omar Field | deputy | 555 0102 |\n| Sr. | owner | 555 0103 |\n| Friday | market | - |\n"
    found = people(f"## People\n\n| Name | Role | Phone |\n|---|---|---|\n{rows}")
    assert found == {"p_sra_teixeira": ("Sra. Teixeira", "Teixeira"), "p_omar_field": ("Omar Field",)}


def suggested(*texts: str) -> tuple[str, tuple[str, ...]]:
    said = [Event(f"2026-03-{n:02d}", Tag.FACT, "general", text, id=f"e_{n:012x}") for n, text in enumerate(texts, 1)]
    (only,) = suggest(said, (), load_themes())
    return only.title, only.names


@pytest.mark.parametrize(
    ("texts", "name"),
    [
        (("We asked Mr. Adeyemi about the allotment.", "On the allotment Mr. Adeyemi grows beans.", "The allotment of Mr. Adeyemi has a water butt."), "Mr. Adeyemi"),
        (("O jardim da Dona Amélia precisa de rega.", "Combinei com a Dona Amélia podar as roseiras do jardim.", "As roseiras da Dona Amélia são brancas."), "Dona Amélia"),
        (("The dentist Dr. Halima moved.", "Paid Dr. Halima 80 euros for the dental cleaning.", "The dental check with Dr. Halima is in May."), "Dr. Halima"),
    ],
)
def test_a_title_is_part_of_the_name_in_a_suggestion(texts: tuple[str, ...], name: str) -> None:
    assert name in suggested(*texts)[1]


@pytest.mark.parametrize("word", ["Sr.", "Dr.", "Mrs", "Monday", "Doctor", "Segunda-feira", "Sra."])
def test_a_title_alone_is_no_name_in_a_suggestion(word: str) -> None:
    title, names = suggested(f"The allotment is what {word} wants.", f"On the allotment {word} is busy.", f"The allotment gate needs oil, {word} said.")
    told = f"{title} {' '.join(names)}".casefold().split()
    assert word.rstrip(".").casefold() not in [one.strip(".,:") for one in told]
