"""Reads the stable beginnings of prompts (templates/engines/*.md). They are data: what they ask is their task's part."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from silo.errors import BadInput

FOLDER = Path(__file__).resolve().parents[4] / "templates" / "engines"


@cache
def load_head(name: str) -> str:
    """The beginning of every prompt of a task.

    Raises:
        BadInput: the package lacks the file.
    """
    path = FOLDER / f"{name}.md"
    try:
        return path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path} can't be read: {error}", "restore the file from the package") from error
