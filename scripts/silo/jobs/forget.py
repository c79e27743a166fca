"""The job behind `forget`: what a person means leaves the memory and everything that is kept of its past, for good.

Shown first, asked, then done as one run that can't be undone: the files, the tombstones and the marks in state.db together;
before the run is done no copy of the past holds the words. What lies outside our reach is named with what cleans it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from silo.core.entities.query import GRAPH, PRIVATE_GRAPH
from silo.core.forget.choose import Gone, Memory, choose, in_copy
from silo.core.forget.choose import Wanted as Wanted
from silo.core.forget.hits import Hit, Left
from silo.core.forget.lines import without_events, without_lines
from silo.core.forget.tombs import PATH as TOMBS
from silo.core.forget.tombs import evidence, mark, stone
from silo.core.forget.topics import without_facts
from silo.core.forget.values import without_decisions, without_entities, without_values
from silo.core.forget.words import PART
from silo.core.migrate.handover import plan_handover
from silo.core.migrate.settle import secret_lines
from silo.core.views import plan_index
from silo.edge.ledger import read_ledger
from silo.edge.workspace import Workspace
from silo.errors import BadInput, Trouble
from silo.formats import managed
from silo.formats.graph import parse_graph
from silo.formats.tiers import PATHS
from silo.formats.topics import info, is_archive, parse_topic
from silo.jobs.forget_report import Outside, outside, told
from silo.jobs.memory import PRIVATE_TOPICS, REVIEW, TOPICS, event_paths, read_events
from silo.jobs.mirror import Where, target_of
from silo.jobs.run import Call, Report
from silo.jobs.sync import OUTBOX, forget_rows
from silo.jobs.treed import treed
from silo.model import Append, Change, Drop, Plan, Problem, Put, Remove, StateOp, Write
from silo.text.lines import content, decode, encode, sha256, split

DECISIONS = (REVIEW, ".silo/proposals.jsonl")
VALUES = {"warm-memory.json": "warm", "hot-memory-state.json": "hot", "memory-tree.json": "tree"}
OWN = "MEMORY*.md"
NOTES = "memory/[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*.md"
TABLES = ("access", "evidence", "reconciled", "restated", "undone")  # of state.db: what is remembered of an event
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')


@dataclass(slots=True)
class Work:
    """A forget as planned on the files of this moment."""

    gone: Gone
    hits: list[Hit] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    state: list[StateOp] = field(default_factory=list)
    words: tuple[str, ...] = ()
    handed: list[str] = field(default_factory=list)  # instructions for the agent, where no script may write
    outside: Outside = field(default_factory=Outside)


def forget(call: Call, wanted: Wanted, *, notes: bool, ask: Callable[[str], bool]) -> Report:
    """What is meant is gone from every file of ours; exit 1 where something of it is left in one.

    Raises:
        BadInput: nothing was named.
        Conflict: a file changed meanwhile, or a copy can't be cleaned now; the next start finishes a forget that was begun.
    """
    if wanted.is_empty:
        raise BadInput("say what to forget", "give an id, or --topic, --entity, --session or --query")
    workspace = call.open()
    first = _work(call, workspace, wanted, notes=notes)
    if not first.hits and not wanted.session:
        report = Report(["OK nothing of that stands in the memory"], {"forgotten": [], "run": None})
        return told(call, wanted, first.outside, first.handed, report)
    shown = [_line(hit) for hit in first.hits]
    if call.dry_run:
        report = Report([*shown, f"NOTE dry run: {len(first.hits)} places would be forgotten, nothing was written"], _data(first))
        return told(call, wanted, first.outside, first.handed, report)
    for line in shown:
        call.say(line)
    if not ask(f"Forget these {len(first.hits)} places for good? It can't be undone."):
        return Report([*shown, "NOTE nothing was forgotten; --yes does it without asking"], {**_data(first), "forgotten": []})
    return _done(call, workspace, wanted, notes)


def _done(call: Call, workspace: Workspace, wanted: Wanted, notes: bool) -> Report:
    made: list[Work] = []

    def plan() -> Plan:
        work = _work(call, workspace, wanted, notes=notes)
        made.append(work)
        stones = _stones(work.gone, workspace.key(make=True) or b"", call.today.isoformat())
        more = [Append(TOMBS, encode("".join(line + "\n" for line in stones)), why="forget")] if stones else []
        made_so = Plan("forget", (*work.changes, *more), tuple(work.state), counts={"places": len(work.hits)})
        return treed(call, workspace, made_so, anew=True)

    result = workspace.apply_planned(
        plan, now=call.now, command="forget", scheduled=call.scheduled, forget=lambda: made[-1].words
    )
    work = made[-1]
    report = Report(data={**_data(work), "run": result.run_id, "changed": list(result.changed)})
    report.lines = [f"OK forgotten: {len(work.hits)} places in {len({hit.path for hit in work.hits})} files, run {result.run_id}"]
    report.lines += [f"NOTE {note}" for note in result.notes]
    report.lines += [f"PROBLEM {path}:1 not-forgotten was edited meanwhile and stays; forget again" for path in result.conflicts]
    report.lines += [f"NOTE {note}" for note in _mirrored(call, workspace, work.gone.ids)]
    said = [word for word in work.words if word not in work.gone.ids]  # an id may wait for the mirror
    left = [path for path in workspace.holding(said, lambda path: not _is_ours(path)) if path not in work.outside.paths]
    report.lines += [f"PROBLEM {path}:1 not-forgotten still holds some of the words as a part of something else" for path in left]
    assert isinstance(report.data, dict)
    report.data["left"] = left
    if left or result.conflicts:
        report.code = 1
    return told(call, wanted, work.outside, work.handed, report)


def _mirrored(call: Call, workspace: Workspace, ids: Iterable[str]) -> tuple[str, ...]:
    """The mirror is told too, now or when it can be reached."""
    return tuple(forget_rows(call, workspace, sorted(one for one in ids if one.startswith("e_"))))


def _data(work: Work) -> dict[str, object]:
    places = [{"path": h.path, "line": h.line, "kind": h.kind, "id": h.id, "text": h.text, "kept": h.kept} for h in work.hits]
    return {"forgotten": places}


def _line(hit: Hit) -> str:
    ident = f" {hit.id}" if hit.id else ""
    kept = f" (stays: {hit.kept})" if hit.kept else ""
    return f"{hit.path}:{hit.line} {hit.kind}{ident}: {hit.text}{kept}"


def _is_ours(path: str) -> bool:
    """Whether a file of the workspace is one that we keep: the host's notes and a person's own files are not."""
    if path.startswith(".silo/"):
        return not path.startswith(".silo/locks/")
    return path.startswith(("memory/topics/", "memory/events/", "memory/ontology/")) or path in (*PATHS.values(), "memory/index.md")


# --- planning ---------------------------------------------------------------------------------------------


def _work(call: Call, workspace: Workspace, wanted: Wanted, *, notes: bool) -> Work:
    texts = dict(_texts(workspace))
    gone = choose(_memory(workspace, texts, notes=notes), wanted)
    work = Work(gone)
    if gone.is_empty:
        return work
    left: dict[str, str | None] = {}
    for path, text in texts.items():
        made = _left(path, text, gone)
        if made is not None and made.hits:
            work.hits += made.hits
        if made is not None and made.text != text:
            left[path] = made.text
    work.changes += [_change(workspace, gone, path, texts[path], text) for path, text in sorted(left.items())]
    _own(call, workspace, work, notes=notes)
    topics = {**{p: t for p, t in texts.items() if "/topics/" in p}, **{p: t for p, t in left.items() if "/topics/" in p}}
    if any("/topics/" in path for path in left):
        infos = [info(parse_topic(text, path)) for path, text in topics.items() if text is not None and not is_archive(path)]
        work.changes += plan_index(infos, workspace.read("memory/index.md"))
    work.state = [*_state(workspace, gone), *_for_mirror(call, gone)]
    work.words = tuple(dict.fromkeys(_needles(work)))
    work.outside = outside(call, workspace, gone, {one.path: one.data for one in work.changes if isinstance(one, Write)}, _is_ours)
    work.hits.sort(key=lambda hit: (hit.path, hit.line))
    return work


def _change(workspace: Workspace, gone: Gone, path: str, old: str, new: str | None) -> Change:
    expect = sha256(encode(old))
    if new is None:
        return Remove(path, expect, "forget")
    base = workspace.base(path) if "/topics/" in path else None
    if base is None or base == encode(old):
        return Write(path, expect, encode(new), "forget")
    # Edits by hand that no run has looked at stay such: the base copy loses the words, and takes nothing over.
    copy = decode(base)
    left = without_facts(copy, path, in_copy(gone, parse_topic(copy, path))).text
    return Write(path, expect, encode(new), "forget", base=encode(left or ""))


def _texts(workspace: Workspace) -> Iterator[tuple[str, str]]:
    """Every file of ours that holds statements, by its path."""
    paths = [
        *event_paths(workspace), *workspace.paths(f"{TOPICS}/*.md"), *workspace.paths(f"{PRIVATE_TOPICS}/*.md"), *PATHS.values(),
        GRAPH, PRIVATE_GRAPH, *DECISIONS, *(path for name in VALUES for path in workspace.paths(f".silo/agents/*/{name}")),
    ]  # fmt: skip
    for path in paths:
        data = workspace.read(path)
        if data is not None:
            yield path, decode(data)


def _left(path: str, text: str, gone: Gone) -> Left | None:
    name = path.rpartition("/")[2]
    if "/events/" in path:
        return without_events(text, path, gone)
    if "/topics/" in path:
        return without_facts(text, path, gone)
    if path in (GRAPH, PRIVATE_GRAPH):
        return without_entities(text, path, gone)
    if path in DECISIONS:
        return without_decisions(text, path, gone)
    if name in VALUES:
        return without_values(text, path, gone, VALUES[name])
    return without_lines(text, path, gone, "tier")


def _memory(workspace: Workspace, texts: dict[str, str], *, notes: bool) -> Memory:
    others = [content(line).strip() for path, text in texts.items() if path in PATHS.values() for line in split(text)]
    others += [hit for path, text in texts.items() if path.endswith((".json", ".jsonl")) for hit in _strings(text)]
    for path in (*workspace.paths(OWN), *workspace.paths(NOTES)):
        lines = split(decode(workspace.read(path) or b""))
        others += [content(line).strip() for number, line in enumerate(lines, 1) if notes or number in _managed("".join(lines))]
    events = tuple(read_events(workspace))
    ids: dict[tuple[str, int], str] = {}
    for file in events:
        if any(not event.id for event in file.events):
            ids |= {(file.path, line): ident for line, ident in workspace.chain.ids(file.path, workspace.read(file.path) or b"").items()}
    graph = "".join(text if text.endswith("\n") else text + "\n" for path, text in texts.items() if path in (GRAPH, PRIVATE_GRAPH))
    topics = tuple(parse_topic(text, path) for path, text in texts.items() if "/topics/" in path)
    return Memory(events, topics, parse_graph(graph), tuple(others), ids)


def _strings(text: str) -> Iterator[str]:
    """The texts in JSON, escapes undone."""
    from silo.formats.jsonl import loads

    for hit in _STRING.finditer(text):
        value = loads(hit[0])
        if isinstance(value, str) and " " in value:
            yield value


def _managed(text: str) -> frozenset[int]:
    """The lines (from 1) inside our blocks of a file of the user's."""
    found: set[int] = set()
    for name in managed.names(text):
        block = managed.find(text, name)
        if block is not None and not isinstance(block, Problem):
            found |= set(range(block.start + 2, block.end))
    return frozenset(found)


def _own(call: Call, workspace: Workspace, work: Work, *, notes: bool) -> None:
    """Files of the person and the host: our own blocks always, other lines where asked. Where no script may write, the agent does."""
    for path in (*workspace.paths(OWN), *(workspace.paths(NOTES) if notes else ())):
        data = workspace.read(path) or b""
        text = decode(data)
        kind = "own" if path.startswith("MEMORY") else "note"
        left = without_lines(text, path, work.gone, kind, None if notes else _managed(text))
        if not left.hits or left.text is None:
            continue
        if not read_ledger(call.config.state_dir, workspace.root, {path: sha256(data)}).forbids(path):
            work.hits += left.hits
            work.changes.append(Write(path, sha256(data), encode(left.text), "forget"))
            continue
        there = [content(line) for line in split(text)]
        kept = {number: there.index(content(split(left.text)[number - 1])) + 1 for number in secret_lines(left.text)}
        one, files = plan_handover(path, text, left.text, kept, call.today.isoformat())
        work.changes += [file for file in files if workspace.read(file.path) is None]
        work.handed.append(one.instruction)


# --- what is remembered and what is looked for -------------------------------------------------------------


def _state(workspace: Workspace, gone: Gone) -> Iterator[StateOp]:
    for table in TABLES:
        for key in workspace.state.items(table):
            if re.split("[@>]", key)[0] in gone.ids or key.rpartition(">")[2] in gone.ids:
                yield Drop(table, key)
    for session in gone.sessions:
        if workspace.state.get("sources", session) is not None:
            yield Drop("sources", session)


def _for_mirror(call: Call, gone: Gone) -> Iterator[StateOp]:
    """What waits for the mirror from the very commit on: a forget that is cut off after it reaches the mirror too."""
    try:
        if target_of(call, Where()) is None:
            return
    except Trouble:  # an address that is no good now; it may be put right
        pass
    since = call.now.isoformat(timespec="seconds")
    yield from (Put(OUTBOX, f"forget:{one}", {"since": since[:10]}) for one in sorted(gone.ids) if one.startswith("e_"))
    yield Put(OUTBOX, "files", {"since": since, "why": "forget"})


def _needles(work: Work) -> Iterator[str]:
    """What no copy of the past may hold: the ids, the paths, and the words themselves."""
    gone = work.gone
    yield from sorted(one for one in gone.ids if one)
    for slug in sorted(gone.slugs):  # as it stands in paths, index, headers and lines of the log
        yield from (f"/{slug}.md", f"/{slug}.archive.md", f"{slug} | ", f"topic: {slug}", f"] {slug}: ", f'"{slug}"')
        yield from (slug,) if "-" in slug else ()
    yield from sorted(gone.words.parts)
    said = [*(event.text for event in gone.events.values()), *(fact.text for fact in gone.facts.values()), *gone.traces]
    for hit in work.hits:
        if hit.kind == "entity":
            said += [value for value in _values(hit.text) if value not in ("create", "update", "relate")]
        elif hit.kind not in ("header", "event", "fact") and not hit.kept:
            said.append(hit.text.lstrip("-*+> #").strip())
    for text in said:
        bare = text.strip().rstrip(" .!?…;:,")
        if len(bare) >= PART:
            yield bare


def _values(line: str) -> Iterator[str]:
    """The texts of an entity's properties."""
    from silo.formats.jsonl import loads

    value = loads(line)
    entity = value.get("entity") if isinstance(value, dict) else None
    properties = entity.get("properties") if isinstance(entity, dict) else None
    for one in properties.values() if isinstance(properties, dict) else ():
        yield from (one,) if isinstance(one, str) else (item for item in one if isinstance(item, str)) if isinstance(one, list) else ()


def _stones(gone: Gone, key: bytes, day: str) -> Iterator[str]:
    """The tombstones: of each event with what it rested on, of each fact, of the session or topic as a whole."""
    lines: dict[str, str] = {}
    for event in gone.events.values():
        lines[event.id] = stone(key, event.id, "event", day, text=event.text, rests=evidence(key, event.source), agent=event.agent)
    for fact in gone.facts.values():
        ident = fact.id or f"{fact.slug}/{fact.text}"
        lines[ident] = stone(key, ident, "fact", day, text=fact.text)
    for session in gone.sessions:
        lines[f"session {session}"] = stone(key, session, "session", day, rests=(mark(key, "session", session),))
    for slug in gone.slugs:
        lines[f"topic {slug}"] = stone(key, slug, "topic", day)
    for entity in gone.entities:
        lines[f"entity {entity}"] = stone(key, entity, "entity", day)
    yield from lines.values()
