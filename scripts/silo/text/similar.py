"""When two statements are the same one for the log: a rule of its own, made to lose nothing.

Folded stemmed words, Jaccard ≥ 0.8, and the same figures, dates, names and negation. On top of that no word may have been
exchanged for another (enabled, disabled): words may only be added. It knows no synonyms; those are reconcile's part.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from silo.text.datewords import MONTHS, NUMBERS, WEEKDAYS
from silo.text.flat import flat
from silo.text.stem import stem
from silo.text.tokens import words

THRESHOLD = 0.8

# Words of English and Portuguese that may come and go without a change of sense.
_PADDING = frozenset(
    stem(word)
    for word in ["a", "an", "the", "this", "that", "of", "to", "is", "are", "was", "were", "be", "been", "it", "its", "o", "os", "as", "um", "uma", "de", "do", "da", "dos", "das", "e", "é", "ser", "foi", "esta", "estao", "fica", "ao", "que", "and", "we", "i", "our", "my", "us", "nos", "eu", "meu", "minha", "nosso", "nossa", "se", "also", "just", "so", "then", "please", "tambem", "ja"]
)
_TENSE = frozenset(["was", "were", "foi"])
_DENIALS = frozenset(
    ["not", "no", "never", "none", "without", "neither", "nor", "cannot", "nao", "nunca", "jamais", "sem", "nenhum", "nenhuma", "nem", "n't", "doesn't", "don't", "didn't", "isn't", "aren't", "wasn't", "weren't", "won't", "can't", "wouldn't", "shouldn't", "hasn't", "haven't", "couldn't"]
)
_DENIAL_STEMS = frozenset(stem(word) for word in _DENIALS)
_NUMBER_WORDS = frozenset(NUMBERS) - {"a", "an", "um", "uma", "one"}
_TIME_WORDS = frozenset(MONTHS) | frozenset(WEEKDAYS)
_CAPITAL = re.compile(r"(?<![.!?…:]\s)(?<=[\w,;)] )([A-ZÀ-Þ][\w'’-]*)")
_PLAIN = re.compile(r"\d+(?:[.,]\d+)*")


@dataclass(frozen=True, slots=True)
class Print:
    """A statement's fingerprint: stems, its figures and dates, its names, and whether it denies."""

    stems: frozenset[str]
    figures: frozenset[str]
    names: frozenset[str]
    spoken: frozenset[str]  # unstemmed flat words, for looking names up
    denies: bool
    core: frozenset[str]  # the stems that carry the subject: no padding, no figures, no names


def fingerprint(text: str) -> Print:
    """The fingerprint of a statement in any language; scripts without spaces count as pairs of characters."""
    said = words(text)
    stems = frozenset(stem(word) for word in said)
    figures = frozenset(_figure(word) for word in said if _is_figure(word))
    names = frozenset(flat(hit[1]).removesuffix("'s") for hit in _CAPITAL.finditer(text) if hit[1] != "I")
    return Print(
        stems=stems,
        figures=figures,
        names=names,
        spoken=frozenset(said),
        denies=any(word in _DENIALS or word.endswith("n't") for word in said),
        core=stems - _PADDING - _DENIAL_STEMS - {stem(word) for word in figures | names},
    )


def jaccard(a: frozenset[str], b: frozenset[str]) -> float:
    """Shared share of two sets, 0..1; two empty sets share nothing."""
    union = len(a | b)
    return len(a & b) / union if union else 0.0


def same_statement(a: str, b: str) -> bool:
    """Whether the two texts state the same."""
    return same_print(fingerprint(a), fingerprint(b))


def worded(text: str) -> tuple[str, ...]:
    """A text's words in their order, without those that may come or go: two texts of which these are equal lack nothing of
    each other. Stricter than `same_statement`; what was is not what is."""
    return tuple(word for word in words(text) if word in _TENSE or stem(word) not in _PADDING)


def same_print(a: Print, b: Print) -> bool:
    """`same_statement` on fingerprints."""
    return same_values(a, b) and jaccard(a.stems, b.stems) >= THRESHOLD and not _exchanged(a, b)


def same_values(a: Print, b: Print) -> bool:
    """The same figures, dates, names and negation."""
    return a.figures == b.figures and a.denies == b.denies and _named(a, b) and _named(b, a)


def other_value(a: Print, b: Print, *, told: bool = False) -> bool:
    """Whether two statements are about the same and say another value of it: half of the words, and one thing differs.

    Where figures and names, or figures and words, differ at once they speak of two things (machine 3 in hall 1, machine 4
    in hall 2), unless it is `told` that `b` changes something.
    """
    core_a, core_b = a.core, b.core
    shared = len(core_a & core_b)
    if not shared or shared < 0.5 * min(len(core_a), len(core_b)):
        return False
    few = min(len(a.figures), len(b.figures))
    apart = few > 1 and 2 * len(a.figures & b.figures) < few
    differ = [a.figures != b.figures, not (_named(a, b) and _named(b, a)), bool(core_a - core_b) and bool(core_b - core_a)]
    if told:
        return any(differ) or a.denies != b.denies
    return not apart and (sum(differ) == 1 or (not any(differ) and a.denies != b.denies))


def _named(a: Print, b: Print) -> bool:
    """Every name of `a` is said in `b`."""
    return all(name in b.spoken or any(part in b.spoken for part in name.split("-")) for name in a.names)


def _exchanged(a: Print, b: Print) -> bool:
    """Words of weight on both sides that the other lacks."""
    return bool((a.stems - b.stems) - _PADDING) and bool((b.stems - a.stems) - _PADDING)


def _is_figure(word: str) -> bool:
    return any(c.isdigit() for c in word) or word in _NUMBER_WORDS or word in _TIME_WORDS


def _figure(word: str) -> str:
    """One form for 1,250 and 1250, 250,00 and 250."""
    if _PLAIN.fullmatch(word):
        if re.fullmatch(r"\d{1,3}(?:[.,]\d{3})+", word):
            return re.sub(r"[.,]", "", word)
        return re.sub(r"[.,]0+\Z", "", word).replace(",", ".")
    return word
