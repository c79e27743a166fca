"""What is kept of a thing (a profile, settings, a list) is no project and nobody, unless work on it is told of."""

from __future__ import annotations

from datetime import date
from functools import cache

import pytest

from silo.core.entities import query
from silo.core.entities.kept import is_kept, is_worked_on
from silo.core.migrate.plan import plan_migration
from silo.core.migrate.request import Request
from silo.edge.migration_words import load_migration_words
from silo.formats.graph import parse_graph


@cache
def request() -> Request:
    return Request("MEMORY.md", date(2026, 4, 10), "2026-04-10T12:00:00Z", "default", load_migration_words())


def entities(text: str) -> dict[str, str]:
    plan = plan_migration("# M\n\n" + text, {}, request())
    lines = "".join(c.data.decode() for c in plan.changes if c.path == query.GRAPH)
    return {e.names[0]: e.type for e in parse_graph(lines, query.GRAPH).entities.values()}


# a name, what is only kept of it, what tells of work on it
THINGS = [
    ("Printer profile", "Brother, duplex on", "driver still missing, due 12 May"),
    ("Camera settings", "ISO 400, f/8", "waiting for the new lens"),
    ("Monitor setup", "27 inch on the left", "in progress, arm ordered"),
    ("Router Config", "channel 11, WPA3", "migration to the new box on 3 June"),
    ("Seed inventory", "beans, kale, chard", "draft, owner: Ana"),
    ("Keyboard layout", "US international", "repo: ~/code/keymap"),
    ("Inventário da adega", "120 garrafas, tinto", "falta contar o vinho branco"),
    ("Definições da câmara", "ISO 400", "em curso, prazo 12 de maio"),
    ("Lista de convidados", "tios, primos e a banda", "pendente, responsável: Rui"),
    ("打印机设置", "双面打印", "进行中"),
    ("プリンター設定", "両面印刷", "期限は五月十二日"),
    ("프린터 설정", "양면 인쇄", "진행 중"),
]
CASES = pytest.mark.parametrize(("name", "kept", "worked"), THINGS)


@CASES
def test_a_line_of_what_is_kept_is_no_entity(name: str, kept: str, worked: str) -> None:
    assert name not in entities(f"## Projects\n- Boat refit: waiting for the mast, due May\n- {name}: {kept}\n")


@CASES
def test_work_on_it_makes_it_a_project(name: str, kept: str, worked: str) -> None:
    assert entities(f"## Projects\n- Boat refit: waiting for the mast, due May\n- {name}: {worked}\n").get(name) == "Project"


@CASES
@pytest.mark.parametrize("above", ["## Active projects\n### ", "## "])
def test_a_heading_of_what_is_kept_is_no_entity(name: str, kept: str, worked: str, above: str) -> None:
    assert name not in entities(f"## Active\n- [ ] call the bank\n{above}{name}\n- {kept}\n")


@CASES
def test_a_heading_over_work_is_a_project(name: str, kept: str, worked: str) -> None:
    found = entities(f"## Active projects\n### Garden fence\n- order posts by Friday\n### {name}\n- {worked}\n- next: call Bo\n")
    assert found.get(name) == "Project"


@pytest.mark.parametrize("name", ["Printer Profile", "Emergency Contacts", "Phone List", "Perfil Da Impressora"])
def test_it_is_nobody_either(name: str) -> None:
    assert entities(f"## People\n- Omar Field — deputy\n- {name}: on the fridge\n") == {"Omar Field": "Person"}


@pytest.mark.parametrize("name", ["Boat refit", "Kiln upgrade", "Acme CRM", "Settings redesign", "List migration", "Profile page", "Website relaunch", "Estufa nova", "Setup"])
def test_other_names_are_not_of_this_kind(name: str) -> None:
    assert not is_kept(name, request().words.entities)


@pytest.mark.parametrize("text", ["drum at 40 %", "[ ] buy toner", "due on 3 May", "wip", "Repo: ~/x", "owner Ana", "em andamento", "срок 5 мая", "担当は健一"])
def test_what_tells_of_work(text: str) -> None:
    assert is_worked_on(text, request().words.entities)
