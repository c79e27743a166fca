"""The configuration as a person sees it: its keys as dotted names, what is wrong with a file and in which line, and what a
published config.json means here. Pure.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from silo.formats.jsonl import loads
from silo.formats.schema import check
from silo.model import Problem

CONFIG = ".silo/config.json"
PUBLISHED = ("agent_id", "hot", "warm", "cold", "scoring", "tree", "distillation", "consolidation")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


def flat(values: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Every setting by its dotted name: `hot.max_bytes`, 5120. An empty table is a setting of its own."""
    for key, value in values.items():
        name = f"{above}{key}"
        if isinstance(value, dict) and value:
            yield from flat(value, f"{name}.")
        else:
            yield name, value


def known(schema: Mapping[str, Any], above: str = "") -> Iterator[str]:
    """The dotted names that the schema lists."""
    for key, inner in schema.get("properties", {}).items():
        if inner.get("properties"):
            yield from known(inner, f"{above}{key}.")
        else:
            yield f"{above}{key}"


def rule_of(name: str, schema: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The schema of a key, None for one that there is not."""
    here: Any = schema
    for part in name.split("."):
        inner = here.get("properties", {}).get(part)
        if inner is None:
            more = here.get("additionalProperties")
            inner = more if isinstance(more, dict) else None
        if inner is None:
            return None
        here = inner
    return here if isinstance(here, dict) else None


def nearest(name: str, schema: Mapping[str, Any]) -> str:
    """The key that was probably meant, "" where none is near."""
    names = list(known(schema))
    last = {one.rpartition(".")[2]: one for one in reversed(names)}
    found = difflib.get_close_matches(name, names, 1, 0.6)
    by_last = difflib.get_close_matches(name.rpartition(".")[2], list(last), 1, 0.75)
    return found[0] if found else last[by_last[0]] if by_last else ""


def with_value(values: Mapping[str, Any], name: str, value: Any) -> dict[str, Any]:
    """The settings with one of them set; tables on the way are made."""
    head, dot, rest = name.partition(".")
    out = dict(values)
    if not dot:
        out[head] = value
        return out
    below = out.get(head)
    out[head] = with_value(below if isinstance(below, dict) else {}, rest, value)
    return out


def without(values: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The settings without one of them; a table that is empty then goes too."""
    head, dot, rest = name.partition(".")
    out = dict(values)
    below = out.get(head)
    if not dot:
        out.pop(head, None)
    elif isinstance(below, dict):
        left = without(below, rest)
        if left:
            out[head] = left
        else:
            out.pop(head)
    return out


def problems(text: str, path: str, schema: Mapping[str, Any]) -> tuple[Problem, ...]:
    """What is wrong with a configuration file, each with its line and what was probably meant."""
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        return (Problem(f"{path}:{error.lineno}", "not-json", f"not JSON: {error.msg}"),)
    except (ValueError, RecursionError):  # a figure of thousands of digits, bottomless nesting
        return (Problem(f"{path}:1", "not-json", "not JSON: a number or a nesting without end"),)
    if loads(text) is None and value is not None:
        return (Problem(f"{path}:1", "not-json", "not JSON: NaN, or a number without end"),)
    if not isinstance(value, dict):
        return (Problem(f"{path}:1", "not-json", "no JSON object"),)
    lines = _lines(text)
    found: list[Problem] = []
    for where, what in check(value, schema):
        name = where.strip("/").replace("/", ".")
        near = name
        while near and near not in lines:
            near = near.rpartition(".")[0]
        unknown = what == "is not allowed here"
        meant = nearest(name, schema) if unknown else ""
        said = f"`{name}` is no setting" + (f"; did you mean `{meant}`?" if meant else "") if unknown else f"`{name}` {what}"
        found.append(Problem(f"{path}:{lines.get(near, 1)}", "unknown-key" if unknown else "bad-value", said))
    return tuple(found)


def _lines(text: str) -> dict[str, int]:
    """The line of each key by its dotted name."""
    found: dict[str, int] = {}
    stack: list[str] = []
    key = ""
    at, end = 0, len(text)
    while at < end:
        letter = text[at]
        if letter == '"':
            hit = _STRING.match(text, at)
            if hit is None:
                break
            after = text[hit.end() :].lstrip()
            if after.startswith(":"):
                key = json.loads(hit[0])
                found[".".join([*stack, key])] = text.count("\n", 0, at) + 1
            at = hit.end()
            continue
        if letter == "{":
            stack.append(key) if at and (stack or key) else None
            key = ""
        elif letter == "}" and stack:
            stack.pop()
        at += 1
    return found


def published(value: Mapping[str, Any], schema: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """(the settings that a published config.json stands for here, what is worth knowing of them).

    Keys that are not published, or not known here, are the caller's to refuse first (`problems`).
    """
    taken = {name: dict(part) if isinstance(part, dict) else part for name, part in value.items() if name in PUBLISHED}
    notes: list[str] = []
    if taken.get("cold", {}).get("backend") == "turso":
        notes.append("cold.backend turso: without an address (TURSO_URL, or mirror.url) the archive is local; with one it is mirrored there")
    if "half_life_days" in taken.get("scoring", {}):
        days = taken["scoring"]["half_life_days"]
        notes.append(f"scoring.half_life_days {days}: as published, the time in which a score falls to 1/e (37 %), not to a half; scoring.true_half_life changes that")
    if "aggression" in taken.get("distillation", {}):
        notes.append(f"distillation.aggression {taken['distillation']['aggression']}: the share of clauses that the rule distiller drops")
    for name, wait in taken.get("consolidation", {}).items():
        notes.append(f"consolidation.{name} {wait}: the least time between two runs of that step; the schedule itself is cron's")
    if taken.get("distillation", {}).get("mode") == "llm":
        notes.append("distillation.mode llm: needs an engine (engines, or --llm-endpoint); without one the rules do it")
    return taken, tuple(notes)


def parsed(text: str, rule: Mapping[str, Any]) -> Any:
    """The value that was typed for a key: JSON, or a bare word where the key takes a text."""
    wants = rule.get("type")
    if wants == "string" or ("enum" in rule and all(isinstance(one, str) for one in rule["enum"])):
        return text.strip('"') if text.startswith('"') and text.endswith('"') and len(text) > 1 else text
    value = loads(text)
    if value is not None or text.strip() == "null":
        return value
    lowered = text.strip().lower()
    if wants == "boolean" and lowered in ("yes", "on", "no", "off"):
        return lowered in ("yes", "on")
    if wants == "array":
        return [part.strip() for part in text.split(",") if part.strip()]
    return text  # what is no JSON (NaN and endless numbers too) is a word, and refused where a word is not taken
