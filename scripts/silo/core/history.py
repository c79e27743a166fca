"""What a topic's changelog tells of the past: what was known, what was true, and which events no longer say what is so.

`replay` goes forward, `known_at` back, `as_of` tells what was true on a day. Changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from silo.core.facts import BY_HAND, TICKED, bare, named_facts, shown
from silo.formats.topics import ALSO, TopicFile
from silo.model import ChangeEntry


@dataclass(frozen=True, slots=True)
class Span:
    """A fact said `text` from `start` to before `end` (days; '' is open)."""

    id: str
    text: str
    start: str
    end: str


def state_of(topic: TopicFile) -> dict[str, str]:
    """The curated facts now: id → text with its check box, without a final full stop."""
    return {fact.id: shown(fact) for fact in named_facts(topic)}


def overruled(topics: Iterable[TopicFile], older: Iterable[ChangeEntry] = ()) -> dict[str, ChangeEntry]:
    """Events that no longer say what is so → the entry since when: a hand deleted or changed the fact that they stand
    behind, or it is a to-do that is done. `older` are entries in the archive file, of a single topic."""
    found: dict[str, ChangeEntry] = {}
    for topic in topics:
        there = {fact.id for fact in topic.facts}
        last: dict[str, ChangeEntry] = {}
        for entry in (*topic.changes, *older):  # newest first
            for ident in entry.facts:
                end = last.setdefault(ident, entry)
                if _overrules(end, there=ident in there):
                    for event in filter(None, entry.source.split(",")):
                        found[event] = max(end, found.get(event, end), key=lambda one: one.date)
    return found


def _overrules(entry: ChangeEntry, *, there: bool) -> bool:
    by_hand = entry.reason.startswith(BY_HAND)
    if entry.op == "end":
        return by_hand and not there
    return entry.op == "set" and (by_hand or entry.new.startswith(TICKED))


def superseded(topics: Iterable[TopicFile]) -> dict[str, str]:
    """Events that a later statement or a decision has left behind → the day since when: the fact that they stood behind says
    something else now, or is no more."""
    found: dict[str, str] = {}
    standing: set[str] = set()
    for topic in topics:
        there = {fact.id for fact in topic.facts}
        says = {fact.id: bare(fact.text) for fact in topic.facts}
        standing.update(source for fact in topic.facts for source in fact.source.split(","))
        later: dict[str, ChangeEntry] = {}  # the entry after the one that is looked at, of each fact
        for entry in topic.changes:  # newest first
            if entry.op == "note":  # it changes nothing: what it names is behind where the fact says something else
                if entry.field == ALSO and entry.facts and says.get(entry.facts[0]) != bare(entry.new):
                    found.update(dict.fromkeys(filter(None, entry.source.split(",")), entry.date))
                continue
            for ident in entry.facts:
                after = later.get(ident) or (entry if entry.op == "end" and ident not in there else None)
                if after is not None and after.op in ("set", "end") and bare(after.new) != bare(after.old):
                    found.update(dict.fromkeys(filter(None, entry.source.split(",")), after.date))
                later[ident] = entry
    return {event: day for event, day in found.items() if event not in standing}


def news_from(topics: Iterable[TopicFile]) -> dict[str, str]:
    """Event → the day from which the same words are news, or may be: see `overruled` and `superseded`."""
    files = tuple(topics)
    by_hand = {
        event: (date.fromisoformat(entry.date) + timedelta(days=1 if entry.new.startswith(TICKED) else -1)).isoformat()
        for event, entry in overruled(files).items()
    }
    return superseded(files) | by_hand


def replay(state: Mapping[str, str], changes: Iterable[ChangeEntry]) -> dict[str, str]:
    """The state after the changes, which stand newest first as in the file."""
    facts = dict(state)
    for entry in reversed(tuple(changes)):
        for ident in entry.facts:
            match entry.op:
                case "add" | "set" if entry.new or entry.op == "set":
                    facts[ident] = bare(entry.new)
                case "end" | "move":
                    facts.pop(ident, None)
    return facts


def known_at(topic: TopicFile, instant: str, older: Iterable[ChangeEntry] = ()) -> dict[str, str]:
    """What the memory held at an ISO instant or at the end of a day: the present state with later changes taken back.

    `older` are changelog entries that overflowed into the archive file. An entry that names many facts and no text (of an
    import) tells when they came, not what they said.
    """
    facts = state_of(topic)
    for entry in (*topic.changes, *older):
        if not _later(entry, instant):
            continue
        for ident in entry.facts:
            match entry.op:
                case "add":
                    facts.pop(ident, None)
                case "set" | "end" | "move" if entry.old:
                    facts[ident] = bare(entry.old)
    return facts


def timeline(topic: TopicFile, older: Iterable[ChangeEntry] = ()) -> tuple[Span, ...]:
    """Every value that a fact of the topic has had, with the days on which it held, oldest first for each fact."""
    spans: list[Span] = []
    there = {fact.id: fact for fact in named_facts(topic)}
    told: dict[str, list[ChangeEntry]] = {}
    for entry in reversed((*topic.changes, *older)):
        for ident in entry.facts:
            told.setdefault(ident, []).append(entry)
    for ident in dict.fromkeys([*told, *there]):
        start = ""
        for entry in told.get(ident, ()):
            if entry.op == "add":
                start = entry.valid[0] or entry.date
            elif entry.op in ("set", "end", "move") and entry.old:
                until = entry.valid[1] or entry.date
                if entry.op != "move" or not entry.valid[0]:  # it holds on in another topic, where it says since when
                    spans.append(Span(ident, bare(entry.old), max(entry.valid[0], start), until))
                start = until
        fact = there.get(ident)
        if fact is not None:
            spans.append(Span(ident, shown(fact), max(fact.since, start), ""))
    return tuple(spans)


def as_of(topic: TopicFile, day: str, older: Iterable[ChangeEntry] = ()) -> dict[str, str]:
    """What was true on a day, by what is known now: id → text."""
    return {
        span.id: span.text
        for span in timeline(topic, older)
        if (not span.start or span.start <= day) and (not span.end or day < span.end)
    }


def _later(entry: ChangeEntry, instant: str) -> bool:
    """Whether the entry was made after the instant; a bare day means its end."""
    if len(instant) == 10:
        return (entry.at[:10] or entry.date) > instant
    try:
        made, asked = datetime.fromisoformat(entry.at or f"{entry.date}T00:00:00"), datetime.fromisoformat(instant)
    except ValueError:
        return (entry.at or entry.date) > instant
    # A time without a zone is the local time of whoever wrote the entry.
    return made.replace(tzinfo=made.tzinfo or asked.tzinfo) > asked.replace(tzinfo=asked.tzinfo or made.tzinfo)
