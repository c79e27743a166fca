"""Secrets that are in a memory already: in whose files they stand, and what can be done there.

Names the place and the kind, never the value: a report is text that is kept, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from silo.text.redact import redact

# Copies of the user's own file by which an edit can be undone: the one exemption, with an end of its own.
_COPIES = (".silo/runs/", ".silo/base/", ".silo/conflicts/", ".silo/handover/")
_OURS = (".silo/", "memory/events/", "memory/index.md")
_WORDS = re.compile(r"[\x20-\x7e\u00a0-\u024f\n\t]{8,}")


@dataclass(frozen=True, slots=True)
class Secret:
    """One secret: the file, the line (from 1; 0 in a database), its kind, and whose text it stands in: user, ours or copy."""

    path: str
    line: int
    kind: str
    whose: str

    @property
    def what_to_do(self) -> str:
        """The next step where it stands."""
        if self.whose == "copy":
            return "a copy for undo of a file that holds it; it goes with the run, after 30 days, or with forget"
        if self.whose == "ours":
            return "written before this kind was known; take it out with memory_cli.py forget --query, then change the secret where it is used"
        return "your own line: take the secret out by hand, or with migrate_memory.py apply --redact-secrets, and change it where it is used"


def whose(path: str) -> str:
    """Whose text a file of the workspace holds."""
    if path.startswith(_COPIES):
        return "copy"
    return "ours" if path.startswith(_OURS) else "user"


def scan(path: str, data: bytes) -> Iterator[Secret]:
    """The secrets of a file, in order. A database is read as the runs of text that stand in it."""
    text = data.decode("utf-8", "replace")
    if data[:16] == b"SQLite format 3\0" or b"\0" in data[:4096]:
        kinds = {found.kind for run in _WORDS.findall(text) for found in redact(run)[1]}
        yield from (Secret(path, 0, kind, whose(path)) for kind in sorted(kinds))
        return
    at, line = 0, 1
    for found in redact(text)[1]:
        line += text.count("\n", at, found.start)
        at = found.start
        yield Secret(path, line, found.kind, whose(path))
