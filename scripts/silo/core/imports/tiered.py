"""A scored memory in its published files: warm facts for the log, tree and hot state laid into those of the agent.

Every version is read (formats/warm.py). What the agent's own files already say stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from silo.core.imports.clean import cleaned
from silo.core.imports.statements import Said, pieces
from silo.formats.warm import TreeNode, WarmEntry, parse_hot, parse_tree, parse_warm, render_hot, render_tree
from silo.model import Problem
from silo.text.redact import redact

Day = Callable[[float], str]


def statements(text: str, path: str, day: Day) -> tuple[tuple[Said, ...], tuple[Problem, ...]]:
    """The entries of warm-memory.json, each under the day of its `created_at`. `day` maps seconds since 1970 to a date."""
    entries, problems = parse_warm(text, path)
    return tuple(said for entry in entries for said in _said(entry, day)), problems


def _said(entry: WarmEntry, day: Day) -> list[Said]:
    extra = [
        f"({name}: {', '.join(missing)})"
        for name, values in (("URL", entry.urls), ("Command", entry.commands), ("Path", entry.paths))
        if (missing := [value for value in values if value.strip() and value not in entry.text])
    ]
    parts = list(pieces(" ".join([entry.text, *extra])))
    weight = entry.importance if 0.0 <= entry.importance <= 1.0 else None
    return [
        Said(
            part,
            day(entry.created_at),
            f"import/warm-memory.json#{entry.id}" + (f".{n}" if len(parts) > 1 else ""),
            category=entry.category.strip().strip("/"),
            importance=weight,
            access=max(0, entry.access_count),
        )
        for n, part in enumerate(parts, 1)
    ]


def tree(text: str, path: str, present: str | None) -> tuple[str | None, int, tuple[Problem, ...]]:
    """(the agent's tree with the nodes that it lacked, None where it lacks none; how many; problems)."""
    nodes, problems = parse_tree(text, path)
    own = parse_tree(present, "")[0] if present else {}
    new = {name: node for name, node in nodes.items() if name not in own}
    if not new:
        return None, 0, problems
    joined: dict[str, TreeNode] = {**own, **{name: _clean(node) for name, node in new.items()}}
    return render_tree(joined.values()), len(new), problems


def _clean(node: TreeNode) -> TreeNode:
    return TreeNode(node.path, redact(node.desc)[0], node.warm_count, node.cold_count, node.last_access, node.children, node.extra)


def hot(text: str, path: str, present: str | None) -> tuple[str | None, int, tuple[Problem, ...]]:
    """(the agent's hot state with what it lacked, None where it lacks nothing; how many values; problems)."""
    given, problems = parse_hot(text, path)
    own = parse_hot(present or "", "")[0]
    number = _lay(own, cleaned(given))
    return (render_hot(own) if number else None), number, problems


def _lay(own: dict[str, Any], given: Mapping[str, Any]) -> int:
    """Values that `own` lacks, laid into it: keys of objects, items of lists that are not there. How many."""
    number = 0
    for key, value in given.items():
        if isinstance(value, dict):
            mine = own.setdefault(key, {})
            number += _lay(mine, value) if isinstance(mine, dict) else 0
        elif isinstance(value, list):
            mine = own.setdefault(key, [])
            if isinstance(mine, list):
                fresh = [item for item in value if item not in mine]
                mine.extend(fresh)
                number += len(fresh)
        elif key not in own and value not in ("", None):
            own[key] = value
            number += 1
    return number
