"""What a topic file has too much of moves to <slug>.archive.md: its oldest source blocks, its oldest changelog entries. Pure.

Nothing is changed on the way: the blocks of the layer followed by those of the archive are the same bytes before and after,
and so are the entries. "Oldest" is the end of the layer, where the newest stands first.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from silo.formats.topics import TopicFile, is_archive, new_archive, parse_topic
from silo.text.lines import encode, newline

MOST_CHANGES = 200  # changelog entries that stay in the topic file
_SIZE = re.compile(r"(\d+(?:[.,]\d+)?)\s*(b|kb?|kib|mb?|mib)?", re.IGNORECASE)
_KILO = 1000  # a bare figure of at most so much counts kilobytes


@dataclass(frozen=True, slots=True)
class Limits:
    """Bytes of source layer, and changelog entries, that a topic file holds before it overflows."""

    source_bytes: int = 30_000
    changes: int = MOST_CHANGES


@dataclass(frozen=True, slots=True)
class Overflow:
    """Both files after the move."""

    topic: str
    archive: str
    blocks: int
    entries: int


def archive_path(path: str) -> str:
    """'memory/topics/home.md' → 'memory/topics/home.archive.md'."""
    return path if is_archive(path) else path.removesuffix(".md") + ".archive.md"


def limits_of(topic: TopicFile, default: Limits) -> Limits:
    """The topic's own `archive_threshold` (`30000`, `30KB`, `30`: kilobytes) before the configured one."""
    hit = _SIZE.fullmatch(topic.header.text("archive_threshold").strip())
    if hit is None:
        return default
    value, unit = float(hit[1].replace(",", ".")), (hit[2] or "").lower()
    factor = 1_000_000 if unit.startswith("m") else _KILO if unit.startswith("k") or (not unit and value <= _KILO) else 1
    return Limits(max(int(value * factor), 1), default.changes)


def is_over(topic: TopicFile, limits: Limits) -> bool:
    """Whether something has to move. The newest block stays, however long it is."""
    return topic.editable and (_blocks_over(topic, limits) > 0 or len(topic.entries) > limits.changes)


def overflow(text: str, archive: str | None, path: str, limits: Limits) -> Overflow | None:
    """The topic's text and its archive's after the move; None where nothing is over, or the archive can't be written."""
    topic = parse_topic(text, path)
    if not is_over(topic, limits):
        return None
    into = archive if archive is not None else new_archive(topic.slug)
    there = parse_topic(into, archive_path(path))
    if not there.editable or there.source is None or there.curated is None:
        return None
    lines, kept = list(topic.lines), list(there.lines)
    moving = topic.blocks[len(topic.blocks) - _blocks_over(topic, limits) :]
    entries = topic.entries[limits.changes :]
    if moving:
        start, end = moving[0].start, moving[-1].end
        at = there.blocks[0].start if there.blocks else there.source[1]
        kept[at:at] = lines[start:end]
        del lines[start:end]
    if entries:
        at = there.entries[0].start if there.entries else (there.changelog + 1 if there.changelog is not None else there.curated[1])
        head = [] if there.changelog is not None else [f"## Changelog{newline(into)}"]
        kept[at:at] = [*head, *(line for entry in entries for line in topic.lines[entry.start : entry.end])]
        for entry in reversed(entries):
            del lines[entry.start : entry.end]
    return Overflow("".join(lines), "".join(kept), len(moving), len(entries))


def _blocks_over(topic: TopicFile, limits: Limits) -> int:
    """How many blocks from the end of the layer have to go. What stands before the first one stays and counts."""
    if topic.source is None:
        return 0
    size = len(encode("".join(topic.lines[slice(*topic.source)])))
    number = 0
    for block in reversed(topic.blocks[1:]):
        if size <= limits.source_bytes:
            break
        size -= len(encode(block.text))
        number += 1
    return number
