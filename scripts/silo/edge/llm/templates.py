"""Reads what a task is made of: the stable beginnings of prompts (templates/engines/*.md), schemas of answers (schemas/), and
words that a sentence may begin with (lang/openers.toml). They are data: what they mean is their task's part."""

from __future__ import annotations

import json
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from silo.errors import BadInput

PACKAGE = Path(__file__).resolve().parents[2]
ROOT = PACKAGE.parents[1]


@cache
def load_head(name: str) -> str:
    """The beginning of every prompt of a task.

    Raises:
        BadInput: the package lacks the file; so do the others here.
    """
    return _read(ROOT / "templates" / "engines" / f"{name}.md").strip()


@cache
def load_schema(name: str) -> dict[str, Any]:
    """The schema of the answer to one input, without what it says to people."""
    path = ROOT / "schemas" / f"{name}.schema.json"
    try:
        value = json.loads(_read(path))
    except ValueError as error:
        raise BadInput(f"{path} is not JSON: {error}", "restore the file from the package") from error
    return {key: inner for key, inner in value.items() if key not in ("$schema", "title", "description", "examples")}


@cache
def load_openers() -> frozenset[str]:
    """Words that a sentence may begin with although nobody said them, of all languages."""
    path = PACKAGE / "lang" / "openers.toml"
    try:
        table = tomllib.loads(_read(path))
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"{path} can't be read: {error}", "restore the file from the package") from error
    return frozenset(word for words in table.values() for word in str(words).split())


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path} can't be read: {error}", "restore the file from the package") from error
