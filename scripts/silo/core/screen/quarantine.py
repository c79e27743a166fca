"""What others' text may not do: instruct the assistant, or plant a memory. Such text becomes a review item."""

from __future__ import annotations

from datetime import datetime

from silo.formats.session import Quarantined, RawSession
from silo.text.injection import inert, instruction_like

_MOST = 400  # characters of an item: enough to judge it by


def inspect(text: str, raw: RawSession, message: str, found: str, at: datetime | None) -> list[Quarantined]:
    """The review items that a text of somebody else makes: none, or one."""
    reason = instruction_like(text)
    if not reason:
        return []
    return [Quarantined(raw.id, message, reason, found, inert(text)[:_MOST], at)]
