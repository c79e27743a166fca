"""How long past runs are kept, and how words that must go leave them.

Runs stay 30 days or 200 MB, the last 20 always; contents (pre-images, added lines) go after 30 days even there. A
forget takes its words out of every kept run, base copy and conflict copy at once. Callers hold the commit lock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

from silo.edge import runs
from silo.edge.fs import remove_tree
from silo.edge.runs import Pieces, Run
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


def scrub(site: Site, words: Iterable[str], why: str) -> int:
    """No kept run, base copy or conflict copy holds any of `words` any more; returns how many places held one.

    A run that held one can't be undone any more, and says `why`.
    """
    needles = [word for word in words if word]
    found = 0

    def holds(path: Path) -> bool:
        data = path.read_bytes()
        return any(needle.encode("utf-8", "surrogateescape") in data for needle in needles)

    for name in runs.names(site.places.runs):
        folder = site.places.runs / name
        run = runs.load_past(folder) if folder.is_dir() else None
        if run is None:
            continue
        clean = _without(run, lambda text: any(needle in text for needle in needles))
        if clean.steps != run.steps or any(holds(path) for path in folder.glob("old-*")):
            runs.drop(site.fs, folder, replace(clean, dropped=""), why)
            found += 1
        elif clean != run:
            runs.save(site.fs, folder, clean)
            found += 1
    for top in (site.places.silo / "base", site.places.conflicts):
        for path in sorted(top.rglob("*")):
            if path.is_file() and holds(path):
                site.fs.unlink(path)
                found += 1
    return found


def _without(run: Run, holds: Callable[[str], bool]) -> Run:
    """The run with every text that holds such a word taken out."""

    def bare(text: str) -> str:
        return "[forgotten]" if holds(text) else text

    def bared(pieces: Pieces | None) -> Pieces | None:
        return None if pieces is None else tuple(bare(one) if isinstance(one, str) else one for one in pieces)

    steps = tuple(
        replace(
            step,
            added=bare(step.added),
            head=bare(step.head),
            why=bare(step.why),
            delta=tuple(bare(piece) if isinstance(piece, str) else piece for piece in step.delta),
            base_was=bared(step.base_was),
            base=bared(step.base),
        )
        for step in run.steps
    )
    return replace(run, steps=steps, command=bare(run.command), notes=tuple(bare(note) for note in run.notes))


def _size(folder: Path) -> int:
    return sum(entry.stat().st_size for entry in folder.iterdir()) if folder.is_dir() else 0
