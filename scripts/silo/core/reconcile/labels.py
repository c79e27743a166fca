"""Things of one kind told apart by a number or letter of their own: "level two", "turma B", "barn 3", "phase II".

A label stands right behind its noun, before the verb, or in the place where there is something; what is counted there ("two levels
have …") is none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from silo.core.reconcile.tokens import Token
from silo.text.values import Value

_ONE = frozenset(["one", "um", "uma"])
_ROMAN = {"i": "1", "ii": "2", "iii": "3", "iv": "4", "v": "5", "vi": "6", "vii": "7", "viii": "8", "ix": "9", "x": "10"}
# The noun, a "no." or "number" that may stand between, and the label; the word after it is looked at by who asks.
_LABEL = re.compile(r"\s(?:(?:no\.?|nr\.?|n[ºo°]\.?|number|número)\s|#)?((?-i:[A-Z]|[IVX]{2,4})|\d{1,6}|[^\W\d_]+)(?=[\s,:;.]|'s\b|\Z)", re.IGNORECASE)


def labels_of(text: str, tokens: tuple[Token, ...], values: tuple[Value, ...], verb: int) -> Mapping[str, str]:
    """The labels of a clause by the stem of their noun. `verb` is where its predicate begins; where that is its start, no
    verb was found, and the word after the label must be one that the tables do not know as a noun."""
    found: dict[str, str] = {}
    there = tokens[0].word in _THERE
    for i, token in enumerate(tokens):
        behind = token.start >= verb > tokens[0].start or (there and i > 0)
        if not (token.terms or token.is_in("noun", "role")) or (behind and not (there and _placed(tokens, i))):
            continue
        match = _LABEL.match(text, token.end)
        if match is None:
            continue
        label = _worth(match[1], match.start(1), values)
        after = next((t for t in tokens[i + 1 :] if t.start >= match.end(1)), None)
        if label and behind:
            found[token.stem] = label
            continue
        counted = match[1].isdigit() and after is not None and after.is_in("noun") and not after.is_in("verb", "copula", "attribute", "act")
        if label and after is not None and not counted:
            found[token.stem] = label
            if verb <= tokens[0].start:
                break  # "row two seats 18": what follows is the verb
    return found


_THERE = frozenset(["there", "there's", "ha", "existem", "temos"])


def _placed(tokens: tuple[Token, ...], i: int) -> bool:
    """Whether a preposition of place stands before a word: what there is is said of it, "there are 17 stalls in barn D"."""
    return any(t.is_in("where") for t in tokens[max(0, i - 2) : i])


def _worth(word: str, start: int, values: tuple[Value, ...]) -> str:
    """'2' for 2, two and II; the letter of a letter; '' where the word is no label."""
    value = next((v for v in values if v.start == start), None)
    if value is not None:
        return f"{value.amount:g}" if value.kind == "number" and not value.approx else word if len(word) == 1 else ""
    if word.lower() in _ONE:
        return "1"
    if word.isupper() and len(word) > 1 and word.lower() in _ROMAN:
        return _ROMAN[word.lower()]
    return word if len(word) == 1 and word.isupper() else ""


_LETTER = re.compile(r"(?<=[^\W\d_] )([A-HJ-Z])(?=[\s,;:.!?)]|\Z)")


def letters_of(text: str) -> frozenset[str]:
    """The single capitals of a text behind a word, which no other reading weighs: "room B", "vitamina C"."""
    return frozenset(_LETTER.findall(text))


def other_instance(old: Mapping[str, str], new: Mapping[str, str]) -> bool:
    """Whether one noun has two labels."""
    return any(new.get(noun, label) != label for noun, label in old.items())
