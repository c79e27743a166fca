"""Reading the word tables of lang/ as plain values. Knows none of their words."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any


def read_table(path: Path) -> dict[str, Any]:
    """The values of a table. A text of several lines is a list: its entries stand between commas."""
    return {key: _listed(value) for key, value in tomllib.loads(path.read_text(encoding="utf-8")).items()}


def _listed(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _listed(one) for key, one in value.items()}
    return entries(value) if isinstance(value, str) and "\n" in value else value


def entries(text: str) -> list[str]:
    """What stands between the commas of a text, on one line each."""
    return [entry for part in text.split(",") if (entry := " ".join(part.split()))]
