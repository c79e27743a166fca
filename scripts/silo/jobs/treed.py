"""The tree's part in a commit: its counts follow the log, the topics and the warm set, whichever job changes them.

Every door goes through `treed`, so none can forget it. Called under the commit lock.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from silo.core.tree import Tree
from silo.edge.places import is_log
from silo.edge.reader import Reader
from silo.edge.workspace import Workspace
from silo.formats.topics import is_archive
from silo.formats.warm import parse_tree, render_tree
from silo.jobs.treefile import counted_tree, limits_of, shape, tree_path
from silo.jobs.warming import warm_after
from silo.model import Append, Change, Move, Plan, Remove, Write
from silo.text.lines import decode, encode, sha256

if TYPE_CHECKING:
    from silo.jobs.call import Call


class _After(Reader):
    """A workspace as it will be once a plan is done."""

    def __init__(self, workspace: Reader, plan: Plan) -> None:
        self.root = workspace.root
        self.state = workspace.state
        self._now = workspace
        self._files: dict[str, bytes | None] = {}
        for change in plan.changes:
            for path, data in self._effects(change):
                self._files[path] = data

    def _effects(self, change: Change) -> Iterator[tuple[str, bytes | None]]:
        match change:
            case Write(path, _, data):
                yield path, data
            case Append(path, data, head):
                before = self.read(path)
                whole = head if before is None else before
                yield path, (whole if not whole or whole.endswith(b"\n") else whole + b"\n") + data
            case Remove(path):
                yield path, None
            case Move(path, to):
                yield to, self.read(path)
                yield path, None

    def read(self, path: str) -> bytes | None:
        return self._files[path] if path in self._files else self._now.read(path)

    def paths(self, pattern: str) -> list[str]:
        there = {path for path in self._now.paths(pattern) if self._files.get(path, b"") is not None}
        return sorted(there | {path for path, data in self._files.items() if data is not None and PurePosixPath(path).match(pattern)})


def treed(call: Call, workspace: Workspace, plan: Plan, *, anew: bool = False) -> Plan:
    """The plan with the counts that the agents' trees have after it. A tree that the plan itself writes is counted by its
    job, unless `anew` is given; one that is damaged, or would outgrow its limit, is left alone."""
    if not any(_counts(change) for change in plan.changes):
        return plan
    written = {change.path: change for change in plan.changes if isinstance(change, Write)}
    after: _After | None = None
    for path in workspace.paths(tree_path("*")):
        agent = path.split("/")[2]
        own = written.get(path)
        data = workspace.read(path) if own is None else own.data
        if data is None or (own is not None and not anew):
            continue
        nodes, problems = parse_tree(decode(data), path)
        if problems or not nodes:
            continue
        after = after or _After(workspace, plan)
        for_agent = call._replace(config=call.config._replace(agent=agent))
        counted = counted_tree(for_agent, after, nodes, warm_after(workspace, plan, agent))
        if shape(counted.nodes) == shape(nodes):
            continue
        if counted.size > limits_of(for_agent).size:
            plan = replace(plan, notes=(*plan.notes, f"{path} has no room for its counts: the file is not rewritten"))
            continue
        plan = _with_tree(plan, path, data, own, counted.nodes)
    return plan


def recounted(call: Call, workspace: Workspace) -> Plan:
    """What makes the counts of the agents' trees true to what is there now."""
    changes: list[Change] = []
    for path in workspace.paths(tree_path("*")):
        data = workspace.read(path)
        nodes, problems = parse_tree(decode(data), path) if data is not None else ({}, ())
        for_agent = call._replace(config=call.config._replace(agent=path.split("/")[2]))
        made = counted_tree(for_agent, workspace, nodes).nodes if nodes and not problems else nodes
        if data is not None and shape(made) != shape(nodes):
            changes.append(Write(path, sha256(data), encode(render_tree(made.values())), "counted"))
    return Plan("tree", tuple(changes))


def _counts(change: Change) -> bool:
    """Whether a change can move a count."""
    paths = (change.path, change.to) if isinstance(change, Move) else (change.path,)
    return any(is_log(path) or ("/topics/" in path and not is_archive(path)) or path.endswith("/warm-memory.json") for path in paths)


def _with_tree(plan: Plan, path: str, before: bytes, own: Write | None, nodes: Tree) -> Plan:
    data = encode(render_tree(nodes.values()))
    if own is not None:
        return replace(plan, changes=tuple(replace(own, data=data) if change is own else change for change in plan.changes))
    return replace(plan, changes=(*plan.changes, Write(path, sha256(before), data, "counted")))
