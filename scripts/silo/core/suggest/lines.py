"""Log lines made ready for grouping: their stems, the names in them, and what themes they may be about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from silo.core.dedupe import id_of
from silo.formats.fields import fields
from silo.model import Confidence, Event, Tag
from silo.text.fold import fold
from silo.text.otherscripts import is_other, weighty
from silo.text.themes import Spoken, Themes, spoken
from silo.text.titles import NOBODY, TITLES
from silo.text.tokens import words

# A run of capitalised words inside a sentence.
_NAME = re.compile(r"(?<![.!?:…\"“«(]\s)(?<=\s)[^\W\d_a-z][\w'’-]*(?:\s(?:d[aeo]s?\s)?[^\W\d_a-z][\w'’-]*)*")
_TITLE = re.compile(rf"\b((?i:{'|'.join(sorted(TITLES, key=len, reverse=True))}))\.[ªº]? (?=[^\W\d_a-z])")
_TOWARDS = re.compile(r"\b(?:in|to|from|em|para|até|ao|à|aos|às)\s$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Line:
    """One event as it is compared. `scores`: theme number → how far the line is about it. `within`: how far where the theme is known
    to be there. `names`: proper names as
    they are written. `opens`: the first words, folded."""

    id: str
    event: Event
    said: Spoken
    scores: Mapping[int, float]
    within: Mapping[int, float]
    names: tuple[str, ...]
    opens: tuple[str, ...]

    @property
    def states(self) -> bool:
        """Whether the line alone may found a topic: a fact or a decision that was said to be so."""
        return self.event.tag in (Tag.FACT, Tag.DECISION) and self.event.confidence is Confidence.CONFIRMED


def read_lines(events: Iterable[Event], themes: Themes) -> tuple[Line, ...]:
    """The events in the order of their day and id, each once: how they came in makes no difference."""
    sorted_events = sorted(events, key=lambda one: (one.date, id_of(one), one.path, one.line))
    unique = list({id_of(event): event for event in reversed(sorted_events)}.items())[::-1]
    names = [_names(event.text) for _, event in unique]
    called = _called([event.text for _, event in unique], names) - themes.capitals
    strange = _strange(names, themes)
    found = []
    for (own, event), inside in zip(unique, names, strict=True):
        said = themes.read(event.text)
        if borne := {word: word for chunk in event.text.split() if chunk[:1].isupper() for word in words(chunk) if word in strange}:
            said = replace(said, forms={**said.forms, **borne})
        if other := weighty(event.text, themes.scripts):
            said = replace(said, forms={root: word for root, word in said.forms.items() if not is_other(root)} | other)
        first = tuple(words(event.text)[:4])
        found.append(Line(own, event, said, themes.scores(said, called), themes.within(said, called), inside, first))
    return tuple(found)


def tells(root: str) -> bool:
    """Whether a stem is long enough to tell what a line is about; signs of a script with many say more each."""
    return len(root) > 2 or is_other(root)


def towards(text: str, name: str) -> bool:
    """Whether a text says that somebody is at, goes to or comes from what bears a name."""
    return any(_TOWARDS.search(before) for before in text.split(name)[:-1])


def _strange(names: Iterable[tuple[str, ...]], themes: Themes) -> frozenset[str]:
    """Words of names that have the stem of a word of every day, yet are another word."""
    parts = {part for found in names for name in found for part in spoken(name).forms.items()}
    return frozenset(word for root, word in parts if root in themes.everyday and not themes.names_nobody(root, word))


def _called(texts: Sequence[str], names: Sequence[tuple[str, ...]]) -> frozenset[str]:
    """Stems that are written as a name inside a sentence, and nowhere otherwise: Basil is no herb then."""
    lower = {root for text in texts for word in text.split() if word[:1].islower() for root in spoken(word).forms}
    return frozenset(root for found in names for name in found for root in spoken(name).forms if root not in lower)


def _names(text: str) -> tuple[str, ...]:
    """Capitalised words inside a sentence that are no abbreviation; the old value that a line names is left out."""
    now = _TITLE.sub(lambda hit: f"{hit[1]} ", fields(text).rest or text)  # the stop of "Dr. Sesay" ends no sentence
    found: list[str] = []
    for run in _NAME.findall(now):
        parts = run.split()
        kept = list(takewhile(lambda part: part[0].isupper() or part in ("da", "de", "do", "das", "des", "dos"), parts))
        while kept and not kept[-1][0].isupper():
            kept.pop()
        name = " ".join(kept).removesuffix("'s").removesuffix("’s")
        if len(name) > 1 and not name.isupper() and not {fold(part) for part in name.replace('-', ' ').split()} <= TITLES | NOBODY:
            title, _, rest = name.partition(" ")
            found.append(f"{title}. {rest}" if rest and f"{title}. {rest}" in text else name)
    return tuple(found)
