"""The job behind `store`: one statement becomes one event line, to be found at once."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from silo.config import parse_day
from silo.core.doors import appends
from silo.core.extract import extract as propose
from silo.core.route import category_slug as category_slug
from silo.core.route import route
from silo.edge.lang import load_languages
from silo.edge.workspace import Workspace
from silo.errors import BadInput
from silo.formats.events import MAX_TEXT, valid_slug
from silo.jobs.memory import Topics, read_events, read_topics, statements
from silo.jobs.run import Call, Report, apply, commit
from silo.jobs.tombs import read_tombs
from silo.jobs.treefile import store_writes
from silo.jobs.warming import warm_after, warmed
from silo.model import GENERAL, Change, Confidence, Event, Origin, Plan, Put, Session, Tag, Turn
from silo.text.lines import one_line
from silo.text.redact import redact

if TYPE_CHECKING:
    from silo.jobs.store_tier import Placing


@dataclass(frozen=True, slots=True)
class StoreOptions:
    """What was asked for, as typed."""

    text: str
    tag: str | None = None
    topic: str | None = None
    category: str = ""
    importance: float | None = None
    confidence: str = "confirmed"
    date: str | None = None
    urls: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    again: bool = False  # also what was forgotten
    tier: str = ""  # auto, protocols, active, archive, ontology, log; "": the log alone, as published


def store(call: Call, options: StoreOptions) -> Report:
    """The statement is in the event log with an id, unless the log says the same already.

    Raises:
        BadInput: an empty or overlong text, an unknown tag, a bad slug, importance or date.
    """
    workspace = call.open()
    topics = read_topics(workspace)
    text, secrets = _text(options)
    event = Event(
        date=parse_day(options.date, "--date").isoformat() if options.date else call.today.isoformat(),
        tag=_tag(call, options.tag, text),
        slug=_slug(options, text, topics),
        text=text,
        confidence=Confidence(options.confidence),
        importance=_importance(None if secrets else options.importance),  # a credential weighs nothing
        category=options.category.strip().strip("/"),
        agent=call.config.agent,
        source="cli",
    )
    if not options.again and read_tombs(workspace).said(text):
        raise BadInput("this was forgotten, and is not stored again by itself", "store --again if it is meant")
    report = Report()
    if secrets:
        report.lines.append(f"NOTE a secret was replaced before anything was written: {', '.join(sorted(secrets))}")
    return _commit(call, workspace, topics, event, options.tier, report)


def _commit(call: Call, workspace: Workspace, topics: Topics, event: Event, tier: str, report: Report) -> Report:
    made: list[tuple[Event, str | None]] = []
    placed: list[Placing] = []

    def plan() -> Plan:
        """Made under the commit lock: two stores of the same words at once see each other's line."""
        existing = [one for file in read_events(workspace) for one in file.events]
        log, numbers = statements(workspace, topics, existing)
        same = log.restates(event)
        numbered = event if same is not None else numbers.number(event)
        made.append((numbered, same))
        changes: tuple[Change, ...] = ()
        if tier:
            from silo.jobs.store_tier import placing  # language tables that a plain store does without

            placed.append(placing(call, workspace, topics, replace(numbered, id=same or numbered.id), tier))
            changes = placed[-1].changes
        if same is not None:
            return Plan("store", changes, state=(Put("restated", f"{same}@{event.date}", event.source),))
        base = warmed(call, workspace, Plan("store", (*appends([numbered], topics.private, "stored"), *changes), counts={"events": 1}))
        tree, notes = store_writes(call, workspace, topics, existing, numbered, warm_after(workspace, base, event.agent))
        return replace(base, changes=(*base.changes, *tree), notes=(*base.notes, *notes))

    if call.dry_run:
        commit(call, workspace, plan(), report)
    else:
        result = apply(call, workspace, plan)
        report.lines += [f"NOTE {note}" for note in result.notes]
    report = _told(call, *made[-1], report)
    if placed:
        _tell_place(call, placed[-1], report)
    return report


def _tell_place(call: Call, placed: Placing, report: Report) -> None:
    where = placed.to or "the log alone"
    why = f" ({'; '.join(placed.why[:3])})" if placed.why else ""
    verb = "would be placed" if call.dry_run else "placed"
    report.lines.insert(1, f"OK {verb} in {where}{why}" if placed.changes or not placed.to else f"OK it stands in {where} already")
    report.lines += [f"NOTE {note}" for note in placed.notes]
    for data in (report.data, report.published):
        if isinstance(data, dict):
            data |= placed.data


def _told(call: Call, event: Event, same: str | None, report: Report) -> Report:
    if same is not None:
        report.lines.append(f"OK the log says so already as {same}; nothing was added, it counts as confirmed again")
        report.data = {"id": same, "stored": False, "restates": same}
        report.published = {"id": same, "text": event.text, "category": event.category or event.slug, "stored": False}
        return report
    verb = "would be stored" if call.dry_run else "stored"
    report.lines.insert(0, f"OK {verb} {event.id} [{event.tag}] {event.slug}: {event.text}")
    report.data = {"id": event.id, "stored": not call.dry_run, "tag": event.tag, "topic": event.slug, "date": event.date}
    report.published = {
        "id": event.id,
        "text": event.text,
        "category": event.category or event.slug,
        "importance": event.importance,
        "tag": event.tag,
        "topic": event.slug,
        "date": event.date,
        "stored": not call.dry_run,
    }
    return report


def _text(options: StoreOptions) -> tuple[str, set[str]]:
    parts = [one_line(options.text)]
    for name, values in (("URL", options.urls), ("Command", options.commands), ("Path", options.paths)):
        missing = [one_line(value) for value in values if value.strip() and value not in options.text]
        if missing:
            parts.append(f"({name}: {', '.join(missing)})")
    text, found = redact(" ".join(part for part in parts if part))
    if not text:
        raise BadInput("--text is empty", 'write --text "one statement, readable alone"')
    if len(text) > MAX_TEXT:
        raise BadInput(f"the text has {len(text)} characters, an event holds {MAX_TEXT}", "split it into several statements")
    return text, {one.kind for one in found}


def _tag(call: Call, name: str | None, text: str) -> Tag:
    if name is None:
        return guess_tag(call, text)
    bare = name.strip().upper().removeprefix("AUTO-")
    if bare in Tag.__members__:
        return Tag[bare]
    near = difflib.get_close_matches(bare, list(Tag.__members__), 1, 0.5)
    hint = f"did you mean {near[0]}? " if near else ""
    raise BadInput(f"{name!r} is no tag", f"{hint}tags are {', '.join(Tag.__members__)}")


def guess_tag(call: Call, text: str) -> Tag:
    """The tag that the rules engine would give the statement if the owner said it now; FACT where it has no opinion."""
    turn = Turn("1", "user", Origin.OWNER, call.now, text)
    found = propose(Session("store", "cli", call.config.agent, (turn,)), (), load_languages())
    return found[0].tag if found else Tag.FACT


def _slug(options: StoreOptions, text: str, topics: Topics) -> str:
    if options.topic is not None:
        if valid_slug(options.topic) is None:
            raise BadInput(f"{options.topic!r} is no topic slug", "use 2 to 40 of a-z, 0-9 and single inner dashes")
        return topics.resolve(options.topic)
    if named := category_slug(options.category, topics.infos):
        return named
    if options.category.strip():
        return GENERAL
    return route(text, topics.infos, load_languages())


def _importance(value: float | None) -> float | None:
    if value is not None and not 0.0 <= value <= 1.0:
        raise BadInput(f"--importance {value} is out of range", "give a number from 0.0 to 1.0")
    return value
