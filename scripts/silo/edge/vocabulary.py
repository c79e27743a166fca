"""Loads the comparison words from lang/reconcile*.toml, with the synonyms and translations of lang/lexicon/*.txt. The tables
are data; their meaning is in text/vocabulary.py."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from silo.edge.tables import read_table
from silo.edge.thesaurus import FOLDER
from silo.errors import BadInput
from silo.text.thesaurus import Thesaurus
from silo.text.vocabulary import Vocabulary, from_table, with_units

_TABLES = Path(__file__).resolve().parent.parent / "lang"
_SETS = ("things.txt", "acts.txt")  # lists whose words are interchangeable; the others tell what is near
_NEAR = "general.txt"


@lru_cache(maxsize=1)
def load_vocabularies() -> tuple[Vocabulary, ...]:
    """The vocabularies of all languages that have a table, English first; read once a process."""
    shared = read_table(_TABLES / "reconcile.toml")["units"]
    found = [replace(with_units(from_table(read_table(path)), shared), related=_related, kinds=_kinds) for path in sorted(_TABLES.glob("reconcile.*.toml"))]
    return tuple(sorted(found, key=lambda v: (v.code != "en", v.code)))


def _related(word: str) -> Mapping[str, int]:
    """What stands for a folded word; the lists are read when the first one is asked for."""
    return _interchangeable().related(word)


def _kinds(word: str) -> Mapping[str, int]:
    """The kinds that a folded word belongs to and what belongs to it."""
    return _kinds_listed().related(word)


@lru_cache(maxsize=1)
def _kinds_listed() -> Thesaurus:
    try:
        return Thesaurus([(FOLDER / "kinds.txt").read_text(encoding="utf-8")])
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{FOLDER} can't be read: {error}", "restore the folder from the package") from error


@lru_cache(maxsize=1)
def _interchangeable() -> Thesaurus:
    try:
        sets = [(FOLDER / name).read_text(encoding="utf-8") for name in _SETS]
        return Thesaurus([*sets, _translations((FOLDER / _NEAR).read_text(encoding="utf-8"))])
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{FOLDER} can't be read: {error}", "restore the folder from the package") from error


def _translations(text: str) -> str:
    """The lines with one word in Portuguese and at most two in English, each pair by itself: lemon and lime are no synonyms
    because one word is near to both."""
    pairs: list[str] = []
    for line in text.splitlines():
        ours, mark, theirs = line.partition("|")
        if mark and len(ours.split()) <= 2 and len(theirs.split()) == 1 and not line.startswith("#") and ":" not in line:
            pairs += [f"{word} | {theirs.strip()}" for word in ours.split()]
    return "\n".join(pairs)
