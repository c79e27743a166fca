"""The night's job: snapshot → plan → commit, and a night with nothing new is told by a look at the files alone."""

from __future__ import annotations

import os

from silo.edge.workspace import Workspace
from silo.errors import Busy, Conflict
from silo.jobs.files import NIGHT_FILES
from silo.jobs.health import noted, record
from silo.jobs.run import Call, Report, commit, problem_data
from silo.model import Plan, Put
from silo.text.lines import encode, sha256

TRIES = 3  # re-read and planned again when a file moved meanwhile


def curate(call: Call, *, mode: str) -> Report:
    """New events, daily notes and hand edits have reached the topic files; contradictions wait in review."""
    workspace = call.open()
    try:
        with workspace.job("curate"), noted(call, workspace, "curate") as started:
            return _curate(call, workspace, mode, started)
    except Busy as busy:
        return Report([f"NOTE {busy}; nothing to do here"], {"busy": str(busy)})


def _curate(call: Call, workspace: Workspace, mode: str, started: float) -> Report:
    report = Report(data={"mode": mode})
    if workspace.state.get("quiet", mode) == signature(workspace):
        report.lines.append("OK a quiet night: nothing has changed since the last one")
        report.data = {"mode": mode, "quiet": True}
        _record(call, workspace, Plan("curate"), report, started)
        return report
    from silo.jobs.night import plan_night  # the whole machinery of language: a quiet night does without

    for attempt in range(1, TRIES + 1):
        plan = plan_night(call, workspace, mode)
        try:
            commit(call, workspace, plan, report, adopt=True)
            break
        except Conflict:
            if attempt == TRIES or call.dry_run:
                raise
            call.say("NOTE a file was changed meanwhile: reading again")
    _tell(call, plan, report)
    if not call.dry_run:
        _record(call, workspace, plan, report, started)
        workspace.state.apply([Put("quiet", mode, signature(workspace))])
    return report


def signature(workspace: Workspace) -> str:
    """A digest over name, size and time of every file that a night reads, and over what waits in state.db."""
    rows = []
    for pattern in NIGHT_FILES:
        folder, _, name = pattern.rpartition("/")
        ending = name.removeprefix("*")
        try:
            entries = list(os.scandir(workspace.root / folder))
        except (FileNotFoundError, NotADirectoryError):
            continue
        for entry in entries:
            if entry.name.endswith(ending) and entry.is_file():
                stat = entry.stat()
                rows.append(f"{folder}/{entry.name}\x1f{stat.st_size}\x1f{stat.st_mtime_ns}")
    waiting = [*workspace.state.items("restated"), *workspace.state.items("undone")]
    return sha256(encode("\x1e".join([*sorted(rows), *sorted(waiting)])))


def _tell(call: Call, plan: Plan, report: Report) -> None:
    words = ", ".join(f"{number} {name}" for name, number in plan.counts.items())
    if plan.changes:
        verb = "would change" if call.dry_run else "changed"
        report.lines.insert(0, f"OK {verb} {len({change.path for change in plan.changes})} files: {words or 'views made anew'}")
    else:
        report.lines.append("OK nothing new to curate")
    report.problems(plan.problems)
    if plan.counts.get("contradiction") or plan.counts.get("contradictions"):
        report.lines.append("NEXT memory_cli.py review list: statements that contradict a fact wait for the owner")
    elif plan.changes and not call.dry_run:
        report.lines.append("NEXT memory_cli.py diff shows what was changed; memory_cli.py undo --any --last takes it back")
    assert isinstance(report.data, dict)
    report.data |= {"counts": dict(plan.counts), "problems": problem_data(plan.problems), "quiet": False}


def _record(call: Call, workspace: Workspace, plan: Plan, report: Report, started: float) -> None:
    """One health record a run, quiet nights included."""
    assert isinstance(report.data, dict)
    runs = [report.data["run"]] if "run" in report.data else []
    files = len({change.path for change in plan.changes})
    record(call, workspace, "curate", started, {"files": files, "actions": dict(plan.counts), "runs": runs})
