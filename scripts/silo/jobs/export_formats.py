"""The job behind `export --format`: the memory in the published files again, for the programs that read those.

What is private stays out unless asked for. One file, printed or written new; topics as a new folder with their log and index.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from silo.core.dedupe import id_of
from silo.core.entities.query import GRAPH, PRIVATE_GRAPH
from silo.core.tiers.warm import member
from silo.edge.outfile import write_folder, write_new
from silo.edge.workspace import Workspace
from silo.errors import BadInput
from silo.formats.graph import parse_graph
from silo.formats.warm import empty_hot, parse_tree, parse_warm, render_hot, render_warm
from silo.jobs.memory import read_events, read_topics
from silo.jobs.run import Call, Report
from silo.jobs.warming import rules_of, said_at
from silo.text.lines import decode, encode

FILES = {"warm": "warm-memory.json", "tree": "memory-tree.json", "hot": "hot-memory-state.json"}
EMPTY = {"warm": "[]\n", "tree": "{}\n", "hot": render_hot(empty_hot())}


def formatted(call: Call, kind: str, file: str | None, *, private: bool, whole: bool) -> Report:
    """The memory as one of the published formats. `whole`, for warm: every logged statement, not the warm set alone.

    Raises:
        BadInput: the place exists already, its folder does not, or topics were asked for without a place.
    """
    place = Path(file).expanduser() if file else None
    if place is not None and (place.exists() or place.is_symlink()):
        raise BadInput(f"{place} exists already", "name a new place: nothing is overwritten")
    workspace = call.open()
    if kind == "topics":
        return _topics(call, workspace, place, private=private)
    text, counts = _text(call, workspace, kind, private=private, whole=whole)
    report = Report(data={"format": kind, "file": str(place) if place else None, **counts})
    assert isinstance(report.data, dict)
    if place is None or call.dry_run:
        report.data["text"] = text
        report.lines = [text.rstrip("\n")]
        return report
    write_new(place, encode(text))
    what = ", ".join(f"{number} {name}" for name, number in counts.items())
    report.lines.append(f"OK wrote {place}: {what}")
    return report


def _text(call: Call, workspace: Workspace, kind: str, *, private: bool, whole: bool) -> tuple[str, dict[str, int]]:
    if kind == "graph":
        texts = [decode(workspace.read(path) or b"") for path in ((GRAPH, PRIVATE_GRAPH) if private else (GRAPH,))]
        text = "".join(one if not one or one.endswith("\n") else one + "\n" for one in texts)
        graph = parse_graph(text)
        return text, {"entities": len(graph.entities), "relations": len(graph.relations)}
    path = f".silo/agents/{call.config.agent}/{FILES[kind]}"
    data = workspace.read(path)
    text = EMPTY[kind] if data is None else decode(data)
    if kind == "tree":
        return text, {"nodes": len(parse_tree(text, path)[0])}
    if kind == "hot":
        return text, {"bytes": len(encode(text))}
    return _warm(call, workspace, text, private=private, whole=whole)


def _warm(call: Call, workspace: Workspace, text: str, *, private: bool, whole: bool) -> tuple[str, dict[str, int]]:
    entries = parse_warm(text, "")[0]
    if whole:
        held = {entry.id: entry for entry in entries}
        counts = workspace.state.items("access")
        rules = rules_of(call.config)
        made = []
        for file in read_events(workspace):
            for event in (one for one in file.events if one.agent == call.config.agent):
                ident = id_of(event)
                kept = counts.get(ident)
                asked = kept.get("count", 0) if isinstance(kept, dict) else 0
                made.append(held.get(ident) or member(event, ident, asked, said_at(call, event.date), rules, call.today).entry)
        entries = tuple(made)
    hidden = set() if private else set(_private_ids(workspace))
    shown = [entry for entry in entries if entry.id not in hidden]
    return render_warm(shown), {"entries": len(shown), "left out as private": len(entries) - len(shown)}


def _private_ids(workspace: Workspace) -> Iterator[str]:
    names = read_topics(workspace).private
    for file in read_events(workspace):
        yield from (id_of(event) for event in file.events if event.slug in names or file.path.startswith(".silo/"))


def _topics(call: Call, workspace: Workspace, place: Path | None, *, private: bool) -> Report:
    """A folder with topics/, events/ and index.md, as a topic-file memory has them."""
    if place is None:
        raise BadInput("--format topics needs a folder to write", "memory_cli.py export --format topics ~/topic-memory")
    patterns = ["memory/topics/*.md", "memory/events/*.md", "memory/index.md"]
    patterns += [".silo/private/topics/*.md", ".silo/private/events/*.md"] if private else []
    files: dict[str, bytes] = {}
    for path in (one for pattern in patterns for one in workspace.paths(pattern)):
        name = path.removeprefix(".silo/private/").removeprefix("memory/")
        data = workspace.read(path) or b""
        if name in files:  # a day of the private log beside the same day of the other
            data = files[name].rstrip(b"\n") + b"\n" + b"".join(line for line in data.splitlines(keepends=True) if not line.startswith(b"# "))
        files[name] = data
    report = Report(data={"format": "topics", "file": str(place), "files": len(files), "names": sorted(files)})
    if call.dry_run:
        report.lines = [f"OK would write {len(files)} files to {place}", "NOTE dry run: nothing was written"]
        return report
    write_folder(place, files)
    report.lines.append(f"OK wrote {place}: {len(files)} files")
    return report
