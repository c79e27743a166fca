"""The job that turns sessions into events: read → extract → ground → dedupe → route → commit with the cursors."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from silo.config import parse_day
from silo.edge.sources.discover import discover
from silo.edge.sources.found import Discovery, SourceSession
from silo.edge.workspace import Workspace
from silo.errors import BadInput, Busy
from silo.formats.session import RawSession, Screened
from silo.jobs.choice import AGENT, RULES, choose
from silo.jobs.health import noted, record
from silo.jobs.run import Call, Report
from silo.model import Drop, Put

if TYPE_CHECKING:
    from silo.jobs.extract_model import Reader
    from silo.jobs.intake import Intake

BATCH_TURNS = 4000  # new turns in one commit: bounds memory and what an interruption costs
_AGE = re.compile(r"(\d+)\s*([hdw])")


@dataclass(frozen=True, slots=True)
class ExtractOptions:
    """What was asked for. `everything` lifts the first run's limit of 30 days."""

    source: str = "auto"
    path: str | None = None
    since: str | None = None
    everything: bool = False
    limit: int | None = None
    groups: bool = False
    again: tuple[str, ...] = ()
    quiet: bool = False
    engine: str | None = None
    model: str | None = None
    endpoint: str | None = None
    at_once: bool = False


def extract(call: Call, options: ExtractOptions) -> Report:
    """Everything new in the sessions is in the event log, each message once."""
    workspace = call.open()
    try:
        with workspace.job("extract"), noted(call, workspace, "extract") as started:
            return _extract(call, options, workspace, started)
    except Busy as busy:
        return Report([f"NOTE {busy}; nothing to do here"], {"busy": str(busy)})


def _extract(call: Call, options: ExtractOptions, workspace: Workspace, started: float) -> Report:
    found, horizon, first, lifted = sources(call, options, workspace)
    run: Intake | None = None
    reader = _reader(call, options, workspace)
    report = Report(data={"source": found.source})
    total = len(found.found)
    parts = screened(call, workspace, found)
    for number, part in enumerate(parts if reader is None else reader.due(parts), 1):
        from silo.jobs import intake  # only now is there anything to read the memory for

        run = run or intake.start(call, workspace, lifted)
        if reader is None:
            intake.take(run, part)
        else:
            reader.put(run, part)
        if not options.quiet and number % 50 == 0:
            call.say(f"… {number} parts of {total} sessions read, {run.counts['events']} events so far")
        if run.batch.turns >= BATCH_TURNS:
            intake.flush(run, report)
    if run is None and lifted:  # nobody has said anything since; curation has something to take up again
        from silo.jobs import intake

        run = intake.start(call, workspace, lifted)
    if run is not None:
        if reader is not None:
            reader.flush(run)
        if first and not call.dry_run:
            run.batch.state.append(Put("cursors", "horizon", horizon.isoformat() if horizon else ""))
        intake.flush(run, report)
    _tell(call, options, found, run, report, horizon, first)
    if reader is not None:
        _tell_engine(reader, report)
    counts = run.counts if run else Counter[str]()
    figures = {
        "events": counts["events"],
        "messages": counts["turns"],
        "files": len({(event.date, event.slug in run.topics.private) for event in run.written}) if run else 0,
        "actions": {name: number for name, number in counts.items() if number},
        "runs": run.runs if run else [],
        **(reader.engines.figures if reader is not None else {}),
    }
    record(call, workspace, "extract", started, figures)
    return report


def sources(call: Call, options: ExtractOptions, workspace: Workspace) -> tuple[Discovery, datetime | None, bool, tuple[Drop, ...]]:
    """(what is there to read, messages before this are left alone, whether it is the first run, marks of undone messages that
    are taken up again)."""
    horizon, first = _horizon(call, options, workspace)
    lifted = workspace.again(options.again)
    source, path = _where(call, options)
    found = discover(
        source,
        path=Path(path).expanduser() if path else None,
        state_dir=call.config.state_dir,
        agent=call.config.agent,
        since=horizon,
        limit=options.limit,
        groups=True if options.groups or call.config.section("extract").get("groups") is True else None,
        owners=_owners(call),
        zone=call.config.zone,
        again=frozenset(drop.key for drop in lifted),
    )
    return found, horizon, first, lifted


def _where(call: Call, options: ExtractOptions) -> tuple[str, str | None]:
    """(source, path): as asked for, else those of the configuration, `extract.source` and `extract.path`."""
    table = call.config.section("extract")
    source, path = table.get("source"), table.get("path")
    if options.source != "auto" or options.path or not isinstance(source, str):
        return options.source, options.path
    return source, path if isinstance(path, str) and path else None


def screened(call: Call, workspace: Workspace, found: Discovery) -> Iterator[SourceSession]:
    """The sessions one by one, screened."""
    return found.sessions(partial(_screened, call), _getter(workspace))


def _reader(call: Call, options: ExtractOptions, workspace: Workspace) -> Reader | None:
    """What gathers parts for a model; None where the rules read each at once."""
    choice = choose(call, "extract", options.engine, options.model, options.endpoint)
    if choice.engine == AGENT:
        call.say("NOTE the engine agent reads by work orders (--emit FILE, --apply FILE): without one the rules read")
    if choice.engine in (RULES, AGENT):
        return None
    from silo.jobs.engines import engines_for
    from silo.jobs.extract_model import Reader

    return Reader(call, engines_for(call, workspace, "extract", choice), patient=not (options.at_once or options.path))


def _tell_engine(reader: Reader, report: Report) -> None:
    """What the model did, what the rules did in its place, and what waits."""
    told = [f"NOTE {note}" for note in reader.engines.notes]
    if reader.waiting:
        told.append(f"NOTE {reader.waiting} new messages wait until their session ends or has more; --now reads them")
    last = bool(report.lines) and report.lines[-1].startswith("NEXT ")
    at = len(report.lines) - last  # what to do next stays last
    report.lines[at:at] = told
    assert isinstance(report.data, dict)
    report.data |= {"engine": reader.engines.figures | {"notes": reader.engines.notes, "waiting": reader.waiting}}


def _screened(call: Call, raw: RawSession) -> Screened:
    from silo.core.screen.turns import (
        screen,  # its tables of patterns are loaded once there is something to screen
    )

    return screen(raw, call.config.zone)


def _tell(
    call: Call,
    options: ExtractOptions,
    found: Discovery,
    run: Intake | None,
    report: Report,
    horizon: datetime | None,
    first: bool,
) -> None:
    counts = run.counts if run else Counter[str]()
    events = run.written if run else []
    verb = "would be written" if call.dry_run else "written"
    report.lines.append(
        f"OK {len(events)} events {verb} from {counts['sessions']} sessions ({counts['turns']} new messages, source {found.source})"
    )
    by_topic = Counter(event.slug for event in events)
    if by_topic:
        report.lines.append("NOTE topics: " + ", ".join(f"{slug} {n}" for slug, n in by_topic.most_common(12)))
    for name in ("restated", "undone before", "forgotten before", "not grounded", "not new", "not the owner's word", "reads as an order", "names no turn", "quarantined"):
        if counts[name]:
            report.lines.append(f"NOTE {name}: {counts[name]}")
    hidden = {name.partition(": ")[2]: n for name, n in counts.items() if name.startswith("redacted: ")}
    if hidden:
        report.lines.append("NOTE secrets replaced: " + ", ".join(f"{kind} {n}" for kind, n in sorted(hidden.items())))
    _tell_skipped(found, report)
    report.lines += [f"NOTE {note}" for note in (*found.notes, *(run.notes if run else ()))]
    if found.older and horizon is not None:
        report.lines.append(
            f"NOTE {found.older} sessions before {horizon.date()} ({found.older_bytes // 1024} kB) were left; --all or --since reads them"
        )
    if run and run.runs:
        report.lines.append("NEXT curate_nightly.py brings the new events into the topics; memory_cli.py undo --any --last takes this back")
    assert isinstance(report.data, dict)
    report.data |= {
        "events": len(events),
        "runs": run.runs if run else [],
        "counts": dict(counts),
        "skipped": [{"where": s.where, "reason": s.reason} for s in found.skipped],
        "notes": [*found.notes, *(run.notes if run else ())],
        "older": found.older,
        "first_run": first,
    }


def _tell_skipped(found: Discovery, report: Report) -> None:
    """Files that could not be read are named; kinds of session that are not for us are counted."""
    kinds = Counter(one.reason for one in found.skipped if one.reason.endswith(" session"))
    if kinds:
        report.lines.append("NOTE not people's talk, left out: " + ", ".join(f"{reason} × {n}" for reason, n in kinds.most_common()))
    named = [one for one in found.skipped if not one.reason.endswith(" session")]
    report.lines += [f"NOTE skipped {one.where}: {one.reason}" for one in named[:20]]
    if len(named) > 20:
        report.lines.append(f"NOTE and {len(named) - 20} more skipped; --json names all")
    if any(one.reason.startswith("forgotten by the host") for one in named):
        report.lines.append("NEXT memory_cli.py doctor names what was learnt from forgotten sessions before (D018)")


def _horizon(call: Call, options: ExtractOptions, workspace: Workspace) -> tuple[datetime | None, bool]:
    """Messages before this are left alone, and whether it is the first run.

    The first run's horizon is kept: a machine that was off for months must not lose what was said meanwhile.
    """
    kept = workspace.state.get("cursors", "horizon")
    first = kept is None
    if options.everything:
        return None, first
    if options.since:
        hit = _AGE.fullmatch(options.since.strip())
        if hit:
            hours = int(hit[1]) * {"h": 1, "d": 24, "w": 168}[hit[2]]
            return call.now - timedelta(hours=hours), first
        return datetime.combine(parse_day(options.since, "--since"), time(), tzinfo=call.config.zone), first
    if isinstance(kept, str):
        return (datetime.fromisoformat(kept) if kept else None), first
    if options.path:  # a file that was named is meant whole
        return None, first
    return call.now - timedelta(days=call.config.integer("extract", "since_days", 30)), first


def _owners(call: Call) -> tuple[str, ...]:
    names = call.config.values.get("owner_names")
    if names is None:
        return ()
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise BadInput(f"{call.config.workspace}/.silo/config.json: owner_names must be a list of names", "write [\"Ana\"]")
    return tuple(names)


def _getter(workspace: Workspace) -> Callable[[str, str], object]:
    """state.db for the sources; what a session has seen is read once, not message by message."""
    seen: dict[str, dict[str, object]] = {}

    def get(table: str, key: str) -> object:
        if table != "seen_messages":
            return workspace.state.get(table, key)
        prefix = key.partition("#")[0] + "#"
        if prefix not in seen:
            seen.clear()
            seen[prefix] = workspace.state.items(table, prefix)
        return seen[prefix].get(key)

    return get
