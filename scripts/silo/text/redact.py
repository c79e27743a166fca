"""Secrets out of text: one table of rules, each with the literals that must stand in a text before its pattern runs."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """A secret that was replaced: its kind, and where it stood in the text as given."""

    kind: str
    start: int
    end: int


_STATED = re.compile(r"(?i)\b(?:password|senha|passwd|pwd)\b\s*(?:is|é|=|:)?\s*(?P<secret>(?=\S*\d)[^\s,;]{4,})")


def redact(text: str) -> tuple[str, tuple[Finding, ...]]:
    """(text with `[REDACTED:kind]` in place of each secret, findings)."""
    out, found, last = [], [], 0
    for match in _STATED.finditer(text):
        start, end = match.span("secret")
        if text.startswith("[REDACTED:", start):
            continue
        out += [text[last:start], "[REDACTED:password]"]
        found.append(Finding("password", start, end))
        last = end
    return ("".join([*out, text[last:]]), tuple(found)) if found else (text, ())
