"""The job behind `tree`: the tree of categories shown, searched and changed."""

from __future__ import annotations

from dataclasses import dataclass

from silo.core import tree as trees
from silo.core.tree import Counted
from silo.edge.reader import Reader
from silo.edge.thesaurus import load_thesaurus
from silo.errors import BadInput
from silo.formats.warm import node_object
from silo.jobs.run import Call, Report, commit_planned
from silo.jobs.treefile import counted_tree, for_group, limits_of, read_tree, tree_write
from silo.model import Plan


@dataclass(frozen=True, slots=True)
class TreeOptions:
    """What was asked for, as typed; nothing: show."""

    add: tuple[str, ...] = ()  # path and words of the description
    remove: str | None = None
    prune: bool = False
    search: str | None = None
    limit: int = 5
    group: bool = False  # shown or searched for more than the owner


def tree(call: Call, options: TreeOptions) -> Report:
    """The tree shown, searched or changed; a change is a run of its own.

    Raises:
        BadInput: a limit would be passed, no such category, one that is not empty, or a damaged file.
    """
    report = Report()
    if options.search is None and (options.add or options.remove is not None or options.prune):
        workspace = call.open()
        commit_planned(call, workspace, lambda: _planned(call, workspace, options, report), report)
        return report
    reader = call.look()
    if options.search is not None:
        return _searched(call, reader, options)
    nodes, problems = read_tree(reader, call.config.agent)
    nodes = for_group(reader, nodes) if options.group else nodes
    counted = counted_tree(call, reader, nodes, group=options.group)
    report.lines = list(trees.shown(counted, limits_of(call)))
    if any(counted.unfiled) and counted.nodes:
        report.lines.append(f"NOTE in no category: warm={counted.unfiled[0]}, cold={counted.unfiled[1]}")
    report.problems(problems)
    report.data = _data(counted)
    return report


def _planned(call: Call, workspace: Reader, options: TreeOptions, report: Report) -> Plan:
    """The change, made under the commit lock; a report of an earlier attempt is replaced."""
    nodes, problems = read_tree(workspace, call.config.agent)
    if problems:
        raise BadInput(f"{problems[0].where}: {problems[0].message}", "repair the file, or move it away to begin anew")
    counted = counted_tree(call, workspace, nodes)
    now, limits = call.now.timestamp(), limits_of(call)
    if options.add:
        after = trees.add(counted.nodes, options.add[0], " ".join(options.add[1:]), now, limits)
        told = f"{trees.clean(options.add[0], limits)} is in the tree"
    elif options.remove is not None:
        after = trees.remove(counted, options.remove)
        told = f"{trees.clean(options.remove)} is taken out"
    else:
        after, dead = trees.prune(counted, now)
        told = f"{len(dead)} dead categories are taken out{': ' if dead else ''}{', '.join(dead)}"
        if not dead:
            report.lines, report.data = [f"OK nothing to prune: no category has been quiet for {trees.DEAD_DAYS} days"], _data(counted)
            return Plan("tree")
    made = counted_tree(call, workspace, after)
    report.data = _data(made)
    report.lines = [
        f"OK {told}" if not call.dry_run else f"OK would: {told}",
        f"Nodes: {len(made.nodes)}/{limits.nodes}",
        f"Size: {made.size} / {limits.size} bytes",
    ]
    write = tree_write(workspace, call.config.agent, made.nodes)
    return Plan("tree", (write,) if write else ())


def _searched(call: Call, workspace: Reader, options: TreeOptions) -> Report:
    if not (options.search or "").strip():
        raise BadInput("tree --search needs a question", 'memory_cli.py tree --search "hull and planks"')
    nodes, problems = read_tree(workspace, call.config.agent)
    nodes = for_group(workspace, nodes) if options.group else nodes
    hits = trees.search(nodes, options.search or "", options.limit, load_thesaurus())
    report = Report(data=[{"path": hit.path, "relevance": hit.relevance, "reason": hit.reason} for hit in hits])
    report.lines = [f"{hit.relevance:.2f}  {hit.path}  ({hit.reason})" for hit in hits] or ["OK no category has a word of it"]
    report.problems(problems)
    return report


def _data(counted: Counted) -> dict[str, object]:
    return {
        "nodes": {name: node_object(node) for name, node in sorted(counted.nodes.items())},
        "warm_count": counted.every[0],
        "cold_count": counted.every[1],
        "unfiled": {"warm_count": counted.unfiled[0], "cold_count": counted.unfiled[1]},
        "node_count": len(counted.nodes),
        "size_bytes": counted.size,
    }
