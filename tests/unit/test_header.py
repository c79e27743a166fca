"""The YAML header with and without PyYAML: what is read, what costs a problem, what an edit leaves alone."""

from __future__ import annotations

import sys

import pytest

from silo.formats.header import parse_header, set_key
from silo.text.lines import split

HEADER = """---
topic: acme   # the name
tags: [a, "b, c", 'it''s']
entities:
- x
  # more to come
- "y: z"
title: Reunião: pauta
summary: >-
  one
  two
meta:
  k: v
inline: {a: b}
anchored: &a [x]
---
body
"""


@pytest.fixture(params=["with PyYAML", "without"])
def yaml(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    if request.param == "without":
        monkeypatch.setitem(sys.modules, "yaml", None)
    else:
        pytest.importorskip("yaml")
    return request.param == "with PyYAML"


def test_the_plain_subset_needs_no_package(yaml: bool) -> None:
    read = parse_header(split(HEADER), "p")
    assert read.text("topic") == "acme"
    assert read.list("tags") == ("a", "b, c", "it's")
    assert read.list("entities") == ("x", "y: z")
    assert read.text("summary") == "one two"
    assert read.text("title") == "Reunião: pauta"
    expected = [("p:8", "bad-value")] if yaml else [("p:8", "bad-value"), ("p:15", "bad-value")]
    assert [(p.where, p.code) for p in read.problems] == expected
    assert read.list("anchored") == (("x",) if yaml else ())


@pytest.mark.parametrize(
    ("key", "value", "old", "new"),
    [
        ("topic", "bolt", "topic: acme   # the name", "topic: bolt   # the name"),
        ("tags", ["x"], "tags: [a, \"b, c\", 'it''s']", "tags: [x]"),
        ("entities", ["x", "y: z", "new"], '- "y: z"\n', '- "y: z"\n- new\n'),
        ("entities", ["y: z"], "- x\n", ""),
        ("summary", "a: b", "summary: >-\n  one\n  two\n", 'summary: "a: b"\n'),
        ("meta", None, "meta:\n  k: v\n", ""),
        ("added", "no", "anchored: &a [x]\n", 'anchored: &a [x]\nadded: "no"\n'),
    ],
)
def test_an_edit_touches_the_lines_of_its_key(
    key: str, value: str | list[str] | None, old: str, new: str
) -> None:
    assert set_key(HEADER, key, value) == HEADER.replace(old, new)
    crlf = HEADER.replace("\n", "\r\n")
    assert set_key(crlf, key, value) == HEADER.replace(old, new).replace("\n", "\r\n")


def test_a_file_without_header_gets_one() -> None:
    assert set_key("\ufeffbody\r\n", "topic", "acme") == "\ufeff---\r\ntopic: acme\r\n---\r\nbody\r\n"
    assert [p.code for p in parse_header(split("body\n"), "p").problems] == ["no-header"]


def test_a_header_that_is_never_closed_is_told_and_not_read() -> None:
    read = parse_header(split("---\ntopic: acme\n<!-- CURATED_START -->\n- a\n---\n"), "p")
    assert ([p.code for p in read.problems], read.end) == (["open-header"], 0)


def test_an_alias_bomb_costs_one_key() -> None:
    bomb = "".join(f"k{n}: [*a, *a, *a]\n" for n in range(20))
    read = parse_header(split(f"---\na: &a [x]\n{bomb}topic: acme\n---\n"), "p")
    assert read.text("topic") == "acme"
