"""Accounts for every line of a source: where its words stand afterwards. A line that stands nowhere is lost, and said.

A line's words are the line without its list, heading, quote or table dress, white space collapsed; lines without a
letter or digit (rules, table separators) have none and are not owed a place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from silo.text.lines import split

_DRESS = re.compile(r"^\s*(?:[-*+•‣▪–>]|\d{1,4}[.)]|#{1,6}|\|)\s*")
_SPACE = re.compile(r"\s+")
_WORD = re.compile(r"[^\W_]|[\udc80-\udcff]")


@dataclass(frozen=True, slots=True)
class Row:
    """One source line (from 1) and the files that hold its words; none for a line without words."""

    line: int
    paths: tuple[str, ...]


def bare_words(line: str) -> str:
    """What must survive of a line."""
    return _SPACE.sub(" ", _DRESS.sub("", line.strip("\ufeff \t\r\n").replace("\t", " ")).strip(" |")).strip()


def has_words(line: str) -> bool:
    """Whether a line holds anything that could be lost."""
    return _WORD.search(line) is not None


class Shelf:
    """A file's words, ready to be searched for those of a line."""

    def __init__(self, text: str) -> None:
        bare = [bare_words(line) for line in split(text)]
        self._lines = frozenset(bare)
        self._flat = _SPACE.sub(" ", "\n".join(bare))

    def holds(self, words: str) -> bool:
        return words in self._lines or words in self._flat


def account(
    lines: Sequence[str], homes: Mapping[int, Sequence[str]], texts: Mapping[str, str]
) -> tuple[tuple[Row, ...], tuple[int, ...]]:
    """(a row for every non-blank line, the lines that are lost).

    `homes` says where each line (from 1) was put, `texts` what every file holds afterwards; both must agree.
    """
    shelves = {path: Shelf(text) for path, text in texts.items()}
    rows: list[Row] = []
    lost: list[int] = []
    for number, line in enumerate(lines, 1):
        if not line.strip("\ufeff \t\v\f\r\n"):
            continue
        words = bare_words(line)
        paths = tuple(
            p for p in dict.fromkeys(homes.get(number, ())) if p in shelves and shelves[p].holds(words)
        )
        if has_words(line) and not paths:
            lost.append(number)
        rows.append(Row(number, paths))
    return tuple(rows), tuple(lost)


def spans(rows: Iterable[Row]) -> list[list[object]]:
    """Rows as `[first line, last line, [paths]]`, neighbours with the same paths together: the form that is stored."""
    found: list[list[object]] = []
    for row in rows:
        last = found[-1] if found else None
        if last and last[2] == list(row.paths) and isinstance(last[1], int) and row.line - last[1] <= 2:
            last[1] = row.line
        else:
            found.append([row.line, row.line, list(row.paths)])
    return found
