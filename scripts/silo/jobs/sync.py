"""The job behind `sync-critical`, and what other jobs ask of the mirror: rows sent, rows forgotten, none of it waited for."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from silo.edge.cold.base import ALL
from silo.edge.cold.hrana import CRITICAL as PAUSES
from silo.edge.crypto import Plain, Sealer
from silo.edge.mirror import Target
from silo.edge.workspace import Workspace
from silo.errors import BadInput, ServiceDown, Trouble
from silo.formats import jsonl
from silo.formats.warm import parse_hot, parse_tree
from silo.jobs.mirror import (
    QUICK,
    Exchanged,
    Where,
    common,
    critical,
    exchange,
    outgoing,
    sealer_of,
    target_of,
)
from silo.jobs.mirrorrows import send_rows
from silo.jobs.run import Call, Report
from silo.model import Drop, Put
from silo.text.lines import decode, encode

OUTBOX = "outbox"  # of state.db: what waits for the mirror; ids and dates, no words
NO_MIRROR = "no mirror is configured"
HOW = 'set TURSO_URL and TURSO_TOKEN, or "mirror": {"folder": "/path"} in .silo/config.json, or give --to DIR'


@dataclass(frozen=True, slots=True)
class SyncOptions:
    """What was asked for, as typed."""

    where: Where = field(default_factory=Where)
    plain_text: bool = False
    allow_smaller: bool = False


def sync_critical(call: Call, options: SyncOptions, *, pauses: Sequence[float] = PAUSES) -> Report:
    """The memory and its mirror have the same critical state, and the mirror a cold row for every logged fact.

    Raises:
        BadInput: no mirror, or one that was encrypted with another key.
        ServiceDown: it did not answer in any try, or nothing can be encrypted; what could be sent was, the rest waits.
        Conflict: the memory here looks like a loss.
    """
    workspace = call.open()
    target = target_of(call, options.where, pauses=pauses)
    if target is None:
        raise BadInput(NO_MIRROR, HOW)
    report = Report()
    with workspace.job("mirror", wait=30.0):
        try:
            return _synced(call, workspace, target, options, report)
        except ServiceDown as down:
            if not call.dry_run:
                workspace.state.apply([Put(OUTBOX, "files", {"since": call.now.isoformat(timespec="seconds"), "why": type(down).__name__})])
            raise


def _synced(call: Call, workspace: Workspace, target: Target, options: SyncOptions, report: Report) -> Report:
    sealer: Sealer | None = None
    refused: ServiceDown | None = None
    try:
        sealer = Plain() if options.plain_text else sealer_of(call, workspace, target)
    except ServiceDown as down:
        if not down.hint.startswith(("memory_cli.py init", "pip install")):
            raise  # the mirror itself
        refused = down
    done = Exchanged()
    if sealer is not None:
        done = exchange(call, workspace, target, sealer, report, smaller=options.allow_smaller)
        if not call.dry_run:
            target.state(call.config.agent, _state(call, workspace, sealer), int(call.now.timestamp()))
    rows = (0, 0) if call.dry_run else _rows(call, workspace, target)
    _tell(call, report, target, done, rows, sealer)
    if refused is not None:
        if not call.dry_run:
            workspace.state.apply([Put(OUTBOX, "files", {"since": call.now.isoformat(timespec="seconds"), "why": "no key"})])
        raise ServiceDown(f"{refused}; {rows[0]} cold rows were sent to {target.label}, and nothing of the critical state", refused.hint)
    if not call.dry_run:
        workspace.state.apply([Drop(OUTBOX, key) for key in workspace.state.items(OUTBOX)])
        workspace.state.record_health({"mirror": {"at": call.now.isoformat(timespec="seconds"), "sent": len(done.sent), "rows": rows[0]}})
    return report


def _state(call: Call, workspace: Workspace, sealer: Sealer) -> str:
    """The published content of critical_state.data: hot state, tree and time, sealed as the files are."""
    folder = f".silo/agents/{call.config.agent}"
    files = outgoing({path: data for path, data in critical(workspace).items() if path.startswith(f"{folder}/")}, sealer)
    hot = parse_hot(decode(files.get(f"{folder}/hot-memory-state.json", b"")), "")[0]
    tree = jsonl.loads(decode(files.get(f"{folder}/memory-tree.json", b""))) or {}
    nodes = tree if isinstance(tree, dict) and parse_tree(jsonl.dumps(tree), "") else {}
    value = {"hot_state": hot, "tree_nodes": nodes, "timestamp": int(call.now.timestamp())}
    return sealer.seal(call.config.agent, "critical_state", encode(jsonl.dumps(value))) if sealer.sealed else jsonl.dumps(value)


def _tell(call: Call, report: Report, target: Target, done: Exchanged, rows: tuple[int, int], sealer: Sealer | None) -> None:
    would = "would be " if call.dry_run else ""
    report.lines.insert(0, f"OK {len(done.sent)} files {would}sent to {target.label}, {len(done.written)} {would}taken over from it; {rows[0]} cold rows sent")
    if done.collisions:
        report.lines.append(f"NOTE {done.collisions} places were changed on two devices: both stand, and wait in `memory_cli.py review`")
    report.lines += [f"NOTE {path} is another one at the mirror; each device keeps its own" for path in done.left]
    if sealer is not None and not sealer.sealed:
        report.lines.append("NOTE --plain-text: whoever can read the mirror can read the memory; private topics were not sent")
    data = {
        "status": "synced", "mirror": target.label, "encrypted": bool(sealer and sealer.sealed), "files": done.files, "sent": done.sent,
        "taken_over": done.written, "cold_rows_sent": rows[0], "cold_rows_removed": rows[1], "collisions": done.collisions,
        "timestamp": int(call.now.timestamp()),
    }  # fmt: skip
    report.data = {**(report.data if isinstance(report.data, dict) else {}), **data}
    report.published = report.data


# --- for other jobs ---------------------------------------------------------------------------------------


def push_rows(call: Call, workspace: Workspace, where: Where | None = None) -> list[str]:
    """Cold rows that the mirror lacks are sent, and rows that wait to be forgotten taken out; sentences to tell, none if all is well.

    For jobs that are about something else: never raises for a mirror that is down, and waits a few seconds at most.
    """
    try:
        target = target_of(call, where or Where(), wait=QUICK)
        if target is None or call.dry_run:
            return []
        with workspace.job("mirror"):
            _rows(call, workspace, target)
    except Trouble as trouble:
        workspace.state.apply([Put(OUTBOX, "rows", {"since": call.now.isoformat(timespec="seconds"), "why": type(trouble).__name__})])
        return [f"the mirror was not reached ({trouble}); what it lacks is sent by the next run"]
    return []


def forget_rows(call: Call, workspace: Workspace, ids: Collection[str]) -> list[str]:
    """The rows of these events are gone from the mirror, overwritten; files are sent again as they are now. What can't be done now waits.

    Call it after the forgetting is committed here: the files as they stand replace those of the mirror.
    """
    if (workspace.root / ".silo" / "mirror.db").exists():
        with common(workspace) as state:
            state.blank(critical(workspace))
    waiting = [Put(OUTBOX, f"forget:{ident}", {"since": call.today.isoformat()}) for ident in sorted(ids)]
    try:
        target = target_of(call, Where(), wait=QUICK)
    except Trouble as trouble:
        workspace.state.apply(waiting)
        return [f"the mirror was not told: {trouble}"]
    if target is None:
        return []
    workspace.state.apply([*waiting, Put(OUTBOX, "files", {"since": call.now.isoformat(timespec="seconds"), "why": "forget"})])
    try:
        with workspace.job("mirror", wait=5.0):
            report = Report()
            try:
                exchange(call, workspace, target, sealer_of(call, workspace, target), report, smaller=True)
                workspace.state.apply([Drop(OUTBOX, "files")])
                notes = []
            except ServiceDown as down:
                notes = [f"the mirror's copies of whole files were not replaced ({down}); sync-critical does it"]
            _rows(call, workspace, target)
            return notes + list(target.rows.scrub())
    except Trouble as trouble:
        return [f"the mirror was not reached ({trouble}): what was forgotten is taken out of it by the next run that reaches it"]


def _rows(call: Call, workspace: Workspace, target: Target) -> tuple[int, int]:
    """Rows sent and taken out; those first that wait to be forgotten."""
    waiting = [key.partition(":")[2] for key in workspace.state.items(OUTBOX, "forget:")]
    with common(workspace) as state:
        removed = 0
        if waiting:
            removed = target.rows.delete(waiting, ALL)
            state.note_sent(target.key, call.config.agent, {}, waiting)
        sent, gone = send_rows(call, workspace, target, state)
    workspace.state.apply([*(Drop(OUTBOX, f"forget:{ident}") for ident in waiting), Drop(OUTBOX, "rows")])
    return sent, gone + removed
