"""The tier of a passage, as `--tier` and the output name it."""

from __future__ import annotations

from datetime import date

from silo.core.importance import importance, score, tier
from silo.found import LAYERS, Kind, Passage, Tag


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
