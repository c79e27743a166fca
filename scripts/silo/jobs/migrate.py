"""The job that organises a flat MEMORY.md: plan shows, apply does it in one run that can be undone, verify proves it.

Where the host's ledger knows the file, apply writes everything but MEMORY.md itself and leaves that to the agent.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC

from silo.core.doors import appends
from silo.core.migrate.handover import (
    BACK,
    FOLDER,
    Handover,
    Standing,
    clear,
    parse_handover,
    plan_handover,
    plan_way_back,
    standing,
)
from silo.core.migrate.plan import plan_migration
from silo.core.migrate.request import MigrationPlan, Request
from silo.core.route import route
from silo.edge.lang import load_languages
from silo.edge.migration_words import load_migration_words
from silo.edge.workspace import Workspace
from silo.errors import BadInput, Trouble
from silo.jobs.memory import read_events, statements
from silo.jobs.migrate_input import LEDGER, Given, MigrateOptions, ledgers, read
from silo.jobs.migrate_telling import handed, handover_data, limits, nothing, plan_data, summary
from silo.jobs.migrate_verify import verify
from silo.jobs.run import Call, Report
from silo.jobs.run import apply as applied
from silo.jobs.tombs import read_tombs
from silo.model import Change, Event, Plan, Put, Tag, Write
from silo.text.lines import decode, encode, sha256
from silo.text.redact import redact_known, redact_lines

__all__ = ["MigrateOptions", "apply", "plan", "verify"]


def plan(call: Call, options: MigrateOptions) -> Report:
    """What would go where and why; nothing is written."""
    workspace = call.open()
    given = read(call, workspace)
    if given.is_blank:
        return nothing(given)
    made = _plan(call, workspace, given, options)
    report = Report(summary(given, made), plan_data(given, made))
    if options.diff:
        report.lines.append(redact_known(workspace.preview(_whole(call, workspace, given, made, options)), given.text or ""))
    if not made.changes:
        report.lines.append("OK nothing would change: this memory is organised")
    else:
        report.lines.append(
            "NEXT migrate_memory.py apply does it in one run; memory_cli.py undo --last takes it back"
        )
    return report


def _plan(call: Call, workspace: Workspace, given: Given, options: MigrateOptions) -> MigrationPlan:
    """The plan; a damaged block or a line without a place stops everything.

    Raises:
        BadInput: a managed block is damaged.
        Trouble: a line would be lost, which is a fault of ours.
    """
    at = call.now.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    stayed = {
        r.digest
        for _, row in ledgers(workspace, given.source)
        for r in row
        if r.path == given.source and r.digest
    }
    made = plan_migration(
        given.text or "",
        given.files,
        Request(
            given.source,
            call.today,
            at,
            call.config.agent,
            load_migration_words(),
            frozenset(stayed),
            options.redact_secrets,
        ),
    )
    if made.problems:
        first = made.problems[0]
        raise BadInput(
            f"{first.where} {first.code} {first.message}", "mend the markers of the block, then plan again"
        )
    if made.lost:
        numbers = ", ".join(map(str, made.lost[:10]))
        raise Trouble(
            f"{given.source}: lines {numbers} would have no place; nothing was written",
            "report this: a bug of memory-silo",
        )
    return made


def apply(call: Call, options: MigrateOptions, ask: Callable[[str], bool]) -> Report:
    """The plan has happened as one run, or nothing has."""
    workspace = call.open()
    with workspace.job("migrate", wait=0 if call.scheduled else 30):
        given = read(call, workspace)
        if given.is_blank:
            return nothing(given)
        waiting = next(
            (one for one in given.handovers if standing(one, given.text) is Standing.WAITING), None
        )
        if waiting is not None and given.host.forbids(given.source):
            return Report(
                handed(waiting), {"source": given.source, "handover": handover_data(waiting), "changed": []}
            )
        made = _plan(call, workspace, given, options)
        whole = _whole(call, workspace, given, made, options)
        report = Report(data=plan_data(given, made))
        if whole.is_empty:
            report.lines.append("OK nothing to do: this memory is organised")
            return report
        if call.dry_run:
            preview = redact_known(workspace.preview(whole), given.text or "")
            report.lines += [preview.rstrip("\n"), "NOTE dry run: nothing was written"]
            report.data |= {"dry_run": True, "diff": preview}  # type: ignore[operator]
            return report
        for line in summary(given, made):
            call.say(line)
        if not ask(f"Organise {given.source} this way?"):
            report.lines.append(
                "NOTE nothing was written; `migrate_memory.py apply --yes` does it without asking"
            )
            return report
        result = applied(call, workspace, lambda: whole)
        return _done(
            given, made, whole, result.run_id, result.changed, result.conflicts, result.notes, report
        )


def _whole(
    call: Call, workspace: Workspace, given: Given, made: MigrationPlan, options: MigrateOptions
) -> Plan:
    """The run: the files, or the hand-over in place of MEMORY.md, statements for the log, and the ledger."""
    changes: list[Change] = list(made.changes)
    settled = [one for one in given.handovers if standing(one, given.text) is not Standing.WAITING]
    new: Handover | None = None
    own = next((c for c in changes if isinstance(c, Write) and c.path == given.source), None)
    if own is not None and given.host.forbids(given.source):
        changes.remove(own)
        day = call.today.isoformat()
        new, files = plan_handover(given.source, given.text or "", made.target, made.held, day)
        changes += files
        # Where a secret was moved with a placeholder, the way back has the placeholder too.
        old = redact_lines(given.text or "") if options.redact_secrets else given.text or ""
        changes += (
            file
            for file in plan_way_back(given.source, old, made.target, made.held, day)
            if workspace.read(file.path) is None
        )
    present = {p: data for p in workspace.paths(f"{FOLDER}/*") if (data := workspace.read(p)) is not None}
    changes += clear(settled, present, {new.id} if new else ())
    if not changes:
        return Plan("migrate")
    changes += appends(_events(call, workspace, given, made), given.topics.private, "promoted by dreaming")
    rows = [[row.line, row.path, row.digest] for row in made.ledger]
    state: tuple[Put, ...] = ()
    if made.changes:
        at = call.now.astimezone(UTC).isoformat(timespec="seconds")
        value = {
            "at": at,
            "source": sha256(encode(given.text or "")),
            "handover": new.id if new else "",
            "rows": rows,
        }
        state = (Put(LEDGER, f"{given.source} {at}", value),)
    counts = {
        "lines": len({row.line for row in made.ledger}),
        "topics": len(made.topics),
        "entities": sum(e.new for e in made.entities),
    }
    return Plan("migrate", tuple(changes), state, counts=counts)


def _events(call: Call, workspace: Workspace, given: Given, made: MigrationPlan) -> list[Event]:
    """Statements that dreaming had folded into MEMORY.md, as events of the day of their note; known ones left out."""
    if not made.promoted:
        return []
    existing = [event for file in read_events(workspace) for event in file.events]
    log, numbering = statements(workspace, given.topics, existing)
    languages, tombs = load_languages(), read_tombs(workspace)
    found: list[Event] = []
    for one in made.promoted:
        event = Event(
            one.date or call.today.isoformat(), Tag.FACT, route(one.text, given.topics.infos, languages), one.text,
            agent=call.config.agent, source=f"{given.source}:{one.line}",
        )  # fmt: skip
        if log.restates(event) is None and not tombs.blocks(event):
            event = numbering.number(event)
            log.add([event])
            found.append(event)
    return found


def _done(
    given: Given,
    made: MigrationPlan,
    whole: Plan,
    run_id: str | None,
    changed: tuple[str, ...],
    conflicts: tuple[str, ...],
    notes: tuple[str, ...],
    report: Report,
) -> Report:
    assert isinstance(report.data, dict)
    report.data |= {"run": run_id, "changed": list(changed)}
    lines = len({row.line for row in made.ledger})
    report.lines.append(f"OK {given.source} is organised: {lines} lines accounted for, run {run_id}")
    report.lines += [f"OK wrote {path}" for path in changed if not path.startswith((FOLDER, BACK))]
    report.lines += [f"NOTE {note}" for note in notes]
    report.lines += [
        f"NOTE {path} was edited meanwhile: the edit stays, our version waits in review" for path in conflicts
    ]
    report.lines += limits(made)
    left = [
        c
        for c in whole.changes
        if isinstance(c, Write) and c.path.startswith(FOLDER) and c.path.endswith(".json")
    ]
    for one in left:
        handover = parse_handover(decode(one.data))
        if handover is not None:
            report.lines += handed(handover)
            report.data["handover"] = handover_data(handover)
    report.lines.append(
        "NEXT migrate_memory.py verify proves the result; memory_cli.py undo --last takes it back"
    )
    return report
