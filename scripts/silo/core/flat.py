"""A structured memory as one MEMORY.md again: the owner's own lines, protocols, live work, topics, people, archive.

Facts stand as bullets without their marks, headings one level deeper than in their files. The log's statements that no topic
has taken in come last. Sources, changelogs and what lies in the past of a fact stay behind. No secret comes along.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from silo.core.entities.query import list_entities
from silo.formats import comment, managed, markdown, tiers
from silo.formats.graph import Entity, Graph
from silo.formats.markdown import Kind
from silo.formats.topics import TopicFile, info
from silo.model import Confidence, Event, Tag
from silo.text.lines import BOM, content, ending, split
from silo.text.redact import redact_lines

_HEADINGS = {"Person": "People", "Org": "Organisations", "Project": "Projects", "Property": "Property", "Location": "Places"}
_STATED = (Tag.FACT, Tag.DECISION, Tag.CHANGED, Tag.PROCEDURE, Tag.TODO)


@dataclass(frozen=True, slots=True)
class Whole:
    """What goes into the file. `loose` are events that no topic has taken in, oldest first."""

    memory: str = ""  # MEMORY.md as it stands
    tiers: Mapping[str, str] = field(default_factory=dict)  # protocols, active, archive → text
    topics: Sequence[TopicFile] = ()
    graph: Graph = field(default_factory=Graph)
    loose: Sequence[Event] = ()


def flatten(whole: Whole) -> str:
    """The text of the one file."""
    parts = [_own(whole.memory) or "# MEMORY.md"]
    given = whole.tiers
    parts += (_tier(given[name], name) for name in (tiers.PROTOCOLS, tiers.ACTIVE) if name in given)
    parts += (_topic(file) for file in whole.topics)
    parts.append(_entities(whole.graph))
    parts += (_tier(given[name], name) for name in (tiers.ARCHIVE,) if name in given)
    parts.append(_loose(whole.loose))
    return redact_lines("\n\n".join(part for part in parts if part) + "\n")


def _own(text: str) -> str:
    """The lines that are a person's: managed blocks left out, nothing else changed."""
    lines = split(text.removeprefix(BOM))
    blocks = [managed.find("".join(lines), name) for name in managed.names("".join(lines))]
    hidden = {n for block in blocks if isinstance(block, managed.Block) for n in range(block.start, block.end)}
    return "".join(line for n, line in enumerate(lines) if n not in hidden).strip("\n")


def _tier(text: str, name: str) -> str:
    """A tier file below a heading of its own; its title and header comment left out."""
    lines = split(text.removeprefix(BOM))
    scanned = markdown.scan(lines)
    start = next((n for n, line in enumerate(scanned) if line.kind not in (Kind.BLANK, Kind.COMMENT) and line.level != 1), len(lines))
    body = _deeper(lines[start:], 1).strip("\n")
    return f"## {name.capitalize()}\n\n{body}" if body else ""


def _deeper(lines: Sequence[str], by: int) -> str:
    scanned = markdown.scan(lines)
    return "".join(
        "#" * min(by, 6 - line.level) + raw if line.kind is Kind.HEADING and raw.startswith("#") else raw
        for raw, line in zip(lines, scanned, strict=True)
    )


def _topic(file: TopicFile) -> str:
    """A topic's curated layer, all but its changelog and the marks of its facts."""
    about = info(file)
    start, end = file.curated or (0, 0)
    lines = file.lines[start : file.changelog if file.changelog is not None else end]
    scanned = markdown.scan(lines)
    shown = [
        raw if line.kind in (Kind.FENCE, Kind.BLANK) else _bare(raw)
        for raw, line in zip(lines, scanned, strict=True)
        if line.kind is not Kind.COMMENT
    ]
    body = _deeper(shown, 1).strip("\n")
    head = f"## {file.slug.replace('-', ' ').capitalize()}"
    if body.startswith("## "):  # the file has a title of its own
        head, _, body = body.partition("\n")
        body = body.strip("\n")
    known = not about.summary or about.summary in body or any(fact.text in about.summary for fact in file.facts)
    summary = "" if known else about.summary
    return "\n\n".join(part for part in (head, summary, body) if part) if body or summary else ""


def _bare(line: str) -> str:
    """A line without comments, its indent kept."""
    text = content(line)
    return text[: len(text) - len(text.lstrip())] + comment.strip(text) + ending(line)


def _entities(graph: Graph) -> str:
    out: list[str] = []
    for kind, heading in _HEADINGS.items():
        rows = [_entity(entity, graph) for entity in list_entities(graph, kind)]
        out += [f"## {heading}", "", *rows, ""] if rows else []
    others = [_entity(entity, graph) for entity in graph.entities.values() if entity.type not in _HEADINGS]
    out += ["## Others", "", *others] if others else []
    return "\n".join(out).strip("\n")


def _entity(entity: Entity, graph: Graph) -> str:
    names = entity.names
    said = [f"also {', '.join(names[1:])}"] if names[1:] else []
    said += [f"{key.replace('_', ' ')}: {value}" for key, value in entity.properties.items() if key not in ("name", "aliases") and isinstance(value, str | int | float)]
    for relation in graph.relations:
        if relation.source == entity.id and relation.to in graph.entities:
            other = graph.entities[relation.to]
            said.append(f"{relation.rel.replace('_', ' ')} {other.names[0] if other.names else other.id}")
    return f"- {names[0] if names else entity.id}" + (f" — {'; '.join(said)}" if said else "")


def _loose(events: Iterable[Event]) -> str:
    rows = [
        f"- {'[ ] ' if event.tag is Tag.TODO else ''}{event.date}: {content(event.text)}"
        for event in events
        if event.tag in _STATED and event.confidence is Confidence.CONFIRMED
    ]
    return "\n".join(["## Notes", "", *rows]) if rows else ""
