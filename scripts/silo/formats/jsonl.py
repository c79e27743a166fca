"""JSON lines: one object a line. A line that is none costs one Problem; the others are read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any, NoReturn

from silo.model import Problem
from silo.text.lines import BOM, split


@dataclass(frozen=True, slots=True)
class Row:
    """An object and the number of its line, from 1."""

    line: int
    value: dict[str, Any]


def read_rows(text: str, path: str) -> tuple[tuple[Row, ...], tuple[Problem, ...]]:
    """The objects of a text in the order of its lines, and what is wrong with the other lines."""
    rows: list[Row] = []
    problems: list[Problem] = []
    for number, line in enumerate(split(text.removeprefix(BOM)), 1):
        if not line.strip():
            continue
        value = loads(line)
        if isinstance(value, dict):
            rows.append(Row(number, value))
        else:
            message = "no JSON object; the line is kept and not read"
            problems.append(Problem(f"{path}:{number}", "bad-json", message))
    return tuple(rows), tuple(problems)


def loads(text: str) -> Any:
    """The JSON value of a text, or None for what is no JSON (NaN, a number without end and bottomless nesting too)."""
    try:
        return json.loads(text, parse_constant=refuse, parse_float=finite)
    except (ValueError, RecursionError):
        return None


def dumps(value: Mapping[str, Any]) -> str:
    """The object on one line: compact separators, keys in the order given, text as it is."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def pretty(value: Any) -> str:
    """A value as the text of a file that people read: two spaces of indent, a final newline."""
    return json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def finite(number: str) -> float:
    """For json's `parse_float`: the number. Raises ValueError for one beyond what a float holds."""
    value = float(number)
    return value if isfinite(value) else refuse(number)


def refuse(constant: str) -> NoReturn:
    """For json's `parse_constant`: NaN and Infinity are no JSON. Raises ValueError."""
    raise ValueError(f"{constant} is no JSON")
