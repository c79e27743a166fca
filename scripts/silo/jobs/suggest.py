"""The job behind `suggest_topics.py`: unfiled events → suggested topics, and what a person decides about them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

from silo.core.dedupe import id_of
from silo.core.doors import LOG
from silo.core.suggest import COOLDOWN, Proposal, opened, proposals, reroute, suggest
from silo.core.views import INDEX, plan_index
from silo.edge.themes import load_themes
from silo.edge.workspace import Workspace
from silo.errors import BadInput, Busy
from silo.formats.decisions import decided, read_decisions
from silo.formats.events import EventFile, slug_for, valid_slug
from silo.formats.topics import TYPES, info, parse_topic
from silo.jobs.health import noted, record
from silo.jobs.memory import TOPICS, Topics, read_events, read_topics
from silo.jobs.naming import with_names
from silo.jobs.run import Call, Report, commit
from silo.model import GENERAL, Append, Change, Event, Plan
from silo.text.lines import decode, encode
from silo.text.redact import redact

PROPOSALS = ".silo/proposals.jsonl"
DAYS = 30  # how far back a suggestion looks
WAIT = 30.0  # seconds that a person's decision waits for a running job
Item = Mapping[str, Any]


def run(call: Call, *, agent: str | None) -> Report:
    """Suggestions for the agent, or for all agents of the workspace one after another. Creates no topic."""
    workspace = call.open()
    try:
        with workspace.job("suggest"), noted(call, workspace, "suggest") as started:
            return _run(call, workspace, agent, started)
    except Busy as busy:
        return Report([f"NOTE {busy}; nothing to do here"], {"suggestions": [], "busy": str(busy)})


def _run(call: Call, workspace: Workspace, agent: str | None, started: float) -> Report:
    topics = read_topics(workspace)
    items = _items(workspace)
    first = (call.today - timedelta(days=call.config.integer("suggest", "days", DAYS))).isoformat()
    events = [e for e in _unfiled(_log(workspace), topics) if first <= e.date <= call.today.isoformat()]
    shown: list[Proposal] = []
    for who in sorted({e.agent for e in events}) if agent is None else [agent]:
        mine = [replace(e, id=id_of(e), text=redact(e.text)[0]) for e in events if e.agent == who]
        known = [one for one in topics.infos if not one.agents or who in one.agents]
        if mine:
            shown += proposals(suggest(mine, known, load_themes()), _unaccepted(items, topics), call.today, who)
    shown, notes = with_names(call, workspace, shown, frozenset(items), topics.slugs)
    report = Report([f"NOTE {note}" for note in notes], {"suggestions": [one.data() for one in shown]})
    lines = [one.line for one in shown if one.line]
    changes = (Append(PROPOSALS, encode("".join(line + "\n" for line in lines)), why="suggested topics"),) if lines else ()
    commit(call, workspace, Plan("suggest", changes, counts={"suggestions": len(shown), "new": len(lines)}), report)
    report.lines[:0] = [f"OK {len(shown)} suggested topics for {len(events)} entries without one"]
    for one in shown:
        report.lines += _told(one.id, one.suggestion.slug, one.suggestion.title, one.suggestion.why)
    if shown:
        report.lines.append("NEXT ask the user; then suggest_topics.py accept ID, or dismiss ID")
    report.problems(topics.problems)
    actions = {"suggestions": len(shown), "new": len(lines)}
    record(call, workspace, "suggest", started, {"events": len(events), "files": len(changes), "actions": actions})
    return report


def list_open(call: Call, *, everything: bool) -> Report:
    """The suggestions that wait for a decision; with `everything` the decided ones too."""
    workspace = call.open()
    topics = read_topics(workspace)
    at_hand = {id_of(e): e for e in _unfiled(_log(workspace), topics)}
    shown = []
    report = Report()
    for item in _items(workspace).values():
        is_open = item.get("status", "open") == "open"
        events = [at_hand[one] for one in item.get("events", ()) if one in at_hand]
        if not everything and (not is_open or not events):
            continue
        shown.append(
            {
                **{key: item.get(key) for key in ("id", "status", "slug", "title", "type", "created", "decided") if item.get(key)},
                "why": f"{len(events)} entries without a topic",
                "events": [{"id": id_of(e), "date": e.date, "text": redact(e.text)[0]} for e in events],
            }
        )
        what = f"{item.get('status', 'open')}, since {item.get('created', '?')}, {len(events)} entries without a topic"
        report.lines += _told(str(item["id"]), str(item.get("slug", "")), str(item.get("title", "")), what)
    report.data = {"suggestions": shown}
    if not shown:
        report.lines.append("OK no suggestion waits\nNEXT suggest_topics.py run looks for new ones")
    return report


def accept(call: Call, *, which: str, slug: str | None, kind: str | None) -> Report:
    """One run: the topic file is there, the evidence stands under its name, the index lists it.

    Raises:
        BadInput: no such open suggestion, a bad or taken name, an unknown type, or no entry left to move.
        Busy: another run holds the job.
    """
    workspace = call.open()
    with workspace.job("suggest", WAIT):
        topics = read_topics(workspace)
        item = _open_item(workspace, which)
        name = _name(slug or str(item.get("slug", "")), topics)
        sort = kind or str(item.get("type", "project"))
        if sort not in TYPES:
            raise BadInput(f"{sort!r} is no type of topic", f"one of {', '.join(sorted(TYPES))}")
        files = _log(workspace)
        ids = frozenset(str(one) for one in item.get("events", ()))
        moved = reroute(files, ids, frozenset(_unfiled(files, topics)), name)
        if not moved:
            raise BadInput(f"no entry of {item['id']} is without a topic any more", "suggest_topics.py run looks again")
        today = call.today.isoformat()
        path, created = opened(item, name, sort, today, TOPICS)
        fresh = info(parse_topic(decode(created.data), path))
        line = decided({**item, "slug": name, "type": sort}, "accepted", today)
        changes: tuple[Change, ...] = (
            created,
            *moved,
            *plan_index((*topics.infos, fresh), workspace.read(INDEX)),
            Append(PROPOSALS, encode(line + "\n"), why="accepted"),
        )
        report = Report(data={"id": item["id"], "slug": name, "file": path, "events": len(ids)})
        commit(call, workspace, Plan("suggest", changes, counts={"events": len(ids)}), report)
    verb = "would open" if call.dry_run else "opened"
    report.lines.insert(0, f"OK {verb} topic {name}: {path}; {len(ids)} entries stand under it, later ones will")
    report.lines.append("NEXT curate_nightly.py brings its facts into the topic file")
    return report


def dismiss(call: Call, *, which: str) -> Report:
    """The suggestion rests for two weeks, and then until something newer is said.

    Raises:
        BadInput: no such open suggestion.
        Busy: another run holds the job.
    """
    workspace = call.open()
    with workspace.job("suggest", WAIT):
        item = _open_item(workspace, which)
        line = decided(item, "dismissed", call.today.isoformat())
        report = Report(data={"id": item["id"], "slug": item.get("slug", ""), "status": "dismissed"})
        plan = Plan("suggest", (Append(PROPOSALS, encode(line + "\n"), why="dismissed"),), counts={"dismissed": 1})
        commit(call, workspace, plan, report)
    report.lines.insert(0, f"OK dismissed {item.get('slug', '')} ({item['id']}): not before {COOLDOWN} days and newer entries")
    return report


def _told(ident: str, slug: str, title: str, why: str) -> list[str]:
    return [f"{ident} {slug} — {title}: {why}"]


def _items(workspace: Workspace) -> Mapping[str, Item]:
    data = workspace.read(PROPOSALS)
    return read_decisions(decode(data) if data else "", PROPOSALS).items


def _unaccepted(items: Mapping[str, Item], topics: Topics) -> Mapping[str, Item]:
    """Accepted ones whose topic is there are out of the way: their events are filed."""
    return {key: one for key, one in items.items() if one.get("status") != "accepted" or one.get("slug") not in topics.slugs}


def _open_item(workspace: Workspace, which: str) -> Item:
    items = _items(workspace)
    found = [one for one in items.values() if which in (one["id"], one.get("slug")) and one.get("status", "open") == "open"]
    if len(found) == 1:
        return found[0]
    waiting = ", ".join(f"{one['id']} ({one.get('slug', '')})" for one in items.values() if one.get("status", "open") == "open")
    hint = f"open are {waiting}" if waiting else "suggest_topics.py run looks for new ones"
    raise BadInput(f"{'more than one' if found else 'no'} open suggestion {which!r}", hint)


def _name(slug: str, topics: Topics) -> str:
    if valid_slug(slug) is None or slug == GENERAL:
        near = slug_for(redact(slug)[0])
        raise BadInput(f"{slug!r} can't name a topic", f"try {near}" if near and near != GENERAL else "use a-z, 0-9 and single inner dashes")
    if slug in topics.slugs:
        raise BadInput(f"the topic {slug} exists already", "give another name with --slug NEW")
    return slug


def _log(workspace: Workspace) -> tuple[EventFile, ...]:
    """The open log. Lines of private topics are never suggested: a new topic would bring them into the open."""
    return tuple(file for file in read_events(workspace) if file.path.startswith(f"{LOG}/"))


def _unfiled(files: tuple[EventFile, ...], topics: Topics) -> list[Event]:
    return [e for file in files for e in file.events if e.slug == GENERAL or e.slug not in topics.slugs]
