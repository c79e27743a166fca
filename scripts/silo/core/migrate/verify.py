"""Proves a migration: the targets of the files, the graph line by line, and where every source line is now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from silo.core.entities.query import GRAPH
from silo.core.migrate.ledger import Found, Row, locate
from silo.core.migrate.router import MOST_LINES, NAME
from silo.formats import jsonl, managed, tiers
from silo.formats.graph import parse_graph
from silo.formats.tiers import LIMITS, PATHS, parse_tier
from silo.model import Problem
from silo.text.lines import split


@dataclass(frozen=True, slots=True)
class Target:
    """One row of the table: a file, what it has, what it is to have, whether that holds."""

    name: str
    have: str
    want: str
    good: bool


def targets(texts: Mapping[str, str], source: str) -> tuple[tuple[Target, ...], tuple[Problem, ...]]:
    """The published targets, measured; directives of MEMORY.md are counted apart from the router."""
    rows: list[Target] = []
    problems: list[Problem] = []
    memory = texts.get(source, "")
    block = managed.find(memory, NAME, source)
    if isinstance(block, Problem):
        problems.append(block)
    elif block is None:
        rows.append(Target(f"{source} router", "none", f"≤ {MOST_LINES} lines", False))
    else:
        size = block.end - block.start
        rows.append(Target(f"{source} router", f"{size} lines", f"≤ {MOST_LINES} lines", size <= MOST_LINES))
        own = [
            line for n, line in enumerate(split(memory)) if line.strip() and not block.start <= n < block.end
        ]
        rows.append(Target(f"{source} directives", f"{len(own)} lines", "kept word for word", True))
    for name in (tiers.PROTOCOLS, tiers.ACTIVE, tiers.ARCHIVE):
        path = PATHS[name]
        if path not in texts:
            continue
        size, limit = len(split(texts[path])), LIMITS.get(name)
        rows.append(
            Target(
                path,
                f"{size} lines",
                f"< {limit} lines" if limit else "any length",
                limit is None or size < limit,
            )
        )
        problems += [p for p in parse_tier(texts[path], path).problems if p.code != "long-tier"]
    if GRAPH in texts:
        rows.append(_graph(texts[GRAPH], problems))
    return tuple(rows), tuple(problems)


def _graph(text: str, problems: list[Problem]) -> Target:
    """One line an entity and relation: create and relate lines beside what they fold to."""
    graph = parse_graph(text, GRAPH)
    values = [row.value for row in jsonl.read_rows(text, GRAPH)[0]]
    problems += graph.problems
    made = sum(v.get("op") == "create" for v in values)
    related = sum(v.get("op") == "relate" for v in values)
    folded = len(graph.entities) + len(graph.merged), len(graph.relations) + len(graph.past)
    good = (made, related) == folded and not graph.problems
    return Target(
        GRAPH,
        f"{made} create, {related} relate",
        f"{folded[0]} entities, {folded[1]} relations",
        good or _changed_later(values),
    )


def _changed_later(values: Sequence[Mapping[str, object]]) -> bool:
    """Merges and reverts make the lines more than what they fold to; that is no fault."""
    return any(v.get("op") in ("merge", "revert") for v in values)


def missing(rows: Sequence[Row], texts: Mapping[str, str]) -> tuple[tuple[Found, ...], tuple[Found, ...]]:
    """(where every line is, the lines whose words stand nowhere as they were: edited or taken out since)."""
    found = locate(rows, texts)
    by_line: dict[int, bool] = {}
    for one in found:
        by_line[one.row.line] = by_line.get(one.row.line, False) or not one.row.digest or one.line > 0
    gone = {line for line, held in by_line.items() if not held}
    return found, tuple(one for one in found if one.row.line in gone)
