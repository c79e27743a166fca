"""review.jsonl, proposals.jsonl and tombstones.jsonl: what waits for a person and what a person decided.

Append-only JSON lines; the last line of an id wins, unknown keys are kept. Files of two devices are merged by id.
Does not decide anything.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from silo.formats import jsonl
from silo.model import Problem
from silo.text.lines import encode, split

_TEXTS = ("id", "status", "kind", "topic", "created", "text")


@dataclass(frozen=True, slots=True)
class Decisions:
    """A file's items by id, each as its last line says, in the order in which the ids first stand there."""

    items: Mapping[str, Mapping[str, Any]]
    problems: tuple[Problem, ...]


def read_decisions(text: str, path: str) -> Decisions:
    """The items of one of the three files."""
    rows, problems = jsonl.read_rows(text, path)
    items: dict[str, Mapping[str, Any]] = {}
    found = list(problems)
    for row in rows:
        wrong = [key for key in _TEXTS if not isinstance(row.value.get(key, ""), str)]
        if wrong or not row.value.get("id"):
            message = (
                f"`{wrong[0]}` is no text; the line is not read" if wrong else "no id; the line is not read"
            )
            found.append(Problem(f"{path}:{row.line}", "bad-item", message))
            continue
        items[row.value["id"]] = row.value
    return Decisions(items, tuple(found))


def review_id(facts: Iterable[str], events: Iterable[str]) -> str:
    """`r_` + 12 hex of SHA-256 over the sorted ids that the item is about: the same doubt is asked once."""
    return _id("r_", [*sorted(facts), "", *sorted(events)])


def proposal_id(events: Iterable[str]) -> str:
    """`s_` + 12 hex of SHA-256 over the sorted ids of the events that the suggested topic would take."""
    return _id("s_", sorted(events))


def review_line(
    ident: str,
    *,
    kind: str,
    topic: str,
    facts: Iterable[str],
    events: Iterable[str],
    created: str,
    text: str,
    status: str = "open",
    more: Mapping[str, Any] | None = None,
) -> str:
    """A line of review.jsonl without line end; `text` holds both sides of the question."""
    item = {
        "id": ident, "kind": kind, "status": status, "topic": topic, "facts": list(facts), "events": list(events),
        "created": created, "text": text, **(more or {}),
    }  # fmt: skip
    return jsonl.dumps(item)


def proposal_line(
    ident: str,
    *,
    slug: str,
    title: str,
    type: str,
    events: Iterable[str],
    created: str,
    words: Iterable[str] = (),
    status: str = "open",
    more: Mapping[str, Any] | None = None,
) -> str:
    """A line of proposals.jsonl without line end; `words` are what the events share."""
    item = {
        "id": ident, "status": status, "slug": slug, "title": title, "type": type, "events": list(events),
        "words": list(words), "created": created, **(more or {}),
    }  # fmt: skip
    return jsonl.dumps(item)


def tombstone_line(
    ident: str, *, kind: str, created: str, why: str, more: Mapping[str, Any] | None = None
) -> str:
    """A line of tombstones.jsonl without line end: that something is gone for good, in no words of its own."""
    return jsonl.dumps({"id": ident, "kind": kind, "created": created, "why": why, **(more or {})})


def decided(item: Mapping[str, Any], status: str, on: str, **more: Any) -> str:
    """The line that changes an item's status: all its keys as they were, then what was decided and on which day."""
    return jsonl.dumps({**item, "status": status, "decided": on, **more})


def waits(item: Mapping[str, Any], today: str) -> bool:
    """Whether the item waits for a decision on that day: it is open, or was put off until then."""
    status = item.get("status", "open")
    return status == "open" or (status == "deferred" and str(item.get("until", "")) <= today)


def merge(ours: str, theirs: str) -> str:
    """Both devices' lines: ours as they are, then theirs that we lack.

    Where the two say different things of an id, a decision wins over an open item, the later decision over the
    earlier one, ours where neither is later.
    """
    text = ours if not ours or ours.endswith("\n") else ours + "\n"
    have = {line.strip() for line in split(ours)}
    for line in split(theirs):
        if line.strip() and line.strip() not in have:
            text += line if line.endswith("\n") else line + "\n"
    mine, other = read_decisions(ours, "").items, read_decisions(theirs, "").items
    last = read_decisions(text, "").items
    for ident, item in last.items():
        sides = [side for side in (mine.get(ident), other.get(ident)) if side is not None]
        wanted = max(sides, key=_weight)
        if wanted != item:
            text += jsonl.dumps(wanted) + "\n"
    return text


def _weight(item: Mapping[str, Any]) -> tuple[bool, str]:
    """max() keeps the first of equal ones, which is ours."""
    return item.get("status", "open") != "open", str(item.get("decided", ""))


def _id(prefix: str, parts: Iterable[str]) -> str:
    return prefix + hashlib.sha256(encode("\x1f".join(parts))).hexdigest()[:12]
