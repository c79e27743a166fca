"""The job behind `review`: what waits for the owner, and what the owner decides.

Short commands: the plan is made under the commit lock, and each decision is one run that can be taken back.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from silo.core.decide import Verdict, settle, take_over
from silo.core.dedupe import id_of
from silo.core.desk import TOPIC_FOLDERS
from silo.core.doors import appends
from silo.core.ingest import parts
from silo.core.route import route
from silo.edge.lang import load_languages
from silo.edge.workspace import Workspace
from silo.errors import BadInput
from silo.formats import jsonl
from silo.formats.decisions import decided, waits
from silo.formats.events import MAX_TEXT
from silo.jobs.memory import REVIEW, open_desk, open_items, read_events, read_topics, review_items, statements
from silo.jobs.run import Call, Report, commit_planned
from silo.jobs.store import guess_tag
from silo.jobs.why import tell_events, tell_sides
from silo.model import Append, Change, Event, Plan, Write
from silo.text.lines import decode, encode, one_line, sha256, split
from silo.text.recalled import shown
from silo.text.redact import redact

Item = dict[str, Any]
_STATUS = {"accept": "accepted", "merge": "accepted", "reject": "rejected", "defer": "deferred"}


def listing(call: Call) -> Report:
    """What waits for a decision, a line each, oldest first."""
    items = open_items(call.open(), call.today.isoformat())
    for one in items:
        one["age_days"] = _age(call.today, str(one.get("created", "")))
    lines = [
        f"{one['id']} {one.get('kind')} {str(one.get('created', ''))[:10]} ({one['age_days']} d) {one.get('topic') or '-'}: {shown(str(one.get('text', '')))}"
        for one in items
    ]
    if lines:
        lines.append("NEXT ask the owner; then memory_cli.py review accept|reject|merge|defer ID")
    return Report(lines or ["OK nothing waits"], {"items": items})


# What each decision would mean, by the kind of item.
_MEANS = {
    "contradiction": "accept: the new one holds · reject: the old one stays · merge ID TEXT: one statement for both · defer: asked again later",
    "doubt": "accept: it holds · reject: it stays as it is · merge ID TEXT: what is true · defer: asked again later",
    "quarantine": "accept: kept as the owner's word · reject: forgotten · merge ID TEXT: keep these words · defer: asked again later",
    "edit": "accept: the other version is taken · reject: the file stays as it is · defer: asked again later",
    "skill": "accept: the skill is made · reject: it is not · defer: asked again later",
}


def show(call: Call, ident: str | None) -> Report:
    """One item whole: its sides as they stand now, each with its source, and what a decision would mean; a decided one too.

    Raises:
        BadInput: no such item.
    """
    workspace = call.open()
    item = _item(workspace, ident)
    told: dict[str, object] = {}
    report = Report(data=told)
    until = f" until {item['until']}" if item.get("status") == "deferred" and item.get("until") else ""
    by = f" on {item['decided']} by {item.get('by') or 'somebody'}" if item.get("decided") else ""
    report.lines += [
        f"{ident} {item.get('kind')} in {item.get('topic') or '-'}, asked on {str(item.get('created', ''))[:10]}: {item.get('status', 'open')}{until}{by}",
        *(shown(line) for line in split(str(item.get("text", "")))),
    ]
    report.lines += [f"{key}: {item[key]}" for key in ("path", "copy", "source") if item.get(key)]
    topics = read_topics(workspace)
    ids = tell_sides(report, topics, item)
    by_id = {id_of(one): one for file in read_events(workspace) for one in file.events}
    tell_events(call, workspace, report, [by_id[one] for one in ids if one in by_id])
    if item.get("status", "open") in ("open", "deferred"):
        report.lines.append(f"NEXT ask the owner; then memory_cli.py review accept|reject|merge|defer {ident}")
        report.lines.append(f"NOTE {_MEANS.get(str(item.get('kind')), _MEANS['doubt'])}")
    report.data = {**item, "age_days": _age(call.today, str(item.get("created", ""))), "sides": told["sides"], "sources": told["events"]}
    return report


def decide(call: Call, *, action: str, ident: str | None, text: str, days: int) -> Report:
    """The item is decided, in its topic's changelog and in the queue; it is not asked again (deferred: not for `days`).

    Raises:
        BadInput: no such open item, a merge without text, or a decision that its kind does not have.
    """
    workspace = call.open()
    report = Report(data={"id": ident, "action": action})
    statement, hidden = redact(one_line(text))
    if action == "merge" and not statement:
        raise BadInput("merge needs the one statement that holds", f'memory_cli.py review merge {ident} "what is true"')
    if len(statement) > MAX_TEXT:
        raise BadInput(f"the text has {len(statement)} characters, a statement holds {MAX_TEXT}", "shorten it")
    if days < 1:
        raise BadInput(f"--days {days} is no time to wait", "give 1 or more")
    told: list[str] = []

    def plan() -> Plan:
        item = _item(workspace, ident)
        if statement and action != "merge" and not (action == "accept" and item.get("kind") == "quarantine"):
            raise BadInput(f"{action} takes no text, and none was kept", f'memory_cli.py review merge {ident} "what is true" records what holds')
        if not waits(item, call.today.isoformat()) and item.get("status") != "deferred":
            raise BadInput(f"{ident} was {item.get('status')} on {item.get('decided', '?')}", "memory_cli.py undo takes a decision back")
        changes, what = _carried_out(call, workspace, item, Verdict(action, statement), days)
        told[:] = [what]
        return Plan("review", changes, counts={_STATUS[action]: 1})

    commit_planned(call, workspace, plan, report)
    if hidden:
        report.lines.append("NOTE a secret in the text was replaced")
    would = "would be " if call.dry_run else ""
    report.lines.insert(0, f"OK {ident} {would}{_STATUS[action]}: {told[-1]}")
    if not call.dry_run:
        report.lines.append("NEXT memory_cli.py undo --last takes it back")
    return report


def _carried_out(call: Call, workspace: Workspace, item: Item, verdict: Verdict, days: int) -> tuple[tuple[Change, ...], str]:
    """The changes of a decision, the line of the queue included, and what it meant in a sentence."""
    today = call.today.isoformat()
    line = decided(item, _STATUS[verdict.action], today, by="the owner")
    if verdict.action == "defer":
        until = (call.today + timedelta(days=days)).isoformat()
        return _queued(decided(item, "deferred", today, by="the owner", until=until)), f"asked again on {until}"
    match item.get("kind"):
        case "quarantine":
            return _quarantined(call, workspace, item, verdict, line)
        case "edit":
            made, what = _edited(call, workspace, item, verdict)
            return (*made, *_queued(line)), what
        case "skill":
            from silo.jobs.used import skill_changes

            accepted = verdict.action == "accept"
            skill, what = skill_changes(call, workspace, str(item["events"][0])) if accepted else ((), "no skill is made of it")
            return (*skill, *_queued(line)), what
    desk = open_desk(workspace, call.now)
    events = {id_of(one): one for file in read_events(workspace) for one in file.events}
    what = settle(desk, item, verdict, events)
    return (*desk.changes("decided by the owner"), *_queued(line)), what


def _queued(line: str) -> tuple[Append, ...]:
    return (Append(REVIEW, encode(line + "\n"), why="decided by the owner"),)


def _edited(call: Call, workspace: Workspace, item: Item, verdict: Verdict) -> tuple[tuple[Change, ...], str]:
    """A collision of an edit and a run: rejected, the edit stays; accepted, the run's version is taken."""
    path, copy = str(item.get("path", "")), str(item.get("copy", ""))
    if verdict.action == "reject":
        return (), "your version stays"
    if verdict.action == "merge":
        raise BadInput("two versions of a file can't be merged by one statement", f"edit {path or 'the file'} by hand, then review reject {item['id']}")
    other, present = (workspace.read(copy) if copy else None), workspace.read(path) if path else None
    if other is None or path.startswith("MEMORY"):
        raise BadInput(f"the other version can't be put in place by command{f': it lies in {copy}' if copy else ''}",
                       f"take what you want of it by hand, then review reject {item['id']}")
    if path.startswith(TOPIC_FOLDERS) and present is not None:
        desk = open_desk(workspace, call.now)
        what = take_over(desk, path, decode(other), str(item["id"]))
        return desk.changes("the other version, by the owner's word"), what
    write = Write(path, None if present is None else sha256(present), other, "the other version, by the owner's word")
    return ((write,) if other != present else ()), f"{path} is the other version now"


def _quarantined(call: Call, workspace: Workspace, item: Item, verdict: Verdict, line: str) -> tuple[tuple[Change, ...], str]:
    """Text that waited because it gives orders or came from somebody else: stored as the owner's word, or forgotten."""
    if verdict.action == "reject":
        return _forgotten(workspace, str(item["id"]), line), "the text is out of the queue, nothing was stored"
    said = verdict.text or str(item.get("said") or str(item.get("text", "")).partition("): ")[2])
    clean = redact(one_line(said))[0]
    if not clean:
        raise BadInput(f"{item['id']} holds no text", f"memory_cli.py review reject {item['id']}")
    topics = read_topics(workspace)
    existing = [one for file in read_events(workspace) for one in file.events]
    log, numbering = statements(workspace, topics, existing)
    day = str(item.get("day") or item.get("created") or call.today.isoformat())[:10]
    agent = str(item.get("agent") or call.config.agent)
    made: list[Event] = []
    for text in parts(clean):
        slug = route(text, topics.infos, load_languages())
        event = Event(day, guess_tag(call, text), slug, text, agent=agent, source=str(item.get("source") or f"review/{item['id']}"))
        if log.restates(event) is None:
            event = numbering.number(event)
            log.add([event])
            made.append(event)
    changes = (*appends(made, topics.private, "accepted by the owner"), *_queued(line))
    ids = ", ".join(one.id for one in made)
    return changes, f"stored as {ids}" if made else "the log says so already"


def _forgotten(workspace: Workspace, ident: str, line: str) -> tuple[Change, ...]:
    """The queue without the words of the item: its id stays, so that it is not asked again."""
    data = workspace.read(REVIEW) or b""
    kept: list[str] = []
    for row in split(decode(data)):
        parsed = jsonl.read_rows(row, REVIEW)[0]
        if not (parsed and parsed[0].value.get("id") == ident):
            kept.append(row)
    read = jsonl.read_rows(line, REVIEW)[0][0].value
    bare = {key: value for key, value in read.items() if key != "said"} | {"text": "(forgotten)"}
    text = "".join(kept)
    end = "" if not text or text.endswith("\n") else "\n"
    return (Write(REVIEW, sha256(data), encode(f"{text}{end}{jsonl.dumps(bare)}\n"), "rejected by the owner"),)


def _item(workspace: Workspace, ident: str | None) -> Item:
    items = review_items(workspace)
    if ident is None or ident not in items:
        raise BadInput(f"no review item {ident}" if ident else "which item? give its id", "memory_cli.py review list")
    return items[ident]


def _age(today: date, created: str) -> int:
    try:
        return max((today - date.fromisoformat(created[:10])).days, 0)
    except ValueError:
        return 0
