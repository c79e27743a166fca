"""The job behind `used`: how procedures work out. Dead paths are flagged; addresses are asked only when somebody says so.

A procedure that has worked often waits in the review queue as a skill candidate: nothing is made of it before it is accepted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from silo.core.dedupe import id_of
from silo.core.procedures import Record, read_record, skill_name, skill_text
from silo.edge.http import head_status
from silo.edge.workspace import Workspace
from silo.errors import BadInput
from silo.formats.decisions import review_id, review_line
from silo.jobs.reading import REVIEW, read_events, read_topics, review_items
from silo.jobs.run import Call, Report, commit_planned
from silo.model import Append, Change, Event, Plan, Put, Tag, Write
from silo.text.addresses import addresses
from silo.text.lines import encode

TABLE = "outcomes"  # of state.db: event id → counts


@dataclass(frozen=True, slots=True)
class UsedOptions:
    """What was asked for, as typed; no id: list."""

    ident: str = ""
    ok: bool = False
    failed: bool = False
    check_urls: bool = False


def used(call: Call, options: UsedOptions) -> Report:
    """The use is counted, or all procedures are listed with what is known of them.

    Raises:
        BadInput: no such procedure, or neither --ok nor --failed.
    """
    workspace = call.open()
    if not options.ident:
        return _list(call, workspace, options)
    if options.ok == options.failed:
        raise BadInput("say how it went", f"memory_cli.py used {options.ident} --ok, or --failed")
    told: list[tuple[Event, Record, bool]] = []

    def plan() -> Plan:
        event = _procedure(call, workspace, options.ident)
        ident = id_of(event)
        record = read_record(workspace.state.get(TABLE, ident)).used(call.today.isoformat(), options.ok)
        offer = _offer(call, workspace, event, record)
        told[:] = [(event, record, bool(offer))]
        return Plan("used", offer, (Put(TABLE, ident, record.kept),), counts={"used": 1})

    report = Report(data={})
    commit_planned(call, workspace, plan, report)
    event, record, offered = told[-1]
    report.data = {"id": id_of(event), "ok": record.ok, "failed": record.failed, "offered": offered}
    verb = "would be " if call.dry_run else ""
    report.lines.insert(0, f"OK {id_of(event)} {verb}counted: worked {record.ok} times, failed {record.failed} times")
    if options.failed:
        report.lines.append(f'NEXT if it is wrong now: memory_cli.py correct {id_of(event)} "what is to be done instead"')
    if offered:
        report.lines.append("NEXT it has proven itself: memory_cli.py review list offers it as a skill; nothing is made of it before that")
    return report


def _list(call: Call, workspace: Workspace, options: UsedOptions) -> Report:
    rows: list[dict[str, object]] = []
    report = Report()
    for event in _procedures(call, workspace):
        record = read_record(workspace.state.get(TABLE, id_of(event)))
        found = addresses(event.text)
        dead = [path for path in found.paths if is_dead(workspace, path)]
        gone = [url for url in found.urls if not answers(url)] if options.check_urls else []
        rows.append(
            {"id": id_of(event), "text": event.text, "topic": event.slug, "ok": record.ok, "failed": record.failed, "last": record.last or None,
             "dead_paths": dead, "dead_urls": gone, "proven": record.is_proven}
        )  # fmt: skip
        report.lines.append(f"{id_of(event)} worked {record.ok}, failed {record.failed}: {event.text}")
        report.lines += [f"NOTE {id_of(event)} names {path}, which is not on this machine" for path in dead]
        report.lines += [f"NOTE {id_of(event)} names {url}, which does not answer" for url in gone]
    report.data = {"procedures": rows}
    report.lines = report.lines or ["OK no procedure is known"]
    return report


def _procedures(call: Call, workspace: Workspace) -> Iterator[Event]:
    for file in read_events(workspace):
        for event in file.events:
            if event.tag is Tag.PROCEDURE and event.agent == call.config.agent:
                yield event


def _procedure(call: Call, workspace: Workspace, ident: str) -> Event:
    """The procedure that an id stands for: an entry of the log, or the one that a curated fact came of."""
    wanted = {ident}
    if ident.startswith("f_"):
        facts = (fact for file in read_topics(workspace).files for fact in file.facts if fact.id == ident)
        wanted = {source for fact in facts for source in fact.source.split(",") if source}
    found = [event for event in _procedures(call, workspace) if id_of(event) in wanted]
    if not found:
        raise BadInput(f"{ident} is no procedure", "memory_cli.py used lists them")
    return found[-1]


def is_dead(workspace: Workspace, path: str) -> bool:
    """Whether a path leads nowhere on this machine; relative ones are looked for in the workspace and below the home folder."""
    bare = path.rstrip(".,;:")
    if any(mark in bare for mark in "*?<>{}$"):
        return False  # a pattern, not a place
    place = Path.home() / bare[2:] if bare.startswith("~/") else Path(bare)
    return not any((root / place).exists() for root in (workspace.root, Path.home(), Path.cwd()))


def answers(url: str) -> bool:
    """Whether an address answers a HEAD request with anything but "not there". What may not be asked (plain http to another
    machine) is taken to answer."""
    if not url.startswith(("http://", "https://")):
        return True
    status = head_status(url, wait=10)
    return status is None or (status != 0 and status not in (404, 410))


# --- as a skill -------------------------------------------------------------------------------------------


def _offer(call: Call, workspace: Workspace, event: Event, record: Record) -> tuple[Change, ...]:
    """An item for the review queue, once, where the procedure has proven itself."""
    ident = review_id([], [id_of(event), "skill"])
    if not record.is_proven or ident in review_items(workspace):
        return ()
    text = f"worked {record.ok} times, failed {record.failed} times; accept makes a skill of it: {event.text}"
    line = review_line(ident, kind="skill", topic="", facts=(), events=(id_of(event),), created=call.today.isoformat(), text=text)
    return (Append(REVIEW, encode(line + "\n"), why="a skill candidate"),)


def skill_changes(call: Call, workspace: Workspace, event_id: str) -> tuple[tuple[Change, ...], str]:
    """(the change that makes a skill of a procedure, what it means); called by the decision of its review item.

    Raises:
        BadInput: the procedure is gone, or a skill of that name is there.
    """
    event = _procedure(call, workspace, event_id)
    name = skill_name(event.text)
    path = f"skills/{name}/SKILL.md"
    if workspace.read(path) is not None:
        raise BadInput(f"{path} is there already", "look at it, and review reject this item or move that file away")
    text = skill_text(name, event.text, event_id, read_record(workspace.state.get(TABLE, event_id)))
    return (Write(path, None, encode(text), "accepted as a skill"),), f"{path} is a skill now"
