"""Loads the comparison words from lang/reconcile*.toml. The tables are data; their meaning is in text/vocabulary.py."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from silo.edge.tables import read_table
from silo.text.vocabulary import Vocabulary, from_table, with_units

_FOLDER = Path(__file__).resolve().parent.parent / "lang"


@lru_cache(maxsize=1)
def load_vocabularies() -> tuple[Vocabulary, ...]:
    """The vocabularies of all languages that have a table, English first; read once a process."""
    shared = read_table(_FOLDER / "reconcile.toml")["units"]
    found = [
        with_units(from_table(read_table(path)), shared)
        for path in sorted(_FOLDER.glob("reconcile.*.toml"))
    ]
    return tuple(sorted(found, key=lambda v: (v.code != "en", v.code)))
