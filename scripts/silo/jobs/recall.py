"""The jobs behind `retrieve`, `load` and `context`. They read; counts of use are theirs alone to write."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from silo.config import parse_day
from silo.core.search.answer import Answer, Result, answer
from silo.edge.index.index import Index
from silo.edge.workspace import Workspace
from silo.errors import BadInput
from silo.formats.comment import strip
from silo.formats.topics import TopicFile, info, parse_topic
from silo.found import Scope, Tag
from silo.jobs.meaning import meaning_of
from silo.jobs.memory import PRIVATE_TOPICS, TOPICS, topic_paths
from silo.jobs.past import Moment, facts_at, index_at, moment
from silo.jobs.run import Call, Report
from silo.text.lines import content, decode

LAYERS = {
    "default": Scope().layers,
    "curated": frozenset({"curated"}),
    "events": frozenset({"events"}),
    "source": frozenset({"source"}),
    "notes": frozenset({"notes"}),
    "tiers": frozenset({"tiers"}),
    "all": Scope().layers | {"source"},
}
SHOWN_CHANGES = 5


@dataclass(frozen=True, slots=True)
class RetrieveOptions:
    """What was asked for, as typed."""

    query: str
    batch: str | None = None
    limit: int | None = None
    topic: str | None = None
    tag: str | None = None
    since: str | None = None
    until: str | None = None
    entity: str | None = None
    layer: str = "default"
    tier: str = ""
    archived: bool = False
    audience: str = "owner"
    explain: bool = False
    in_context: str = ""
    as_of: str | None = None
    known_at: str | None = None
    semantic: str = ""  # local, openai or openclaw; empty: by words alone


def retrieve(call: Call, options: RetrieveOptions) -> Report:
    """The best results for one question, or for each line of a batch.

    Raises:
        BadInput: no question, an unknown tag, a bad date or a bad line of the batch.
    """
    workspace = call.open()
    scope = _scope(call, options)
    limit = options.limit if options.limit is not None else call.config.integer("retrieve", "limit", 5)
    if limit < 1:
        raise BadInput(f"--limit {limit} asks for nothing", "give 1 or more")
    if options.batch is None and not options.query.strip():
        raise BadInput("retrieve needs a question", 'memory_cli.py retrieve --query "payment provider"')
    when = moment(options.as_of, options.known_at)
    if when is not None:
        return _retrieve_at(workspace, options, scope, limit, when)
    with closing(Index.open(workspace.root)) as index:
        if options.batch is not None:
            return _batch(call, options, scope, limit, index)
        refreshed = index.refresh(call.config.integer("retrieve", "refresh_ms", 1500) / 1000)
        with meaning_of(call, index, options.semantic) as meaning:
            found = answer(
                index, options.query, today=call.today, scope=scope, limit=limit, context=options.in_context, tier=options.tier,
                meaning=meaning.vectors,
            )  # fmt: skip
        found = replace(found, notes=(*found.notes, *meaning.notes))
        report = Report(data=_answer_data(options.query, found, index.notes))
        report.published = [_result_data(one) for one in found.results]
        report.lines = list(_answer_lines(found, explain=options.explain))
        report.lines += [f"NOTE {note}" for note in (*found.notes, *index.notes)]
        if refreshed.left:
            report.lines.append(f"NOTE {len(refreshed.left)} changed files were searched directly, not yet indexed")
        _count_use(workspace, call, found)
        return report


def _retrieve_at(workspace: Workspace, options: RetrieveOptions, scope: Scope, limit: int, when: Moment) -> Report:
    """One answer from the facts of another time; nothing is counted as used."""
    if options.batch is not None:
        raise BadInput("--batch answers for now alone", "ask one question with --as-of or --known-at")
    with closing(index_at(workspace, when)) as index:
        found = answer(index, options.query, today=date.fromisoformat(when.day), scope=scope, limit=limit)
    report = Report(data=_answer_data(options.query, found, (f"facts {when.told}",)))
    report.published = [_result_data(one) for one in found.results]
    report.lines = [*_answer_lines(found, explain=options.explain), f"NOTE facts {when.told}"]
    return report


def _count_use(workspace: Workspace, call: Call, found: Answer) -> None:
    """A result that was returned counts as used; where the workspace can't be written, the answer still stands."""
    from silo.errors import Trouble
    from silo.model import Put

    if found.needs_clarification or not found.results:
        return
    day = call.today.isoformat()
    ops = []
    for one in found.results:
        if not one.id.startswith(("e_", "f_")):  # a line's place is no identity: it moves
            continue
        kept = workspace.state.get("access", one.id)
        number = kept.get("count", 0) if isinstance(kept, dict) else 0
        ops.append(Put("access", one.id, {"count": (number if isinstance(number, int) else 0) + 1, "last": day}))
    try:
        workspace.state.apply(ops)
    except Trouble as trouble:
        call.say(f"NOTE use was not counted: {trouble}")


def _scope(call: Call, options: RetrieveOptions) -> Scope:
    tags: frozenset[str] = frozenset()
    if options.tag:
        name = options.tag.upper()
        if name not in Tag.__members__:
            raise BadInput(f"{options.tag!r} is no tag", f"tags are {', '.join(Tag.__members__)}")
        tags = frozenset({name})
    return Scope(
        agent=call.config.agent,
        group=options.audience == "group",
        layers=LAYERS[options.layer],
        tags=tags,
        slugs=frozenset({options.topic}) if options.topic else frozenset(),
        entity=options.entity or "",
        since=parse_day(options.since, "--since").isoformat() if options.since else "",
        until=parse_day(options.until, "--until").isoformat() if options.until else "",
        archived=options.archived,
    )


def _batch(call: Call, options: RetrieveOptions, scope: Scope, limit: int, index: Index) -> Report:
    """One JSON object a line, in the order of the questions; nothing is counted as used."""
    questions = list(_questions(options.batch or "-"))
    index.refresh(60.0)
    lines = []
    meaning = meaning_of(call, index, options.semantic, batch=True)
    for ident, query in questions:
        found = answer(index, query, today=call.today, scope=scope, limit=limit, tier=options.tier, meaning=meaning.vectors)
        row = {
            "id": ident,
            "results": [_result_data(one) for one in found.results],
            "needs_clarification": found.needs_clarification,
            "question": found.question or None,
            "level": found.level,
        }
        lines.append(json.dumps(row, ensure_ascii=False))
    meaning.close()
    for note in (*index.notes, *dict.fromkeys(meaning.notes)):
        call.say(f"NOTE {note}")
    return Report(lines, {"answers": [json.loads(line) for line in lines]}, published=None)


def text_in_context(where: str) -> str:
    """What the caller has before its eyes, from a file or standard input.

    Raises:
        BadInput: it can't be read.
    """
    return _read(where, "give a file with the text that is in context", errors="replace")


def _read(where: str, hint: str, *, errors: str = "strict") -> str:
    if where == "-":
        return sys.stdin.read()
    try:
        return Path(where).read_text(encoding="utf-8", errors=errors)
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{where}:1: can't be read: {error}", hint) from None


def _questions(where: str) -> Iterator[tuple[str, str]]:
    text = _read(where, "give a file of JSON lines")
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise BadInput(f"{where}:{number}: not JSON: {error}", 'each line is {"id": …, "query": …}') from None
        if not isinstance(row, dict) or not isinstance(row.get("query"), str):
            raise BadInput(f"{where}:{number}: no query", 'each line is {"id": …, "query": …}')
        yield str(row.get("id", number)), row["query"]


def _result_data(one: Result) -> dict[str, object]:
    return {
        "id": one.id,
        "path": one.path,
        "line": one.line,
        "text": one.text,
        "score": round(one.score, 4),
        "tier": one.tier,
        "method": _method(dict(one.parts)),
        "layer": one.layer,
        "kind": one.kind,
        "topic": one.slug,
        "category": one.slug,
        "tag": one.tag,
        "date": one.date,
        "confidence": one.confidence,
        "source": one.source,
        "also": [{"id": place.id, "path": place.path, "line": place.line} for place in one.also],
        "parts": {name: round(value, 4) for name, value in one.parts},
    }


def _method(parts: dict[str, float]) -> str:
    """What brought a result in: its words, its meaning alone, or the day alone that was asked for."""
    if parts.keys() & {"words", "labels", "near", "literal"}:
        return "keyword"
    return "semantic" if "meaning" in parts else "date"


def _answer_data(query: str, found: Answer, notes: tuple[str, ...]) -> dict[str, object]:
    return {
        "query": query,
        "results": [_result_data(one) for one in found.results],
        "needs_clarification": found.needs_clarification,
        "question": found.question or None,
        "candidates": list(found.candidates),
        "level": found.level,
        "notes": [*found.notes, *notes],
    }


def _answer_lines(found: Answer, *, explain: bool) -> Iterator[str]:
    for one in found.results:
        label = " ".join(part for part in (one.date, one.layer, one.slug, one.tag if one.layer != "curated" else "") if part)
        yield f"{one.score:6.2f}  {one.text}"
        yield f"        {one.id}  {one.path}:{one.line}  ({label}, {one.tier})"
        if explain:
            yield "        " + " + ".join(f"{name} {value:.2f}" for name, value in one.parts) + f" = {one.score:.2f}"
    if found.needs_clarification:
        yield f"NOTE the evidence is weak: {found.question}"
    elif not found.results:
        yield "OK nothing to look for: it is in context" if found.level == 1 else "OK nothing found"
    if explain:
        yield f"NOTE level {found.level} answered (1 context, 2 index, 3 curated, 4 today, 5 keywords, 6 meaning, 7 asked back)"


def load(call: Call, *, slug: str, audience: str, day: str | None = None, instant: str | None = None) -> Report:
    """A topic's header and curated layer with its last five changes.

    With `day` the facts that were true then by what is known now, with `instant` those that the memory held then.

    Raises:
        BadInput: no such topic, a private one for a group, or no date.
    """
    workspace = call.open()
    path = next((f"{folder}/{slug}.md" for folder in (TOPICS, PRIVATE_TOPICS) if f"{folder}/{slug}.md" in topic_paths(workspace)), None)
    data = workspace.read(path) if path else None
    if path is None or data is None:
        raise BadInput(f"no topic {slug}", "memory_cli.py topic list")
    file = parse_topic(decode(data), path)
    about = info(file)
    if audience == "group" and (about.sensitivity == "private" or path.startswith(PRIVATE_TOPICS)):
        raise BadInput(f"no topic {slug} for a group", "private topics are loaded for the owner alone")
    when = moment(day, instant)
    if when is not None:
        return _past(workspace, file, when)
    report = Report(
        data={
            "topic": slug,
            "path": path,
            "type": about.type,
            "status": about.status,
            "summary": about.summary,
            "last_verified": about.last_verified,
            "facts": [
                {"id": f.id, "text": f.text, "heading": f.heading, "since": f.since, "seen": f.seen, "line": f.line, "done": f.done}
                for f in file.facts
            ],
            "changes": [
                {"date": c.date, "op": c.op, "new": c.new, "old": c.old, "reason": c.reason} for c in file.changes[:SHOWN_CHANGES]
            ],
        }
    )
    report.lines = list(_curated_lines(file))
    report.problems(file.problems)
    return report


def _past(workspace: Workspace, file: TopicFile, when: Moment) -> Report:
    """The topic's facts at another time."""
    facts = facts_at(workspace, file, when)
    report = Report(
        data={
            "topic": file.slug,
            "as_of": when.true_on or None,
            "known_at": when.known_at or None,
            "facts": [{"id": i, "text": t} for i, t in facts.items()],
        }
    )
    report.lines = [f"{file.slug}: {len(facts)} facts {when.told}", *(f"- {text}  ({ident})" for ident, text in facts.items())]
    return report


def _curated_lines(file: TopicFile) -> Iterator[str]:
    """The curated layer as it stands, ids and marks taken off, the changelog cut to its last entries."""
    about = info(file)
    verified = f", last verified {about.last_verified}" if about.last_verified else ""
    yield f"{about.slug} ({about.type}, {about.status}{verified}): {about.summary}"
    if file.curated is None:
        yield "NOTE the curated layer can't be found: its markers are damaged"
        return
    shown = file.entries[:SHOWN_CHANGES]
    hidden = {n for entry in file.entries[SHOWN_CHANGES:] for n in range(entry.start, entry.end)}
    start, end = file.curated
    blank = True
    for number in range(start, end):
        line = strip(content(file.lines[number]).rstrip()) if number not in hidden else ""
        indent = len(file.lines[number]) - len(file.lines[number].lstrip(" \t"))
        if line:
            yield file.lines[number][:indent].replace("\t", "    ") + line
            blank = False
        elif not blank:
            yield ""
            blank = True
    if len(file.entries) > len(shown):
        yield f"NOTE {len(file.entries) - len(shown)} older changes; `memory_cli.py why ID` shows those of a fact"
