"""What kind each line of a person's Markdown is: enough to find headings, bullets and what must be left alone.

A line scanner, not a Markdown parser: no inline markup, no lazy continuation, no setext headings. A fence or a comment
that is never closed is taken for plain text, so that a slip of the pen hides nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from silo.text.lines import content

_FENCE = re.compile(r"([ \t]*(?:[-*+][ \t]+)?)(`{3,}(?=[^`]*\Z)|~{3,})")
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))??(?:[ \t]+#+)?[ \t]*\Z")
_RULE = re.compile(r"[ \t]*([-*_])(?:[ \t]*\1){2,}[ \t]*\Z")
_BULLET = re.compile(r"([ \t]*)([-*+])([ \t]+)(?=\S)")
_START = re.compile(r"\\*(?:\[[ xX]\](?=\s|\Z)|`{3}|~{3}|[-*_](?:\s*[-*_])*\s*\Z)")


class Kind(StrEnum):
    """The kinds of line. FENCE and COMMENT are all lines of a code block or of an HTML comment."""

    BLANK = "blank"
    HEADING = "heading"
    BULLET = "bullet"
    FENCE = "fence"
    COMMENT = "comment"
    RULE = "rule"
    TABLE = "table"
    QUOTE = "quote"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Line:
    """One line: its kind, its indent in columns (in a fence that of its first line), a heading's level, its text."""

    kind: Kind
    indent: int = 0
    level: int = 0
    text: str = ""
    prefix: str = ""  # of a bullet: what stands before its text, e.g. "  - "


def scan(lines: Sequence[str]) -> list[Line]:
    """The kind of each line, in order; as many as there are lines."""
    found: list[Line] = []
    hopeless: dict[str, int] = {}  # fence character → shortest run that was found never to be closed
    at = 0
    while at < len(lines):
        line = content(lines[at])
        end = at + 1
        kind = Kind.BLANK
        if (fence := _FENCE.match(line)) is not None and len(fence[2]) < hopeless.get(fence[2][0], 1 << 30):
            close = _fence_end(lines, at + 1, fence[2])
            if close is None:
                hopeless[fence[2][0]] = len(fence[2])
            else:
                kind, end = Kind.FENCE, close + 1
        elif line.lstrip().startswith("<!--"):
            tail = line.partition("<!--")[2]
            if "-->" in tail:
                kind = Kind.COMMENT if not tail.rpartition("-->")[2].strip() else Kind.BLANK
            elif (close := _comment_end(lines, at + 1)) is not None:
                kind, end = Kind.COMMENT, close + 1
        if kind is Kind.BLANK:
            found.append(_line(line))
        else:
            found.extend(Line(kind, _columns(line), text=content(raw)) for raw in lines[at:end])
        at = end
    return found


def escape_start(text: str) -> str:
    """A bullet's text that can't be taken for a check box, a fence or a rule: a backslash goes before such a start."""
    return "\\" + text if _START.match(text) else text


def unescape_start(text: str) -> str:
    """The inverse of `escape_start`."""
    return text[1:] if text.startswith("\\") and _START.match(text) else text


def _line(line: str) -> Line:
    bare = line.strip()
    indent = _columns(line)
    if not bare:
        return Line(Kind.BLANK)
    if (heading := _HEADING.match(line)) is not None:
        return Line(Kind.HEADING, indent, len(heading[1]), (heading[2] or "").strip())
    if _RULE.match(line):
        return Line(Kind.RULE, indent, text=bare)
    if (bullet := _BULLET.match(line)) is not None:
        return Line(Kind.BULLET, indent, text=line[bullet.end() :], prefix=bullet[0])
    kind = Kind.TABLE if bare.startswith("|") else Kind.QUOTE if bare.startswith(">") else Kind.TEXT
    return Line(kind, indent, text=bare)


def _columns(line: str) -> int:
    """Width of the space at the start; a tab reaches to the next multiple of four."""
    width = 0
    for char in line:
        if char == " ":
            width += 1
        elif char == "\t":
            width += 4 - width % 4
        else:
            break
    return width


def _fence_end(lines: Sequence[str], start: int, run: str) -> int | None:
    for at in range(start, len(lines)):
        bare = lines[at].strip()
        if bare.startswith(run) and not bare.strip(run[0]):
            return at
    return None


def _comment_end(lines: Sequence[str], start: int) -> int | None:
    """Where a comment ends. Another opening before, or an end in a bullet, means that it was never closed."""
    for at in range(start, len(lines)):
        before, close, _ = lines[at].partition("-->")
        if "<!--" in before:
            return None
        if close:
            return None if _BULLET.match(before + close) else at
    return None
