"""Word tables: how a list is written, and that every list of the package is read as one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from silo.edge.lang import FOLDER
from silo.edge.tables import read_table


def test_a_text_of_several_lines_is_a_list_and_all_else_stays(tmp_path: Path) -> None:
    place = tmp_path / "words.toml"
    place.write_text('one = "a, b"\nlist = ["a, b", "c"]\nn = 2\n[group.inner]\nmany = """\nwaiting on, don\'t,  l\'eau,\n=left , fünf\n"""\nnone = """\n"""\n', "utf-8")
    assert read_table(place) == {"one": "a, b", "list": ["a, b", "c"], "n": 2, "group": {"inner": {"many": ["waiting on", "don't", "l'eau", "=left", "fünf"], "none": ""}}}


def entries(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for one in value.values():
            yield from entries(one)
    elif isinstance(value, list):
        yield from (one for one in value if isinstance(one, str))


@pytest.mark.parametrize("name", ["migrate", "distil", "reconcile.en", "reconcile.pt", "todos.en", "todos.pt"])
def test_no_entry_holds_another(name: str) -> None:
    found = list(entries(read_table(FOLDER / f"{name}.toml")))
    assert len(found) > 100
    assert [one for one in found if not one or "\n" in one or "," in one or one != one.strip()] == []
