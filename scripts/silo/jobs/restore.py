"""The job behind `restore --from-mirror` and `--from FOLDER`: a memory comes back from its mirror, into an empty place or a used one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from silo.edge.cold.hrana import CRITICAL as PAUSES
from silo.edge.crypto import Plain, Sealer
from silo.edge.mirror import GONE, FolderTarget, Target
from silo.edge.workspace import Workspace
from silo.errors import BadInput, ServiceDown
from silo.formats.coldrow import digest
from silo.formats.events import head
from silo.jobs.mirror import (
    ROWS,
    SALT,
    Where,
    adopt_key,
    common,
    critical,
    exchange,
    outgoing,
    sealer_of,
    target_of,
)
from silo.jobs.mirrorrows import rows_here
from silo.jobs.run import Call, Report, commit
from silo.jobs.sync import HOW, NO_MIRROR
from silo.model import Append, ColdRow, Plan
from silo.text.lines import encode


@dataclass(frozen=True, slots=True)
class RestoreOptions:
    """What was asked for, as typed. `verify`: compare, and write nothing."""

    where: Where = field(default_factory=Where)
    verify: bool = False


def is_mirror(folder: Path) -> bool:
    """Whether a folder is one that `sync-critical --to` has written."""
    return (folder / "memory-silo" / "files").is_dir()


def from_folder(call: Call, folder: Path, *, verify: bool = False) -> Report:
    """As `from_mirror`, from a folder.

    Raises:
        BadInput: the folder is no mirror.
    """
    if not is_mirror(folder):
        raise BadInput(f"{folder} is no mirror of a memory", "sync-critical --to DIR makes one")
    return _restored(call, FolderTarget(folder), verify=verify)


def from_mirror(call: Call, options: RestoreOptions, *, pauses: Sequence[float] = PAUSES) -> Report:
    """What the mirror has and this memory lacks is here; what both changed is merged, nothing of it lost. Nothing is sent.

    Raises:
        BadInput: no mirror, another key, or nothing there for this agent.
        ServiceDown: it did not answer.
    """
    target = target_of(call, options.where, pauses=pauses, wait=30.0)
    if target is None:
        raise BadInput(NO_MIRROR, HOW)
    return _restored(call, target, verify=options.verify)


def _restored(call: Call, target: Target, *, verify: bool) -> Report:
    workspace = call.open(create=not (call.dry_run or verify))
    report = Report()
    with workspace.job("mirror", wait=30.0):
        if not call.dry_run and not verify and adopt_key(workspace):
            report.lines.append("NOTE the key of SILO_PASSPHRASE is this device's key now, in .silo/key")
        sealer = _sealer(call, workspace, target)
        if verify:
            return _verified(call, workspace, target, sealer, report)
        written: list[str] = []
        if sealer is not None:
            done = exchange(call, workspace, target, sealer, report, restoring=True)
            written = done.written
            if done.collisions:
                report.lines.append(f"NOTE {done.collisions} places differ on two devices: both stand, and wait in `memory_cli.py review`")
            report.lines += [f"NOTE {path} is another one at the mirror; the one here stays" for path in done.left]
        # Where there are files they have told the whole log: a row beyond it is a line that was taken out since. The archive
        # is derived, and made by whoever asks it first.
        lines = 0 if _have_files(call, workspace) else _lines_back(call, workspace, target.all_rows(call.config.agent), report)
    would = "would be " if call.dry_run else ""
    if not written and not lines:
        report.lines.insert(0, f"OK nothing to restore: {target.label} has nothing that is not here")
    else:
        report.lines.insert(0, f"OK {len(written)} files {would}restored from {target.label}, and {lines} event lines from its cold rows")
        report.lines.append("NEXT memory_cli.py restore --from-mirror --verify, then memory_cli.py doctor")
    report.data = {
        **(report.data if isinstance(report.data, dict) else {}),
        "mirror": target.label, "files": written, "event_lines": lines,
    }  # fmt: skip
    return report


def _sealer(call: Call, workspace: Workspace, target: Target) -> Sealer | None:
    """What opens this mirror's files; None where there are none, so that its cold rows are all that can be had.

    Raises:
        BadInput, ServiceDown: there are files that can't be opened without a key, or without the package.
    """
    names = [name for name, mark in target.marks(call.config.agent).items() if name not in (ROWS, SALT) and mark != GONE]
    if not names:
        return None
    one = next(iter(target.fetch(call.config.agent, names[:1]).values()), None)
    if one is not None and one.data.startswith("plain"):
        return Plain()
    try:
        return sealer_of(call, workspace, target)
    except ServiceDown as down:
        if down.hint.startswith("memory_cli.py init"):
            raise BadInput("the mirror is encrypted, and there is no key here", "set SILO_PASSPHRASE to the key that `init --mirror` printed") from None
        raise


def _lines_back(call: Call, workspace: Workspace, rows: Sequence[ColdRow], report: Report) -> int:
    """Event lines that stand in no log file, put back from the cold rows: all of them where the mirror has no files."""
    here = rows_here(workspace)
    known = {row.line for row in here.values()}
    days: dict[str, list[ColdRow]] = {}
    for row in rows:
        if row.line and row.id not in here and row.line not in known:
            days.setdefault(row.date, []).append(row)
    changes = [
        Append(f"memory/events/{day}.md", encode("".join(f"{row.line}\n" for row in sorted(found, key=lambda row: row.place))), head(day), "restored")
        for day, found in sorted(days.items())
    ]
    if changes:
        commit(call, workspace, Plan("restore", tuple(changes)), report)
    return sum(len(found) for found in days.values())


def _have_files(call: Call, workspace: Workspace) -> bool:
    with common(workspace) as state:
        return any(path.startswith("memory/events/") for path in state.every_path(call.config.agent))


def _verified(call: Call, workspace: Workspace, target: Target, sealer: Sealer | None, report: Report) -> Report:
    """Findings where memory and mirror differ; nothing is written."""
    found = list(_differences(call, workspace, target, sealer))
    report.lines = found or [f"OK {target.label} and this memory hold the same"]
    report.code = 1 if found else 0
    report.data = {"mirror": target.label, "same": not found, "differences": found}
    return report


def _differences(call: Call, workspace: Workspace, target: Target, sealer: Sealer | None) -> Iterator[str]:
    agent = call.config.agent
    if sealer is not None:
        marks = {name: mark for name, mark in target.marks(agent).items() if name not in (ROWS, SALT) and mark != GONE}
        local = {sealer.name(path): (path, sealer.mark(path, data)) for path, data in outgoing(critical(workspace), sealer).items()}
        for name in sorted({*marks, *local}):
            path = local[name][0] if name in local else name
            if name not in local:
                yield f"PROBLEM {path} missing-here the mirror has it"
            elif name not in marks:
                yield f"PROBLEM {path} missing-there the mirror does not have it"
            elif marks[name] != local[name][1]:
                yield f"PROBLEM {path} differs"
    here = {ident: digest(row) for ident, row in rows_here(workspace).items() if row.agent_id == agent}
    there = target.rows.digests(agent)
    for word, ids in (("missing-there", here.keys() - there.keys()), ("missing-here", there.keys() - here.keys())):
        yield from (f"PROBLEM {ident} {word} a cold row" for ident in sorted(ids)[:20])
    yield from (f"PROBLEM {ident} differs a cold row" for ident in sorted(i for i in here.keys() & there.keys() if here[i] != there[i])[:20])
