"""What is read of the sessions becomes events: extract → ground → dedupe → number → commit with the cursors.

Imported only once there is something new to read: a sweep that finds nothing costs little more than its start.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from silo.core.dedupe import Log
from silo.core.doors import Numbering, appends
from silo.core.evidence import digest, source_of
from silo.core.extract import extract as propose
from silo.core.extract import ground
from silo.core.forget.tombs import Tombs
from silo.core.todos import Todo, open_todos, said_done
from silo.edge.completion import load_completions
from silo.edge.lang import load_languages
from silo.edge.sources.found import SourceSession
from silo.edge.workspace import Workspace
from silo.formats.decisions import review_id, review_line
from silo.formats.session import Quarantined
from silo.jobs.memory import REVIEW, Topics, read_events, read_topics, statements
from silo.jobs.run import Call, Report, commit
from silo.jobs.tombs import read_tombs
from silo.model import Append, Candidate, Confidence, Drop, Event, Plan, Put, Session, StateOp, Tag
from silo.text.language import Language
from silo.text.lines import decode, encode
from silo.text.redact import redact


@dataclass(slots=True)
class Batch:
    """What one commit will hold."""

    events: list[Event] = field(default_factory=list)
    state: list[StateOp] = field(default_factory=list)
    review: list[Quarantined] = field(default_factory=list)
    turns: int = 0


@dataclass(slots=True)
class Intake:
    """The state of one extraction: what it has read and what it has decided so far."""

    call: Call
    workspace: Workspace
    topics: Topics
    log: Log
    numbering: Numbering
    languages: tuple[Language, ...]
    undone: dict[str, object]
    reviewed: set[str]
    tombs: Tombs
    todos: list[Todo] = field(default_factory=list)  # open ones, for what is said of them in passing
    batch: Batch = field(default_factory=Batch)
    counts: Counter[str] = field(default_factory=Counter)
    runs: list[str] = field(default_factory=list)
    written: list[Event] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    sources: dict[str, str] = field(default_factory=dict)  # session → the kind of source that it came from


def start(call: Call, workspace: Workspace, lifted: tuple[Drop, ...]) -> Intake:
    """An intake that knows the memory as it is; `lifted` are marks of undone messages that are taken up again."""
    topics = read_topics(workspace)
    existing = [event for file in read_events(workspace) for event in file.events]
    log, numbers = statements(workspace, topics, existing)
    undone = workspace.state.items("undone")
    for drop in lifted:
        undone.pop(drop.key, None)
    data = workspace.read(REVIEW)
    reviewed = set(re.findall(r'"id"\s*:\s*"(r_[0-9a-f]+)"', decode(data))) if data else set()
    run = Intake(
        call, workspace, topics, log, numbers, load_languages(), undone, reviewed, read_tombs(workspace)
    )
    curated = workspace.state.items("reconciled").keys()
    run.todos += open_todos(topics.files, existing, call.config.agent, curated, load_completions)
    run.batch.state += lifted
    return run


def take(run: Intake, part: SourceSession, proposed: Sequence[Candidate] | None = None) -> None:
    """The part's statements, cursors and quarantined texts are in the batch; `proposed` is what another engine than the
    rules found in it."""
    session = part.session
    run.sources[session.id] = session.source
    candidates = by_rules(run, session) if proposed is None else proposed
    for candidate in (*candidates, *said_done(session, run.todos, candidates, load_completions)):
        event = _accept(run, session, candidate)
        if event is not None:
            run.batch.events.append(event)
            run.counts["events"] += 1
            if event.tag is Tag.TODO and event.confidence is Confidence.CONFIRMED:
                run.todos.append(Todo(event.id, event.text, event.slug, event.date, "", "", 0))
    for item in part.quarantined:
        if not (run.tombs.heard(item.session, (item.message,)) or run.tombs.said(item.text)):
            run.batch.review.append(item)
    if part.fresh:
        run.batch.state.append(Put("sources", session.id, {"source": session.source, "where": part.where}))
    run.notes += (f"{part.where}: {note}" for note in part.notes)
    run.batch.state += part.cursor_ops
    run.batch.turns += part.fresh
    run.counts["turns"] += part.fresh
    run.counts["sessions"] += part.fresh > 0
    for reason, number in part.dropped.items():
        run.counts[f"left out: {reason}"] += number
    for kind, number in part.redacted.items():
        run.counts[f"redacted: {kind}"] += number


def by_rules(run: Intake, session: Session) -> tuple[Candidate, ...]:
    """What the rules find in a session."""
    return propose(session, run.topics.infos, run.languages)


def _accept(run: Intake, session: Session, candidate: Candidate) -> Event | None:
    """The candidate as an event, or None: not grounded, undone by the user, or known already."""
    if not ground(candidate, session):
        run.counts["not grounded"] += 1
        return None
    if any(f"{session.id}#{message}" in run.undone for message in candidate.evidence):
        run.counts["undone before"] += 1
        return None
    text, _ = redact(candidate.text)
    if run.tombs.heard(session.id, candidate.evidence) or run.tombs.said(text):
        run.counts["forgotten before"] += 1
        return None
    event = Event(
        date=candidate.at.date().isoformat(),
        tag=candidate.tag,
        slug=candidate.slug or "general",
        text=text,
        confidence=candidate.confidence,
        importance=candidate.importance,
        agent=run.call.config.agent,
        source=source_of(session, candidate.evidence),
    )
    same = run.log.restates(event)
    if same is not None:
        run.batch.state.append(Put("restated", f"{same}@{event.date}", event.source))
        run.counts["restated"] += 1
        return None
    event = run.numbering.number(event)
    run.log.add([event])
    run.batch.state.append(Put("evidence", event.id, digest(session, candidate.evidence)))
    return event


def _origin(run: Intake, item: Quarantined) -> dict[str, str]:
    """What storing the text by the owner's word needs: the text alone, its day, where it was said, and whose it is."""
    day = item.at.astimezone(run.call.config.zone).date().isoformat() if item.at else run.call.today.isoformat()
    source = f"{run.sources.get(item.session, 'session')}/{item.session}#{item.message}"
    return {"said": item.text, "day": day, "source": source, "agent": run.call.config.agent}


def flush(run: Intake, report: Report) -> None:
    """Commit what the batch holds: events and cursors together, or neither."""
    batch, run.batch = run.batch, Batch()
    changes: list[Append] = list(appends(batch.events, run.topics.private, "extracted"))
    lines = []
    for item in batch.review:
        ident = review_id([], [f"{item.session}#{item.message}", item.reason])
        if ident not in run.reviewed:
            run.reviewed.add(ident)
            lines.append(
                review_line(
                    ident,
                    kind="quarantine",
                    topic="",
                    facts=(),
                    events=(),
                    created=run.call.today.isoformat(),
                    text=f"{item.reason} ({item.found}, {item.session}#{item.message}): {item.text}",
                    more=_origin(run, item),
                )
            )
            run.counts["quarantined"] += 1
    if lines:
        changes.append(Append(REVIEW, encode("".join(line + "\n" for line in lines)), why="quarantined"))
    plan = Plan("extract", tuple(changes), tuple(batch.state), counts={"events": len(batch.events)})
    run_id = commit(run.call, run.workspace, plan, report)
    if run_id:
        run.runs.append(run_id)
    run.written += batch.events
