"""What others' text may not do: instruct the assistant, or plant a memory. Such text becomes a review item."""

from __future__ import annotations

import re
from datetime import datetime

from silo.formats.session import Quarantined, RawSession
from silo.text.forged import MAIL
from silo.text.injection import inert, instruction_like

_MOST = 400  # characters of an item: enough to judge it by
_LOOKED_AT = 20_000  # characters that are searched
# A block that the owner quoted or pasted: Markdown quotation lines, a fence, a mail below its header, words in quotes.
_QUOTED = re.compile(
    r"^(?:[ \t]*>[^\n]*(?:\n|\Z))+|^(?P<f>`{3,}|~{3,})[^\n]*\n(?:.*?\n)??(?P=f)[^\n]*(?:\n|\Z)"
    r"|\"[^\"\n]{12,600}\"|\u201c[^\u201d\n]{12,600}\u201d|\u00ab[^\u00bb\n]{12,600}\u00bb",
    re.M | re.S,
)

def inspect(text: str, raw: RawSession, message: str, found: str, at: datetime | None) -> list[Quarantined]:
    """The review items that a text of somebody else makes: none, or one."""
    text = text[:_LOOKED_AT]
    reason = instruction_like(text, marks=found != "tool")
    if not reason:
        return []
    return [Quarantined(raw.id, message, reason, found, inert(_excerpt(text)), at)]


def without_orders(
    text: str, raw: RawSession, message: str, at: datetime | None
) -> tuple[str, list[Quarantined]]:
    """The owner's text without the quoted blocks that read as orders, and the review items they make.

    A mail that the owner pasted below its header is another's word, orders or not, and goes.
    """
    items: list[Quarantined] = []
    if (mail := MAIL().search(text)) is not None:
        items += inspect(text[mail.end() :], raw, message, "quoted", at)
        text = text[: mail.start()].rstrip()
    if not any(mark in text for mark in (">", "`" * 3, "~" * 3, '"', "\u201c", "\u00ab")):
        return text, items
    kept: list[str] = []
    last = 0
    for block in _QUOTED.finditer(text):
        words = re.sub(r"^[ \t]*>[ \t]?", "", block[0], flags=re.M)
        if made := inspect(words, raw, message, "quoted", at):
            items += made
            kept += [text[last : block.start()], "" if "\n" in block[0] or block[0].lstrip()[:1] in ">`~" else '"…"']
            last = block.end()
    if not last:
        return text, items
    return re.sub(r"\n{3,}", "\n\n", "".join([*kept, text[last:]])).strip(), items


def _excerpt(text: str) -> str:
    """The first characters, cut at a word."""
    if len(text) <= _MOST:
        return text
    return text[:_MOST].rsplit(maxsplit=1)[0] + " …"
