"""Contradictions that wait in the queue and are none any more: a side has ended, or says something else since. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from typing import Any

from silo.core.facts import BY_HAND, bare, named_facts
from silo.core.reconcile import Kind, Reconciler
from silo.core.weighing import day_of
from silo.formats.decisions import decided
from silo.formats.topics import TopicFile
from silo.model import ChangeEntry, Fact

Item = Mapping[str, Any]


def settled(
    items: Iterable[Item], topic: TopicFile, older: Iterable[ChangeEntry], reconciler: Callable[[], Reconciler], today: str, *, by: str = ""
) -> tuple[str, ...]:
    """The queue's lines for the topic's open contradictions that nobody has to decide any more.

    `older` are changelog entries that stand in the archive file. `by` is who settled them; else the changelog tells.
    """
    names = {topic.slug, *topic.header.list("aliases")}
    open_ones = [
        item for item in items
        if item.get("kind") == "contradiction" and item.get("status", "open") in ("open", "deferred") and item.get("topic") in names
    ]  # fmt: skip
    if not open_ones:
        return ()
    there = {fact.id: fact for fact in named_facts(topic)}
    ended: dict[str, ChangeEntry] = {}
    for entry in (*topic.changes, *older):
        if entry.op == "end":
            ended.update((one, entry) for one in entry.facts if one not in there and one not in ended)
    changed = {one: entry.date for entry in reversed(topic.changes) if entry.op == "set" for one in entry.facts}
    lines: list[str] = []
    for item in open_ones:
        sides = [str(one) for one in item.get("facts") or ()]
        if len(sides) < 2:
            continue
        gone = next((ended[one] for one in sides if one in ended), None)
        if gone is not None:
            who = by or ("by hand" if gone.reason.startswith(BY_HAND) else "a later statement")
            lines.append(decided(item, _status(sides, there, ended), today, by=who))
            continue
        edited = all(one in there for one in sides) and any(changed.get(one, "") >= str(item.get("created", "")) for one in sides)
        if edited and not _contradict(there[sides[0]], there[sides[-1]], reconciler, today):
            lines.append(decided(item, "accepted", today, by=by or "by hand"))
    return tuple(lines)


def _status(sides: list[str], there: Mapping[str, Fact], ended: Mapping[str, ChangeEntry]) -> str:
    """The new statement holds unless it is the one that ended, and what is left says something else."""
    entry = ended.get(sides[-1])
    if entry is None or any(bare(there[one].text) == bare(entry.old) for one in sides if one in there):
        return "accepted"
    return "rejected"


def _contradict(old: Fact, new: Fact, reconciler: Callable[[], Reconciler], today: str) -> bool:
    now = date.fromisoformat(today)
    return reconciler()(old.text, new.text, day_of(old.seen) or now, day_of(new.seen) or now).kind not in (Kind.NEW, Kind.DUPLICATE)
