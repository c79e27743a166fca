"""Unfolds what the host's dreaming promoted into MEMORY.md: one long line of collapsed Markdown into single statements.

The line itself stays verbatim in the archive. Raw talk, candidates without evidence and the host's own bookkeeping are
no statements. Does not decide topic or tag.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from silo.core.migrate.reading import Document, Kind, undress
from silo.text.injection import instruction_like
from silo.text.lines import one_line
from silo.text.redact import redact

_TAIL = re.compile(r"\s*\[score=[^\]\n]{0,300}\]\s*$")
_SOURCE = re.compile(r"openclaw-memory-promotion:\S*?(\d{4}-\d{2}-\d{2})")
_TALK = re.compile(
    r"\bCandidate:|\(untrusted metadata\)|\bconfidence: 0\.|(?:^|\s)(?:user|assistant|system): |session-corpus|openclaw:dreaming|NO_REPLY|HEARTBEAT",
    re.I,
)
_CUT = re.compile(r"(?:^|\s)(?:- |\* |\d{1,2}\. )(?=\S)")
_WORDS = re.compile(r"[^\W_]+")
_FEWEST = 3
_MOST = 500


@dataclass(frozen=True, slots=True)
class Promoted:
    """One statement, the line (from 1) it was folded into, the day of the note it came from ("" if unknown)."""

    line: int
    date: str
    text: str


def unfold(document: Document, secrets: frozenset[int]) -> tuple[Promoted, ...]:
    """The statements of all promoted blocks, each once; lines with a secret are left alone."""
    found: dict[str, Promoted] = {}
    for block in document.blocks:
        if block.kind is not Kind.PROMOTION or not secrets.isdisjoint(range(block.start, block.end + 1)):
            continue
        day = _SOURCE.search(document.lines[block.start - 1])
        text = _TAIL.sub("", one_line(block.text))
        if _TALK.search(text):
            continue
        for part in _statements(text):
            found.setdefault(part, Promoted(block.start + 1, day[1] if day else "", part))
    return tuple(found.values())


def _statements(text: str) -> list[str]:
    """Bullets and numbered points, each on its own; collapsed headings are dropped."""
    out: list[str] = []
    for section in re.split(r"(?:^|\s)#{1,6} ", text):
        points = _CUT.split(section)
        head, rest = points[0], points[1:]
        if not rest and section == text:
            rest = [head]
        label = ""
        for point in rest:
            said = undress(point.strip())
            if point.lstrip().startswith("**") and point.rstrip().endswith("**"):
                label = said
                continue
            said = f"{label}: {said}" if label else said
            if (
                len(_WORDS.findall(said)) >= _FEWEST
                and len(said) <= _MOST
                and not instruction_like(said)
                and redact(said)[0] == said
            ):
                out.append(said)
    return out
