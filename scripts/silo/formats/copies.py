"""Conflict copies that programs which sync folders leave beside a file, recognised by their names.

Says of which file a name is a copy. Does not read, compare or merge contents.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

# Each pattern gives the stem of the original; examples stand behind them.
_SURE = (
    re.compile(
        r"(.+)\.sync-conflict-\d{8}-\d{6}-\w{7}\Z"
    ),  # Syncthing: a.sync-conflict-20260929-120000-ABCDEF1
    re.compile(r"(.+) \((?:.+'s |[^()]+ )?[Cc]onflict(?:ed)? copy[^()]*\)\Z"),  # Dropbox, Nextcloud, Obsidian
    re.compile(
        r"(.+) \([Cc]ópia em conflito[^()]*\)\Z"
    ),  # Dropbox in Portuguese: a (cópia em conflito de Ana 2026-09-29)
    re.compile(r"(.+)_conflict-\d{8}-\d{6}\Z"),  # ownCloud: a_conflict-20260929-120000
    re.compile(r"(.+)[ -]\[[Cc]onflict(?:ed)?[^\[\]]*\]\Z"),  # a [Conflict], a-[conflicted 2]
)
# These are copies only where the original stands beside them: a file may be named so on purpose.
_LIKELY = (
    re.compile(r"(.+?) ?\(\d{1,2}\)\Z"),  # Google Drive, downloads: a (1), a(1)
    re.compile(r"(.+) \d\Z"),  # iCloud: a 2
)


def original_of(path: str, beside: Iterable[str] = ()) -> str | None:
    """The path of the file that `path` is a conflict copy of, None if it is none. `beside` are the paths that exist."""
    folder, slash, name = path.rpartition("/")
    stem, dot, ending = name.rpartition(".")
    if not dot:
        return None
    for pattern in _SURE:
        hit = pattern.match(stem)
        if hit is not None:
            return f"{folder}{slash}{hit[1]}.{ending}"
    there = set(beside)
    for pattern in _LIKELY:
        hit = pattern.match(stem)
        if hit is not None and (original := f"{folder}{slash}{hit[1]}.{ending}") in there:
            return original
    return None


def copies_among(paths: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """(copy, original) for each conflict copy among `paths`, in their order."""
    there = tuple(paths)
    found = ((path, original_of(path, there)) for path in there)
    return tuple((path, original) for path, original in found if original is not None)
