"""Words that stand for each other: synonyms, translations, and kinds with what belongs to them.

The lists are data (lang/lexicon/*.txt), a set of words a line: `car automobile | carro automovel` are synonyms and their
translations, `vehicle | veiculo : car van | carro carrinha` a kind and what belongs to it. `_` joins the words of a phrase,
`#` begins a comment. A line is read when a word of it is looked up, so a question pays for the words that it has. Opens no
file, and knows neither weights nor meanings: a word of several senses has the relatives of all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from typing import NamedTuple

from silo.text.stem import stem
from silo.text.stopwords import STOP
from silo.text.tokens import words

_KIND, _LANGUAGE, _NOTE = ":", "|", "#"
_LONGER = 7  # letters that a word may have more than its stem
_TURNED = frozenset("cilno")  # last letters that a stem may have where its word has another: city, citi; imagem, imagen
_INFINITIVE = ("ar", "er", "ir", "ar-se", "er-se", "ir-se")
_OF_VERBS = (  # endings of Portuguese verbs that hardly any other word has
    "ou", "ei", "eu", "iu", "aram", "eram", "iram", "avam", "ava", "amos", "emos", "imos", "ando", "endo", "indo", "asse", "esse", "aria", "eria", "iria",
)  # fmt: skip
_APART = 4  # how many words on the particle of a verb may stand: "put the whole thing off"


class Bond(IntEnum):
    """How two words belong together, closest first."""

    SYNONYM = 1
    TRANSLATION = 2
    MEMBER = 3  # the other one belongs to this one: a croissant to pastry, the bride to a wedding
    KIND = 4  # the other way round


class Entry(NamedTuple):
    """An entry of a line: as it is written, its key, and where it stands."""

    written: str
    key: str
    foreign: bool  # after the `|`
    member: bool  # after the `:`


class Thesaurus:
    """Look-ups in the texts of the lists; what was looked up once is kept. Keys are those of `key_of`."""

    def __init__(self, texts: Iterable[str] = ()) -> None:
        # Every entry has a space before it and after it, so that one search finds it wherever it stands.
        self._text = "\n".join(("", *texts, "")).replace("\n", " \n ")
        self._starts: dict[str, tuple[int, ...]] = {}
        self._related: dict[str, Mapping[str, Bond]] = {}
        self._foreign: dict[str, Mapping[str, bool | None]] = {}

    def related(self, word: str) -> Mapping[str, Bond]:
        """The keys of what shares a line with a folded word or a listed phrase, each by its closest bond.

        Lines that have the word as it is written come before lines that have another form of it: "casar" (to marry) and
        "casa" (a house) have one stem; so does "fabricou" (made), which is a form of the verb and none of "fábrica".
        """
        if word not in self._related:
            key = key_of(word)
            lines = list(self._lines(word, key))
            exact = [line for line in lines if any(one.written == word for one in line)]
            if not exact and word.endswith(_OF_VERBS):
                exact = [line for line in lines if any(one.key == key and one.written.endswith(_INFINITIVE) for one in line)]
            exact = exact or lines
            found: dict[str, Bond] = {}
            foreign: dict[str, bool | None] = {}
            for line in exact:
                for own in (one for one in line if one.key == key):
                    for other in line:
                        bond = _bond(own, other)
                        if other.key != key and bond is not None and bond < found.get(other.key, len(Bond) + 1):
                            found[other.key] = bond
                        foreign[other.key] = other.foreign if foreign.get(other.key, other.foreign) == other.foreign else None
            self._related[word], self._foreign[word] = found, foreign
        return self._related[word]

    def foreign(self, word: str) -> Mapping[str, bool | None]:
        """For each key of `related` whether it stands after the `|` (Portuguese) or before it; None where it does both."""
        self.related(word)
        return self._foreign[word]

    def phrases(self, said: Sequence[str]) -> list[str]:
        """The listed phrases in a text, given as its folded words; of those that begin with two stop words none."""
        keys = [_plain(word) for word in said]
        found: dict[str, None] = {}
        for at, first in enumerate(keys[:-1]):
            if said[at] in STOP and said[at + 1] in STOP:
                continue
            head = f"{said[at]}_" if said[at] in STOP else _head(first)
            for written in (self._text[start : self._text.find(" ", start)] for start in self._starting(head)):
                if "_" in written and (key := key_of(written)) and " " in key:
                    parts = key.split(" ")
                    if keys[at : at + len(parts)] == parts:
                        found[written] = None
        return list(found)

    def _lines(self, word: str, key: str) -> Iterator[tuple[Entry, ...]]:
        """The lines in which an entry with this key stands, in the order of the lists."""
        head = word if "_" in word else _head(key)
        heads = (head,) if word.startswith(head) else (head, word)  # spoke is a form of speak, and of a wheel
        seen = -1
        for start in sorted(start for head in heads for start in self._starting(head)):
            end = self._text.find(" ", start)
            written = self._text[start:end]
            if written != word and (len(written) > len(key) + _LONGER or key_of(written) != key):
                continue
            line = self._text.rfind("\n", 0, start)
            if line != seen:
                seen = line
                yield tuple(entries(self._text[line : self._text.find("\n", start)]))

    def _starting(self, head: str) -> tuple[int, ...]:
        """Where entries begin that begin with `head`."""
        if head not in self._starts:
            mark, starts = f" {head}", []
            at = self._text.find(mark) if head else -1
            while at >= 0:
                starts.append(at + 1)
                at = self._text.find(mark, at + 1)
            self._starts[head] = tuple(starts)
        return self._starts[head]


def entries(line: str) -> Iterator[Entry]:
    """The entries of a line, none of a comment; a stop word tells nothing of what a text is about and is left out."""
    foreign = member = False
    for word in line.split() if not line.lstrip().startswith(_NOTE) else ():
        if word == _LANGUAGE:
            foreign = True
        elif word == _KIND:
            foreign, member = False, True
        elif word not in STOP and (key := key_of(word)):
            yield Entry(word, key, foreign, member)


def key_of(entry: str) -> str:
    """What an entry is compared by, the stems of its words with spaces between; stop words as they are: put_off → put off."""
    if "_" not in entry and "'" not in entry:
        return _plain(entry)
    return " ".join(_plain(found[0]) for part in entry.split("_") if (found := words(part)))


def spoken(text: str) -> list[str]:
    """The words of a text in order, as keys have them."""
    return [_plain(word) for word in words(text)]


def _plain(word: str) -> str:
    return word if word in STOP else stem(word)


def says(said: Sequence[str], key: str) -> bool:
    """Whether a text, given by `spoken`, says a phrase; between a verb and its particle other words may stand."""
    first, *rest = key.split(" ")
    apart = _APART if len(rest) == 1 and rest[0] in STOP else 1
    for start, word in enumerate(said):
        if word == first:
            at = start
            for part in rest:
                near = said[at + 1 : at + 1 + apart]
                if part not in near:
                    break
                at += 1 + near.index(part)
            else:
                return True
    return False


def _head(key: str) -> str:
    """What every word with this stem begins with: the last letter of a stem may not be its word's."""
    first = key.partition(" ")[0]
    if len(first) == 2 and first[1] == "o":
        return f"{first[0]}a"  # pao, maos
    return first if first[-1:] not in _TURNED else first[: max(2, len(first) - 1)]


def _bond(one: Entry, other: Entry) -> Bond | None:
    """None for two members of a kind: a fork is no spoon."""
    if one.member != other.member:
        return Bond.KIND if one.member else Bond.MEMBER
    if one.member:
        return None
    return Bond.TRANSLATION if one.foreign != other.foreign else Bond.SYNONYM
