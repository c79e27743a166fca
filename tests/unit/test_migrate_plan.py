"""Where lines go, what they look like there, and the figures on labelled memories."""

from __future__ import annotations

import json
import re
from datetime import date
from functools import cache
from pathlib import Path

import pytest

from silo.core.migrate.ledger import account, bare_words, locate
from silo.core.migrate.plan import plan_migration
from silo.core.migrate.promoted import unfold
from silo.core.migrate.reading import read
from silo.core.migrate.request import MigrationPlan, Request
from silo.core.migrate.router import MOST_LINES, block
from silo.core.migrate.verify import targets
from silo.edge.migration_words import load_migration_words
from silo.formats.topics import parse_topic

DATA = Path(__file__).resolve().parents[1] / "data" / "migration.dev.jsonl"


@cache
def request() -> Request:
    return Request("MEMORY.md", date(2026, 4, 10), "2026-04-10T12:00:00Z", "default", load_migration_words())


def plan(text: str, files: dict[str, str] | None = None) -> MigrationPlan:
    return plan_migration(text, files or {}, request())


def test_labelled_memories() -> None:
    """Tier by line ≥ 0.9, no line lost, router short; the labels are those of tests/data."""
    right = lines = 0
    for row in map(json.loads, DATA.read_text(encoding="utf-8").splitlines()):
        made = plan(row["text"])
        assert made.lost == ()
        tier = {n: s.tier.value for s in made.sections for n in range(s.start_line, s.end_line + 1)}
        for gold in row["sections"]:
            for number in range(gold["start_line"], gold["end_line"] + 1):
                if number in tier and row["text"].split("\n")[number - 1].strip():
                    lines += 1
                    right += tier[number] in (gold["tier"], *gold["also_ok"])
    assert right / lines >= 0.9


def test_the_router_is_short_says_the_same_to_everybody_and_holds_no_fact() -> None:
    text = block("default")
    assert text.count("\n") <= MOST_LINES
    for said in ("protocols.md", "active.md", "archive.md", "ontology/graph.jsonl", "memory_cli.py context"):
        assert said in text


def test_directives_stay_word_for_word_and_the_router_stands_between_intro_and_sections() -> None:
    made = plan(
        "# M\n*Only in direct chats.*\n\n## Rules\n- NO_REPLY when nothing is due\n\n## Done\n- closed the shop\n"
    )
    kept = re.sub(r"<!-- silo:router:begin -->.*?<!-- silo:router:end -->\n", "", made.target, flags=re.S)
    assert kept == "# M\n*Only in direct chats.*\n\n\n## Rules\n- NO_REPLY when nothing is due\n"
    assert (
        made.target.index("direct chats") < made.target.index("silo:router") < made.target.index("## Rules")
    )


def test_crlf_stays_in_the_file_and_commands_are_copied_byte_for_byte() -> None:
    made = plan("# M\r\n\r\n## Rules\r\n- Never\r\n\r\n## Deploy\r\n```bash\r\nmake  -j4\t# all\r\n```\r\n")
    assert "\n" not in made.target.replace("\r\n", "")
    assert "```bash\nmake  -j4\t# all\n```\n" in made.texts["memory/protocols.md"]


def test_an_unclosed_fence_is_closed_where_it_goes() -> None:
    made = plan("# M\n\n## Deploy\n```bash\nmake\n\n## History\n- 2026-01-02 closed\n")
    assert made.texts["memory/protocols.md"].endswith("```bash\nmake\n```\n")
    assert "- 2026-01-02 closed" in made.texts["memory/archive.md"]


def test_a_named_piece_of_work_becomes_a_topic_and_active_keeps_its_next_actions() -> None:
    made = plan(
        "# M\n\n## Boat renewal\n- hull sanded 2026-03-01\n- gearbox\n  - bearing fitted\n  - oil changed\n- [ ] order the mast\n- waiting on the yard\n"
    )
    topic = parse_topic(made.texts["memory/topics/boat-renewal.md"], "memory/topics/boat-renewal.md")
    assert [(f.text, f.since) for f in topic.facts] == [
        ("hull sanded 2026-03-01", "2026-03-01"),
        ("gearbox: bearing fitted", ""),
        ("gearbox: oil changed", ""),
    ]
    assert topic.problems == ()
    assert topic.changes[0].facts == tuple(f.id for f in topic.facts)
    assert topic.header.list("entities") == ("proj_boat_renewal",)
    assert made.texts["memory/active.md"].endswith(
        "## Boat renewal\n- [ ] order the mast\n- waiting on the yard\n"
    )


def test_a_topic_that_is_there_is_added_to() -> None:
    text = "# M\n\n## Boat renewal\n- hull sanded\n- mast sold\n- engine runs\n"
    first = plan(text).texts["memory/topics/boat-renewal.md"]
    files = {"memory/topics/boat-renewal.md": first}
    second = plan(text.replace("engine runs", "keel painted"), files).texts["memory/topics/boat-renewal.md"]
    facts = [f.text for f in parse_topic(second, "memory/topics/boat-renewal.md").facts]
    assert facts == ["hull sanded", "mast sold", "engine runs", "keel painted"]


def test_done_items_go_to_the_archive_and_waiting_on_stays_last() -> None:
    made = plan(
        "# M\n\n## Waiting on\n- Greg: generator\n\n## Open tasks\n- [ ] paint\n- [x] renew the domain\n"
    )
    active = made.texts["memory/active.md"]
    assert active.index("## Open tasks") < active.index("## Waiting on")
    assert "renew the domain" not in active
    assert "## Open tasks\n- [x] renew the domain\n" in made.texts["memory/archive.md"]


def test_tables_stay_tables() -> None:
    table = "| Name | Phone |\n|---|---|\n| Ana Pires | +351 910 000 000 |\n"
    assert table in plan("# M\n\n## Contacts\n" + table).texts["memory/archive.md"]


def test_hand_made_tier_files_keep_their_bytes() -> None:
    old = "# My protocols\n\n<!-- mine -->\n\n## Deploy\n- by hand\n\n## Zed\n- z"
    made = plan("# M\n\n## Deploy\n- run `make`\n- run `push`\n", {"memory/protocols.md": old})
    assert made.texts["memory/protocols.md"] == old.replace(
        "- by hand\n\n", "- by hand\n- run `make`\n- run `push`\n\n"
    )


def test_promoted_lines_stay_verbatim_and_are_unfolded_once() -> None:
    mark = "<!-- openclaw-memory-promotion:memory:memory/2026-04-05.md:12:20 -->"
    line = "- - The paper roll is 914 mm wide - **Rule**: never print on glossy after 17:00 [score=0.803 recalls=4 avg=0.701 source=memory/2026-04-05.md:12-20]"
    talk = "- - Candidate: User: Conversation info (untrusted metadata): could you - confidence: 0.00 [score=0.9 recalls=0]"
    text = f"# M\n\n## Promoted From Short-Term Memory (2026-04-17)\n\n{mark}\n{line}\n{mark}\n{line}\n{mark}\n{talk}\n"
    made = plan(text)
    assert f"{mark}\n{line}\n" in made.texts["memory/archive.md"]
    assert [(p.date, p.text) for p in unfold(read(text), frozenset())] == [
        ("2026-04-05", "The paper roll is 914 mm wide"),
        ("2026-04-05", "Rule: never print on glossy after 17:00"),
    ]


def test_bytes_that_are_no_utf8_survive() -> None:
    text = b"# M\n\n## History\n- caf\xe9 sold\n".decode("utf-8", "surrogateescape")
    made = plan(text)
    data = next(c.data for c in made.changes if c.path == "memory/archive.md")
    assert b"- caf\xe9 sold\n" in data


def test_a_subject_that_no_tier_claims_becomes_a_topic_for_reference() -> None:
    made = plan(
        "# M\n\n## Sourdough\n- hydration about 72\n- Otto the rye culture\n- crust darker than you think\n- salt later\n"
    )
    assert "type: reference" in made.texts["memory/topics/sourdough.md"]


def test_the_ledger_finds_words_that_moved_on_and_names_those_that_are_gone() -> None:
    rows, lost = account(
        ["- a fact\n", "---\n", "- b fact\n"], {1: ["x"], 3: ["x"]}, {"x": "## H\n- a fact\n"}
    )
    assert lost == (3,)
    found = locate(rows, {"x": "", "y": "\n* a fact\n"})
    assert [(f.path, f.line) for f in found if f.row.line == 1] == [("y", 2)]
    assert bare_words("| a | b |") == "a | b"


@pytest.mark.parametrize(("lines", "good"), [(98, True), (99, False)])
def test_targets(lines: int, good: bool) -> None:
    body = "# Protocols\n<!-- x -->\n" + "- a\n" * (lines - 1)
    table, _ = targets({"memory/protocols.md": body, "MEMORY.md": block("default")}, "MEMORY.md")
    assert {t.name: t.good for t in table}["memory/protocols.md"] is good
