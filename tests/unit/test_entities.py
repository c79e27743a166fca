"""People, organisations, projects, places: found in text, in the graph, asked for and changed."""

from __future__ import annotations

import json
from datetime import date
from functools import cache

import pytest

from silo.core.entities import query
from silo.core.migrate.plan import plan_migration
from silo.core.migrate.request import Request
from silo.edge.migration_words import load_migration_words
from silo.formats.graph import Graph, parse_graph

AT = "2026-04-10T12:00:00Z"


@cache
def request() -> Request:
    return Request("MEMORY.md", date(2026, 4, 10), AT, "default", load_migration_words())


def graph_of(text: str, old: str = "") -> Graph:
    plan = plan_migration(text, {query.GRAPH: old} if old else {}, request())
    lines = "".join(c.data.decode() for c in plan.changes if c.path == query.GRAPH)
    return parse_graph(old + lines, query.GRAPH)


def named(text: str) -> dict[str, str]:
    return {e.id: e.type for e in graph_of("# M\n\n" + text).entities.values()}


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("## People\n- Omar Field — deputy, techs\n- Wim — breakfast\n", {"p_omar_field", "p_wim"}),
        ("## People\n- Partner Kit, teaches chemistry\n- Dog: Rex\n- Accountant: Mr Sharp\n", {"p_kit"}),
        ("## Familia\n- Hermano: Lautaro, ayuda los sábados\n", {"p_lautaro"}),
        ("## On call\n- week A: Grigor\n- week B: Hana Weil\n", {"p_grigor", "p_hana_weil"}),
        (
            "## Quem é quem\n- Rafaela Quintão — dona, Estúdio Marés (Porto)\n",
            {"p_rafaela_quintao", "org_estudio_mares"},
        ),
        (
            "## About me\n- Me llamo Ramiro Cantón, mi esposa Delia lleva las cuentas\n",
            {"p_ramiro_canton", "p_delia"},
        ),
        (
            "## Organisations\n| Name | What |\n|---|---|\n| Marsh Council | grant |\n| Mastco | mast |\n",
            {"org_marsh_council", "org_mastco"},
        ),
        (
            "## Places\n- Beacon Hill: transmitter\n- Quay Street studio: two rooms\n",
            {"loc_beacon_hill", "loc_quay_street_studio"},
        ),
        ("## Fleet\n- Truck 03: 2016, 612,000 km\n", {"prop_truck_03"}),
        ("## 用户档案\n- 姓名:许知远舟\n- 在杭州经营清岚工作室(3 人)\n", {"p_许知远舟", "org_清岚工作室"}),
        ("## ユーザー\n- 夫は健一さん、高校教師\n", {"p_健一"}),
        (
            "## Projects\n- Kiln upgrade: quote expected\n- status: fine\n- call Bo: at ten\n",
            {"proj_kiln_upgrade", "p_bo"},
        ),
        (
            "## Current jobs\n### J-204 North pit volume survey\n- report due 29 May\n",
            {"proj_north_pit_volume_survey"},
        ),
        ("## Rules\n- Never Call Before Ten\n", set()),
    ],
)
def test_found_by_form_and_place(text: str, ids: set[str]) -> None:
    assert set(named(text)) == ids


def test_what_is_said_of_them_becomes_properties_and_relations() -> None:
    graph = graph_of(
        "# M\n\n## About my human\n- Name: Renske Vaal, goes by Ren\n- Timezone Europe/Amsterdam\n\n"
        "## Team\n- Bettina Krol — treasurer at Marsh Council, bettina@example.org\n\n## Boat renewal\n- waiting on Bettina\n- planks chosen\n"
    )
    renske = graph.entities["p_renske_vaal"]
    assert renske.properties["aliases"] == ["Ren"]
    assert renske.properties["timezone"] == "Europe/Amsterdam"
    assert graph.entities["p_bettina_krol"].properties["email"] == "bettina@example.org"
    assert {(r.source, r.rel, r.to) for r in graph.relations} == {
        ("p_bettina_krol", "member_of", "org_marsh_council"),
        ("p_bettina_krol", "collaborates_on", "proj_boat_renewal"),
    }


def test_a_first_name_is_its_one_bearer_and_never_one_of_two() -> None:
    one = graph_of("# M\n\n## Team\n- Omar Field — deputy\n- Omar — techs\n")
    assert one.entities["p_omar_field"].properties["aliases"] == ["Omar"]
    two = graph_of("# M\n\n## Team\n- Omar Field — deputy\n- Omar Reis — hosts\n- Omar — techs\n")
    assert set(two.entities) == {"p_omar_field", "p_omar_reis", "p_omar"}


def test_the_same_name_of_another_type_gets_an_id_of_its_own() -> None:
    old = '{"op":"create","entity":{"id":"p_ana_pires","type":"Org","properties":{"name":"Something else"}},"timestamp":"2026-01-01T00:00:00Z"}\n'
    assert set(graph_of("# M\n\n## Team\n- Ana Pires — sister\n", old).entities) == {
        "p_ana_pires",
        "p_ana_pires_2",
    }


def test_a_known_entity_is_only_added_to() -> None:
    old = graph_lines("## Team\n- Ana Pires — sister\n")
    text = "# M\n\n## Team\n- Ana Pires — boss, ana@example.org\n"
    graph = graph_of(text, old)
    assert graph.entities["p_ana_pires"].properties == {
        "name": "Ana Pires",
        "role": "sister",
        "email": "ana@example.org",
    }
    assert plan_migration(text, {query.GRAPH: old}, request()).entities[0].new is False


def graph_lines(text: str) -> str:
    plan = plan_migration("# M\n\n" + text, {}, request())
    return "".join(c.data.decode() for c in plan.changes if c.path == query.GRAPH)


def test_the_published_one_liners_find_them() -> None:
    lines = graph_lines("## Projects\n- Kiln upgrade: quote expected\n").splitlines()
    assert [x for x in lines if '"type":"Project"' in x] == lines
    assert json.loads(lines[0])["entity"]["properties"]["name"] == "Kiln upgrade"
    assert list(json.loads(lines[0]))[:3] == ["op", "entity", "timestamp"]


# --- questions and changes --------------------------------------------------------------------------------


@pytest.fixture
def graph() -> Graph:
    text = ""
    for change in (
        query.add(parse_graph(text), "Person", "Ana Pires", {"role": "nurse"}, at=AT),
        query.add(parse_graph(text), "organization", "Marsh Council", {}, at=AT),
    ):
        text += "".join(line + "\n" for line in change.lines)
    text += (
        query.relate(
            parse_graph(text), "p_ana_pires", "member_of", "org_marsh_council", at=AT, valid_from="2025-01-01"
        ).lines[0]
        + "\n"
    )
    return parse_graph(text)


def test_get_list_find(graph: Graph) -> None:
    assert [e.id for e in query.get(graph, "ana pires")] == ["p_ana_pires"]
    assert [e.id for e in query.list_entities(graph, "organisation")] == ["org_marsh_council"]
    assert [e.id for e in query.find(graph, "nurse")] == ["p_ana_pires"]
    assert query.find(graph, "nobody") == ()


def test_neighbors_hold_on_a_day(graph: Graph) -> None:
    beside = query.neighbors(graph, "org_marsh_council")
    assert [(n.entity.id, n.rel, n.direction) for n in beside] == [("p_ana_pires", "member_of", "in")]
    assert query.neighbors(graph, "p_ana_pires", on="2024-06-01") == ()
    ended = query.unrelate(
        graph, "p_ana_pires", "member_of", "org_marsh_council", at=AT, valid_to="2026-02-01"
    )
    lines = (
        query.add(parse_graph(""), "Person", "Ana Pires", {}, at=AT).lines
        + query.add(parse_graph(""), "Org", "Marsh Council", {}, at=AT).lines
    )
    relate = query.relate(
        graph_from(lines), "p_ana_pires", "member_of", "org_marsh_council", at=AT, valid_from="2025-01-01"
    ).lines
    later = graph_from((*lines, *relate, *ended.lines))
    assert query.neighbors(later, "p_ana_pires") == ()
    assert len(query.neighbors(later, "p_ana_pires", on="2025-06-01")) == 1


def graph_from(lines: tuple[str, ...]) -> Graph:
    return parse_graph("".join(line + "\n" for line in lines))


def test_changes_that_do_not_fit_are_refused(graph: Graph) -> None:
    assert query.add(graph, "Person", "ANA PIRES", {}, at=AT).problems[0].code == "known-entity"
    assert query.add(graph, "Planet", "Mars", {}, at=AT).problems[0].code == "unknown-type"
    assert (
        query.relate(graph, "org_marsh_council", "member_of", "p_ana_pires", at=AT).problems[0].code
        == "odd-relation"
    )
    assert (
        query.relate(graph, "p_ana_pires", "likes", "org_marsh_council", at=AT).problems[0].code
        == "unknown-relation"
    )
    assert query.relate(graph, "p_ana_pires", "likes", "org_marsh_council", at=AT, declared=("likes",)).lines
    assert query.merge(graph, "p_ana_pires", "org_marsh_council", at=AT).problems[0].code == "other-type"
    assert query.update(graph, "p_ana_pires", {"role": "nurse"}, at=AT).lines == ()
    assert query.update(graph, "p_nobody", {}, at=AT).problems[0].code == "unknown-entity"


def test_a_merge_leads_the_old_id_on(graph: Graph) -> None:
    more = query.add(graph, "Person", "A. Pires", {}, at=AT).lines
    base = query.add(parse_graph(""), "Person", "Ana Pires", {}, at=AT).lines
    merged = graph_from(
        (*base, *more, *query.merge(graph_from((*base, *more)), "p_a_pires", "p_ana_pires", at=AT).lines)
    )
    assert query.get(merged, "p_a_pires")[0].id == "p_ana_pires"
    assert "A. Pires" in merged.entities["p_ana_pires"].names
