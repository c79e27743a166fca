"""Topics beside each other: which may look at one another's facts, and which of two a statement itself names.

The same words may be true of two things where the topic is what tells them apart ("The rent is 900 euros." of cabin and
studio). So a statement is held for one and the same only where it names what one of the two topics is called by, and the
other is not. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from silo.core.reconcile.subject import Subject
from silo.model import TopicInfo
from silo.text.tokens import terms

PRIVATE = ".silo/private/"
TELLING = 3  # words, figures apart, by which what was said without a topic is known to be no coincidence


def open_topics(infos: Iterable[TopicInfo]) -> dict[str, TopicInfo]:
    """The topics whose facts all may see, by slug: what is private, archived or kept for some agents stays by itself."""
    return {one.slug: one for one in infos if not (one.sensitivity == "private" or one.file.startswith(PRIVATE) or one.agents or one.status == "archived")}


def weighty(text: str) -> frozenset[str]:
    """The words of weight, figures apart."""
    return frozenset(word for word in terms(text) if not any(c.isdigit() for c in word))


class Names:
    """What each topic is called by: its slug, its other names and the last part of its place."""

    def __init__(self, infos: Iterable[TopicInfo], subject: Callable[[str], Subject]) -> None:
        self._names = {one.slug: _names(one) for one in infos}
        self._subject = subject

    def spoken(self, text: str, slugs: Iterable[str]) -> frozenset[str]:
        """Those of some topics of whose names the text has a word."""
        said = frozenset(terms(text))
        return frozenset(slug for slug in slugs if any(name & said for name in self._names.get(slug, ())))

    def named(self, text: str, one: str, other: str) -> str:
        """The one of two topics that the text is about by its own words; "" where it names neither, both, or a part of a name.

        Words that both are called by tell nothing. A slug that is no topic (`general`) is called by nothing.
        """
        here, there = self._names.get(one, ()), self._names.get(other, ())
        spoken = frozenset(terms(text))
        if not any(name <= spoken for name in (*_less(here, there), *_less(there, here))):
            return ""
        said = self._subject(text)
        left, right = (max((len(name) for name in names if said.is_called(name)), default=0) for names in (_less(here, there), _less(there, here)))
        return one if left > right else other if right > left else ""


def _less(names: Iterable[frozenset[str]], others: Iterable[frozenset[str]]) -> list[frozenset[str]]:
    """The names without words of the other ones; those that have no more are none."""
    shared: frozenset[str] = frozenset().union(*others)
    return [name - shared for name in names if name - shared]


def _names(info: TopicInfo) -> tuple[frozenset[str], ...]:
    names = (info.slug.replace("-", " "), *info.aliases, info.path.rpartition("/")[2].replace("-", " "))
    found = (frozenset(word for word in terms(name) if not word.isdigit()) for name in names)
    return tuple(name for name in found if name)
