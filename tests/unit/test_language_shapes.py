"""The regular expressions of the language tables: pieces put in, and frames that take in what every language has."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from silo.edge.lang import load_languages
from silo.errors import BadInput
from silo.text.language import framed

TABLE = """
code = "{code}"
function_words = "the"
question_words = "what"
helpers = "is"
day_first = false
subjectless = ""
[labels]
[phrases]
[changes]
patterns = "from {{old}} to {{new}}"
[pieces]
{pieces}
[shapes]
{shapes}
"""


def table(folder: Path, code: str, pieces: str, shapes: str) -> None:
    text = TABLE.format(code=code, pieces=pieces, shapes=shapes)
    (folder / f"{code}.toml").write_text(text, encoding="utf-8")


def test_pieces_are_put_in_and_lines_joined(tmp_path: Path) -> None:
    table(tmp_path, "xx", "bird = 'owl|wren'\nflock = '''\n  two {bird}s\n  |m\\w{3} {bird}s'''", "seen = '''\n^the {bird}$\n|^{flock}$'''")
    (xx,) = load_languages(("xx",), tmp_path)
    assert xx.shapes["seen"] == r"^the (?:owl|wren)$|^(?:two (?:owl|wren)s|m\w{3} (?:owl|wren)s)$"
    assert xx.shape("seen").search("many wrens")
    assert not xx.shape("seen").search("many wren")


def test_a_piece_that_is_not_there_is_told(tmp_path: Path) -> None:
    table(tmp_path, "xx", "", "seen = 'the {bird}'")
    with pytest.raises(BadInput, match=r"xx\.toml .*bird"):
        load_languages(("xx",), tmp_path)


@pytest.mark.parametrize("shapes", ["fish = 'perca'", "fish = 'perca'\nbird = ''"])
def test_a_shape_that_one_language_lacks_is_told(tmp_path: Path, shapes: str) -> None:
    table(tmp_path, "xx", "", "fish = 'perch'\nbird = 'owl'")
    table(tmp_path, "yy", "", shapes)
    with pytest.raises(BadInput, match=r"yy\.toml .*bird"):
        load_languages(("xx", "yy"), tmp_path)


def test_a_frame_takes_in_all_languages(tmp_path: Path) -> None:
    table(tmp_path, "xx", "", "bird = 'owl|wren'")
    table(tmp_path, "yy", "", "bird = 'coruja'")
    both = load_languages(("xx", "yy"), tmp_path)
    seen = framed(r"^{bird}s{2}?$", both)
    assert seen.pattern == r"^(?:owl|wren|coruja)s{2}?$"
    assert framed("{bird}", ()).search("owl") is None


@pytest.mark.parametrize("lang", load_languages(), ids=lambda lang: lang.code)
def test_every_shape_is_an_expression(lang: object) -> None:
    for name, source in lang.shapes.items():  # type: ignore[attr-defined]
        assert re.compile(source), name
        assert not re.search(r"\{[a-z]", source), name
        assert not re.match(r"\||.*\|$", source), f"{name} fits anything"
