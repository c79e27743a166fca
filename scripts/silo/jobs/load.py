"""The job behind `load`: one topic's header and curated facts."""

from __future__ import annotations

from collections.abc import Iterator

from silo.core.facts import named_facts
from silo.edge.reader import Reader
from silo.errors import BadInput
from silo.formats.comment import strip
from silo.formats.topics import TopicFile, info, parse_topic
from silo.jobs.past import Moment, facts_at, moment
from silo.jobs.reading import PRIVATE_TOPICS, TOPICS, read_topics, topic_paths
from silo.jobs.run import Call, Report
from silo.text.lines import content, decode
from silo.text.recalled import shown

SHOWN_CHANGES = 5


def load(call: Call, *, slug: str, audience: str, day: str | None = None, instant: str | None = None) -> Report:
    """A topic's header and curated layer with its last five changes.

    With `day` the facts that were true then by what is known now, with `instant` those that the memory held then.

    Raises:
        BadInput: no such topic, one of other agents, a private one for a group, or no date.
    """
    workspace = call.look()
    there = topic_paths(workspace)
    path = next((f"{folder}/{slug}.md" for folder in (TOPICS, PRIVATE_TOPICS) if f"{folder}/{slug}.md" in there), None)
    if path is None and (renamed := read_topics(workspace).get(slug)) is not None:  # an old name leads to it still
        path = renamed.file
    data = workspace.read(path) if path else None
    if path is None or data is None:
        raise BadInput(f"no topic {slug}", "memory_cli.py topic list")
    file = parse_topic(decode(data), path)
    about = info(file)
    foreign = bool(about.agents) and call.config.agent not in about.agents
    if audience == "group" and (foreign or about.sensitivity == "private" or path.startswith(PRIVATE_TOPICS)):
        raise BadInput(f"no topic {slug}", "memory_cli.py topic list")  # nor is a group told that there is one
    if foreign:
        raise BadInput(f"no topic {slug} for the agent {call.config.agent}", f"it is kept for {', '.join(about.agents)}: --agent-id")
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
                for f in named_facts(file)
            ],
            "changes": [
                {"date": c.date, "op": c.op, "new": c.new, "old": c.old, "reason": c.reason} for c in file.changes[:SHOWN_CHANGES]
            ],
        }
    )
    report.lines = list(_curated_lines(file))
    report.problems(file.problems)
    return report


def _past(workspace: Reader, file: TopicFile, when: Moment) -> Report:
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
    report.lines = [f"{file.slug}: {len(facts)} facts {when.told}", *(f"- {shown(text)}  ({ident})" for ident, text in facts.items())]
    return report


def _curated_lines(file: TopicFile) -> Iterator[str]:
    """The curated layer as it stands, ids and marks taken off, the changelog cut to its last entries."""
    about = info(file)
    verified = f", last verified {about.last_verified}" if about.last_verified else ""
    yield f"{about.slug} ({about.type}, {about.status}{verified}): {shown(about.summary)}"
    if file.curated is None:
        yield "NOTE the curated layer can't be found: its markers are damaged"
        return
    recent = file.entries[:SHOWN_CHANGES]
    hidden = {n for entry in file.entries[SHOWN_CHANGES:] for n in range(entry.start, entry.end)}
    start, end = file.curated
    blank = True
    for number in range(start, end):
        line = strip(content(file.lines[number]).rstrip()) if number not in hidden else ""
        indent = len(file.lines[number]) - len(file.lines[number].lstrip(" \t"))
        if line:
            yield file.lines[number][:indent].replace("\t", "    ") + shown(line)
            blank = False
        elif not blank:
            yield ""
            blank = True
    if len(file.entries) > len(recent):
        yield f"NOTE {len(file.entries) - len(recent)} older changes; `memory_cli.py why ID` shows those of a fact"
