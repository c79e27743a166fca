"""memory/events/YYYY-MM-DD.md: one tagged line an event. The log is read line by line, whatever stands around a line.

`parse_file` keeps every line, so `render_file` gives the text back; lines that are no events are nobody's business.
Does not decide what is a duplicate, where a slug leads or who may see an event.
"""

from __future__ import annotations

import difflib
import hashlib
import re
from dataclasses import dataclass
from datetime import date as Date

from silo.formats import comment
from silo.formats.fields import EventFields as EventFields
from silo.formats.fields import fields as fields
from silo.model import DEFAULT_AGENT, Confidence, Event, Problem, Tag
from silo.text.fold import fold
from silo.text.lines import BOM, encode, invalid_lines, one_line, split

MAX_TEXT = 500  # characters of visible text
MAX_SLUG = 40

_KEYS = ("id", "conf", "src", "imp", "cat", "agent")
_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*\Z")
_DEVICES = frozenset(
    ["con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))]
)
_AGENT = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}\Z")
_ID = re.compile(r"e_[0-9a-f]{12}\Z")
# [TAG], [AUTO-TAG], [TAG:CONFIDENCE], with or without a bullet before it.
_LINE = re.compile(r"\s*(?:[-*+]\s+)?\[(?:AUTO-)?([A-Za-z]{2,20})(?::([A-Za-z]{2,20}))?\]\s+(?=\S)")
_NAME = re.compile(r"([^:\s][^:]{0,79}?)\s*:\s+")


@dataclass(frozen=True, slots=True)
class EventFile:
    """A day of the log: all its lines with their ends, the events among them, and what is wrong with the others."""

    path: str
    date: str
    lines: tuple[str, ...]
    events: tuple[Event, ...]
    problems: tuple[Problem, ...]


def head(date: str) -> bytes:
    """The first bytes of a new event file."""
    return f"# Events {date}\n\n".encode()


def event_path(date: str) -> str:
    """Where the events of a day stand, relative to the workspace."""
    return f"memory/events/{date}.md"


def valid_slug(slug: str) -> str | None:
    """The slug if it may name a topic, else None: 2–40 of a–z, 0–9 and single inner dashes, no Windows device name."""
    good = 2 <= len(slug) <= MAX_SLUG and _SLUG.match(slug) is not None and slug not in _DEVICES
    return slug if good else None


def slug_for(name: str) -> str | None:
    """The nearest valid slug to a name: 'Acme CRM (2026)' → 'acme-crm-2026'; None where nothing of it can stand."""
    bare = re.sub(r"[^a-z0-9]+", "-", fold(name)).strip("-")
    if len(bare) > MAX_SLUG:
        whole = bare[: MAX_SLUG + 1].rpartition("-")[0]
        bare = (whole or bare)[:MAX_SLUG].strip("-")
    return valid_slug(bare) or valid_slug(f"{bare}-topic")


def valid_agent(agent: str) -> str | None:
    """The agent's id if it is one, else None; ids are refused, never cleaned, because they become folder names."""
    return agent if _AGENT.match(agent) else None


def event_id(agent: str, date: str, tag: Tag, text: str, nth: int) -> str:
    """`e_` + 12 hex of SHA-256 over agent, date, tag, folded text and how many same ones the day already holds."""
    parts = (agent, date, tag.value, fold(text), str(nth))
    return "e_" + hashlib.sha256(encode("\x1f".join(parts))).hexdigest()[:12]


def is_event_id(word: str) -> bool:
    """Whether the word has the shape of an event's id."""
    return _ID.match(word) is not None


def parse_line(line: str, date: str, path: str, number: int) -> Event | Problem | None:
    """The event of a line, or what is wrong with a line that means to be one, or None for any other line."""
    event, problems = _read(line, date, path, number)
    return event or (problems[0] if problems else None)


def render_line(event: Event) -> str:
    """The event as one line without line end; `parse_line` gives the event back (its text on one line)."""
    importance = "" if event.importance is None else f"{event.importance:.4f}".rstrip("0").rstrip(".")
    pairs = [
        ("id", event.id),
        ("conf", event.confidence.value),
        ("src", event.source),
        ("imp", importance),
        ("cat", event.category),
        ("agent", event.agent if event.agent != DEFAULT_AGENT else ""),
    ]
    end = comment.render([*(pair for pair in pairs if pair[1]), *event.extra])
    return f"[{event.tag}] {event.slug}: {comment.hide(one_line(event.text))}{end}"


def parse_file(text: str, path: str) -> EventFile:
    """All events of a day's file; the day is the file's name. Problems carry `path:line`."""
    lines = tuple(split(text))
    date = path.rpartition("/")[2].removesuffix(".md")
    if not _is_date(date):
        message = "an event file is named YYYY-MM-DD.md; rename it, its lines are not read"
        return EventFile(path, "", lines, (), (Problem(f"{path}:1", "bad-date", message),))
    events: list[Event] = []
    problems = [
        Problem(f"{path}:{number}", "invalid-utf8", "bytes that are not UTF-8; they are kept as they stand")
        for number in invalid_lines(text)
    ]
    ids: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        event, wrong = _read(line, date, path, number)
        problems.extend(wrong)
        if event is None:
            continue
        events.append(event)
        if event.id and ids.setdefault(event.id, number) != number:
            message = f"the id {event.id} stands on line {ids[event.id]} already"
            problems.append(Problem(f"{path}:{number}", "duplicate-id", message))
    return EventFile(path, date, lines, tuple(events), tuple(problems))


def render_file(file: EventFile) -> str:
    """The text that `parse_file` read."""
    return "".join(file.lines)


def with_slug(line: str, slug: str) -> str:
    """The line of an event with another slug, and every other byte as it was."""
    name = _name(line)
    if name is None:
        raise ValueError("not an event line")
    start, end, _ = name
    return line[:start] + slug + line[end:]


def _is_date(text: str) -> bool:
    try:
        return Date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _name(line: str) -> tuple[int, int, int] | None:
    """Where the slug starts and ends and where the text starts, in a line that has a tag."""
    tagged = _LINE.match(line, 1 if line.startswith(BOM) else 0)
    named = _NAME.match(line, tagged.end()) if tagged else None
    return (named.start(1), named.end(1), named.end()) if named else None


def _read(line: str, date: str, path: str, number: int) -> tuple[Event | None, list[Problem]]:
    tagged = _LINE.match(line, 1 if line.startswith(BOM) else 0)
    if tagged is None or not (tagged[1].isupper() or tagged[1].upper() in Tag.__members__):
        return None, []
    where = f"{path}:{number}"
    tag = Tag.__members__.get(tagged[1].upper())
    if tag is None:
        return None, [Problem(where, "unknown-tag", _unknown_tag(tagged[1]))]
    name = _name(line)
    slug = line[name[0] : name[1]] if name else ""
    if name is None or (valid_slug(slug) is None and len(slug.split()) > 4):
        near = f"write `[{tag}] slug: text`, with `general` where no topic fits"
        return None, [Problem(where, "no-slug", f"no topic before the text; {near}")]
    if valid_slug(slug) is None:
        better = slug_for(slug)
        hint = f"did you mean `{better}`?" if better else "2–40 of a–z, 0–9 and single dashes"
        return None, [Problem(where, "bad-slug", f"`{slug}` can't name a topic; {hint}")]
    text, comments = comment.split(line[name[2] :], _KEYS, _ID)
    if not text:
        return None, [Problem(where, "empty-text", "an event line without text")]
    pairs = comment.read(comments, _KEYS, _ID)
    return _event(tag, tagged[2] or "", slug, comment.show(text), pairs, date, path, number)


def _event(
    tag: Tag, spoken: str, slug: str, text: str, pairs: comment.Pairs, date: str, path: str, number: int
) -> tuple[Event | None, list[Problem]]:
    """An event from a line's parts. A value that can't be read stays among the unknown keys, so that it is not lost."""
    where = f"{path}:{number}"
    known, extra = comment.take(pairs, _KEYS)
    problems: list[Problem] = []
    if len(text) > MAX_TEXT:
        problems.append(
            Problem(where, "long-text", f"{len(text)} characters; an event has at most {MAX_TEXT}")
        )
    agent = known.get("agent", DEFAULT_AGENT)
    if valid_agent(agent) is None:
        return None, [
            Problem(where, "bad-agent", "the agent's id is not a–z, 0–9, _ and -; nobody may see the line")
        ]
    if known.get("id") and not is_event_id(known["id"]):
        problems.append(
            Problem(where, "bad-id", "an id is e_ and 12 hex digits; the line counts as typed by hand")
        )
        extra = (("id", known.pop("id")), *extra)
    level = known.get("conf", spoken).lower()
    confidence = Confidence.__members__.get(level.upper()) if level else Confidence.CONFIRMED
    if confidence is None:
        message = f"unknown confidence `{level}`; the line counts as tentative"
        problems.append(Problem(where, "bad-confidence", message))
        confidence = Confidence.TENTATIVE
        extra = (("conf", known["conf"]), *extra) if "conf" in known else extra
    importance = _number(known.get("imp", ""))
    if known.get("imp") and importance is None:
        problems.append(Problem(where, "bad-importance", "an importance is a number from 0 to 1"))
        extra = (("imp", known["imp"]), *extra)
    event = Event(
        date, tag, slug, text, known.get("id", ""), confidence, importance, known.get("cat", ""), agent,
        known.get("src", ""), extra, path, number,
    )  # fmt: skip
    return event, problems


def _number(text: str) -> float | None:
    value = float(text) if re.fullmatch(r"\d(?:\.\d{1,9})?|\.\d{1,9}", text) else 2.0
    return value if value <= 1 else None


def _unknown_tag(word: str) -> str:
    near = difflib.get_close_matches(word.upper(), list(Tag.__members__), n=1)
    known = ", ".join(Tag.__members__)
    return f"unknown tag [{word}]; " + (f"did you mean [{near[0]}]?" if near else f"known are {known}")
