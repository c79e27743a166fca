"""Questions to the entity graph and changes of it, as pure functions over its folded state.

Answers come from the fold, never from single lines. A change is lines to append, or Problems and no line.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from silo.core.entities.names import name_words
from silo.formats.graph import (
    TYPES,
    Entity,
    Graph,
    Relation,
    at_date,
    canonical_type,
    create_line,
    merge_line,
    new_id,
    relate_line,
    unrelate_line,
    update_line,
)
from silo.formats.graph_check import RELATIONS
from silo.model import Problem
from silo.text.fold import fold

GRAPH = "memory/ontology/graph.jsonl"
PRIVATE_GRAPH = ".silo/private/graph.jsonl"


@dataclass(frozen=True, slots=True)
class Neighbor:
    """An entity beside another: over which relation, in which direction ("out": from the one asked for)."""

    entity: Entity
    rel: str
    direction: str
    relation: Relation


@dataclass(frozen=True, slots=True)
class GraphChange:
    """Lines to append for a change, the id it is about, or why it can't be made."""

    lines: tuple[str, ...] = ()
    id: str = ""
    problems: tuple[Problem, ...] = ()


def get(graph: Graph, key: str) -> tuple[Entity, ...]:
    """The entity of an id (a merged one leads on), else all that bear the name or alias."""
    own = graph.entities.get(graph.resolve(key))
    return (own,) if own else graph.named(key)


def list_entities(graph: Graph, type: str = "") -> tuple[Entity, ...]:
    """All entities, or those of a type in any of its spellings, by name."""
    wanted = canonical_type(type) if type else ""
    chosen = [e for e in graph.entities.values() if not wanted or fold(e.type) == fold(wanted)]
    return tuple(sorted(chosen, key=lambda e: (fold(e.names[0]) if e.names else e.id, e.id)))


def find(graph: Graph, text: str, type: str = "") -> tuple[Entity, ...]:
    """Entities whose names, aliases, id or properties hold all the words, best first: whole name, name's word, property."""
    words = name_words(text) or [fold(text)]
    ranked: list[tuple[int, str, Entity]] = []
    for entity in list_entities(graph, type):
        names = [fold(name) for name in entity.names]
        said = fold(" ".join([entity.id, *names, *(str(v) for v in entity.properties.values())]))
        if fold(text) in names or fold(text) == entity.id:
            rank = 0
        elif all(any(word in name_words(name) for name in entity.names) for word in words):
            rank = 1
        elif all(any(word in name for name in names) for word in words):
            rank = 2
        elif all(word in said for word in words):
            rank = 3
        else:
            continue
        ranked.append((rank, entity.id, entity))
    return tuple(entity for _, _, entity in sorted(ranked, key=lambda r: r[:2]))


def neighbors(graph: Graph, ident: str, *, rel: str = "", on: str = "") -> tuple[Neighbor, ...]:
    """What stands in a relation with an entity, in both directions; `on` (YYYY-MM-DD): the relations of that day."""
    held = at_date(graph, on) if on else graph
    ident = held.resolve(ident)
    found: list[Neighbor] = []
    for relation in held.relations:
        if rel and relation.rel != rel:
            continue
        if relation.source == ident and relation.to in held.entities:
            found.append(Neighbor(held.entities[relation.to], relation.rel, "out", relation))
        elif relation.to == ident and relation.source in held.entities:
            found.append(Neighbor(held.entities[relation.source], relation.rel, "in", relation))
    return tuple(found)


def add(
    graph: Graph, type: str, name: str, properties: Mapping[str, Any], *, at: str, **more: str
) -> GraphChange:
    """A new entity; refused where one of that type bears the name already (say so with `update`, or give another name)."""
    kind = canonical_type(type)
    if not name.strip():
        return _refused("no-name", "an entity needs a name")
    if kind not in TYPES:
        return _refused("unknown-type", f"`{type}` is no known type; known are {', '.join(TYPES)}")
    same = [e for e in graph.named(name) if e.type == kind]
    if same:
        return _refused(
            "known-entity", f"{name} is {same[0].id} already; `entity update` changes it", same[0].id
        )
    ident = new_id(kind, name, {*graph.entities, *graph.merged})
    return GraphChange((create_line(ident, kind, {"name": name, **properties}, at, **more),), ident)


def update(graph: Graph, ident: str, properties: Mapping[str, Any], *, at: str, **more: str) -> GraphChange:
    """Other values of some properties (None takes one out); no line where nothing differs."""
    ident = graph.resolve(ident)
    known = graph.entities.get(ident)
    if known is None:
        return _unknown(ident)
    changed = {k: v for k, v in properties.items() if known.properties.get(k) != v}
    return GraphChange((update_line(ident, changed, at, **more),) if changed else (), ident)


def merge(graph: Graph, source: str, into: str, *, at: str, src: str = "") -> GraphChange:
    """Two entities are one: the names and relations of `source` go to `into`."""
    old, new = graph.resolve(source), graph.resolve(into)
    for ident in (old, new):
        if ident not in graph.entities:
            return _unknown(ident)
    if old == new:
        return GraphChange((), new)
    if graph.entities[old].type != graph.entities[new].type:
        return _refused(
            "other-type",
            f"`{old}` is a {graph.entities[old].type}, `{new}` a {graph.entities[new].type}: they can't be one",
            new,
        )
    return GraphChange((merge_line(old, new, at, src=src),), new)


def relate(
    graph: Graph, source: str, rel: str, to: str, *, at: str, declared: Collection[str] = (), **more: str
) -> GraphChange:
    """A relation; refused where an end is unknown, the relation is not a known or declared one, or its ends don't fit."""
    one, other = graph.resolve(source), graph.resolve(to)
    for ident in (one, other):
        if ident not in graph.entities:
            return _unknown(ident)
    if rel not in RELATIONS and rel not in declared:
        return _refused(
            "unknown-relation",
            f"`{rel}` is no known relation; known are {', '.join(RELATIONS)}; declare others in config.json",
        )
    for ident, allowed in zip((one, other), RELATIONS.get(rel, ((), ())), strict=True):
        kind = graph.entities[ident].type
        if allowed and kind in TYPES and kind not in allowed:
            return _refused("odd-relation", f"`{rel}` does not fit {kind} `{ident}`; is its direction right?")
    if any((r.source, r.rel, r.to) == (one, rel, other) for r in graph.relations):
        return GraphChange((), one)
    return GraphChange((relate_line(one, rel, other, at, **more),), one)


def unrelate(graph: Graph, source: str, rel: str, to: str, *, at: str, **more: str) -> GraphChange:
    """The end of a relation that holds."""
    one, other = graph.resolve(source), graph.resolve(to)
    if not any((r.source, r.rel, r.to) == (one, rel, other) for r in graph.relations):
        return _refused("unknown-relation", f"`{one}` {rel} `{other}` does not hold")
    return GraphChange((unrelate_line(one, rel, other, at, **more),), one)


def _refused(code: str, message: str, ident: str = "") -> GraphChange:
    return GraphChange(id=ident, problems=(Problem(GRAPH, code, message),))


def _unknown(ident: str) -> GraphChange:
    return _refused("unknown-entity", f"there is no entity `{ident}`; `entity find` looks for names", ident)
