"""The published JSON files of an agent: warm-memory.json (a list of facts), hot-memory-state.json, memory-tree.json.

Keys that are not ours are kept. Older versions are read: entries without metadata, a tree with a stray
`_schema_version`. Computes no score and cuts nothing to a limit; schemas/ has the shapes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from silo.formats import jsonl
from silo.model import Problem
from silo.text.lines import BOM

MOST = {"urls": 10, "commands": 5, "paths": 10}  # what an entry's metadata hold at most

_ENTRY_KEYS = (
    "id",
    "text",
    "category",
    "importance",
    "created_at",
    "access_count",
    "score",
    "tier",
    "metadata",
)
_NODE_KEYS = ("desc", "warm_count", "cold_count", "last_access", "children")


@dataclass(frozen=True, slots=True)
class WarmEntry:
    """A fact of the warm set. `created_at` is seconds since 1970, `score` 0…1 as it was when the entry was written."""

    id: str
    text: str
    category: str = ""
    importance: float = 0.5
    created_at: float = 0.0
    access_count: int = 0
    score: float = 0.0
    tier: str = "warm"
    urls: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TreeNode:
    """A category: its counts of facts, when it was last asked for (seconds since 1970), paths of its children."""

    path: str
    desc: str = ""
    warm_count: int = 0
    cold_count: int = 0
    last_access: float = 0.0
    children: tuple[str, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)


def parse_warm(text: str, path: str) -> tuple[tuple[WarmEntry, ...], tuple[Problem, ...]]:
    """The entries, in the order of the file. An entry without id or text costs one Problem."""
    value = jsonl.loads(text.removeprefix(BOM)) if text.strip() else []
    if not isinstance(value, list):
        return (), (Problem(f"{path}:1", "bad-json", "the file is no JSON list; nothing of it is read"),)
    entries: list[WarmEntry] = []
    problems: list[Problem] = []
    for number, item in enumerate(value, 1):
        entry = _entry(item) if isinstance(item, dict) else None
        if entry is None:
            problems.append(Problem(f"{path}:1", "bad-entry", f"entry {number} has no `id` or no `text`"))
        else:
            entries.append(entry)
    return tuple(entries), tuple(problems)


def render_warm(entries: Iterable[WarmEntry]) -> str:
    """The whole file, keys in the published order."""
    return jsonl.pretty([warm_object(entry) for entry in entries])


def warm_object(entry: WarmEntry) -> dict[str, Any]:
    """An entry as the published commands print it."""
    return {
        "id": entry.id,
        "text": entry.text,
        "category": entry.category,
        "importance": entry.importance,
        "created_at": int(entry.created_at)
        if entry.created_at == int(entry.created_at)
        else entry.created_at,
        "access_count": entry.access_count,
        "score": entry.score,
        "tier": entry.tier,
        "metadata": {
            "urls": list(entry.urls[: MOST["urls"]]),
            "commands": list(entry.commands[: MOST["commands"]]),
            "paths": list(entry.paths[: MOST["paths"]]),
        },
        **entry.extra,
    }


def parse_tree(text: str, path: str) -> tuple[dict[str, TreeNode], tuple[Problem, ...]]:
    """The nodes by their path. What is no node and no `_…` key costs one Problem."""
    value = jsonl.loads(text.removeprefix(BOM)) if text.strip() else {}
    if not isinstance(value, dict):
        return {}, (Problem(f"{path}:1", "bad-json", "the file is no JSON object; nothing of it is read"),)
    nodes: dict[str, TreeNode] = {}
    problems: list[Problem] = []
    for name, item in value.items():
        if isinstance(item, dict):
            nodes[name] = _node(name, item)
        elif not name.startswith("_"):
            problems.append(
                Problem(f"{path}:1", "bad-node", f"`{name}` is no node of the tree; it is not read")
            )
    return nodes, tuple(problems)


def render_tree(nodes: Iterable[TreeNode]) -> str:
    """The whole file, nodes by path, compact: its size is what the context pays for."""
    return (
        jsonl.dumps({node.path: node_object(node) for node in sorted(nodes, key=lambda node: node.path)})
        + "\n"
    )


def node_object(node: TreeNode) -> dict[str, Any]:
    """A node as it stands in the file."""
    return {
        "desc": node.desc,
        "warm_count": node.warm_count,
        "cold_count": node.cold_count,
        "last_access": int(node.last_access)
        if node.last_access == int(node.last_access)
        else node.last_access,
        "children": list(node.children),
        **node.extra,
    }


def empty_hot() -> dict[str, Any]:
    """A hot state that says nothing yet."""
    return {
        "identity": {},
        "owner_profile": {},
        "active_context": {"projects": [], "events": [], "tasks": []},
        "critical_lessons": [],
    }


def parse_hot(text: str, path: str) -> tuple[dict[str, Any], tuple[Problem, ...]]:
    """The hot state with every published key in place; unknown keys are kept, a part of the wrong kind is left out."""
    state = empty_hot()
    if not text.strip():
        return state, ()
    value = jsonl.loads(text.removeprefix(BOM))
    if not isinstance(value, dict):
        return state, (Problem(f"{path}:1", "bad-json", "the file is no JSON object; nothing of it is read"),)
    problems: list[Problem] = []
    _fill(state, value, path, "", problems)
    return state, tuple(problems)


def render_hot(state: Mapping[str, Any]) -> str:
    """The whole file."""
    return jsonl.pretty(dict(state))


def _fill(
    state: dict[str, Any], value: Mapping[str, Any], path: str, above: str, problems: list[Problem]
) -> None:
    for key, item in value.items():
        wanted = state.get(key)
        if wanted is not None and not isinstance(item, type(wanted)):
            kind = "an object" if isinstance(wanted, dict) else "a list"
            problems.append(Problem(f"{path}:1", "bad-hot", f"`{above}{key}` is not {kind}; it is not read"))
        elif key == "active_context":
            _fill(state[key], item, path, f"{key}.", problems)
        else:
            state[key] = item


def _entry(item: Mapping[str, Any]) -> WarmEntry | None:
    if not isinstance(item.get("id"), str) or not isinstance(item.get("text"), str) or not item["id"]:
        return None
    known = item.get("metadata")
    metadata = known if isinstance(known, dict) else {}
    return WarmEntry(
        id=item["id"],
        text=item["text"],
        category=item["category"] if isinstance(item.get("category"), str) else "",
        importance=_number(item.get("importance"), 0.5),
        created_at=_number(item.get("created_at"), 0.0),
        access_count=int(_number(item.get("access_count"), 0.0)),
        score=_number(item.get("score"), 0.0),
        tier=item["tier"] if isinstance(item.get("tier"), str) else "warm",
        urls=_texts(metadata.get("urls")),
        commands=_texts(metadata.get("commands")),
        paths=_texts(metadata.get("paths")),
        extra={key: value for key, value in item.items() if key not in _ENTRY_KEYS},
    )


def _node(path: str, item: Mapping[str, Any]) -> TreeNode:
    return TreeNode(
        path=path,
        desc=item["desc"] if isinstance(item.get("desc"), str) else "",
        warm_count=int(_number(item.get("warm_count"), 0.0)),
        cold_count=int(_number(item.get("cold_count"), 0.0)),
        last_access=_number(item.get("last_access"), 0.0),
        children=_texts(item.get("children")),
        extra={key: value for key, value in item.items() if key not in _NODE_KEYS},
    )


def _number(value: object, default: float) -> float:
    """A JSON number as it is; anything else, and what is beyond all figures, is the default."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return default
    return value if abs(value) < 1e15 else default


def _texts(value: object) -> tuple[str, ...]:
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()
