"""What others' text may not do: instruct the assistant, or plant a memory. Such text becomes a review item."""

from __future__ import annotations

import re
from datetime import datetime

from silo.formats.session import Quarantined, RawSession
from silo.text.injection import inert, instruction_like

_MOST = 400  # characters of an item: enough to judge it by
_LOOKED_AT = 20_000  # characters that are searched
# A block that the owner quoted or pasted: Markdown quotation lines, or a fence.
_QUOTED = re.compile(
    r"^(?:[ \t]*>[^\n]*(?:\n|\Z))+|^(?P<f>`{3,}|~{3,})[^\n]*\n(?:.*?\n)??(?P=f)[^\n]*(?:\n|\Z)", re.M | re.S
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
    """The owner's text without the quoted blocks that read as orders, and the review items they make."""
    if ">" not in text and "`" * 3 not in text and "~" * 3 not in text:
        return text, []
    items: list[Quarantined] = []
    kept: list[str] = []
    last = 0
    for block in _QUOTED.finditer(text):
        words = re.sub(r"^[ \t]*>[ \t]?", "", block[0], flags=re.M)
        if made := inspect(words, raw, message, "quoted", at):
            items += made
            kept.append(text[last : block.start()])
            last = block.end()
    if not items:
        return text, []
    return re.sub(r"\n{3,}", "\n\n", "".join([*kept, text[last:]])).strip(), items


def _excerpt(text: str) -> str:
    """The first characters, cut at a word."""
    if len(text) <= _MOST:
        return text
    return text[:_MOST].rsplit(maxsplit=1)[0] + " …"
