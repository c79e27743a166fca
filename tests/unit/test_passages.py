"""What can be found in each kind of file, and where: path and line always point at the words."""

from __future__ import annotations

import pytest

from silo.formats.passages import appended, passages
from silo.model import Confidence, Kind, Passage
from silo.text.lines import split

EVENTS = """# Events 2026-03-02

[FACT] garden: The shed key hangs behind the door <!-- id:e_0123456789ab conf:tentative src:openclaw/s1#m1 -->
a line by hand that is no event
- [DECISION] general: No meetings on Fridays
[FACT] boat: The hull is red <!-- agent:other -->
"""
TOPIC = """---
topic: acme-crm
type: project
status: active
tags: [work, crm]
entities: ["Acme Corp"]
aliases: [acme]
created: 2026-01-01
last_verified: 2026-01-05
last_curated: 2026-02-01
summary: The CRM of Acme.
---
<!-- CURATED_START -->
# Acme

A sentence typed by hand.

## Servers
- The port is 8080 <!-- f_0123456789ab since:2026-01-02 seen:2026-01-03 src:e_0123456789ab,e_ab0123456789 -->
  and stays so
- [ ] Renew the certificate

## Changelog
- 2026-01-02: [port] 8080. Was: 80. <!-- f:f_0123456789ab op:set at:2026-01-02T10:00:00Z src:e_0123456789ab -->
<!-- CURATED_END -->
<!-- SOURCE_START -->
### 2026-01-02 — Call

> They moved the port.

owner: we moved it
<!-- SOURCE_END -->
"""


def of(kind: Kind, found: tuple[Passage, ...]) -> list[Passage]:
    return [p for p in found if p.kind is kind]


def test_events_stand_where_they_stand_and_belong_to_their_agent() -> None:
    found = passages("memory/events/2026-03-02.md", EVENTS)
    assert [(p.line, p.tag, p.slug, p.place) for p in found] == [
        (3, "FACT", "garden", 0),
        (5, "DECISION", "general", 1),
        (6, "FACT", "boat", 2),
    ]
    assert found[0].id == "e_0123456789ab"
    assert found[0].confidence is Confidence.TENTATIVE
    assert found[0].text == "The shed key hangs behind the door"
    assert [p.agents for p in found] == [("default",), ("default",), ("other",)]
    assert "e_0123456789ab" in found[0].labels.split()
    assert not found[0].private


def test_private_events_are_marked() -> None:
    assert all(p.private for p in passages(".silo/private/events/2026-03-02.md", EVENTS))


@pytest.mark.parametrize("cut", [0, 1, 2, 3, 4, 5])
def test_lines_added_later_are_the_same_passages(cut: int) -> None:
    lines = split(EVENTS)
    head, tail = "".join(lines[:cut]), "".join(lines[cut:])
    path = "memory/events/2026-03-02.md"
    first = passages(path, head)
    assert first + appended(path, tail, cut + 1, len(first)) == passages(path, EVENTS)


def test_a_topic_yields_itself_its_facts_its_prose_and_its_source() -> None:
    found = passages("memory/topics/acme-crm.md", TOPIC)
    lines = split(TOPIC)
    (topic,) = of(Kind.TOPIC, found)
    assert topic.slug == "acme-crm"
    assert topic.text == "The CRM of Acme."
    assert topic.heading.split("\n") == ["Acme Corp", "", "acme"]
    facts = of(Kind.FACT, found)
    assert [(p.text, p.heading) for p in facts] == [
        ("The port is 8080 and stays so", "Servers"),
        ("Renew the certificate", "Servers"),
        ("A sentence typed by hand.", "Acme"),
    ]
    assert facts[0].source == "e_0123456789ab,e_ab0123456789"
    assert (facts[0].date, facts[0].seen) == ("2026-01-02", "2026-01-03")
    assert [p.text for p in of(Kind.SOURCE, found)] == [
        "2026-01-02 — Call",
        "They moved the port.",
        "owner: we moved it",
    ]
    (change,) = of(Kind.CHANGE, found)
    assert change.text == "2026-01-02: [port] 8080. Was: 80."
    assert change.source == "f_0123456789ab"
    for p in found:
        assert p.text.split(" ")[0] in lines[p.line - 1]
    assert [p.place for p in found] == list(range(len(found)))


def test_a_private_or_archived_topic_marks_all_of_it() -> None:
    private = TOPIC.replace("status: active", "status: archived\nsensitivity: private")
    assert all(p.private and p.archived for p in passages("memory/topics/acme-crm.md", private))


def test_a_topic_for_some_agents_is_theirs_alone() -> None:
    found = passages(
        "memory/topics/acme-crm.md", TOPIC.replace("status: active", "status: active\nagents: [work]")
    )
    assert {p.agents for p in found} == {("work",)}


def test_managed_blocks_of_the_router_are_left_out() -> None:
    text = "# Memory\n\n- Always answer in French\n<!-- silo:router:begin -->\n- generated\n<!-- silo:router:end -->\nTail line\n"
    found = passages("MEMORY.md", text)
    assert [(p.line, p.text) for p in found] == [
        (1, "Memory"),
        (3, "Always answer in French"),
        (7, "Tail line"),
    ]
    assert all(p.kind is Kind.TIER and p.private and p.agents == () for p in found)
    assert passages("MEMORY-work.md", text)[0].agents == ("work",)


def test_daily_notes_give_their_statements() -> None:
    found = passages("memory/2026-03-02-boat.md", "# 2026-03-02\n\n- Sanded the hull\n\nCalled the yard.\n")
    assert [(p.line, p.text, p.date, p.kind) for p in found] == [
        (3, "Sanded the hull", "2026-03-02", Kind.NOTE),
        (5, "Called the yard.", "2026-03-02", Kind.NOTE),
        (1, "2026-03-02", "2026-03-02", Kind.NOTE),
    ]


def test_code_and_quotations_of_a_note_are_found_the_hosts_own_blocks_are_not() -> None:
    text = "## Plan\n\n> quoted words\n\n```\ncode words\n```\n<!-- openclaw:dreaming:start -->\n- dreamt\n<!-- openclaw:dreaming:end -->\n"
    assert [(p.line, p.text) for p in passages("memory/2026-03-02.md", text)] == [
        (1, "Plan"),
        (3, "quoted words"),
        (6, "code words"),
    ]


def test_entities_are_found_with_what_they_are_related_to() -> None:
    text = (
        '{"op":"create","entity":{"id":"p_ana","type":"Person","properties":{"name":"Ana","role":"lead"}},"timestamp":"2026-01-01T00:00:00Z"}\n'
        '{"op":"create","entity":{"id":"org_acme","type":"Org","properties":{"name":"Acme"}},"timestamp":"2026-01-01T00:00:00Z"}\n'
        '{"op":"relate","from":"p_ana","rel":"works_at","to":"org_acme","timestamp":"2026-01-02T00:00:00Z"}\n'
    )
    ana, acme = passages("memory/ontology/graph.jsonl", text)
    assert (ana.id, ana.line, ana.text) == ("p_ana", 1, "Ana (Person): role: lead; works at Acme")
    assert acme.text == "Acme (Org): Ana works at it"


def test_the_generated_index_is_nobodys_fact() -> None:
    assert passages("memory/index.md", "acme | project | | active | x\n") == ()
