"""Where a statement falls into clauses: at full stops and semicolons, at a comma where something like a verb stands on both
sides. Knows where they part, not what they say.
"""

from __future__ import annotations

import itertools
import re

from silo.core.reconcile.tokens import Token
from silo.text.flat import flat
from silo.text.vocabulary import WORD

_TITLES = "".join(rf"(?<!\b{t})" for t in ("Dr", "Dra", "Mr", "Mrs", "Ms", "Sr", "Sra", "St", "Prof", "Av", "No", "no", "nr"))
_BREAK = re.compile(
    rf"\s*;\s*|{_TITLES}[.!?…]+\s+|\s[—–-]\s|,\s+(?:but|mas|porque|because|so|so that|entao|então|e agora|and now)\s+|\s+(?:because|porque|but|mas)\s+|,\s+|\s+\("
)
_VERBISH = ("copula", "verb", "cue", "leave", "join", "status", "unreal", "hearsay")
# Endings of finite verbs that the tables do not list; good enough to tell a clause from a list item.
VERBAL = re.compile(r"[a-z]{2,}(?:ied|[^e]ed|amos|emos|imos|aram|eram|iram|ou|iu|ava|avam|ei)\Z")
# A name that does something in an ending that nouns have as well: "o Gavião encheu", "a Hetzner caía muito".
_NAMED_ACTS = re.compile(
    r"(?:[oa]s? )?[A-ZÀ-Þ][\w-]+ [^\W\d_]+(?:eu|iu|ia|iam|ía|íam)\b|[oa]s? [^\W\d_]+ (?!muse|pne|europe|chapé|trofé)[^\W\d_]{2,}(?:eu|iu)\b"
)
_PRONOUNS = frozenset(["it", "it's", "its", "he", "she", "they", "we", "he's", "she's", "they're", "we're", "ele", "ela", "eles", "elas", "isso", "isto", "esta", "este"])
ARTICLES = frozenset(["the", "a", "an", "our", "my", "his", "her", "their", "o", "os", "as", "um", "uma", "nosso", "nossa", "meu", "minha", "seu", "sua"])
_OPENING = frozenset(["on", "at", "in", "during", "for", "when", "while", "after", "before", "since", "with", "from", "without", "as", "em", "no", "na", "nos", "nas", "aos", "as", "ao", "durante", "quando", "para", "depois", "antes", "desde", "com", "apos"])


def spans(text: str, tokens: tuple[Token, ...]) -> list[tuple[int, int, int]]:
    """(start, end, where its opening phrase ends) of each clause."""
    cuts = [m for m in _BREAK.finditer(text) if not re.match(r"\d", text[m.end() : m.end() + 1]) or m[0].strip() not in (",", ".") or _figure_acts(tokens, m.end())]
    corrects = re.search(r":\s+", text)  # "I got the price wrong: the cheese is 9 euros"
    if corrects and any("correct" in t.keys("cue") for t in tokens if t.end <= corrects.start()):
        cuts = sorted([*(m for m in cuts if m.start() > corrects.start()), corrects], key=lambda m: m.start())
    edges = [0, *(m.end() for m in cuts), len(text)]
    firm = [False, *(m[0].strip() not in (",", "(") for m in cuts)]
    parts: list[tuple[int, int, int]] = []
    for i, (a, b) in enumerate(itertools.pairwise(edges)):
        if b <= a:
            continue
        joins = bool(parts) and not firm[i]
        acts = _NAMED_ACTS.match(text, a) is not None
        if joins and not _has_verb(tokens, parts[-1][2], parts[-1][1]):
            opening = _starts_with(text, parts[-1][0], _OPENING)
            parts[-1] = (parts[-1][0], b, a if opening else parts[-1][2])
        elif joins and not acts and not _has_verb(tokens, a, b) and not denies(tokens, a, b):
            parts[-1] = (parts[-1][0], b, parts[-1][2])
        else:
            parts.append((a, b, a))
    return parts or [(0, len(text), 0)]


def _figure_acts(tokens: tuple[Token, ...], start: int) -> bool:
    """Whether the figure at `start` has a verb right behind it: ", 8080 clashed with the printer"."""
    first = next((t for t in tokens if t.start >= start), None)
    return first is not None and first.start - start < 12 and (first.is_in("copula", "verb") or VERBAL.match(first.word) is not None)


def _has_verb(tokens: tuple[Token, ...], start: int, end: int) -> bool:
    inside = [t for t in tokens if start <= t.start < end]
    if inside and is_pronoun(inside[0]):
        return True
    inside = [t for t in inside if t is inside[-1] or not (t.is_in("where") and t.is_in("status"))]  # "not on paper"
    return any(t.is_in(*_VERBISH) or (t.is_in("attribute") and not t.is_in("noun")) or VERBAL.match(t.word) for t in inside)


def denies(tokens: tuple[Token, ...], start: int, end: int) -> bool:
    """Whether a part without a verb says what there is none of: "cash only, no cards", "com pátio, sem piscina"."""
    inside = [t for t in tokens if start <= t.start < end]
    return 1 < len(inside) < 4 and inside[0].word in ("no", "without", "sem", "nenhum", "nenhuma") and bool(inside[1].terms)


def is_pronoun(token: Token) -> bool:
    """A pronoun, contracted ones too: it, it's, we'll."""
    return token.word.partition("'")[0] in _PRONOUNS


def _starts_with(text: str, start: int, words: frozenset[str]) -> bool:
    word = WORD.search(flat(text), start)
    return word is not None and word[0] in words
