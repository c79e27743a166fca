"""The job behind `stale`: what the owner might confirm or correct."""

from __future__ import annotations

from collections.abc import Mapping

from silo.core.stale import DEFAULT_DAYS, stale
from silo.errors import BadInput
from silo.jobs.memory import read_topics
from silo.jobs.run import Call, Report
from silo.text.recalled import shown

SHOWN = 5  # facts of a topic that the text shows; --json has all


def limits(call: Call) -> Mapping[str, int]:
    """Days by type of topic, as configured."""
    return {kind: call.config.integer("stale_days", kind, days) for kind, days in DEFAULT_DAYS.items()}


def listing(call: Call, *, days: int | None, topic: str | None, audience: str = "owner") -> Report:
    """Topics and facts of the agent that nobody has confirmed for longer than their type allows, or for `days`.

    Raises:
        BadInput: no such topic, or no such time.
    """
    if days is not None and days < 0:
        raise BadInput(f"--days {days} is no time", "give 0 or more")
    workspace = call.open()
    topics = read_topics(workspace).seen_by(call.config.agent, group=audience == "group")
    if topic is not None and topic not in topics.slugs:
        raise BadInput(f"no topic {topic}", "memory_cli.py topic list")
    wanted = limits(call) if days is None else dict.fromkeys(DEFAULT_DAYS, days)
    only = topics.resolve(topic) if topic is not None else None
    files = [file for file in topics.files if only in (None, file.slug)]
    found = stale(files, call.today, wanted)
    report = Report(
        data={
            "topics": [
                {
                    "slug": one.info.slug,
                    "type": one.info.type,
                    "limit_days": one.limit,
                    "last_verified": one.info.last_verified,
                    "overdue": one.overdue,
                    "facts": [
                        {"id": f.fact.id, "text": f.fact.text, "seen": f.seen, "days": f.days, "path": f.fact.path, "line": f.fact.line}
                        for f in one.facts
                    ],
                }
                for one in found
            ]
        }
    )
    for one in found:
        verified = f"last verified {one.info.last_verified or 'never'}" + (", overdue" if one.overdue else "")
        report.lines.append(f"{one.info.slug} ({one.info.type}, {one.limit} d): {verified}; {len(one.facts)} stale facts")
        report.lines += [f"  {f.fact.id} {f.seen} ({f.days} d): {shown(f.fact.text)}" for f in one.facts[:SHOWN]]
        if len(one.facts) > SHOWN:
            report.lines.append(f"  … and {len(one.facts) - SHOWN} more; --json has all")
    if found:
        report.lines.append("NEXT ask the owner what still holds; then memory_cli.py confirm ID, or memory_cli.py correct ID TEXT")
    else:
        report.lines.append("OK nothing is stale")
    return report
