"""The job that organises a flat MEMORY.md: plan shows, apply does it in one run that can be undone, verify proves it.

Where the host's ledger knows the file, apply writes everything but MEMORY.md itself and leaves that to the agent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC

from silo.core.dedupe import Log
from silo.core.doors import Numbering, appends
from silo.core.entities.query import GRAPH
from silo.core.migrate.handover import (
    FOLDER,
    Handover,
    Standing,
    clear,
    parse_handover,
    plan_handover,
    standing,
)
from silo.core.migrate.ledger import Found, Row
from silo.core.migrate.plan import plan_migration
from silo.core.migrate.request import MigrationPlan, PlannedSection, Request
from silo.core.migrate.verify import missing, targets
from silo.core.route import route
from silo.core.views import INDEX
from silo.edge.lang import load_languages
from silo.edge.ledger import HostLedger, read_ledger
from silo.edge.migration_words import load_migration_words
from silo.edge.workspace import Workspace
from silo.errors import BadInput, Trouble
from silo.formats.tiers import LIMITS, PATHS
from silo.jobs.handover import read_handovers
from silo.jobs.memory import Topics, read_events, read_topics
from silo.jobs.run import Call, Report, problem_data
from silo.model import DEFAULT_AGENT, Change, Event, Plan, Put, Tag, Write
from silo.text.lines import decode, encode, sha256, split
from silo.text.redact import redact

LEDGER = "ledger"  # the table of state.db: `<source> <instant>` → where each line went


@dataclass(frozen=True, slots=True)
class MigrateOptions:
    """What was asked for. `rows`: verify prints where every single line is; `diff`: plan prints the whole diff."""

    redact_secrets: bool = False
    rows: bool = False
    diff: bool = False


@dataclass(frozen=True, slots=True)
class _Given:
    """All that a plan is made from."""

    source: str
    text: str | None
    files: Mapping[str, str]
    handovers: tuple[Handover, ...]
    host: HostLedger
    topics: Topics


# --- plan -------------------------------------------------------------------------------------------------


def plan(call: Call, options: MigrateOptions) -> Report:
    """What would go where and why; nothing is written."""
    workspace = call.open()
    given = _read(call, workspace)
    if given.text is None or not given.text.strip():
        return _nothing(given)
    made = _plan(call, workspace, given, options)
    report = Report(_summary(given, made), _data(given, made))
    if options.diff:
        report.lines.append(redact(workspace.preview(_whole(call, workspace, given, made)))[0])
    if not made.changes:
        report.lines.append("OK nothing would change: this memory is organised")
    else:
        report.lines.append(
            "NEXT migrate_memory.py apply does it in one run; memory_cli.py undo --last takes it back"
        )
    return report


def _read(call: Call, workspace: Workspace) -> _Given:
    agent = call.config.agent
    source = "MEMORY.md" if agent == DEFAULT_AGENT else f"MEMORY-{agent}.md"
    data = workspace.read(source)
    topics = read_topics(workspace)
    paths = [*PATHS.values(), GRAPH, INDEX, *(file.path for file in topics.files)]
    files = {path: decode(found) for path in paths if (found := workspace.read(path)) is not None}
    hashes = {source: sha256(data)} if data is not None else {}
    return _Given(
        source,
        None if data is None else decode(data),
        files,
        tuple(one for one in read_handovers(workspace) if one.path == source),
        read_ledger(call.config.state_dir, workspace.root, hashes),
        topics,
    )


def _plan(call: Call, workspace: Workspace, given: _Given, options: MigrateOptions) -> MigrationPlan:
    """The plan; a damaged block or a line without a place stops everything.

    Raises:
        BadInput: a managed block is damaged.
        Trouble: a line would be lost, which is a fault of ours.
    """
    at = call.now.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    stayed = {
        r.digest
        for _, row in _ledgers(workspace, given.source)
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


def _ledgers(workspace: Workspace, source: str) -> list[tuple[dict[str, object], tuple[Row, ...]]]:
    """What earlier runs noted about this file, newest first."""
    found: list[tuple[dict[str, object], tuple[Row, ...]]] = []
    for _, value in sorted(workspace.state.items(LEDGER, f"{source} ").items(), reverse=True):
        if isinstance(value, dict) and isinstance(value.get("rows"), list):
            rows = tuple(
                Row(int(r[0]), str(r[1]), str(r[2]))
                for r in value["rows"]
                if isinstance(r, list) and len(r) == 3
            )
            found.append((value, rows))
    return found


def _nothing(given: _Given) -> Report:
    what = "is empty" if given.text is not None else "does not exist"
    data = {"source": given.source, "sections": [], "entities": [], "secrets": [], "totals": {}}
    return Report([f"OK {given.source} {what}: nothing to organise"], data)


# --- apply ------------------------------------------------------------------------------------------------


def apply(call: Call, options: MigrateOptions, ask: Callable[[str], bool]) -> Report:
    """The plan has happened as one run, or nothing has."""
    workspace = call.open()
    with workspace.job("migrate", wait=0 if call.scheduled else 30):
        given = _read(call, workspace)
        if given.text is None or not given.text.strip():
            return _nothing(given)
        waiting = next(
            (one for one in given.handovers if standing(one, given.text) is Standing.WAITING), None
        )
        if waiting is not None and given.host.forbids(given.source):
            return Report(
                _handed(waiting), {"source": given.source, "handover": _handover_data(waiting), "changed": []}
            )
        made = _plan(call, workspace, given, options)
        whole = _whole(call, workspace, given, made)
        report = Report(data=_data(given, made))
        if whole.is_empty:
            report.lines.append("OK nothing to do: this memory is organised")
            return report
        if call.dry_run:
            preview = redact(workspace.preview(whole))[0]
            report.lines += [preview.rstrip("\n"), "NOTE dry run: nothing was written"]
            report.data |= {"dry_run": True, "diff": preview}  # type: ignore[operator]
            return report
        for line in _summary(given, made):
            call.say(line)
        if not ask(f"Organise {given.source} this way?"):
            report.lines.append(
                "NOTE nothing was written; `migrate_memory.py apply --yes` does it without asking"
            )
            return report
        result = workspace.apply(whole, now=call.now, command=call.command, scheduled=call.scheduled)
        return _done(
            given, made, whole, result.run_id, result.changed, result.conflicts, result.notes, report
        )


def _whole(call: Call, workspace: Workspace, given: _Given, made: MigrationPlan) -> Plan:
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


def _events(call: Call, workspace: Workspace, given: _Given, made: MigrationPlan) -> list[Event]:
    """Statements that dreaming had folded into MEMORY.md, as events of the day of their note; known ones left out."""
    if not made.promoted:
        return []
    existing = [event for file in read_events(workspace) for event in file.events]
    log, numbering, languages = Log(), Numbering(existing), load_languages()
    log.add(existing)
    found: list[Event] = []
    for one in made.promoted:
        event = Event(
            one.date or call.today.isoformat(), Tag.FACT, route(one.text, given.topics.infos, languages), one.text,
            agent=call.config.agent, source=f"{given.source}:{one.line}",
        )  # fmt: skip
        if log.restates(event) is None:
            event = numbering.number(event)
            log.add([event])
            found.append(event)
    return found


def _done(
    given: _Given,
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
    report.lines += [f"OK wrote {path}" for path in changed if not path.startswith(FOLDER)]
    report.lines += [f"NOTE {note}" for note in notes]
    report.lines += [
        f"NOTE {path} was edited meanwhile: the edit stays, our version waits in review" for path in conflicts
    ]
    report.lines += _limits(made)
    left = [
        c
        for c in whole.changes
        if isinstance(c, Write) and c.path.startswith(FOLDER) and c.path.endswith(".json")
    ]
    for one in left:
        handover = parse_handover(decode(one.data))
        if handover is not None:
            report.lines += _handed(handover)
            report.data["handover"] = _handover_data(handover)
    report.lines.append(
        "NEXT migrate_memory.py verify proves the result; memory_cli.py undo --last takes it back"
    )
    return report


def _handed(handover: Handover) -> list[str]:
    return [
        f"NOTE waiting for the agent: the host's ledger knows {handover.path}, so no script edits it (hand-over {handover.id})",
        f"NEXT {handover.instruction}",
        "NEXT migrate_memory.py verify tells when it is done",
    ]


def _handover_data(handover: Handover) -> dict[str, object]:
    return {
        "id": handover.id,
        "path": handover.path,
        "file": handover.file,
        "target": handover.target,
        "instruction": handover.instruction,
    }


# --- verify -----------------------------------------------------------------------------------------------


def verify(call: Call, options: MigrateOptions) -> Report:
    """The targets and the ledger, checked against the files as they are; exit 1 if something is over or gone."""
    workspace = call.open()
    given = _read(call, workspace)
    texts = _texts(workspace, given)
    ledgers = _ledgers(workspace, given.source)
    waiting = next((one for one in given.handovers if standing(one, given.text) is Standing.WAITING), None)
    report = Report(
        data={
            "source": given.source,
            "applied": bool(ledgers),
            "handover": _handover_data(waiting) if waiting else None,
        }
    )
    assert isinstance(report.data, dict)
    if not ledgers:
        report.lines = [
            f"NOTE no migration of {given.source} is recorded here",
            "NEXT migrate_memory.py plan shows what it would do",
        ]
    last = ledgers[0][0] if ledgers else {}
    back = (
        bool(ledgers)
        and waiting is None
        and given.text is not None
        and last.get("source") == sha256(encode(given.text))
    )
    if back:
        report.lines.append(f"NOTE {given.source} is as it was before the migration: it was taken back")
        report.data["applied"] = False
        return report
    table, problems = targets(texts, given.source)
    shown = [one for one in table if not (waiting and one.name.startswith(given.source))]
    over = [one for one in shown if not one.good and (ledgers or one.have != "none")]
    report.lines += [
        f"{'OK' if one.good else 'PROBLEM'} {one.name}: {one.have} (target: {one.want})" for one in shown
    ]
    if waiting:
        report.lines += _handed(waiting)
    gone = _lines(workspace, ledgers, texts, options, report)
    report.problems(problems)
    report.data |= {
        "targets": [{"name": t.name, "have": t.have, "want": t.want, "good": t.good} for t in shown],
        "problems": problem_data(problems),
    }
    report.code = 1 if over or problems or gone else 0
    if not report.code and ledgers and not waiting:
        report.lines.append("OK verified")
    return report


def _texts(workspace: Workspace, given: _Given) -> dict[str, str]:
    paths = [*workspace.paths("memory/**/*.md"), *workspace.paths(".silo/private/**/*.md"), GRAPH]
    texts = {path: decode(data) for path in paths if (data := workspace.read(path)) is not None}
    return texts | ({given.source: given.text} if given.text is not None else {})


def _lines(
    workspace: Workspace,
    ledgers: list[tuple[dict[str, object], tuple[Row, ...]]],
    texts: Mapping[str, str],
    options: MigrateOptions,
    report: Report,
) -> bool:
    """The ledgers of all runs, line by line; true if words are gone from a file that nobody has edited since."""
    lost = False
    rows_out: list[dict[str, object]] = []
    for value, rows in ledgers:
        found, gone = missing(rows, texts)
        name = f"migration of {str(value.get('at'))[:16]}"
        count = len({row.line for row in rows})
        untouched = [
            one
            for one in gone
            if one.row.path in texts and workspace.base(one.row.path) == encode(texts[one.row.path])
        ]
        edited = [one for one in gone if one not in untouched]
        report.lines.append(
            f"OK {name}: {count} lines, {count - len({o.row.line for o in gone})} stand word for word where they went"
        )
        if edited:
            report.lines.append(
                f"NOTE {len(edited)} lines were edited or taken out since: {_numbers(edited)}"
            )
        for one in untouched:
            report.lines.append(
                f"PROBLEM {one.row.path} line-gone the words of source line {one.row.line} do not stand there"
            )
            lost = True
        if options.rows:
            report.lines += [f"{one.row.line} → {_where(one)}" for one in found]
        rows_out += [{"line": one.row.line, "path": one.path, "at": one.line or None} for one in found]
    assert isinstance(report.data, dict)
    report.data["ledger"] = rows_out
    return lost


def _where(one: Found) -> str:
    if not one.row.path:
        return "nothing to keep (a rule or separator)"
    return f"{one.path}:{one.line}" if one.line else one.path


def _numbers(found: Iterable[Found]) -> str:
    numbers = sorted({one.row.line for one in found})
    return ", ".join(map(str, numbers[:12])) + (f" and {len(numbers) - 12} more" if len(numbers) > 12 else "")


# --- telling ----------------------------------------------------------------------------------------------


def _summary(given: _Given, made: MigrationPlan) -> list[str]:
    """What a person reads in a minute: where how much goes, each section with its reason, what is unsure, what stays."""
    lines = [f"OK {given.source}: {len(split(given.text or ''))} lines in {len(made.sections)} sections"]
    sizes = Counter(path for section in made.sections for path in section.to)
    for path in sorted(sizes):
        lines.append(f"OK {sizes[path]} sections → {path}{' (stays)' if path == given.source else ''}")
    lines += [_section_line(section, given.source) for section in made.sections]
    by_type = Counter(e.type for e in made.entities)
    if by_type:
        lines.append("OK entities: " + ", ".join(f"{kind} {n}" for kind, n in sorted(by_type.items())))
        lines.append("OK " + "; ".join(f"{e.name} ({e.id})" for e in made.entities[:40]))
    unsure = [s for s in made.sections if s.unsure]
    if unsure:
        where = ", ".join(f"{s.start_line}–{s.end_line}" for s in unsure)
        lines.append(f"NOTE not sure about lines {where}: kept word for word in {PATHS['archive']}")
    if made.secrets:
        lines.append(
            f"NOTE lines {', '.join(map(str, made.secrets))} hold a secret: they stay where they are (--redact-secrets moves them without it)"
        )
    return [*lines, *_limits(made)]


def _section_line(section: PlannedSection, source: str) -> str:
    to = ", ".join("stays" if path == source else path for path in section.to) or "nothing to keep"
    why = f" ({'; '.join(section.why[:3])})" if section.why else ""
    name = f" {section.heading}" if section.heading else ""
    return (
        f"{section.start_line}–{section.end_line}{name}: {section.tier} {section.confidence:.2f} → {to}{why}"
    )


def _limits(made: MigrationPlan) -> list[str]:
    """Files that would be longer than they should."""
    found: list[str] = []
    for name, limit in LIMITS.items():
        size = len(split(made.texts.get(PATHS[name], "")))
        if size >= limit:
            found.append(
                f"NOTE {PATHS[name]} has {size} lines, the target is under {limit}: move what rarely matters to the archive"
            )
    return found


def _data(given: _Given, made: MigrationPlan) -> dict[str, object]:
    return {
        "source": given.source,
        "sections": [
            {
                "start_line": s.start_line,
                "end_line": s.end_line,
                "heading": s.heading,
                "tier": s.tier.value,
                "confidence": s.confidence,
                "why": list(s.why),
                "to": list(s.to),
                "unsure": s.unsure,
            }
            for s in made.sections
        ],
        "entities": [
            {"id": e.id, "type": e.type, "name": e.name, "line": e.line, "new": e.new} for e in made.entities
        ],
        "secrets": list(made.secrets),
        "totals": {
            "lines": len({row.line for row in made.ledger}),
            "kept": made.kept,
            "topics": len(made.topics),
            "entities": len(made.entities),
            "unsure": sum(s.unsure for s in made.sections),
            "files": {c.path: len(split(decode(c.data))) for c in made.changes},
        },
        "files": sorted(c.path for c in made.changes),
        "script_may_write": not given.host.forbids(given.source),
        "host": given.host.trouble,
    }
