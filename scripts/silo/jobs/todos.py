"""The job behind `todos`: what is still to be done, and the tick behind what is."""

from __future__ import annotations

from silo.core.dedupe import id_of
from silo.core.doors import appends
from silo.core.facts import Set
from silo.core.todos import DONE, Todo, open_todos
from silo.edge.completion import done_label, load_completions
from silo.edge.workspace import Workspace
from silo.errors import BadInput
from silo.formats.fields import fields
from silo.jobs.memory import Topics, numbering, open_desk, read_events, read_topics
from silo.jobs.reading import PRIVATE
from silo.jobs.run import Call, Report, commit_planned
from silo.model import GENERAL, Event, Plan, Put, Tag
from silo.text.recalled import shown


def listing(call: Call, *, due: bool, topic: str | None, audience: str = "owner") -> Report:
    """Open to-dos, a line each, those with a day first; with `due` these alone. For a group none that is private.

    Raises:
        BadInput: there is no such topic.
    """
    workspace = call.open()
    topics = read_topics(workspace)
    group = audience == "group"
    if topic is not None and topic != GENERAL and topic not in topics.seen_by(call.config.agent, group=group).slugs:
        raise BadInput(f"no topic {topic}", "memory_cli.py topic list")
    topic = topics.resolve(topic) if topic is not None else None
    found = [one for one in _open(call, workspace, topics, topic) if not due or one.due]
    if group:
        found = [one for one in found if one.topic not in topics.private and not one.path.startswith(PRIVATE)]
    if topic is not None:
        found = [one for one in found if one.topic == topic or (topic == GENERAL and not one.topic)]
    today = call.today.isoformat()
    rows = [
        {"id": one.id, "text": one.text, "topic": one.topic or GENERAL, "since": one.since, "due": one.due or None,
         "overdue": one.overdue(today), "path": one.path, "line": one.line}
        for one in found
    ]  # fmt: skip
    report = Report(data={"todos": rows})
    for one in found:
        when = f" ({'overdue, ' if one.overdue(today) else ''}due {one.due})" if one.due else ""
        report.lines.append(f"{one.id} {one.topic or GENERAL}: {shown(one.text)}{when}")
    report.lines.append("NEXT memory_cli.py todos --done ID" if found else "OK nothing is open")
    return report


def done(call: Call, ident: str) -> Report:
    """The to-do is ticked, with a changelog entry and a line of the log that names it.

    Raises:
        BadInput: no such open to-do.
    """
    workspace = call.open()
    report = Report(data={"id": ident})
    told: list[Todo] = []

    def plan() -> Plan:
        topics = read_topics(workspace)
        existing = [event for file in read_events(workspace) for event in file.events]
        todo = next((one for one in _open(call, workspace, topics, None, existing) if one.id == ident), None)
        desk = open_desk(workspace, call.now)
        fact = desk.find(ident) if ident.startswith("f_") else desk.behind(ident)
        if fact is not None and fact.done is False:
            todo = todo or Todo(fact.id, fact.text, fact.slug, fact.since, "", fact.path, fact.line)
        if todo is None:
            ticked = (fact is not None and fact.done) or any((DONE, ident) in event.extra for event in existing)
            what = "is done already" if ticked else "is no open to-do"
            raise BadInput(f"{ident} {what}", "memory_cli.py todos lists the open ones")
        text = fields(todo.text).rest or todo.text
        slug = fact.slug if fact is not None else todo.topic or GENERAL
        event = Event(call.today.isoformat(), Tag.EVENT, slug, f"{done_label(text)}: {text}"[:500], agent=call.config.agent, source="cli", extra=((DONE, ident),))
        event = numbering(workspace, existing).number(event)
        state: tuple[Put, ...] = ()
        if fact is not None and fact.done is False:
            state = (Put("reconciled", id_of(event), "left"),)
            desk.change(fact.path, [Set(fact.id, fact.text, "done", "Ticked by command", event.id, seen=call.today.isoformat(), done=True)])
            desk.verified(fact.path)
        told[:] = [todo]
        return Plan("todos", (*appends([event], topics.private, "done"), *desk.changes("done")), state, counts={"done": 1})

    commit_planned(call, workspace, plan, report)
    report.lines.insert(0, f"OK {'would be ' if call.dry_run else ''}done: {told[-1].text}")
    return report


def _open(call: Call, workspace: Workspace, topics: Topics, only: str | None, events: list[Event] | None = None) -> tuple[Todo, ...]:
    log = events if events is not None else [event for file in read_events(workspace) for event in file.events]
    curated = workspace.state.items("reconciled").keys()
    return open_todos(topics.files, log, call.config.agent, curated, load_completions, only or "")
