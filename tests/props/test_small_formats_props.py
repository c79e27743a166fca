"""Index, managed blocks, decisions, graph, tiers, notes, warm files and the schema checker under arbitrary input."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abnf import pattern
from silo.formats import decisions, events, graph, index, jsonl, managed, notes, schema, tiers, warm
from silo.model import Event, Problem, Tag, TopicInfo
from silo.text import lines

SCHEMAS = Path(__file__).resolve().parents[2] / "schemas"
EVENT = pattern(SCHEMAS / "event-line.abnf", "event-line")

anything = st.text(max_size=40) | st.text(alphabet="ab |.\n\r#<!->*[]x\u2028", max_size=60)
raw = st.binary(max_size=300)
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-9, 9)
    | st.floats(allow_nan=False, allow_infinity=False, width=32)
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@given(anything.map(lines.one_line).filter(bool), anything, st.sampled_from(Tag))
def test_a_written_event_fits_the_grammar(text: str, source: str, tag: Tag) -> None:
    line = events.render_line(Event("2026-01-01", tag, "acme", text, id="e_0123456789ab", source=source))
    assert EVENT.match(line), line


@given(anything, st.lists(anything, max_size=6), st.sampled_from(["ab", "x" * 40]))
def test_an_index_line_is_one_line_of_at_most_150_characters(
    summary: str, tags: list[str], slug: str
) -> None:
    line = index.index_line(TopicInfo(slug, "reference", "reference", tuple(tags), summary=summary))
    assert len(line) <= 150
    assert len(line.splitlines()) == 1
    (read,) = index.parse_index(line + "\n")
    assert (read.slug, read.type, read.status) == (slug, "reference", "reference")


@given(anything, anything, st.sampled_from(["\n", "\r\n"]))
def test_a_managed_block_changes_its_inside_alone(text: str, body: str, style: str) -> None:
    text = text.replace("silo:", "").replace("\r", "").replace("\n", style)
    once = managed.replace(text, "router", body)
    assert once.startswith(text)
    found = managed.find(once, "router")
    assert isinstance(found, managed.Block)
    assert managed.replace(once, "router", body) == once
    other = managed.replace(once, "router", "other\n")
    assert managed.replace(other, "router", body) == once
    assert managed.remove(once, "router") == text


@given(
    st.lists(
        st.sampled_from(["a", "<!-- silo:r:begin -->", "<!-- silo:r:end -->", " <!-- silo:r:end -->\r"]),
        max_size=6,
    )
)
def test_a_damaged_block_is_a_problem_and_never_written(parts: list[str]) -> None:
    text = "\n".join(parts)
    found = managed.find(text, "r", "p")
    if isinstance(found, Problem):
        with pytest.raises(ValueError, match="damaged"):
            managed.remove(text, "r")
    elif found is not None:
        assert "begin" not in managed.remove(text, "r")


@given(st.dictionaries(st.text(max_size=5), values, max_size=4))
def test_an_object_survives_its_line(value: dict[str, Any]) -> None:
    line = jsonl.dumps(value)
    assert "\n" not in line
    rows, problems = jsonl.read_rows(line + "\n", "p")
    assert ([row.value for row in rows], problems) == ([value], ())


items = st.lists(
    st.builds(
        lambda n, status, on, note: {"id": f"r_{n}", "status": status, "text": note, **({"decided": on} if status != "open" else {})},
        st.integers(0, 2), st.sampled_from(["open", "accepted", "rejected"]), st.sampled_from(["2026-01-01", "2026-01-02"]), st.sampled_from(["a", "b"]),
    ),
    max_size=5,
).map(lambda found: "".join(jsonl.dumps(item) + "\n" for item in found))  # fmt: skip


@given(items, items)
def test_merging_two_devices_loses_no_line_and_is_done_once(ours: str, theirs: str) -> None:
    merged = decisions.merge(ours, theirs)
    assert merged.startswith(ours)
    assert set(lines.split(theirs)) <= set(lines.split(merged))
    assert decisions.merge(merged, theirs) == merged
    back = decisions.merge(theirs, ours)
    for ident, item in decisions.read_decisions(merged, "").items.items():
        other = decisions.read_decisions(back, "").items[ident]
        assert (item["status"] == "open") == (other["status"] == "open")


ops = st.lists(
    st.sampled_from(
        [
            graph.create_line("p_a", "Person", {"name": "A"}, "2026-01-01T00:00:00Z"),
            graph.create_line("p_b", "Person", {"name": "B", "aliases": "bee"}, "2026-01-02T00:00:00Z"),
            graph.create_line("org_c", "Organization", {"name": "C"}, "2026-01-03T00:00:00Z"),
            graph.update_line("p_a", {"name": None, "x": 1}, "2026-01-04T00:00:00Z"),
            graph.relate_line("p_a", "member_of", "org_c", "2026-01-05T00:00:00Z"),
            graph.unrelate_line("p_a", "member_of", "org_c", "2026-01-06T00:00:00Z"),
            graph.merge_line("p_b", "p_a", "2026-01-07T00:00:00Z"),
            graph.merge_line("p_a", "p_b", "2026-01-08T00:00:00Z"),
            '{"op":"create","entity":[]}', '{"op":"relate","from":1}', '{"op":"merge"}', "nonsense", "[]", "",
        ]
    ),
    max_size=10,
)  # fmt: skip


@given(ops)
def test_a_graph_is_folded_whatever_its_lines_and_a_revert_takes_the_last_one_back(found: list[str]) -> None:
    text = "".join(line + "\n" for line in found)
    state = graph.parse_graph(text, "g")
    assert not set(state.merged) & set(state.entities)
    assert all(target in state.entities for target in state.merged.values())
    last = graph.create_line("loc_z", "Location", {"name": "Z"}, "2026-02-01T00:00:00Z")
    undone = graph.parse_graph(
        text + last + "\n" + graph.revert_line(last, "2026-02-02T00:00:00Z") + "\n", "g"
    )
    assert (undone.entities, undone.relations, undone.past) == (state.entities, state.relations, state.past)


@given(raw, st.sampled_from(list(tiers.PATHS)))
def test_a_tier_is_rendered_as_it_was(data: bytes, name: str) -> None:
    text, path = lines.decode(data), tiers.PATHS[name]
    assert lines.encode(tiers.render_tier(tiers.parse_tier(text, path))) == data


@given(raw)
def test_any_note_is_read(data: bytes) -> None:
    text = lines.decode(data)
    count = len(lines.split(text))
    for statement in notes.parse_note(text, "memory/2026-01-01.md").statements:
        assert 1 <= statement.line <= count
        assert statement.text


@given(values)
def test_any_json_is_survived_by_the_published_files(value: Any) -> None:
    text = json.dumps(value)
    entries, _ = warm.parse_warm(text, "w")
    assert warm.parse_warm(warm.render_warm(entries), "w") == (entries, ())
    nodes, _ = warm.parse_tree(text, "t")
    assert warm.parse_tree(warm.render_tree(nodes.values()), "t")[0] == nodes
    state, _ = warm.parse_hot(text, "h")
    assert warm.parse_hot(warm.render_hot(state), "h")[0] == state


kinds = st.sampled_from(["object", "array", "string", "number", "integer", "boolean", "null"])
small = st.fixed_dictionaries(
    {},
    optional={
        "type": kinds | st.lists(kinds, min_size=1, max_size=2, unique=True),
        "enum": st.lists(
            st.none() | st.booleans() | st.integers(0, 2) | st.text(max_size=2), min_size=1, max_size=3
        ),
        "minimum": st.integers(-2, 2),
        "maximum": st.integers(-2, 2),
        "minLength": st.integers(0, 2),
        "maxItems": st.integers(0, 2),
        "pattern": st.sampled_from(["^a", "b$", "^[a-z]*$"]),
        "required": st.lists(st.sampled_from(["a", "b"]), max_size=2, unique=True),
        "uniqueItems": st.booleans(),
    },
)
shapes = st.recursive(
    small,
    lambda inner: st.fixed_dictionaries(
        {},
        optional={
            "properties": st.dictionaries(st.sampled_from(["a", "b"]), inner, max_size=2),
            "additionalProperties": st.booleans() | inner,
            "patternProperties": st.dictionaries(st.just("^a"), inner, max_size=1),
            "items": inner,
            "anyOf": st.lists(inner, min_size=1, max_size=2),
            "oneOf": st.lists(inner, min_size=1, max_size=2),
            "if": inner,
            "then": inner,
        },
    ),
    max_leaves=4,
)


@settings(max_examples=200)
@given(values, shapes)
def test_our_checker_says_yes_exactly_where_jsonschema_does(value: Any, shape: dict[str, Any]) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    assert (schema.check(value, shape) == ()) == jsonschema.Draft202012Validator(shape).is_valid(value)
