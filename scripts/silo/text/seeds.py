"""Recovery phrases of wallets: twelve to twenty-four short words in a row, near a word that says what they are.

No list of words is needed: where a wallet is spoken of, a dozen words of three to eight letters with no grammar among
them are no sentence. A list that begins with the wallet itself (things to pack) is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from silo.text.lazy import Lazy
from silo.text.stopwords import STOP

Found = tuple[str, int, int]  # kind, start, end

SHORTEST, LONGEST = 12, 24  # words of a phrase
_REACH = 140  # characters between the word that announces it and the first of its own
_STRICT = Lazy(
    r"\b(?:seeds?|mnemonics?|bip-?39|(?:recovery|backup|secret|seed|restore|wallet|twelve|12|24|twenty-four|18|15|21)[ -]?(?:phrase|words)"
    r"|frases?[ -](?:semente|secreta|de recupera[c\u00e7][a\u00e3]o)|semente|palavras (?:de recupera[c\u00e7][a\u00e3]o|secretas|d[ao]s? \w+)|(?:doze|vinte e quatro|12|24) palavras)\b",
    re.I,
)
_LOOSE = Lazy(r"\b(?:wallets?|carteiras?|ledger|trezor|metamask|coldcard|electrum|bitbox|exodus|keystone|phantom)\b", re.I)
HINTS = ("seed", "mnemonic", "bip", "phrase", "words", "frase", "semente", "palavras", "wallet", "carteira", "ledger", "trezor", "metamask", "coldcard", "electrum", "bitbox", "exodus", "keystone", "phantom")  # fmt: skip
_TOKEN = re.compile(r"[A-Za-z]{3,8}(?![\w'\u00c0-\u024f])")
_GAP = re.compile(r"[ \t]*(?:[,;|\u00b7\u2022*>-]|\r?\n)?[ \t>|*-]*(?:\r?\n[ \t>|*-]*)?(?:#?\d{1,2}[.):-]{0,2}[ \t|]*)?")
# Words that announce a phrase, and words of speech that no such list is made of: it begins behind them and ends before.
_OUTSIDE = frozenset(
    ["wallet", "seed", "phrase", "words", "word", "order", "recovery", "backup", "cold", "hot", "hardware", "starts", "start", "begins", "reads", "goes", "restore", "restores", "mnemonic", "ledger", "trezor", "metamask", "secret", "twelve", "carteira", "semente", "frase", "palavras", "ordem", "fria", "quente", "diz", "começa", "comeca", "avo", "pai", "mae", "minha", "primeiro", "got", "it", "okay", "lost", "find", "old", "new", "keep", "kept", "write", "wrote", "paper", "bought", "broke", "broken", "left"]
)


def find_seeds(text: str, low: str) -> Iterator[Found]:
    """The phrases of a text; `low` is it in lower case."""
    if not any(hint in low for hint in HINTS):
        return
    strict = [match.end() for match in _STRICT().finditer(text)]
    loose = [match.end() for match in _LOOSE().finditer(text)]
    if not strict and not loose:
        return
    for run in _runs(text):
        start, end = run[0][0], run[-1][1]
        lower = all(text[a:b].islower() for a, b in run[1:])
        if any(0 <= start - at <= _REACH for at in strict) or any(0 <= at - end <= 60 for at in strict) or (lower and any(0 <= start - at <= _REACH and text[at : at + 1] != "," for at in loose)):
            yield "seed-phrase", start, end


def _runs(text: str) -> Iterator[list[tuple[int, int]]]:
    """Each longest row of such words, as (start, end) of every word."""
    row: list[tuple[int, int]] = []
    for match in _TOKEN.finditer(text):
        if match.start() and (text[match.start() - 1].isalnum() or text[match.start() - 1] in "'_"):
            continue
        if row and _GAP.fullmatch(text, row[-1][1], match.start()) is None:
            yield from _trimmed(text, row)
            row = []
        row.append(match.span())
    yield from _trimmed(text, row)


def _trimmed(text: str, row: list[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
    """The parts of a row between words of grammar; one such word in the midst of twelve may be of the phrase."""
    if len(row) < SHORTEST:
        return
    plain = [(word := text[a:b].lower()) not in STOP and word not in _OUTSIDE for a, b in row]
    breaks = [-1, *[n for n, good in enumerate(plain) if not good], len(row)]
    parts = [(a + 1, b) for a, b in pairwise(breaks) if b > a + 1]
    joined: list[tuple[int, int]] = []
    for first, last in parts:
        if joined and first - joined[-1][1] == 1 and last - first >= 4 and joined[-1][1] - joined[-1][0] >= 4:
            joined[-1] = (joined[-1][0], last)
        else:
            joined.append((first, last))
    for first, last in joined:
        if last - first >= SHORTEST and sum(plain[first:last]) >= (last - first) * 5 // 6:
            yield row[first:last]
