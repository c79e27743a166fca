"""Accounts for every line of a source: where its words stand afterwards. A line that stands nowhere is lost, and said.

A line's words are the line without its list, heading, quote or table dress, white space collapsed; lines without a
letter or digit (rules, table separators) have none and are not owed a place.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from silo.text.lines import encode, split

_DRESS = re.compile(r"^\s*(?:[-*+•‣▪–>]|\d{1,4}[.)]|#{1,6}|\|)\s*")
_SPACE = re.compile(r"\s+")
_WORD = re.compile(r"[^\W_]|[\udc80-\udcff]")


@dataclass(frozen=True, slots=True)
class Row:
    """One source line (from 1) and one file that holds its words. `digest` names the line there, "" for a line whose words
    are not to be hashed (a secret) or that has none; path "" is a line that needs no place."""

    line: int
    path: str
    digest: str = ""


def bare_words(line: str) -> str:
    """What must survive of a line."""
    return _SPACE.sub(" ", _DRESS.sub("", line.strip("\ufeff \t\r\n").replace("\t", " ")).strip(" |")).strip()


def has_words(line: str) -> bool:
    """Whether a line holds anything that could be lost."""
    return _WORD.search(line) is not None


def digest(words: str) -> str:
    """Twelve hex digits that name a line by its words, without telling them."""
    return hashlib.sha256(encode(words)).hexdigest()[:12]


class Shelf:
    """A file's lines, ready to be searched for the words of another file's line."""

    def __init__(self, text: str) -> None:
        self._bare = [bare_words(line) for line in split(text)]
        self._lines = set(self._bare)
        self._flat = _SPACE.sub(" ", "\n".join(self._bare))

    def line_with(self, words: str) -> str | None:
        """The words of the line that holds these; None if they stand nowhere, "" if only across a line end."""
        if words in self._lines:
            return words
        if words not in self._flat:
            return None
        return next((line for line in self._bare if words in line), "")


def account(
    lines: Sequence[str],
    homes: Mapping[int, Sequence[str]],
    texts: Mapping[str, str],
    *,
    secrets: frozenset[int] = frozenset(),
    ours: frozenset[int] = frozenset(),
) -> tuple[tuple[Row, ...], tuple[int, ...]]:
    """(rows for every non-blank line, the lines that are lost).

    `homes` says where each line (from 1) was put, `texts` what every file holds afterwards; both must agree. Lines of
    `secrets` get no digest, those of `ours` (the router) are generated and owed nothing.
    """
    shelves = {path: Shelf(text) for path, text in texts.items()}
    rows: list[Row] = []
    lost: list[int] = []
    for number, line in enumerate(lines, 1):
        if number in ours or not line.strip("\ufeff \t\v\f\r\n"):
            continue
        words = bare_words(line)
        found = [
            (p, shelves[p].line_with(words)) for p in dict.fromkeys(homes.get(number, ())) if p in shelves
        ]
        placed = [(p, there) for p, there in found if there is not None]
        if not has_words(line):
            rows.append(Row(number, placed[0][0] if placed else ""))
        elif not placed:
            lost.append(number)
        rows += [
            Row(number, p, "" if number in secrets else digest(there))
            for p, there in placed
            if has_words(line)
        ]
    return tuple(rows), tuple(lost)


@dataclass(frozen=True, slots=True)
class Found:
    """Where the words of a source line are now: file and line (0: the line there was edited since), or nowhere told."""

    row: Row
    path: str
    line: int


def locate(rows: Iterable[Row], texts: Mapping[str, str]) -> tuple[Found, ...]:
    """Where every line's words are now. A line that left its file is looked for in the others."""
    places: dict[str, dict[str, int]] = {}
    anywhere: dict[str, tuple[str, int]] = {}
    for path, text in texts.items():
        here = places.setdefault(path, {})
        for number, line in enumerate(split(text), 1):
            name = digest(bare_words(line))
            here.setdefault(name, number)
            anywhere.setdefault(name, (path, number))
    out: list[Found] = []
    for row in rows:
        if not row.digest:
            out.append(Found(row, row.path, 0))
        elif row.digest in places.get(row.path, {}):
            out.append(Found(row, row.path, places[row.path][row.digest]))
        else:
            path, number = anywhere.get(row.digest, (row.path, 0))
            out.append(Found(row, path, number))
    return tuple(out)
