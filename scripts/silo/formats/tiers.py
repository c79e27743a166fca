"""memory/protocols.md, active.md and archive.md: the tiers of a restructured memory.

Each has a header comment (purpose, how often it changes), sections under headings, and items. Lines are kept byte for
byte; an edit touches the lines that it names. Which line belongs into which tier is decided elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from silo.formats import comment, markdown
from silo.formats.markdown import Kind, Line
from silo.model import Problem
from silo.text.fold import fold
from silo.text.lines import BOM, invalid_lines, newline, split

PROTOCOLS, ACTIVE, ARCHIVE = "protocols", "active", "archive"
PATHS = {name: f"memory/{name}.md" for name in (PROTOCOLS, ACTIVE, ARCHIVE)}
LIMITS = {PROTOCOLS: 100, ACTIVE: 80}  # a file has fewer lines than this
WAITING = "Waiting On"  # the last section of active.md

COMMENTS = {
    PROTOCOLS: "<!-- Protocols: how things are done here, with the exact commands. Read at session start; changes rarely. "
    "No state of a project. -->",
    ACTIVE: "<!-- Active: what has a next action or waits for somebody. Looked at before acting; changes often. "
    "Done items move to archive.md; Waiting On stays last. -->",
    ARCHIVE: "<!-- Archive: finished work and reference data, under headings. Searched when needed; only grows. -->",
}
_TITLES = {PROTOCOLS: "Protocols", ACTIVE: "Active", ARCHIVE: "Archive"}
_WAITING = re.compile(r"(?:waiting (?:on|for)|aguardando|a espera de|esperando)\b")
_BOX = re.compile(r"\[([ xX])\](?:\s+|\Z)")


@dataclass(frozen=True, slots=True)
class Item:
    """A bullet with all that is indented under it; `done` is None without a check box. Lines start…end, from 0."""

    text: str
    section: str
    done: bool | None
    start: int
    end: int
    lines: str


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with the lines up to the next heading of its level or above. Lines start…end, from 0."""

    title: str
    level: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class TierFile:
    """One of the three files as read; `name` is protocols, active or archive, '' for a path that is none of them."""

    path: str
    name: str
    lines: tuple[str, ...]
    sections: tuple[Section, ...]
    items: tuple[Item, ...]
    problems: tuple[Problem, ...]


def parse_tier(text: str, path: str) -> TierFile:
    """The sections and the outermost items of a tier file, and what its rules say against it."""
    name = next((key for key, own in PATHS.items() if own == path), "")
    lines = split(text)
    scanned = markdown.scan([line.removeprefix(BOM) if n == 0 else line for n, line in enumerate(lines)])
    sections = _sections(scanned)
    items = _items(scanned, lines, sections)
    problems = [
        Problem(f"{path}:{number}", "invalid-utf8", "bytes that are not UTF-8; they are kept as they stand")
        for number in invalid_lines(text)
    ]
    problems.extend(_rules(name, path, scanned, sections, items))
    return TierFile(path, name, tuple(lines), sections, items, tuple(problems))


def render_tier(tier: TierFile) -> str:
    """The text that `parse_tier` read."""
    return "".join(tier.lines)


def new_tier(name: str) -> str:
    """An empty tier file: title and header comment."""
    return f"# {_TITLES[name]}\n\n{COMMENTS[name]}\n"


def with_comment(text: str, name: str) -> str:
    """The text with its header comment; put below the title where it is missing, untouched where there is one."""
    scanned = markdown.scan(split(text.removeprefix(BOM)))
    if _has_comment(scanned):
        return text
    style = newline(text)
    lines = split(text)
    at = next((n for n, line in enumerate(scanned) if line.kind is not Kind.BLANK), 0)
    if scanned and scanned[at].kind is Kind.HEADING and scanned[at].level == 1:
        lead = "" if lines[at].endswith("\n") else style
        lines.insert(at + 1, f"{lead}{style}{COMMENTS[name]}{style}")
        return "".join(lines)
    mark = BOM if text.startswith(BOM) else ""
    return f"{mark}{COMMENTS[name]}{style}{style}{text.removeprefix(BOM)}"


def remove_item(text: str, path: str, item: Item) -> str:
    """The text without an item and what is indented under it."""
    tier = parse_tier(text, path)
    if item not in tier.items:
        raise ValueError("no such item")
    return "".join([*tier.lines[: item.start], *tier.lines[item.end :]])


def _sections(scanned: Sequence[Line]) -> tuple[Section, ...]:
    heads = [(n, line) for n, line in enumerate(scanned) if line.kind is Kind.HEADING]
    found: list[Section] = []
    for k, (n, line) in enumerate(heads):
        end = next((m for m, other in heads[k + 1 :] if other.level <= line.level), len(scanned))
        found.append(Section(line.text, line.level, n, end))
    return tuple(found)


def _items(scanned: Sequence[Line], lines: Sequence[str], sections: Sequence[Section]) -> tuple[Item, ...]:
    found: list[Item] = []
    at = 0
    while at < len(scanned):
        line = scanned[at]
        if line.kind is not Kind.BULLET:
            at += 1
            continue
        end = at + 1
        for n in range(at + 1, len(scanned)):
            if scanned[n].kind is Kind.BLANK:
                continue
            if scanned[n].indent <= line.indent:
                break
            end = n + 1
        text = comment.tail(line.text)[0].strip()
        box = _BOX.match(text)
        section = next((s.title for s in reversed(sections) if s.start < at), "")
        done = None if box is None else box[1] != " "
        bare = text[box.end() :] if box is not None else text
        found.append(Item(bare, section, done, at, end, "".join(lines[at:end])))
        at = end
    return tuple(found)


def _has_comment(scanned: Sequence[Line]) -> bool:
    """A comment before the first line that is neither blank nor the title."""
    first = next(
        (
            line
            for line in scanned
            if line.kind is not Kind.BLANK and not (line.kind is Kind.HEADING and line.level == 1)
        ),
        None,
    )
    return first is not None and first.kind is Kind.COMMENT


def is_waiting(title: str) -> bool:
    """Whether a heading names the section of what is waited for, whatever emoji stands before it."""
    return _WAITING.match(fold(re.sub(r"^[\W_]+", "", title))) is not None


def _rules(
    name: str, path: str, scanned: Sequence[Line], sections: Sequence[Section], items: Sequence[Item]
) -> list[Problem]:
    if not name:
        return []
    found: list[Problem] = []
    if not _has_comment(scanned):
        found.append(
            Problem(
                f"{path}:1",
                "no-header-comment",
                "the comment with purpose and frequency is missing at the top",
            )
        )
    limit = LIMITS.get(name)
    if limit is not None and len(scanned) >= limit:
        found.append(
            Problem(
                f"{path}:{limit}", "long-tier", f"{len(scanned)} lines; {name}.md is to stay under {limit}"
            )
        )
    if name == ACTIVE:
        waiting = next((s for s in sections if is_waiting(s.title)), None)
        after = next((s for s in sections if waiting is not None and s.start >= waiting.end), None)
        if after is not None:
            found.append(
                Problem(
                    f"{path}:{after.start + 1}", "waiting-not-last", f"`{WAITING}` is to be the last section"
                )
            )
        found.extend(
            Problem(f"{path}:{item.start + 1}", "done-item", "done; it belongs into archive.md")
            for item in items
            if item.done
        )
    return found
