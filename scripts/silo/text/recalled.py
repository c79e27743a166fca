"""Recalled text as it may be printed: data that can't be taken for a mark of ours, of the host or of a chat format."""

from __future__ import annotations

from silo.text.lazy import Lazy
from silo.text.lines import content

# Marks of ours, of the host, of chat formats; tags that say that they hold memory, instructions or a system's words.
_MARK = Lazy(
    r"(?i)<(?=\s*/?\s*(?:[\w-]*memor(?:y|ies)|system|developer|instructions?|user|assistant|recall|ide_|command-|local-command|file\b)"
    r"|!--|<<|\||\s*/?\s*antml)|⟦(?=openclaw:)|<<<(?=\s*(?:BEGIN|END|EXTERNAL))"
)


def shown(line: str) -> str:
    """One line of recalled text that can't be taken for a mark, a tag or an order's frame."""
    line = content(line)
    if "<" in line or "⟦" in line:
        line = _MARK().sub(lambda m: {"<": "‹", "⟦": "["}.get(m[0], "‹‹‹"), line)
    return line.rstrip()
