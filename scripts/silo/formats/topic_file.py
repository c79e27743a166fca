"""Reading a topic file: YAML header, curated layer (facts and changelog), source layer. Re-exported by topics.py.

Every line is kept, so `render_topic` gives the text back. Damage is told as Problems and read as far as it can be;
`TopicFile.editable` says whether a job may write.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from silo.formats import comment, markdown
from silo.formats.changes import parse_change
from silo.formats.events import valid_slug
from silo.formats.fields import is_date
from silo.formats.header import Header, parse_header
from silo.formats.markdown import Kind, Line
from silo.formats.topic_shape import STATUSES, TYPES, Span, header_problems, layers
from silo.model import ChangeEntry, Fact, Problem, TopicInfo
from silo.text.fold import fold
from silo.text.lines import encode, invalid_lines, newline, one_line, split
from silo.text.tokens import terms

FACT_KEYS = ("since", "seen", "src")
FACT_ID = re.compile(r"f_[0-9a-f]{12}\Z")

_BOX = re.compile(r"\[([ xX])\](?:\s+|\Z)")
_CHANGELOG = re.compile(r"change\s?log\s*:?\Z", re.IGNORECASE)
_BLOCK_TITLE = re.compile(r"(\d{4}(?:-\d{2}){0,2})(?![\w-])\s*(?:[—–:-]+\s*)?(.*)\Z")


@dataclass(frozen=True, slots=True)
class Bullet:
    """Where a fact stands: lines start…end are its own, up to `below` all that is indented under it."""

    fact: Fact
    start: int
    end: int
    below: int
    indent: int
    prefix: str


@dataclass(frozen=True, slots=True)
class Entry:
    """Where a changelog entry stands."""

    change: ChangeEntry
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of the curated layer; `at` is the index of its line."""

    text: str
    level: int
    at: int


@dataclass(frozen=True, slots=True)
class SourceBlock:
    """A block of the source layer, heading included; `text` is all of it, byte for byte."""

    date: str
    title: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class TopicFile:
    """A topic file as read. `slug` is the file's name; `curated` and `source` are the lines between the markers."""

    path: str
    slug: str
    lines: tuple[str, ...]
    header: Header
    bullets: tuple[Bullet, ...] = ()
    entries: tuple[Entry, ...] = ()
    blocks: tuple[SourceBlock, ...] = ()
    headings: tuple[Heading, ...] = ()
    changelog: int | None = None  # index of the line of `## Changelog`
    curated: Span | None = None
    source: Span | None = None
    editable: bool = False
    newline: str = "\n"
    problems: tuple[Problem, ...] = ()

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The curated facts in the order of the file."""
        return tuple(bullet.fact for bullet in self.bullets)

    @property
    def changes(self) -> tuple[ChangeEntry, ...]:
        """The changelog in the order of the file, newest first."""
        return tuple(entry.change for entry in self.entries)


def slug_of(path: str) -> str:
    """'memory/topics/acme-crm.md' → 'acme-crm', and the same for its archive file."""
    return path.rpartition("/")[2].removesuffix(".md").removesuffix(".archive")


def is_archive(path: str) -> bool:
    """Whether the path is that of a topic's archive file (`<slug>.archive.md`)."""
    return path.endswith(".archive.md")


def fact_id(event_id: str) -> str:
    """The id of the fact that an event created: `f_` + 12 hex of SHA-256 of the event's id."""
    return "f_" + hashlib.sha256(encode(event_id)).hexdigest()[:12]


def hand_fact_id(slug: str, text: str, nth: int) -> str:
    """The id of a bullet typed by hand: over slug, folded text and how many same ones stand before it."""
    return "f_" + hashlib.sha256(encode("\x1f".join((slug, fold(text), str(nth))))).hexdigest()[:12]


def with_ids(facts: Iterable[Fact], taken: Iterable[str] = ()) -> tuple[Fact, ...]:
    """The facts, each with an id of its own: bullets by hand and copies of an id that stands before get a new one.

    `taken` are ids that no new one may repeat, such as those that the changelog names.
    """
    given = tuple(facts)
    used = {*taken, *(fact.id for fact in given if fact.id)}
    seen: set[str] = set()
    counts: dict[str, int] = {}
    found: list[Fact] = []
    for fact in given:
        same = fold(fact.text)
        nth = counts.get(same, 0)
        counts[same] = nth + 1
        name = fact.id if fact.id not in seen else ""
        while not name or (not fact.id and name in used) or name in seen:
            name = hand_fact_id(fact.slug, fact.text, nth)
            nth += 1
            if name in used:
                name = ""
        seen.add(name)
        used.add(name)
        found.append(fact if name == fact.id else replace(fact, id=name))
    return tuple(found)


def parse_topic(text: str, path: str = "") -> TopicFile:
    """A topic file, or its archive file (same shape, no required keys). Never fails; see `problems` and `editable`."""
    lines = split(text)
    slug = slug_of(path)
    header = parse_header(lines, path)
    problems = list(header.problems) if not is_archive(path) else []
    if path and not is_archive(path):
        problems.extend(header_problems(header, path, slug))
    curated, source, editable, wrong = layers(lines, header.end, path)
    problems.extend(wrong)
    problems.extend(
        Problem(f"{path}:{number}", "invalid-utf8", "bytes that are not UTF-8; they are kept as they stand")
        for number in invalid_lines(text)
    )
    topic = TopicFile(
        path,
        slug,
        tuple(lines),
        header,
        curated=curated,
        source=source,
        editable=editable,
        newline=newline(text),
    )
    if curated is not None:
        topic = _with_curated(topic, curated, problems)
    if source is not None:
        topic = replace(topic, blocks=_blocks(lines, source))
    return replace(topic, problems=tuple(problems))


def render_topic(topic: TopicFile) -> str:
    """The text that `parse_topic` read."""
    return "".join(topic.lines)


def info(topic: TopicFile) -> TopicInfo:
    """What routing, index and context need. Values that are no valid ones count as the defaults."""
    header = topic.header
    kind, status, sensitivity = (header.text(key) for key in ("type", "status", "sensitivity"))
    facts = [tuple(terms(fact.text)) for fact in topic.facts]
    headings = [tuple(terms(heading.text)) for heading in topic.headings if heading.at != topic.changelog]
    words = dict.fromkeys(word for found in (*headings, *facts) for word in found)
    return TopicInfo(
        slug=topic.slug,
        type=kind if kind in TYPES else "reference",
        status=status if status in STATUSES else "active",
        tags=header.list("tags"),
        entities=header.list("entities"),
        summary=one_line(header.text("summary")),
        path=header.text("path"),
        aliases=_aliases(header, topic.slug),
        # Whatever else a person wrote there was meant to hide something.
        sensitivity="normal" if sensitivity in ("", "normal") else "private",
        agents=header.list("agents"),
        last_verified=header.text("last_verified"),
        last_curated=header.text("last_curated"),
        file=topic.path,
        words=tuple(words),
        said=tuple(frozenset(found) for found in facts),
    )


def _aliases(header: Header, slug: str) -> tuple[str, ...]:
    """Its other names: those of the header, and the one that the header still has where a hand renamed the file."""
    old = valid_slug(header.text("topic") or header.text("slug"))
    return tuple(dict.fromkeys([*header.list("aliases"), *([old] if old and old != slug else [])]))


def _with_curated(topic: TopicFile, span: Span, problems: list[Problem]) -> TopicFile:
    start, end = span
    scanned = markdown.scan(topic.lines[start:end])
    headings = [
        Heading(line.text, line.level, start + n)
        for n, line in enumerate(scanned)
        if line.kind is Kind.HEADING
    ]
    bullets: list[Bullet] = []
    entries: list[Entry] = []
    logs: list[Heading] = []
    log: Heading | None = None
    heading = ""
    ids: dict[str, int] = {}
    for n, line in enumerate(scanned):
        at = start + n
        if line.kind is Kind.HEADING:
            heading = line.text
            if _CHANGELOG.match(line.text):
                log = Heading(line.text, line.level, at)
                logs.append(log)
            elif log is not None and line.level <= log.level:
                log = None
        if line.kind is not Kind.BULLET:
            continue
        stop = _text_end(scanned, n)
        if log is not None:
            change = parse_change(_joined(scanned[n:stop]), topic.path, at + 1)
            if isinstance(change, Problem):
                problems.append(change)
            else:
                entries.append(Entry(change, at, start + stop))
            continue
        fact = _fact(scanned[n:stop], topic, heading, at + 1)
        if fact.text:
            bullets.append(
                Bullet(fact, at, start + stop, start + _below(scanned, n, stop), line.indent, line.prefix)
            )
        if fact.text and fact.id and ids.setdefault(fact.id, at) != at:
            message = (
                f"the id {fact.id} stands on line {ids[fact.id] + 1} already; this copy counts as a new fact"
            )
            problems.append(Problem(f"{topic.path}:{at + 1}", "duplicate-id", message))
    problems.extend(_log_problems(logs, headings, topic.path))
    return replace(
        topic,
        bullets=tuple(bullets),
        entries=tuple(entries),
        headings=tuple(headings),
        changelog=logs[0].at if logs else None,
    )


def _log_problems(logs: list[Heading], headings: list[Heading], path: str) -> list[Problem]:
    found = [
        Problem(
            f"{path}:{log.at + 1}",
            "duplicate-changelog",
            f"a changelog starts on line {logs[0].at + 1} already",
        )
        for log in logs[1:]
    ]
    after = next(
        (h for h in headings if logs and h.at > logs[0].at and h.level <= logs[0].level and h not in logs),
        None,
    )
    if after is not None:
        message = "the changelog is to be the last section of the curated layer"
        found.append(Problem(f"{path}:{after.at + 1}", "changelog-not-last", message))
    return found


def _text_end(lines: Sequence[Line], n: int) -> int:
    """The end of a bullet's own text: plain lines directly below that are indented deeper than its marker."""
    end = n + 1
    while end < len(lines) and lines[end].kind is Kind.TEXT and lines[end].indent > lines[n].indent:
        end += 1
    return end


def _below(lines: Sequence[Line], n: int, end: int) -> int:
    """The end of all that is indented under a bullet: paragraphs, fences, bullets, with the blank lines between."""
    below = end
    for at in range(end, len(lines)):
        if lines[at].kind is Kind.BLANK:
            continue
        if lines[at].indent <= lines[n].indent:
            break
        below = at + 1
    return below


def _joined(lines: Sequence[Line]) -> str:
    return " ".join(line.text.strip() for line in lines)


def _fact(lines: Sequence[Line], topic: TopicFile, heading: str, number: int) -> Fact:
    parts: list[str] = []
    comments: list[str] = []
    for line in lines:
        text, found = comment.split(line.text, FACT_KEYS, FACT_ID)
        parts.append(text.strip())
        comments.extend(found)
    text = " ".join(part for part in parts if part)
    box = _BOX.match(text)
    if box is not None:
        text = text[box.end() :]
    known, extra = comment.take(comment.read(comments, FACT_KEYS, FACT_ID), FACT_KEYS)
    ids = [key for key, value in extra if not value and FACT_ID.match(key)]
    return Fact(
        slug=topic.slug,
        text=markdown.unescape_start(comment.show(text)),
        id=ids[0] if ids else "",
        since=known.get("since", ""),
        seen=known.get("seen", ""),
        source=known.get("src", ""),
        heading=heading,
        done=None if box is None else box[1] != " ",
        extra=tuple(pair for pair in extra if not ids or pair != (ids[0], "")),
        path=topic.path,
        line=number,
    )


def _blocks(lines: Sequence[str], span: Span) -> tuple[SourceBlock, ...]:
    start, end = span
    scanned = markdown.scan(lines[start:end])
    starts = [n for n, line in enumerate(scanned) if line.kind is Kind.HEADING and line.level == 3]
    found: list[SourceBlock] = []
    for n, stop in zip(starts, [*starts[1:], end - start], strict=False):
        hit = _BLOCK_TITLE.match(scanned[n].text)
        date, title = (hit[1], hit[2]) if hit is not None and is_date(hit[1]) else ("", scanned[n].text)
        text = "".join(lines[start + n : start + stop])
        found.append(SourceBlock(date, comment.show(title.strip()), text, start + n, start + stop))
    return tuple(found)
