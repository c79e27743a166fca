"""The jobs behind `log`, `diff` and `undo`."""

from __future__ import annotations

from collections.abc import Callable

from silo.core.hot import Left
from silo.core.revert import revert
from silo.core.views import INDEX
from silo.edge.runs import Run
from silo.edge.unwind import Part, Unwind, Unwound, by_lines
from silo.edge.workspace import Workspace
from silo.errors import BadInput
from silo.formats.topics import is_archive
from silo.jobs.hotdoor import kept_after_undo, unwound_hot
from silo.jobs.run import Call, Report, apply
from silo.jobs.treed import recounted
from silo.jobs.treefile import unwound_tree
from silo.jobs.undo_handover import Needed, needed, settled, unwinding
from silo.jobs.warming import unwound_warm
from silo.text.lines import decode
from silo.text.redact import redact_known


def log(call: Call, *, limit: int) -> Report:
    """The runs that changed something, newest first, a line each."""
    workspace = call.open()
    rows = list(reversed(workspace.runs()))[: max(limit, 0)]
    report = Report(data={"runs": [_data(run) for run in rows]})
    report.lines = [_line(run) for run in rows] or ["OK no run has changed anything yet"]
    return report


def _line(run: Run) -> str:
    counts = ", ".join(f"{n} {name}" for name, n in run.counts.items() if n)
    who = "scheduled" if run.scheduled else "by command"
    undoes = f", takes back {run.undoes}" if run.undoes else ""
    files = ", ".join(run.paths[:3]) + (f" and {len(run.paths) - 3} more" if len(run.paths) > 3 else "")
    return f"{run.id}  {run.at[:16].replace('T', ' ')}  {run.job} ({who}{undoes}){': ' + counts if counts else ''}  {files}"


def _data(run: Run) -> dict[str, object]:
    return {
        "id": run.id,
        "at": run.at,
        "job": run.job,
        "command": run.command,
        "scheduled": run.scheduled,
        "files": list(run.paths),
        "counts": dict(run.counts),
        "undoes": run.undoes or None,
    }


def diff(call: Call, run_id: str | None) -> Report:
    """What a run changed, as a unified diff.

    Raises:
        BadInput: no such run, or its pre-images are no longer kept.
    """
    workspace = call.open()
    chosen = run_id or _latest(workspace)
    text = _shown(workspace, workspace.diff(chosen))
    return Report([text.rstrip("\n") or "OK the run changed no file"], {"run": chosen, "diff": text})


def _shown(workspace: Workspace, diff: str) -> str:
    """A diff as it may be printed: a file of the user's own may hold a secret, which is not shown."""
    texts = [decode(workspace.read(path) or b"") for path in workspace.paths("MEMORY*.md")]
    return redact_known(diff, "\n\n".join(texts))


def _latest(workspace: Workspace) -> str:
    rows = workspace.runs()
    if not rows:
        raise BadInput("no run has changed anything yet", "memory_cli.py log lists runs")
    return rows[-1].id


def undo(call: Call, *, run: str | None, last: bool, any_run: bool, ask: Callable[[str], bool]) -> Report:
    """The run is taken back as a run of its own; edits made since are kept.

    Raises:
        BadInput: no run was named, or there is none to take back.
        Conflict: the run can't be taken back; nothing was written.
    """
    workspace = call.open()
    if not run and not last:
        raise BadInput("undo needs a run's id or --last", "memory_cli.py log lists runs")
    chosen = run or workspace.last_run(any_run=any_run)
    if not chosen:
        raise BadInput("there is no run of a command to take back", "scheduled runs count with --any; memory_cli.py log lists all")
    lost: dict[str, tuple[Left, ...]] = {}  # of hot states, what comes back and has no room
    trees: set[str] = set()  # those that changed since: their counts are not those of any earlier day
    unwind = unwinding(workspace, _unwind(call, chosen, lost, trees))
    plan = workspace.plan_undo(chosen, unwind=unwind)
    first = needed(call, workspace, chosen, plan)
    if first is not None:
        return _hand_over(call, workspace, chosen, first)
    preview = _shown(workspace, workspace.preview(plan))
    report = Report(data={"undoes": chosen, "diff": preview})
    report.lines += [f"NOTE {note}" for note in plan.notes]
    if call.dry_run:
        report.lines.insert(0, preview.rstrip("\n") or "OK nothing would change")
        report.lines.append("NOTE dry run: nothing was written")
        return report
    call.say(preview.rstrip("\n"))
    if not ask(f"Take back run {chosen}?"):
        report.lines = [f"NOTE nothing was taken back; `memory_cli.py undo {chosen} --yes` does it without asking"]
        return report
    result = workspace.undo(chosen, now=call.now, command=call.command, scheduled=call.scheduled, unwind=unwind)
    workspace.apply(settled(workspace), now=call.now, command=call.command, scheduled=True)
    if trees:
        workspace.apply(recounted(call, workspace), now=call.now, command=call.command, scheduled=True)
    if any(lost.values()):
        apply(call, workspace, lambda: kept_after_undo(call, workspace, lost))
    assert isinstance(report.data, dict)
    report.data |= {"run": result.run_id, "changed": list(result.changed)}
    report.lines.append(f"OK run {chosen} is taken back: {', '.join(result.changed) or 'no file'}")
    report.lines += [f"NOTE {note}" for note in result.notes]
    report.lines += [f"NOTE {path} was edited since: the edit stays, the other version waits in review" for path in result.conflicts]
    report.lines.append(f"NEXT memory_cli.py undo {result.run_id} brings it back" if result.run_id else "NOTE nothing had to change")
    return report


def _hand_over(call: Call, workspace: Workspace, chosen: str, first: Needed) -> Report:
    """The agent writes its file first; the same undo then takes back the rest."""
    one = first.handover
    data = {"id": one.id, "path": one.path, "file": one.file, "target": one.target, "instruction": one.instruction}
    report = Report(data={"undoes": chosen, "handover": data})
    if call.dry_run:
        report.lines = [f"OK a hand-over of {one.path} would be left for the agent", "NOTE dry run: nothing was written"]
        return report
    workspace.apply(first.plan, now=call.now, command=call.command, scheduled=True)
    report.lines = [
        f"NOTE waiting for the agent: no script writes {one.path} here (hand-over {one.id}); nothing else was taken back yet",
        f"NEXT {one.instruction}",
        f"NEXT then memory_cli.py undo {chosen} --yes takes back the rest",
    ]
    return report


def _unwind(call: Call, run: str, lost: dict[str, tuple[Left, ...]], trees: set[str]) -> Unwind:
    """How a file that has changed since the run loses the run's part, where lines alone would not do."""

    def unwind(part: Part) -> Unwound | None:
        if part.path.endswith("/memory-tree.json"):
            trees.add(part.path)
            return Unwound(unwound_tree(part.before or "", part.made or "", part.now))
        if part.path.endswith("/warm-memory.json"):
            return Unwound(unwound_warm(call, part.before or "", part.made or "", part.now))
        if part.path.endswith("/hot-memory-state.json"):
            text, lost[part.path] = unwound_hot(call, part.before or "", part.made or "", part.now)
            return Unwound(text)
        if part.kind != "put" or part.before is None or part.made is None:
            return None
        if part.path == INDEX:  # made anew by the next run that changes a topic: nobody has to be asked
            return Unwound(by_lines(part).text)
        if "topics/" not in part.path or is_archive(part.path):
            return None
        found = revert(
            part.before, part.made, part.now, part.base, path=part.path, reason=f"Run {run} was taken back",
            today=call.today.isoformat(), at=call.now.isoformat(timespec="seconds"),
        )  # fmt: skip
        return None if found is None else Unwound(found.text, found.clashes, found.base)

    return unwind
