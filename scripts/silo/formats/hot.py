"""The hot state in words: each value as a statement that is readable alone, and where it stands in hot-memory-state.json."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from silo.text.lines import split

LESSON_WEIGHT = 0.7  # of a lesson for which none was given
PARTS = ("identity", "owner_profile", "active_context", "critical_lessons")
LISTS = ("projects", "tasks", "events")


@dataclass(frozen=True, slots=True)
class Said:
    """A statement of the state. `mark`: what stands on its line of the file; `id` of the logged event that it repeats."""

    text: str
    mark: str
    id: str = ""


def said(state: Mapping[str, Any], day: Callable[[float], str]) -> Iterator[Said]:
    """The statements of a state that `parse_hot` gave, what matters most first. `day`: the date of seconds since 1970."""
    for part, who in (("identity", "Identity"), ("owner_profile", "Owner")):
        for key, value in state[part].items():
            if value not in ("", None, [], {}):
                yield Said(f"{who}, {key.replace('_', ' ')}: {told(value)}", f"{_quoted(key)}:")
    active = state["active_context"]
    for one in active["projects"]:
        item = _item(one, "name")
        about = f": {item['description']}" if item.get("description") else ""
        status = f" ({item['status']})" if item.get("status") else ""
        yield _said(f"Project {item.get('name', '')}{status}{about}", item, "name")
    for one in active["tasks"]:
        item = _item(one, "text")
        yield _said(f"Task ({item.get('status') or 'pending'}): {item.get('text', '')}", item, "text")
    for one in sorted(state["critical_lessons"], key=lambda one: -number(_item(one, "text"), "importance", LESSON_WEIGHT)):
        item = _item(one, "text")
        about = f" [{item['category']}]" if item.get("category") else ""
        yield _said(f"Lesson{about}: {item.get('text', '')}", item, "text")
    for one in sorted(active["events"], key=lambda one: -number(_item(one, "text"), "timestamp")):
        item = _item(one, "text")
        at = number(item, "timestamp")
        yield _said(f"Event{f' {day(at)}' if at > 0 else ''}: {item.get('text', '')}", item, "text")
    for key, value in [*active.items(), *state.items()]:
        if key not in (*PARTS, *LISTS) and value not in ("", None, [], {}):
            yield Said(f"{key.replace('_', ' ').capitalize()}: {told(value)}", f"{_quoted(key)}:")


def line_of(one: Said, text: str) -> int:
    """The line of the file, from 1, on which the statement stands; 1 where it can't be told."""
    return next((n for n, line in enumerate(split(text), 1) if one.mark in line), 1)


def told(value: Any) -> str:
    """A value of the state as words."""
    if isinstance(value, list):
        return ", ".join(told(one) for one in value)
    if isinstance(value, dict):
        return "; ".join(f"{k.replace('_', ' ')} {told(v)}" for k, v in value.items())
    return str(value)


def number(item: Mapping[str, Any], key: str, default: float = 0.0) -> float:
    """A figure of an item, or the default."""
    value = item.get(key, default)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else default


def _item(value: Any, name: str) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {name: told(value)}


def _said(text: str, item: Mapping[str, Any], name: str) -> Said:
    return Said(text, _quoted(str(item.get(name, ""))), str(item.get("id", "")))


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
