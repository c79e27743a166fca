"""A named thing as one line tells it."""

from __future__ import annotations

from dataclasses import dataclass

FIXED = {"organisations": "org", "places": "loc", "property": "prop"}


@dataclass(frozen=True, slots=True)
class Mention:
    """A named thing: type person, org, proj, loc or prop. `of` names organisations that a person belongs to.

    Type `works` names no new thing: somebody (`of`) may stand in a line of that piece of work.
    """

    name: str
    type: str
    line: int
    properties: tuple[tuple[str, str], ...] = ()
    aliases: tuple[str, ...] = ()
    of: tuple[str, ...] = ()
    at: tuple[str, ...] = ()  # places named beside a person
    owns: bool = False
