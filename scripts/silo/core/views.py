"""Views over the topics that are generated and never edited: the topic index."""

from __future__ import annotations

from collections.abc import Iterable

from silo.formats.index import render_index
from silo.model import TopicInfo, Write
from silo.text.lines import encode, sha256

INDEX = "memory/index.md"


def plan_index(topics: Iterable[TopicInfo], present: bytes | None) -> tuple[Write, ...]:
    """The index made anew, or nothing where it is as it should be already."""
    wanted = encode(render_index(topics))
    if wanted == present:
        return ()
    return (Write(INDEX, None if present is None else sha256(present), wanted, "topic index"),)
