"""Topics beside each other: which may look at one another's facts, and which of two a statement itself names.

The same words may be true of two things where the topic is what tells them apart ("The rent is 900 euros." of cabin and
studio). So a statement is held for one and the same only where it names what one of the two topics is called by, and the
other is not. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable

from silo.model import TopicInfo
from silo.text.tokens import terms


def open_topics(infos: Iterable[TopicInfo]) -> dict[str, TopicInfo]:
    """The topics whose facts all may see, by slug: what is private, archived or kept for some agents stays by itself."""
    return {one.slug: one for one in infos if one.sensitivity != "private" and not one.agents and one.status != "archived"}


class Names:
    """What each topic is called by: the words of its slug, its other names and the last part of its place."""

    def __init__(self, infos: Iterable[TopicInfo]) -> None:
        self._words = {one.slug: _words(one) for one in infos}

    def named(self, text: str, one: str, other: str) -> str:
        """The one of two topics that the text names; "" where it names neither, or what both are called by alone.

        A slug that is no topic (`general`) is called by nothing.
        """
        said = frozenset(terms(text))
        a, b = self._words.get(one, frozenset()), self._words.get(other, frozenset())
        left, right = len(said & (a - b)), len(said & (b - a))
        if left == right == 0:
            return ""
        return one if left >= right else other


def _words(info: TopicInfo) -> frozenset[str]:
    names = (info.slug.replace("-", " "), *info.aliases, info.path.rpartition("/")[2].replace("-", " "))
    return frozenset(word for name in names for word in terms(name) if not word.isdigit())
