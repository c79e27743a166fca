"""The tree of categories: at most 50 nodes, 4 levels, 10 children a node, 2 KB as a file. Descriptions are a person's,
counts are derived: each fact counts in the deepest node that its category or its topic's place walks to, and above it.

Pure: nodes and facts come in, nodes go out. Search is by words; it reads no facts.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from silo.core.importance import DEAD_DAYS as DEAD_DAYS
from silo.errors import BadInput
from silo.formats.warm import TreeNode, render_tree
from silo.text.fold import fold
from silo.text.stem import stem
from silo.text.thesaurus import Bond, Thesaurus
from silo.text.tokens import terms
from silo.text.tokens import words as words_of

MOST_NODES = 50
MOST_DEPTH = 4
MOST_CHILDREN = 10
MOST_BYTES = 2048


class Limits(NamedTuple):
    """How large a tree may grow: nodes, levels, bytes as it is written."""

    nodes: int = MOST_NODES
    depth: int = MOST_DEPTH
    size: int = MOST_BYTES


LIMITS = Limits()
_DAY = 86_400
_ROOM = 9999  # what each count of a tree may grow to when a node is added, so that counting does not outgrow the file
_SEGMENT = re.compile(r"(?!_)[^\x00-\x1f/<>\"\\]{1,40}")

Tree = Mapping[str, TreeNode]


@dataclass(frozen=True, slots=True)
class Filed:
    """One fact as the tree sees it: the places it may be filed under, best first; whether it is warm; its last day as
    seconds since 1970."""

    places: tuple[str, ...]
    warm: bool
    at: float = 0.0


@dataclass(frozen=True, slots=True)
class Counted:
    """The tree with counts inclusive of children, and the same for all facts, filed or not: (warm, cold)."""

    nodes: Tree
    every: tuple[int, int]
    unfiled: tuple[int, int]

    @property
    def size(self) -> int:
        """Bytes of the file."""
        return size(self.nodes)


@dataclass(frozen=True, slots=True)
class Hit:
    """A category that a question fits: relevance 0…1, and the words that it has of the question."""

    path: str
    relevance: float
    reason: str


def size(nodes: Tree) -> int:
    """Bytes of memory-tree.json."""
    return len(render_tree(nodes.values()).encode("utf-8", "surrogateescape"))


def above(path: str) -> str:
    """The path of the category above; empty at the top."""
    return path.rpartition("/")[0]


def _chain(path: str) -> Iterator[str]:
    """The path and all above it, deepest first."""
    while path:
        yield path
        path = above(path)


# --- changing ---------------------------------------------------------------------------------------------


def clean(path: str, limits: Limits = LIMITS) -> str:
    """A category's path as typed, without outer slashes and blanks.

    Raises:
        BadInput: an empty part, too many levels, or characters that a path can't hold.
    """
    parts = [part.strip() for part in path.strip().strip("/").split("/")]
    for part in parts:
        if not _SEGMENT.fullmatch(part):
            raise BadInput(f"{path!r} is no path of a category", "write names joined by '/', for example projects/boat")
    if len(parts) > limits.depth:
        raise BadInput(f"{path!r} has {len(parts)} levels, the tree has at most {limits.depth}", "use a shorter path")
    return "/".join(parts)


def add(nodes: Tree, path: str, desc: str, now: float, limits: Limits = LIMITS) -> Tree:
    """The tree with the category, and those above it where they are missing; an existing one gets the description.

    Raises:
        BadInput: a limit would be passed; which one.
    """
    path = clean(path, limits)
    desc = " ".join(desc.split())
    known = {fold(name): name for name in nodes}
    out = dict(nodes)
    if fold(path) in known:
        path = known[fold(path)]
        out[path] = replace(out[path], desc=desc or out[path].desc)
        if size(out) > max(limits.size, size(nodes)):
            raise BadInput(f"the description makes the tree {size(out)} bytes, it holds {limits.size}", "shorten descriptions")
        return out
    for one in reversed(tuple(_chain(path))):
        if fold(one) not in known:
            real = known.get(fold(above(one)), above(one))
            name = f"{real}/{one.rpartition('/')[2]}" if real else one
            known[fold(one)] = name
            out[name] = TreeNode(name, desc if one == path else "", last_access=now)
    out = dict(linked(out))
    _check(nodes, out, path, limits)
    return out


def _check(before: Tree, after: Tree, path: str, limits: Limits) -> None:
    free = "remove or prune others first: tree --prune, tree --remove PATH"
    if len(after) > limits.nodes:
        raise BadInput(f"{path!r} would make {len(after)} nodes, the tree has at most {limits.nodes}", free)
    tops = sum(not above(name) for name in after)
    crowded = [(name or "the top", n) for name, n in _children(after).items() if n > MOST_CHILDREN and n > _children(before).get(name, 0)]
    if crowded:
        raise BadInput(f"{crowded[0][0]} would have {crowded[0][1]} children, a node has at most {MOST_CHILDREN}", free)
    grown = size({name: replace(node, warm_count=_wide(node.warm_count), cold_count=_wide(node.cold_count)) for name, node in after.items()})
    if grown > limits.size:
        raise BadInput(f"{path!r} would make the tree {grown} bytes with room for its counts, it holds {limits.size} ({tops} at the top)", free)


def _wide(count: int) -> int:
    return max(count, _ROOM)


def _children(nodes: Tree) -> dict[str, int]:
    found: dict[str, int] = {}
    for name in nodes:
        up = _nearest(above(name), nodes)
        found[up] = found.get(up, 0) + 1
    return found


def grow(nodes: Tree, path: str, now: float, limits: Limits = LIMITS) -> Tree:
    """The tree with as much of the path as its limits allow; never an error."""
    parts = [part.strip() for part in path.strip().strip("/").split("/")][: limits.depth]
    for end in range(1, len(parts) + 1):
        try:
            nodes = add(nodes, "/".join(parts[:end]), "", now, limits)
        except BadInput:
            break
    return nodes


def remove(counted: Counted, path: str) -> Tree:
    """The tree without an empty category.

    Raises:
        BadInput: no such category, or it holds facts or other categories.
    """
    node = _get(counted.nodes, path)
    if node.children:
        raise BadInput(f"{node.path} holds other categories: {', '.join(node.children)}", "remove those first")
    if node.warm_count or node.cold_count:
        held = node.warm_count + node.cold_count
        raise BadInput(f"{node.path} holds {held} fact{'s' * (held > 1)}", "only an empty category can be removed; tree --prune takes dead ones out")
    return linked({name: one for name, one in counted.nodes.items() if name != node.path})


def prune(counted: Counted, now: float, days: int = DEAD_DAYS) -> tuple[Tree, tuple[str, ...]]:
    """(the tree without categories in which nothing happened for so many days, their paths). Their facts count above."""
    dead = tuple(sorted(name for name, node in counted.nodes.items() if now - node.last_access >= days * _DAY))
    return linked({name: node for name, node in counted.nodes.items() if name not in dead}), dead


def linked(nodes: Tree) -> Tree:
    """The same nodes, each with the paths of its children."""
    below: dict[str, list[str]] = {}
    for name in sorted(nodes):
        below.setdefault(_nearest(above(name), nodes), []).append(name)
    return {name: replace(node, children=tuple(below.get(name, ()))) for name, node in nodes.items()}


def taken_back(before: Tree, made: Tree, now: Tree) -> Tree:
    """The tree as it is now without what a run changed from `before` to `made`: nodes added and removed, descriptions."""
    out = dict(now)
    for name in sorted(made.keys() - before.keys(), key=lambda name: -name.count("/")):
        if not any(other.startswith(f"{name}/") for other in out):
            out.pop(name, None)
    for name, node in before.items():
        if name not in made:
            out.setdefault(name, node)
        elif name in out and made[name].desc != node.desc and out[name].desc == made[name].desc:
            out[name] = replace(out[name], desc=node.desc)
    return linked(out)


def _get(nodes: Tree, path: str) -> TreeNode:
    wanted = fold(clean(path))
    for name, node in nodes.items():
        if fold(name) == wanted:
            return node
    raise BadInput(f"the tree has no category {path!r}", "tree --show lists them")


def _nearest(path: str, nodes: Tree) -> str:
    return next((name for name in _chain(path) if name in nodes), "")


# --- counting ---------------------------------------------------------------------------------------------


def count(nodes: Tree, facts: Iterable[Filed], now: float) -> Counted:
    """The tree with its counts; a node was last asked for when the newest of its facts was, or when it says so itself."""
    known = {fold(name): name for name in nodes}
    lasts: dict[str, list[str]] = {}
    for name in nodes:
        lasts.setdefault(fold(name.rpartition("/")[2]), []).append(name)
    warm, cold = dict.fromkeys(nodes, 0), dict.fromkeys(nodes, 0)
    at = {name: node.last_access for name, node in nodes.items()}
    found: dict[tuple[str, ...], str] = {}
    every, unfiled = [0, 0], [0, 0]
    for fact in facts:
        if fact.places not in found:
            found[fact.places] = _file(fact.places, known, lasts)
        place = found[fact.places]
        every[not fact.warm] += 1
        if not place:
            unfiled[not fact.warm] += 1
        for name in _chain(place):
            if name in nodes:
                (warm if fact.warm else cold)[name] += 1
                at[name] = max(at[name], min(fact.at, now))
    for name in sorted(nodes, key=lambda name: -name.count("/")):
        up = _nearest(above(name), nodes)
        if up:
            at[up] = max(at[up], at[name])
    out = {name: replace(node, warm_count=warm[name], cold_count=cold[name], last_access=at[name]) for name, node in nodes.items()}
    return Counted(linked(out), (every[0], every[1]), (unfiled[0], unfiled[1]))


def _file(places: tuple[str, ...], known: Mapping[str, str], lasts: Mapping[str, list[str]]) -> str:
    """The deepest node that one of the places walks to, else the only one whose own name is a place."""
    for place in places:
        for name in _chain(fold(place.strip().strip("/"))):
            if name in known:
                return known[name]
    for place in places:
        named = lasts.get(fold(place), [])
        if len(named) == 1:
            return named[0]
    return ""


# --- showing and searching --------------------------------------------------------------------------------


def shown(counted: Counted, limits: Limits = LIMITS) -> Iterator[str]:
    """The tree as lines, children under their parents."""
    warm, cold = counted.every
    yield "Memory Tree Index"
    yield "=" * 50
    yield f"📂 Root (warm:{warm}, cold:{cold})"
    yield from _below(counted.nodes, [name for name in sorted(counted.nodes) if not _nearest(above(name), counted.nodes)], 1)
    yield ""
    yield f"Nodes: {len(counted.nodes)}/{limits.nodes}"
    yield f"Size: {counted.size} / {limits.size} bytes"


def _below(nodes: Tree, names: Iterable[str], depth: int) -> Iterator[str]:
    for name in names:
        node = nodes[name]
        yield f"{'  ' * depth}📁 {name}{f' — {node.desc}' if node.desc else ''}"
        yield f"{'  ' * depth}   Memories: warm={node.warm_count}, cold={node.cold_count}"
        yield from _below(nodes, node.children, depth + 1)


def search(nodes: Tree, query: str, limit: int, thesaurus: Thesaurus) -> tuple[Hit, ...]:
    """The categories whose path or description hold words of the question, most of its weight first."""
    asked = tuple(dict.fromkeys(terms(query)))
    said = {stem(word): word for word in reversed(words_of(query))}  # as the question has them, for the reason
    words = {name: set(terms(f"{name.replace('/', ' ').replace('_', ' ')} {node.desc}")) for name, node in nodes.items()}
    weight = {t: math.log(1 + (len(nodes) + 1) / (1 + sum(t in held for held in words.values()))) for t in asked}
    whole = sum(weight.values())
    hits = []
    for name, held in words.items():
        shares = {t: _met(t, held, thesaurus.related(said.get(t, t))) for t in asked}
        got = sum(weight[t] * share for t, share in shares.items())
        if got:
            why = ", ".join(said.get(t, t) for t, share in shares.items() if share)
            hits.append(Hit(name, round(got / whole, 2), f"matches {why}"))
    return tuple(sorted(hits, key=lambda hit: (-hit.relevance, hit.path.count("/"), hit.path))[:limit])


def _met(term: str, held: set[str], related: Mapping[str, Bond]) -> float:
    """1 for the word itself, less for one of the same beginning, the same meaning, or a word of its kind."""
    if term in held:
        return 1.0
    if len(term) >= 4 and any(other.startswith(term) or (len(other) >= 4 and term.startswith(other)) for other in held):
        return 0.6
    closest = min((related[other] for other in held & related.keys()), default=None)
    return 0.0 if closest is None else 0.4 if closest <= Bond.TRANSLATION else 0.3
