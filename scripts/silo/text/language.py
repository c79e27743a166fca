"""What the rules know of a language: phrases by kind of speech act, found in one pass; and telling languages apart.

The phrases are data (lang/*.toml); `Phrases` compiles their small notation. Pure: it opens no file and knows no
language by itself.

Notation of a phrase, over flattened text (lower case, no accents, typed quotes):
    let's go with       the words, with word boundaries; an apostrophe may be missing
    decid*              a word that begins so
    (vamos|bora) de     one of these
    [muito] bom         the word may be missing
    not ... any more    up to four words between
    #                   a figure
    ^ at the front      only at the start of the sentence;  $ at the end: only at its end
    {old} {new}         a value, in the tables of changes only
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from functools import cache

from silo.text.flat import flat_words

__all__ = ["HEARD_KINDS", "Language", "Phrases", "Spans", "Token", "compile_phrase", "detect", "framed", "signs_of", "tokens_of"]

Token = tuple[str, int, int]  # a word without apostrophes, and where it stands
HEARD_KINDS = frozenset(
    ["ack", "done", "noted", "dropped", "unsure", "propose_ask", "propose_mark", "propose_wish", "one_off", "filler", "filler_stop", "about", "topic_mark", "question", "question_bare", "status_question"]
)  # fmt: skip
Spans = dict[str, list[tuple[int, int]]]  # kind of phrase → where it stands in the flattened sentence

TOKEN = re.compile(r"\w+(?:['-]\w+)*|[^\w\s]")
# A value ends before a stop, a comma or colon that is not inside a figure, or a word that opens another clause.
_VALUE = r"(?:[^\s,;:()!?](?:[^,;:()!?\n]|[,:](?=\d))*?)"
_VALUE_END = (
    r"(?=\s*(?:$|[;()!?\n]|[,:](?!\d)|\.(?!\d))|\s+(?:and|e|but|mas|since|desde|because|porque|que|from|as of|a partir|now|agora|due to|by the way|"
    r"btw|so|starting|anymore|any more|mais|por causa|ja que|pois|which|when|quando|in (?:january|february|march|april|may|june|july|august|september|october|november|december))\b)"
)


_OTHER_WORD = frozenset(
    ["well", "ill", "hell", "shell", "were", "its", "id", "wed", "shed", "hed", "whos"]
)  # what is left without the apostrophe


def _word(token: str) -> str:
    """One token of the notation as a pattern."""
    if token == "#":
        return r"[\d][\d.,:/h%-]*"
    if token.startswith("("):
        return (
            "(?:"
            + "|".join(r"\s+".join(_word(w) for w in part.split()) for part in token[1:-1].split("|"))
            + ")"
        )
    if token.startswith("{"):
        return f"(?P<{token[1:-1]}>{_VALUE})"
    apostrophe = "'" if token.replace("'", "") in _OTHER_WORD else "'?"
    body = re.escape(token.rstrip("*")).replace("'", apostrophe).replace(r"\-", "-")
    return body + (r"[\w'-]*" if token.endswith("*") else "")


_TOKENS = re.compile(r"\([^)]*\)|\[[^\]]*\]|\{\w+\}|\S+")


@cache
def _compiled(source: str) -> re.Pattern[str]:
    return re.compile(source)


def compile_phrase(phrase: str) -> tuple[str, tuple[str, ...]]:
    """A phrase as the source of a pattern over flattened text, and its anchors: one of them stands in every match.

    An anchor ending in `*` is a beginning. Raises ValueError for a phrase without any certain word.
    """
    text = flat_words(phrase).strip()
    front, back = text.startswith("^"), text.endswith("$")
    text = text.removeprefix("^").removesuffix("$").strip()
    out, glue = "", ""
    anchors: tuple[str, ...] = ()
    for token in _TOKENS.findall(text):
        if token == "...":
            out += r"(?:\s+[^\s.!?]+){0,4}?"
            continue
        if token.startswith("["):
            inner = r"\s+".join(_word(w) for w in token[1:-1].split())
            out += rf"(?:{glue}{inner})?" if glue else rf"(?:{inner}\s+)?"
            continue
        out += glue + _word(token)
        glue = r"\s+"
        if token[0] in "{#":
            if token[0] == "{":
                out += _VALUE_END if text.endswith(token) else ""
            continue
        if not anchors or (token[0] != "(" and len(token) > max(len(a) for a in anchors)):
            anchors = tuple(_anchor(w) for w in (token[1:-1].split("|") if token[0] == "(" else [token]))
    if not anchors:
        raise ValueError(f"no word to look for in the phrase {phrase!r}")
    left = r"^\W*" if front else (r"(?<!\w)" if re.match(r"\w|\(|\{|\[", text) else "")
    right = r"(?=\W*$)" if back else (r"(?!\w)" if re.search(r"[\w)}*\]]$", text) else "")
    return left + out + right, anchors


def _anchor(words: str) -> str:
    longest = max(words.split(), key=lambda w: len(w.rstrip("*"))).replace("'", "")
    return longest.rstrip(":,") or longest  # tokens hold no such mark


@dataclass(frozen=True, slots=True)
class Phrases:
    """Compiled phrases of many kinds, looked up by a word that they must hold: cost grows with the sentence alone."""

    by_word: Mapping[
        str, tuple[tuple[str, str], ...]
    ]  # word → (kind, source of the pattern, "" for the word alone)
    by_start: Mapping[str, tuple[tuple[str, str, str], ...]]  # first three letters → (start, kind, source)
    signs: Mapping[str, tuple[frozenset[str], tuple[str, ...]]]  # kind → words and beginnings that it needs

    @classmethod
    def of(cls, kinds: Mapping[str, Iterable[str]]) -> Phrases:
        words: dict[str, list[tuple[str, str]]] = {}
        starts: dict[str, list[tuple[str, str, str]]] = {}
        for kind, phrases in kinds.items():
            for phrase in phrases:
                source, anchors = compile_phrase(phrase)
                plain = _PLAIN.fullmatch(flat_words(phrase)) is not None
                for anchor in anchors:
                    if anchor.endswith("*"):
                        starts.setdefault(anchor[:3].rstrip("*"), []).append(
                            (anchor.rstrip("*"), kind, "" if plain else source)
                        )
                    else:
                        words.setdefault(anchor, []).append((kind, "" if plain else source))
        needs: dict[str, tuple[set[str], set[str]]] = {kind: (set(), set()) for kind in kinds}
        for word, entries in words.items():
            for kind, _ in entries:
                needs[kind][0].add(word)
        for fronts in starts.values():
            for front, kind, _ in fronts:
                needs[kind][1].add(front)
        return cls(
            {k: tuple(v) for k, v in words.items()},
            {k: tuple(v) for k, v in starts.items()},
            {kind: (frozenset(whole), tuple(sorted(front))) for kind, (whole, front) in needs.items()},
        )

    def hints(self, kinds: Iterable[str], words: Set[str]) -> frozenset[str]:
        """Words of a text (`signs_of`) and beginnings of words, one of which any phrase of the kinds in it must have."""
        found: set[str] = set()
        for kind in kinds:
            whole, fronts = self.signs.get(kind, (frozenset(), ()))
            found |= whole & words
            found.update(front for front in fronts if any(word.startswith(front) for word in words))
        return frozenset(found)

    def scan(self, low: str, tokens: Iterable[Token], shortest: int = 1) -> Spans:
        """Every phrase in the flattened sentence `low`, whose tokens are `tokens`.

        Only words of at least `shortest` letters are looked up.
        """
        found: Spans = {}
        tried: set[tuple[str, str]] = set()
        by_word, by_start = self.by_word, self.by_start
        for word, start, end in tokens:
            if len(word) < shortest:
                continue
            for kind, source in by_word.get(word, ()):
                if source:
                    _note(found, tried, kind, source, low)
                else:
                    found.setdefault(kind, []).append((start, end))
            for front, kind, source in by_start.get(word[:3], ()):
                if not word.startswith(front):
                    continue
                if source:
                    _note(found, tried, kind, source, low)
                else:
                    found.setdefault(kind, []).append((start, end))
        return found

    def matches(self, low: str, tokens: Iterable[Token]) -> Iterator[re.Match[str]]:
        """Every match of every pattern, for phrases with values in them."""
        tried: set[str] = set()
        for word, _, _ in tokens:
            for _, source in self.by_word.get(word, ()):
                if source not in tried:
                    tried.add(source)
                    yield from _compiled(source).finditer(low)
            for front, _, source in self.by_start.get(word[:3], ()):
                if source not in tried and word.startswith(front):
                    tried.add(source)
                    yield from _compiled(source).finditer(low)


_PLAIN = re.compile(r"\w+\*?|[^\w\s\[({#^$*.]")  # one word without any notation but a star at its end


def _note(found: Spans, tried: set[tuple[str, str]], kind: str, source: str, low: str) -> None:
    if (kind, source) in tried:
        return
    tried.add((kind, source))
    for match in _compiled(source).finditer(low):
        found.setdefault(kind, []).append(match.span())


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Language:
    """One language of the rules: `code` (en, pt), its function words, phrases, change patterns, visible words."""

    code: str
    function_words: frozenset[str]
    letters: frozenset[str]  # that give the language away
    question_words: frozenset[str]  # those that a question is stripped of to see what it is about
    helpers: frozenset[str]  # words that can't stand inside what a question is about: can, do, is …
    phrases: Phrases
    heard: Phrases  # those of the phrases that matter in the assistant's words
    changes: Phrases  # their patterns have the groups old and new
    shapes: Mapping[str, str]  # name → regular expression, for forms that words alone can't tell
    day_first: bool
    subjectless: tuple[str, ...]  # kinds of verbs that lack their subject where they stand first
    labels: Mapping[str, str]  # was, due, effective, withdrawn: words that we write into an event's text
    concepts: Mapping[str, frozenset[str]] = field(
        default_factory=dict
    )  # concept → stemmed words, for routing

    def shape(self, name: str) -> re.Pattern[str]:
        """The compiled form of that name."""
        return _compiled(self.shapes[name])


_NAMED = re.compile(r"\{([a-z_]+)\}")


@cache
def framed(frame: str, languages: tuple[Language, ...]) -> re.Pattern[str]:
    """The frame compiled, with each `{name}` standing for that shape in any of the languages, as people mix them.

    The groups of such a shape have no names; without languages nothing fits.
    """
    return _compiled(_NAMED.sub(lambda m: f"(?:{'|'.join(one.shapes[m[1]] for one in languages) or '(?!)'})", frame))


def tokens_of(low: str) -> list[Token]:
    """Tokens of a flattened sentence as the phrase index knows them: apostrophes off, compounds also in parts."""
    out: list[Token] = []
    for match in TOKEN.finditer(low):
        token, start = match[0], match.start()
        if "'" not in token and "-" not in token:
            out.append((token, start, match.end()))
            continue
        out.append((token.replace("'", ""), start, match.end()))
        out += [(part[0], start + part.start(), start + part.end()) for part in _PART.finditer(token)]
    return out


_PART = re.compile(r"[^-']+")


def signs_of(low: str) -> frozenset[str]:
    """At least the words of all tokens of a flattened text, for `Phrases.hints`; sooner made than the tokens."""
    found = {*low, *_RUN.findall(low), *TOKEN.findall(low)}
    if "'" in low:
        found.update(token.replace("'", "") for token in TOKEN.findall(low))
    return frozenset(found)


_RUN = re.compile(r"\w+")


@cache
def _own_words(languages: tuple[Language, ...]) -> tuple[frozenset[str], ...]:
    """For each language its function words that no other one has."""
    return tuple(
        lang.function_words.difference(*(other.function_words for other in languages if other is not lang))
        for lang in languages
    )


def detect(text: str, tokens: Iterable[Token], languages: tuple[Language, ...]) -> tuple[Language, ...]:
    """The languages that a sentence is written in, likeliest first; those without any sign are left out.

    Signs are function words that no other language has ("do" and "as" tell nothing) and letters of its own. Empty when
    nothing tells: the caller then goes on with the language spoken before.
    """
    words = {word for word, _, _ in tokens}
    plain = text.isascii()
    counted = []
    for n, (lang, own) in enumerate(zip(languages, _own_words(languages), strict=True)):
        hits = len(own & words) + (
            0 if plain or not lang.letters else sum(c in lang.letters for c in text)
        )
        counted.append((hits, -n, lang))
    counted.sort(key=lambda c: (c[0], c[1]), reverse=True)
    best = counted[0][0] if counted else 0
    return tuple(
        lang for hits, _, lang in counted if hits and (hits == best or (hits >= 2 and hits * 2 >= best))
    )
