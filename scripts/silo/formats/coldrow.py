"""A row of the archive: its columns in order, the digest that tells whether a copy is the same, the words it is found by.

The published columns come first and are named as published. Does not know databases.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, fields

from silo.model import ColdRow
from silo.text.lines import encode, sha256
from silo.text.tokens import terms, tokens

COLUMNS = tuple(field.name for field in fields(ColdRow))
STORED = (*COLUMNS, "folded", "sha")  # as in the tables
DIGITS = 16


def digest(row: ColdRow) -> str:
    """16 hex of SHA-256 over all but the count of access: two stores hold the same row where this is equal."""
    parts = (str(value) for name, value in zip(COLUMNS, astuple(row), strict=True) if name != "access_count")
    return sha256(encode("\x1f".join(parts)))[:DIGITS]


def folded(row: ColdRow) -> str:
    """The stemmed words of text, category and topic, each between spaces."""
    return f" {' '.join(tokens(f'{row.text} {row.category} {row.topic}'))} "


def asked(query: str) -> tuple[str, ...]:
    """What a question looks for in `folded`: its stemmed words between spaces, stop words only where there is nothing else."""
    found = terms(query) or tokens(query)
    return tuple(f" {word} " for word in dict.fromkeys(found))


def values(row: ColdRow) -> tuple[object, ...]:
    """The values of `STORED`; true and false as 1 and 0."""
    return (*(int(value) if isinstance(value, bool) else value for value in astuple(row)), folded(row), digest(row))


def from_values(found: Sequence[object]) -> ColdRow:
    """The row of the values of `COLUMNS`, as a database gives them."""
    given = dict(zip(COLUMNS, found, strict=True))
    return ColdRow(
        **{name: str(given[name] or "") for name in COLUMNS if name not in _NUMBERS},
        importance=float(str(given["importance"] or 0)),
        created_at=int(str(given["created_at"] or 0)),
        access_count=int(str(given["access_count"] or 0)),
        place=int(str(given["place"] or 0)),
        private=str(given["private"]) == "1",
    )


_NUMBERS = frozenset({"importance", "created_at", "access_count", "place", "private"})
