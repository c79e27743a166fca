"""Which topic a statement belongs to: by slug, entities, tags, summary and fact words, with the talk as a prior.

What was said of a thing before draws after it what is said of it next, so that one thing does not fall apart over topics.

Words are stemmed and folded and weigh more the fewer topics know them; concepts of the language tables join words that
mean the same field ("invoice" and "taxes"), across languages too. Without any evidence it is `general`.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from silo.model import GENERAL, TopicInfo
from silo.text.fold import fold
from silo.text.language import Language
from silo.text.tokens import terms, tokens

__all__ = ["Router", "Talked", "category_slug", "route", "router", "words_of"]

FADES = 0.75  # what a turn counts for the one beside it
FAR = 0.1  # what one far off counts
WINDOW = 8  # turns after which FADES has sunk to FAR
MOST = 6.0  # of one turn
_CONCEPT = "\x00"  # marks a concept among words


def route(text: str, topics: tuple[TopicInfo, ...], languages: tuple[Language, ...] = ()) -> str:
    """The slug of the topic that fits one statement, or `general`."""
    return router(topics, languages).route(text, (), {})


@lru_cache(maxsize=4)
def router(topics: tuple[TopicInfo, ...], languages: tuple[Language, ...]) -> Router:
    """The router of these topics, made once for all sessions of a run."""
    return Router(topics, languages)


@lru_cache(maxsize=4)
def _concepts_of(languages: tuple[Language, ...]) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    small = {word for language in languages for word in language.function_words}
    for language in languages:
        for name, words in language.concepts.items():
            for word in words - small:  # "nota" must not make a school matter of "not" and "noted"
                found.setdefault(word, []).append(_CONCEPT + name)
    return {word: tuple(names) for word, names in found.items()}


_SAYING = frozenset(["state", "role", "condition", "attribute", "change", "change_strong", "change_verb", "did", "decision", "mistaken", "correction", "present"])


@lru_cache(maxsize=4)
def _saying(languages: tuple[Language, ...]) -> tuple[frozenset[str], tuple[str, ...]]:
    """The stems of words by which anything is said of anything, costs, moved, responsible, and beginnings of such words. They
    tell of no thing."""
    words = {word for language in languages for word, entries in language.phrases.by_word.items() if any(kind in _SAYING for kind, _ in entries)}
    fronts = {front for language in languages for entries in language.phrases.by_start.values() for front, kind, _ in entries if kind in _SAYING}
    return frozenset(term for word in words for term in terms(word)), tuple(front for front in fronts if len(front) > 3)


class Talked:
    """The prior of a conversation: how far each topic is what is talked about around a turn."""

    def __init__(self, scored: tuple[Mapping[str, float], ...]) -> None:
        self._scored = scored
        self._whole: dict[str, float] = {}
        for scores in scored:
            for slug, value in scores.items():
                self._whole[slug] = self._whole.get(slug, 0.0) + FAR * min(value, MOST)

    def at(self, index: int) -> Mapping[str, float]:
        """Topic → 0 to 1. A turn nearby counts more than one long before or after."""
        total = dict(self._whole)
        for at in range(max(0, index - WINDOW), min(len(self._scored), index + WINDOW + 1)):
            weight = FADES ** abs(at - index) - FAR
            for slug, value in self._scored[at].items():
                total[slug] += weight * min(value, MOST)
        top = max(total.values(), default=0.0)
        return {slug: value / top for slug, value in total.items()} if top else {}


class Router:
    """Topics prepared for routing many statements."""

    def __init__(self, topics: tuple[TopicInfo, ...], languages: tuple[Language, ...]) -> None:
        self._concepts = _concepts_of(languages)
        self._live = [t for t in topics if t.status != "archived"]
        self._known = {t.slug: self._words(t) for t in self._live}
        self._saying = _saying(languages)
        told = Counter(word for t in self._live for word in set(t.words))
        common = {word for word, topics in told.items() if topics > max(2, len(self._live) // 3)}  # words of any topic's facts
        self._headed = {
            t.slug: {word: weight for word, weight in self._words(replace(t, words=())).items() if not word.startswith(_CONCEPT) and word not in common}
            for t in self._live
        }
        self._facts: list[tuple[str, frozenset[str]]] = [(t.slug, words) for t in self._live for words in t.said]
        self._holding: dict[str, list[int]] = {}
        for n, (_, words) in enumerate(self._facts):
            for word in words:
                self._holding.setdefault(word, []).append(n)
        spread = Counter(word for known in self._known.values() for word in known)
        count = max(1, len(self._known))
        self._rarity = {word: math.log(1 + count / seen) for word, seen in spread.items()}

    def _words(self, topic: TopicInfo) -> dict[str, float]:
        known: dict[str, float] = {}
        parts: tuple[tuple[float, Iterable[str]], ...] = (
            (3.0, (topic.slug.replace("-", " "), *topic.aliases)),
            (3.0, topic.entities),
            (2.0, topic.tags),
            (1.5, (topic.summary,)),
        )
        for weight, texts in parts:
            for word in self._expand(" ".join(texts)):
                value = weight * (0.6 if word.startswith(_CONCEPT) else 1.0)
                known[word] = max(known.get(word, 0.0), value)
        for word in topic.words:
            known.setdefault(word, 0.7)
        return known

    def _expand(self, text: str) -> Counter[str]:
        found: Counter[str] = Counter()
        for term in terms(text):
            found[term] += 1
        for token in tokens(text):  # "son" and the like are small words elsewhere
            for concept in self._concepts.get(token, ()):
                found[concept] += 1
        return found

    def scores(self, text: str) -> dict[str, float]:
        """Topic → how well the text fits it; topics without any evidence are left out."""
        return self._scored(text, self._known)

    def home(self, text: str, heard: Sequence[tuple[str, frozenset[str]]] = ()) -> str:
        """The topic whose facts, or what was heard just now, speak of the thing that the text speaks of; "" where none does.

        A word tells of a thing by how few facts hold it, a name of somebody less: people have to do with many things. One
        of the words that meet must be known to few topics. Where two come near each other, it is the one with the fact that
        shares most words of any kind.
        """
        facts = [*self._facts, *heard]
        saying, fronts = self._saying
        mine = frozenset(word for word in _plain(text) if word not in saying and not word.startswith(fronts))
        names = _names(text)
        holding = {word: [*self._holding.get(word, ()), *(n for n, (_, words) in enumerate(heard, len(self._facts)) if word in words)] for word in mine}
        held = {word: at for word, at in holding.items() if at}
        found: dict[int, float] = {}
        special: set[int] = set()
        for word, at in held.items():
            weight = math.log(1 + len(facts) / len(at)) ** 2 * (0.2 if word in names else 1.0)
            rare = word not in names and len({facts[n][0] for n in at}) <= MOST_HOMES and len(at) <= max(3, len(facts) // 8)
            for n in at:
                found[n] = found.get(n, 0.0) + weight
                if rare:
                    special.add(n)
        best: dict[str, float] = {}
        for n in special:
            slug = facts[n][0]
            best[slug] = max(best.get(slug, 0.0), found[n])
        ranked = sorted(best, key=lambda slug: (-best[slug], slug))
        if not ranked or best[ranked[0]] < TELLING:
            return ""
        every, fields = _plain(text), self._fields(_plain(text))

        def alike(slug: str) -> int:
            return max(len(every & facts[n][1]) + 2 * len(fields & self._fields(facts[n][1])) for n in special if facts[n][0] == slug)

        close = [slug for slug in ranked if best[ranked[0]] < NEAR * best[slug]]
        return min(close, key=lambda slug: (-alike(slug), slug))

    def _fields(self, words: frozenset[str]) -> frozenset[str]:
        """The fields of life that some words belong to."""
        return frozenset(concept for word in words for concept in self._concepts.get(word, ()))

    def _scored(self, text: str, table: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
        if not self._live:
            return {}
        words = self._expand(text)
        low = f" {fold(text)} "
        out: dict[str, float] = {}
        for topic in self._live:
            known = table[topic.slug]
            value = sum(known[w] * self._rarity[w] * min(2, n) for w, n in words.items() if w in known)
            value += sum(4.0 for e in topic.entities if len(e) > 2 and fold(e) in low)
            if value:
                out[topic.slug] = value
        return out

    def talked(self, texts: Iterable[str]) -> Talked:
        """What a conversation of these turns is about, at each of them."""
        return Talked(tuple(self.scores(text) for text in texts) if self._live else ())

    def route(
        self, text: str, near: Iterable[str], prior: Mapping[str, float], heard: Sequence[tuple[str, frozenset[str]]] = ()
    ) -> str:
        """The slug for a statement said among the texts `near` in a conversation with that `prior`; `heard` are statements
        that were given a topic just before, as their words."""
        if said := _says_it(self._scored(text, self._headed)):
            return said  # its own words say it
        if home := self.home(text, heard):
            return home
        total = self.scores(text)
        if said := _says_it(total):
            return said
        nearby: dict[str, float] = {}
        for other in near:
            for slug, value in self.scores(other).items():
                nearby[slug] = nearby.get(slug, 0.0) + 0.35 * value
        for slug, value in nearby.items():
            total[slug] = total.get(slug, 0.0) + min(value, 1.5)
        for slug, value in prior.items():
            total[slug] = total.get(slug, 0.0) + 0.6 * value
        if not total:
            return GENERAL
        best = max(total.values())
        return min(slug for slug, value in total.items() if value == best)


TELLING = 3.5  # what the shared words must weigh: one that a single one of six facts holds
MOST_HOMES = 3  # topics that may know a word which tells of a thing
NEAR = 1.25  # how far what was said of a thing in one topic must stand out from what was said of it in another


def _says_it(scores: Mapping[str, float]) -> str:
    """The topic that scores well and stands out; "" for none."""
    own = sorted(scores.values(), reverse=True)
    if own and own[0] >= 3.0 and (len(own) == 1 or own[0] >= 1.6 * own[1]):
        return max(scores, key=lambda slug: (scores[slug], slug))
    return ""


def words_of(text: str) -> frozenset[str]:
    """The words of a statement by which it is known again."""
    return _plain(text)


def _plain(text: str) -> frozenset[str]:
    return frozenset(term for term in terms(text) if not any(c.isdigit() for c in term))


_NAME = re.compile(r"(?<![.!?:] )(?<!^)\b[A-ZÀ-Þ][\w'’-]+|^[A-ZÀ-Þ][\w'’-]+(?= [A-ZÀ-Þ][\w'’-]+)")


def _names(text: str) -> frozenset[str]:
    return frozenset(term for match in _NAME.finditer(text) for term in terms(match[0]))


def category_slug(category: str, infos: Iterable[TopicInfo]) -> str:
    """The topic that a category names: from its last segment to the first, a topic's slug or the last part of its path."""
    every = tuple(infos)
    slugs = {one.slug for one in every}
    by_place = {one.path.rpartition("/")[2]: one.slug for one in every if one.path}
    for segment in reversed([part for part in category.lower().split("/") if part]):
        if segment in slugs:
            return segment
        if segment in by_place:
            return by_place[segment]
    return ""
