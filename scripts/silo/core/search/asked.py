"""What each word of a question may be met by: itself, words of the same beginning, words and phrases of the same meaning.

A concept is a word with all that stands for it; it weighs by how many passages hold any of these, so that a rare synonym
of a common word tells no more than that word. Weights were chosen on the five `tune` conversations of LoCoMo and small
sets in two languages; see bench/.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from silo.core.search.question import Question
from silo.core.search.view import View
from silo.text.stem import stem
from silo.text.stopwords import LIGHT, STOP, leaning
from silo.text.thesaurus import Bond, Thesaurus, says, spoken
from silo.text.tokens import words

NO_WORDS = Thesaurus()
_BACK, _LONGER = 3, 4  # letters that an ending may take, that a derived word may have more
_DENSE = "\u0e00"  # from here on scripts are written without spaces; terms are pairs of characters
_LONG_ENOUGH = 4  # letters of a word, for words of the same beginning to be tried


class Likeness(NamedTuple):
    """What a word that is not the one asked for counts, as a share of the weight of the concept."""

    same_start: float = 0.4  # a word of the same beginning, where the word itself stands nowhere; less the less they share
    longer: float = 0.5  # a longer word that begins with the whole word: deduct, deduction
    shorter: float = 0.3  # the other way round
    synonym: float = 0.45
    translation: float = 0.8  # hardly ever met by chance: lines of the other language are few or all
    kind: float = 0.3  # what belongs to the word, or what the word belongs to
    member: float = 0.7  # what belongs to the kind of which one is asked for: "which fruit" is answered by kiwi
    stands_for: float = 1.3  # how much more these count where the word itself stands nowhere
    name: float = 0.6  # the name of who or what the word means in this memory
    friend: float = 0.5  # of what a translation counts in a line of the question's own language
    light: float = 0.75  # of the weight of a word that says little in any text
    most: float = 0.9  # none counts as much as the word
    phrase: float = 0.7  # of a phrase's weight, for a single word of it when candidates are chosen
    # How far a passage that holds one of these is taken to speak of what was asked: for coverage and doubt, not for weight.
    sure_start: float = 0.8
    sure_same: float = 0.9
    sure_kind: float = 0.6
    sure_name: float = 0.7


class Asked(NamedTuple):
    """What each term of the question may be met by, and at what weight (idf and likeness in one).

    `ways` holds, for each term, the terms and phrases that answer it; `answers` the same the other way round; `sure` how
    surely each means it (0..1); `pull` the best weight of each single word, for choosing candidates. `worth` is the weight
    of each term as a concept, `phrases` are the keys of phrases in `answers`, each with its words that are no stop words.
    """

    ways: Mapping[str, Mapping[str, float]]
    answers: Mapping[str, tuple[tuple[str, float], ...]]
    sure: Mapping[str, Mapping[str, float]]
    pull: Mapping[str, float]
    worth: Mapping[str, float]
    phrases: Mapping[str, frozenset[str]]
    language: Mapping[str, Mapping[str, str]] = MappingProxyType({})  # for each term the ways of which it is known: en or pt
    abbreviations: Mapping[str, frozenset[str]] = MappingProxyType({})  # terms that are written so, and how they may be
    listed: frozenset[str] = frozenset()  # terms that the thesaurus knows other words for

    def is_friend(self, way: str, term: str, text: str) -> bool:
        """Whether a way of a term stands in a text by its looks alone, since the text is of the other language (the gate is no
        gata), or the term is an abbreviation and the way another word of its stem: a PIN is no pine."""
        if way == term and term in self.abbreviations and self.abbreviations[term].isdisjoint(words(text)):
            return True
        language = self.language.get(term, {}).get(way)
        return bool(language) and _leaning(text) not in ("", language)

    def cover(self, held: Mapping[str, float]) -> float:
        """The share (0..1) of what was asked for, by weight, that `held` (term → how surely) speaks of."""
        whole = sum(self.worth.values())
        return sum(self.worth[t] * sure for t, sure in held.items()) / whole if whole else 0.0

    def with_names(self, view: View, names: Mapping[str, frozenset[str]], like: Likeness) -> Asked:
        """The same, with names (term → names of what it means) as ways to speak of their terms."""
        frequency = view.frequencies({name for some in names.values() for name in some})
        count, _ = view.totals()
        ways, sure, pull = dict(self.ways), dict(self.sure), dict(self.pull)
        answers = dict(self.answers)
        for term, some in names.items():
            for name in sorted(some & frequency.keys() - ways[term].keys()):
                value = like.name * min(self.worth[term], _idf(count, frequency[name]))
                ways[term] = {**ways[term], name: value}
                sure[term] = {**sure[term], name: like.sure_name}
                answers[name] = (*answers.get(name, ()), (term, value))
                pull[name] = max(pull.get(name, 0.0), value)
        return self._replace(ways=ways, answers=answers, sure=sure, pull=pull)

    def phrases_in(self, terms: list[str], text: str) -> list[str]:
        """The phrases that a passage says; `terms` are its own, `text` is read only where they hold all words of one."""
        some = [key for key, parts in self.phrases.items() if parts.issubset(terms)] if self.phrases else []
        said = spoken(text) if some else []
        return [key for key in some if says(said, key)]


@lru_cache(maxsize=1024)
def _leaning(text: str) -> str:
    return leaning(words(text))


def ask(view: View, question: Question, like: Likeness, thesaurus: Thesaurus = NO_WORDS) -> Asked:
    """The question's terms; each also as words of the same beginning and of the same meaning, at less weight."""
    known = view.frequencies(question.terms)
    names = {stem(name) for name in question.names}
    alike = {term: {term: 1.0} if term in names and term in known else _alike(view, term, term in known, like) for term in question.terms}
    sure = {term: {t: 1.0 if t == term else like.sure_start * min(1.0, share / like.shorter) for t, share in others.items()} for term, others in alike.items()}
    same: dict[str, set[str]] = {term: {term} for term in question.terms}  # what counts as the concept itself
    bonded, languages = _bonds(question, thesaurus)
    for term, bonds in bonded.items():
        more = 1.0 if term in known else like.stands_for
        for other, bond in bonds.items():
            member = bond is Bond.MEMBER and term == question.kind
            share = min(like.most, more * (like.member if member else _share(bond, like)))
            alike[term][other] = max(alike[term].get(other, 0.0), share)
            means = like.sure_same if bond <= Bond.TRANSLATION or member else like.sure_kind
            sure[term][other] = max(sure[term].get(other, 0.0), means)
            if bond <= Bond.TRANSLATION:
                same[term].add(other)
    frequency = _frequencies(view, {t for others in alike.values() for t in others})
    count, _ = view.totals()
    worth: dict[str, float] = {}
    ways: dict[str, dict[str, float]] = {}
    for term, others in alike.items():
        held = min(count, sum(frequency.get(t, 0) for t in same[term]))
        weight = like.light if term in LIGHT else 1.0
        worth[term] = 0.0 if term in question.dated and not held else weight * _idf(count, held)
        ways[term] = {
            t: share * (weight * _idf(count, n) if t == term else min(worth[term] or _idf(count, n), _idf(count, n)))
            for t, share in others.items() if (n := frequency.get(t, 0))
        }  # fmt: skip
    answers: dict[str, list[tuple[str, float]]] = {}
    for term, found in ways.items():
        for t, value in found.items():
            answers.setdefault(t, []).append((term, value))
    best = {t: max(value for _, value in wanted) for t, wanted in answers.items()}
    pull = {t: value for t, value in best.items() if " " not in t}
    phrases = {t: frozenset(_content(t)) for t in best if " " in t}
    for key, parts in phrases.items():
        for part in parts:
            pull[part] = max(pull.get(part, 0.0), like.phrase * best[key])
    return Asked(
        ways, {t: tuple(wanted) for t, wanted in answers.items()}, sure, pull, worth, phrases, languages,
        {stem(word): frozenset((word, f"{word}s")) for word in question.abbreviations},
        frozenset(term for term, bonds in bonded.items() if bonds),
    )  # fmt: skip


def _idf(count: int, held: int) -> float:
    """Inverse document frequency: log(1 + (N − n + .5) / (n + .5))."""
    return math.log(1 + (count - held + 0.5) / (held + 0.5))


def _share(bond: Bond, like: Likeness) -> float:
    return {Bond.SYNONYM: like.synonym, Bond.TRANSLATION: like.translation}.get(bond, like.kind)


def _alike(view: View, term: str, stands: bool, like: Likeness) -> dict[str, float]:
    """The term, and words that differ in their ending: other inflections than the stemmer knows, and derived words."""
    others = {term: 1.0}
    if len(term) == 2 and term[0] >= _DENSE and not stands:
        for letter in term:  # a pair that stands nowhere: pairs that begin with one of its characters
            others.update(dict.fromkeys(view.beginning(letter), like.same_start))
    if len(term) < _LONG_ENOUGH:
        return others
    head = term if stands else term[: max(_LONG_ENOUGH, len(term) - _BACK)]
    for t in view.beginning(head):
        if len(t) <= len(term) + _LONGER:
            others.setdefault(t, like.longer if stands else like.same_start * _shared(term, t) ** 2)
    for end in range(max(_LONG_ENOUGH + 1, len(term) - _LONGER), len(term)):
        others.setdefault(term[:end], like.shorter)
    return others


def _forms(word: str) -> Iterator[str]:
    """Dictionary forms that a word may be of where the stemmer knows none: the third person plural of Portuguese, whose
    ending English words have too (consertam, vendem: a stream is none)."""
    if word.endswith("am") and len(word) > _LONG_ENOUGH:
        yield word[:-2] + "ar"
    elif word.endswith(("em", "en")) and len(word) > _LONG_ENOUGH:
        yield from (word[:-2] + "er", word[:-2] + "ir")


def _shared(term: str, other: str) -> float:
    """How much of a term (0..1) another one begins with, beyond the letters that any two may share."""
    shorter = min(len(term), len(other))
    common = next((at for at in range(shorter) if term[at] != other[at]), shorter)
    free = _LONG_ENOUGH - 1
    return max(0.0, (common - free) / max(1, len(term) - free))


def _bonds(question: Question, thesaurus: Thesaurus) -> tuple[dict[str, dict[str, Bond]], dict[str, dict[str, str]]]:
    """For each term what belongs to it, or to a phrase of the question that it is part of; and of which language that is."""
    said = words(question.text)
    written = {stem(word): word for word in reversed(said)}
    asked: dict[str, list[str]] = {term: [written.get(term, term)] for term in question.terms}
    for some in asked.values():
        if not thesaurus.related(some[0]):
            some += [form for form in _forms(some[0]) if thesaurus.related(form)][:1]
    for phrase in thesaurus.phrases(said):
        for part in phrase.split("_"):
            if stem(part) in asked:
                asked[stem(part)].append(phrase)
    found: dict[str, dict[str, Bond]] = {}
    languages: dict[str, dict[str, str]] = {}
    for term, some in asked.items():
        bonds, sides = found.setdefault(term, {}), languages.setdefault(term, {})
        for entry in some:
            if entry != some[0] and "_" not in entry:
                bonds[stem(entry)] = Bond.SYNONYM  # a form of the word itself
            for other, bond in thesaurus.related(entry).items():
                bonds[other] = min(bond, bonds.get(other, bond))
            for other, foreign in thesaurus.foreign(entry).items():
                side = "" if foreign is None else "pt" if foreign else "en"
                sides[other] = side if sides.get(other, side) == side else ""
    for name in map(stem, question.names):
        languages.get(name, {}).pop(name, None)  # a name is the same in every language
    return found, languages


def _frequencies(view: View, wanted: set[str]) -> dict[str, int]:
    """In how many passages each stands; a phrase in half as many as its rarest word, if all its words stand anywhere."""
    parts = {key: _content(key) for key in wanted if " " in key}
    found = view.frequencies(wanted.difference(parts).union(*parts.values()))
    for key, some in parts.items():
        if some and all(part in found for part in some):
            found[key] = max(1, min(found[part] for part in some) // 2)
    return {t: n for t, n in found.items() if t in wanted}


def _content(key: str) -> list[str]:
    return [part for part in key.split(" ") if part not in STOP]
