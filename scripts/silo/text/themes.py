"""Themes of everyday life: for each the words by which it shows, so that "smoke the entrance" is known to be about bees.

The words are data (lang/themes/*.toml), of three strengths: `core` words name the theme by themselves, `more` words
belong to it, `hint` words only add to others. A word that many themes list tells less of each. Opens no file.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from silo.text.fold import fold
from silo.text.otherscripts import Everyday
from silo.text.stem import stem
from silo.text.stopwords import STOP
from silo.text.tokens import words

__all__ = ["CORE", "HINT", "MORE", "Spoken", "Theme", "Themes", "base", "spoken"]

CORE, MORE, HINT = 3.0, 1.2, 0.4  # what one word adds to the score of a theme
PART = 0.45  # a word of a phrase
_LEVELS = (("core", CORE), ("more", MORE), ("hint", HINT))
BROADER = 0.15  # how much more a theme of twice the words must show
FOREIGN = 0.4  # how much a word of another language than the line's counts: "late" is no bark in English
TURNED = 0.6  # a word of which only the stem is listed
ELSEWHERE = 0.4  # how much a line counts that is about what stands at somebody else's
Key = tuple[str, ...]  # the stems of a word or a phrase, without joiners

_JOINERS = frozenset(
    ["a", "an", "and", "at", "for", "from", "in", "of", "on", "or", "the", "to", "with", "as", "o", "os", "e", "de", "do", "da", "dos", "das", "em", "no", "na", "nos", "nas", "ao", "aos", "com", "para", "por", "um", "uma"]
)


_DERIVED = ("er", "ers", "or", "ors", "dor", "dores", "dora", "ment", "eiro", "eira")  # of who or what does it


@dataclass(frozen=True, slots=True)
class Spoken:
    """A text as it is compared: its stems in order without joiners, and the stems of what is no stop word or figure,
    each with the word as it was written. `language` is that of the text, empty if unknown."""

    order: tuple[str, ...]
    forms: Mapping[str, str]
    language: str = ""


@dataclass(frozen=True, slots=True)
class Theme:
    """What people open a topic for. `titles` and `patterns` are by language; `names` are stems that name the theme, and
    `labels` its names one by one, each as its stems.

    `alternatives`: folded words that may stand for the title. `wide`: such lines come in any life, so it takes more of
    them to make a topic. `named`: a person adds the proper name that it is about. `being`: it is about somebody, so that
    "she" may be meant. `under`: the wider fields it is part of. `near`: themes that are told apart with difficulty.
    """

    id: str
    type: str
    titles: Mapping[str, str]
    patterns: Mapping[str, str]
    alternatives: tuple[str, ...]
    names: frozenset[str]
    labels: tuple[frozenset[str], ...]
    under: tuple[str, ...] = ()
    near: frozenset[int] = frozenset()
    wide: bool = False
    named: bool = False
    being: bool = False


@dataclass(frozen=True, slots=True)
class Themes:
    """All themes and where each word or phrase belongs."""

    all: tuple[Theme, ...]
    index: Mapping[Key, tuple[tuple[int, float, str, float], ...]] = field(repr=False)  # theme, weight, language or "", level
    everyday: frozenset[str] = field(repr=False)  # stems that say nothing of what a line is about
    breadth: tuple[float, ...] = ()  # by theme: how easily its words come by chance, 1 for the theme in the middle
    pronouns: frozenset[str] = frozenset()
    small: Mapping[str, frozenset[str]] = field(default_factory=dict, repr=False)  # language → words that no other has
    letters: str = ""  # of Portuguese alone
    longest: int = 1
    capitals: frozenset[str] = frozenset()  # stems of words that are always written with a capital, yet name nobody
    elsewhere: frozenset[Key] = frozenset()  # phrases for what stands at somebody else's
    forms: Mapping[str, Mapping[int, set[str]]] = field(default_factory=dict, repr=False)  # stem → theme → words as listed
    special: Mapping[str, tuple[tuple[int, float, str, float], ...]] = field(default_factory=dict, repr=False)  # starter, not start
    scripts: Everyday = field(default=Everyday(), repr=False)  # words of every day in languages that have no themes
    daily: frozenset[str] = frozenset()  # the words of every day as they are listed, without the ending of a plural

    def names_nobody(self, root: str, word: str) -> bool:
        """Whether a word with a capital is one of every day, a month for example, and no name that has its stem: Juno, June."""
        listed = self.daily.union(*self.forms.get(root, {}).values())
        return root in self.capitals or (root in self.everyday and base(word) in listed)

    @classmethod
    def of(
        cls, table: Mapping[str, Mapping[str, Any]], fields: Mapping[str, str], near: Mapping[str, str], everyday: Mapping[str, str], languages: Mapping[str, str],
        scripts: Mapping[str, str],
    ) -> Themes:
        """From the tables of the files: id → theme, wider field → its themes, families of near themes, `words` and `pronouns` of every day and
        `vague` names that many topics may bear, the small words of each language, the words of every day of those without themes.

        Raises:
            KeyError, ValueError: a table lacks a key, or names a theme that is not there.
        """
        levels: dict[Key, dict[int, tuple[float, str]]] = {}
        daily = frozenset(everyday["words"].split())
        common = {stem(word) for word in daily}
        special: dict[str, dict[int, tuple[float, str]]] = {}
        hints: set[str] = set()
        forms: dict[str, dict[int, set[str]]] = {}
        themes: list[Theme] = []
        under: dict[str, list[str]] = {}
        for name, members in fields.items():
            for member in members.split():
                if member not in table:
                    raise ValueError(f"{name}: no theme {member}")
                under.setdefault(member, []).append(name)
        vague = frozenset(stem(word) for word in everyday["vague"].split())
        relatives = _relatives(near, list(table))
        for number, (name, row) in enumerate(table.items()):
            for level, weight in _LEVELS:
                for language, key, written in _entries(str(row[level])):
                    if len(key) == 1:
                        forms.setdefault(key[0], {}).setdefault(number, set()).add(base(written))
                    value = min(weight, HINT) if len(key) == 1 and key[0] in common else weight
                    if value < weight and _special(written, daily):
                        _list(special.setdefault(base(written), {}), number, weight, language)
                    _list(levels.setdefault(key, {}), number, value, language)
                    for part in key if len(key) > 1 else ():
                        if part not in common and len(part) > 2 and not part.isdigit():
                            _list(levels.setdefault((part,), {}), number, min(PART, value), language)
                    if level == "hint" and len(key) == 1:
                        hints.add(key[0])
            themes.append(_theme(name, row, tuple(under.get(name, ())), relatives.get(number, frozenset()), vague))
        index = {key: _spread(found) for key, found in levels.items()}
        core = {key[0] for key, found in levels.items() if len(key) == 1 and max(w for w, _ in found.values()) == CORE}
        plain = frozenset(common | (hints - core))
        longest = max((len(key) for key in index), default=1)
        small = {code: frozenset(languages[code].split()) for code in ("en", "pt")}
        return cls(
            tuple(themes), index, plain, _breadth(len(themes), index), frozenset(everyday["pronouns"].split()), small, languages["letters"], longest,
            frozenset(stem(word) for word in everyday["capitals"].split()),
            frozenset(tuple(stem(words(part)[0]) for part in phrase.split("_") if stem(words(part)[0]) not in _JOINERS) for phrase in everyday["elsewhere"].split()),
            forms, {word: _spread(found) for word, found in special.items()},
            Everyday.of(scripts), frozenset(base(word) for word in daily),
        )  # fmt: skip

    def read(self, text: str) -> Spoken:
        """A text made ready for comparing."""
        listed = words(text)
        count = {code: sum(word in own for word in listed) for code, own in self.small.items()}
        count["pt"] = count.get("pt", 0) + sum(c in self.letters for c in text)
        best = max(count, key=lambda code: count[code])
        return spoken(text, best if list(count.values()).count(count[best]) == 1 else "")

    def scores(self, said: Spoken, names: frozenset[str] = frozenset()) -> dict[int, float]:
        """Theme number → how far the text is about it. `names`: stems that are names of somebody or something; they tell of a theme
        that has a proper name, a journey to Iceland, alone."""
        return self._sum(said, names, lambda weight, _: weight)

    def within(self, said: Spoken, names: frozenset[str] = frozenset()) -> dict[int, float]:
        """Theme number → how far the text fits it where that theme is known to be there: a word that many themes list
        tells more of it then."""
        return self._sum(said, names, lambda weight, level: math.sqrt(weight * level))

    def _sum(self, said: Spoken, names: frozenset[str], worth: Callable[[float, float], float]) -> dict[int, float]:
        found: dict[int, float] = {}
        keys = self._keys(said)
        share = 1.0 if keys.isdisjoint(self.elsewhere) else ELSEWHERE
        for key in keys:
            called = not names.isdisjoint(key)
            word = said.forms.get(key[0], "") if len(key) == 1 else ""
            written = base(word)
            listed = self.forms.get(key[0], {}) if word else {}
            for number, weight, language, level in self.special.get(written) or self.index.get(key, ()):
                if called and (level == CORE or not self.all[number].named):
                    continue
                value = worth(weight, level)
                if language and said.language and language != said.language:
                    value *= FOREIGN
                if number in listed and written not in listed[number]:
                    value *= TURNED
                found[number] = found.get(number, 0.0) + share * value
        return found

    def words_of(self, said: Spoken, number: int) -> frozenset[str]:
        """The stems of a text by which it shows a theme, without those that only hint at it."""
        return frozenset(
            root for key in self._keys(said) for n, weight, _, _ in self.index.get(key, ()) if n == number and weight > HINT / 2 for root in key
            if root not in self.everyday
        )  # fmt: skip

    def names_theme(self, root: str, theme: Theme, written: str) -> bool:
        """Whether a word alone names a theme, as it is written."""
        named = [number for number, _, _, level in self.index.get((root,), ()) if level == CORE and self.all[number] is theme]
        return any(base(fold(written)) in self.forms.get(root, {}).get(number, ()) for number in named)

    def _keys(self, said: Spoken) -> set[Key]:
        keys: set[Key] = {(one,) for one in said.forms}
        order = said.order
        for length in range(2, self.longest + 1):
            keys.update(order[at : at + length] for at in range(len(order) - length + 1))
        return keys


def spoken(text: str, language: str = "") -> Spoken:
    """A text of a known language made ready for comparing."""
    order: list[str] = []
    forms: dict[str, str] = {}
    for chunk in text.split():
        whole = ""
        for word in words(chunk):
            root = stem(word)
            whole = whole or ("" if word in _JOINERS else root)
            if word not in STOP and len(word) > 1 and not word.isdigit():
                forms.setdefault(root, word)
        if whole:
            order.append(whole)
    return Spoken(tuple(order), forms, language)


def _entries(text: str) -> Iterator[tuple[str, Key, str]]:
    """(language, key, first word) of each entry of a list; a phrase of which one word is left tells nothing."""
    for language, part in zip(("en", "pt"), text.split("|"), strict=False):
        for entry in part.split():
            parts = [found[0] for piece in entry.split("_") if (found := words(piece))]
            kept = [stem(one) for one in parts if one not in _JOINERS]
            if kept and (len(kept) > 1 or len(parts) == 1):
                yield language, tuple(kept), parts[0]


def base(word: str) -> str:
    """A word without the ending of a plural: what is written alike is surely the same word."""
    for ending in ("es", "s"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            return word.removesuffix(ending)
    return word.removesuffix("e") if len(word) > 3 else word


def _special(word: str, daily: frozenset[str]) -> bool:
    """Whether a word is another one than the everyday word of its stem: a starter is no start."""
    plain = {word, base(word), *(word.removesuffix(end) for end in ("d", "ed", "ing", "es"))}
    return daily.isdisjoint(plain | {f"{one}e" for one in plain}) and word.endswith(_DERIVED)


def _list(found: dict[int, tuple[float, str]], number: int, weight: float, language: str) -> None:
    """Note a word of a theme: at its strongest, of no language where both list it."""
    before, spoken_in = found.get(number, (0.0, language))
    found[number] = (max(before, weight), language if spoken_in == language else "")


def _spread(found: Mapping[int, tuple[float, str]]) -> tuple[tuple[int, float, str, float], ...]:
    """Weights by theme; a word that many themes list in one language tells less of each, whatever phrases it stands in
    besides."""

    def share(weight: float, language: str) -> float:
        near = [value for value, other in found.values() if not language or other in ("", language)]
        listed = sum(value for value in near if weight == PART or value != PART) / CORE
        return weight / math.sqrt(max(1.0, listed))

    return tuple((number, share(weight, language), language, weight) for number, (weight, language) in sorted(found.items()))


def _breadth(count: int, index: Mapping[Key, tuple[tuple[int, float, str, float], ...]]) -> tuple[float, ...]:
    """By the single words of each theme: a phrase is hardly met by chance."""
    sizes = [1.0] * count
    for key, found in index.items():
        for number, weight, *_ in found if len(key) == 1 else ():
            sizes[number] += weight
    middle = sorted(sizes)[count // 2]
    return tuple(max(0.8, 1.0 + BROADER * math.log2(size / middle)) for size in sizes)


def _relatives(families: Mapping[str, str], order: list[str]) -> dict[int, frozenset[int]]:
    """Theme → the others of its families. Raises ValueError for a theme that is not there."""
    found: dict[int, set[int]] = {}
    for members in families.values():
        numbers = {order.index(member) for member in members.split()}
        for number in numbers:
            found.setdefault(number, set()).update(numbers - {number})
    return {number: frozenset(others) for number, others in found.items()}


def _theme(
    name: str, row: Mapping[str, Any], under: tuple[str, ...], near: frozenset[int], vague: frozenset[str]
) -> Theme:
    titles = {code: str(row[code]) for code in ("en", "pt")}
    patterns = {code: str(row[f"{code}_of"]) for code in ("en", "pt") if f"{code}_of" in row}
    alternatives = tuple(str(row.get("alt", "")).split())
    texts: Iterable[str] = (*titles.values(), *alternatives, name.replace("-", " "))
    known = [frozenset(spoken(text.replace("-", " ")).forms) for text in texts]
    names = frozenset().union(*known)
    labels = tuple(label for label in known if label and not label <= vague)
    return Theme(
        name, str(row["type"]), titles, patterns, alternatives, names, labels, under, near, bool(row.get("wide")), bool(row.get("named")),
        bool(row.get("being")),
    )  # fmt: skip
