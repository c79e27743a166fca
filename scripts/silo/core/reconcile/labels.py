"""Things of one kind told apart by a number or letter of their own: "level two", "turma B", "barn 3", "phase II".

A label stands right behind its noun, before the verb; what is counted there ("two levels have …") is none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from silo.core.reconcile.tokens import Token
from silo.text.values import Value

_ONE = frozenset(["one", "um", "uma"])
_ROMAN = {"i": "1", "ii": "2", "iii": "3", "iv": "4", "v": "5", "vi": "6", "vii": "7", "viii": "8", "ix": "9", "x": "10"}
# The noun, a "no." or "number" that may stand between, and the label; the word after it is looked at by who asks.
_LABEL = re.compile(r"\s(?:(?:no\.?|nr\.?|n[ºo°]\.?|number|número)\s|#)?((?-i:[A-Z]|[IVX]{2,4})|\d{1,6}|[^\W\d_]+)(?=[\s,:;]|'s\b)", re.IGNORECASE)


def labels_of(text: str, tokens: tuple[Token, ...], values: tuple[Value, ...], verb: int) -> Mapping[str, str]:
    """The labels of a clause by the stem of their noun. `verb` is where its predicate begins; where that is its start, no
    verb was found, and the word after the label must be one that the tables do not know as a noun."""
    found: dict[str, str] = {}
    for i, token in enumerate(tokens):
        if not (token.terms or token.is_in("noun", "role")) or token.start >= verb > tokens[0].start:
            continue
        match = _LABEL.match(text, token.end)
        if match is None:
            continue
        label = _worth(match[1], match.start(1), values)
        after = next((t for t in tokens[i + 1 :] if t.start >= match.end(1)), None)
        counted = match[1].isdigit() and after is not None and after.is_in("noun") and not after.is_in("verb", "copula", "attribute", "act")
        if label and after is not None and not counted:
            found[token.stem] = label
            if verb <= tokens[0].start:
                break  # "row two seats 18": what follows is the verb
    return found


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


def other_instance(old: Mapping[str, str], new: Mapping[str, str]) -> bool:
    """Whether one noun has two labels."""
    return any(new.get(noun, label) != label for noun, label in old.items())
