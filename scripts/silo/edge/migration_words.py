"""Loads lang/migrate.toml, lang/kept.toml and lang/names.toml, which lie inside the package. Decides nothing about the words."""

from __future__ import annotations

import re
from pathlib import Path

from silo.edge.tables import read_table
from silo.edge.thesaurus import FOLDER
from silo.text.given_names import GivenNames
from silo.text.migration_words import MigrationWords

_LANG = Path(__file__).resolve().parent.parent / "lang"
_WORDS = re.compile(r"[a-z]+(?:-[a-z]+)*")


def load_migration_words() -> MigrationWords:
    """The word lists of the migration, all languages together."""
    tables = read_table(_LANG / "migrate.toml")
    tables = {**tables, "entity": {**tables["entity"], **read_table(_LANG / "kept.toml")}}
    return MigrationWords.of(
        tables, GivenNames.of(read_table(_LANG / "names.toml"), _everyday())
    )


def _everyday() -> frozenset[str]:
    """Every word of the lexicon's lists, the parts of its phrases too; towns are names."""
    lists = (path.read_text(encoding="utf-8") for path in sorted(FOLDER.iterdir()) if path.suffix == ".txt" and path.name != "places.txt")
    return frozenset(
        word for text in lists for line in text.splitlines() if not line.startswith("#") for word in _WORDS.findall(line)
    )
