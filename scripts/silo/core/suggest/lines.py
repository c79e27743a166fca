"""Log lines made ready for grouping: their stems, the names in them, and what themes they may be about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import takewhile

from silo.core.dedupe import id_of
from silo.formats.fields import fields
from silo.model import Confidence, Event, Tag
from silo.text.themes import Spoken, Themes
from silo.text.tokens import words

# A run of capitalised words inside a sentence.
_NAME = re.compile(r"(?<![.!?:…\"“«(]\s)(?<=\s)[^\W\d_a-z][\w'’-]*(?:\s(?:d[aeo]s?\s)?[^\W\d_a-z][\w'’-]*)*")


@dataclass(frozen=True, slots=True)
class Line:
    """One event as it is compared. `scores`: theme number → how far the line is about it. `names`: proper names as
    they are written. `opens`: the first words, folded."""

    id: str
    event: Event
    said: Spoken
    scores: Mapping[int, float]
    names: tuple[str, ...]
    opens: tuple[str, ...]

    @property
    def states(self) -> bool:
        """Whether the line alone may found a topic: a fact or a decision that was said to be so."""
        return self.event.tag in (Tag.FACT, Tag.DECISION) and self.event.confidence is Confidence.CONFIRMED


def read_lines(events: Iterable[Event], themes: Themes) -> tuple[Line, ...]:
    """The events in the order of their day and id, each once: how they came in makes no difference."""
    found: dict[str, Line] = {}
    for event in sorted(events, key=lambda one: (one.date, id_of(one), one.path, one.line)):
        said = themes.read(event.text)
        first = tuple(words(event.text)[:4])
        found.setdefault(id_of(event), Line(id_of(event), event, said, themes.scores(said), _names(event.text), first))
    return tuple(found.values())


def _names(text: str) -> tuple[str, ...]:
    """Capitalised words inside a sentence that are no abbreviation; the old value that a line names is left out."""
    now = fields(text).rest or text
    found: list[str] = []
    for run in _NAME.findall(now):
        parts = run.split()
        kept = list(takewhile(lambda part: part[0].isupper() or part in ("da", "de", "do", "das", "des", "dos"), parts))
        while kept and not kept[-1][0].isupper():
            kept.pop()
        name = " ".join(kept).removesuffix("'s").removesuffix("’s")
        if len(name) > 1 and not name.isupper():
            found.append(name)
    return tuple(found)
