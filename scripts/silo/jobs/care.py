"""The jobs behind `status`, `doctor` and `review`: what is there, what is wrong, what waits for a person."""

from __future__ import annotations

from collections import Counter

from silo.core.checks import Seen, examine
from silo.core.tiering import lint
from silo.core.views import INDEX
from silo.edge.migration_words import load_migration_words
from silo.formats.index import render_index
from silo.formats.tiers import PATHS
from silo.jobs.distrust import distrusted
from silo.jobs.memory import event_paths, open_items, read_events, read_topics
from silo.jobs.run import Call, Report, problem_data
from silo.text.lines import decode

JOBS = ("extract", "curate", "suggest")


def status(call: Call) -> Report:
    """Counts, and when each job last ran."""
    workspace = call.open()
    topics = read_topics(workspace)
    days = event_paths(workspace)
    waiting = open_items(workspace, call.today.isoformat())
    health = {job: workspace.state.get("health", job) for job in JOBS}
    ran = {job: str(value.get("at", "")) if isinstance(value, dict) else "" for job, value in health.items()}
    facts = sum(len(file.facts) for file in topics.files)
    events = sum(len(file.events) for file in read_events(workspace))
    report = Report(
        data={
            "workspace": str(workspace.root),
            "agent": call.config.agent,
            "timezone": call.config.zone_name,
            "topics": len(topics.infos),
            "facts": facts,
            "events": events,
            "days": len(days),
            "review_open": len(waiting),
            "jobs": health,
        }
    )
    report.lines = [
        f"OK {workspace.root} (agent {call.config.agent}, days in {call.config.zone_name})",
        f"OK {len(topics.infos)} topics with {facts} curated facts; {events} events on {len(days)} days",
    ]
    report.lines += [f"OK {job} last ran {at[:16].replace('T', ' ')}" if at else f"NOTE {job} has not run yet" for job, at in ran.items()]
    for job, value in health.items():
        if isinstance(value, dict) and value.get("errors"):
            when = str(value.get("failed_at", ""))[:16].replace("T", " ")
            report.lines.append(f"PROBLEM .silo/state.db:1 job-failed {job} failed on {when} ({value.get('failed')}), {value['errors']} times since it last worked")
    if waiting:
        report.lines.append(f"NOTE {len(waiting)} items wait for a decision")
        report.lines.append("NEXT memory_cli.py review list")
    report.problems(topics.problems, most=5)
    return report


def doctor(call: Call, *, only: tuple[str, ...], acknowledge: bool = False) -> Report:
    """Every finding with its place; exit 1 if there is one. `acknowledge` takes the event log as it stands for right."""
    workspace = call.open()
    if acknowledge:
        workspace.state.apply(workspace.chain_acknowledged())
    topics = read_topics(workspace)
    index = workspace.read(INDEX)
    memory = workspace.read("MEMORY.md")
    health: dict[str, str] = {}
    for job in JOBS:
        value = workspace.state.get("health", job)
        if isinstance(value, dict):
            health[job] = str(value.get("at", ""))
    found = examine(
        Seen(
            topics=topics.files,
            infos=topics.infos,
            events=tuple(read_events(workspace)),
            index=None if index is None else decode(index),
            wanted_index=render_index(topics.infos),
            memory=None if memory is None else decode(memory),
            review=open_items(workspace, call.today.isoformat()),
            health=health,
            chain=workspace.chain_problems(),
            ledger=tuple(distrusted(call, workspace)),
            tiers=lint(
                {path: decode(data) for path in PATHS.values() if (data := workspace.read(path)) is not None}, load_migration_words
            ),
            paths=workspace.paths("memory/**/*"),
            today=call.today,
        )
    )
    if only:
        found = tuple(problem for problem in found if any(problem.where.startswith(path) for path in only))
    report = Report(data={"findings": problem_data(found)}, code=1 if found else 0)
    report.problems(found, most=100)
    report.lines += workspace.state.notes
    kept = workspace.usage()
    report.lines.append(
        f"NOTE {kept.runs} runs kept for undo, {kept.run_bytes / 1e6:.1f} MB (at most 30 days and 200 MB, the last 20 always);"
        f" {kept.conflicts} copies of collided edits"
    )
    assert isinstance(report.data, dict)
    report.data |= {"runs": kept.runs, "run_bytes": kept.run_bytes, "conflicts": kept.conflicts}
    by_code = Counter(problem.code for problem in found)
    summary = ", ".join(f"{code} × {n}" for code, n in sorted(by_code.items()))
    report.lines.append(f"NOTE {len(found)} findings ({summary}); codes: references/doctor.md" if found else "OK nothing found")
    return report
