"""Proper names in a statement: runs of capitalised words, by where they stand and what else is known.

No dictionary of names. A capital at the start of a sentence proves nothing, unless the word is met as a name elsewhere, or
a run of capitals or a verb of persons follows. Capitals alone (API, VPS) are terms, not names, unless a name is beside them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from silo.text.flat import flat

_WORD = re.compile(r"[^\W\d_](?:[\w]|['’.&-](?=\w))*")
_JOINERS = frozenset(["de", "da", "do", "dos", "das", "di", "del", "della", "van", "von", "der", "den", "la", "le", "el", "y", "bin", "al"])
TITLES = frozenset(["dr", "dra", "mr", "mrs", "ms", "miss", "prof", "profa", "sr", "sra", "dona", "seu", "don", "sir", "st"])
_STARTS = re.compile(r"(?:^|[.!?…]\s+|[.!?…]?\n)[\s\"'«“(*_-]*\Z")
_AFTER_COLON = re.compile(r"[:=]\s*[\"'«“(*_]*\Z")
_ABBREVIATED = re.compile(r"\b(?:dra?|mrs?|ms|profa?|sra?|st|eng|av|no)\.\s+\Z", re.IGNORECASE)
_PERSON_VERB = re.compile(
    r"\s+(?:left|joined|quit|resigned|retired|lives|works|worked|likes|prefers|hates|loves|took over|takes over|takes care|supplies|provides|delivers|eats|drinks|speaks|manages|leads|plays|looks after|is looking after|cares for|approves|writes|teaches|organises|organizes|coordinates|no longer|already|always|never|"
    r"owns|sold|bought|said|says|dropped out|stepped down|replaced|replaces|succeeds|wants|knows|heads|handles|coaches|teaches|is our|is my|is the new|is allergic|is married|"
    r"saiu|entrou|assumiu|fornece|trata|mora|vive|trabalha|gosta|prefere|come|cuida|chefia|lidera|desistiu|substituiu|quer|odeia|detesta|adora|dirige|toca|aprova|escreve|ensina|organiza|coordena|ja nao|nao|sempre|nunca|e nosso|e nossa|se aposentou|se mudou|se desligou)\b"
)
_OFFICE = re.compile(r"\s+(?:is|was|became|becomes|e|era|sera|virou)\s+((?:[^\W\d_]+[\s-]*){1,6})")
_LETTER = re.compile(r"(?:[A-Z]|[IVX]{2,4})\Z")
_MEMBER_VERB = re.compile(r"\s+(?:joined|has joined|is joining|joins|left|has left|is leaving|leaves|quit|dropped out|stepped down|is out|resigned|saiu|entrou|desistiu|deixou)\b")


@dataclass(frozen=True, slots=True)
class NameHit:
    """`text[start:end]` is a proper name; `key` is what it is compared by: flat words without titles and joiners."""

    start: int
    end: int
    key: frozenset[str]


def find_names(
    text: str,
    taken: list[tuple[int, int]],
    is_common: Callable[[str], bool],
    known: frozenset[str],
    is_office: Callable[[str], bool] = lambda _: False,
) -> list[NameHit]:
    """Names outside the `taken` spans. `is_common` tells of a flat word that it is no name at a sentence's start; `known` are
    flat words that are names wherever they stand (met as names in the statement it is compared with); `is_office` of flat words
    that they name an office of persons: what is the treasurer is a name."""
    low = flat(text)
    words = [m for m in _WORD.finditer(text) if not any(m.start() < end and start < m.end() for start, end in taken)]
    hits: list[NameHit] = []
    i = 0
    while i < len(words):
        j = _run(text, words, i)
        if j == i:
            i += 1
            continue
        hit = _name(text, low, words[i:j], is_common, known, is_office)
        if hit is not None:
            hits.append(hit)
        i = j
    return hits


def _capital(word: str) -> bool:
    return word[0].isupper()


def _shouted(word: str) -> bool:
    bare = word.replace(".", "")
    return bare.isupper() and len(bare) > 1


def _run(text: str, words: list[re.Match[str]], i: int) -> int:
    """The end of the run of capitalised words that starts at `i`; joiners and '&' may stand inside."""
    if not _capital(words[i][0]):
        return i
    j = i + 1
    while j < len(words):
        gap = text[words[j - 1].end() : words[j].start()]
        close = gap in (" ", " & ", ". ", "-") and not (gap == ". " and flat(words[j - 1][0]) not in TITLES and len(words[j - 1][0]) > 1)
        if not close or words[j - 1][0].endswith(("'s", "’s")):
            break
        if _capital(words[j][0]):
            j += 1
        elif flat(words[j][0]) in _JOINERS and j + 1 < len(words) and _capital(words[j + 1][0]) and text[words[j].end() : words[j + 1].start()] == " ":
            j += 2
        else:
            break
    return j


def _name(
    text: str,
    low: str,
    run: list[re.Match[str]],
    is_common: Callable[[str], bool],
    known: frozenset[str],
    is_office: Callable[[str], bool],
) -> NameHit | None:
    before = text[: run[0].start()]
    first = _STARTS.search(before) is not None and _ABBREVIATED.search(before) is None
    listed = re.match(r"(?:,| and| e|,? &) (?:[oa] )?[^\W\d_a-z]", text[run[-1].end() :]) is not None
    soft = first or (_AFTER_COLON.search(before) is not None and not listed)
    while run and soft and is_common(flat(run[0][0])) and flat(run[0][0]) not in known and flat(run[0][0]) not in TITLES:
        run = run[1:]  # "Does Ana", "The Otto": the sentence's own first word
        soft = first = False
    if not run or all(_shouted(m[0]) for m in run) or (len(run[0][0]) == 1 and len(run) == 1):
        return None
    key = frozenset(w for m in run if (w := bare(m[0])) and w not in TITLES and w not in _JOINERS)
    if not key:
        return None
    if first and len(run) == 2 and _LETTER.match(run[1][0]) and flat(run[0][0]) not in known and low[run[1].end() : run[1].end() + 1] != "." and not _PERSON_VERB.match(low, run[1].end()):
        return None  # "Ward C has 24 beds": a thing with its letter
    if first and len(run) == 1 and not (key & known):
        follows = _PERSON_VERB.match(low, run[0].end()) is not None
        leaves = _MEMBER_VERB.match(low, run[0].end()) is not None
        office = _OFFICE.match(low, run[0].end())
        holds = office is not None and is_office(office[1])
        plain = run[0][0].endswith("s") and not (leaves or holds)
        if not run[0][0].endswith(("'s", "’s")) and (not (follows or leaves or holds) or plain):
            return None
    end = run[-1].end() - (2 if run[-1][0].endswith(("'s", "’s")) else 0)
    return NameHit(run[0].start(), end, key)


def bare(word: str) -> str:
    """A word of a name as it is compared: flat, without possessive and dots."""
    return flat(word).strip(".,;:!?()\"").removesuffix("'s").replace(".", "")


def same_name(a: frozenset[str], b: frozenset[str]) -> bool:
    """Whether one name can be short for the other: 'Renato Alves', 'Dr. Renato'."""
    return bool(a) and bool(b) and (a <= b or b <= a)
