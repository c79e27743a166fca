"""What the existing topics cover: their own words and the themes that they are about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from silo.core.suggest.lines import Line
from silo.model import TopicInfo
from silo.text.fold import fold
from silo.text.otherscripts import weighty
from silo.text.themes import CORE, MORE, Themes, spoken

_COVERS = 2.2  # how far a topic must be about a theme to cover it
_OF_BEST = 0.5  # and of the theme that it is most about
_SHARE = 0.85  # of a theme's words: a topic may be about a part of the theme alone
_NAMED = 4.0  # the topic's slug names the theme


def topic_scores(lines: Sequence[Line], topics: Sequence[TopicInfo], themes: Themes) -> dict[int, dict[int, float]]:
    """Per topic, as -2, -3 …: line → how far the topic covers it. Archived topics cover too: the person has them."""
    return {-2 - number: _covered(lines, topic, themes) for number, topic in enumerate(topics)}


def covered_themes(topic: TopicInfo, themes: Themes) -> frozenset[int]:
    """The themes that a topic is about, by its names, tags and summary."""
    names = spoken(" ".join((topic.slug.replace("-", " "), *topic.aliases)))
    about = spoken(" ".join((topic.slug.replace("-", " "), *topic.aliases, *topic.tags, topic.summary)))
    found = dict(themes.scores(about))
    for number, theme in enumerate(themes.all):
        called = any(label and label <= names.forms.keys() for label in theme.labels)
        if called or any(field in about.forms.values() for field in theme.under):
            found[number] = found.get(number, 0.0) + _NAMED
    best = max(found.values(), default=0.0)
    return frozenset(number for number, value in found.items() if value >= max(_COVERS, _OF_BEST * best))


def _covered(lines: Sequence[Line], topic: TopicInfo, themes: Themes) -> dict[int, float]:
    own = _own_words(topic, themes)
    about = covered_themes(topic, themes)
    entities = [fold(one) for one in topic.entities if len(one) > 2]
    found: dict[int, float] = {}
    for at, line in enumerate(lines):
        value = _SHARE * max((line.scores.get(number, 0.0) for number in about), default=0.0)
        value = max(value, sum(own.get(root, 0.0) for root in line.said.forms))
        if entities and any(f" {one} " in f" {fold(line.event.text)} " for one in entities):
            value += CORE
        if value:
            found[at] = value
    return found


def _own_words(topic: TopicInfo, themes: Themes) -> Mapping[str, float]:
    words: dict[str, float] = {root: MORE / 2 for root in topic.words if root not in themes.everyday}
    for weight, texts in ((MORE, (topic.summary,)), (2 * MORE, (topic.slug.replace("-", " "), *topic.tags, *topic.aliases))):
        text = " ".join(texts)
        for root in spoken(text).forms.keys() | weighty(text, themes.scripts).keys():
            words[root] = weight / 4 if root in themes.everyday else weight
    return words
