"""Loads the word lists of lang/lexicon/*.txt. They are data; their meaning is in text/thesaurus.py."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from silo.errors import BadInput
from silo.text.thesaurus import Thesaurus

FOLDER = Path(__file__).resolve().parent.parent / "lang" / "lexicon"


@lru_cache(maxsize=1)
def load_thesaurus(folder: Path = FOLDER) -> Thesaurus:
    """All lists, in the order of their names; read once a process. Raises BadInput that names what is wrong."""
    try:
        # Not by glob: its patterns cost a cold process more than the reading.
        return Thesaurus(path.read_text(encoding="utf-8") for path in sorted(folder.iterdir()) if path.suffix == ".txt")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{folder} can't be read: {error}", "restore the folder from the package") from error
