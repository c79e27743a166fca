"""The words by which statements are compared: synonyms, units, numbers, states, signs of change, one language each.

Built from a plain table (lang/reconcile.*.toml; edge/vocabulary.py reads the file). A phrase is found by the stems of its
words; a word written `=word` only in exactly this form. Knows no grammar: what a mark means is decided by who asks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from silo.text.flat import flat
from silo.text.stem import stem

WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")


@dataclass(frozen=True, slots=True)
class Mark:
    """What a phrase means: `table` is the kind of meaning (cue, attribute, status …), `key` which one of that kind."""

    table: str
    key: str


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit of a dimension: magnitude in the base unit = (figure + offset) × factor. For money `name` is the currency."""

    dimension: str
    factor: float
    offset: float = 0.0
    name: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """One phrase: the words after its first one, and what it means."""

    rest: tuple[str, ...]
    marks: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The comparison words of one language. `decimal` is its decimal mark; keys of all tables are flat words."""

    code: str
    decimal: str
    vote: frozenset[str]
    letters: frozenset[str]
    phrases: Mapping[str, tuple[Entry, ...]]
    numbers: Mapping[str, float]
    scales: Mapping[str, float]
    units: Mapping[str, tuple[Unit, ...]]
    marks: Mapping[str, Mapping[str, tuple[str, ...]]]  # as listed, for tests and documentation
    approx: tuple[tuple[str, ...], ...]  # the words of "more or less", "cerca de"
    gaps: tuple[tuple[str, str, str], ...]  # signs of change in two parts: key, first stem, last stem
    rates: Mapping[str, float]  # weekly → seconds between two times
    contractions: Mapping[str, str]  # do → de
    endings: tuple[str, ...]  # cut from stems, so that verb forms meet
    noun_endings: tuple[str, ...]  # cut as well, so that a noun meets its verb; no phrase is looked up by what stays
    ordinals: Mapping[str, int]  # first → 1
    ordered: frozenset[str]  # what is counted in an order: floor
    fractions: Mapping[str, int]  # third → 3
    derived: Mapping[str, str]  # stems of nouns → those of their verbs: sale → sell
    bases: Mapping[str, str]  # the same as words
    related: Callable[[str], Mapping[str, int]] | None = None  # word → what stands for it: 1 a synonym, 2 a translation
    forms: tuple[str, ...] = ()  # endings that hardly any word of another language has; they count as a little word
    kinds: Callable[[str], Mapping[str, int]] | None = None  # word → what belongs to it, 3, and what it belongs to, 4, as well


def from_table(table: Mapping[str, Any]) -> Vocabulary:
    """The vocabulary of a parsed TOML table; a missing part counts as empty."""
    listed = {
        name: {key: tuple(map(str, phrases)) for key, phrases in group.items()}
        for name, group in table.get("marks", {}).items()
    }
    return Vocabulary(
        code=str(table.get("language", "")),
        decimal=str(table.get("decimal", ".")),
        vote=frozenset(flat(word) for word in table.get("vote", ())),
        forms=tuple(flat(ending) for ending in table.get("forms", ())),
        letters=frozenset(str(table.get("letters", ""))),
        phrases=_index(listed),
        numbers={flat(word): float(value) for word, value in table.get("numbers", {}).items()},
        scales={flat(word): float(value) for word, value in table.get("scales", {}).items()},
        units={flat(word): _units(str(text)) for word, text in table.get("units", {}).items()},
        marks=listed,
        approx=tuple(tuple(flat(p).lstrip("=").split()) for group in listed.get("approx", {}).values() for p in group),
        gaps=tuple((key, stem(flat(a)), stem(flat(b))) for key, pairs in table.get("gaps", {}).items() for a, b in pairs),
        rates={flat(word): float(value) for word, value in table.get("rates", {}).items()},
        contractions={flat(word): flat(str(base)) for word, base in table.get("contractions", {}).items()},
        endings=tuple(map(str, table.get("endings", {}).get("verbs", ()))),
        noun_endings=tuple(map(str, table.get("endings", {}).get("nouns", ()))),
        ordinals={flat(word): int(value) for word, value in table.get("ordinals", {}).items()},
        ordered=frozenset(flat(str(word)) for word in table.get("ordered", ())),
        bases={flat(word): flat(str(base)) for word, base in table.get("derived", {}).items()},
        fractions={flat(word): int(value) for word, value in table.get("fractions", {}).items()},
        derived={stem(flat(word)): stem(flat(str(base))) for word, base in table.get("derived", {}).items()},
    )


def with_units(vocabulary: Vocabulary, shared: Mapping[str, Any]) -> Vocabulary:
    """The vocabulary with the unit symbols that all languages share; its own words win."""
    return replace(vocabulary, units={flat(word): _units(str(text)) for word, text in shared.items()} | dict(vocabulary.units))


def root(word: str, vocabulary: Vocabulary, *, nouns: bool = True) -> str:
    """The stem of a flat word with the language's listed endings off: fuma, fumar → fum, rehearsal → rehears; a listed noun
    as its verb: sale → sell."""
    bare = stem(word)
    bare = vocabulary.derived.get(bare, bare) if nouns else bare
    if bare.endswith("ll") and len(bare) > 5:
        bare = bare[:-1]  # travelling, travel
    for ending in (*vocabulary.endings, *(vocabulary.noun_endings if nouns else ())):
        if bare.endswith(ending) and len(bare) - len(ending) >= (3 if len(bare) < 8 and vocabulary.decimal == "," else 4):
            return _single(bare[: -len(ending)])
    return bare


def _single(bare: str) -> str:
    """Without the second of two last consonants: simmering → simm → sim, like simmer."""
    return bare[:-1] if len(bare) > 3 and bare[-1] == bare[-2] and bare[-1] not in "aeiosl" else bare


def choose(text: str, vocabularies: tuple[Vocabulary, ...], likely: Vocabulary | None = None) -> Vocabulary:
    """The vocabulary whose words occur most in `text`, little words counting double and phrases more; `likely`, else the
    first one, where none stands out or a single word is all there is."""
    words = [match[0] for match in WORD.finditer(flat(text))]
    plain = " ".join(word for word in text.split() if word[:1].islower())  # names tell less of a language
    counts = [
        sum(2 * (word in v.vote or (len(word) > 5 and word.endswith(v.forms))) + (bool(marks_of(word, v)) or word in v.units) for word in words)
        + len(v.letters.intersection(text))
        + len(v.letters.intersection(plain))
        + 2 * sum(_phrase_at(words, i, v) for i in range(len(words) - 1))
        for v in vocabularies
    ]
    best = max(counts, default=0)
    leaders = [v for v, n in zip(vocabularies, counts, strict=True) if n == best]
    if len(leaders) == 1 and (best > 1 or likely is None):
        return leaders[0]
    if best < 2 and likely is not None:
        return likely
    return likely if likely is not None and likely in leaders else leaders[0]


def _phrase_at(words: list[str], i: int, vocabulary: Vocabulary) -> int:
    """How many words the longest listed phrase at word `i` has, 0 for one word: "no longer" is English, whatever "no" is."""
    return max((len(entry.rest) + 1 for entry in _entries_at(words, i, vocabulary) if entry.rest), default=0)


def _entries_at(words: list[str], i: int, vocabulary: Vocabulary) -> Iterator[Entry]:
    """The listed phrases that start at word `i` of flat words."""
    for first in (f"={words[i]}", stem(words[i])):
        for entry in vocabulary.phrases.get(first, ()):
            after = words[i + 1 : i + 1 + len(entry.rest)]
            if len(after) == len(entry.rest) and all(w in (f"={a}", stem(a)) for w, a in zip(entry.rest, after, strict=True)):
                yield entry


def marks_within(text: str, vocabulary: Vocabulary) -> tuple[Mark, ...]:
    """What the words and phrases of a flat text mean, all of them."""
    words = [match[0] for match in WORD.finditer(text)]
    return tuple(mark for i in range(len(words)) for entry in _entries_at(words, i, vocabulary) for mark in entry.marks)


def marks_of(word: str, vocabulary: Vocabulary) -> tuple[Mark, ...]:
    """What a flat word means by itself, exact form and stem together; a little word only in its exact form."""
    found: list[Mark] = []
    for first in (f"={word}",) if word in vocabulary.vote else (f"={word}", stem(word)):
        for entry in vocabulary.phrases.get(first, ()):
            if not entry.rest:
                found.extend(entry.marks)
    return tuple(found)


def pieces(phrase: str) -> tuple[str, ...]:
    """A listed phrase as what its words must be: 'takes care' → ('tak', 'car'), '=left' → ('=left',)."""
    exact = phrase.startswith("=")
    words = [match[0] for match in WORD.finditer(flat(phrase))]
    return tuple(
        f"={word}" if exact or len(word) < 4 or (len(words) == 1 and _blurred(word)) else stem(word) for word in words
    )


def _blurred(word: str) -> bool:
    """Whether so little is left of a word that its stem would be met by chance (comida → com)."""
    return len(stem(word)) < 4 and len(word) - len(stem(word)) > 1


def _index(listed: Mapping[str, Mapping[str, tuple[str, ...]]]) -> dict[str, tuple[Entry, ...]]:
    """First word (stem, or =word) → the phrases that start with it, longest first."""
    marks: dict[tuple[str, ...], list[Mark]] = {}
    for table, group in listed.items():
        for key, phrases in group.items():
            for phrase in phrases:
                if words := pieces(phrase):
                    found = marks.setdefault(words, [])
                    if Mark(table, key) not in found:
                        found.append(Mark(table, key))
    index: dict[str, list[Entry]] = {}
    for words, found in marks.items():
        index.setdefault(words[0], []).append(Entry(words[1:], tuple(found)))
    return {first: tuple(sorted(entries, key=lambda e: -len(e.rest))) for first, entries in index.items()}


def _units(text: str) -> tuple[Unit, ...]:
    """'length 0.01' or 'temperature 0.5556 -32' or 'mass 0.4536 | money GBP' as units."""
    found = []
    for option in text.split("|"):
        dimension, value, *offset = option.split()
        if dimension == "money":
            found.append(Unit("money", 1.0, 0.0, value))
        else:
            found.append(Unit(dimension, float(value), float(offset[0]) if offset else 0.0))
    return tuple(found)
