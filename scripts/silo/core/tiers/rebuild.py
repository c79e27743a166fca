"""A better tree for the facts as they are: categories that many facts name come in, empty ones make room. A proposal only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from silo.core import tree as trees
from silo.core.tree import Counted, Filed, Tree
from silo.errors import BadInput
from silo.formats.warm import TreeNode

LEAST = 3  # facts that name a category before it is worth a node


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """The tree as proposed, and what is new and gone in it with the number of facts that speak for it."""

    nodes: Tree
    added: Mapping[str, int]
    removed: tuple[str, ...]


def rebuilt(counted: Counted, facts: Iterable[Filed], now: float) -> Rebuilt:
    """The proposal; equal to the tree where nothing is worth a change. Descriptions and every used category stay."""
    facts = tuple(facts)
    wanted = _wanted(facts)
    nodes = dict(counted.nodes)
    empty = [name for name, node in nodes.items() if not node.warm_count and not node.cold_count and now - node.last_access >= trees.DEAD_DAYS * 86_400]
    for name in sorted(empty, key=lambda name: -name.count("/")):
        if not any(other.startswith(f"{name}/") for other in nodes):
            del nodes[name]
    made: Tree = trees.linked(nodes)
    for path, _ in sorted(wanted.items(), key=lambda pair: (-pair[1], pair[0].count("/"), pair[0])):
        try:
            made = trees.add(made, path, "", now)
        except BadInput:
            continue  # a limit: what speaks louder is in already
    added = {name: wanted.get(name, 0) for name in made if name not in counted.nodes}
    return Rebuilt(trees.count(made, facts, now).nodes, added, tuple(sorted(counted.nodes.keys() - made.keys())))


def _wanted(facts: Iterable[Filed]) -> Mapping[str, int]:
    """How many facts name each category as their first place, those above it included."""
    found: Counter[str] = Counter()
    for fact in facts:
        place = fact.places[0] if fact.places else ""
        parts = [part.strip() for part in place.strip("/").split("/") if part.strip()][: trees.MOST_DEPTH]
        if len(parts) > 1:  # a bare word is a topic's slug, which is found without the tree
            found.update("/".join(parts[:end]) for end in range(1, len(parts) + 1))
    return {path: number for path, number in found.items() if number >= LEAST}


def checked(nodes: Mapping[str, str], base: Tree, now: float) -> Tree:
    """A proposed tree (path → description) built anew within the limits, from what is there.

    Raises:
        BadInput: it passes a limit, or a path is none.
    """
    made: dict[str, TreeNode] = {path: node for path, node in base.items() if path in nodes}
    out: Tree = trees.linked(made)
    for path in sorted(nodes, key=lambda path: (path.count("/"), path)):
        if path not in out or nodes[path]:
            out = trees.add(out, path, nodes[path], now)
    return out


def analysis(counted: Counted) -> dict[str, object]:
    """What a person should know of the tree: where most facts are, what is empty, what is filed nowhere."""
    nodes = counted.nodes
    by_size = sorted(nodes.values(), key=lambda node: (-(node.warm_count + node.cold_count), node.path))
    return {
        "nodes": len(nodes),
        "bytes": counted.size,
        "depth": max((name.count("/") + 1 for name in nodes), default=0),
        "largest": [{"path": node.path, "facts": node.warm_count + node.cold_count} for node in by_size[:5]],
        "empty": [node.path for node in by_size if not node.warm_count and not node.cold_count],
        "only_children": [node.path for node in nodes.values() if len(node.children) == 1],
        "unfiled": sum(counted.unfiled),
    }
