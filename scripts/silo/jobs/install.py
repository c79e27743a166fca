"""The job behind `init --host`, `--schedule`, `--hooks` and `--remove`: what the user lets the host do for the memory, and its end.

Schedules are command jobs of the host, known by their declaration keys; the hook is a folder in the workspace that the
host runs only once it is enabled. Nothing here happens without its flag.
"""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from silo.core.schedule import JOBS, LIST_COMMAND, Place, add_command, crontab, ours, remove_command
from silo.edge import host
from silo.edge.workspace import Workspace
from silo.errors import BadInput, ServiceDown
from silo.jobs import topic as topics
from silo.jobs.run import Call, Report, commit
from silo.model import Change, Drop, Plan, Put, Remove, Write
from silo.text.lines import encode, sha256

SKILL = Path(__file__).resolve().parents[3]
TEMPLATE = SKILL / "hooks" / "memory-silo"
HOOK = "hooks/memory-silo"
FILES = ("HOOK.md", "handler.js")
ENABLE = ("openclaw", "hooks", "enable", "memory-silo")
UNSET = ("openclaw", "config", "unset", "hooks.internal.entries.memory-silo")
TABLE = "installed"  # of state.db: declaration key → the host's id of the job that we added


_CRONTAB = "on a machine with a cron daemon `crontab -e` takes these lines, which go by the machine's own time zone"


def place_of(call: Call, workspace: Workspace) -> Place:
    """Where the host will find python, scripts and workspace."""
    zone = call.config.zone_name
    return Place(sys.executable or "python3", str(SKILL / "scripts"), str(workspace.root), zone if "/" in zone or zone == "UTC" else "")


def guide(call: Call) -> Report:
    """The workspace is ready, and everything that OpenClaw would have to be told is shown; nothing of it is done."""
    report = topics.init(call)
    workspace = call.open(create=not call.dry_run)
    jobs = [add_command(job, place_of(call, workspace)) for job in JOBS]
    report.lines = [line for line in report.lines if not line.startswith("NEXT ")]
    report.lines.append("NOTE the host searches memory/ and puts MEMORY.md into the prompt already: nothing has to be configured for that")
    report.lines += [f"JOB {shlex.join(command)}" for command in jobs]
    report.lines.append(f"HOOK {workspace.root / HOOK}: {', '.join((*FILES, 'silo.json'))}; then {shlex.join(ENABLE)}")
    report.lines.append("NEXT extract_session.py --dry-run shows what it would read out of past sessions; then extract_session.py, curate_nightly.py")
    report.lines.append("NEXT with --schedule --yes the jobs are added, with --hooks the hook's folder; --remove takes out both; --dry-run shows it first")
    assert isinstance(report.data, dict)
    hook = {"folder": str(workspace.root / HOOK), "files": sorted((*FILES, "silo.json")), "enable": list(ENABLE)}
    report.data |= {"host": "openclaw", "jobs": [list(command) for command in jobs], "hook": hook}
    return report


def schedule(call: Call, *, yes: bool, project: bool = False) -> Report:
    """The commands that add the schedules to the host; with `yes` they are run. Run again, nothing is added twice. Where the
    host is not, the same jobs as lines for a cron daemon; beside Claude Code (`project`) these alone.

    Raises:
        BadInput: beside Claude Code with `yes`: there is no scheduler that could be asked.
        ServiceDown: the host's command line is missing or refused.
    """
    workspace = call.open()
    lines = crontab(place_of(call, workspace), project=project)
    if project:
        if yes and not call.dry_run:
            raise BadInput("Claude Code has no scheduler to add jobs to", "init --schedule shows the lines for `crontab -e`")
        return Report([*lines, f"NOTE nothing was installed; {_CRONTAB}"], {"crontab": list(lines)})
    listed = host.call(LIST_COMMAND) if yes and not call.dry_run else None
    commands = [add_command(job, place_of(call, workspace), listed) for job in JOBS]
    report = Report(data={"commands": [list(command) for command in commands], "installed": {}})
    if not yes or call.dry_run:
        report.lines = [shlex.join(command) for command in commands]
        report.lines.append("NOTE nothing was installed; each line adds a job to the host's scheduler, or changes the one of that key")
        if host.is_there():
            report.lines.append("NEXT memory_cli.py init --schedule --yes runs these lines; cron/crontab is for a machine with a cron daemon")
            return report
        report.lines += [f"NOTE openclaw is not on the PATH here; {_CRONTAB}", *lines]
        assert isinstance(report.data, dict)
        report.data["crontab"] = list(lines)
        return report
    added: dict[str, str] = {}
    for command in commands:
        key = command[command.index("--declaration-key") + 1]
        said = host.call(command)
        job = said.get("job") if isinstance(said, dict) else None
        added[key] = str(job.get("id", "")) if isinstance(job, dict) else ""
        workspace.state.apply([Put(TABLE, key, added[key])])
        report.lines.append(f"OK {key}" + ("" if isinstance(said, dict) and said.get("created", True) else " was there already"))
    assert isinstance(report.data, dict)
    report.data["installed"] = added
    report.lines.append("NEXT openclaw cron list --all shows them; memory_cli.py init --remove takes them out")
    return report


def hooks(call: Call) -> Report:
    """The hook's folder is in the workspace, with a file that says where the scripts are."""
    workspace = call.open(create=not call.dry_run)
    place = place_of(call, workspace)
    silo = json.dumps({"python": place.python, "scripts": place.scripts, "workspace": place.workspace}, ensure_ascii=False, indent=2) + "\n"
    wanted = {f"{HOOK}/{name}": (TEMPLATE / name).read_bytes() for name in FILES} | {f"{HOOK}/silo.json": encode(silo)}
    changes: list[Change] = []
    for path, data in wanted.items():
        present = workspace.read(path)
        if present != data:
            changes.append(Write(path, None if present is None else sha256(present), data, "hook"))
    report = Report(data={"files": sorted(wanted)})
    commit(call, workspace, Plan("init", tuple(changes)), report)
    report.lines.insert(0, f"OK {workspace.root / HOOK} {'would be' if call.dry_run else 'is'} in place")
    report.lines.append(f"NEXT {shlex.join(ENABLE)}: only then does the host run it")
    return report


def remove(call: Call, others: Callable[[Workspace, Report], list[Change]] = lambda workspace, report: []) -> Report:
    """What `--schedule` and `--hooks` added is gone: jobs of our keys, files that are as we wrote them. `others` gives the
    changes that take out what another host was given.

    Raises:
        ServiceDown: jobs were added, and the host's command line is missing or refused. The hook is gone by then.
    """
    workspace = call.open()
    report = Report(data={"jobs": [], "files": []})
    assert isinstance(report.data, dict)
    changes: list[Change] = []
    for path in workspace.paths(f"{HOOK}/*"):
        data = workspace.read(path)
        if data is not None and data == workspace.base(path):
            changes.append(Remove(path, sha256(data), "hook"))
        else:
            report.lines.append(f"NOTE {path} is not as it was written; it stays")
    changes += others(workspace, report)
    commit(call, workspace, Plan("init", tuple(changes)), report)
    if changes and not call.dry_run:
        for folder in {str(Path(change.path).parent) for change in changes if isinstance(change, Remove)} - {".", ".silo"}:
            host.drop_empty(workspace.root, folder)
    report.data["files"] = [change.path for change in changes]
    would = "would be " if call.dry_run else ""
    report.lines += [f"OK {change.path} {would}{'removed' if isinstance(change, Remove) else 'rid of our part'}" for change in changes]
    if any(change.path.startswith(HOOK) for change in changes):
        report.lines.append(f"NEXT {shlex.join(UNSET)}, if you enabled it: that setting is the host's and yours")
    for key, ident in _jobs(workspace, report).items():
        if not call.dry_run:
            host.call(remove_command(ident))
            workspace.state.apply([Drop(TABLE, key)])
        report.data["jobs"].append(key)
        report.lines.append(f"OK the host's job {key} {would}removed")
    if not report.data["jobs"] and not changes:
        report.lines.append("OK nothing of ours was installed")
    return report


def _jobs(workspace: Workspace, report: Report) -> Mapping[str, str]:
    """The host's jobs of our keys. Where the host can't be asked: none, unless we know that we added some."""
    known = workspace.state.items(TABLE)
    if not host.is_there():
        if known:
            raise ServiceDown(f"openclaw is not on the PATH; its jobs {', '.join(sorted(known))} are still there", "run init --remove where it is")
        return {}
    try:
        return ours(host.call(LIST_COMMAND), str(workspace.root))
    except ServiceDown as down:
        if known:
            raise
        report.lines.append(f"NOTE {down}; no job was added from here")
        return {}
