"""A topic-file memory of another place: its topics and its event log, laid beside or into ours.

A topic that we lack comes as it is, its bullets with ids and one changelog entry; of one that we have, the facts that it
lacks. Events keep their ids and days; what the log says already is passed over.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from silo.core.dedupe import Log, id_of
from silo.core.doors import Numbering
from silo.formats.events import parse_file, valid_slug
from silo.formats.topics import (
    TopicFile,
    add_change,
    add_source_block,
    attach_id,
    insert_fact,
    new_topic,
    parse_topic,
    set_header,
    with_ids,
)
from silo.model import ChangeEntry, Event, Fact, Problem
from silo.text.redact import redact_lines
from silo.text.similar import same_statement


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic after the import: its text, whether it is new, how many facts came; None where nothing came."""

    slug: str
    text: str | None
    facts: int
    new: bool
    problems: tuple[Problem, ...] = ()


def slug_of_import(text: str, path: str) -> str:
    """The slug that a topic file names itself by, else its file's name; "" for neither."""
    header = parse_topic(text, path).header
    named = header.text("topic") or header.text("slug") or path.rpartition("/")[2].removesuffix(".md")
    return valid_slug(named) or ""


def lay_topic(text: str, slug: str, source: str, present: str | None, path: str, *, day: str, at: str, taken: Iterable[str]) -> Topic:
    """One topic file. `path` is where ours is or will be, `taken` ids of facts that other topics have, `at` an ISO instant."""
    clean = redact_lines(text)
    given = parse_topic(clean, path)
    if not given.editable:
        return Topic(slug, None, 0, present is None, given.problems)
    entry = ChangeEntry(day, "facts", "", "", "", (), "add", at, source)
    if present is None:
        made = _whole(clean, given, slug, path, entry, frozenset(taken))
        return Topic(slug, made, len(parse_topic(made, path).facts), True, given.problems)
    ours = parse_topic(present, path)
    if not ours.editable:
        return Topic(slug, None, 0, False, ours.problems)
    made, number = _more(present, ours, given, entry, frozenset(taken))
    return Topic(slug, made if made != present else None, number, False, given.problems)


def _whole(text: str, given: TopicFile, slug: str, path: str, entry: ChangeEntry, taken: frozenset[str]) -> str:
    """The file as it is: its name in the header, an id at every bullet, one changelog entry for those that had none."""
    if not given.header.start:
        empty = new_topic(slug, type="reference", created=entry.date, summary="")
        text = empty.split("\n---\n", 1)[0] + "\n---\n" + text
    if (given.header.text("topic") or given.header.text("slug")) != slug:
        text = set_header(text, "topic", slug)
    used = set(taken) | {fact.id for fact in given.facts if fact.id}
    fresh: list[str] = []
    for fact in reversed(parse_topic(text, path).facts):  # from the end: a line never moves those before it
        if not fact.id:
            numbered = with_ids([replace(fact, slug=slug)], used)[0]
            text = attach_id(text, fact.line, numbered.id)
            used.add(numbered.id)
            fresh.insert(0, numbered.id)
    return add_change(text, _counted(entry, fresh)) if fresh else text


def _more(present: str, ours: TopicFile, given: TopicFile, entry: ChangeEntry, taken: frozenset[str]) -> tuple[str, int]:
    """Our file with the facts and source blocks that it lacks, and how many facts."""
    known_ids = {fact.id for fact in ours.facts if fact.id} | {one for change in ours.changes for one in change.facts}
    lacking: list[Fact] = []
    for fact in given.facts:
        if fact.id in known_ids or any(same_statement(fact.text, mine.text) for mine in (*ours.facts, *lacking)):
            continue
        lacking.append(replace(fact, slug=ours.slug))
    used = set(taken) | known_ids
    fresh: list[str] = []
    for fact in lacking:
        one = fact if fact.id and fact.id not in used else with_ids([replace(fact, id="")], used)[0]
        present = insert_fact(present, one, one.heading)
        used.add(one.id)
        fresh.append(one.id)
    blocks = {block.text.strip() for block in ours.blocks}
    for block in reversed(given.blocks):
        if block.text.strip() not in blocks:
            present = add_source_block(present, block.text)
    return (add_change(present, _counted(entry, fresh)) if fresh else present), len(fresh)


def _counted(entry: ChangeEntry, ids: list[str]) -> ChangeEntry:
    number = f"{len(ids)} {'fact' if len(ids) == 1 else 'facts'} taken in from {entry.source}"
    return replace(entry, new=number, facts=tuple(ids))


def lay_events(text: str, path: str, log: Log, numbering: Numbering, ids: set[str], agent: str) -> tuple[list[Event], int, tuple[Problem, ...]]:
    """(the events of a day file that the log lacks, how many it has, problems). `ids` grows by those that come."""
    file = parse_file(redact_lines(text), path)
    found: list[Event] = []
    known = 0
    for event in file.events:
        one = replace(event, path="", line=0, agent=agent)
        if id_of(event) in ids or log.restates(one) is not None:
            known += 1
            continue
        one = one if one.id else numbering.number(one)
        ids.add(one.id)
        log.add([one])
        found.append(one)
    return found, known, file.problems
