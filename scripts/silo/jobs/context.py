"""The job behind `context`: what a session starts with, read from the workspace and fitted into the budget."""

from __future__ import annotations

from pathlib import Path

from silo.core.context import MOST_BYTES, MOST_BYTES_FULL, Material, context
from silo.core.doors import LOG, PRIVATE_LOG
from silo.core.liveness import JOBS, silent
from silo.core.stale import days_since, stale_info
from silo.edge.counter import token_counter
from silo.edge.reader import Reader
from silo.errors import BadInput
from silo.formats.events import parse_file
from silo.formats.fields import fields
from silo.jobs.handover import waiting_handovers
from silo.jobs.reading import Topics, open_items, read_topics
from silo.jobs.run import Call, Report
from silo.jobs.stale import limits
from silo.jobs.treefile import tree_lines
from silo.model import Event, TopicInfo
from silo.text.lines import decode

RULES = Path(__file__).resolve().parents[3] / "templates" / "rules.md"
LEAST_BYTES = 512


def session_context(call: Call, *, audience: str, full: bool, max_bytes: int | None) -> Report:
    """The context pack on standard output.

    Raises:
        BadInput: a budget that holds nothing, or more than a session's start may have.
    """
    limit = _limit(call, full, max_bytes)
    workspace = call.look()
    known = read_topics(workspace)
    topics = known.infos
    made = context(
        Material(
            rules=RULES.read_text(encoding="utf-8") if RULES.is_file() else "",
            waiting=_waiting(call, workspace, () if audience == "group" else topics),
            active=_text(workspace, "memory/active.md"),
            protocols=_text(workspace, "memory/protocols.md"),
            hot=_hot(call, workspace),
            tree=tree_lines(call, workspace) if full else "",
            events=_today(workspace, call.today.isoformat()),
            topics=topics,
            todos=_todos(call, known),
        ),
        agent=call.config.agent,
        group=audience == "group",
        full=full,
        most_bytes=limit,
        most_tokens=call.config.integer("context", "max_tokens", 2000),
        counter=token_counter(),
    )
    data = {"text": made.text, "bytes": made.bytes, "tokens": made.tokens, "counter": made.counter, "cut": list(made.cut)}
    call.say(f"NOTE {made.bytes} bytes, about {made.tokens} tokens ({made.counter})" + (f"; cut: {'; '.join(made.cut)}" if made.cut else ""))
    return Report(made.text.rstrip("\n").split("\n"), data)


def _limit(call: Call, full: bool, asked: int | None) -> int:
    """The budget in bytes: what was asked for, else the setting's, which can only make it smaller."""
    most = MOST_BYTES_FULL if full else MOST_BYTES
    if asked is None:
        set_to = most if full else call.config.integer("context", "max_bytes", MOST_BYTES)
        if set_to > most:
            call.say(f"NOTE context.max_bytes {set_to} is more than a session's start may have: {most} bytes at most")
        return min(set_to, most)
    if asked < LEAST_BYTES:
        raise BadInput(f"--max-bytes {asked} is too small to say anything", f"give {LEAST_BYTES} or more")
    if asked > most:
        more = "" if full else f", or --full for {MOST_BYTES_FULL} bytes with the whole hot state and tree"
        raise BadInput(f"--max-bytes {asked} is more than a session's start may have", f"give {most} or less{more}")
    return asked


def _text(workspace: Reader, path: str) -> str:
    data = workspace.read(path)
    return decode(data) if data is not None else ""


def _todos(call: Call, topics: Topics) -> tuple[str, ...]:
    """The open boxes of the agent's topics, those with a day first. A line of the log that no topic has taken in yet is left to
    `todos`: a session's start reads no log."""
    today = call.today.isoformat()
    seen = topics.seen_by(call.config.agent)
    boxes = [fact for file, one in zip(seen.files, seen.infos, strict=True) if one.status != "archived" for fact in file.facts if fact.done is False]
    dated = sorted(((fields(fact.text).due, fact) for fact in boxes), key=lambda row: (not row[0], row[0], row[1].since, row[1].text))
    return tuple(f"- [ ] {fact.text}" + (" (overdue)" if due and today[: len(due)] > due else "") for due, fact in dated)


def _today(workspace: Reader, day: str) -> tuple[Event, ...]:
    found: list[Event] = []
    for folder in (LOG, PRIVATE_LOG):
        path = f"{folder}/{day}.md"
        found += parse_file(_text(workspace, path), path).events
    return tuple(found)


_KINDS = {  # one, several
    "contradiction": ("contradiction", "contradictions"),
    "doubt": ("doubt", "doubts"),
    "edit": ("collided edit", "collided edits"),
    "quarantine": ("text held back", "texts held back"),
    "skill": ("skill candidate", "skill candidates"),
}


def _waiting(call: Call, workspace: Reader, topics: tuple[TopicInfo, ...]) -> str:
    """What waits in one line: a file that only the agent may write comes before decisions of the owner."""
    for handover in waiting_handovers(workspace):
        return f"To do now: {handover.instruction}"
    today = call.today
    items = open_items(workspace, today.isoformat())
    mine = [one for one in topics if not one.agents or call.config.agent in one.agents]
    old = sum(stale_info(one, today, limits(call)) for one in mine)
    told = [f"Not verified for long: {old} topic{'s' if old > 1 else ''} (memory_cli.py stale)"] if old else []
    kinds: dict[str, int] = {}
    for item in items:
        kinds[str(item.get("kind"))] = kinds.get(str(item.get("kind")), 0) + 1
    if kinds:
        what = ", ".join(f"{number} {_KINDS.get(kind, (kind, kind))[number > 1]}" for kind, number in sorted(kinds.items()))
        age = days_since(str(items[0].get("created", ""))[:10], today) or 0
        oldest = f", the oldest for {age} days" if age > 1 else ""
        told.insert(0, f"Waiting for the owner's decision: {what}{oldest} (memory_cli.py review list)")
    rows = {job: value for job in JOBS if isinstance(value := workspace.state.get("health", job), dict) and value.get("scheduled")}
    dead = silent({job: str(value.get("at", "")) for job, value in rows.items()}, call.now)
    if dead:
        told.append(f"Scheduled jobs that have not run for days: {', '.join(one.job for one in dead)} (memory_cli.py doctor)")
    return "; ".join(told) + "." if told else ""


def _hot(call: Call, workspace: Reader) -> str:
    """The hot state of the agent as lines; empty where there is none or it is damaged (doctor names that)."""
    path = f".silo/agents/{call.config.agent}/hot-memory-state.json"
    data = workspace.read(path)
    if data is None:
        return ""
    from silo.formats.warm import parse_hot
    from silo.jobs.hotlines import hot_lines

    return "\n".join(f"- {line}" for line in hot_lines(parse_hot(decode(data), path)[0], call.config.zone))
