"""Retention: the one job that takes lines out of the event log. Frozen and older than the limit: line and row go, a tombstone
stays. An event on which a curated fact rests is kept. Undone like any other run as long as its pre-images are kept."""

from __future__ import annotations

from collections import defaultdict
from contextlib import suppress

from silo.edge.workspace import Workspace
from silo.errors import Trouble
from silo.formats.decisions import tombstone_line
from silo.formats.events import head
from silo.jobs.cold import TOMBSTONES, dropped, retired
from silo.jobs.run import Call, Report, commit_planned
from silo.model import Append, Change, ColdRow, Drop, Plan, Remove, Write
from silo.text.lines import decode, encode, sha256, split


def retain(call: Call, workspace: Workspace) -> Report:
    """What retention takes out today is out of the log, the archive and the counts."""
    gone: list[ColdRow] = []

    def plan() -> Plan:
        gone[:] = retired(workspace, call)
        return _plan(call, workspace, gone)

    report = Report(data={})
    commit_planned(call, workspace, plan, report)
    ids = [row.id for row in gone]
    if ids and not call.dry_run:
        with suppress(Trouble):  # the archive is derived: the tombstones keep them out of the next one
            dropped(workspace, ids)
    if ids:
        verb = "would be" if call.dry_run else "are"
        years = call.config.section("cold").get("retention_years", 10)
        report.lines.insert(0, f"OK {len(ids)} facts older than {years} years and frozen {verb} out of the log; tombstones stay")
    assert isinstance(report.data, dict)
    report.data |= {"retired": len(ids), "ids": ids}
    return report


def _plan(call: Call, workspace: Workspace, gone: list[ColdRow]) -> Plan:
    if not gone:
        return Plan("retention")
    places: dict[str, set[int]] = defaultdict(set)
    for row in gone:
        folder = ".silo/private/events" if row.private else "memory/events"
        places[f"{folder}/{row.date}.md"].add(row.place - 1)
    changes: list[Change] = []
    for path, numbers in sorted(places.items()):
        data = workspace.read(path) or b""
        lines = split(decode(data))
        left = "".join(line for at, line in enumerate(lines) if at not in numbers)
        day = path.rpartition("/")[2].removesuffix(".md")
        bare = left.strip() in ("", decode(head(day)).strip())
        changes.append(Remove(path, sha256(data), "retention") if bare else Write(path, sha256(data), encode(left), "retention"))
    stones = "".join(
        tombstone_line(row.id, kind="event", created=call.today.isoformat(), why="retention", more={"agent": row.agent_id}) + "\n" for row in gone
    )
    changes.append(Append(TOMBSTONES, encode(stones), why="retention"))
    state = tuple(Drop(table, row.id) for row in gone for table in ("access", "evidence"))
    return Plan("retention", tuple(changes), state, counts={"retired": len(gone)})
