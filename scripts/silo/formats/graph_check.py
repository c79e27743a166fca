"""What is odd in a graph that was read: types, ids and relations other than the known ones. Mends nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from silo.formats.graph import PREFIXES, TYPES, Graph
from silo.model import Problem

_WHO = ("Person", "Org")
# Each known relation: what it may start from and lead to; () is anything.
RELATIONS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "member_of": (_WHO, ("Org", "Project")),
    "owns": (_WHO, ()),
    "collaborates_on": (_WHO, ("Project",)),
    "interested_in": (_WHO, ()),
    "guides": (("Person", "Org", "Project"), ()),
    "uses": ((), ()),
    "listed_by": (("Property",), _WHO),
    "located_at": ((), ("Location", "Property")),
}


def check(graph: Graph, path: str, declared: Collection[str] = ()) -> Iterator[Problem]:
    """Types and relations that are not the known ones. `declared` are relations of the user's own."""
    for entity in graph.entities.values():
        where = f"{path}:{entity.line}"
        if entity.type not in TYPES:
            yield Problem(
                where, "unknown-type", f"`{entity.type}` is no known type; known are {', '.join(TYPES)}"
            )
        elif not entity.id.startswith(
            (PREFIXES[entity.type], "grp_" if entity.type == "Org" else PREFIXES[entity.type])
        ):
            yield Problem(where, "odd-id", f"`{entity.id}` does not start with `{PREFIXES[entity.type]}`")
    for relation in graph.relations:
        where = f"{path}:{relation.line}"
        if relation.rel not in RELATIONS:
            if relation.rel not in declared:
                yield Problem(
                    where,
                    "unknown-relation",
                    f"`{relation.rel}` is no known relation; declare it in config.json",
                )
            continue
        for ident, allowed in zip((relation.source, relation.to), RELATIONS[relation.rel], strict=True):
            kind = graph.entities[ident].type if ident in graph.entities else ""
            if allowed and kind in TYPES and kind not in allowed:
                message = f"`{relation.rel}` does not fit {kind} `{ident}`; is its direction right?"
                yield Problem(where, "odd-relation", message)
