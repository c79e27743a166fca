"""The archive as jobs use it: made true to the log, given facts on their way out of the warm set, asked, thinned by retention.

.silo/cold.db is derived: what it holds follows from the log, the warm sets and the tombstones.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from silo.core.archive import cold, expired, rows_of
from silo.edge.cold.base import ALL, ColdStore, chunks
from silo.edge.cold.sqlite import SqliteCold
from silo.edge.workspace import Workspace
from silo.formats.coldrow import digest
from silo.formats.decisions import read_decisions
from silo.formats.events import parse_file
from silo.formats.warm import parse_warm
from silo.jobs.reading import event_paths, read_topics
from silo.model import ColdRow
from silo.text.lines import decode, sha256

if TYPE_CHECKING:
    from silo.jobs.call import Call

COLD = "cold.db"
TOMBSTONES = ".silo/tombstones.jsonl"
WARM = ".silo/agents/*/warm-memory.json"
ACCESS = "access"


@contextmanager
def archive_of(workspace: Workspace) -> Iterator[SqliteCold]:
    """The local archive, open."""
    store = SqliteCold(workspace.root / ".silo" / COLD)
    try:
        yield store
    finally:
        store.close()


def refresh(workspace: Workspace, store: SqliteCold) -> int:
    """The archive holds what it should by the files as they are; returns how many rows came, changed or went."""
    stamps = dict(_stamps(workspace))
    if not store.fresh and store.sources() == stamps:
        return 0
    wanted = {row.id: row for row in cold(logged(workspace), warm_ids(workspace), forgotten(workspace))}
    changed = _made_equal(store, wanted)
    store.made_from(stamps)
    return changed


def logged(workspace: Workspace, ids: Collection[str] | None = None, days: Collection[str] | None = None) -> Iterator[ColdRow]:
    """Every logged fact as a row, oldest day first; with `ids` those alone, with `days` only those days are looked at."""
    counts = workspace.state.items(ACCESS)
    for path in event_paths(workspace):
        if days is not None and path.rpartition("/")[2].removesuffix(".md") not in days:
            continue
        data = workspace.read(path)
        if data is None:
            continue
        file = parse_file(decode(data), path)
        named = workspace.chain.ids(path, data) if any(not event.id for event in file.events) else None
        for row in rows_of(file, named):
            if ids is None or row.id in ids:
                yield replace(row, access_count=_count(counts.get(row.id)))


def retired(workspace: Workspace, call: Call) -> tuple[ColdRow, ...]:
    """The logged facts that retention takes out today: frozen, older than `cold.retention_years`, no source of a curated fact."""
    years = call.config.section("cold").get("retention_years", 10)
    kept = {ident for file in read_topics(workspace).files for fact in file.facts for ident in fact.source.split(",")}
    rows = list(logged(workspace))
    counts = {row.id: row.access_count for row in rows}
    limit = float(years) if isinstance(years, int | float) and not isinstance(years, bool) else 10.0
    return expired(rows, today=call.today, years=limit, count_of=lambda ident: counts.get(ident, 0), kept=kept)


def dropped(workspace: Workspace, ids: Collection[str], *, scrub: bool = False) -> tuple[str, ...]:
    """The rows of these ids are gone from the local archive; with `scrub` their bytes from its files too. Sentences on what could not be."""
    if not (workspace.root / ".silo" / COLD).exists():
        return ()
    with archive_of(workspace) as store:
        store.delete(ids, ALL)
        return store.scrub() if scrub else ()


def warm_ids(workspace: Workspace) -> dict[str, frozenset[str]]:
    """The ids of each agent's warm set."""
    found: dict[str, frozenset[str]] = {}
    for path in workspace.paths(WARM):
        data = workspace.read(path)
        entries, _ = parse_warm(decode(data or b""), path)
        found[path.split("/")[2]] = frozenset(entry.id for entry in entries)
    return found


def forgotten(workspace: Workspace) -> frozenset[str]:
    """The ids that a tombstone stands for."""
    data = workspace.read(TOMBSTONES)
    return frozenset(read_decisions(decode(data), TOMBSTONES).items) if data else frozenset()


def log_stamp(workspace: Workspace) -> str:
    """What the rows of the whole log follow from, as one hash."""
    files = [(path, workspace.read(path)) for path in (*event_paths(workspace), TOMBSTONES)]
    return sha256("\x1f".join(f"{path} {sha256(data)}" for path, data in files if data is not None).encode())


def _stamps(workspace: Workspace) -> Iterable[tuple[str, str]]:
    for path in (*event_paths(workspace), *workspace.paths(WARM), TOMBSTONES):
        data = workspace.read(path)
        if data is not None:
            yield path, sha256(data)


def _made_equal(store: ColdStore, wanted: dict[str, ColdRow]) -> int:
    have = store.digests(ALL)
    gone = have.keys() - wanted.keys()
    news = [row for ident, row in wanted.items() if have.get(ident) != digest(row)]
    store.delete(gone, ALL)
    for part in chunks(news, 1000):
        store.put(part)
    return len(gone) + len(news)


def _count(kept: object) -> int:
    number = kept.get("count") if isinstance(kept, dict) else 0
    return number if isinstance(number, int) else 0


