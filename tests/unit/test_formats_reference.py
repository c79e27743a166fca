"""The examples of references/formats.md are what the program reads, with the codes that the text names."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest

from abnf import pattern
from silo.formats import events, schema, topics
from silo.model import Event, Problem

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "references" / "formats.md").read_text(encoding="utf-8")
PATH = "memory/topics/acme-crm.md"


def blocks(info: str) -> list[list[str]]:
    """The lines of each fenced block with that info string."""
    found = re.findall(rf"^```{re.escape(info)}\n(.*?)^```$", TEXT, re.M | re.S)
    return [block.splitlines() for block in found]


def test_good_event_lines_are_events_without_a_problem() -> None:
    (lines,) = blocks("event")
    file = events.parse_file("\n".join(lines) + "\n", "memory/events/2026-03-04.md")
    assert (len(file.events), file.problems) == (len(lines), ())
    grammar = pattern(ROOT / "schemas" / "event-line.abnf", "event-line")
    assert all(grammar.match(line) for line in lines)


def test_bad_event_lines_have_the_code_that_stands_before_them() -> None:
    (lines,) = blocks("event-bad")
    for line in lines:
        code, text = line.split(None, 1)
        found = events.parse_line(text, "2026-03-04", "p", 1)
        assert isinstance(found, Problem)
        assert found.code == code, line


def test_the_topic_is_read_without_a_problem_and_written_alike() -> None:
    (lines,) = blocks("topic")
    text = "\n".join(lines) + "\n"
    read = topics.parse_topic(text, PATH)
    assert read.problems == ()
    assert [fact.id for fact in read.facts if fact.id] == [
        "f_0c1d2e3f4a5b",
        "f_0c1d2e3f4a5c",
        "f_0c1d2e3f4a5d",
    ]
    assert [topics.render_change(change) for change in read.changes] == [
        line for line in lines if line.startswith("- 20")
    ]
    assert [(block.date, block.title) for block in read.blocks] == [("2026-05-02", "Who leads")]
    bullets = {f"- {topics.render_fact(fact)}" for fact in read.facts}
    assert bullets <= set(lines)


@pytest.mark.parametrize("name", ["graph-line", "review", "proposals", "tombstones"])
def test_json_lines_fit_their_schema(name: str) -> None:
    shape = json.loads((ROOT / "schemas" / f"{name}.schema.json").read_text(encoding="utf-8"))
    (lines,) = blocks(f"json {name}")
    assert lines
    for line in lines:
        assert schema.check(json.loads(line), shape) == ()


def test_every_schema_is_named() -> None:
    for path in (ROOT / "schemas").iterdir():
        assert (
            f"schemas/{path.name}" in TEXT
            or f"[{path.name.removesuffix('.schema.json')}]" in TEXT
            or path.name.startswith(("review", "proposals", "tombstones"))
        ), path.name


def codes(path: Path) -> set[str]:
    """What stands as the code in every Problem(where, code, …) and say(line, code, …) of a module."""
    calls = (
        node
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and len(node.args) > 2
    )
    named = (
        call.args[1]
        for call in calls
        if ast.unparse(call.func) in ("Problem", "say", "self.say", "state.say")
    )
    return {str(code.value) for code in named if isinstance(code, ast.Constant)}


def test_every_code_of_the_readers_is_named() -> None:
    found = set[str]().union(*(codes(path) for path in (ROOT / "scripts" / "silo" / "formats").glob("*.py")))
    assert len(found) > 30
    told = {
        "bad-item",
        "bad-entry",
        "bad-node",
        "bad-hot",
    }  # the JSON files say what is wrong in their message
    assert sorted(code for code in found - told if not re.search(rf"(?<![\w-]){code}(?![\w-])", TEXT)) == []


def test_an_event_example_round_trips() -> None:
    for line in blocks("event")[0][1:3]:
        found = events.parse_line(line, "2026-03-04", "p", 1)
        assert isinstance(found, Event)
        assert events.parse_line(events.render_line(found), "2026-03-04", "p", 1) == found
