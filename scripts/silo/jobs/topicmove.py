"""The jobs behind `topic rename`, `merge`, `archive` and `activate`: one run each, and everything that names the topic follows."""

from __future__ import annotations

from collections.abc import Mapping

from silo.core.desk import Desk
from silo.core.overflow import archive_path
from silo.core.topicmove import Side, merged, referring, renamed, resluged
from silo.core.views import INDEX, plan_index
from silo.edge.workspace import Workspace
from silo.errors import BadInput
from silo.formats.events import slug_for, valid_slug
from silo.formats.topics import info, parse_topic
from silo.jobs.memory import open_desk, read_events
from silo.jobs.run import Call, Report, commit_planned
from silo.model import GENERAL, Change, Move, Plan, Remove, TopicInfo, Write
from silo.text.lines import decode, encode, sha256
from silo.text.redact import redact


def rename_topic(call: Call, *, old: str, new: str | None) -> Report:
    """The topic, its archive file and its lines of the log have another name; the old one still leads there.

    Raises:
        BadInput: no such topic, or a bad or taken name.
    """
    if not new:
        raise BadInput("topic rename needs the new name", f"memory_cli.py topic rename {old} NEW")
    if valid_slug(new) is None or new == GENERAL:
        near = slug_for(redact(new)[0])
        raise BadInput(f"{new!r} can't name a topic", f"try {near}" if near and near != GENERAL else "use a-z, 0-9 and single inner dashes")
    workspace = call.open()
    report = Report(data={"slug": new, "was": old})

    def plan() -> Plan:
        desk = open_desk(workspace, call.now)
        path = _path(desk, old)
        holder = desk.path_of(new)
        if holder is not None and holder != path:
            raise BadInput(f"{new} leads to the topic {desk.raw(holder).slug} already", f"memory_cli.py topic merge {old} {new}")
        if desk.raw(path).slug == new:
            raise BadInput(f"the topic is called {new} already", "memory_cli.py topic list")
        archive = workspace.read(archive_path(path))
        changes: list[Change] = list(renamed(path, desk.files[path], desk.text(path), archive, new))
        return _followed(workspace, desk, changes, {desk.raw(path).slug: new})

    commit_planned(call, workspace, plan, report)
    return _told(call, report, f"{old} is now {new}; the old name still leads there")


def merge_topics(call: Call, *, gone: str, into: str | None) -> Report:
    """Two topics are one: facts, changelog, sources and lines of the log of the one stand under the other.

    Raises:
        BadInput: no such topics, or two that not the same people may see.
    """
    if not into:
        raise BadInput("topic merge needs the topic that stays", f"memory_cli.py topic merge {gone} INTO")
    workspace = call.open()
    report = Report(data={"slug": into, "was": gone})

    def plan() -> Plan:
        desk = open_desk(workspace, call.now)
        source, target = _path(desk, gone), _path(desk, into)
        if source == target:
            raise BadInput(f"{gone} and {into} are one topic", "memory_cli.py topic list")
        one, other = desk.infos()[source], desk.infos()[target]
        if (one.sensitivity, one.agents) != (other.sensitivity, other.agents):
            raise BadInput(f"{gone} and {into} are not for the same readers (sensitivity, agents)", "make their headers agree first")
        for path in (source, target):
            there = workspace.read(archive_path(path))
            if not desk.raw(path).editable or (there is not None and not parse_topic(decode(there), archive_path(path)).editable):
                raise BadInput(f"{path} can't be written: its markers are damaged", "memory_cli.py doctor names the lines")
        sides = [Side(path, desk.files[path], desk.text(path), workspace.read(archive_path(path))) for path in (source, target)]
        at = call.now.isoformat(timespec="seconds")
        changes, _ = merged(sides[0], sides[1], call.today.isoformat(), at)
        return _followed(workspace, desk, list(changes), {one.slug: other.slug})

    commit_planned(call, workspace, plan, report)
    return _told(call, report, f"{gone} is part of {into} now; the old name leads there")


def set_status(call: Call, *, slug: str, status: str) -> Report:
    """The topic is archived (out of index, context and default search; never stale) or active again.

    Raises:
        BadInput: no such topic.
    """
    workspace = call.open()
    report = Report(data={"slug": slug, "status": status})
    there: list[bool] = []

    def plan() -> Plan:
        desk = open_desk(workspace, call.now)
        path = _path(desk, slug)
        there[:] = [desk.raw(path).header.text("status") == status]
        if not there[0]:
            desk.set_header(path, "status", status)
        return Plan("topic", desk.changes(status), counts={status: 1})

    commit_planned(call, workspace, plan, report)
    if there[0]:
        report.lines.insert(0, f"OK {slug} is {status} already")
        return report
    return _told(call, report, f"{slug} is {status} now")


def _path(desk: Desk, slug: str) -> str:
    path = desk.path_of(slug)
    if path is None:
        raise BadInput(f"no topic {slug}", "memory_cli.py topic list --archived")
    return path


def _followed(workspace: Workspace, desk: Desk, changes: list[Change], names: Mapping[str, str]) -> Plan:
    """The plan with every other file that names the topics: lines of the log, headers of other topics, the index."""
    files = tuple(read_events(workspace))
    lines = 0
    for old, new in names.items():
        moved = resluged(files, old, new)
        lines += sum(event.slug == old for file in files for event in file.events)
        changes += moved
    gone = {change.path for change in changes if isinstance(change, Move | Remove)}
    made = {change.path: change.data for change in changes if isinstance(change, Write)}
    infos: list[TopicInfo] = []
    for path, one in desk.infos().items():
        if path in gone or path in made:
            continue
        text = decode(desk.files[path])
        for old, new in names.items():
            text = referring(text, path, old, new)
        if encode(text) != desk.files[path]:
            changes.append(Write(path, sha256(desk.files[path]), encode(text), "names the topic"))
        infos.append(one)
    infos += [info(parse_topic(decode(data), path)) for path, data in made.items() if "/topics/" in path and not path.endswith(".archive.md")]
    changes += plan_index(infos, desk.files.get(INDEX))
    return Plan("topic", tuple(changes), counts={"lines": lines})


def _told(call: Call, report: Report, what: str) -> Report:
    report.lines.insert(0, f"OK {'would be: ' if call.dry_run else ''}{what}")
    if not call.dry_run:
        report.lines.append("NEXT memory_cli.py undo --last takes it back")
    return report
