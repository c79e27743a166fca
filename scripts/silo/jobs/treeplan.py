"""A better tree, proposed by the monthly consolidation: kept beside the tree until somebody applies or dismisses it."""

from __future__ import annotations

import json

from silo.core import tree as trees
from silo.core.tiers.rebuild import checked, rebuilt
from silo.edge.workspace import Workspace
from silo.errors import BadInput
from silo.formats import jsonl
from silo.jobs.run import Call, Report, commit_planned
from silo.jobs.treefile import counted_tree, filed_facts, read_tree, tree_write
from silo.model import Change, Plan, Remove, Write
from silo.text.lines import decode, encode, sha256


def proposal_path(agent: str) -> str:
    """Where an agent's proposal waits."""
    return f".silo/agents/{agent}/tree-proposal.json"


def propose(call: Call, workspace: Workspace) -> Report:
    """A proposal waits where the facts speak for another tree; the same one is not made twice. The tree stays as it is."""
    report = Report(data={})
    told: list[str] = []

    def plan() -> Plan:
        told.clear()
        nodes, problems = read_tree(workspace, call.config.agent)
        counted = counted_tree(call, workspace, nodes)
        better = rebuilt(counted, filed_facts(call, workspace), call.now.timestamp())
        report.data = {"added": dict(better.added), "removed": list(better.removed)}
        path = proposal_path(call.config.agent)
        before = workspace.read(path)
        if problems or not (better.added or better.removed):
            return Plan("tree", (Remove(path, sha256(before), "nothing to propose"),) if before is not None and not problems else ())
        value = {
            "schema_version": 1, "created": call.today.isoformat(), "base": sorted(nodes),
            "nodes": {name: node.desc for name, node in sorted(better.nodes.items())},
            "added": dict(sorted(better.added.items())), "removed": list(better.removed),
        }  # fmt: skip
        told.extend(_diff(value))
        old = jsonl.loads(decode(before)) if before is not None else None
        if isinstance(old, dict) and {**old, "created": ""} == {**value, "created": ""}:
            return Plan("tree")
        data = encode(json.dumps(value, ensure_ascii=False, indent=1) + "\n")
        return Plan("tree", (Write(path, sha256(before) if before is not None else None, data, "proposed"),))

    commit_planned(call, workspace, plan, report)
    if told:
        report.lines += [f"NOTE a better tree for {call.config.agent} is proposed: {'; '.join(told)}", "NEXT memory_cli.py consolidate --tree apply, or --tree dismiss"]
    return report


def decide_tree(call: Call, action: str) -> Report:
    """The waiting proposal shown, applied after it was checked against the tree as it is, or dismissed.

    Raises:
        BadInput: nothing is proposed, it is no longer about this tree, or it passes a limit; nothing is changed.
    """
    workspace = call.open()
    report = Report(data={})
    path = proposal_path(call.config.agent)

    def plan() -> Plan:
        data = workspace.read(path)
        value = jsonl.loads(decode(data)) if data is not None else None
        if data is None or not isinstance(value, dict):
            raise BadInput(f"no tree is proposed for {call.config.agent}", "consolidate --mode monthly looks for a better one")
        report.data = {"proposal": value, "action": action}
        report.lines = [*_diff(value)]
        if action == "show":
            return Plan("tree")
        changes: list[Change] = [Remove(path, sha256(data), action)]
        if action == "apply":
            changes += _applied(call, workspace, value)
        return Plan("tree", tuple(changes), counts={action: 1})

    if action == "show":
        plan()
        report.lines.append("NEXT memory_cli.py consolidate --tree apply, or --tree dismiss")
        return report
    run = commit_planned(call, workspace, plan, report)
    report.lines.insert(0, f"OK the proposed tree is {'applied' if action == 'apply' else 'dismissed'}" if run else "OK nothing was changed")
    if run:
        report.lines.append(f"NEXT memory_cli.py undo {run} takes it back")
    return report


def _applied(call: Call, workspace: Workspace, value: dict[str, object]) -> list[Change]:
    nodes, problems = read_tree(workspace, call.config.agent)
    wanted = value.get("nodes")
    if problems or not isinstance(wanted, dict) or not all(isinstance(desc, str) for desc in wanted.values()):
        raise BadInput("the proposal or the tree is damaged", "consolidate --tree dismiss takes the proposal away")
    if value.get("base") != sorted(nodes):
        raise BadInput("the tree has changed since this was proposed", "consolidate --tree dismiss; the next monthly run proposes anew")
    lost = [name for name, node in counted_tree(call, workspace, nodes).nodes.items() if name not in wanted and (node.warm_count or node.cold_count)]
    if lost:
        raise BadInput(f"{', '.join(lost)} would go, but facts are filed there", "consolidate --tree dismiss takes the proposal away")
    made = checked(wanted, nodes, call.now.timestamp())
    counted = counted_tree(call, workspace, made)
    if counted.size > trees.MOST_BYTES:
        raise BadInput(f"the tree would have {counted.size} bytes, it holds {trees.MOST_BYTES}", "consolidate --tree dismiss takes the proposal away")
    write = tree_write(workspace, call.config.agent, counted.nodes)
    return [write] if write else []


def _diff(value: dict[str, object]) -> list[str]:
    added, removed = value.get("added"), value.get("removed")
    lines = [f"+ {name} ({number} facts)" for name, number in added.items()] if isinstance(added, dict) else []
    return [*lines, *(f"- {name}" for name in (removed if isinstance(removed, list) else ()))]
