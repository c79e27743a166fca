"""A name for a suggested topic by a model: made of words that its entries have, in their language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from silo.core.engines.task import Task
from silo.formats.events import slug_for
from silo.model import Problem
from silo.text.budget import cut
from silo.text.disguise import visible_line
from silo.text.injection import instruction_like
from silo.text.romanise import latin
from silo.text.tokens import tokens

VERSION = 1
MOST = 12  # entries that a model sees
_ENTRY = 160  # bytes of each
_TITLE = 40


@dataclass(frozen=True, slots=True)
class Cluster:
    """Entries of the log that belong together, the words that they share, and names that are taken."""

    texts: tuple[str, ...]
    words: tuple[str, ...]
    taken: frozenset[str]


@dataclass(frozen=True, slots=True)
class TopicName:
    """A name that a topic can have."""

    slug: str
    title: str


def show(cluster: Cluster) -> Mapping[str, object]:
    """All that a model sees."""
    return {"entries": [cut(text, _ENTRY) for text in cluster.texts[:MOST]], "shared": list(cluster.words)}


def task(head: str, schema: Mapping[str, Any], rules: Callable[[Cluster], TopicName]) -> Task[Cluster, TopicName]:
    """The task `name`. A title with a word that no entry has, or an order, is refused; so is a name that is taken."""

    def read(answer: Mapping[str, Any], cluster: Cluster) -> TopicName | Problem:
        title = visible_line(answer["title"]).strip(" .\"'")
        said = {token for text in cluster.texts for token in tokens(text)}
        if len(title) > _TITLE or instruction_like(title) or not title:
            return Problem("", "title", f"its title is not a name of at most {_TITLE} characters")
        known = [word for word in title.split() if said & set(tokens(word))]
        if not known:
            return Problem("", "words", "its title has no word of the entries")
        slug = slug_for(latin(title))
        if slug is None or slug in cluster.taken:
            return Problem("", "slug", f"a topic can't be called {title!r}: the name is taken, or no letters of it can stand in a file's name")
        return TopicName(slug, title)

    return Task("name", head, schema, show, read, rules, version=VERSION, answer_tokens=25)
