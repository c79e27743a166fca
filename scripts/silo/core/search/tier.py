"""The tier of a passage, as `--tier` and the output name it, and the layers in which a tier's passages stand."""

from __future__ import annotations

from datetime import date

from silo.core.importance import importance, score, tier
from silo.found import LAYERS, Kind, Passage, Tag

_OF_EVENTS = frozenset({"hot", "warm", "cold", "frozen"})


def tier_of(p: Passage, today: date) -> str:
    """hot, warm, cold or frozen for an event; protocols, active, archive or directive for a tier file; else the layer.

    Counts of access stand in state.db, which recall does not read, so an often asked event may be one tier higher.
    """
    if p.kind is Kind.EVENT and p.date:
        return tier(score(importance(Tag(p.tag), p.confidence, p.importance), p.date, today))
    if p.kind is Kind.TIER:
        name = p.path.rpartition("/")[2].removesuffix(".md")
        return "directive" if name.startswith("MEMORY") else "hot" if name == "hot-memory-state.json" else name
    return LAYERS[p.kind]


def layers_of(tier: str) -> frozenset[str]:
    """Where passages of that tier can stand: the hot state is a file of its own beside the hot events."""
    if tier == "hot":
        return frozenset({"events", "tiers"})
    return frozenset({"events"} if tier in _OF_EVENTS else {"tiers"})
