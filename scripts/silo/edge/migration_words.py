"""Loads lang/migrate.toml, which lies inside the package. Decides nothing about the words."""

from __future__ import annotations

from pathlib import Path

from silo.edge.tables import read_table
from silo.text.migration_words import MigrationWords

_FILE = Path(__file__).resolve().parent.parent / "lang" / "migrate.toml"


def load_migration_words() -> MigrationWords:
    """The word lists of the migration, all languages together."""
    return MigrationWords.of(read_table(_FILE))
