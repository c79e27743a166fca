"""Members and elements put into a JSON text that belongs to somebody else, and taken out again: every other byte stays.

Taking out what was put in gives the text as it was. Reads no comments: JSON has none. Whether the text is JSON at all
the caller has found out before.
"""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


class Part(NamedTuple):
    """A member of an object (`start` at its key) or an element of an array, `key` empty; `at` is where its value begins."""

    key: str
    start: int
    at: int
    end: int


def parts(text: str, at: int) -> list[Part]:
    """What is in the object or array that begins at `at`, in order; nothing where another value begins there."""
    found: list[Part] = []
    if text[at] not in "[{":
        return found
    here = _skip(text, at + 1)
    while text[here] not in "]}":
        start, key = here, ""
        if text[at] == "{":
            key, here = _DECODER.raw_decode(text, here)
            here = _skip(text, _skip(text, here) + 1)
        _, end = _DECODER.raw_decode(text, here)
        found.append(Part(key, start, here, end))
        here = _skip(text, end)
        if text[here] == ",":
            here = _skip(text, here + 1)
    return found


def value_at(text: str, at: int) -> Any:
    """The value that begins there."""
    return _DECODER.raw_decode(text, at)[0]


def start(text: str) -> int:
    """Where the text's one value begins."""
    return _skip(text, 0)


def member(text: str, at: int, key: str) -> Part | None:
    """The member of that key in the object that begins at `at`; of several the last, which is the one that counts."""
    return next((part for part in reversed(parts(text, at)) if part.key == key), None)


def put(text: str, at: int, value: Any, key: str = "") -> str:
    """The text with one more part at the end of the object (under `key`) or array that begins at `at`."""
    there = parts(text, at)
    indent = _indent(text, there[-1].start) if there else _indent(text, at) + "  "
    style = "\r\n" if "\r\n" in text else "\n"
    body = json.dumps(value, ensure_ascii=False, indent=2).replace("\n", style + indent)
    head = f"{json.dumps(key, ensure_ascii=False)}: " if key else ""
    where = there[-1].end if there else at + 1
    return f"{text[:where]}{',' if there else ''}{style}{indent}{head}{body}{text[where:]}"


def drop(text: str, at: int, which: int | str) -> str:
    """The text without one part of the object or array at `at`, by number or key, and without its comma."""
    there = parts(text, at)
    number = which if isinstance(which, int) else max(n for n, part in enumerate(there) if part.key == which)
    if number:
        return text[: there[number - 1].end] + text[there[number].end :]
    if len(there) > 1:
        return text[: there[0].start] + text[there[1].start :]
    return text[: at + 1] + text[there[0].end :]


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _indent(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]
