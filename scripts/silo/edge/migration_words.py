"""Loads lang/migrate.toml, which lies inside the package. Decides nothing about the words."""

from __future__ import annotations

import tomllib
from pathlib import Path

from silo.text.migration_words import MigrationWords

_FILE = Path(__file__).resolve().parent.parent / "lang" / "migrate.toml"


def load_migration_words() -> MigrationWords:
    """The word lists of the migration, all languages together."""
    with _FILE.open("rb") as file:
        return MigrationWords.of(tomllib.load(file))
