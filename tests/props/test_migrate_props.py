"""Whatever stands in a MEMORY.md: no line is lost, the plan covers every line, and a second plan plans nothing."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from silo.core.entities.query import GRAPH
from silo.core.migrate.ledger import bare_words, has_words
from silo.core.migrate.plan import plan_migration
from silo.core.migrate.reading import read
from silo.core.migrate.request import MigrationPlan, Request
from silo.edge.migration_words import load_migration_words
from silo.model import Append
from silo.text.lines import decode, encode, split

words = st.sampled_from(
    [
        "never",
        "always",
        "waiting",
        "on",
        "due",
        "2026-03-02",
        "done",
        "closed",
        "Ana",
        "Pires",
        "Studio",
        "Norte",
        "run",
        "the",
        "backup",
        "folder",
        "`make",
        "all`",
        "price",
        "nunca",
        "falta",
        "pago",
        "wife",
        "plumber",
        "港",
        "完了",
        "ждём",
        "**",
        "-",
        "|",
        ":",
        "#",
        ">",
        "?",
        "!",
        "[x]",
        "a_b",
        "<!--",
        "-->",
        "~",
        "\ufeff",
        "��",
        "é",
        "01/02/2026",
    ]
)
phrase = st.lists(words, min_size=1, max_size=7).map(" ".join)
prefix = st.sampled_from(
    [
        "",
        "# ",
        "## ",
        "### ",
        "###### ",
        "##",
        "- ",
        "* ",
        "+ ",
        "1. ",
        "12) ",
        "  - ",
        "    - ",
        "\t- ",
        "\t\t- ",
        "- [ ] ",
        "- [x] ",
        "> ",
        "| ",
        "**",
        "    ",
    ]
)
special = st.sampled_from(
    [
        "", "", "", "---", "***", "===", "```", "```sh", "~~~", "  ```", "| a | b |", "|---|---|", "<!--", "-->", "<!-- note -->",
        "**Bold heading**", "Label:", "- home", "\t- router", "## Waiting on", "## Rules", "## Projects", "## History", "## People", "# Memory", "title: x",
        "<!-- openclaw-memory-promotion:memory:memory/2026-04-02.md:1:3 -->", "## Changelog", "<!-- CURATED_END -->", "# Events", "- " + "x" * 600, "##", "-", "-  ",
        "## Boat renewal", "<!-- silo:other:end", "[[Ana Pires]] - friend", "👤", "## 👤", "\x0c", " ",
    ]
)  # fmt: skip
line = st.one_of(
    special, st.tuples(prefix, phrase).map("".join), st.text(max_size=12).map(lambda s: s.replace("\n", " "))
)
ends = st.sampled_from(["\n", "\n", "\n", "\r\n"])
documents = st.tuples(st.lists(line, max_size=30), ends, st.booleans()).map(
    lambda made: made[1].join(made[0]) + (made[1] if made[2] else "")
)


@cache
def request() -> Request:
    return Request("MEMORY.md", date(2026, 11, 29), "2026-11-29T12:00:00Z", "default", load_migration_words())


def after(text: str, files: Mapping[str, str], plan: MigrationPlan) -> tuple[str, dict[str, str]]:
    """The workspace once the plan has happened."""
    found = dict(files)
    memory = text
    for change in plan.changes:
        new = decode(change.data)
        if change.path == "MEMORY.md":
            memory = new
        else:
            found[change.path] = found.get(change.path, "") + new if isinstance(change, Append) else new
    return memory, found


def clean(text: str) -> str:
    """Only what can stand in a file: a lone surrogate that no byte stands for becomes U+FFFD."""
    return decode(encode(text))


@settings(max_examples=150, deadline=None)
@given(documents)
def test_nothing_is_lost_and_a_second_plan_is_empty(raw: str) -> None:
    text = clean(raw)
    plan = plan_migration(text, {}, request())
    assert not plan.problems
    assert plan.lost == ()
    memory, files = after(text, {}, plan)
    flat = ["\n".join(bare_words(x) for x in split(t)) for t in (memory, *files.values())]
    for source in split(text):
        said = bare_words(source)
        assert not has_words(source) or any(said in " ".join(t.split()) for t in flat), source
    again = plan_migration(memory, files, request())
    assert again.changes == ()
    assert again.lost == ()


@settings(max_examples=150, deadline=None)
@given(documents)
def test_the_plan_covers_every_line_once(raw: str) -> None:
    text = clean(raw)
    plan = plan_migration(text, {}, request())
    covered = [n for section in plan.sections for n in range(section.start_line, section.end_line + 1)]
    assert len(covered) == len(set(covered))
    spoken = {n for n, source in enumerate(split(text), 1) if source.strip("\ufeff \t\v\f\r\n")}
    assert spoken <= set(covered)
    assert spoken == {row.line for row in plan.ledger}


@settings(max_examples=150, deadline=None)
@given(documents)
def test_blocks_hold_every_line_exactly_once(raw: str) -> None:
    document = read(clean(raw))
    held = [n for block in document.blocks for n in range(block.start, block.end + 1)]
    assert held == sorted(set(held))
    for number, source in enumerate(document.lines, 1):
        assert number in held or not source.strip("\ufeff \t\v\f\r\n")


@settings(max_examples=60, deadline=None)
@given(documents, documents)
def test_lines_written_later_are_picked_up_without_loss(first: str, second: str) -> None:
    memory, files = after(clean(first), {}, plan_migration(clean(first), {}, request()))
    text = memory + ("" if memory.endswith("\n") else "\n") + "\n" + clean(second).removeprefix("\ufeff")
    plan = plan_migration(text, files, request())
    if plan.problems:  # a broken marker of ours was typed: nothing is planned
        return
    assert plan.lost == ()
    memory, files = after(text, files, plan)
    assert plan_migration(memory, files, request()).changes == ()


def test_the_graph_is_only_appended_to() -> None:
    first = "# M\n\n## People\n- Ana Pires — sister\n"
    memory, files = after(first, {}, plan_migration(first, {}, request()))
    more = memory + "\n## Contacts\n- Bruno Reis — plumber\n- Ana Pires — sister, ana@example.org\n"
    plan = plan_migration(more, files, request())
    _, later = after(more, files, plan)
    assert later[GRAPH].startswith(files[GRAPH])
    assert '"id":"p_bruno_reis"' in later[GRAPH]
    assert later[GRAPH].count('"op":"create"') == 2
