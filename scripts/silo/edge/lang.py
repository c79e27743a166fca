"""Reading the language tables that lie beside the package (lang/*.toml). It compiles them and knows no word itself."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from silo.edge.tables import entries
from silo.errors import BadInput
from silo.text.flat import flat_words
from silo.text.language import HEARD_KINDS, Language, Phrases
from silo.text.stem import stem

FOLDER = Path(__file__).resolve().parent.parent / "lang"


@cache
def load_languages(codes: tuple[str, ...] = ("en", "pt"), folder: Path = FOLDER) -> tuple[Language, ...]:
    """The languages in the order of `codes`. Raises BadInput that names the file and what is wrong with it."""
    languages = tuple(_load(folder / f"{code}.toml") for code in codes)
    for one in languages:
        if missing := {name for other in languages for name in other.shapes} - {n for n, source in one.shapes.items() if source}:
            raise BadInput(f"{folder / one.code}.toml lacks the shapes {', '.join(sorted(missing))}", "see the other files")
    return languages


def _load(path: Path) -> Language:
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadInput(f"{path} can't be read: {error}", "restore the file from the package") from error
    try:
        return _compile(data)
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        raise BadInput(f"{path} is not a language table: {error}", "see the notes at its top") from error


def _compile(data: dict[str, Any]) -> Language:
    phrases = {kind: _listed(value) for kind, value in data["phrases"].items()}
    return Language(
        code=data["code"],
        function_words=_words(data["function_words"]),
        letters=frozenset(data.get("letters", "")),
        question_words=_words(data["question_words"]),
        helpers=_words(data["helpers"]),
        phrases=Phrases.of(phrases),
        heard=Phrases.of({kind: listed for kind, listed in phrases.items() if kind in HEARD_KINDS}),
        changes=Phrases.of({"change": _listed(data["changes"]["patterns"])}),
        shapes=_shapes(data.get("pieces", {}), data["shapes"]),
        day_first=bool(data["day_first"]),
        subjectless=tuple(data["subjectless"].split()),
        labels=dict(data["labels"]),
        concepts={
            name: frozenset(stem(w) for w in flat_words(words).split())
            for name, words in data.get("concepts", {}).items()
        },
    )


_PIECE = re.compile(r"\{([a-z_]+)\}")


def _listed(value: str | list[str]) -> list[str]:
    return entries(value) if isinstance(value, str) else value


def _shapes(pieces: dict[str, str], shapes: dict[str, str]) -> dict[str, str]:
    """The shapes by name, without line breaks and indentation, and with the pieces and shapes before them put in."""
    made: dict[str, str] = {}
    for name, text in (*pieces.items(), *shapes.items()):
        source = "".join(line.lstrip() for line in text.splitlines())
        made[name] = _PIECE.sub(lambda m: f"(?:{made[m[1]]})", source)
    return {name: made[name] for name in shapes}


def _words(text: str) -> frozenset[str]:
    return frozenset(w.replace("'", "") for w in flat_words(text).split())
