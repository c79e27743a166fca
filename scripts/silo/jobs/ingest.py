"""The job behind `ingest-daily`: new lines of daily notes are in the event log, each once; nothing is reconciled yet."""

from __future__ import annotations

from silo.core.curate import plan_ingest
from silo.edge.workspace import Workspace
from silo.errors import Conflict
from silo.jobs.night import read_night
from silo.jobs.run import Call, Report, commit

TRIES = 3  # re-read and planned again when a file moved meanwhile


def ingest_daily(call: Call) -> Report:
    """As a command of its own."""
    return ingest_notes(call, call.open())


def ingest_notes(call: Call, workspace: Workspace) -> Report:
    """New statements of the daily notes are events."""
    report = Report(data={})
    for attempt in range(1, TRIES + 1):
        plan = plan_ingest(read_night(call, workspace, "daily"))
        try:
            commit(call, workspace, plan, report)
            break
        except Conflict:
            if attempt == TRIES or call.dry_run:
                raise
    number = plan.counts.get("note lines", 0)
    verb = "would be ingested" if call.dry_run else "ingested"
    report.lines.insert(0, f"OK {number} statements of daily notes {verb}")
    if waiting := plan.counts.get("held for review", 0):
        report.lines.append(f"NOTE {waiting} that give orders wait for the owner (memory_cli.py review list)")
    assert isinstance(report.data, dict)
    report.data |= {"ingested": number, "restated": plan.counts.get("restated", 0), "held_for_review": waiting}
    report.published = report.data
    return report
