"""The job behind `cold`: make the archive ready, ask it, say how much it holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from silo.core.importance import score, tier
from silo.edge.cold.base import ALL, ColdStats
from silo.edge.workspace import Workspace
from silo.errors import BadInput, Trouble
from silo.jobs.cold import archive_of, refresh
from silo.jobs.mirror import QUICK, Where, target_of
from silo.jobs.run import Call, Report
from silo.model import ColdRow, Put


def init(call: Call, where: Where) -> Report:
    """The local archive is there and holds what it should, and the mirror's tables where one is configured. Run again, nothing changes.

    Raises:
        ServiceDown: the mirror did not answer; the local archive is ready.
    """
    workspace = call.open(create=not call.dry_run)
    report = Report()
    target = target_of(call, where)
    if call.dry_run:
        report.lines = ["OK .silo/cold.db would be made from the log" + (f", and tables at {target.label}" if target else "")]
        return report
    with workspace.job("cold", wait=30.0), archive_of(workspace) as store:
        refresh(workspace, store)
        held = store.stats(ALL)
    report.lines.append(f"OK .silo/cold.db holds {held.count} facts")
    report.lines += _backend_note(call, mirrored=target is not None)
    if target is not None:
        target.init()
        report.lines.append(f"OK {target.label} has the tables cold_memories, critical_state and silo_files")
        report.lines.append("NEXT memory_cli.py init --mirror makes a key, memory_cli.py sync-critical sends")
    report.data = {"status": "initialized", "backend": target.rows.name if target else "sqlite", "mirror": target.label if target else None,
                   "cold_memories": held.count}  # fmt: skip
    report.published = report.data
    return report


def query(call: Call, text: str, limit: int, where: Where) -> Report:
    """The cold facts that hold most of the words; those of the mirror too where its address was given and there is room.

    Raises:
        BadInput: no question, or a limit below 1.
    """
    if not text.strip():
        raise BadInput("--query is empty", 'memory_cli.py cold --query "payment provider"')
    if limit < 1:
        raise BadInput(f"--limit {limit} asks for nothing", "give 1 or more")
    workspace = call.open()
    report = Report()
    with workspace.job("cold", wait=30.0), archive_of(workspace) as store:
        refresh(workspace, store)
        found = store.search(text, limit, call.config.agent)
    report.lines += _backend_note(call, mirrored=bool(where.url))
    if where.url and len(found) < limit:
        found += _elsewhere(call, text, limit, where, {row.id for row in found}, report)
    rows = _counted(workspace, call, found[:limit])
    data = [_data(call, row) for row in rows]
    report.data, report.published = {"query": text, "results": data}, data
    for row in rows:
        report.lines.append(f"{row.text}")
        report.lines.append(f"        {row.id}  {row.date}  ({row.category}, importance {row.importance:g}, {_tier(call, row)})")
    if not rows:
        report.lines.append("OK nothing found in the archive; `memory_cli.py retrieve` looks everywhere")
    return report


def stats(call: Call) -> Report:
    """How much the archive holds of this agent."""
    workspace = call.open()
    if not (workspace.root / ".silo").is_dir():
        held = ColdStats(0, "", "", 0)
    else:
        with workspace.job("cold", wait=30.0), archive_of(workspace) as store:
            refresh(workspace, store)
            held = store.stats(call.config.agent)
    span = f", {held.first} to {held.last}" if held.count else ""
    report = Report([f"OK the archive holds {held.count} facts ({held.text_bytes:,} bytes of text{span})"])
    waiting = len(workspace.state.items("outbox"))
    if waiting:
        report.lines.append(f"NOTE {waiting} things wait for the mirror; `memory_cli.py sync-critical` sends them")
    report.data = {"cold_memories": held.count, "first": held.first, "last": held.last, "text_bytes": held.text_bytes, "outbox": waiting}
    report.published = report.data
    return report


def _elsewhere(call: Call, text: str, limit: int, where: Where, known: set[str], report: Report) -> list[ColdRow]:
    """What the mirror alone has."""
    try:
        target = target_of(call, where, wait=QUICK)
        rows = target.rows.search(text, limit, call.config.agent) if target else []
    except BadInput:
        raise
    except Trouble as trouble:
        report.lines.append(f"NOTE the mirror was not asked: {trouble}")
        return []
    return [row for row in rows if row.id not in known]


def _counted(workspace: Workspace, call: Call, rows: Sequence[ColdRow]) -> list[ColdRow]:
    """The rows, each counted as used once more; counts stand in state.db."""
    kept = {row.id: workspace.state.get("access", row.id) for row in rows}
    numbers = {ident: value.get("count", 0) if isinstance(value, dict) else 0 for ident, value in kept.items()}
    counts = {ident: (number if isinstance(number, int) else 0) + 1 for ident, number in numbers.items()}
    try:
        workspace.state.apply([Put("access", ident, {"count": count, "last": call.today.isoformat()}) for ident, count in counts.items()])
    except Trouble as trouble:
        call.say(f"NOTE use was not counted: {trouble}")
    return [replace(row, access_count=counts[row.id]) for row in rows]


def _data(call: Call, row: ColdRow) -> dict[str, object]:
    return {
        "id": row.id, "agent_id": row.agent_id, "text": row.text, "category": row.category, "importance": row.importance,
        "created_at": row.created_at, "access_count": row.access_count, "tier": _tier(call, row), "tag": row.tag, "topic": row.topic,
        "date": row.date, "source": row.source,
    }  # fmt: skip


def _tier(call: Call, row: ColdRow) -> str:
    value = tier(score(row.importance, row.date, call.today, row.access_count)) if row.date else "cold"
    return "frozen" if value == "frozen" else "cold"


def _backend_note(call: Call, *, mirrored: bool) -> list[str]:
    wanted = call.config.section("cold").get("backend")
    return ["NOTE cold.backend is turso and no address is set (TURSO_URL): the archive is local"] if wanted == "turso" and not mirrored and not _set(call) else []


def _set(call: Call) -> bool:
    return target_of(call, Where()) is not None
