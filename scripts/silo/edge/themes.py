"""Loads the themes of everyday life from lang/themes/*.toml. The tables are data; their meaning is in text/themes.py."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any

from silo.errors import BadInput
from silo.text.themes import Themes

FOLDER = Path(__file__).resolve().parent.parent / "lang" / "themes"
GENERAL = "general.toml"  # wider fields and everyday words, no themes


@lru_cache(maxsize=1)
def load_themes(folder: Path = FOLDER) -> Themes:
    """All themes, in the order of their ids; read once a process. Raises BadInput that names what is wrong."""
    table: dict[str, Any] = {}
    general: dict[str, Any] = {}
    for path in sorted(folder.glob("*.toml")):
        try:
            read = tomllib.loads(path.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise BadInput(f"{path} can't be read: {error}", "restore the file from the package") from error
        if path.name == GENERAL:
            general = read
        else:
            table |= read
    try:
        return Themes.of(dict(sorted(table.items())), general["fields"], general["near"], general["everyday"], general["languages"], general["scripts"])
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        raise BadInput(f"{folder} is not a table of themes: {error}", "restore the folder from the package") from error
