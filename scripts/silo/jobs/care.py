"""The job behind `status`: what is there, when the jobs last ran, what waits for a person."""

from __future__ import annotations

from silo.core.liveness import JOBS
from silo.jobs.costs import cost_lines, costs
from silo.jobs.memory import event_paths, open_items, read_events, read_topics
from silo.jobs.run import Call, Report


def status(call: Call) -> Report:
    """Counts, and when each job last ran."""
    workspace = call.open()
    topics = read_topics(workspace)
    days = event_paths(workspace)
    waiting = open_items(workspace, call.today.isoformat())
    health = {job: workspace.state.get("health", job) for job in (*JOBS, "consolidate")}
    ran = {job: str(value.get("at", "")) if isinstance(value, dict) else "" for job, value in health.items()}
    facts = sum(len(file.facts) for file in topics.files)
    events = sum(len(file.events) for file in read_events(workspace))
    spending = costs(call, workspace)
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
            "models": spending,
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
    if spending["calls"]:
        report.lines += cost_lines(spending)
    if waiting:
        report.lines.append(f"NOTE {len(waiting)} items wait for a decision")
        report.lines.append("NEXT memory_cli.py review list")
    report.problems(topics.problems, most=5)
    return report
