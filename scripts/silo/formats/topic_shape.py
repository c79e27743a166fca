"""The shape of a topic file: its four markers and the values of its header keys, and what may be wrong with them.

Reads no fact and no changelog (topic_file.py does) and mends nothing.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence

from silo.formats import markdown
from silo.formats.events import valid_slug
from silo.formats.fields import is_date
from silo.formats.header import Header
from silo.formats.markdown import Kind
from silo.model import Problem
from silo.text.lines import BOM, content

TYPES = ("project", "hobby", "business", "personal", "reference")
STATUSES = ("active", "paused", "archived", "reference")
SENSITIVITIES = ("normal", "private")
REQUIRED = (
    "topic",
    "type",
    "status",
    "tags",
    "entities",
    "created",
    "last_verified",
    "last_curated",
    "summary",
)

_DATES = ("created", "last_verified", "last_curated")
_MARKER = re.compile(r"\s*<!--\s*(CURATED|SOURCE)_(START|END)\s*-->\s*\Z")
_MARKERS = ("CURATED_START", "CURATED_END", "SOURCE_START", "SOURCE_END")

Span = tuple[int, int]  # indices of lines, the second one excluded


def header_problems(header: Header, path: str, slug: str) -> list[Problem]:
    """What is wrong with the values of our own keys; unknown keys are the user's."""
    found: list[Problem] = []

    def say(line: int, code: str, message: str) -> None:
        found.append(Problem(f"{path}:{line}", code, message))

    if valid_slug(slug) is None:
        say(1, "bad-slug", f"`{slug}` can't name a topic; use 2–40 of a–z, 0–9 and single dashes")
    if not header.start:
        return found
    for key in REQUIRED:
        entry = header.entry(key) or (header.entry("slug") if key == "topic" else None)
        if entry is None:
            say(header.start, "missing-key", f"the header has no `{key}:`")
            continue
        value = header.text(entry.key)
        if key == "topic" and value != slug:
            say(entry.line, "slug-mismatch", f"the header says `{value}`, the file's name `{slug}`")
        elif key in _DATES and value and not is_date(value):
            say(entry.line, "bad-date", f"`{key}: {value}` is no date; write YYYY-MM-DD")
    for key, allowed in (("type", TYPES), ("status", STATUSES), ("sensitivity", SENSITIVITIES)):
        entry = header.entry(key)
        value = header.text(key)
        if entry is not None and value not in allowed:
            near = difflib.get_close_matches(value, allowed, n=1)
            hint = f"did you mean `{near[0]}`?" if near else f"one of {', '.join(allowed)}"
            say(entry.line, f"bad-{key}", f"`{key}: {value}` is not known; {hint}")
    return found


def layers(
    lines: Sequence[str], body: int, path: str
) -> tuple[Span | None, Span | None, bool, list[Problem]]:
    """The lines of both layers as far as the markers tell, whether a job may write, and what is wrong with them."""
    marks = [
        (at, f"{hit[1]}_{hit[2]}")
        for at, line in enumerate(lines)
        if (hit := _MARKER.match(line.removeprefix(BOM))) is not None
    ]
    problems: list[Problem] = []

    def say(at: int, code: str, message: str) -> None:
        problems.append(Problem(f"{path}:{at + 1}", code, message))

    first: dict[str, int] = {}
    for at, name in marks:
        if name in first:
            say(at, "duplicate-marker", f"<!-- {name} --> stands on line {first[name] + 1} already")
        first.setdefault(name, at)
    for name in _MARKERS:
        if name not in first:
            near = [at for at, _ in marks] or [max(0, len(lines) - 1)]
            say(near[-1], "missing-marker", f"<!-- {name} --> is missing")
    order = [_MARKERS.index(name) for _, name in marks]
    if order != sorted(order):
        at = next(marks[n][0] for n in range(1, len(order)) if order[n] < order[n - 1])
        say(
            at,
            "misordered-marker",
            "the markers stand in another order than curated start, end, source start, end",
        )
    curated = _between(first, marks, "CURATED", len(lines), body)
    source = _between(first, marks, "SOURCE", len(lines), None)
    names = [name for _, name in marks]
    editable = names in (list(_MARKERS), list(_MARKERS[:2]))
    inside = [span for span in (curated, source) if span is not None]
    is_comment = [line.kind is Kind.COMMENT for line in markdown.scan(lines[body:])]
    for at in range(body, len(lines)):
        if (
            not any(a <= at < b for a, b in inside)
            and lines[at].removeprefix(BOM).strip()
            and not is_comment[at - body]
        ):
            say(
                at,
                "text-between-layers",
                "text outside the two layers is kept and not read; move it into one",
            )
            break
    return curated, source, editable, problems


def _between(
    first: dict[str, int], marks: list[tuple[int, str]], layer: str, length: int, body: int | None
) -> Span | None:
    """A layer's lines: from its start to the next marker. `body` is where a curated layer without a start begins."""
    start = first.get(f"{layer}_START")
    if start is None:
        if body is None or first.get(f"{layer}_END", length) < body:
            return None
        start = body - 1
    end = next((at for at, _ in marks if at > start), length)
    return start + 1, end


def is_marker(line: str) -> bool:
    """Whether a line is one of the four markers of the layers."""
    return _MARKER.match(content(line)) is not None
