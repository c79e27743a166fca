"""The door of the hot state: read, shown, and kept within its limits by every commit that writes it.

Whatever leaves it (over, or for want of room) is a line of the log and an entry of the warm set in the same commit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING

from silo.config import Config
from silo.core import hot as hots
from silo.core.dedupe import id_of
from silo.core.doors import appends
from silo.core.hot import Hot, Left, Limits
from silo.core.ingest import parts
from silo.core.route import category_slug, route
from silo.edge.completion import done_label
from silo.edge.lang import load_languages
from silo.edge.workspace import Workspace
from silo.formats.warm import empty_hot, parse_hot, render_hot
from silo.jobs.memory import numbering, statements
from silo.jobs.reading import read_events, read_topics
from silo.jobs.warming import touched_by
from silo.model import Change, Event, Plan, Problem, Put, StateOp, Tag, Write
from silo.text.lines import decode, encode, one_line, sha256

if TYPE_CHECKING:
    from silo.jobs.call import Call

PROFILE_WEIGHT = 0.7  # importance of what overflows from identity and profile
_TAGS = {"lesson": Tag.FACT, "event": Tag.EVENT, "task": Tag.TODO, "project": Tag.FACT, "identity": Tag.FACT, "owner_profile": Tag.FACT}


@dataclass(slots=True)
class Overflow:
    """What became of items that left: log lines, their ids, what is remembered, what to say."""

    changes: tuple[Change, ...] = ()
    state: list[StateOp] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def hot_path(agent: str) -> str:
    """Where an agent's hot state stands."""
    return f".silo/agents/{agent}/hot-memory-state.json"


def limits_of(config: Config) -> Limits:
    """The limits of the configuration, under their published keys."""
    return Limits(
        config.integer("hot", "max_bytes", 5120), config.integer("hot", "max_lessons", 20),
        config.integer("hot", "max_events", 10), config.integer("hot", "max_tasks", 10),
    )  # fmt: skip


def read_hot(workspace: Workspace, agent: str) -> tuple[Hot, tuple[Problem, ...]]:
    """The hot state; empty where there is none, or a damaged one, which costs problems."""
    data = workspace.read(hot_path(agent))
    return parse_hot(decode(data), hot_path(agent)) if data is not None else (empty_hot(), ())


def write_of(workspace: Workspace, agent: str, state: Hot) -> tuple[Write, ...]:
    """The change of the file; none where nothing differs."""
    before = workspace.read(hot_path(agent))
    after = encode(render_hot(state))
    if before == after or (before is None and state == empty_hot()):
        return ()
    return (Write(hot_path(agent), sha256(before) if before is not None else None, after, "hot state"),)


# --- what leaves ------------------------------------------------------------------------------------------


def overflow(call: Call, workspace: Workspace, gone: Iterable[Left], plan: Plan, agent: str = "") -> Overflow:
    """Log lines of what left the hot state of an agent; `plan` brings other lines in the same commit."""
    gone = tuple(gone)
    if not gone:
        return Overflow()
    agent = agent or call.config.agent
    topics = read_topics(workspace)
    existing = [one for file in read_events(workspace) for one in file.events] + list(touched_by(workspace, plan).added.values())
    log, _ = statements(workspace, topics, existing)
    numbers = numbering(workspace, existing)
    found = Overflow()
    made: list[Event] = []
    for one in gone:
        for text in parts(one_line(_words(call, one))):
            tag = Tag.EVENT if one.over else _TAGS[one.kind]
            slug = category_slug(one.category, topics.infos) or route(text, topics.infos, load_languages())
            weight = one.importance if one.importance is not None else PROFILE_WEIGHT if one.kind in ("identity", "owner_profile") else None
            event = Event(call.today.isoformat(), tag, slug, text, importance=weight, category=one.category, agent=agent, source="hot")
            same = log.restates(event)
            if same is not None:
                found.state.append(Put("restated", f"{same}@{event.date}", "hot"))
                found.ids.append(same)
                continue
            event = numbers.number(event)
            log.add([event])
            made.append(event)
            found.ids.append(id_of(event))
    found.changes = appends(made, topics.private, "left the hot state")
    for over, said in ((True, "is over and left the hot state"), (False, "had no room in the hot state")):
        some = [one for one in gone if one.over is over]
        if some:
            names = "; ".join(one.text if len(one.text) <= 60 else one.text[:59] + "…" for one in some[:5])
            found.notes.append(f"{len(some)} {'item' if len(some) == 1 else 'items'} {said}: {names} (kept in the log and the warm set)")
    return found


def _words(call: Call, one: Left) -> str:
    if one.over and one.kind == "task":
        return f"{done_label(one.text)}: {one.text}"
    if one.timestamp > 0 and not one.over:
        try:
            day = datetime.fromtimestamp(one.timestamp, call.config.zone).date().isoformat()
        except (ValueError, OverflowError, OSError):
            return one.text
        if day != call.today.isoformat() and day not in one.text:
            return f"{one.text.rstrip()} ({day})"
    return one.text


def hotted(call: Call, workspace: Workspace, plan: Plan) -> Plan:
    """The plan with every hot state that it writes within its limits; what has no room is in the log by the same commit."""
    for change in plan.changes:
        if not (isinstance(change, Write) and change.path.endswith("/hot-memory-state.json") and change.path.startswith(".silo/agents/")):
            continue
        state, problems = parse_hot(decode(change.data), change.path)
        after, lost = hots.settled(state, limits_of(call.config))
        if problems or after == state:
            continue
        flow = overflow(call, workspace, lost, plan, change.path.split("/")[2])
        kept = tuple(replace(one, data=encode(render_hot(after))) if one is change else one for one in plan.changes)
        plan = replace(plan, changes=(*kept, *flow.changes), state=(*plan.state, *flow.state), notes=(*plan.notes, *flow.notes))
    return plan


def unwound_hot(call: Call, before: str, made: str, now: str) -> tuple[str | None, tuple[Left, ...]]:
    """(the text of a hot state without what a run changed in it, None for no file; what came back and has no room there)."""
    old, new, present = (parse_hot(text, "")[0] for text in (before, made, now))
    back, lost = hots.unwound(old, new, present, limits_of(call.config))
    return (render_hot(back) if before or back != empty_hot() else None), lost


def kept_after_undo(call: Call, workspace: Workspace, lost: Mapping[str, tuple[Left, ...]]) -> Plan:
    """What an undo gave back to a hot state (by path) that has no room for it, as lines of the log."""
    plan = Plan("hot")
    for path, gone in lost.items():
        flow = overflow(call, workspace, gone, plan, path.split("/")[2])
        plan = replace(plan, changes=(*plan.changes, *flow.changes), state=(*plan.state, *flow.state), notes=(*plan.notes, *flow.notes))
    return plan
