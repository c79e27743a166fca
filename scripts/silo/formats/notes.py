"""The host's daily notes, memory/YYYY-MM-DD*.md: read, never written.

A statement is a bullet or a line of prose. Blocks that the host itself manages (dreaming, promotions), code, quotations
and headings are none. A dump of a session repeats a transcript and is told as such, with who said each line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from silo.formats import comment, markdown
from silo.formats.fields import is_date
from silo.formats.markdown import Kind, Line
from silo.text.lines import BOM, content, split

_NAME = re.compile(r"(?:.*/)?(\d{4}-\d{2}-\d{2})(?:[-_. T](.+?))?\.md\Z")
_OPEN = re.compile(r"\s*<!--\s*(openclaw[\w.-]*(?::[\w.-]+)*):(?:start|begin)\s*-->\s*\Z")
_PROMOTION = re.compile(r"\s*<!--\s*openclaw-memory-promotion\b")
_SESSION = re.compile(r"#\s*Session\b|[-*]\s+\*\*Session (?:Key|ID)\*\*:", re.IGNORECASE)
_SPEAKER = re.compile(
    r"(?:\*\*)?(user|assistant|human|agent|system)(?:\*\*)?:(?:\*\*)?\s*(.*)\Z", re.IGNORECASE
)
_ROW = re.compile(r"[|\s:-]+\Z")
_ENDS = re.compile(r"[.!?…:;)\]»”\"]\Z")


@dataclass(frozen=True, slots=True)
class Statement:
    """One line of a note that says something: its number (from 1), its text without marker and comments, the heading
    above it, and in a session's dump who said it ('user' or 'assistant', else '')."""

    line: int
    text: str
    heading: str = ""
    speaker: str = ""
    done: bool | None = None


@dataclass(frozen=True, slots=True)
class Note:
    """A daily note: its day, what its name says beside it, whether it is a session's dump, and its statements."""

    path: str
    date: str
    label: str
    is_session: bool
    statements: tuple[Statement, ...]


def note_date(path: str) -> str | None:
    """The day of a daily note by its name ('memory/2026-11-29-1430.md' → '2026-11-29'); None for any other file."""
    hit = _NAME.match(path)
    return hit[1] if hit is not None and is_date(hit[1]) and "/events/" not in path else None


def parse_note(text: str, path: str) -> Note:
    """The statements of a daily note.

    Raises:
        ValueError: the path is not that of a daily note; callers ask `note_date` first.
    """
    date = note_date(path)
    if date is None:
        raise ValueError(f"{path} is no daily note")
    hit = _NAME.match(path)
    lines = split(text.removeprefix(BOM))
    is_session = any(_SESSION.match(content(line)) for line in lines[:12])
    scanned = markdown.scan(lines)
    hidden = managed_lines(lines)
    found: list[Statement] = []
    heading = ""
    at = 0
    while at < len(lines):
        line = scanned[at]
        end = at + 1
        if line.kind is Kind.HEADING:
            heading = comment.strip(line.text)
        elif at not in hidden and line.kind in (Kind.BULLET, Kind.TEXT, Kind.TABLE):
            end = _end(scanned, at, hidden) if not is_session else end
            statement = _statement(scanned[at:end], at + 1, heading, is_session)
            if statement is not None:
                found.append(statement)
        at = end
    return Note(path, date, (hit[2] or "") if hit is not None else "", is_session, tuple(found))


def _statement(lines: Sequence[Line], number: int, heading: str, is_session: bool) -> Statement | None:
    text = " ".join(part for part in (comment.strip(line.text) for line in lines) if part)
    speaker = ""
    if is_session:
        said = _SPEAKER.match(text)
        if said is None:
            return None
        speaker = "user" if said[1].lower() in ("user", "human") else "assistant"
        text = said[2].strip()
        if len(text) > 1 and text[0] == text[-1] == '"':
            text = text[1:-1]
    if lines[0].kind is Kind.TABLE:
        if _ROW.match(text):
            return None
        text = " | ".join(cell.strip() for cell in text.strip("| ").split("|"))
    box = re.match(r"\[([ xX])\](?:\s+|\Z)", text)
    if box is not None:
        text = text[box.end() :]
    return Statement(number, text, heading, speaker, None if box is None else box[1] != " ") if text else None


def _end(scanned: Sequence[Line], at: int, hidden: set[int]) -> int:
    """The end of a statement: lines of prose below that go on in the middle of a sentence belong to it."""
    end = at + 1
    if scanned[at].kind is Kind.TABLE:
        return end
    while end < len(scanned) and end not in hidden and scanned[end].kind is Kind.TEXT:
        before, line = scanned[end - 1].text.rstrip(), scanned[end]
        deeper = scanned[at].kind is Kind.BULLET and line.indent > scanned[at].indent
        wrapped = before.endswith(",") or (line.text[:1].islower() and not _ENDS.search(before))
        if not (deeper or wrapped):
            break
        end += 1
    return end


def managed_lines(lines: Sequence[str]) -> set[int]:
    """Indices of the lines in blocks that the host manages. A block without its end mark reaches to the next blank line
    or heading: what a person wrote below stays readable."""
    hidden: set[int] = set()
    at = 0
    while at < len(lines):
        opened = _OPEN.match(lines[at])
        if opened is not None:
            close = re.compile(rf"\s*<!--\s*{re.escape(opened[1])}:(?:end|stop)\s*-->")
            end = next((n for n in range(at + 1, len(lines)) if close.match(lines[n])), None)
            stop = end + 1 if end is not None else _gap(lines, at + 1)
        elif _PROMOTION.match(lines[at]):
            stop = min(at + 2, len(lines))
        else:
            at += 1
            continue
        hidden.update(range(at, stop))
        at = stop
    return hidden


def _gap(lines: Sequence[str], at: int) -> int:
    return next(
        (n for n in range(at, len(lines)) if not lines[n].strip() or lines[n].startswith("#")), len(lines)
    )
