"""The job behind `import`: another memory's files become events, topics, graph lines and state of the agent, in one run.

Idempotent: what came before is told by its source, its id or its words. One undo takes it all back. The files that are
read stay as they are.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from silo.core.dedupe import Log
from silo.core.doors import Numbering, appends
from silo.core.entities.query import GRAPH
from silo.core.forget.sift import sifted
from silo.core.forget.tombs import Tombs
from silo.core.imports import claude_code, tiered, topics
from silo.core.imports import graph as graphs
from silo.core.imports.statements import KINDS, Said, kind_of
from silo.core.route import route
from silo.core.views import plan_index
from silo.edge.imports import Found, read_files
from silo.edge.lang import load_languages
from silo.edge.workspace import Workspace
from silo.errors import BadInput
from silo.formats.decisions import review_id, review_line
from silo.formats.topics import info, is_archive, parse_topic
from silo.formats.warm import parse_warm
from silo.jobs.memory import PRIVATE_TOPICS, REVIEW, TOPICS, Topics, read_events, read_topics, statements
from silo.jobs.run import Call, Report, apply, commit, problem_data
from silo.jobs.store import category_slug, guess_tag
from silo.jobs.tombs import read_tombs
from silo.model import Append, Change, Event, Plan, Problem, Put, StateOp, TopicInfo, Write
from silo.text.injection import instruction_like
from silo.text.lines import decode, encode, sha256
from silo.text.redact import redact, redact_lines

_STATE_FILES = ("memory-tree.json", "hot-memory-state.json")
_AGENT = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_WORKING = "memory"  # below it lie the folders of the agents in the published layout


@dataclass(slots=True)
class _Work:
    """What the import has gathered so far."""

    call: Call
    workspace: Workspace
    topics: Topics
    root: str  # the name of the folder that was given
    log: Log = field(default_factory=Log)
    numbering: Numbering = field(default_factory=lambda: Numbering(()))
    ids: set[str] = field(default_factory=set)
    sources: set[tuple[str, str]] = field(default_factory=set)  # (agent, src) of the log
    reviewed: set[str] = field(default_factory=set)
    tombs: Tombs = field(default_factory=Tombs)
    changes: list[Change] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    state: list[StateOp] = field(default_factory=list)
    review: list[str] = field(default_factory=list)
    infos: dict[str, TopicInfo] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    left: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    secrets: Counter[str] = field(default_factory=Counter)
    graph: str = ""
    states: dict[str, str] = field(default_factory=dict)  # path → text of tree and hot files as they will be


def import_path(call: Call, path: str, kind: str) -> Report:
    """Everything at `path` that is of the kind (`auto`: each file as what it is) is in the memory, once.

    Raises:
        BadInput: no such place, or nothing there that can be imported.
    """
    place = Path(path).expanduser().resolve()
    files, left = read_files(place)
    chosen = [(one, found) for one in files if (found := _kind(one, kind))]
    left = (*left, *(one.path for one in files if not _kind(one, kind)))
    if not chosen:
        raise BadInput(f"nothing in {path} that can be imported{'' if kind == 'auto' else f' as {kind}'}", _hint(files))
    workspace = call.open()
    done: list[_Work] = []

    def plan() -> Plan:
        work = _start(call, workspace, place.name if place.is_dir() else place.parent.name)
        work.left += left
        done.append(work)
        return _plan(work, chosen)

    report = Report(data={})
    if call.dry_run:
        commit(call, workspace, plan(), report)
        run = None
    else:
        result = apply(call, workspace, plan)
        report.lines += [f"NOTE {note}" for note in result.notes]
        run = result.run_id
    return _told(call, done[-1], run, report)


def _kind(one: Found, wanted: str) -> str:
    """What a file is imported as, "" for not at all."""
    found = kind_of(one.path, decode(one.data))
    if wanted == "auto":
        return found
    if wanted == "topics" and found == "events":
        return found
    if wanted == "claude-code" and one.path.endswith(".md"):
        return wanted
    return wanted if found == wanted else ""


def _hint(files: tuple[Found, ...]) -> str:
    if any(one.path.endswith("conversations.json") for one in files):
        return "conversations are read by extract_session.py --source chatgpt or --source claude"
    return f"kinds are {', '.join(KINDS)}"


def _start(call: Call, workspace: Workspace, root: str) -> _Work:
    work = _Work(call, workspace, read_topics(workspace), root)
    existing = [event for file in read_events(workspace) for event in file.events]
    work.log, work.numbering = statements(workspace, work.topics, existing)
    work.ids = {event.id for event in existing if event.id}
    work.sources = {(event.agent, event.source) for event in existing if event.source}
    data = workspace.read(REVIEW)
    work.reviewed = set(re.findall(r'"id"\s*:\s*"(r_[0-9a-f]+)"', decode(data))) if data else set()
    work.infos = {one.slug: one for one in work.topics.infos}
    work.tombs = read_tombs(workspace)
    work.graph = decode(workspace.read(GRAPH) or b"")
    return work


def _plan(work: _Work, chosen: list[tuple[Found, str]]) -> Plan:
    order = {"topics": 0, "events": 1}  # topics first: events are routed to them, and know which are private
    for one, kind in sorted(chosen, key=lambda pair: (order.get(pair[1], 2), pair[0].path)):
        text = decode(one.data)
        work.secrets.update(finding.kind for finding in redact(text)[1])
        work.counts["files"] += 1
        if kind in ("topics", "graph"):
            text, gone_here = sifted(text, one.path, kind, work.tombs)
            work.counts["forgotten before"] += gone_here
        match kind:
            case "topics":
                _topic(work, one, text)
            case "events":
                found, known, problems = topics.lay_events(text, one.path, work.log, work.numbering, work.ids, work.call.config.agent)
                gone = [one for one in found if work.tombs.blocks(one)]
                work.events += [one for one in found if one not in gone]
                work.counts["forgotten before"] += len(gone)
                work.counts["known already"] += known
                work.problems += problems
            case "tiered":
                _tiered(work, one, text)
            case "graph":
                _graph(work, one, text)
            case _:
                _statements(work, claude_code.statements(text, one.path, _day(work)(one.written)), work.call.config.agent)
    private = frozenset(slug for slug, one in work.infos.items() if one.sensitivity == "private")
    changes: list[Change] = [*work.changes, *appends(work.events, private, "imported")]
    changes += [_write(work.workspace, path, text) for path, text in sorted(work.states.items())]
    if work.infos != {one.slug: one for one in work.topics.infos}:
        changes += plan_index(work.infos.values(), work.workspace.read("memory/index.md"))
    if work.review:
        changes.append(Append(REVIEW, encode("".join(line + "\n" for line in work.review)), why="for a person to decide"))
    work.counts["events"] = len(work.events)
    counts = {name: number for name, number in work.counts.items() if number and name not in ("files", "known already", "forgotten before")}
    return Plan("import", tuple(changes), tuple(work.state) if changes else (), tuple(work.problems), counts)


def _write(workspace: Workspace, path: str, text: str) -> Write:
    old = workspace.read(path)
    return Write(path, None if old is None else sha256(old), encode(text), "imported")


def _day(work: _Work) -> Callable[[float], str]:
    """The local day of seconds since 1970; today where they say nothing."""

    def day(seconds: float) -> str:
        if not 0 < seconds < 32_503_680_000:
            work.counts["undated"] += 1
            return work.call.today.isoformat()
        return datetime.fromtimestamp(seconds, UTC).astimezone(work.call.config.zone).date().isoformat()

    return day


# --- the kinds --------------------------------------------------------------------------------------------


def _statements(work: _Work, said: tuple[Said, ...], agent: str) -> None:
    """Statements for the log: redacted, screened, tagged, routed; what came before is passed over."""
    languages = cache(load_languages)
    for one in said:
        text = redact(one.text)[0]
        if not text:
            continue
        if (agent, one.source) in work.sources:
            work.counts["known already"] += 1
            continue
        if work.tombs.said(text):
            work.counts["forgotten before"] += 1
            continue
        if (reason := instruction_like(text, own=True)) is not None:
            _hold(work, one, text, reason, agent)
            continue
        infos = tuple(work.infos.values())
        by_category = category_slug(one.category, infos) if one.category else ""
        event = Event(
            one.date,
            one.tag or guess_tag(work.call, text),
            one.slug or by_category or route(text, infos, languages()),
            text,
            importance=None if "[REDACTED:" in text else one.importance,  # a credential weighs nothing
            category=one.category,
            agent=agent,
            source=one.source,
        )
        same = work.log.restates(event)
        if same is not None:
            work.counts["known already"] += 1
            work.state.append(Put("restated", f"{same}@{event.date}", event.source))
            continue
        event = work.numbering.number(event)
        work.log.add([event])
        work.sources.add((agent, one.source))
        work.events.append(event)
        if one.access:
            work.state.append(Put("access", event.id, {"count": one.access, "last": one.date}))


def _hold(work: _Work, one: Said, text: str, reason: str, agent: str) -> None:
    ident = review_id([], [one.source, reason])
    if ident in work.reviewed:
        work.counts["known already"] += 1
        return
    work.reviewed.add(ident)
    work.counts["held for review"] += 1
    more = {"said": text, "day": one.date, "source": one.source, "agent": agent}
    work.review.append(
        review_line(
            ident, kind="quarantine", topic="", facts=(), events=(), created=work.call.today.isoformat(),
            text=f"{reason} (import, {one.source}): {text}", more=more,
        )
    )  # fmt: skip


def _tiered(work: _Work, one: Found, text: str) -> None:
    agent = _agent_of(work, one)
    name = one.path.rpartition("/")[2]
    if name in _STATE_FILES or not parse_warm(text, one.path)[0]:
        is_hot = name == "hot-memory-state.json" or '"owner_profile"' in text
        path = f".silo/agents/{agent}/{'hot-memory-state' if is_hot else 'memory-tree'}.json"
        data = work.workspace.read(path)
        present = work.states.get(path, None if data is None else decode(data))
        text, gone = sifted(text, one.path, "hot" if is_hot else "tree", work.tombs)
        work.counts["forgotten before"] += gone
        made, number, problems = (tiered.hot if is_hot else tiered.tree)(text, one.path, present)
        work.problems += problems
        work.counts["values of the hot state" if is_hot else "tree nodes"] += number
        if made is not None:
            work.states[path] = made
        return
    said, problems = tiered.statements(text, one.path, _day(work))
    work.problems += problems
    _statements(work, said, agent)


def _agent_of(work: _Work, one: Found) -> str:
    """Whose file it is: in the published layout `memory/<agent>/…` the folder's name, else the agent of the call."""
    *above, folder, _ = ["", "", *f"{work.root}/{one.path}".split("/")]
    return folder if above[-1] == _WORKING and _AGENT.fullmatch(folder) else work.call.config.agent


def _graph(work: _Work, one: Found, text: str) -> None:
    at = work.call.now.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    laid = graphs.lay(text, one.path, work.graph, at=at)
    work.problems += laid.problems
    work.counts["entities"] += laid.entities
    work.counts["relations"] += laid.relations
    if laid.lines:
        added = "".join(line + "\n" for line in laid.lines)
        work.changes.append(Append(GRAPH, encode(added), why="imported"))
        work.graph += ("" if not work.graph or work.graph.endswith("\n") else "\n") + added
    else:
        work.counts["known already"] += 1


def _topic(work: _Work, one: Found, text: str) -> None:
    slug = topics.slug_of_import(text, one.path.removesuffix(".md").removesuffix(".archive") + ".md")
    if not slug:
        work.problems.append(Problem(f"{one.path}:1", "no-slug", "the file names no topic; give its header `topic: some-slug`"))
        return
    if is_archive(one.path):
        folder = PRIVATE_TOPICS if slug in work.infos and work.infos[slug].sensitivity == "private" else TOPICS
        path = f"{folder}/{slug}.archive.md"
        if work.workspace.read(path) is None:
            work.changes.append(Write(path, None, encode(redact_lines(text)), "imported"))
            work.counts["archives"] += 1
        return
    private = info(parse_topic(text, one.path)).sensitivity == "private"
    mine = work.infos.get(slug)
    path = mine.file if mine is not None else f"{PRIVATE_TOPICS if private else TOPICS}/{slug}.md"
    data = work.workspace.read(path)
    if mine is not None and any(change.path == path for change in work.changes):
        work.left.append(f"{one.path}: another file of the topic {slug} came already")
        return
    made = topics.lay_topic(
        text, slug, f"import/{one.path.rpartition('/')[2]}", None if data is None else decode(data), path,
        day=work.call.today.isoformat(), at=work.call.now.isoformat(timespec="seconds"), taken=_fact_ids(work),
    )  # fmt: skip
    work.problems += made.problems
    if made.text is None:
        work.counts["known already"] += not made.problems
        return
    work.counts["topics"] += made.new
    work.counts["facts"] += made.facts
    work.changes.append(Write(path, None if data is None else sha256(data), encode(made.text), "imported"))
    work.infos[slug] = info(parse_topic(made.text, path))


def _fact_ids(work: _Work) -> set[str]:
    return {fact.id for file in work.topics.files for fact in file.facts if fact.id}


# --- telling ----------------------------------------------------------------------------------------------


def _told(call: Call, work: _Work, run: str | None, report: Report) -> Report:
    counts = {name: number for name, number in work.counts.items() if number}
    came = {name: number for name, number in counts.items() if name not in ("files", "known already", "undated", "forgotten before")}
    what = ", ".join(f"{number} {name}" for name, number in came.items())
    verb = "would be imported" if call.dry_run else "imported"
    said = f"OK {verb} from {counts.get('files', 0)} files: {what}" if what else "OK nothing new: all of it is here already"
    report.lines.insert(0, said)
    if counts.get("known already"):
        report.lines.append(f"NOTE {counts['known already']} were here already")
    if counts.get("forgotten before"):
        report.lines.append(f"NOTE {counts['forgotten before']} were forgotten here before, and stay so")
    if counts.get("undated"):
        report.lines.append(f"NOTE {counts['undated']} had no date: they count as said today")
    if work.secrets:
        report.lines.append(f"NOTE secrets were replaced before anything was written: {', '.join(sorted(work.secrets))}")
    report.lines += [f"NOTE left out {one}" for one in work.left[:20]]
    report.problems(work.problems)
    if counts.get("held for review"):
        report.lines.append("NEXT memory_cli.py review list: statements that give orders wait for the owner")
    if run:
        report.lines.append(f"NEXT memory_cli.py undo {run} takes it back")
    assert isinstance(report.data, dict)
    report.data |= {"run": run, "counts": counts, "left_out": work.left, "problems": problem_data(work.problems)}
    return report
