"""Whatever another memory holds: no word is lost on the way in, nothing comes twice, redaction settles."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from silo.core.imports import graph, tiered
from silo.core.imports.statements import kind_of, pieces
from silo.formats.exports import conversations
from silo.formats.graph import create_line, parse_graph, relate_line
from silo.text.redact import redact, redact_lines

WORDS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=1500)
CELL = st.sampled_from(["password", "PIN", "token", "mail", "orchid77", "4821", "—", "a b", "Zx9Yw8Vu7Ts6Rq5P", "", "`x`", "[REDACTED:pin]"])
ROW = st.lists(CELL, min_size=1, max_size=4).map(lambda cells: "| " + " | ".join(cells) + " |")
TABLE = st.lists(st.one_of(ROW, st.just("|---|---|"), st.just(""), st.just("--|--")), max_size=8).map("\n".join)
JSON = st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=12), lambda inner: st.lists(inner, max_size=4) | st.dictionaries(
    st.sampled_from(["id", "text", "mapping", "chat_messages", "current_node", "message", "parent", "author", "role", "content", "parts", "uuid", "desc", "x"]), inner, max_size=5), max_leaves=25)  # fmt: skip


@given(WORDS, st.integers(20, 500))
def test_pieces_hold_every_word_in_order(text: str, most: int) -> None:
    parts = list(pieces(text, most))
    assert all(0 < len(part) <= most for part in parts)
    assert "".join("".join(parts).split()) == "".join(text.split())


@given(TABLE)
def test_redaction_of_tables_settles_and_keeps_their_lines(text: str) -> None:
    clean = redact(text)[0]
    assert redact(clean) == (clean, ())
    assert redact_lines(text).count("\n") == text.count("\n")


@given(JSON)
@settings(max_examples=150)
def test_no_json_breaks_a_reader(value: object) -> None:
    text = json.dumps(value)
    list(conversations(value))
    kind_of("x.json", text)
    tiered.statements(text, "x", lambda seconds: "2026-01-01")
    tiered.tree(text, "x", None)
    tiered.hot(text, "x", None)


NAMES = st.sampled_from(["Ana", "Rui Prata", "Acme", "ana", "Zé"])
ENTITY = st.tuples(st.sampled_from(["p_a", "p_b", "org_a"]), st.sampled_from(["Person", "Org"]), NAMES)


@given(st.lists(ENTITY, max_size=5), st.lists(ENTITY, max_size=5), st.booleans())
def test_a_graph_comes_once_and_changes_nothing_of_ours(ours: list[tuple[str, str, str]], theirs: list[tuple[str, str, str]], related: bool) -> None:
    at = "2026-01-01T00:00:00Z"

    def text(rows: list[tuple[str, str, str]]) -> str:
        lines = [create_line(ident, kind, {"name": name}, at) for ident, kind, name in rows]
        if related and len(rows) > 1:
            lines.append(relate_line(rows[0][0], "uses", rows[1][0], at))
        return "".join(line + "\n" for line in lines)

    mine = text(ours)
    first = graph.lay(text(theirs), "x", mine, at=at)
    joined = mine + "".join(line + "\n" for line in first.lines)
    before, after = parse_graph(mine), parse_graph(joined)
    for ident, entity in before.entities.items():
        assert after.entities[ident].type == entity.type
        assert after.entities[ident].properties["name"] == entity.properties["name"]
    assert graph.lay(text(theirs), "x", joined, at=at).lines == ()
