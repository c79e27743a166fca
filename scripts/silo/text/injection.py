"""Text of others that tries to instruct the assistant or to plant a memory, and making such text inert.

For what is quoted, forwarded, said by others in a group, or put out by a tool; and, with fewer rules, for text whose
author is not known: notes and imports, where an owner's own "remember that" stands. Never for the owner's own words.
Joins three tables: `disguise` (what hides), `forged` (what pretends to be structure), `orders` (what is asked for). It is
a net, not a wall: what it misses is still untrusted and becomes no fact by itself.
"""

from __future__ import annotations

import re

from silo.text.disguise import HIDDEN, TAGS, TERMINAL, bare, disguised, spelled, uncover
from silo.text.forged import forged, looks_own
from silo.text.lazy import Lazy
from silo.text.machine import asked_of_memory, machine_form
from silo.text.orders import CLOSING, ORDERS, PASSES_ON, REMEMBER

# "remember that place we went to?" asks a person.
_QUESTION = Lazy(r"^[^.!\n]{0,80}\?")


def instruction_like(text: str, *, marks: bool = True, own: bool = False) -> str | None:
    """Why a text of somebody else reads as an order to the assistant or its memory; None for plain text.

    `marks` is off for the output of tools, which may well be our own memory files. `own` is on for text that may be the
    owner's: only what an owner does not say in these words counts then.
    """
    if TAGS.search(text) or disguised(text):
        return "hides characters"
    if own and text.lstrip().startswith(">"):
        return "quotes somebody"
    if marks and "\x1b" in text:
        return "hides characters"
    shown = uncover(text)
    if (reason := forged(shown, marks=marks)) is not None:
        return reason
    plain = shown.lower()
    for order in ORDERS:
        if (own and not order.own) or not all([word for word in group if word in plain] for group in order.needs):
            continue
        for match in order.pattern().finditer(plain):
            if order.reason == REMEMBER and _QUESTION().match(plain[match.end() : match.end() + 100]):
                continue
            return order.reason
    if ":" in plain and CLOSING().search(plain):
        return REMEMBER
    if marks:
        if (reason := machine_form(shown)) is not None:
            return reason
        if asked_of_memory(plain):
            return "gives the assistant orders"
    return None


def forged_marks(text: str) -> str | None:
    """Why lines of a file that we did not write look like a memory's own, None where they do not."""
    return "looks like a memory's own marks" if looks_own(bare(text)) else None


def passes_on(text: str) -> bool:
    """Whether an assistant's text repeats what a page, mail or file told it to keep or to do."""
    plain = text.lower()
    return all(any(word in plain for word in group) for group in PASSES_ON.needs) and PASSES_ON.pattern().search(plain) is not None


_FENCE = re.compile(r"`{3,}|~{3,}")
_TAG_LINE = re.compile(r"\[((?:AUTO-)?[A-Z]{2,}(?::[A-Z]+)?)\](?=\s+[\w-]+\s*:)")
_BREAKS = re.compile(r"[\s\x00-\x1f\x7f\u0085\u2028\u2029]+")


def inert(text: str) -> str:
    """One line that can be read and does nothing: comments, fences, tags, false event lines and hidden characters are
    taken apart, so that no parser of ours and no model takes them for structure."""
    text = TERMINAL.sub(" ", text.replace("\t", " ").replace("\n", " ").replace("\r", " ")) if not text.isprintable() else text
    text = HIDDEN.sub("", spelled(text))
    text = text.replace("<", "\u2039").replace(">", "\u203a").replace("\u27e6", "[ ").replace("\u27e7", " ]")
    text = _TAG_LINE.sub(r"(\1)", _FENCE.sub("'''", text))
    return _BREAKS.sub(" ", text).strip()
