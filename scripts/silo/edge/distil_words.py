"""Loads lang/distil.toml, which lies inside the package. Decides nothing about the words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from silo.edge.tables import read_table
from silo.text.distil_words import DistilWords

_FILE = Path(__file__).resolve().parent.parent / "lang" / "distil.toml"


def load_distil_words(own: Mapping[str, Sequence[str]] | None = None) -> DistilWords:
    """The words of all languages together; `own` are a person's lists for the check of notes, in place of ours."""
    table = read_table(_FILE)
    words = DistilWords.of(table)
    return words.checking(own, table) if own else words
