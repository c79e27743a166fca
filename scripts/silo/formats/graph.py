"""memory/ontology/graph.jsonl: entities and relations as the fold of all its lines, oldest first.

The file is append-only; a line that can't be read is reported with its number and skipped. `at_date` is the one place
where validity is looked at: the fold itself knows no day.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from silo.formats import jsonl
from silo.formats.graph_lines import (
    PREFIXES,
    TYPES,
    canonical_type,
    create_line,
    line_id,
    merge_line,
    new_id,
    relate_line,
    revert_line,
    unrelate_line,
    update_line,
)
from silo.model import Problem
from silo.text.fold import fold
from silo.text.lines import split

__all__ = [
    "PREFIXES",
    "TYPES",
    "Entity",
    "Graph",
    "Relation",
    "at_date",
    "canonical_type",
    "create_line",
    "line_id",
    "merge_line",
    "new_id",
    "parse_graph",
    "relate_line",
    "revert_line",
    "unrelate_line",
    "update_line",
]


@dataclass(frozen=True, slots=True)
class Entity:
    """An entity as all lines together say. `created` and `updated` are instants as written, `line` its first line."""

    id: str
    type: str
    properties: Mapping[str, Any]
    created: str
    updated: str
    src: str = ""
    valid_from: str = ""
    valid_to: str = ""
    line: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        """Its name, then its aliases."""
        aliases = self.properties.get("aliases", [])
        listed = aliases if isinstance(aliases, list) else [aliases]
        found = [name for name in [self.properties.get("name"), *listed] if isinstance(name, str) and name]
        return tuple(dict.fromkeys(found))


@dataclass(frozen=True, slots=True)
class Relation:
    """source –rel→ to, ids after merging. `valid_to` is set where it has ended."""

    source: str
    rel: str
    to: str
    since: str
    valid_from: str = ""
    valid_to: str = ""
    src: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class Graph:
    """The state after all lines. `past` are relations that were ended; `merged` leads from an old id to the one that counts."""

    entities: Mapping[str, Entity] = field(default_factory=dict)
    relations: tuple[Relation, ...] = ()
    past: tuple[Relation, ...] = ()
    merged: Mapping[str, str] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()

    def resolve(self, ident: str) -> str:
        """The id that counts for an id that may have been merged."""
        return self.merged.get(ident, ident)

    def named(self, name: str) -> tuple[Entity, ...]:
        """The entities that bear a name or an alias, whatever its case and accents."""
        wanted = fold(name)
        return tuple(e for e in self.entities.values() if any(fold(own) == wanted for own in e.names))


class _Fold:
    """The state while the lines are read."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.entities: dict[str, Entity] = {}
        self.relations: dict[tuple[str, str, str], Relation] = {}
        self.past: list[Relation] = []
        self.merged: dict[str, str] = {}
        self.problems: list[Problem] = []

    def say(self, line: int, code: str, message: str) -> None:
        self.problems.append(Problem(f"{self.path}:{line}", code, message))

    def line(self, number: int, value: Mapping[str, Any]) -> None:
        op = value.get("op")
        if op in ("create", "update"):
            self.entity(number, value, str(op))
        elif op in ("relate", "unrelate"):
            self.relation(number, value, ended=op == "unrelate")
        elif op == "merge":
            self.merge(number, value)
        elif op != "revert":
            self.say(
                number,
                "unknown-op",
                f"`op` is {op!r}; known are create, update, relate, unrelate, merge and revert",
            )

    def entity(self, number: int, value: Mapping[str, Any], op: str) -> None:
        given = value.get("entity")
        ident = given.get("id") if isinstance(given, dict) else None
        properties = given.get("properties", {}) if isinstance(given, dict) else None
        if (
            not isinstance(given, dict)
            or not isinstance(ident, str)
            or not ident
            or not isinstance(properties, dict)
        ):
            self.say(number, "bad-entity", "an entity has an `id` and an object of `properties`")
            return
        ident = self.merged.get(ident, ident)
        before = self.entities.get(ident)
        kind = given.get("type")
        if before is None and op == "update":
            self.say(
                number, "unknown-entity", f"`{ident}` is updated before it is created; the line is skipped"
            )
            return
        if not isinstance(kind, str) or not kind:
            kind = before.type if before is not None else ""
        if not kind:
            self.say(number, "bad-entity", f"`{ident}` has no `type`")
            return
        at = _text(value, "timestamp")
        # A second create of an id only adds to it: no line takes away what an earlier one said, unless it says null.
        merged = {**(before.properties if before is not None else {}), **properties}
        self.entities[ident] = Entity(
            ident,
            canonical_type(kind),
            {key: item for key, item in merged.items() if item is not None},
            before.created if before is not None else at,
            at,
            _text(value, "src") or (before.src if before is not None else ""),
            _text(value, "valid_from") or (before.valid_from if before is not None else ""),
            _text(value, "valid_to") or (before.valid_to if before is not None else ""),
            before.line if before is not None else number,
        )

    def relation(self, number: int, value: Mapping[str, Any], *, ended: bool) -> None:
        ends = [value.get(key) for key in ("from", "rel", "to")]
        if not all(isinstance(end, str) and end for end in ends):
            self.say(number, "bad-relation", "a relation has `from`, `rel` and `to`")
            return
        source, rel, to = str(ends[0]), str(ends[1]), str(ends[2])
        key = (self.merged.get(source, source), rel, self.merged.get(to, to))
        before = self.relations.pop(key, None)
        at = _text(value, "timestamp")
        if ended:
            if before is None:
                self.say(
                    number,
                    "unknown-relation",
                    "this relation is ended and does not hold; the line is skipped",
                )
                return
            self.past.append(replace(before, valid_to=_text(value, "valid_to") or at[:10]))
            return
        self.relations[key] = Relation(
            *key,
            before.since if before is not None else at,
            _text(value, "valid_from") or (before.valid_from if before is not None else ""),
            _text(value, "valid_to"),
            _text(value, "src") or (before.src if before is not None else ""),
            before.line if before is not None else number,
        )

    def merge(self, number: int, value: Mapping[str, Any]) -> None:
        source, into = value.get("from"), value.get("to")
        if not isinstance(source, str) or not isinstance(into, str):
            self.say(number, "bad-merge", "a merge has `from` and `to`")
            return
        old, new = self.merged.get(source, source), self.merged.get(into, into)
        if old not in self.entities or new not in self.entities or old == new:
            self.say(
                number,
                "bad-merge",
                f"`{source}` and `{into}` are not two known entities; the line is skipped",
            )
            return
        gone, kept = self.entities.pop(old), self.entities[new]
        names = list(dict.fromkeys([*kept.names, *gone.names]))
        properties = {**gone.properties, **kept.properties}
        if others := [name for name in names if name != properties.get("name")]:
            properties["aliases"] = others
        self.entities[new] = replace(kept, properties=properties, updated=_text(value, "timestamp"))
        self.merged = {key: new if target == old else target for key, target in self.merged.items()} | {
            old: new
        }
        moved = {(self._now(s), rel, self._now(t)): r for (s, rel, t), r in self.relations.items()}
        self.relations = {
            key: replace(r, source=key[0], to=key[2]) for key, r in moved.items() if key[0] != key[2]
        }
        self.past = [replace(r, source=self._now(r.source), to=self._now(r.to)) for r in self.past]

    def _now(self, ident: str) -> str:
        return self.merged.get(ident, ident)


def parse_graph(text: str, path: str = "", until: str = "") -> Graph:
    """The graph after all lines of a file; with `until` (YYYY-MM-DD) updates that took effect later are left out."""
    state = _Fold(path)
    rows, problems = jsonl.read_rows(text, path)
    state.problems.extend(problems)
    lines = split(text)
    off = _reverted(
        [(row.line, row.value, line_id(lines[row.line - 1].removeprefix("\ufeff"))) for row in rows]
    )
    for row in rows:
        if row.line not in off and not (until and _later(row.value, until)):
            state.line(row.line, row.value)
    for relation in state.relations.values():
        for end in (relation.source, relation.to):
            if end not in state.entities:
                state.say(
                    relation.line, "unknown-entity", f"`{end}` stands in a relation and is created nowhere"
                )
    order = sorted(state.problems, key=lambda p: int(p.where.rpartition(":")[2]))
    return Graph(
        state.entities, tuple(state.relations.values()), tuple(state.past), state.merged, tuple(order)
    )


def at_date(graph: Graph, date: str) -> Graph:
    """The graph with only the relations that hold on a day (YYYY-MM-DD), ended ones among them."""
    held = [
        r for r in (*graph.relations, *graph.past) if _holds(r.valid_from or r.since[:10], r.valid_to, date)
    ]
    return replace(graph, relations=tuple(held))


def _later(value: Mapping[str, Any], day: str) -> bool:
    """Whether a line changes what an entity was like on that day: from `valid_from`, else from when it was written."""
    start = _text(value, "valid_from") or _text(value, "timestamp")[:10]
    return value.get("op") == "update" and start > day[: len(start)]


def _reverted(rows: list[tuple[int, Mapping[str, Any], str]]) -> set[int]:
    """Numbers of the lines that count no more. Read from the end, because a revert can be reverted too."""
    named: set[str] = set()
    off: set[int] = set()
    for number, value, ident in reversed(rows):
        if ident in named:
            off.add(number)
        elif value.get("op") == "revert" and isinstance(value.get("line"), str):
            named.add(value["line"])
    return off


def _text(value: Mapping[str, Any], key: str) -> str:
    found = value.get(key, "")
    return found if isinstance(found, str) else ""


def _holds(start: str, end: str, date: str) -> bool:
    """From its start until before its end; an end that is a year or a month holds to its last day."""
    return start <= date[: len(start)] and (
        not end or (date < end if len(end) == 10 else date[: len(end)] <= end)
    )
