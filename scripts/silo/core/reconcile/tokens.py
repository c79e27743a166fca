"""Words of a statement outside its values, phrases of the vocabulary joined, each with what it means."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from silo.text.stem import stem
from silo.text.values import Value
from silo.text.vocabulary import WORD, Mark, Vocabulary, marks_of, root

# Tables whose words carry no subject of their own.
_DRESS = (
    "little", "light", "verb", "copula", "attribute", "not", "yet", "cue", "leave", "join", "unreal", "hearsay", "approx", "decision",
    "period", "contrast", "scope", "status", "inner", "out", "into", "passive", "where", "purpose", "bearing", "past", "act", "takeover",
)  # fmt: skip

_ROLES = ("lead", "manage", "spouse")  # properties that are people as well: the meeting with the director
_STANDING = ("switch", "health", "door", "stock")  # states of a thing that no word of change or leaving in their phrase tells
_KEPT = ("cue", "out", "copula", "leave", "join")


@dataclass(frozen=True, slots=True)
class Token:
    """A word, or a phrase of the vocabulary with what it means."""

    start: int
    end: int
    word: str  # flat
    stem: str
    marks: tuple[Mark, ...] = ()
    heads: frozenset[str] = frozenset()  # the stems of its words
    base: str = ""  # the listed form that a form of its own belongs to: given, give
    alias: tuple[str, ...] = ()  # its terms in the words of another statement (`kin.py`)

    def is_in(self, *tables: str) -> bool:
        return any(m.table in tables for m in self.marks)

    def keys(self, table: str) -> Iterator[str]:
        return (m.key for m in self.marks if m.table == table)

    @property
    def terms(self) -> tuple[str, ...]:
        """What the token adds to subject or predicate: noun keys, or its stem if it is no other kind of word."""
        if self.alias:
            return self.alias
        things = tuple(self.keys("noun"))
        acts = () if self.is_in("status") else [a for a in self.keys("act") if not things or any(a[:4] == n[:4] for n in things)]  # "a cozinha" is no cooking
        nouns = (*self.keys("noun"), *self.keys("role"), *acts, *(f"role {key}" for key in self.keys("attribute") if key in _ROLES))
        if nouns:
            return nouns
        source = any(m.table == "hearsay" and m.key == "source" for m in self.marks)  # a word like any other
        return () if (self.is_in(*_DRESS) and not source) or len(self.word) < 2 else (self.stem,)


def find_tokens(low: str, values: tuple[Value, ...], vocabulary: Vocabulary) -> tuple[Token, ...]:
    """The tokens of a flat text; words inside values are none. Of several phrases the longest wins."""
    words = [m for m in WORD.finditer(low) if not any(m.start() < v.end and v.start < m.end() for v in values)]
    found: list[Token] = []
    i = 0
    while i < len(words):
        size, marks = _longest(low, words, i, vocabulary)
        first, last = words[i], words[i + size - 1]
        word = low[first.start() : last.end()]
        bare = word.removesuffix("'s")
        if not marks and word.startswith("un") and vocabulary.code == "en":
            marks = tuple(Mark("status", f"{m.key[:-1]}0") for m in marks_of(word[2:], vocabulary) if m.table == "status" and m.key.endswith(".2"))
        if word == "no" and re.match(r"\.\s?\d", low[last.end() :]):
            marks = (Mark("little", "little"),)  # "no. 3"
        if not marks and bare in vocabulary.vote:
            marks = (Mark("little", "little"),)
        if word == "free" and size == 1 and found and low[found[-1].end : first.start()] == "-":
            marks = (Mark("not", "not"),)  # nut-free, smoke-free: without what stands before
        heads = frozenset(root(m[0].removesuffix("'s"), vocabulary) for m in words[i : i + size])
        found.append(Token(first.start(), last.end(), word, root(bare, vocabulary) if size == 1 else word, marks, heads, vocabulary.bases.get(bare, "")))
        i += size
    return tuple(found)


_BE = frozenset(["was", "were"])
_ARTICLES = frozenset(["the", "os", "as"])
_NEW = frozenset(["new", "old", "novos", "novas", "velhos", "velhas"])
_DOES = ("verb", "copula", "attribute", "act", "stay")


def with_qualities(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """The tokens with a state that tells things of one kind from others as a word like any other: "paid accounts can …",
    "contas pagas guardam …". Of several things alone, at the start, and where the verb follows: "the open invoice" is one thing."""
    first = 1 if tokens and tokens[0].word in _ARTICLES else 0
    if len(tokens) < first + 3:
        return tokens
    one, other, verb = tokens[first : first + 3]
    for quality, noun, does in ((one, other, verb.is_in(*_DOES)), (other, one, verb.is_in(*_DOES) or verb.word.endswith(("am", "em")))):
        kind = (quality.is_in("status") or (quality.word in _NEW and not first)) and not quality.is_in("copula", "where") and noun.terms and noun.word.endswith("s") and not noun.word.endswith(("'s", "ss")) and not noun.is_in("status")
        if kind and does and other.start - one.end == 1 and verb.start - other.end == 1:
            return tuple(replace(t, marks=()) if t is quality else t for t in tokens)
    return tokens


def _longest(low: str, words: list[re.Match[str]], i: int, vocabulary: Vocabulary) -> tuple[int, tuple[Mark, ...]]:
    """How many words the longest phrase at `i` takes, and its marks; of shorter ones only signs of change and copulas
    stay ("moved to" is also "move", "is paid" also "is")."""
    best = 0
    marks: list[Mark] = []
    bare = words[i][0].removesuffix("'s")
    little = bare in vocabulary.vote
    base = vocabulary.contractions.get(bare, bare)
    for first in dict.fromkeys((f"={words[i][0]}", f"={bare}", f"={base}", stem(bare), root(bare, vocabulary, nouns=False))):
        for entry in vocabulary.phrases.get(first, ()):
            size = 1 + len(entry.rest)
            if size == 1 and ((little and not first.startswith("=")) or first == f"={base}" != f"={bare}"):
                continue
            if not _fits(low, words, i, entry.rest, vocabulary):
                continue
            if size > best:
                best, marks = size, [m for m in marks if m.table in _KEPT and not (m.table == "out" and bare in _BE)]  # "it is 9, was 8"; "was paid"
            marks.extend(m for m in entry.marks if m not in marks and (size == best or m.table in _KEPT))
    if best > 1 and any(m.table == "past" for m in marks):
        marks = [m for m in marks if m.table != "cue"]  # who "grew up" somewhere has changed nothing since
    if best > 1 and any(m.table == "status" and m.key.partition(".")[0] in _STANDING for m in marks):
        marks = [m for m in marks if m != Mark("cue", "replace") and m.table != "leave"]  # "switched off", "out of order" are states
    return max(best, 1), tuple(marks)


def _fits(low: str, words: list[re.Match[str]], i: int, rest: tuple[str, ...], vocabulary: Vocabulary) -> bool:
    if i + len(rest) >= len(words):
        return False
    for step, wanted in enumerate(rest, 1):
        word = words[i + step]
        if low[words[i + step - 1].end() : word.start()] not in (" ", "-"):
            return False
        bare = word[0].removesuffix("'s")
        spoken = (word[0], bare, vocabulary.contractions.get(bare, bare))
        if wanted not in ([f"={w}" for w in spoken] if wanted.startswith("=") else [stem(w) for w in spoken]):
            return False
    return True
