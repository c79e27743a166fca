"""The jobs behind `entity`: questions to the graph, and changes of it, which are lines at its end.

The owner is answered from the public and the private graph together; a group from the public one alone. A change goes
where what it is about stands: to the private file when an entity of it is known from there only, or when asked for.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC
from typing import Any

from silo.config import parse_day
from silo.core.entities import query
from silo.core.entities.query import GRAPH, PRIVATE_GRAPH, GraphChange, Neighbor
from silo.edge.workspace import Workspace
from silo.errors import BadInput
from silo.formats.graph import Entity, Graph, Relation, at_date, parse_graph
from silo.jobs.run import Call, Report, commit, problem_data
from silo.model import Append, Plan
from silo.text.lines import decode, encode
from silo.text.redact import redact

PLACES = {False: GRAPH, True: PRIVATE_GRAPH}


@dataclass(frozen=True, slots=True)
class EntityOptions:
    """What was asked for, as typed. `words` are the arguments after the action, `given` the `--set` pairs."""

    words: tuple[str, ...] = ()
    type: str = ""
    rel: str = ""
    at: str = ""
    given: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    unset: tuple[str, ...] = ()
    since: str = ""
    until: str = ""
    private: bool = False
    group: bool = False


@dataclass(frozen=True, slots=True)
class _Known:
    """The graph that answers, and what of it is known from the private file alone."""

    graph: Graph
    private: frozenset[str] = frozenset()
    private_relations: frozenset[tuple[str, str, str]] = frozenset()
    rels: frozenset[str] = field(default_factory=frozenset)


def ask(call: Call, action: str, options: EntityOptions) -> Report:
    """get, list, find or neighbors, from the folded state.

    Raises:
        BadInput: an argument too many or too few, a date that is none, or no such entity.
    """
    day = parse_day(options.at, "--at").isoformat() if options.at else ""
    known = _read(call, call.open(), group=options.group, day=day)
    match action:
        case "list":
            _count(options, "list", 0)
            found = query.list_entities(known.graph, options.type)
        case "find":
            found = query.find(known.graph, _phrase(options, "find"), options.type)
        case "get":
            found = query.get(known.graph, _phrase(options, "get"))
            if options.type:
                found = tuple(e for e in found if e in query.list_entities(known.graph, options.type))
            if not found:
                raise _nobody(known.graph, _phrase(options, "get"))
        case _:
            return _neighbors(known, options, day)
    report = Report(data={"entities": [_entity(known, one, whole=action == "get") for one in found]})
    report.lines = [line for one in found for line in (_shown(known, one) if action == "get" else [_line(one)])]
    if not found:
        report.lines.append("OK no entity fits")
    return _with_problems(report, known)


def change(call: Call, action: str, options: EntityOptions) -> Report:
    """add, update, merge, relate or unrelate: lines at the end of the graph, in one run; none where nothing differs.

    Raises:
        BadInput: the arguments are wrong, or the graph can't be changed so; nothing was written.
    """
    workspace = call.open()
    secrets: set[str] = set()
    made: list[tuple[GraphChange, bool]] = []

    def plan() -> Plan:
        known = _read(call, workspace, group=False)
        done = _changed(call, known, action, options, secrets)
        if done.problems:
            raise BadInput(done.problems[0].message, _hint(known.graph, done))
        hidden = options.private or _hidden(known, action, options, done)
        made.append((done, hidden))
        if not done.lines:
            return Plan("entity")
        path = PLACES[hidden]
        text = encode("".join(line + "\n" for line in done.lines))
        return Plan("entity", (Append(path, text, why=f"entity {action}"),), counts={"lines": len(done.lines)})

    report = Report()
    if call.dry_run:
        commit(call, workspace, plan(), report)
    else:
        result = workspace.apply_planned(plan, now=call.now, command=call.command, scheduled=call.scheduled)
        report.lines += [f"NOTE {note}" for note in result.notes]
        report.data = {"run": result.run_id}
    done, hidden = made[-1]
    assert isinstance(report.data, dict)
    report.data |= {"id": done.id, "lines": [json.loads(line) for line in done.lines], "file": PLACES[hidden]}
    verb = "would be written" if call.dry_run else "written"
    said = f"OK {action} {done.id}: {len(done.lines)} line {verb} to {PLACES[hidden]}"
    report.lines.insert(0, said if done.lines else f"OK the graph says so already: {done.id}")
    if secrets:
        report.lines.append(f"NOTE a secret was replaced before anything was written: {', '.join(sorted(secrets))}")
    return report


# --- the graph --------------------------------------------------------------------------------------------


def _read(call: Call, workspace: Workspace, *, group: bool, day: str = "") -> _Known:
    public = decode(workspace.read(GRAPH) or b"")
    hidden = "" if group else decode(workspace.read(PRIVATE_GRAPH) or b"")
    declared = call.config.values.get("relations")
    rels = frozenset(one for one in declared if isinstance(one, str)) if isinstance(declared, list) else frozenset()
    own = parse_graph(public, GRAPH, day)
    if not hidden.strip():
        return _Known(at_date(own, day) if day else own, rels=rels)
    joined = public if not public or public.endswith("\n") else public + "\n"
    # The private lines stand behind the public ones; what is wrong in them is named by their own numbers.
    both = parse_graph(joined + hidden, PRIVATE_GRAPH, day)
    triples = {(r.source, r.rel, r.to) for r in own.relations}
    graph = at_date(both, day) if day else both
    return _Known(
        Graph(graph.entities, graph.relations, graph.past, graph.merged, own.problems),
        frozenset(both.entities) - frozenset(own.entities),
        frozenset((r.source, r.rel, r.to) for r in both.relations) - triples,
        rels,
    )


def _changed(call: Call, known: _Known, action: str, options: EntityOptions, secrets: set[str]) -> GraphChange:
    at = call.now.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    graph = known.graph
    more = {"src": "cli", "valid_from": _day(options.since, "--from"), "valid_to": _day(options.until, "--until")}
    match action:
        case "add":
            _count(options, "add TYPE NAME", 2, most=None)
            kind, name = options.words[0], " ".join(options.words[1:]).strip()
            if redact(name)[1]:
                raise BadInput("the name holds a secret", "give the entity a name without one")
            given = _properties(options, secrets)
            aliases = [one for one in options.aliases if one.strip()]
            return query.add(graph, kind, name, {**({"aliases": aliases} if aliases else {}), **given}, at=at, **more)
        case "update":
            _count(options, "update ID", 1)
            ident = _one(graph, options.words[0])
            given = _properties(options, secrets) | dict.fromkeys(options.unset)
            if options.aliases and ident in graph.entities:
                held = graph.entities[ident].properties.get("aliases")
                names = [*(held if isinstance(held, list) else []), *options.aliases]
                given["aliases"] = list(dict.fromkeys(names))
            if not given:
                raise BadInput("nothing to change", "give --set KEY=VALUE, --unset KEY or --alias NAME")
            return query.update(graph, ident, given, at=at, **more)
        case "merge":
            _count(options, "merge ID INTO", 2)
            return query.merge(graph, _one(graph, options.words[0]), _one(graph, options.words[1]), at=at, src="cli")
    _count(options, f"{action} ID RELATION ID", 3)
    source, rel, to = _one(graph, options.words[0]), options.words[1], _one(graph, options.words[2])
    if action == "relate":
        return query.relate(graph, source, rel, to, at=at, declared=known.rels, **more)
    return query.unrelate(graph, source, rel, to, at=at, src="cli", valid_to=more["valid_to"])


def _hidden(known: _Known, action: str, options: EntityOptions, done: GraphChange) -> bool:
    """Whether a change speaks of something that the public graph does not know."""
    if action in ("add", "update"):
        return done.id in known.private
    ends = [_one(known.graph, options.words[0]), _one(known.graph, options.words[-1])]
    triple = (ends[0], options.words[1], ends[1])
    return not known.private.isdisjoint(ends) or (action == "unrelate" and triple in known.private_relations)


def _properties(options: EntityOptions, secrets: set[str]) -> dict[str, Any]:
    """`--set key=value` pairs; a value that begins like a JSON list or object is read as such."""
    given: dict[str, Any] = {}
    for pair in options.given:
        key, equals, value = pair.partition("=")
        key = key.strip()
        if not equals or not key:
            raise BadInput(f"--set {redact(pair)[0]!r} is no KEY=VALUE", "for example --set role=Engineer")
        clean, found = redact(f"{key}: {value}")
        if found:
            secrets.update(one.kind for one in found)
            value = clean.partition(": ")[2]
        if value[:1] in "[{" and value[:1]:
            try:
                given[key] = json.loads(value)
                continue
            except ValueError:
                pass  # words that only begin like JSON are words
        given[key] = value
    return given


def _one(graph: Graph, key: str) -> str:
    """The id that a typed id or name means.

    Raises:
        BadInput: a name that several bear.
    """
    found = query.get(graph, key)
    if len(found) > 1:
        raise BadInput(f"{key} is the name of {', '.join(e.id for e in found)}", "say which by its id")
    return found[0].id if found else key


def _day(text: str, flag: str) -> str:
    """A day, or a month or year alone."""
    if not text:
        return ""
    parse_day(text if len(text) == 10 else f"{text}-01-01"[:10] if len(text) == 4 else f"{text}-01", flag)
    return text


def _phrase(options: EntityOptions, action: str) -> str:
    _count(options, f"{action} NAME", 1, most=None)
    return " ".join(options.words)


def _count(options: EntityOptions, usage: str, least: int, most: int | None = -1) -> None:
    limit = least if most == -1 else most
    if len(options.words) < least or (limit is not None and len(options.words) > limit):
        raise BadInput(f"entity {usage.split()[0]} takes {usage.partition(' ')[2] or 'no more words'}", f"memory_cli.py entity {usage}")


def _hint(graph: Graph, done: GraphChange) -> str:
    near = difflib.get_close_matches(done.id, list(graph.entities), 1, 0.6)
    if done.problems[0].code == "unknown-entity" and near:
        return f"did you mean {near[0]}?"
    return "nothing was written"


def _nobody(graph: Graph, key: str) -> BadInput:
    names: Iterable[str] = [*graph.entities, *(name for e in graph.entities.values() for name in e.names)]
    near = difflib.get_close_matches(key, list(names), 1, 0.6)
    return BadInput(f"there is no entity {key!r}", f"did you mean {near[0]}?" if near else "memory_cli.py entity list")


# --- telling ----------------------------------------------------------------------------------------------


def _neighbors(known: _Known, options: EntityOptions, day: str) -> Report:
    _count(options, "neighbors ID", 1, most=None)
    key = " ".join(options.words)
    ident = _one(known.graph, key)
    if ident not in known.graph.entities:
        raise _nobody(known.graph, key)
    found = query.neighbors(known.graph, ident, rel=options.rel)
    report = Report(data={"id": ident, "at": day or None, "neighbors": [_beside(known, one) for one in found]})
    report.lines = [_beside_line(one) for one in found] or [f"OK nothing stands beside {ident}"]
    return _with_problems(report, known)


def _with_problems(report: Report, known: _Known) -> Report:
    report.problems(known.graph.problems, most=5)
    if known.graph.problems and isinstance(report.data, dict):
        report.data["problems"] = problem_data(list(known.graph.problems))
    return report


def _entity(known: _Known, entity: Entity, *, whole: bool) -> dict[str, object]:
    data: dict[str, object] = {
        "id": entity.id,
        "type": entity.type,
        "properties": dict(entity.properties),
        "created": entity.created,
        "updated": entity.updated,
    }
    more: Mapping[str, str] = {"src": entity.src, "valid_from": entity.valid_from, "valid_to": entity.valid_to}
    data |= {key: value for key, value in more.items() if value}
    if entity.id in known.private:
        data["private"] = True
    if whole:
        data["relations"] = [_relation(r) for r in known.graph.relations if entity.id in (r.source, r.to)]
    return data


def _relation(relation: Relation) -> dict[str, object]:
    data: dict[str, object] = {"from": relation.source, "rel": relation.rel, "to": relation.to, "since": relation.since}
    more = {"valid_from": relation.valid_from, "valid_to": relation.valid_to, "src": relation.src}
    return data | {key: value for key, value in more.items() if value}


def _beside(known: _Known, one: Neighbor) -> dict[str, object]:
    return {"rel": one.rel, "direction": one.direction, "entity": _entity(known, one.entity, whole=False), **_span(one.relation)}


def _span(relation: Relation) -> dict[str, object]:
    return {key: value for key, value in (("valid_from", relation.valid_from), ("valid_to", relation.valid_to)) if value}


def _line(entity: Entity) -> str:
    rest = "; ".join(f"{k}: {_plain(v)}" for k, v in entity.properties.items() if k != "name")
    name = entity.names[0] if entity.names else entity.id
    return f"{entity.id} | {entity.type} | {name}{' | ' + rest if rest else ''}"


def _plain(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _shown(known: _Known, entity: Entity) -> list[str]:
    lines = [_line(entity)]
    for relation in known.graph.relations:
        if entity.id in (relation.source, relation.to):
            until = f" until {relation.valid_to}" if relation.valid_to else ""
            since = f" since {relation.valid_from}" if relation.valid_from else ""
            lines.append(f"  {relation.source} {relation.rel} {relation.to}{since}{until}")
    return lines


def _beside_line(one: Neighbor) -> str:
    arrow = f"{one.rel} →" if one.direction == "out" else f"← {one.rel}"
    span = "".join(f" {word} {day}" for word, day in (("since", one.relation.valid_from), ("until", one.relation.valid_to)) if day)
    return f"{arrow} {_line(one.entity)}{span}"
