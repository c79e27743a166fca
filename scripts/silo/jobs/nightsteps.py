"""What follows curation in a night: the tiers, where anything or time has moved them."""

from __future__ import annotations

from silo.core.importance import DEAD_DAYS
from silo.core.tiers.warm import expired, rescored
from silo.edge.reader import Reader
from silo.jobs.call import Call
from silo.jobs.run import Report
from silo.jobs.warmread import day_of, read_tree, read_warm, rules_of, uses


def night_steps(call: Call, mode: str, *, agent_given: bool, quiet: bool) -> Report | None:
    """The steps of a night after curation, which has ingested the daily notes already. None for a quiet night in which time
    has moved nothing either."""
    if quiet and mode in ("quick", "daily") and not _moved_by_time(call, call.look()):
        return None
    from silo.jobs.consolidate import (  # the machinery of the tiers: a quiet night does without
        ConsolidateOptions,
        consolidate,
    )

    return consolidate(call, ConsolidateOptions(mode=mode, agent_given=agent_given, with_notes=False))


def _moved_by_time(call: Call, workspace: Reader) -> bool:
    """Whether an entry of a warm set has another tier today than in its file, or leaves; or a category is dead."""
    rules, used = rules_of(call.config), uses(workspace)
    for path in workspace.paths(".silo/agents/*/*.json"):
        agent = path.split("/")[2]
        if path.endswith("/warm-memory.json"):
            for ident, entry in (read_warm(workspace, agent)[0] or {}).items():
                one = rescored(entry, day_of(call, entry), used.get(ident, 0), rules, call.today)
                if one.entry.tier != entry.tier or expired(one, rules, call.today):
                    return True
        elif path.endswith("/memory-tree.json"):
            nodes, _ = read_tree(workspace, agent)
            if any(call.now.timestamp() - node.last_access >= DEAD_DAYS * 86_400 for node in nodes.values()):
                return True
    return False
