"""Managed blocks: `<!-- silo:NAME:begin -->` … `<!-- silo:NAME:end -->` in files that belong to the user.

Exactly one begin and one end, in this order, or the block is damaged: a Problem that names the line, and the caller
writes nothing. Text outside the block is never changed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from silo.model import Problem
from silo.text.lines import BOM, content, newline, split

_MARKER = re.compile(r"\s*<!--\s*silo:([a-z0-9-]+):(begin|end)\s*-->\s*\Z")
_NEAR = re.compile(r"<!--\s*silo:")


@dataclass(frozen=True, slots=True)
class Block:
    """A block's place as indices of lines, markers included (`end` is the line after its end marker), and its inside."""

    name: str
    start: int
    end: int
    body: str


def find(text: str, name: str, path: str = "") -> Block | Problem | None:
    """The block of that name; None if there is none; a Problem if its markers are damaged."""
    lines = split(text)
    begins: list[int] = []
    ends: list[int] = []
    for at, line in enumerate(lines):
        hit = _MARKER.match(line.removeprefix(BOM))
        if hit is not None and hit[1] == name:
            (begins if hit[2] == "begin" else ends).append(at)
    wrong = _damage(begins, ends)
    if wrong is not None:
        at, what = wrong
        message = f"the marks of the block `{name}` are damaged: {what}; mend or remove them, nothing is written till then"
        return Problem(f"{path}:{at + 1}", "damaged-block", message)
    if not begins:
        return None
    return Block(name, begins[0], ends[0] + 1, "".join(lines[begins[0] + 1 : ends[0]]))


def names(text: str) -> tuple[str, ...]:
    """The names of all blocks of ours that the text has a mark of, in order."""
    hits = (_MARKER.match(line) for line in split(text.removeprefix(BOM)))
    return tuple(dict.fromkeys(hit[1] for hit in hits if hit is not None))


def replace(text: str, name: str, body: str) -> str:
    """The text with that block's inside replaced; a block that is not there is added at the end.

    `body` is whole lines in "\\n"; they are written in the file's own style. Lines of it that are marks of ours, or
    look like one, lose their bracket, so that no content can damage the block.

    Raises:
        ValueError: the block is damaged. Callers look with `find` first.
    """
    block = _sound(text, name)
    style = newline(text)
    inner = "".join(_line(content(line)) + style for line in split(body))
    begin, end = f"<!-- silo:{name}:begin -->", f"<!-- silo:{name}:end -->"
    lines = split(text)
    if block is not None:
        inside = split(inner)
        return "".join([*lines[: block.start + 1], *inside, *lines[block.end - 1 :]])
    if text and not text.endswith("\n"):  # a file without a last line end has none afterwards
        return f"{text}{style * 2}{begin}{style}{inner}{end}"
    return f"{text}{style if text else ''}{begin}{style}{inner}{end}{style}"


def remove(text: str, name: str) -> str:
    """The text without that block, marks included, and without the line ends that `replace` set before it."""
    block = _sound(text, name)
    if block is None:
        return text
    lines = split(text)
    start = block.start
    if block.end == len(lines) and start and not lines[start - 1].strip():
        start -= 1
    left = "".join([*lines[:start], *lines[block.end :]])
    return left.removesuffix(newline(text)) if block.end == len(lines) and not text.endswith("\n") else left


def _sound(text: str, name: str) -> Block | None:
    block = find(text, name)
    if isinstance(block, Problem):
        raise ValueError(block.message)
    return block


def _line(line: str) -> str:
    return _NEAR.sub("silo:", line)


def _damage(begins: list[int], ends: list[int]) -> tuple[int, str] | None:
    if not begins and not ends:
        return None
    if not begins:
        return ends[0], "an end without a begin"
    if not ends:
        return begins[0], "a begin without an end"
    if len(begins) > 1:
        return begins[1], "a second begin"
    if len(ends) > 1:
        return ends[1], "a second end"
    return (ends[0], "its end stands before its begin") if ends[0] < begins[0] else None
