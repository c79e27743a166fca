"""The job behind `export --flat`: the structured memory as one MEMORY.md, printed or written to a new file."""

from __future__ import annotations

from pathlib import Path

from silo.core.dedupe import id_of
from silo.core.entities.query import GRAPH, PRIVATE_GRAPH
from silo.core.flat import Whole, flatten
from silo.edge.outfile import write_new
from silo.errors import BadInput
from silo.formats.graph import parse_graph
from silo.formats.tiers import PATHS
from silo.jobs.memory import read_events, read_topics
from silo.jobs.run import Call, Report
from silo.model import DEFAULT_AGENT
from silo.text.lines import decode, encode, split


def flat(call: Call, file: str | None, *, private: bool) -> Report:
    """One Markdown file with all that the memory says now. What is private is left out unless asked for.

    Raises:
        BadInput: the file exists already, or its folder does not.
    """
    place = Path(file).expanduser() if file else None
    if place is not None and (place.exists() or place.is_symlink()):
        raise BadInput(f"{place} exists already", "name a new file: nothing is overwritten")
    text, left = _text(call, private=private)
    report = Report(data={"file": str(place) if place else None, "lines": len(split(text)), "private_left_out": left})
    assert isinstance(report.data, dict)
    if place is None or call.dry_run:
        report.data["text"] = text
        report.lines = [text.rstrip("\n")]
        return report
    write_new(place, encode(text))
    report.lines.append(f"OK wrote {place}: {len(split(text))} lines")
    if left:
        report.lines.append(f"NOTE {left} private topics were left out; --private takes them along")
    return report


def _text(call: Call, *, private: bool) -> tuple[str, int]:
    """(the file's text, how many private topics it leaves out)."""
    workspace = call.open()
    agent = call.config.agent
    memory = workspace.read("MEMORY.md" if agent == DEFAULT_AGENT else f"MEMORY-{agent}.md")
    topics = read_topics(workspace)
    hidden = topics.private if not private else frozenset[str]()
    mine = [one for one in topics.infos if not one.agents or agent in one.agents]
    shown = {one.slug for one in mine} - hidden
    named = {alias for one in topics.infos for alias in (one.slug, *one.aliases)}
    reconciled = workspace.state.items("reconciled")
    loose = [
        event
        for file in read_events(workspace)
        for event in file.events
        if event.agent == agent and event.slug not in hidden and (event.slug not in named or id_of(event) not in reconciled)
        if private or not file.path.startswith(".silo/")
    ]
    paths = (GRAPH, PRIVATE_GRAPH) if private else (GRAPH,)
    graph = "\n".join(decode(workspace.read(path) or b"").rstrip("\n") for path in paths)
    whole = Whole(
        memory="" if memory is None else decode(memory),
        tiers={name: decode(data) for name, path in PATHS.items() if (data := workspace.read(path)) is not None},
        topics=tuple(file for file in topics.files if file.slug in shown),
        graph=parse_graph(graph, GRAPH),
        loose=loose,
    )
    return flatten(whole), len(hidden)
