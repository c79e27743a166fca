"""The one way into the event log: whatever accepts a statement turns it into event lines here.

Pure: the caller gives what the log already holds. Does not screen, route or dedupe.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable
from dataclasses import replace

from silo.formats.events import event_id, head, render_line
from silo.model import Append, Event, Tag
from silo.text.fold import fold
from silo.text.lines import encode

LOG = "memory/events"
PRIVATE_LOG = ".silo/private/events"

def log_path(event: Event, private: frozenset[str]) -> str:
    """The file that an event belongs to: events of private topics stay out of the host's search."""
    folder = PRIVATE_LOG if event.slug in private else LOG
    return f"{folder}/{event.date}.md"


class Numbering:
    """Gives each new event its id: the n-th same statement of an agent, day and tag has an id of its own.

    `used` are ids that had an event once (undone, deleted by hand): what was decided of it is not true of another one.
    """

    def __init__(self, existing: Iterable[Event], used: Container[str] = ()) -> None:
        events = tuple(existing)
        self._seen: Counter[tuple[str, str, Tag, str]] = Counter(self._key(e) for e in events)
        self._ids = {event.id for event in events}
        self._used = used

    @staticmethod
    def _key(event: Event) -> tuple[str, str, Tag, str]:
        return event.agent, event.date, event.tag, fold(event.text)

    def number(self, event: Event) -> Event:
        """The event with its id (format: references/formats.md, event line)."""
        key = self._key(event)
        while True:
            ident = event_id(event.agent, event.date, event.tag, event.text, self._seen[key])
            self._seen[key] += 1
            if ident not in self._ids and ident not in self._used:
                self._ids.add(ident)
                return replace(event, id=ident)


def appends(events: Iterable[Event], private: frozenset[str], why: str) -> tuple[Append, ...]:
    """One append a day file, lines in the order given."""
    lines: dict[tuple[str, str], list[str]] = {}
    for event in events:
        lines.setdefault((log_path(event, private), event.date), []).append(render_line(event) + "\n")
    return tuple(
        Append(path, encode("".join(found)), head=head(date), why=why) for (path, date), found in sorted(lines.items())
    )
