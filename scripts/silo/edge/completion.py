"""Loads the words that tell whether a to-do is done (lang/todos.*.toml); their meaning is in text/completion.py."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from pathlib import Path

from silo.text.completion import Completion, from_table

_FOLDER = Path(__file__).resolve().parent.parent / "lang"


@lru_cache(maxsize=1)
def load_completions() -> tuple[Completion, ...]:
    """The tables of all languages that have one; read once a process."""
    return tuple(from_table(tomllib.loads(path.read_text(encoding="utf-8"))) for path in sorted(_FOLDER.glob("todos.*.toml")))
