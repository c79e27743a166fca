"""Secrets in tables, of Markdown or with separators: what stands in a column whose heading says password, PIN, token or key.

A row alone does not tell; the heading is looked for above it. Cells that say where a secret is ("in 1Password", "—") are
none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from silo.text.lazy import Lazy
from silo.text.lines import content, split
from silo.text.secretshape import mixed
from silo.text.stated import column_kind, stands_for_secret

_RULE = Lazy(r"[+\- ]?[ \t]*\|?[ \t]*:?-{1,}:?[ \t]*(?:\|[ \t]*:?-{1,}:?[ \t]*)+\|?[ \t]*\r?\Z")
_CELL = re.compile(r"(?:\\.|[^|\\])+")


def find_tabled(text: str) -> Iterator[tuple[str, int, int]]:
    """(kind, start, end) of the values in such columns, in order. A diff's mark before a row is no part of it."""
    yield from _separated(text)
    if "|" not in text:
        return
    yield from _labelled(text)
    if "--" not in text and "-|" not in text and ":-" not in text:
        return
    at = 0
    before = ""
    columns: dict[int, str] = {}
    for line in split(text):
        bare = content(line)
        if "|" not in bare:
            columns = {}
        elif _RULE().fullmatch(bare):
            heads = _cells(before)[-len(_cells(bare)) :]  # words may stand before the heading on its line
            columns = {n: kind for n, (cell, _) in enumerate(heads) if (kind := _heading(cell))}
        elif columns:
            for n, (cell, start) in enumerate(_cells(bare)):
                for value in _values(cell) if n in columns else ():
                    if stands_for_secret(columns[n], value):
                        first = at + start + cell.index(value)
                        yield columns[n], first, first + len(value)
        before = bare
        at += len(line)


def _heading(cell: str) -> str:
    """The kind of a column; of a heading of two names ("SID / auth token") the kind that either has."""
    return next((kind for name in (cell, *cell.split("/")) if (kind := column_kind(name) or column_kind(name, label=True))), "")


def _values(cell: str) -> list[str]:
    """What a cell may hold: itself, or the parts between slashes with spaces around."""
    return [part.strip().strip("`*") for part in (cell.split(" / ") if " / " in cell else [cell])]


def _labelled(text: str) -> Iterator[tuple[str, int, int]]:
    """The value in the cell behind one that says what it is ("Wifi password | …"), where it shows as one by itself."""
    at = 0
    for line in split(text):
        row = content(line)
        cells = _cells(row) if "|" in row else []
        for (name, _), (cell, start) in pairwise(cells):
            value = cell.strip().strip("`*")
            kind = column_kind(name, label=True) if 3 <= len(value) <= 200 else ""
            if kind and _shows(kind, value) and stands_for_secret(kind, value):
                first = at + start + cell.index(value)
                yield kind, first, first + len(value)
        at += len(line)


def _shows(kind: str, value: str) -> bool:
    return kind == "seed-phrase" or (mixed(value) and kind != "api-key") or any(c.isdigit() for c in value)


def _separated(text: str) -> Iterator[tuple[str, int, int]]:
    """The same in rows with commas, semicolons or tabs between: a heading of short names, then rows of as many cells."""
    if "\n" not in text:
        return
    at = 0
    columns: dict[int, str] = {}
    mark, count = "", 0
    for line in split(text):
        row = content(line)
        cells = row.split(mark) if mark else []
        if columns and len(cells) == count:
            start = at
            for n, cell in enumerate(cells):
                value = cell.strip().strip("\"'")
                if n in columns and stands_for_secret(columns[n], value):
                    first = start + cell.index(value)
                    yield columns[n], first, first + len(value)
                start += len(cell) + 1
        else:
            mark = next((sign for sign in "\t;," if sign in row), "")
            heads = [head.strip().strip("\"'") for head in row.split(mark)] if mark else []
            short = len(heads) > 1 and all(head and (n == 0 or (len(head.split()) <= 3 and len(head) <= 30)) for n, head in enumerate(heads))
            columns = {n: kind for n, head in enumerate(heads) if (kind := column_kind(head))} if short else {}
            count = len(heads)
        at += len(line)


def _cells(row: str) -> list[tuple[str, int]]:
    """(cell, where it starts) of a row, the empty ends before the first and after the last bar left out."""
    lead = len(row) - len(row[1:].lstrip()) if row[:1] in "+- " and row[1:].lstrip().startswith("|") else 0
    start = lead + 1 if row[lead : lead + 1] == "|" else len(row) - len(row.lstrip())
    found: list[tuple[str, int]] = []
    at = start
    while at <= len(row):
        cell = _CELL.match(row, at)
        end = cell.end() if cell else at
        if end >= len(row) and not row[at:].strip():
            break
        found.append((row[at:end], at))
        at = end + 1
    return found
