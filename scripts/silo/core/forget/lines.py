"""Line files without what goes: a day of the log, a tier file, a note, MEMORY.md. Every other line keeps its bytes."""

from __future__ import annotations

import re
from collections.abc import Collection

from silo.core.forget.choose import Gone
from silo.core.forget.hits import Hit, Left
from silo.formats.events import head, parse_file
from silo.formats.tiers import parse_tier
from silo.text.lines import content, decode, ending, split

FORGOTTEN = "(forgotten)"
_HEADING = re.compile(r"(\s*#{1,6}\s+)(.+)")
_LISTED = re.compile(r"\b(src|f):(\S+)")


def without_events(text: str, path: str, gone: Gone) -> Left:
    """A day of the log without the lines of its events that go, and without other lines that hold their words."""
    file = parse_file(text, path)
    events = {event.line: event for event in file.events}
    kept: list[str] = []
    hits: list[Hit] = []
    for number, line in enumerate(file.lines, 1):
        event = gone.events.get((path, number))
        if event is not None:
            hits.append(Hit(path, number, "event", event.text, event.id))
        elif number not in events and gone.words.held(content(line)):
            hits.append(Hit(path, number, "line", content(line).strip()))
        else:
            kept.append(line)
    left = "".join(kept)
    return Left(None if hits and left.strip() == decode(head(file.date)).strip() else left, tuple(hits))


def without_lines(text: str, path: str, gone: Gone, kind: str, only: Collection[int] | None = None) -> Left:
    """A Markdown file without the lines that hold what goes; a heading keeps its place without its words.

    `only`: numbers of the lines that may be touched at all.
    """
    lines = split(text)
    drop = {n for n, line in enumerate(lines, 1) if gone.words.held(content(line)) or gone.words.held(_shown(line))}
    for item in parse_tier(text, path).items:  # a statement that was wrapped over several lines
        whole = set(range(item.start + 1, item.end + 1))
        if not whole & drop and gone.words.held(" ".join(_shown(line) for line in lines[item.start : item.end])):
            drop |= whole
    if only is not None:
        drop &= set(only)
    kept: list[str] = []
    hits: list[Hit] = []
    for number, line in enumerate(lines, 1):
        heading = _HEADING.match(content(line))
        if number not in drop:
            kept.append(line)
        elif heading is not None:
            hits.append(Hit(path, number, kind, heading[2].strip(), kept="the heading, without its words"))
            kept.append(f"{heading[1]}{FORGOTTEN}{ending(line)}")
        else:
            hits.append(Hit(path, number, kind, content(line).strip()))
    return Left("".join(kept), tuple(hits))


def _shown(line: str) -> str:
    """A line without what marks it as bullet, box, quote or table."""
    bare = re.sub(r"^\s*(?:[-*+>]\s+|\d+[.)]\s+|\[[ xX]\]\s+|#{1,6}\s+)*", "", content(line))
    return bare.strip(" |")


def without_ids(line: str, ids: Collection[str]) -> str:
    """A line whose comment no longer names these events and facts; the rest keeps every byte."""

    def fewer(hit: re.Match[str]) -> str:
        names = hit[2].split(",")
        left = [name for name in names if name not in ids]
        return hit[0] if left == names else f"{hit[1]}:{','.join(left)}" if left else ""

    begin = line.find("<!--")
    if begin < 0 or not any(ident in line for ident in ids):
        return line
    done = _LISTED.sub(fewer, line[begin:])
    return line[:begin] + re.sub(r" {2,}", " ", done)
