"""How long past runs are kept: 30 days or 200 MB, the last 20 always.

Contents (pre-images, added lines) go after 30 days even there. Callers hold the commit lock.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from silo.edge import runs
from silo.edge.fs import remove_tree
from silo.edge.site import Site

KEEP_DAYS = 30
KEEP_BYTES = 200_000_000
KEEP_LAST = 20
TOO_OLD = f"its contents were kept for {KEEP_DAYS} days"


@dataclass(frozen=True, slots=True)
class Usage:
    """What the past costs on disk."""

    runs: int
    run_bytes: int
    conflicts: int


def usage(site: Site) -> Usage:
    """Counts and bytes of what is kept; nothing is written."""
    kept = runs.names(site.places.runs)
    conflicts = sum(entry.is_file() for entry in site.places.conflicts.rglob("*"))
    return Usage(len(kept), sum(_size(site.places.runs / name) for name in kept), conflicts)


def prune(site: Site, now: datetime) -> int:
    """Runs past their time are gone; returns how many."""
    names = runs.names(site.places.runs)
    always = set(names[-KEEP_LAST:])
    gone = 0
    kept: list[tuple[str, int]] = []
    for name in names:
        folder = site.places.runs / name
        run = runs.load_past(folder) if folder.is_dir() else None
        if run is None:
            if folder.is_dir():  # left by a removal that was cut off
                remove_tree(site.fs, folder)
            continue
        old = datetime.fromisoformat(run.at) < now - timedelta(days=KEEP_DAYS)
        if old and name not in always:
            remove_tree(site.fs, folder)
            gone += 1
            continue
        if old or run.dropped:
            runs.drop(site.fs, folder, run, run.dropped or TOO_OLD)
        kept.append((name, _size(folder)))
    total = sum(size for _, size in kept)
    for name, size in kept:
        if total <= KEEP_BYTES or name in always:
            break
        remove_tree(site.fs, site.places.runs / name)
        total -= size
        gone += 1
    return gone


def _size(folder: Path) -> int:
    return sum(entry.stat().st_size for entry in folder.iterdir()) if folder.is_dir() else 0
