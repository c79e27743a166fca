"""Tree search by a model: which categories of the tree a question is about. Paths that are not in the tree are dropped."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from silo.core.engines.task import Task
from silo.core.tree import Hit, Tree
from silo.model import Problem
from silo.text.budget import cut
from silo.text.disguise import visible_line
from silo.text.injection import instruction_like

VERSION = 1
_REASON = 200  # bytes of a reason that are kept


@dataclass(frozen=True, slots=True)
class Asked:
    """A question without its secrets, and the tree that it is asked of."""

    query: str
    nodes: Tree


def show(asked: Asked) -> Mapping[str, object]:
    """All that a model sees: the question, and of each category its path, description and counts."""
    listed = [
        {"path": name, "about": node.desc, "warm": node.warm_count, "cold": node.cold_count} for name, node in sorted(asked.nodes.items())
    ]
    return {"query": asked.query, "categories": listed}


def _reason(text: str) -> str:
    """The model's words for its choice on one line; none where they read as an order."""
    return "" if instruction_like(text) else cut(visible_line(text), _REASON)


def task(head: str, schema: Mapping[str, Any], limit: int, words: Callable[[Asked], tuple[Hit, ...]]) -> Task[Asked, tuple[Hit, ...]]:
    """The task `tree`. `words` is the search by words, for where the model does not answer."""

    def read(answer: Mapping[str, Any], asked: Asked) -> tuple[Hit, ...] | Problem:
        named = answer["categories"]
        known = [one for one in named if one["path"] in asked.nodes]
        if named and not known:
            return Problem("", "paths", "it names only paths that are not in the list")
        best: dict[str, Hit] = {}
        for one in known:
            hit = Hit(one["path"], round(float(one["relevance"]), 2), _reason(one["reason"]))
            if hit.path not in best or best[hit.path].relevance < hit.relevance:
                best[hit.path] = hit
        return tuple(sorted(best.values(), key=lambda hit: (-hit.relevance, hit.path))[:limit])

    return Task("tree", head, schema, show, read, words, version=VERSION, answer_tokens=150)
