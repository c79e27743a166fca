"""The warm set's part in a commit: whatever brings or takes log lines brings and takes their entries, within the limit.

Every door goes through `warmed`, so none can forget it. What leaves for want of room, or by age, is copied to the cold store
and read back first; where that fails it stays, and what is new waits outside. Called under the commit lock.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from silo.config import clock
from silo.core.dedupe import id_of
from silo.core.tiers.warm import Member, Rules, differs, fit, member, render, rescored, unwound
from silo.edge.places import is_log
from silo.edge.workspace import Workspace
from silo.errors import Trouble
from silo.formats.events import parse_file
from silo.formats.topics import TopicFile, is_archive, parse_topic
from silo.formats.warm import WarmEntry, parse_warm, render_warm
from silo.jobs.counters import Counters
from silo.jobs.warmread import day_of as day_of
from silo.jobs.warmread import read_warm as read_warm
from silo.jobs.warmread import rules_of as rules_of
from silo.jobs.warmread import uses as uses
from silo.jobs.warmread import warm_path as warm_path
from silo.model import Append, Event, Plan, Remove, Write
from silo.text.lines import decode, encode, sha256

if TYPE_CHECKING:
    from silo.jobs.call import Call

EVICTED = "evicted"


@dataclass(slots=True)
class Touched:
    """What a plan does to the log: events that come, ids that go, ids on which a curated fact rests from now on."""

    added: dict[str, Event] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)
    promoted: set[str] = field(default_factory=set)
    moved: dict[str, str] = field(default_factory=dict)  # events that another topic has now: id → category of their entry


def said_at(call: Call, day: str) -> float:
    """When something of that day was said, as seconds since 1970: now for today, else noon."""
    if day == call.today.isoformat():
        return float(int(call.now.timestamp()))
    return float(int(clock(call.config.zone, day).timestamp()))


def sources_of(file: TopicFile) -> set[str]:
    """The ids of the events that a topic's curated facts rest on, now or by their history."""
    told = [fact.source for fact in file.facts] + [entry.source for entry in file.changes]
    return {ident for source in told for ident in source.split(",") if ident}


# --- a plan with its warm entries -------------------------------------------------------------------------


def warmed(call: Call, workspace: Workspace, plan: Plan) -> Plan:
    """The plan with what it means for the warm sets of the agents whose events it brings or takes."""
    touched = touched_by(workspace, plan)
    if not (touched.added or touched.gone or touched.promoted or touched.moved):
        return plan
    agents = {event.agent for event in touched.added.values()}
    if touched.gone or touched.promoted or touched.moved:
        agents |= {path.split("/")[2] for path in workspace.paths(".silo/agents/*/warm-memory.json")}
    written = {change.path for change in plan.changes}
    for agent in sorted(agents):
        if warm_path(agent) not in written:
            plan = _with_agent(call, workspace, plan, agent, touched)
    return plan


def warm_after(workspace: Workspace, plan: Plan, agent: str) -> frozenset[str] | None:
    """The ids that the warm set holds once the plan is done; None where there is none."""
    path = warm_path(agent)
    for change in plan.changes:
        if isinstance(change, Write) and change.path == path:
            return frozenset(one.id for one in parse_warm(decode(change.data), path)[0])
    entries, _ = read_warm(workspace, agent)
    return None if entries is None else frozenset(entries)


def touched_by(workspace: Workspace, plan: Plan) -> Touched:
    """What the plan does to the log and to what rests on it."""
    found = Touched()
    for change in plan.changes:
        if is_log(change.path):
            before = _ids(workspace, change.path) if isinstance(change, Write | Remove) else {}
            after = _events(decode(change.data), change.path) if isinstance(change, Write | Append) else {}
            found.gone |= before.keys() - after.keys()
            found.added |= {ident: event for ident, event in after.items() if ident not in before}
            there = {ident: event for ident, event in after.items() if ident in before and event.slug != before[ident].slug}
            found.moved |= {ident: event.category or event.slug for ident, event in there.items()}
        elif isinstance(change, Write) and "/topics/" in change.path and not is_archive(change.path):
            found.promoted |= sources_of(parse_topic(decode(change.data), change.path))
    found.gone -= found.added.keys()
    return found


def _ids(workspace: Workspace, path: str) -> dict[str, Event]:
    data = workspace.read(path)
    return _events(decode(data), path) if data is not None else {}


def _events(text: str, path: str) -> dict[str, Event]:
    return {id_of(event): event for event in parse_file(text, path).events}


def _with_agent(call: Call, workspace: Workspace, plan: Plan, agent: str, touched: Touched) -> Plan:
    entries, problems = read_warm(workspace, agent)
    if problems:
        return replace(plan, notes=(*plan.notes, f"{problems[0].where} {problems[0].code}: the warm set is left alone"))
    moved = {ident for ident, one in (entries or {}).items() if touched.moved.get(ident, one.category) != one.category}
    stood, entries = entries, entries and {ident: replace(one, category=touched.moved[ident]) if ident in moved else one for ident, one in entries.items()}
    rules, used = rules_of(call.config), uses(workspace, plan)
    new = {ident: event for ident, event in touched.added.items() if event.agent == agent and ident not in touched.promoted}
    if entries is None:
        if not any(event.agent == agent for event in touched.added.values()):
            return plan
        new, entries = _all_events(workspace, agent, touched) | new, {}
    members = {ident: rescored(one, day_of(call, one), used.get(ident, one.access_count), rules, call.today) for ident, one in entries.items()}
    leaving = {ident: members.pop(ident) for ident in (*touched.gone, *touched.promoted) if ident in members}
    fresh = {
        ident: member(event, ident, used.get(ident, 0), said_at(call, event.date), rules, call.today)
        for ident, event in new.items()
        if ident not in members
    }
    if not leaving and not fresh and not moved:
        return plan
    kept, out = fit([*members.values(), *fresh.values()], rules, call.today)
    out_of_it = [one for one in out if one.entry.id in members] + [leaving[ident] for ident in leaving.keys() - touched.gone]
    notes: tuple[str, ...] = ()
    if out_of_it and not call.dry_run:
        held, notes = archived(workspace, out_of_it)
        if {one.entry.id for one in out_of_it} - held:
            kept = _held_back(members, fresh, held, rules, call)
    return _settled(call, workspace, replace(plan, notes=(*plan.notes, *notes)), agent, stood or {}, kept, leaving.keys())


def _held_back(members: Mapping[str, Member], fresh: Mapping[str, Member], held: frozenset[str], rules: Rules, call: Call) -> tuple[Member, ...]:
    """Who stays where the cold store did not take all: nobody of the old ones leaves that it does not hold; the others and
    the new ones fill what room is left."""
    all_ages = replace(rules, stays_days=10**6)
    kept, _ = fit((one for ident, one in members.items() if ident not in held), all_ages, call.today)
    others = [*(one for ident, one in members.items() if ident in held), *fresh.values()]
    for one in sorted(fit(others, rules, call.today)[0], key=lambda one: -one.entry.score):
        tried, over = fit([*kept, one], all_ages, call.today)
        kept = kept if over else tried
    return kept


def archived(workspace: Workspace, members: Iterable[Member]) -> tuple[frozenset[str], tuple[str, ...]]:
    """(the ids that the cold store is seen to hold, or that no log line stands for any more; what to say).

    A store that refuses is said, not raised: the memory goes on without.
    """
    from silo.edge.cold.base import chunks
    from silo.jobs.cold import archive_of, logged

    days = {one.entry.id: one.day for one in members}
    rows = {row.id: row for row in logged(workspace, days.keys(), frozenset(days.values()))}
    if missing := days.keys() - rows.keys():  # said in another zone, or their line is gone
        rows |= {row.id: row for row in logged(workspace, missing)}
    try:
        with archive_of(workspace) as store:
            held = frozenset(ident for part in chunks(list(rows.values())) for ident in store.put(part))
    except Trouble as trouble:
        return frozenset(days.keys() - rows.keys()), (f"the cold store refused ({trouble}): nothing leaves the warm set, what is new waits in the log alone",)
    lost = rows.keys() - held
    notes = (f"{len(lost)} facts stay in the warm set: the cold store was not seen to hold them",) if lost else ()
    return held | (days.keys() - rows.keys()), notes


def _settled(
    call: Call, workspace: Workspace, plan: Plan, agent: str, before: Mapping[str, WarmEntry], kept: Iterable[Member], leaving: Iterable[str]
) -> Plan:
    kept = tuple(kept)
    data = workspace.read(warm_path(agent))
    if data is not None and not differs(before, kept):
        return plan
    write = Write(warm_path(agent), sha256(data) if data is not None else None, encode(render(kept)), "warm set")
    evicted = len(before.keys() - {one.entry.id for one in kept} - set(leaving))
    counters = Counters(workspace, agent, call.today)
    counters.add_today(EVICTED, evicted)
    return replace(plan, changes=(*plan.changes, write), state=(*plan.state, *counters.ops()))


def _all_events(workspace: Workspace, agent: str, touched: Touched) -> dict[str, Event]:
    """Where there is no warm set yet: every logged event of the agent on which no curated fact rests."""
    from silo.jobs.reading import read_events, read_topics

    resting = set(touched.promoted)
    for file in read_topics(workspace).files:
        resting |= sources_of(file)
    events = (event for file in read_events(workspace) for event in file.events)
    return {ident: event for event in events if event.agent == agent and (ident := id_of(event)) not in resting | touched.gone}


def unwound_warm(call: Call, before: str, made: str, now: str) -> str | None:
    """The text of a warm set without what a run changed in it; None for no file."""
    old, new, present = (parse_warm(text, "")[0] for text in (before, made, now))
    back = unwound(old, new, present, rules_of(call.config).max_bytes)
    return render_warm(back) if back or before else None
