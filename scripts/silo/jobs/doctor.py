"""The job behind `doctor`: every finding with its place and what mends it; `--fix` mends what needs no person, as a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from silo.core.checks import Seen, examine
from silo.core.checks_stores import Stores, examine_stores, relinked
from silo.core.counts import with_counts
from silo.core.dedupe import id_of
from silo.core.entities.query import GRAPH, PRIVATE_GRAPH
from silo.core.evidence import read_source
from silo.core.forget.tombs import PATH as TOMBS
from silo.core.forget.tombs import mark
from silo.core.liveness import JOBS, silent
from silo.core.settings import CONFIG, problems
from silo.core.tiering import lint
from silo.core.views import INDEX, plan_index
from silo.edge import sound
from silo.edge.llm.templates import load_schema
from silo.edge.migration_words import load_migration_words
from silo.edge.sources.forgotten import forgotten_by_host
from silo.edge.workspace import Workspace
from silo.formats.events import EventFile
from silo.formats.index import render_index
from silo.formats.tiers import PATHS
from silo.formats.topics import parse_topic
from silo.jobs.cold import COLD, archive_of, refresh
from silo.jobs.config import BESIDE
from silo.jobs.distrust import distrusted
from silo.jobs.handover import read_handovers
from silo.jobs.memory import PRIVATE_TOPICS, REVIEW, TOPICS, open_items, read_events, read_topics
from silo.jobs.run import Call, Report, commit_planned, problem_data
from silo.model import Change, Plan, Problem, Write
from silo.text.lines import decode, encode, sha256

AGENTS = ".silo/agents/*/"
MISSING = "it is missing"


def doctor(call: Call, *, only: tuple[str, ...], acknowledge: bool = False, fix: bool = False) -> Report:
    """Every finding with its place; exit 1 if there is one. `acknowledge` takes the event log as it stands for right; with
    `fix` what can be mended without a person is, as one run that undo takes back, and the rest is told."""
    workspace = call.open()
    if acknowledge:
        workspace.state.apply(workspace.chain_acknowledged())
    report = Report(data={})
    if fix:
        _mended(call, workspace, report)
    found = _found(call, workspace)
    if only:
        found = tuple(problem for problem in found if any(problem.where.startswith(path) for path in only))
    assert isinstance(report.data, dict)
    report.data["findings"] = problem_data(found)
    report.code = 1 if found else 0
    report.problems(found, most=100)
    report.lines += workspace.state.notes
    kept = workspace.usage()
    report.lines.append(
        f"NOTE {kept.runs} runs kept for undo, {kept.run_bytes / 1e6:.1f} MB (at most 30 days and 200 MB, the last 20 always);"
        f" {kept.conflicts} copies of collided edits"
    )
    if BESIDE.is_file():
        report.lines.append(f"NOTE a config.json stands beside the skill and is not read by itself; memory_cli.py config import {BESIDE} takes it in")
    report.data |= {"runs": kept.runs, "run_bytes": kept.run_bytes, "conflicts": kept.conflicts}
    by_code = Counter(problem.code for problem in found)
    summary = ", ".join(f"{code} × {n}" for code, n in sorted(by_code.items()))
    report.lines.append(f"NOTE {len(found)} findings ({summary}); codes: references/doctor.md" if found else "OK nothing found")
    return report


def _found(call: Call, workspace: Workspace) -> tuple[Problem, ...]:
    topics = read_topics(workspace)
    events = tuple(read_events(workspace))
    index = workspace.read(INDEX)
    memory = workspace.read("MEMORY.md")
    values = {job: workspace.state.get("health", job) for job in JOBS}
    seen = Seen(
        topics=topics.files,
        infos=topics.infos,
        events=events,
        index=None if index is None else decode(index),
        wanted_index=render_index(topics.infos),
        memory=None if memory is None else decode(memory),
        review=open_items(workspace, call.today.isoformat()),
        silent=silent({job: str(value.get("at", "")) for job, value in values.items() if isinstance(value, dict)}, call.now),
        chain=workspace.chain_problems(),
        ledger=tuple(distrusted(call, workspace)),
        tiers=lint(_texts(workspace, *PATHS.values()), load_migration_words),
        paths=workspace.paths("memory/**/*"),
        today=call.today,
    )
    return (*examine(seen), *examine_stores(_stores(call, workspace, events)))


def _texts(workspace: Workspace, *patterns: str) -> dict[str, str]:
    paths = [path for pattern in patterns for path in (workspace.paths(pattern) if "*" in pattern else [pattern])]
    return {path: decode(data) for path in paths if (data := workspace.read(path)) is not None}


def _stores(call: Call, workspace: Workspace, events: tuple[EventFile, ...]) -> Stores:
    key = workspace.key()
    warm = _texts(workspace, f"{AGENTS}warm-memory.json")
    config = decode(workspace.read(CONFIG) or b"")
    handovers = [(one, workspace.read(one.path)) for one in read_handovers(workspace)]
    databases = {name: sound.trouble_of(workspace.root / ".silo" / name) for name in ("index.db", "state.db")}
    databases["cold.db"] = _cold_trouble(workspace)
    return Stores(
        hot=_texts(workspace, f"{AGENTS}hot-memory-state.json"),
        warm=warm,
        trees=_texts(workspace, f"{AGENTS}memory-tree.json"),
        decisions=_texts(workspace, REVIEW, ".silo/proposals.jsonl"),
        graphs=_texts(workspace, GRAPH, PRIVATE_GRAPH),
        own=_texts(workspace, "MEMORY*.md"),
        tombstones=decode(workspace.read(TOMBS) or b""),
        key=mark(key, "key", "")[:8] if key else "",
        settings=problems(config, CONFIG, load_schema("config")) if config.strip() else (),
        databases=databases,
        modes=sound.open_to_others(workspace.root),
        runs=sound.damaged_runs(workspace.root),
        links=sound.leading_out(workspace.root),
        topics=[*workspace.paths(f"{TOPICS}/*.md"), *workspace.paths(f"{PRIVATE_TOPICS}/*.md")],
        handovers=[(one, None if data is None else decode(data)) for one, data in handovers],
        forgotten=_forgotten(call, events),
        events=frozenset(_ids(workspace, events)) if warm else None,
        hot_bytes=call.config.integer("hot", "max_bytes", 5120),
        warm_bytes=int(float(str(call.config.section("warm").get("max_kb", 50))) * 1024),
        today=call.today.isoformat(),
    )


def _cold_trouble(workspace: Workspace) -> str:
    """What is wrong with the archive. One that was never made is none."""
    path = workspace.root / ".silo" / COLD
    if path.exists() or workspace.state.get("health", "consolidate") is None:
        return sound.trouble_of(path)
    return MISSING


def _ids(workspace: Workspace, events: tuple[EventFile, ...]) -> Iterator[str]:
    for file in events:
        yield from (id_of(event) for event in file.events)
        if any(not event.id for event in file.events):
            yield from workspace.chain.ids(file.path, workspace.read(file.path) or b"").values()


def _forgotten(call: Call, events: tuple[EventFile, ...]) -> dict[str, tuple[str, int]]:
    """Sessions that the host was told to forget and that the log still rests on."""
    gone = forgotten_by_host(call.config.state_dir)
    found: dict[str, tuple[str, int]] = {}
    for event in (one for file in events for one in file.events) if gone else ():
        source = read_source(event.source)
        if source is not None and source.session in gone:
            where, number = found.get(source.session, (f"{event.path}:{event.line}", 0))
            found[source.session] = (where, number + 1)
    return found


# --- mending ----------------------------------------------------------------------------------------------


def _mended(call: Call, workspace: Workspace, report: Report) -> None:
    """Index, counts and tree as one run; derived databases and modes at once."""
    if not call.dry_run:
        report.lines += [f"OK mended: {said}" for said in sound.mend(workspace.root)]
        if _cold_trouble(workspace) == MISSING:
            with archive_of(workspace) as store:
                report.lines.append(f"OK mended: .silo/cold.db is made anew, {refresh(workspace, store)} rows")
    run = commit_planned(call, workspace, lambda: _mending(workspace), report)
    if run:
        report.lines.append(f"OK mended, run {run}: {', '.join(report.data['changed'])}" if isinstance(report.data, dict) else "")
        report.lines.append(f"NEXT memory_cli.py undo {run} takes it back")


def _mending(workspace: Workspace) -> Plan:
    changes: list[Change] = []
    infos = {one.file: one for one in read_topics(workspace).infos}
    for path, text in _texts(workspace, f"{TOPICS}/*.md", f"{PRIVATE_TOPICS}/*.md").items():
        made = with_counts(text) if parse_topic(text, path).editable else text
        if made != text:
            changes.append(Write(path, sha256(encode(text)), encode(made), "doctor"))
    for path, text in _texts(workspace, f"{AGENTS}memory-tree.json").items():
        made = relinked(text, path)
        if made != text:
            changes.append(Write(path, sha256(encode(text)), encode(made), "doctor"))
    changes += plan_index(infos.values(), workspace.read(INDEX))
    return Plan("doctor", tuple(changes), counts={"mended": len(changes)})
