"""What `doctor` looks for beside the topics and the log: state files of the agents, decisions, graph, blocks, settings, databases.

Each finding says what mends it. Pure: the job reads, this module judges.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from silo.core.migrate.handover import Handover, Standing, standing
from silo.core.tree import linked
from silo.formats import managed
from silo.formats.decisions import read_decisions
from silo.formats.graph import parse_graph
from silo.formats.topics import is_archive, slug_of
from silo.formats.warm import parse_hot, parse_tree, parse_warm
from silo.model import Problem
from silo.text.budget import size

CODES: Mapping[str, str] = {
    "D018": "something was learnt from a session that the host was told to forget",
    "D019": "cold.db is damaged or missing",
    "D020": "index.db is damaged",
    "D021": "state.db is damaged",
    "D022": "the hot state can't be read or is too large",
    "D023": "the warm set can't be read or is too large",
    "D024": "a setting is unknown or has a value that it can't have",
    "D025": "the tombstones are damaged, or their key is gone",
    "D026": "a file of .silo may be read by others",
    "D027": "a line of the review queue or the proposals can't be read",
    "D028": "a line of the graph can't be read or says what can't be",
    "D029": "the marks of a block of ours in MEMORY.md are damaged",
    "D030": "the tree of categories can't be read, or its nodes name other children than there are",
    "D031": "a run is damaged",
    "D032": "a link under memory/ leads out of the workspace",
    "D033": "an archive file has no topic",
    "D034": "a topic stands both in memory/topics and among the private ones",
    "D035": "a hand-over waits for the agent, or its file has changed since",
    "D036": "an entry of the warm set stands for no line of the log",
}
WAIT_DAYS = 3
TEXT = "read as empty; repair the file, or restore it: memory_cli.py log, undo"


@dataclass(frozen=True, slots=True)
class Stores:
    """What the checks look at. Texts by path. `databases`: name → what is wrong, "" where nothing is. `modes`: paths and
    permission bits. `key`: the id of the key that there is ("" for none). `handovers` with the present text of their file."""

    hot: Mapping[str, str] = ()  # type: ignore[assignment]
    warm: Mapping[str, str] = ()  # type: ignore[assignment]
    trees: Mapping[str, str] = ()  # type: ignore[assignment]
    decisions: Mapping[str, str] = ()  # type: ignore[assignment]
    graphs: Mapping[str, str] = ()  # type: ignore[assignment]
    own: Mapping[str, str] = ()  # type: ignore[assignment]
    tombstones: str = ""
    key: str = ""
    settings: Sequence[Problem] = ()
    databases: Mapping[str, str] = ()  # type: ignore[assignment]
    modes: Sequence[tuple[str, int]] = ()
    runs: Sequence[str] = ()  # names of damaged ones
    links: Sequence[str] = ()
    topics: Sequence[str] = ()  # paths of topic and archive files
    handovers: Sequence[tuple[Handover, str | None]] = ()
    forgotten: Mapping[str, tuple[str, int]] = ()  # type: ignore[assignment]  # session → (where first, events)
    events: frozenset[str] | None = None  # ids of the log; None: not looked at
    hot_bytes: int = 5120
    warm_bytes: int = 51_200
    today: str = ""


def examine_stores(seen: Stores) -> tuple[Problem, ...]:
    """All findings."""
    found: list[Problem] = []
    for check in (_hot, _warm, _trees, _decisions, _graphs, _blocks, _tombstones, _databases, _modes, _places, _handovers):
        found += check(seen)
    found += (Problem(p.where, "D024", f"{p.message} ({p.code}); memory_cli.py config set or unset") for p in seen.settings)
    found += (Problem(f".silo/runs/{name}:1", "D031", "its manifest can't be read: it can't be shown or undone; move the folder away") for name in seen.runs)
    for session, (where, number) in sorted(dict(seen.forgotten).items()):
        found.append(Problem(where, "D018", f"{number} events rest on session {session}, which the host was told to forget; memory_cli.py forget --session {session}"))
    return tuple(found)


def _hot(seen: Stores) -> Iterable[Problem]:
    for path, text in dict(seen.hot).items():
        problems = parse_hot(text, path)[1]
        yield from (Problem(p.where, "D022", f"{p.message}; {TEXT}") for p in problems)
        if not problems and size(text) > seen.hot_bytes:
            yield Problem(f"{path}:1", "D022", f"{size(text)} bytes, it holds {seen.hot_bytes}; memory_cli.py hot --rebuild prunes it, what leaves goes into the log")


def _warm(seen: Stores) -> Iterable[Problem]:
    for path, text in dict(seen.warm).items():
        entries, problems = parse_warm(text, path)
        yield from (Problem(p.where, "D023", f"{p.message}; {TEXT}") for p in problems)
        if size(text) > seen.warm_bytes:
            yield Problem(f"{path}:1", "D023", f"{size(text)} bytes, it holds {seen.warm_bytes}; memory_cli.py consolidate moves the least to the archive")
        lost = [entry.id for entry in entries if seen.events is not None and entry.id not in seen.events]
        if lost:
            more = " …" if len(lost) > 3 else ""
            yield Problem(f"{path}:1", "D036", f"{len(lost)} entries stand for no line of the log ({', '.join(lost[:3])}{more}); memory_cli.py import {path} writes them there, or delete them by hand")


def _trees(seen: Stores) -> Iterable[Problem]:
    for path, text in dict(seen.trees).items():
        nodes, problems = parse_tree(text, path)
        yield from (Problem(p.where, "D030", f"{p.message}; repair the file, or move it away to begin anew") for p in problems)
        wrong = [name for name, node in linked(nodes).items() if node.children != tuple(sorted(nodes[name].children))]
        if wrong:
            yield Problem(f"{path}:1", "D030", f"`{wrong[0]}` names other children than there are; memory_cli.py doctor --fix")


def _decisions(seen: Stores) -> Iterable[Problem]:
    for path, text in dict(seen.decisions).items():
        yield from (Problem(p.where, "D027", f"{p.message} ({p.code}); repair or delete the line") for p in read_decisions(text, path).problems)


def _graphs(seen: Stores) -> Iterable[Problem]:
    for path, text in dict(seen.graphs).items():
        yield from (Problem(p.where, "D028", f"{p.message} ({p.code}); correct the line, or add one with memory_cli.py entity") for p in parse_graph(text, path).problems)


def _blocks(seen: Stores) -> Iterable[Problem]:
    for path, text in dict(seen.own).items():
        for name in managed.names(text):
            block = managed.find(text, name, path)
            if isinstance(block, Problem):
                yield Problem(block.where, "D029", block.message)


def _tombstones(seen: Stores) -> Iterable[Problem]:
    path = ".silo/tombstones.jsonl"
    read = read_decisions(seen.tombstones, path)
    yield from (Problem(p.where, "D025", f"{p.message} ({p.code}); what it kept from coming back may be learnt again: restore the line from a backup") for p in read.problems)
    keyed = {str(one["key"]) for one in read.items.values() if one.get("why") == "forget" and one.get("key")}
    if keyed and not seen.key:
        yield Problem(".silo/key:1", "D025", "the key of the tombstones is gone: what was forgotten may be learnt again; restore .silo/key from an export")
    elif other := sorted(keyed - {seen.key}):
        yield Problem(f"{path}:1", "D025", f"{len(other)} other keys made some of the tombstones, and those say nothing here; restore .silo/key from an export")


_DATABASES = {
    "cold.db": ("D019", "it is derived: memory_cli.py doctor --fix, or consolidate, makes it anew"),
    "index.db": ("D020", "it is derived: memory_cli.py doctor --fix takes it away, the next question makes it anew"),
    "state.db": ("D021", "the next command that writes sets it aside and begins anew; counts and cursors are lost, no fact is"),
}


def _databases(seen: Stores) -> Iterable[Problem]:
    for name, trouble in sorted(dict(seen.databases).items()):
        if trouble and name in _DATABASES:
            code, mend = _DATABASES[name]
            yield Problem(f".silo/{name}:1", code, f"{trouble}; {mend}")


def _modes(seen: Stores) -> Iterable[Problem]:
    for path, mode in seen.modes:
        if mode & 0o077:
            yield Problem(f"{path}:1", "D026", f"mode {mode:o} lets others read it; memory_cli.py doctor --fix makes it private")


def _places(seen: Stores) -> Iterable[Problem]:
    for path in seen.links:
        yield Problem(f"{path}:1", "D032", "a link that leads out of the workspace: it is neither read nor written; replace it by a file")
    whole = [path for path in seen.topics if not is_archive(path)]
    slugs = {slug_of(path) for path in whole}
    for path in seen.topics:
        if is_archive(path) and slug_of(path) not in slugs:
            yield Problem(f"{path}:1", "D033", f"there is no topic {slug_of(path)}; restore it, or rename or delete the archive")
    by_slug: dict[str, str] = {}
    for path in whole:
        if by_slug.setdefault(slug_of(path), path) != path:
            yield Problem(f"{path}:1", "D034", f"the same topic stands at {by_slug[slug_of(path)]}; bring the two together by hand, delete one")


def _handovers(seen: Stores) -> Iterable[Problem]:
    for one, present in seen.handovers:
        how = standing(one, present)
        old = bool(seen.today) and one.created[:10] < _days_before(seen.today, WAIT_DAYS)
        if how is Standing.STALE:
            yield Problem(f"{one.file}:1", "D035", f"{one.path} has changed since it was made: run the command again that left it (migrate_memory.py plan, or forget)")
        elif how is Standing.WAITING and old:
            yield Problem(f"{one.file}:1", "D035", f"waits since {one.created[:10]}: {one.instruction}")


def _days_before(day: str, number: int) -> str:
    from datetime import date, timedelta

    return (date.fromisoformat(day) - timedelta(days=number)).isoformat()


def relinked(text: str, path: str) -> str:
    """The tree with the children that there are; the same text where nothing is wrong with them, or all is."""
    from silo.formats.warm import render_tree

    nodes, problems = parse_tree(text, path)
    if problems or not nodes:
        return text
    made = render_tree(linked(nodes).values())
    return made if any(node.children != tuple(sorted(nodes[name].children)) for name, node in linked(nodes).items()) else text


