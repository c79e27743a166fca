"""The job behind `metrics`: the published figures now, recorded, and over days. Its history stands in state.db."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from silo.core import tree as trees
from silo.core.hot import size_of
from silo.core.metrics import KEYS, Metrics, tokens_saved, trend
from silo.edge.workspace import Workspace
from silo.formats.warm import empty_hot
from silo.jobs.costs import cost_lines, costs
from silo.jobs.counters import Counters
from silo.jobs.hotdoor import read_hot
from silo.jobs.run import Call, Report
from silo.jobs.treefile import read_tree
from silo.jobs.warming import EVICTED, read_warm, warm_path
from silo.text.budget import estimate_tokens

SNAPSHOT = "snapshot"  # the name of recorded rows in the table of metrics
CONSOLIDATIONS, LAST = "consolidations", "last_consolidation"
_FLAT = ("memory/events", "memory/topics", ".silo/private/events", ".silo/private/topics")


@dataclass(frozen=True, slots=True)
class MetricsOptions:
    """What was asked for, as typed; nothing: show."""

    record: bool = False
    report: bool = False
    trend: bool = False
    days: int = 7


def metrics(call: Call, options: MetricsOptions) -> Report:
    """The figures of the agent."""
    workspace = call.open()
    if options.report:
        return _history(call, workspace, options.days)
    if options.trend:
        return _trend(call, workspace, options.days)
    found = measure(call, workspace)
    told = costs(call, workspace)
    report = Report(data={"agent_id": call.config.agent, **found.data, "model_costs": told})
    report.published = report.data
    report.lines = [f"{key}: {value}" for key, value in found.data.items()]
    report.lines += cost_lines(told)
    if options.record and not call.dry_run:
        record_snapshot(call, workspace, found)
        report.lines.append("OK recorded")
    return report


def measure(call: Call, workspace: Workspace) -> Metrics:
    """The figures now; each is defined in references/tiers.md."""
    agent = call.config.agent
    nodes, _ = read_tree(workspace, agent)
    state, _ = read_hot(workspace, agent)
    entries, _ = read_warm(workspace, agent)
    counters = Counters(workspace, agent, call.today)
    data = workspace.read(warm_path(agent)) or b""
    hot_bytes = size_of(state) if state != empty_hot() else 0
    return Metrics(
        tree_index_size_bytes=trees.size(nodes) if nodes else 0,
        tree_node_count=len(nodes),
        hot_memory_size_bytes=hot_bytes,
        warm_memory_count=len(entries or {}),
        warm_memory_size_kb=round(len(data) / 1024, 1),
        retrieval_count=_uses(workspace, f"asked/{agent}"),
        evictions_today=counters.today(EVICTED),
        reinforcements_today=_uses(workspace, f"used/{agent}@{call.today.isoformat()}"),
        consolidation_count=counters.total(CONSOLIDATIONS),
        last_consolidation=counters.total(LAST),
        context_tokens_saved=tokens_saved(_flat_tokens(workspace), _start_tokens(call, workspace)),
        timestamp=call.now.replace(tzinfo=None).isoformat(timespec="seconds"),
    )


def _uses(workspace: Workspace, key: str) -> int:
    """A count that retrieve keeps beside those of its results."""
    value = workspace.state.get("access", key)
    number = value.get("count") if isinstance(value, dict) else 0
    return number if isinstance(number, int) else 0


def _flat_tokens(workspace: Workspace) -> int:
    """Tokens of all logs and topic files, told from their sizes; read as little as possible, because memories grow."""
    total = 0
    for folder in _FLAT:
        for path in workspace.paths(f"{folder}/*.md"):
            total += (workspace.root / path).stat().st_size
    return estimate_tokens("x" * total) if total < 1_000_000 else total * 10 // 22


def _start_tokens(call: Call, workspace: Workspace) -> int:
    """Tokens that a session starts with: the context pack, as it would be printed."""
    from silo.jobs.context import session_context

    made = session_context(call._replace(say=lambda line: None), audience="owner", full=False, max_bytes=None).data
    return int(made["tokens"]) if isinstance(made, dict) else 0


def record_snapshot(call: Call, workspace: Workspace, found: Metrics) -> None:
    """One row of the history."""
    workspace.state.add_metric(SNAPSHOT, call.now, {"agent_id": call.config.agent, **found.data})


def history(workspace: Workspace, agent: str) -> list[dict[str, Any]]:
    """Every recorded row of the agent, oldest first."""
    rows = (row for _, row in sorted(workspace.state.items("metrics").items()) if isinstance(row, dict))
    return [row for row in rows if row.get("name") == SNAPSHOT and row.get("agent_id") == agent]


def _history(call: Call, workspace: Workspace, days: int) -> Report:
    """The recorded rows as JSON lines, oldest first."""
    rows = [_row(row) for row in history(workspace, call.config.agent) if _within(row, call, days)]
    lines = [json.dumps(row, ensure_ascii=False) for row in rows]
    return Report(lines or ["OK nothing was recorded in that time; metrics --record does it, and so does consolidate"], {"history": rows, "days": days})


def _trend(call: Call, workspace: Workspace, days: int) -> Report:
    found = trend(history(workspace, call.config.agent), days, call.now)
    report = Report(data={"days": days, "trend": found})
    report.published = report.data
    report.lines = [f"{key}: {one['first']} → {one['last']} ({one['change']:+})" for key, one in found.items()] or ["OK nothing was recorded in that time"]
    return report


def _row(row: Mapping[str, Any]) -> dict[str, Any]:
    return {key: row[key] for key in ("agent_id", *KEYS, "timestamp") if key in row}


def _within(row: Mapping[str, Any], call: Call, days: int) -> bool:
    from datetime import datetime

    try:
        at = datetime.fromisoformat(str(row.get("timestamp")))
    except ValueError:
        return False
    return 0 <= (call.now.replace(tzinfo=None) - at).total_seconds() <= days * 86_400
