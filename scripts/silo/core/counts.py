"""Counts that published headers carry (`curated_lines`, `source_lines`, `source_kb`): kept true where they stand, never added."""

from __future__ import annotations

from silo.formats.topics import TopicFile, parse_topic, set_header
from silo.text.lines import encode


def counts_of(topic: TopicFile) -> dict[str, str]:
    """The counts as they should be: non-blank lines of each layer, and the source layer's size in KB (1024 bytes, one digit)."""
    curated, source = (topic.lines[slice(*span)] if span else () for span in (topic.curated, topic.source))
    return {
        "curated_lines": str(sum(bool(line.strip()) for line in curated)),
        "source_lines": str(sum(bool(line.strip()) for line in source)),
        "source_kb": f"{len(encode(''.join(source))) / 1024:.1f}",
    }


def stale_counts(topic: TopicFile) -> dict[str, tuple[int, str]]:
    """Counts of the header that are not as they should be: key → (line from 1, the right value)."""
    found: dict[str, tuple[int, str]] = {}
    for key, right in counts_of(topic).items():
        entry = topic.header.entry(key)
        if entry is not None and topic.header.text(key) != right:
            found[key] = (entry.line, right)
    return found


def with_counts(text: str) -> str:
    """The topic file with its counts made true; the same text where it has none."""
    for key, (_, right) in stale_counts(parse_topic(text)).items():
        text = set_header(text, key, right)
    return text
