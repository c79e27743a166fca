"""Suggestions beside what a person has said of them: new, still open, dismissed until there is newer evidence, accepted.

A suggestion is the same as an earlier one when they share half of the smaller one's events, so it keeps its id while it
grows. Pure: gives the lines to append and the files to write.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

from silo.core.dedupe import id_of
from silo.core.suggest.find import Suggestion
from silo.formats.decisions import proposal_id, proposal_line
from silo.formats.events import EventFile, with_slug
from silo.formats.topics import new_topic
from silo.model import DEFAULT_AGENT, Event, Write
from silo.text.lines import encode, sha256

COOLDOWN = 14  # days that a dismissed suggestion rests

Item = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Proposal:
    """A suggestion that is shown, with the id of its line; `line` is what to append, "" where the file says it already."""

    id: str
    suggestion: Suggestion
    agent: str
    line: str = ""

    def data(self) -> dict[str, object]:
        """The suggestion for `--json` (schemas/suggestions.schema.json)."""
        found = self.suggestion
        return {
            "id": self.id,
            "slug": found.slug,
            "title": found.title,
            "type": found.type,
            "why": found.why,
            "words": list(found.words),
            "events": [{"id": id_of(e), "date": e.date, "text": e.text} for e in found.events],
            **({"agent": self.agent} if self.agent != DEFAULT_AGENT else {}),
        }


def proposals(found: Iterable[Suggestion], items: Mapping[str, Item], today: date, agent: str) -> tuple[Proposal, ...]:
    """What to show today, in the order found. Items are matched once; a dismissed one may hold a suggestion back."""
    free = {key: item for key, item in items.items() if item.get("agent", DEFAULT_AGENT) == agent}
    shown: list[Proposal] = []
    for suggestion in found:
        key = _same(suggestion, free)
        if key is None:
            ident = proposal_id(suggestion.ids)
            shown.append(Proposal(ident, suggestion, agent, _line(ident, suggestion, today, agent)))
            continue
        item = free.pop(key)
        if item.get("status", "open") == "open":
            kept = _kept(suggestion, item)
            fresh = _line(key, kept, _day(item.get("created")) or today, agent)
            same = set(kept.ids) == set(_events(item))
            shown.append(Proposal(key, kept, agent, "" if same else fresh))
        elif _again(suggestion, item, today):
            shown.append(Proposal(key, suggestion, agent, _line(key, suggestion, today, agent)))
    return tuple(shown)


def renamed(proposal: Proposal, slug: str, title: str, today: date) -> Proposal:
    """A new proposal under another name."""
    found = replace(proposal.suggestion, slug=slug, title=title)
    return replace(proposal, suggestion=found, line=_line(proposal.id, found, today, proposal.agent))


def reroute(files: Iterable[EventFile], ids: frozenset[str], unfiled: frozenset[Event], slug: str) -> tuple[Write, ...]:
    """The event files with the slug put in place for those events that are still without a topic; every other byte stays."""
    changes: list[Write] = []
    for file in files:
        lines = list(file.lines)
        for event in file.events:
            if event in unfiled and id_of(event) in ids:
                lines[event.line - 1] = with_slug(lines[event.line - 1], slug)
        if tuple(lines) != file.lines:
            before = encode("".join(file.lines))
            changes.append(Write(file.path, sha256(before), encode("".join(lines)), f"re-routed to {slug}"))
    return tuple(changes)


def opened(item: Item, slug: str, kind: str, today: str, folder: str) -> tuple[str, Write]:
    """The topic file of an accepted suggestion: its path and the change that creates it.

    Its tags and names are what the events share, so that later events are routed to it.
    """
    agent = item.get("agent", DEFAULT_AGENT)
    words = [str(word) for word in item.get("words", ())]
    title = str(item.get("title", slug))
    text = new_topic(
        slug,
        type=kind,
        created=today,
        summary=f"{title}: {', '.join(words[:4])}." if words else f"{title}.",
        tags=words,
        entities=[str(name) for name in item.get("names", ())],
        extra={"agents": [agent]} if agent != DEFAULT_AGENT else None,
    )
    path = f"{folder}/{slug}.md"
    return path, Write(path, None, encode(text), "new topic")


def _same(suggestion: Suggestion, items: Mapping[str, Item]) -> str | None:
    """The item that is about the same events, the one that shares most."""
    mine = set(suggestion.ids)
    best: tuple[float, str] | None = None
    for key, item in sorted(items.items()):
        theirs = set(_events(item))
        both = len(mine & theirs)
        if theirs and 2 * both >= min(len(mine), len(theirs)) and (best is None or both > best[0]):
            best = (both, key)
    return best[1] if best else None


def _again(suggestion: Suggestion, item: Item, today: date) -> bool:
    """Whether a decided suggestion may come back: it has rested, and something was said since."""
    decided = _day(item.get("decided"))
    if decided is None:
        return True
    known = set(_events(item))
    newer = any(id_of(e) not in known and e.date > decided.isoformat() for e in suggestion.events)
    return newer and today >= decided + timedelta(days=COOLDOWN)


def _kept(suggestion: Suggestion, item: Item) -> Suggestion:
    """An open suggestion keeps the name under which the person has seen it."""
    return Suggestion(
        str(item.get("slug", suggestion.slug)),
        str(item.get("title", suggestion.title)),
        str(item.get("type", suggestion.type)),
        suggestion.why,
        suggestion.words,
        suggestion.names,
        suggestion.ids,
        suggestion.events,
    )


def _line(ident: str, found: Suggestion, created: date, agent: str) -> str:
    more: dict[str, object] = {"names": list(found.names)} if found.names else {}
    if agent != DEFAULT_AGENT:
        more["agent"] = agent
    return proposal_line(
        ident,
        slug=found.slug,
        title=found.title,
        type=found.type,
        events=found.ids,
        created=created.isoformat(),
        words=found.words,
        more=more,
    )


def _events(item: Item) -> list[str]:
    found = item.get("events", [])
    return [str(one) for one in found] if isinstance(found, list) else []


def _day(value: object) -> date | None:
    try:
        return date.fromisoformat(str(value)[:10])
    except ValueError:
        return None
