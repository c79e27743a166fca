"""Which files of a workspace hold memory that can be found, with size and time of each; their bytes.

Follows no link that leads out of the workspace. Does not decide what is in a file.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from stat import S_ISREG

from silo.text.lines import decode

# Folders below memory/ that the host writes for itself; what is of use in them reaches memory through ingestion.
_HOSTS = frozenset({".dreams", "dreaming", "imports"})
_ROUTER = re.compile(r"^MEMORY(?:-[a-z0-9][a-z0-9_-]{0,63})?\.md$")
_PRIVATE = ".silo/private"
_AGENTS = ".silo/agents"
_GRAPHS = frozenset(
    {"memory/ontology/graph.jsonl", f"{_PRIVATE}/graph.jsonl", f"{_PRIVATE}/ontology/graph.jsonl"}
)


# path, workspace-relative POSIX → (size, modification time in nanoseconds)
Stamps = dict[str, tuple[int, int]]


def memory_files(root: Path) -> Stamps:
    """Every file that can hold passages. A file that can't be looked at is as if it were not there."""
    found: Stamps = {}
    _look(root, "", found, lambda path: _ROUTER.match(path) is not None)
    for folder in ("memory", _PRIVATE):
        pending = [folder]
        while pending:
            pending += _look(root, pending.pop(), found, lambda path: path.endswith(".md") or path in _GRAPHS)
    for agent in _look(root, _AGENTS, {}, lambda path: False):
        _look(root, agent, found, lambda path: path.endswith("/hot-memory-state.json"))
    return found


def read(root: Path, path: str) -> str | None:
    """The file's text, None if it went away or can't be read; that is another run's business to report."""
    try:
        return decode((root / path).read_bytes())
    except OSError:
        return None


def _look(root: Path, folder: str, found: Stamps, wanted: Callable[[str], bool]) -> list[str]:
    """Add the wanted files of one folder; its folders. A link to a file counts where its target lies in the workspace."""
    prefix = f"{folder}/" if folder else ""
    below = []
    try:
        entries = list(os.scandir(root / folder if folder else root))
    except OSError:
        return []
    for entry in entries:
        path = prefix + entry.name
        try:
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in _HOSTS:
                    below.append(path)
            elif wanted(path) and (not entry.is_symlink() or _is_inside(root, entry.path)):
                stat = entry.stat()
                path.encode()  # a name that is not UTF-8 can't be told to anybody as text
                if S_ISREG(stat.st_mode):
                    found[path] = (stat.st_size, stat.st_mtime_ns)
        except (OSError, UnicodeEncodeError):
            continue
    return below


def _is_inside(root: Path, path: str) -> bool:
    return Path(path).resolve().is_relative_to(root.resolve())
