"""Which topics are hidden from whom, by all the names that a topic has: an event may have been filed under an old one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from silo.found import Scope


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
