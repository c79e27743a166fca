"""Loads the words that tell whether a to-do is done (lang/todos.*.toml); their meaning is in text/completion.py."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from silo.edge.lang import load_languages
from silo.edge.tables import read_table
from silo.text.completion import Completion, from_table
from silo.text.flat import flat_words
from silo.text.language import detect, tokens_of

_FOLDER = Path(__file__).resolve().parent.parent / "lang"


@lru_cache(maxsize=1)
def load_completions() -> tuple[Completion, ...]:
    """The tables of all languages that have one; read once a process."""
    return tuple(from_table(read_table(path)) for path in sorted(_FOLDER.glob("todos.*.toml")))


def done_label(text: str) -> str:
    """The word for "done" in the language of the to-do."""
    low = flat_words(text)
    spoken = detect(text, tokens_of(low), load_languages())
    labels = {one.code: one.label for one in load_completions()}
    return labels.get(spoken[0].code if spoken else "en", "Done")
