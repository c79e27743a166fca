"""The to-dos of one topic in one night: a new one gets its check box, one that is done its tick."""

from __future__ import annotations

from dataclasses import replace

from silo.core.facts import Add, Set
from silo.core.placing import heading_for
from silo.core.todos import DONE, closed_by
from silo.core.topicsheet import TopicSheet
from silo.formats.fields import fields
from silo.formats.topics import fact_id
from silo.model import Event, Tag
from silo.text.similar import same_statement


def tick_done(sheet: TopicSheet, event: Event, ident: str) -> None:
    """The open to-dos that the event says are done get their ticks."""
    said = fields(event.text).rest or event.text
    named = dict(event.extra).get(DONE)
    if named:
        done = [f for f in sheet.facts if f.done is False and (named in (f.id, *f.source.split(",")) or f.id == fact_id(named))][:1]
    else:
        done = list(closed_by(said, event.date, sheet.facts, sheet.completions))
    for fact in done:
        if f"{ident}>{fact.id}" in sheet.undone:
            continue
        sheet.apply(Set(fact.id, fact.text, "done", f"Said on {event.date}: {said}", ident, seen=max(event.date, fact.seen), done=True))
        sheet.verified = max(sheet.verified, event.date)
        sheet.counts["to-dos done"] += 1


def take_todo(sheet: TopicSheet, event: Event, ident: str) -> str:
    """A to-do stands as a check box; said again it is confirmed, with another day it moves."""
    parts = fields(event.text)
    for fact in sheet.facts:
        if fact.done is None:
            continue
        there = fields(fact.text)
        if not same_statement(there.rest or fact.text, parts.rest or event.text):
            continue
        if f"{ident}>{fact.id}" in sheet.undone:
            return "undone"
        if fact.done and event.date > (fact.seen or fact.since):
            continue  # it was done, and is to be done again
        if parts.due and parts.due != there.due and not fact.done:
            change = Set(fact.id, event.text, "due", f"Said on {event.date}", ident, seen=event.date)
            sheet.apply(change)
            sheet.grown.append(event)
            return "update"
        sheet.confirm(fact, event.date)
        return "duplicate"
    new = replace(sheet.fact_of(event, ident, event.text), done=False)
    if f"{ident}>{new.id}" in sheet.undone:
        return "undone"
    if any(fact.id == new.id for fact in sheet.facts):
        return "duplicate"
    sheet.apply(Add(new, heading_for(sheet.topic, Tag.TODO, event.text), "todo", f"Said on {event.date}", ident))
    sheet.grown.append(event)
    return "new"
