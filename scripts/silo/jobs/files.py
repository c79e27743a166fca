"""Which files a night reads: known without loading anything else."""

from __future__ import annotations

# `**` is left out on purpose: folders of other programs are none of ours.
NIGHT_FILES = (
    "memory/*.md",
    "memory/topics/*.md",
    "memory/events/*.md",
    ".silo/private/topics/*.md",
    ".silo/private/events/*.md",
    ".silo/review.jsonl",
)

SOURCE_BYTES = 30_000  # of a source layer, where the configuration says nothing else
