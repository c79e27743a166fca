"""Makes or extends a topic file from a named section: its lines become curated facts, with one changelog entry.

A nested line becomes a fact that is readable alone (`gearbox: bearing ordered 3 May`); every word of the source stands
in the file as it was, or there is no topic file (None) and the caller keeps the section in a tier file.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from silo.core.migrate.reading import Block, Document, Kind, bare, indent_of
from silo.formats.topics import add_change, insert_fact, new_topic, parse_topic, render_fact, with_ids
from silo.model import ChangeEntry, Fact
from silo.text.dates import find_dates
from silo.text.lines import one_line

_ITEM = re.compile(r"[ \t]*(?:[-*+•‣▪–]|\d{1,4}[.)])(?:[ \t]+|$)")
_BOX = re.compile(r"\[([ xX✓✔~-]?)\][ \t]+")
_AHEAD = re.compile(
    r"\b(?:due|deadline|by|until|till|expires?|promised|planned|scheduled|prazo|até|ate|plazo|hasta)\b", re.I
)
_PREFIX_MOST = 60  # characters of a parent line that are repeated before each nested one


@dataclass(slots=True)
class Part:
    """A section of a topic: its heading ("" is the topic's own), facts as (line, text, done), and lines kept as they are."""

    heading: str
    facts: list[tuple[int, str, bool | None]] = field(default_factory=list)
    raw: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Subject:
    """What the file is about and when it is made. `source` is the file the facts come from."""

    slug: str
    title: str
    type: str
    today: date
    at: str
    source: str


def item_facts(
    document: Document, block: Block, labels: Sequence[str]
) -> list[tuple[int, str, bool | None]] | None:
    """The facts of an item or paragraph as (line, text, done); None where its form can't be said in bullets."""
    lines = [bare(line) for line in document.raw(block)]
    if block.kind is Kind.PARAGRAPH:
        return [(block.start, _prefixed(labels, " ".join(line.strip() for line in lines)), None)]
    if any(re.match(r"[ \t]*(?:```|~~~|\||>|<!--|#)", line) for line in lines[1:]):
        return None
    found: list[tuple[int, str, bool | None]] = []
    above: list[tuple[int, str]] = [(-1, label) for label in labels]
    for offset, line in enumerate(lines):
        if not line.strip():
            continue
        hit = _ITEM.match(line)
        if hit is None:
            if not found:
                return None
            number, text, done = found[-1]
            found[-1] = number, f"{text} {line.strip()}", done
            continue
        text, done = line[hit.end() :].strip(), None
        if box := _BOX.match(text):
            done, text = box[1] not in ("", " ", "~", "-"), text[box.end() :]
        depth = indent_of(line)
        above = [(d, t) for d, t in above if d < depth]
        short = len(text) <= _PREFIX_MOST and _has_nested(lines, offset, depth)
        if not short or done is not None:
            found.append((block.start + offset, _prefixed([t for _, t in above], text), done))
        if short:
            above.append((depth, text))
    return found


def _has_nested(lines: Sequence[str], at: int, depth: int) -> bool:
    below = next((x for x in lines[at + 1 :] if x.strip()), "")
    return _ITEM.match(below) is not None and indent_of(below) > depth


def _prefixed(above: Sequence[str], text: str) -> str:
    """The line with those above it before it: `gearbox: bearing ordered 3 May`."""
    return "".join([*(f"{t} " if t.endswith((":", "\uff1a")) else f"{t}: " for t in above), text])


def build(subject: Subject, parts: Sequence[Part], old: str | None, path: str) -> str | None:
    """The topic file with the facts in it. None if they can't stand there word for word."""
    facts = _facts(subject, parts, old, path)
    if facts is None or (old is not None and any(part.raw for part in parts)):
        return None
    if not facts:
        return old  # the file says all of it already
    text = old if old is not None else _empty(subject, facts[0].text)
    if old is None:
        text = _fill(text, subject, parts, facts)
    else:
        for fact in facts:
            text = insert_fact(text, fact, fact.heading)
    count = len(facts)
    text = add_change(
        text,
        ChangeEntry(
            subject.today.isoformat(), "facts", f"{count} {'fact' if count == 1 else 'facts'} taken in from {subject.source}",
            "", "", tuple(f.id for f in facts), "add", subject.at, subject.source,
        ),
    )  # fmt: skip
    topic = parse_topic(text, path)
    wanted = {(fact.id, fact.text) for fact in facts}
    if not topic.editable or not wanted <= {(fact.id, fact.text) for fact in topic.facts}:
        return None
    before = parse_topic(old, path).problems if old is not None else ()
    return text if {p.code for p in topic.problems} <= {p.code for p in before} | {"invalid-utf8"} else None


def _facts(subject: Subject, parts: Sequence[Part], old: str | None, path: str) -> list[Fact] | None:
    """The new facts with their ids; what the file already says word for word is passed over."""
    topic = parse_topic(old, path) if old is not None else None
    if topic is not None and not topic.editable:
        return None
    known = {one_line(f.text) for f in topic.facts} if topic else set()
    new = [
        Fact(
            subject.slug, one_line(text), since=_since(text, subject.today), source=f"{subject.source}:{line}",
            heading=part.heading, done=done,
        )
        for part in parts
        for line, text, done in part.facts
        if one_line(text) and one_line(text) not in known
    ]  # fmt: skip
    if any(render_fact(f).find(f.text) < 0 for f in new):
        return None
    taken = [f.id for f in topic.facts] + [i for c in topic.changes for i in c.facts] if topic else []
    numbered = with_ids([*(topic.facts if topic else ()), *new], taken)
    return list(numbered[len(topic.facts) if topic else 0 :])


def _since(text: str, today: date) -> str:
    """The day since when a fact holds: the one date of its text, where that is past and no deadline."""
    hits = [h for h in find_dates(text[:500], today) if h.kind == "absolute" and len(h.value) == 10]
    days = {h.value for h in hits if h.value <= today.isoformat()}
    return days.pop() if len(days) == 1 and len(hits) == 1 and not _AHEAD.search(text[:500]) else ""


def _empty(subject: Subject, first: str) -> str:
    name = re.sub(r"^[^\w(\"']+", "", subject.title) or subject.title
    summary = one_line(f"{name}: {first}")[:150]
    made = new_topic(subject.slug, type=subject.type, created=subject.today.isoformat(), summary=summary)
    return made.replace(f"\n# {subject.slug}\n", f"\n# {one_line(subject.title)}\n", 1)


def _fill(text: str, subject: Subject, parts: Sequence[Part], facts: Sequence[Fact]) -> str:
    """The sections in their order, between the title and the changelog."""
    queue = list(facts)
    body: list[str] = []
    for part in parts:
        size = len(part.facts)
        mine = [f for f in queue[:size] if f.heading == part.heading]
        queue = queue[len(mine) :]
        if body:
            body.append("")
        body.append(f"## {one_line(part.heading) or 'Facts'}")
        body += [f"- {render_fact(f)}" for f in mine]
        if part.raw:
            body += [*([""] if mine else []), *part.raw]
    made = "\n".join(body) + "\n"
    return text.replace("## Facts\n", made, 1)
