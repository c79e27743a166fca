"""The YAML header of a topic file, key by key: values with their lines, and edits that touch one key's lines alone.

A value that is no YAML costs one Problem and stays as it is written; every other key is still read. Does not know what
the keys mean (topics.py does) and never writes a header anew.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from silo.formats import yaml_values
from silo.formats.yaml_values import Value
from silo.model import Problem
from silo.text.lines import BOM, content, ending, newline, split

_FENCE = re.compile(r"---[ \t]*\Z")
_CLOSE = re.compile(r"(?:---|\.\.\.)[ \t]*\Z")
_KEY = re.compile(r"""(?P<key>"[^"\\]*"|'[^']*'|[^\s#'"\-\[\]{}&*!|>%@`,?:][^#:]*?)[ \t]*:(?=[ \t]|\Z)""")
_LIST_LINE = re.compile(r"-(?:[ \t]|\Z)")


@dataclass(frozen=True, slots=True)
class Entry:
    """One key: its value (None if it is no text and no list of texts), its first line (from 1) and how many it takes."""

    key: str
    value: Value | None
    line: int
    count: int


@dataclass(frozen=True, slots=True)
class Header:
    """A header. `end` is how many lines of the file it takes, fences and lines before it included; 0 if there is none."""

    entries: tuple[Entry, ...] = ()
    start: int = 0  # number of its opening line, from 1; 0 if there is none
    end: int = 0
    problems: tuple[Problem, ...] = ()

    def entry(self, key: str) -> Entry | None:
        """The key's entry; the last one where it stands twice, as YAML has it."""
        return next((entry for entry in reversed(self.entries) if entry.key == key), None)

    def text(self, key: str, default: str = "") -> str:
        """The value as one text; a list is joined by commas."""
        entry = self.entry(key)
        if entry is None or entry.value is None:
            return default
        return entry.value.strip() if isinstance(entry.value, str) else ", ".join(entry.value)

    def list(self, key: str) -> tuple[str, ...]:
        """The value as a list; a text is split at its commas."""
        entry = self.entry(key)
        if entry is None or entry.value is None:
            return ()
        found = entry.value.split(",") if isinstance(entry.value, str) else entry.value
        return tuple(item.strip() for item in found if item.strip())


def parse_header(lines: Sequence[str], path: str = "") -> Header:
    """The header at the top of a file's lines (as `lines.split` gives them)."""
    start = _opening(lines)
    if start is None:
        return Header(
            problems=(Problem(f"{path}:1", "no-header", "the file has no header between two `---` lines"),)
        )
    end = _closing(lines, start)
    if end is None:
        message = "the header's closing `---` is missing; nothing of it is read"
        return Header(problems=(Problem(f"{path}:{start + 1}", "open-header", message),))
    entries: list[Entry] = []
    problems: list[Problem] = []
    at = start + 1
    while at < end:
        line = content(lines[at])
        hit = _KEY.match(line)
        if hit is None:
            if line.strip() and not line.lstrip().startswith("#"):
                message = "neither `key: value` nor a comment; it is kept and not read"
                problems.append(Problem(f"{path}:{at + 1}", "bad-header-line", message))
            at += 1
            continue
        count = _span(lines, at, end, line[hit.end() :])
        entry, wrong = _entry(
            hit, [content(raw) for raw in lines[at : at + count]], f"{path}:{at + 1}", at + 1
        )
        earlier = next((other for other in entries if other.key == entry.key), None)
        if earlier is not None:
            message = f"`{entry.key}` stands on line {earlier.line} already; the last one counts"
            problems.append(Problem(f"{path}:{at + 1}", "duplicate-key", message))
        entries.append(entry)
        problems.extend(wrong)
        at += count
    return Header(tuple(entries), start + 1, end + 1, tuple(problems))


def set_key(text: str, key: str, value: str | Sequence[str] | None) -> str:
    """The text with one key of its header set (None takes it out); all other bytes, comments too, stay as they are.

    A new key becomes the header's last one; a file without header gets one.
    """
    lines = split(text)
    header = parse_header(lines)
    wanted: Value | None = value if value is None or isinstance(value, str) else tuple(value)
    entry = header.entry(key)
    if entry is not None:
        at = entry.line - 1
        lines[at : at + entry.count] = _replaced(lines[at : at + entry.count], entry, wanted)
        return "".join(lines)
    if wanted is None:
        return text
    style = newline(text)
    new = f"{yaml_values.render_scalar(key)}: {_render(wanted)}{style}"
    if header.end:
        lines.insert(header.end - 1, new)
        return "".join(lines)
    mark = BOM if text.startswith(BOM) else ""
    return f"{mark}---{style}{new}---{style}{text.removeprefix(BOM)}"


def render_key(key: str, value: str | Sequence[str]) -> str:
    """One line of a new header, without line end."""
    return f"{key}: {_render(value if isinstance(value, str) else tuple(value))}"


def _opening(lines: Sequence[str]) -> int | None:
    for at, line in enumerate(lines):
        bare = content(line).removeprefix(BOM) if at == 0 else content(line)
        if bare.strip():
            return at if _FENCE.match(bare) else None
    return None


def _closing(lines: Sequence[str], start: int) -> int | None:
    """The closing line; a comment of HTML before it means that the header was never closed."""
    for at in range(start + 1, len(lines)):
        if _CLOSE.match(content(lines[at])):
            return at
        if lines[at].startswith("<!--"):
            return None
    return None


def _span(lines: Sequence[str], at: int, end: int, first: str) -> int:
    """How many lines a key takes: its own and the indented ones below, or a list that starts in the first column."""
    bare = yaml_values.cut_comment(first)[0]
    is_flow = bare[:1] in ("[", "{") and bare[-1:] not in ("]", "}")
    last = at
    for number in range(at + 1, end):
        line = content(lines[number])
        if not line.strip():
            continue
        closes = is_flow and line[0] in "]}"
        if not (line[0] in " \t" or closes or (not bare and _LIST_LINE.match(line))):
            break
        last = number
        if closes:
            break
    return last - at + 1


def _entry(hit: re.Match[str], raw: list[str], where: str, line: int) -> tuple[Entry, list[Problem]]:
    key = hit["key"].strip("\"'") if hit["key"][0] in "\"'" else hit["key"].strip()
    first, more = raw[0][hit.end() :], raw[1:]
    value = yaml_values.read_value(first, more)
    readable = True
    if value is None:
        value, readable = yaml_values.read_with_yaml(first, more)
    problems: list[Problem] = []
    if not readable:
        bare = yaml_values.cut_comment(first)[0]
        # What people mean by `title: Meeting: agenda` is plain; what an open bracket or quote means is not.
        value = bare if bare[:1] not in ("", *"[{'\"|>&*!%@`") and not more else None
        message = f"the value of `{key}` is no plain YAML; write it on one line in double quotes"
        problems.append(Problem(where, "bad-value", message))
    return Entry(key, value, line, len(raw)), problems


def _render(value: Value, *, quoted: bool = False) -> str:
    return (
        yaml_values.render_scalar(value, quoted=quoted)
        if isinstance(value, str)
        else yaml_values.render_list(value)
    )


def _replaced(raw: list[str], entry: Entry, value: Value | None) -> list[str]:
    """The lines of an entry with another value. Comments inside it stay."""
    line = content(raw[0])
    hit = _KEY.match(line)
    if hit is None:
        raise ValueError("not the line of a key")
    first = line[hit.end() :]
    is_block = first.strip()[:1] in ("|", ">")
    comments = [] if is_block else [other for other in raw[1:] if other.lstrip().startswith("#")]
    if value is None:
        return comments
    if isinstance(value, tuple) and value and _is_block_list(entry, first):
        return [raw[0], *_items(raw[1:], value)]
    bare, comment = yaml_values.cut_comment(first)
    gap = first[: len(first) - len(first.lstrip(" \t"))] if bare else ""
    new = _render(value, quoted=bare.startswith('"') and isinstance(value, str))
    return [
        f"{line[: hit.end()]}{gap or ' '}{new}{'' if is_block else comment}{ending(raw[-1] if not comments else raw[0])}",
        *comments,
    ]


def _is_block_list(entry: Entry, first: str) -> bool:
    return isinstance(entry.value, tuple) and not yaml_values.cut_comment(first)[0] and entry.count > 1


def _items(raw: list[str], value: tuple[str, ...]) -> list[str]:
    """A block list's lines with other items: lines of items that stay keep their bytes, comments keep their place."""
    kept: list[str] = []
    left = list(value)
    sample = next(line for line in raw if line.lstrip().startswith("-"))
    indent = sample[: len(sample) - len(sample.lstrip())]
    for line in raw:
        bare = content(line)
        if not bare.strip() or bare.lstrip().startswith("#"):
            kept.append(line)
            continue
        read = yaml_values.read_value("", [bare])
        if isinstance(read, tuple) and read and left and read[0] == left[0]:
            kept.append(line)
            left.pop(0)
    end = ending(sample) or "\n"
    if kept and not kept[-1].endswith("\n"):
        kept[-1] += end
    return [*kept, *(f"{indent}- {yaml_values.render_scalar(item)}{end}" for item in left)]
