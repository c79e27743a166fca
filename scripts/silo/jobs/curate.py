"""The night's job: snapshot → plan → commit, and a night with nothing new is told by a look at the files alone."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from silo.errors import Busy, Conflict
from silo.jobs.files import NIGHT_FILES, SOURCE_BYTES
from silo.jobs.health import noted, record
from silo.jobs.run import Call, Report, commit, problem_data
from silo.model import Append, Drop, Plan, Put, Write
from silo.text.lines import encode, sha256

if TYPE_CHECKING:
    from silo.edge.reader import Reader
    from silo.edge.workspace import Workspace

WAITING = ("restated", "undone")  # tables of state.db that give a night something to do
TRIES = 3  # re-read and planned again when a file moved meanwhile


def curate(call: Call, *, mode: str) -> Report:
    """New events, daily notes and hand edits have reached the topic files; contradictions wait in review."""
    quiet = _quiet(call, mode)
    if quiet is not None:
        return quiet
    workspace = call.open()
    try:
        with workspace.job("curate"), noted(call, workspace, "curate") as started:
            return _curate(call, workspace, mode, started)
    except Busy as busy:
        return Report([f"NOTE {busy}; nothing to do here"], {"busy": str(busy)})


def _quiet(call: Call, mode: str) -> Report | None:
    """The report of a night in which nothing has changed since the last one; None for another one.

    Asked of a reader and without the job's lock: what commits, and the machinery of language, take most of a quiet night's time.
    """
    reader = call.look()
    with noted(call, reader, "curate") as started:
        if reader.state.get("quiet", mode) != signature(look(reader), _how(call)):
            return None
        report = Report(["OK a quiet night: nothing has changed since the last one"], {"mode": mode, "quiet": True})
        _record(call, reader, Plan("curate"), report, started)
        return report


def _how(call: Call) -> int:
    """What else than the files decides what a night makes of them."""
    return call.config.integer("curation", "source_bytes", SOURCE_BYTES)


def _curate(call: Call, workspace: Workspace, mode: str, started: float) -> Report:
    report = Report(data={"mode": mode})
    from silo.jobs.judge import Opinions
    from silo.jobs.night import plan_night  # the whole machinery of language: a quiet night does without

    opinions = Opinions(call, workspace)
    for attempt in range(1, TRIES + 1):
        seen = look(workspace)
        plan = opinions.plan(partial(plan_night, call, workspace, mode))
        try:
            commit(call, workspace, plan, report, adopt=True)
            break
        except Conflict:
            if attempt == TRIES or call.dry_run:
                raise
            call.say("NOTE a file was changed meanwhile: reading again")
    _tell(call, plan, report)
    if opinions.engines is not None:
        report.lines += [f"NOTE {note}" for note in opinions.engines.notes]
        assert isinstance(report.data, dict)
        report.data |= {"engine": opinions.engines.figures}
    if not call.dry_run:
        _record(call, workspace, plan, report, started)
        after = look(workspace)
        if only_ours(workspace, plan, seen, after):
            workspace.state.apply([Put("quiet", mode, signature(after, _how(call)))])
    return report


@dataclass(frozen=True, slots=True)
class Look:
    """What tells one night from another without reading: path → (bytes, time in ns), and what waits in state.db."""

    files: Mapping[str, tuple[int, int]]
    waiting: frozenset[str]


def look(workspace: Reader) -> Look:
    """Every file that a night reads, as the folders tell it."""
    files: dict[str, tuple[int, int]] = {}
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
                files[f"{folder}/{entry.name}"] = (stat.st_size, stat.st_mtime_ns)
    return Look(files, frozenset(f"{table} {key}" for table in WAITING for key in workspace.state.items(table)))


def signature(seen: Look, *how: object) -> str:
    """A digest of a look, to be kept; `how` is what else decides what a night makes of the same files."""
    rows = (f"{path}\x1f{size}\x1f{time}" for path, (size, time) in sorted(seen.files.items()))
    return sha256(encode("\x1e".join([*map(str, how), *rows, *sorted(seen.waiting)])))


def only_ours(workspace: Workspace, plan: Plan, before: Look, after: Look) -> bool:
    """Whether nothing but the plan has changed between two looks: what a hand or another command wrote meanwhile is for the
    next night, which must not take it for known."""
    ours = {change.path: change for change in plan.changes}
    for path in before.files.keys() | after.files.keys():
        if before.files.get(path) != after.files.get(path):
            change, size = ours.get(path), before.files.get(path, (0, 0))[0]
            data = workspace.read(path) or b""
            written = isinstance(change, Write) and data == change.data
            appended = isinstance(change, Append) and data.endswith(change.data) and len(data) - len(change.data) in (size, size + 1, len(change.head))
            if not (written or appended):
                return False
    ops = [op for op in plan.state if op.table in WAITING]
    puts, drops = ({f"{op.table} {op.key}" for op in ops if isinstance(op, kind)} for kind in (Put, Drop))
    return after.waiting == (before.waiting - drops) | puts


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


def _record(call: Call, workspace: Reader, plan: Plan, report: Report, started: float) -> None:
    """One health record a run, quiet nights included."""
    assert isinstance(report.data, dict)
    runs = [report.data["run"]] if "run" in report.data else []
    files = len({change.path for change in plan.changes})
    asked = report.data.get("engine", {})
    record(call, workspace, "curate", started, {"files": files, "actions": dict(plan.counts), "runs": runs, **asked})
