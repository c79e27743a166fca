"""Which files of a workspace hold memory that can be found, with size and time of each; their bytes.

Follows no link that leads out of the workspace. Does not decide what is in a file.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from silo.text.lines import decode

# Folders below memory/ that the host writes for itself; what is of use in them reaches memory through ingestion.
_HOSTS = frozenset({".dreams", "dreaming", "imports"})
_ROUTER = re.compile(r"^MEMORY(?:-[a-z0-9][a-z0-9_-]{0,63})?\.md$")
_PRIVATE = ".silo/private"
_GRAPHS = frozenset(
    {"memory/ontology/graph.jsonl", f"{_PRIVATE}/graph.jsonl", f"{_PRIVATE}/ontology/graph.jsonl"}
)


@dataclass(frozen=True, slots=True)
class Found:
    """A file as the disk shows it; `changed` is its modification time in nanoseconds."""

    path: str  # workspace-relative, POSIX
    size: int
    changed: int


def memory_files(root: Path) -> list[Found]:
    """Every file that can hold passages, newest path first, so that a short budget reads recent days first."""
    found = [f for f in _folder(root, "") if _ROUTER.match(f.path)]
    for folder in ("memory", _PRIVATE):
        found += _below(root, folder)
    return sorted(found, key=lambda f: f.path, reverse=True)


def read(root: Path, path: str) -> str | None:
    """The file's text, None if it went away or can't be read; that is another run's business to report."""
    try:
        return decode((root / path).read_bytes())
    except OSError:
        return None


def _below(root: Path, folder: str) -> Iterator[Found]:
    yield from (f for f in _folder(root, folder) if f.path.endswith(".md") or f.path in _GRAPHS)
    try:
        names = sorted(e.name for e in os.scandir(root / folder) if e.is_dir(follow_symlinks=False))
    except OSError:
        return
    for name in names:
        if name not in _HOSTS:
            yield from _below(root, f"{folder}/{name}")


def _folder(root: Path, folder: str) -> Iterator[Found]:
    """The plain files of one folder; a link counts where its target lies in the workspace."""
    try:
        entries = list(os.scandir(root / folder if folder else root))
    except OSError:
        return
    prefix = f"{folder}/" if folder else ""
    for entry in entries:
        try:
            if entry.is_symlink() and not Path(entry.path).resolve().is_relative_to(root.resolve()):
                continue
            if entry.is_file():
                stat = entry.stat()
                yield Found(prefix + entry.name, stat.st_size, stat.st_mtime_ns)
        except OSError:
            continue  # gone or unreadable between the listing and the look: as if it were not there
