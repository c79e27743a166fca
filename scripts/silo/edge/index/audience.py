"""Which topics are hidden from whom, by all the names that a topic has: an event may have been filed under an old one; and
whether a line names an entity."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from silo.found import Scope

_DENSE = "\u0e00"  # from here on scripts are written without spaces: there any part of a text may be a name


class TopicRow(NamedTuple):
    """What hides a topic. `heading` is that of its passage, `agents` empty where all may see it."""

    slug: str
    heading: str
    agents: tuple[str, ...]
    private: bool
    archived: bool

    @property
    def names(self) -> tuple[str, ...]:
        """Its slug and its other names."""
        return (self.slug, *(name for name in self.heading.partition("\n\n")[2].split("\n") if name))


class Hidden(NamedTuple):
    """Names of topics: `wholly` with their events, `facts` without (those are their agent's, whatever the topic)."""

    wholly: frozenset[str] = frozenset()
    facts: frozenset[str] = frozenset()


def hidden(topics: Iterable[TopicRow], scope: Scope) -> Hidden:
    """The names that a scope must not see."""
    wholly: set[str] = set()
    facts: set[str] = set()
    for one in topics:
        if (scope.group and one.private) or (one.archived and not scope.archived):
            wholly.update(one.names)
        if one.agents and scope.agent not in one.agents:
            facts.update(one.names)
    return Hidden(frozenset(wholly), frozenset(facts))


def says(folded: str, name: str) -> bool:
    """Whether a folded text holds the folded name as whole words."""
    return name in folded and _whole(name).search(folded) is not None


@lru_cache(maxsize=64)
def _whole(name: str) -> re.Pattern[str]:
    before = r"(?<!\w)" if name[:1] < _DENSE else ""
    after = r"(?!\w)" if name[-1:] < _DENSE else ""
    return re.compile(before + re.escape(name) + after)
