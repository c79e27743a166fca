"""The job behind `why`: from a fact, event or review item back to the words that it rests on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from silo.core.curate import typed_twice
from silo.core.dedupe import id_of
from silo.core.evidence import Source, digest, read_source
from silo.core.facts import named_facts
from silo.edge.reader import Reader
from silo.errors import BadInput, Trouble
from silo.formats.decisions import read_decisions
from silo.jobs.reading import REVIEW, Topics, read_events, read_topics
from silo.jobs.run import Call, Report
from silo.jobs.transcripts import find_session
from silo.model import ChangeEntry, Event, Fact
from silo.text.lines import decode
from silo.text.recalled import shown


def why(call: Call, ident: str) -> Report:
    """The fact or event, its history, and the quoted source of each event that it rests on.

    Raises:
        BadInput: the memory knows no such id.
    """
    workspace = call.look()
    topics = read_topics(workspace)
    taken: dict[str, str] = {}  # a line typed by hand has the id that the night gave it
    lines = (typed_twice(one, one.slug, taken) for file in read_events(workspace) for one in file.events)
    by_id = {id_of(one): replace(one, id=id_of(one)) for one in lines}
    report = Report(data={"id": ident})
    if ident.startswith("f_"):
        fact, changes = _fact(topics, ident)
        _tell_fact(report, ident, fact, changes)
        wanted = [one for text in [fact.source if fact else "", *(c.source for c in changes)] for one in text.split(",") if one]
        ids = list(dict.fromkeys(wanted))
        if not ids:
            report.lines.append("NOTE written by hand: no event stands behind it")
    elif ident.startswith("r_"):
        data = workspace.read(REVIEW)
        items = read_decisions(decode(data) if data else "", REVIEW).items
        item = items.get(ident)
        if item is None:
            raise BadInput(f"no review item {ident}", "memory_cli.py review list")
        report.lines.append(f"{ident} {item.get('kind')} {item.get('status')}: {item.get('text')}")
        ids = tell_sides(report, topics, item)
    else:
        ids = [ident]
        if ident not in by_id:
            raise BadInput(f"no event {ident}", "ids stand in the comment at the end of a line; retrieve shows them")
    tell_events(call, workspace, report, [by_id[one] for one in ids if one in by_id])
    missing = [one for one in ids if one not in by_id]
    if missing:
        report.lines.append(f"NOTE no longer in the log: {', '.join(missing)}")
    return report


def tell_sides(report: Report, topics: Topics, item: Mapping[str, object]) -> list[str]:
    """What a review item is about as it stands now, a line a fact; the events that all sides rest on."""
    sides: list[dict[str, object]] = []
    ids: list[str] = []
    for one in _listed(item, "facts"):
        try:
            fact, changes = _fact(topics, one)
        except BadInput:
            report.lines.append(f"{one} is not known any more")
            continue
        sources = fact.source if fact is not None else next((c.source for c in changes if c.op == "add"), "")
        ids += [ident for ident in sources.split(",") if ident]
        if fact is None:
            last = changes[0]
            report.lines.append(f"{one} is no longer a fact since {last.date}: {shown(last.old or last.new)}")
            sides.append({"id": one, "text": last.old or last.new, "ended": last.date})
            continue
        days = f"since {fact.since}" if fact.since else "since nobody knows when"
        seen = f", last confirmed {fact.seen}" if fact.seen else ""
        report.lines.append(f"{one} {fact.path}:{fact.line} {shown(fact.text)} ({days}{seen})" + ("" if fact.source else "; written by hand"))
        sides.append({"id": one, "text": fact.text, "path": fact.path, "line": fact.line, "since": fact.since, "seen": fact.seen})
    assert isinstance(report.data, dict)
    report.data["sides"] = sides
    return list(dict.fromkeys((*ids, *_listed(item, "events"))))


def _listed(item: Mapping[str, object], key: str) -> list[str]:
    found = item.get(key)
    return [str(one) for one in found] if isinstance(found, list) else []


def _fact(topics: Topics, ident: str) -> tuple[Fact | None, list[ChangeEntry]]:
    changes: list[ChangeEntry] = []
    found: Fact | None = None
    for file in topics.files:
        found = next((one for one in named_facts(file) if one.id == ident), found)
        changes += [one for one in file.changes if ident in one.facts]
    if found is None and not changes:
        raise BadInput(f"no fact {ident}", "ids stand in the comment at the end of a bullet; load --json shows them")
    return found, changes


def _tell_fact(report: Report, ident: str, fact: Fact | None, changes: list[ChangeEntry]) -> None:
    assert isinstance(report.data, dict)
    if fact is None:
        report.lines.append(f"{ident} is no longer a fact; its history:")
    else:
        since = f" since {fact.since}" if fact.since else ""
        seen = f", last confirmed {fact.seen}" if fact.seen else ""
        report.lines.append(f"{ident} {fact.path}:{fact.line} {fact.slug}: {fact.text}{since}{seen}")
        report.data["fact"] = {"text": fact.text, "topic": fact.slug, "path": fact.path, "line": fact.line, "since": fact.since, "seen": fact.seen}
    for change in changes:
        old = f" (was: {change.old})" if change.old else ""
        report.lines.append(f"  {change.date} {change.op}: {change.new}{old} {change.reason}".rstrip())
    report.data["changes"] = [
        {"date": c.date, "op": c.op, "new": c.new, "old": c.old, "reason": c.reason, "at": c.at, "events": c.source} for c in changes
    ]


def tell_events(call: Call, workspace: Reader, report: Report, events: list[Event]) -> None:
    assert isinstance(report.data, dict)
    told: list[dict[str, object]] = []
    for event in events:
        report.lines.append(f"{event.id} {event.path}:{event.line} [{event.tag}] {event.slug}: {event.text} ({event.confidence})")
        row: dict[str, object] = {
            "id": event.id, "path": event.path, "line": event.line, "text": event.text, "date": event.date, "source": event.source
        }
        source = read_source(event.source)
        if source is None:
            report.lines.append(f"  source: {_plain(event.source)}")
        else:
            quotes, note = _quotes(call, workspace, source, event)
            report.lines.append(f"  source: {source.kind} session {source.session}, message {', '.join(source.messages)}")
            for quote in quotes:
                report.lines.append(f'  {quote["at"]} {quote["who"]}: "{quote["text"]}"')
            if note:
                report.lines.append(f"  NOTE {note}")
            row |= {"session": source.session, "messages": list(source.messages), "quotes": quotes, "note": note}
        told.append(row)
    report.data["events"] = told


def _plain(source: str) -> str:
    if source == "cli":
        return "stored by command"
    return source or "by hand"


def _quotes(call: Call, workspace: Reader, source: Source, event: Event) -> tuple[list[dict[str, str]], str]:
    """The quoted messages, and what is to be said of them."""
    try:
        session = find_session(call, workspace, source)
    except Trouble as trouble:
        return [], f"the transcript can't be read now: {trouble}"
    if session is None:
        return [], "the transcript is no longer there; the event line is what is left"
    wanted = [turn for turn in session.turns if turn.id in source.messages]
    quotes = [
        {"message": turn.id, "at": turn.at.strftime("%Y-%m-%d %H:%M"), "who": turn.origin.value, "text": " ".join(turn.text.split())[:600]}
        for turn in wanted
    ]
    kept = workspace.state.get("evidence", event.id)
    if isinstance(kept, str) and kept != digest(session, source.messages):
        return quotes, "the transcript was changed after this was extracted"
    return quotes, "" if len(wanted) == len(source.messages) else "some of the messages are no longer in the transcript"
