"""The entity graph: what a file of lines adds up to, and the lines that are written."""

from __future__ import annotations

import json

from silo.formats import graph

AT = "2026-01-01T00:00:00Z"
PUBLISHED = (
    '{"op":"create","entity":{"id":"p_alice","type":"Person","properties":{"name":"Alice","role":"Engineer"}},"timestamp":"2026-01-01T00:00:00Z"}\n'
    '{"op":"create","entity":{"id":"org_acme","type":"Organization","properties":{"name":"Acme"}},"timestamp":"2026-01-01T00:00:00Z"}\n'
    '{"op":"relate","from":"p_alice","rel":"member_of","to":"org_acme","timestamp":"2026-01-01T00:00:00Z"}\n'
)


def codes(text: str) -> list[tuple[str, str]]:
    return [(p.where, p.code) for p in graph.parse_graph(text, "g").problems]


def test_published_lines_are_read_and_written_alike() -> None:
    line = graph.create_line("p_alice", "Person", {"name": "Alice", "role": "Engineer"}, AT)
    assert line == PUBLISHED.split("\n")[0]
    assert graph.relate_line("p_alice", "member_of", "org_acme", AT) == PUBLISHED.split("\n")[2]
    read = graph.parse_graph(PUBLISHED, "g")
    assert read.problems == ()
    assert read.entities["org_acme"].type == "Org"
    assert [(r.source, r.rel, r.to) for r in read.relations] == [("p_alice", "member_of", "org_acme")]


def test_a_bad_line_is_named_and_the_others_are_read() -> None:
    text = (
        'nonsense\n{"op":"fly"}\n{"op":"create","entity":{"id":3}}\n'
        + PUBLISHED
        + '{"op":"relate","from":"p_alice"}\n[1]\n'
    )
    assert codes(text) == [
        ("g:1", "bad-json"),
        ("g:2", "unknown-op"),
        ("g:3", "bad-entity"),
        ("g:7", "bad-relation"),
        ("g:8", "bad-json"),
    ]
    assert "p_alice" in graph.parse_graph(text, "g").entities


def test_update_changes_one_property_and_null_takes_it_out() -> None:
    text = PUBLISHED + graph.update_line("p_alice", {"role": None, "city": "Porto"}, AT) + "\n"
    assert graph.parse_graph(text).entities["p_alice"].properties == {"name": "Alice", "city": "Porto"}


def test_creating_an_id_again_loses_nothing() -> None:
    text = PUBLISHED + graph.create_line("p_alice", "Person", {"phone": "1"}, AT) + "\n"
    assert graph.parse_graph(text).entities["p_alice"].properties["role"] == "Engineer"


def test_merged_entities_share_names_and_relations() -> None:
    text = (
        PUBLISHED
        + graph.create_line("p_ali", "Person", {"name": "Ali", "aliases": ["A."], "city": "Porto"}, AT)
        + "\n"
    )
    text += (
        graph.relate_line("p_ali", "owns", "prop_house", AT)
        + "\n"
        + graph.merge_line("p_ali", "p_alice", AT)
        + "\n"
    )
    read = graph.parse_graph(text, "g")
    assert read.entities["p_alice"].names == ("Alice", "Ali", "A.")
    assert read.entities["p_alice"].properties["city"] == "Porto"
    assert read.resolve("p_ali") == "p_alice"
    assert ("p_alice", "owns", "prop_house") in [(r.source, r.rel, r.to) for r in read.relations]
    assert [e.id for e in read.named("ÁLI")] == ["p_alice"]
    later = graph.parse_graph(text + graph.update_line("p_ali", {"role": "CTO"}, AT) + "\n")
    assert later.entities["p_alice"].properties["role"] == "CTO"


def test_merging_in_a_circle_is_reported() -> None:
    text = PUBLISHED + graph.create_line("p_b", "Person", {"name": "B"}, AT) + "\n"
    text += graph.merge_line("p_b", "p_alice", AT) + "\n" + graph.merge_line("p_alice", "p_b", AT) + "\n"
    assert codes(text) == [("g:6", "bad-merge")]


def test_an_ended_relation_holds_on_the_days_before() -> None:
    text = (
        PUBLISHED + graph.unrelate_line("p_alice", "member_of", "org_acme", AT, valid_to="2026-03-01") + "\n"
    )
    read = graph.parse_graph(text, "g")
    assert read.relations == ()
    assert len(graph.at_date(read, "2026-02-28").relations) == 1
    assert graph.at_date(read, "2026-03-01").relations == ()
    assert graph.at_date(read, "2025-12-31").relations == ()


def test_a_reverted_line_counts_no_more_until_the_revert_is_reverted() -> None:
    last = PUBLISHED.split("\n")[2]
    undone = PUBLISHED + graph.revert_line(last, AT) + "\n"
    assert graph.parse_graph(undone).relations == ()
    again = undone + graph.revert_line(graph.revert_line(last, AT), "2026-01-02T00:00:00Z") + "\n"
    assert len(graph.parse_graph(again).relations) == 1


def test_ids_have_their_prefix_and_never_another_entitys() -> None:
    assert graph.new_id("Person", "Ana Sousa", ()) == "p_ana_sousa"
    assert graph.new_id("Person", "Ana Sousa", {"p_ana_sousa"}) == "p_ana_sousa_2"
    assert graph.new_id("Organization", "Ação & Cia.", ()) == "org_acao_cia"
    assert graph.new_id("Boat", "Lady", ()) == "boat_lady"
    assert graph.new_id("Person", "田中", ()) == "p_田中"
    assert graph.new_id("Location", "…", ()) == "loc_unnamed"


def test_keys_of_ours_stand_behind_the_published_ones() -> None:
    line = graph.relate_line("p_a", "owns", "prop_b", AT, valid_from="2025", src="e_1")
    assert list(json.loads(line)) == ["op", "from", "rel", "to", "timestamp", "valid_from", "src"]
