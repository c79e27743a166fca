"""The night's job: snapshot → plan → commit, and a night with nothing new is told by a look at the files alone."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import cache

from silo.config import clock
from silo.core.curate import Night, plan_curation
from silo.core.evidence import Source, read_source
from silo.core.extract import extract as propose
from silo.core.ingest import Tagger
from silo.core.route import route
from silo.edge.lang import load_languages
from silo.edge.vocabulary import load_vocabularies
from silo.edge.workspace import Workspace
from silo.errors import Busy, Conflict, Trouble
from silo.formats.notes import Statement
from silo.jobs.memory import read_topics
from silo.jobs.run import Call, Report, commit, problem_data
from silo.jobs.transcripts import find_session
from silo.model import Confidence, Event, Origin, Plan, Put, Session, Tag, TopicInfo, Turn
from silo.text.lines import encode, sha256

PATTERNS = (
    "memory/*.md",
    "memory/topics/*.md",
    "memory/events/*.md",
    ".silo/private/topics/*.md",
    ".silo/private/events/*.md",
    ".silo/review.jsonl",
)
TRIES = 3  # re-read and planned again when a file moved meanwhile
QUOTED = 600  # characters of one quoted turn in a source block


def curate(call: Call, *, mode: str) -> Report:
    """New events, daily notes and hand edits have reached the topic files; contradictions wait in review."""
    workspace = call.open()
    try:
        with workspace.job("curate"):
            return _curate(call, workspace, mode)
    except Busy as busy:
        return Report([f"NOTE {busy}; nothing to do here"], {"busy": str(busy)})


def _curate(call: Call, workspace: Workspace, mode: str) -> Report:
    started = time.monotonic()
    report = Report(data={"mode": mode})
    if workspace.state.get("quiet", mode) == signature(workspace):
        report.lines.append("OK a quiet night: nothing has changed since the last one")
        report.data = {"mode": mode, "quiet": True}
        _record(call, workspace, Plan("curate"), report, started)
        return report
    for attempt in range(1, TRIES + 1):
        plan = plan_curation(_night(call, workspace, mode))
        try:
            commit(call, workspace, plan, report)
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
    for pattern in PATTERNS:
        for path in workspace.paths(pattern):
            stat = (workspace.root / path).stat()
            rows.append(f"{path}\x1f{stat.st_size}\x1f{stat.st_mtime_ns}")
    rows += sorted(workspace.state.items("restated")) + sorted(workspace.state.items("undone"))
    return sha256(encode("\x1e".join(rows)))


def _night(call: Call, workspace: Workspace, mode: str) -> Night:
    files: dict[str, bytes] = {}
    base: dict[str, bytes] = {}
    for pattern in PATTERNS:
        for path in workspace.paths(pattern):
            data = workspace.read(path)
            if data is not None:
                files[path] = data
            ours = workspace.base(path) if "/topics/" in path else None
            if ours is not None:
                base[path] = ours
    tables = {name: workspace.state.items(name) for name in ("reconciled", "ingested", "undone", "restated")}
    topics: Callable[[], tuple[TopicInfo, ...]] = cache(lambda: read_topics(workspace).infos)
    return Night(
        files=files,
        base=base,
        reconciled=tables["reconciled"],
        ingested=tables["ingested"],
        undone=tables["undone"],
        restated=tables["restated"],
        now=call.now,
        vocabularies=load_vocabularies,
        router=lambda text: route(text, topics(), load_languages()),
        tagger=_tagger(call),
        quotes=_quoter(call, workspace),
        with_notes=mode != "quick",
    )


def _tagger(call: Call) -> Tagger:
    """What a line of a daily note is: the rules engine's opinion; without one a plain line is a fact, a talk's line nothing."""

    def tag(said: Statement, day: str) -> tuple[Tag, Confidence] | None:
        if said.done is not None:
            return (Tag.EVENT if said.done else Tag.TODO), Confidence.CONFIRMED
        turn = Turn("1", "user", Origin.OWNER, clock(call.config.zone, day), said.text)
        found = propose(Session("note", "note", call.config.agent, (turn,)), (), load_languages())
        if found:
            return found[0].tag, found[0].confidence
        return None if said.speaker or said.text.rstrip().endswith("?") else (Tag.FACT, Confidence.CONFIRMED)

    return tag


def _quoter(call: Call, workspace: Workspace) -> Callable[[Event], tuple[str, ...]]:
    """The turns that an event rests on, as lines for a source block; each session is read once."""
    @cache
    def session(kind: str, ident: str) -> Mapping[str, Turn]:
        try:
            found = find_session(call, workspace, Source(kind, ident, ()))
        except Trouble as trouble:
            call.say(f"NOTE session {ident} can't be quoted: {trouble}")
            return {}
        return {turn.id: turn for turn in found.turns} if found else {}

    def quote(event: Event) -> tuple[str, ...]:
        source = read_source(event.source)
        if source is None:
            return ()
        turns = session(source.kind, source.session)
        named = [turns[one] for one in source.messages if one in turns]
        return tuple(f"{turn.origin}: {' '.join(turn.text.split())[:QUOTED]}" for turn in sorted(named, key=lambda t: t.at))

    return quote


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
    workspace.state.record_health(
        {
            "curate": {
                "at": call.now.isoformat(timespec="seconds"),
                "files": len({change.path for change in plan.changes}),
                "actions": dict(plan.counts),
                "runs": [report.data["run"]] if "run" in report.data else [],
                "engine": "rules",
                "calls": 0,
                "cost": 0,
                "errors": 0,
                "seconds": round(time.monotonic() - started, 3),
            }
        }
    )
