"""A place that holds what goes, as it is shown before a person says yes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Hit:
    """One line or value. `kind`: event, fact, change, source, header, tier, note, own, entity, warm, hot, tree, review,
    proposal, line. `line` counts from 1 in the file as it is. `kept` says what of it stays, "" where all of it goes."""

    path: str
    line: int
    kind: str
    text: str
    id: str = ""
    kept: str = ""


@dataclass(frozen=True, slots=True)
class Left:
    """A file without what goes (None: nothing of it is left), and the places that held it."""

    text: str | None
    hits: tuple[Hit, ...] = ()
