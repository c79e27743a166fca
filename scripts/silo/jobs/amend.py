"""The jobs behind `correct` and `confirm`: "that's wrong" and "that's right", said of a fact or an event.

A correction is an event of its own, which names what was said before, and stands behind the fact; the log is never edited.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from silo.core.decide import confirm, correct
from silo.core.dedupe import id_of
from silo.core.desk import Desk
from silo.core.doors import appends
from silo.core.reconcile import Reconciler
from silo.core.settled import settled
from silo.edge.vocabulary import load_vocabularies
from silo.edge.workspace import Workspace
from silo.errors import BadInput
from silo.formats.events import MAX_TEXT
from silo.formats.fields import compose, fields
from silo.jobs.memory import (
    REVIEW,
    numbering,
    open_desk,
    open_items,
    read_events,
    read_topics,
    review_items,
    statements,
)
from silo.jobs.run import Call, Report, commit_planned
from silo.model import Append, Confidence, Event, Fact, Plan, Put, StateOp, Tag
from silo.text.lines import encode, one_line
from silo.text.redact import redact


def correct_statement(call: Call, ident: str, text: str) -> Report:
    """What the fact or event said was wrong: the log has the correction, and the fact says it with a changelog entry.

    Raises:
        BadInput: no such id, an empty or overlong text, or what it says already.
    """
    workspace = call.open()
    statement, hidden = redact(one_line(text))
    if not statement:
        raise BadInput("correct needs the statement that is right", f'memory_cli.py correct {ident} "what is true"')
    report = Report(data={"id": ident})
    told: list[tuple[Event, Fact | None]] = []

    def plan() -> Plan:
        topics = read_topics(workspace)
        existing = [one for file in read_events(workspace) for one in file.events]
        desk = open_desk(workspace, call.now)
        fact, event = meant(desk, existing, ident)
        old = fact.text if fact is not None else fields(event.text).rest or event.text if event is not None else ""
        if one_line(old).rstrip(".") == statement.rstrip("."):
            raise BadInput(f"{ident} says that already", f"memory_cli.py confirm {ident}")
        tag = event.tag if event is not None and event.tag is not Tag.FACT else Tag.TODO if fact is not None and fact.done is not None else Tag.CHANGED
        slug = fact.slug if fact is not None else event.slug if event is not None else "general"
        words = compose(statement, was=old)
        made = Event(call.today.isoformat(), tag, slug, words if len(words) <= MAX_TEXT else statement, agent=call.config.agent, source="cli")
        if len(made.text) > MAX_TEXT:
            raise BadInput(f"the text has {len(statement)} characters, a statement holds {MAX_TEXT}", "shorten it")
        made = numbering(workspace, existing).number(made)
        state: tuple[StateOp, ...] = ()
        lines: tuple[str, ...] = ()
        if fact is not None:
            correct(desk, fact, statement, made.id)
            state = (Put("reconciled", made.id, "update"),)
            reconciler = cache(lambda: Reconciler(load_vocabularies()))
            lines = settled(review_items(workspace).values(), desk.topic(fact.path), (), reconciler, call.today.isoformat(), by="the owner")
        queue = (Append(REVIEW, encode("".join(line + "\n" for line in lines)), why="settled by the correction"),) if lines else ()
        told[:] = [(made, fact)]
        changes = (*appends([made], topics.private, "corrected"), *desk.changes("corrected"), *queue)
        return Plan("correct", changes, state, counts={"corrected": 1} | ({"settled": len(lines)} if lines else {}))

    commit_planned(call, workspace, plan, report)
    event, fact = told[-1]
    assert isinstance(report.data, dict)
    report.data |= {"event": event.id, "fact": fact.id if fact else None, "text": statement}
    where = f"{fact.id} in {fact.slug}" if fact else f"the log ({event.id})"
    report.lines.insert(0, f"OK {'would be ' if call.dry_run else ''}corrected: {where} says {statement!r}")
    if hidden:
        report.lines.append("NOTE a secret in the text was replaced")
    _still_asked(call, workspace, report, fact)
    return report


def _still_asked(call: Call, workspace: Workspace, report: Report, fact: Fact | None) -> None:
    """Open review items about the fact: to say that it is right is no decision about the other side."""
    for item in open_items(workspace, call.today.isoformat()) if fact is not None else ():
        listed = item.get("facts")
        sides = [str(one) for one in listed] if isinstance(listed, list) else []
        if fact is not None and fact.id in sides and not call.dry_run:
            answer = "accept" if fact.id == sides[-1] else "reject"
            report.lines.append(f"NOTE {item['id']} still asks which one holds: memory_cli.py review {answer} {item['id']} for this one")


def confirm_statement(call: Call, ident: str) -> Report:
    """The owner has confirmed the fact or event today; a tentative event is in the log as confirmed.

    Raises:
        BadInput: no such id.
    """
    workspace = call.open()
    report = Report(data={"id": ident})
    told: list[str] = []
    confirmed: list[Fact] = []

    def plan() -> Plan:
        existing = [one for file in read_events(workspace) for one in file.events]
        desk = open_desk(workspace, call.now)
        fact, event = meant(desk, existing, ident)
        confirmed[:] = [fact] if fact is not None else []
        today = call.today.isoformat()
        if fact is not None:
            fresh = confirm(desk, fact)
            told[:] = [f"{fact.id} is confirmed as of {today}" if fresh else f"{fact.id} was confirmed on {fact.seen} already"]
            return Plan("confirm", desk.changes("confirmed by the owner"), counts={"confirmed": int(fresh)})
        assert event is not None
        if event.confidence is Confidence.CONFIRMED:
            told[:] = [f"{ident} counts as said again on {today}"]
            return Plan("confirm", state=(Put("restated", f"{id_of(event)}@{today}", "cli"),))
        made = replace(event, date=today, confidence=Confidence.CONFIRMED, source="cli", id="", extra=(), importance=None)
        log, _ = statements(workspace, read_topics(workspace), (one for one in existing if one.confidence is Confidence.CONFIRMED))
        if (same := log.restates(made)) is not None:
            told[:] = [f"the log says so already as {same}"]
            return Plan("confirm", state=(Put("restated", f"{same}@{today}", "cli"),))
        made = numbering(workspace, existing).number(made)
        told[:] = [f"stored as {made.id}, confirmed"]
        return Plan("confirm", appends([made], read_topics(workspace).private, "confirmed by the owner"), counts={"confirmed": 1})

    commit_planned(call, workspace, plan, report)
    report.lines.insert(0, f"OK {'would be so: ' if call.dry_run else ''}{told[-1]}")
    for fact in confirmed:
        _still_asked(call, workspace, report, fact)
    return report


def meant(desk: Desk, events: list[Event], ident: str) -> tuple[Fact | None, Event | None]:
    """The curated fact and the event that an id stands for: an event behind a fact means the fact.

    Raises:
        BadInput: the memory knows no such id.
    """
    if ident.startswith("f_"):
        fact = desk.find(ident)
        if fact is None:
            raise BadInput(f"no fact {ident}", "ids stand in the comment at the end of a bullet; load --json shows them")
        return fact, None
    event = next((one for one in events if id_of(one) == ident), None)
    if event is None:
        raise BadInput(f"no fact or event {ident}", "retrieve shows the ids")
    return desk.behind(ident), event
