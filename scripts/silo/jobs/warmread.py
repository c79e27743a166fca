"""Reading the warm set and the tree: entries, limits, what was used. Apart from what changes them, because a quiet night only reads."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING

from silo.config import Config
from silo.core.tiers.scoring import Scoring
from silo.core.tiers.warm import Rules
from silo.formats.warm import WarmEntry, parse_tree, parse_warm
from silo.model import Plan, Problem, Put
from silo.text.lines import decode

if TYPE_CHECKING:
    from silo.core.tree import Tree
    from silo.edge.reader import Reader
    from silo.jobs.call import Call


def warm_path(agent: str) -> str:
    """Where an agent's warm set stands."""
    return f".silo/agents/{agent}/warm-memory.json"


def rules_of(config: Config) -> Rules:
    """The limits and the scoring of the configuration, under their published keys.

    `scoring.half_life_days` is, as published, the time in which a score falls to 1/e; `scoring.true_half_life` makes it a
    half-life.
    """
    scoring, warm = config.section("scoring"), config.section("warm")
    return Rules(
        Scoring(_number(scoring, "half_life_days", 30.0), _number(scoring, "reinforcement_boost", 0.1), scoring.get("true_half_life") is True),
        int(_number(warm, "max_kb", 50.0) * 1024),
        int(_number(warm, "retention_days", 30)),
        _number(warm, "eviction_threshold", 0.3),
    )


def _number(section: Mapping[str, object], key: str, default: float) -> float:
    value = section.get(key, default)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) and value >= 0 else default


def read_warm(workspace: Reader, agent: str) -> tuple[dict[str, WarmEntry] | None, tuple[Problem, ...]]:
    """The entries by id, in the order of the file; None where there is no file."""
    path = warm_path(agent)
    data = workspace.read(path)
    if data is None:
        return None, ()
    entries, problems = parse_warm(decode(data), path)
    return {one.id: one for one in entries}, problems


def day_of(call: Call, entry: WarmEntry) -> str:
    """The local day of an entry."""
    try:
        return datetime.fromtimestamp(entry.created_at, call.config.zone).date().isoformat()
    except (ValueError, OverflowError, OSError):
        return call.today.isoformat()


def uses(workspace: Reader, plan: Plan | None = None) -> dict[str, int]:
    """How often each event or fact was given as a result; with what a plan brings along (an import knows earlier uses)."""
    rows = workspace.state.items("access")
    if plan is not None:
        rows |= {op.key: op.value for op in plan.state if isinstance(op, Put) and op.table == "access"}
    found = {}
    for ident, value in rows.items():
        number = value.get("count") if isinstance(value, dict) else None
        found[ident] = number if isinstance(number, int) else 0
    return found


def tree_path(agent: str) -> str:
    """Where an agent's tree stands."""
    return f".silo/agents/{agent}/memory-tree.json"


def read_tree(workspace: Reader, agent: str) -> tuple[Tree, tuple[Problem, ...]]:
    """The nodes with their descriptions; empty where there is no tree, or a damaged one, which costs problems."""
    path = tree_path(agent)
    data = workspace.read(path)
    return parse_tree(decode(data), path) if data is not None else ({}, ())
