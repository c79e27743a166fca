"""An entity graph of another place laid into ours: as it stands where no id meets, else entity by entity.

What our graph knows is only added to, never changed; another entity under an id of ours gets an id of its own.
"""

from __future__ import annotations

from dataclasses import dataclass

from silo.core.imports.clean import cleaned
from silo.formats import jsonl
from silo.formats.graph import (
    Entity,
    Graph,
    create_line,
    line_id,
    new_id,
    parse_graph,
    relate_line,
    unrelate_line,
    update_line,
)
from silo.model import Problem
from silo.text.fold import fold
from silo.text.lines import BOM, split


@dataclass(frozen=True, slots=True)
class Laid:
    """Lines to append; how many entities and relations are new; problems of the source."""

    lines: tuple[str, ...] = ()
    entities: int = 0
    relations: int = 0
    problems: tuple[Problem, ...] = ()


def lay(text: str, path: str, present: str, *, at: str) -> Laid:
    """The lines that bring a graph into ours. `at` is an instant ending in Z for lines that name no time."""
    given, own = parse_graph(text, path), parse_graph(present)
    ids = {*given.entities, *given.merged}
    if ids.isdisjoint({*own.entities, *own.merged}) and not any(own.named(name) for e in given.entities.values() for name in e.names):
        lines = _as_they_stand(text, present)
        return Laid(lines, len(given.entities), len(given.relations), given.problems) if lines else Laid(problems=given.problems)
    return _one_by_one(given, own, at)


def _as_they_stand(text: str, present: str) -> tuple[str, ...]:
    known = {line_id(line) for line in split(present)}
    rows, _ = jsonl.read_rows(text, "")
    lines = [split(text)[row.line - 1].removeprefix(BOM).strip() for row in rows]
    return tuple(_clean_line(line) for line in lines if line_id(line) not in known)


def _clean_line(line: str) -> str:
    """The line, byte for byte where it holds no secret."""
    value = jsonl.loads(line)
    clean = cleaned(value) if isinstance(value, dict) else value
    return line if clean == value else jsonl.dumps(clean)


def _one_by_one(given: Graph, own: Graph, at: str) -> Laid:
    lines: list[str] = []
    ids: dict[str, str] = {}
    taken = {*own.entities, *own.merged}
    new = 0
    for entity in given.entities.values():
        known = _same(entity, given, own)
        properties = cleaned(dict(entity.properties))
        more = {"valid_from": entity.valid_from, "valid_to": entity.valid_to, "src": entity.src}
        if known is None:
            free = entity.id not in taken
            ident = entity.id if free else new_id(entity.type, entity.names[0] if entity.names else entity.id, taken)
            if not free:
                more["src"] = _renamed(entity)
            lines.append(create_line(ident, entity.type, properties, entity.created or at, **more))
            new += 1
        else:
            ident = known.id
            lacking = {k: v for k, v in properties.items() if k not in known.properties and k not in ("name", "aliases")}
            if names := [n for n in entity.names if fold(n) not in {fold(own_name) for own_name in known.names}]:
                lacking["aliases"] = [*known.names[1:], *names]
            if lacking:
                lines.append(update_line(ident, lacking, entity.updated or at, src=entity.src))
        taken.add(ident)
        ids[entity.id] = ident
    held = {(r.source, r.rel, r.to) for r in (*own.relations, *own.past)}
    relations = 0
    for relation in (*given.past, *given.relations):
        triple = (ids.get(relation.source, relation.source), relation.rel, ids.get(relation.to, relation.to))
        if triple in held:
            continue
        relations += 1
        since = relation.since or at
        lines.append(relate_line(*triple, since, valid_from=relation.valid_from, src=relation.src))
        if relation in given.past:
            lines.append(unrelate_line(*triple, since, valid_to=relation.valid_to))
        else:
            held.add(triple)
    return Laid(tuple(lines), new, relations, given.problems)


def _renamed(entity: Entity) -> str:
    """`src` of an entity that had to get another id: what it is known by when it comes again."""
    return f"import/graph#{entity.id}/{entity.type}/{entity.names[0] if entity.names else ''}"


def _same(entity: Entity, given: Graph, own: Graph) -> Entity | None:
    """Ours that is the same: the id with a name in common, one that came as it before, else the only one of that type and
    name where it is the only one of theirs too."""
    names = {fold(name) for name in entity.names}
    mine = own.entities.get(own.resolve(entity.id))
    if mine is not None and mine.type == entity.type and (not names or names & {fold(n) for n in mine.names}):
        return mine
    came = next((e for e in own.entities.values() if e.src == _renamed(entity)), None)
    if came is not None:
        return came
    fit = {e.id: e for name in entity.names for e in own.named(name) if e.type == entity.type}
    theirs = {e.id for name in entity.names for e in given.named(name) if e.type == entity.type}
    return next(iter(fit.values())) if len(fit) == 1 and len(theirs) == 1 else None
