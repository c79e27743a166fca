"""Text that tries to instruct the assistant or its memory, and making such text inert. Pure pattern work."""

from __future__ import annotations

import re

_OVERRIDE = re.compile(
    r"\b(?:ignore|disregard|forget|override)\b[^.\n]{0,40}\b(?:previous|prior|above|earlier|all|your)\b[^.\n]{0,30}"
    r"\b(?:instructions?|rules?|prompts?|directions?|guidelines?)\b",
    re.I,
)
_PLANT = re.compile(
    r"\b(?:remember|memori[sz]e|store|save|add|write|note)\b[^.\n]{0,60}\b(?:in|to|into)\b[^.\n]{0,20}\bmemory\b", re.I
)


def instruction_like(text: str) -> str | None:
    """Why a text reads as an instruction to the assistant or its memory; None for plain text."""
    if _OVERRIDE.search(text):
        return "overrides instructions"
    if _PLANT.search(text):
        return "asks to be remembered"
    return None


def inert(text: str) -> str:
    """The text with markers, fences and false event lines taken apart, one line."""
    return re.sub(r"\s+", " ", text).replace("<!--", "<! --").replace("`" * 3, "'" * 3).strip()
