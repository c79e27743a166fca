"""The job behind `consolidate`: facts move between the tiers, the archive is made true to the log, the tree is counted anew.

quick: tiers, hot state, tree counts, archive. daily: daily notes first, dead categories out. monthly: retention, and a
better tree proposed. full: all scores anew, and what the tree looks like. Each step is a commit of its own, or none: cut off
anywhere, the memory stands as after the step before.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from silo.core import hot as hots
from silo.core.dedupe import id_of
from silo.core.hot import Bright
from silo.core.importance import HOT
from silo.core.tiers.intervals import is_due
from silo.core.tiers.settle import Settled, settle
from silo.core.tiers.warm import entry_size, fit, render
from silo.edge.workspace import Workspace
from silo.errors import Busy, Trouble
from silo.formats.warm import render_hot
from silo.jobs.counters import Counters
from silo.jobs.health import noted, record
from silo.jobs.hotblock import block_changes
from silo.jobs.hotdoor import limits_of, overflow, read_hot, write_of
from silo.jobs.hotlines import hot_lines
from silo.jobs.memory import Topics, read_events, read_topics
from silo.jobs.mirror import Where
from silo.jobs.run import Call, Report, commit_planned
from silo.jobs.treefile import counted_tree, read_tree, shape, tree_write
from silo.jobs.warming import (
    EVICTED,
    archived,
    read_warm,
    rules_of,
    said_at,
    sources_of,
    uses,
    warm_path,
)
from silo.model import Change, Drop, Event, Plan, Put, StateOp, Tag, Write
from silo.text.budget import size
from silo.text.lines import encode, sha256

MODES = ("quick", "daily", "monthly", "full")
STEPS = "steps"  # of state.db: `<agent>/<step>` → when it last ran
PUT_OUT = "put_out"  # of state.db: what somebody took out of the warm set, until it is used again
WARM_EVICTION, TREE_PRUNE, TREE_REBUILD = "warm_eviction", "tree_prune", "tree_rebuild"


@dataclass(frozen=True, slots=True)
class ConsolidateOptions:
    """What was asked for, as typed. `agent_given`: only that agent, not all of the workspace."""

    mode: str = "quick"
    agent_given: bool = False
    evict: tuple[str, ...] = ()
    with_notes: bool = True
    where: Where | None = None  # the mirror as named on the command line


def consolidate(call: Call, options: ConsolidateOptions) -> Report:
    """The steps of the mode, for every agent of the workspace."""
    workspace = call.open()
    try:
        with workspace.job("consolidate"), noted(call, workspace, "consolidate") as started:
            report = _consolidate(call, workspace, options)
            assert isinstance(report.data, dict)
            figures = {"files": len(report.data["changed_files"]), "runs": report.data["runs"], "actions": report.data["totals"]}
            record(call, workspace, "consolidate", started, figures)
            return report
    except Busy as busy:
        return Report([f"NOTE {busy}; nothing to do here"], {"busy": str(busy), "mode": options.mode})


def _consolidate(call: Call, workspace: Workspace, options: ConsolidateOptions) -> Report:
    report = Report()
    data: dict[str, object] = {"mode": options.mode, "agents": {}}
    runs: list[str] = []
    files: set[str] = set()
    deep = MODES.index(options.mode)
    if deep >= 1 and options.with_notes:
        from silo.jobs.ingest import ingest_notes

        data["ingested"] = _step(ingest_notes(call, workspace), report, runs, files)
    agents: dict[str, dict[str, object]] = {}
    for agent in [call.config.agent] if options.agent_given else agents_of(workspace, call.config.agent):
        own = call._replace(config=call.config._replace(agent=agent))
        agents[agent] = _agent(own, workspace, options, report, runs, files)
    data["agents"] = agents
    if deep >= 2:
        from silo.jobs.retention import retain

        data["retired"] = _step(retain(call, workspace), report, runs, files)
    data["archive"] = {"changed": _archive(call, workspace, options, report)}
    totals = {name: sum(n for one in agents.values() if isinstance(n := one.get(name), int)) for name in ("admitted", "evicted", "promoted", "demoted", "pruned")}
    report.data = data | {"totals": totals, "runs": runs, "changed_files": sorted(files), "dry_run": call.dry_run}
    report.published = report.data
    what = ", ".join(f"{number} {name}" for name, number in totals.items() if number)
    verb = "would consolidate" if call.dry_run else "consolidated"
    report.lines.insert(0, f"OK {verb} ({options.mode}): {what or 'nothing has changed its tier'}")
    return report


def _step(done: Report, report: Report, runs: list[str], files: set[str]) -> object:
    """A step's report made part of the whole."""
    report.lines += done.lines
    if isinstance(done.data, dict):
        if run := done.data.pop("run", None):
            runs.append(str(run))
        files |= set(done.data.pop("changed", ()))
    return done.data


def agents_of(workspace: Workspace, first: str) -> list[str]:
    """Every agent that has something here, the one of the call first."""
    found = {path.split("/")[2] for path in workspace.paths(".silo/agents/*/*.json")}
    found |= {event.agent for file in read_events(workspace) for event in file.events}
    return [first, *sorted(found - {first})]


# --- one agent --------------------------------------------------------------------------------------------


def _agent(
    call: Call, workspace: Workspace, options: ConsolidateOptions, report: Report, runs: list[str], files: set[str]
) -> dict[str, object]:
    """Tiers, hot state and tree of one agent in one commit; then what is proposed. Returns figures for the report."""
    figures: dict[str, object] = {}
    mine = Report(data={})
    commit_planned(call, workspace, lambda: _tiers(call, workspace, options, figures), mine)
    _step(mine, report, runs, files)
    deep = MODES.index(options.mode)
    if deep >= 2 and due(call, workspace, TREE_REBUILD):
        from silo.jobs.treeplan import propose

        figures["tree_proposal"] = _step(propose(call, workspace), report, runs, files)
        ran(call, workspace, TREE_REBUILD)
    if deep >= 3:
        from silo.core.tiers.rebuild import analysis

        figures["tree"] = analysis(counted_tree(call, workspace, read_tree(workspace, call.config.agent)[0]))
    if not call.dry_run:
        counters = Counters(workspace, call.config.agent, call.today)
        counters.add("consolidations")
        past = [Drop("access", key) for key in workspace.state.items("access", f"used/{call.config.agent}@") if not key.endswith(call.today.isoformat())]
        last = Put("counters", f"{call.config.agent}/last_consolidation", int(call.now.timestamp()))
        workspace.state.apply([*counters.ops(), last, *past])
        from silo.jobs.metrics import measure, record_snapshot

        record_snapshot(call, workspace, measure(call, workspace))
    _tell_agent(call, figures, report)
    return figures


def _tell_agent(call: Call, figures: dict[str, object], report: Report) -> None:
    who = f"{call.config.agent}: "
    report.lines.append(
        f"NOTE {who}{figures['warm_count']} warm facts in {figures['warm_bytes']} bytes; hot state {figures['hot_bytes']} bytes; "
        f"{figures['tree_nodes']} categories"
    )
    if figures["pruned_nodes"]:
        report.lines.append(f"NOTE {who}dead categories taken out: {', '.join(map(str, _listed(figures['pruned_nodes'])))}")
    if isinstance(tree := figures.get("tree"), dict):
        largest = ", ".join(f"{one['path']} {one['facts']}" for one in tree["largest"])
        report.lines.append(f"NOTE {who}tree: largest {largest or 'none'}; empty {', '.join(tree['empty']) or 'none'}; {tree['unfiled']} facts in no category")


def _listed(value: object) -> list[object]:
    return list(value) if isinstance(value, list | tuple) else []


def _tiers(call: Call, workspace: Workspace, options: ConsolidateOptions, figures: dict[str, object]) -> Plan:
    """The plan of the tiers, made under the commit lock; `figures` are those of the last attempt."""
    agent = call.config.agent
    topics = read_topics(workspace)
    events = {id_of(event): event for file in read_events(workspace) for event in file.events if event.agent == agent}
    evicts = due(call, workspace, WARM_EVICTION)
    entries, problems = read_warm(workspace, agent)
    found = _settled(call, workspace, topics, events, options.evict, evict=evicts)
    notes = [f"{one.where} {one.code}: {one.message}; the warm set is left alone" for one in problems]
    if found.evicted and not call.dry_run and not problems:
        held, said = archived(workspace, found.evicted)
        notes += said
        found = _without(call, found, frozenset(one.entry.id for one in found.evicted) - held)
    before = workspace.read(warm_path(agent))
    changes: list[Change] = []
    state: list[StateOp] = []
    if not problems and (found.changed if entries is not None else found.kept):
        changes.append(Write(warm_path(agent), sha256(before) if before is not None else None, encode(render(found.kept)), "tiers"))
    counters = Counters(workspace, agent, call.today)
    counters.add_today(EVICTED, len(found.evicted))
    state += counters.ops()
    state += (Put(PUT_OUT, ident, call.today.isoformat()) for ident in options.evict if ident in events)
    state += _ran(call, workspace, WARM_EVICTION) if evicts else ()
    hot_changes, hot_state, hot_bytes, told = _hot(call, workspace, topics, events, found)
    changes += hot_changes
    state += hot_state
    notes += told
    tree_changes, tree_figures, pruned = _tree(call, workspace, options, found)
    changes += tree_changes
    state += _ran(call, workspace, TREE_PRUNE) if pruned is not None else ()
    figures.clear()
    figures |= {
        "warm_count": len(found.kept), "warm_bytes": size(render(found.kept)), "hot_bytes": hot_bytes, **tree_figures,
        "admitted": len(found.admitted), "evicted": len(found.evicted), "became_curated": len(found.curated), "gone": len(found.gone),
        "promoted": found.promoted, "demoted": found.demoted, "pruned": len(pruned or ()), "pruned_nodes": list(pruned or ()),
        "scores_recalculated": len(found.kept), "evicted_ids": [one.entry.id for one in found.evicted],
    }  # fmt: skip
    counts = {name: n for name in ("admitted", "evicted", "promoted", "demoted", "pruned") if isinstance(n := figures[name], int) and n}
    return Plan("consolidate", tuple(changes), tuple(state) if changes else tuple(one for one in state if isinstance(one, Put) and one.table != "counters"), counts=counts, notes=tuple(notes))


def _settled(
    call: Call, workspace: Workspace, topics: Topics, events: dict[str, Event], evict_ids: Iterable[str], *, evict: bool
) -> Settled:
    resting = {ident for file in topics.files for ident in sources_of(file)}
    used = workspace.state.items("access")
    out = {*evict_ids}
    for ident, day in workspace.state.items(PUT_OUT).items():
        last = value.get("last", "") if isinstance(value := used.get(ident), dict) else ""
        if str(last) <= str(day):
            out.add(ident)
    entries, _ = read_warm(workspace, call.config.agent)
    return settle(
        events, entries or {}, resting=resting, used=uses(workspace), at=lambda day: said_at(call, day), rules=rules_of(call.config),
        today=call.today, out=out, evict=evict,
    )  # fmt: skip


def _without(call: Call, found: Settled, held_back: frozenset[str]) -> Settled:
    """Who could not be seen in the cold store stays; newcomers give way for them."""
    if not held_back:
        return found
    rules = replace(rules_of(call.config), stays_days=10**6)
    back = [one for one in found.evicted if one.entry.id in held_back]
    old = [one for one in found.kept if one.entry.id not in found.admitted]
    room = rules.max_bytes - sum(entry_size(one.entry) + 2 for one in (*back, *old)) - 5
    new, _ = fit((one for one in found.kept if one.entry.id in found.admitted), replace(rules, max_bytes=max(room, 0)), call.today)
    kept = tuple(sorted((*old, *back, *new), key=lambda one: (one.entry.created_at, one.entry.id)))
    evicted = tuple(one for one in found.evicted if one.entry.id not in held_back)
    changed = bool(evicted or new or found.curated or found.gone or found.moved)
    return replace(found, kept=kept, evicted=evicted, admitted=tuple(one.entry.id for one in new), changed=changed)


def _hot(
    call: Call, workspace: Workspace, topics: Topics, events: dict[str, Event], found: Settled
) -> tuple[list[Change], list[StateOp], int, list[str]]:
    """The hot state with what is hot now and without what no longer is, within its limits; and its block where there is one."""
    agent = call.config.agent
    state, wrong = read_hot(workspace, agent)
    if wrong:
        return [], [], 0, [f"{wrong[0].where}: {wrong[0].message}; the hot state is left alone"]
    bright = [
        Bright(one.entry.id, one.entry.text, one.entry.score, int(one.entry.created_at), events[one.entry.id].tag is Tag.TODO)
        for one in found.kept
        if one.entry.tier == HOT and events[one.entry.id].slug not in topics.private
    ]
    after = hots.promoted(state, bright, limits_of(call.config))
    after, lost = hots.settled(after, limits_of(call.config))
    flow = overflow(call, workspace, lost, Plan("consolidate"))
    changes: list[Change] = [*flow.changes, *write_of(workspace, agent, after)]
    block, told = block_changes(call, workspace, agent, hot_lines(after, call.config.zone))
    notes = [*flow.notes, *(line.partition(" ")[2] for line in told)]
    return [*changes, *block], flow.state, size(render_hot(after)), notes


def _tree(
    call: Call, workspace: Workspace, options: ConsolidateOptions, found: Settled
) -> tuple[list[Change], dict[str, object], tuple[str, ...] | None]:
    """The tree counted anew; dead categories out where the mode says so. The last value is None where nobody looked for dead ones."""
    from silo.core import tree as trees

    agent = call.config.agent
    nodes, problems = read_tree(workspace, agent)
    warm = frozenset(one.entry.id for one in found.kept)
    counted = counted_tree(call, workspace, nodes, warm)
    pruned: tuple[str, ...] | None = None
    after = counted.nodes
    if MODES.index(options.mode) >= 1 and due(call, workspace, TREE_PRUNE):
        after, pruned = trees.prune(counted, call.now.timestamp())
        after = counted_tree(call, workspace, after, warm).nodes if pruned else counted.nodes
    figures: dict[str, object] = {"tree_nodes": len(after), "tree_bytes": trees.size(after)}
    if problems or shape(after) == shape(nodes):
        return [], figures, pruned
    write = tree_write(workspace, agent, after)
    return ([write] if write else []), figures, pruned


# --- steps and their intervals ----------------------------------------------------------------------------


def due(call: Call, workspace: Workspace, step: str) -> bool:
    """Whether the least interval of a step, where the configuration gives one, has gone by."""
    wait = call.config.section("consolidation").get(step)
    last = workspace.state.get(STEPS, f"{call.config.agent}/{step}")
    return not isinstance(wait, str) or is_due(wait, last if isinstance(last, str) else "", call.now)


def _ran(call: Call, workspace: Workspace, step: str) -> tuple[Put, ...]:
    if not isinstance(call.config.section("consolidation").get(step), str):
        return ()
    return (Put(STEPS, f"{call.config.agent}/{step}", call.now.isoformat(timespec="seconds")),)


def ran(call: Call, workspace: Workspace, step: str) -> None:
    """The step has run now."""
    if not call.dry_run:
        workspace.state.apply(_ran(call, workspace, step))


def _archive(call: Call, workspace: Workspace, options: ConsolidateOptions, report: Report) -> int:
    """The archive is what the log says it is, and the mirror has what it lacked; a refusal is said and is no failure."""
    if call.dry_run:
        return 0
    from silo.jobs.cold import archive_of, refresh

    try:
        with archive_of(workspace) as store:
            changed = refresh(workspace, store)
    except Trouble as trouble:
        report.lines.append(f"NOTE the archive could not be made anew: {trouble}; the log has everything, the next run tries again")
        return 0
    from silo.jobs.sync import push_rows

    report.lines += push_rows(call, workspace, options.where)
    return changed
