"""The half of `store --auto` and `store --tier` that puts a statement into a tier file or the entity graph."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC

from silo.core.entities.query import GRAPH, PRIVATE_GRAPH
from silo.core.tiering import Place, entities_of, lint, place, place_of
from silo.edge.completion import load_completions
from silo.edge.migration_words import load_migration_words
from silo.edge.workspace import Workspace
from silo.formats.graph import parse_graph
from silo.formats.tiers import PATHS
from silo.jobs.memory import Topics
from silo.jobs.run import Call
from silo.model import GENERAL, Append, Change, Event, Problem, Write
from silo.text.lines import decode, encode, sha256

AUTO = "auto"
TITLES = {Place.PROTOCOLS: "General", Place.ACTIVE: "Open"}  # headings for what belongs to no topic
LIMITS = ("long-tier", "project-state", "waiting-not-last")


@dataclass(slots=True)
class Placing:
    """Where the statement went: the changes of the same commit, and what is said of it."""

    place: Place
    to: str = ""
    why: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()
    notes: list[str] = field(default_factory=list)

    @property
    def data(self) -> dict[str, object]:
        """For `--json`."""
        return {"placed": self.place.value, "to": self.to or None, "why": list(self.why)}


def placing(call: Call, workspace: Workspace, topics: Topics, event: Event, wanted: str) -> Placing:
    """The statement's place and the changes that put it there. `wanted` is `auto` or a place by name.

    Statements of a private topic are kept out of the tier files, which the host reads; entities go to the private graph.
    """
    words = load_migration_words()
    where, why = place_of(event.text, event.tag, words) if wanted == AUTO else (Place(wanted), ("asked for",))
    done = Placing(where, why=why)
    private = event.slug in topics.private
    if where is Place.ONTOLOGY:
        return _entities(call, workspace, event, done, private=private)
    if where is Place.LOG:
        return done
    if private:
        done.notes.append(f"{event.slug} is private: the statement stands in its log alone, not in {PATHS[where.value]}")
        done.place = Place.LOG
        return done
    paths = (PATHS["active"], PATHS["archive"]) if where is Place.ARCHIVE else (PATHS[where.value],)
    before = {path: decode(data) for path in paths if (data := workspace.read(path)) is not None}
    title = TITLES.get(where, "") if event.slug == GENERAL else event.slug.replace("-", " ").capitalize()
    placed = place(event.text, where, title, event.date, tag=event.tag, files=before, completions=load_completions)
    done.to = PATHS[where.value]
    done.changes = tuple(
        Write(path, sha256(encode(before[path])) if path in before else None, encode(text), "stored")
        for path, text in sorted(placed.files.items())
        if text != before.get(path)
    )
    done.notes += [f"moved from active.md to archive.md: {item}" for item in placed.moved]
    done.notes += [_said(problem) for problem in lint(placed.files, lambda: words) if problem.code in LIMITS]
    return done


def _said(problem: Problem) -> str:
    return f"{problem.where} {problem.code}: {problem.message}"


def _entities(call: Call, workspace: Workspace, event: Event, done: Placing, *, private: bool) -> Placing:
    path = PRIVATE_GRAPH if private else GRAPH
    texts = [decode(workspace.read(one) or b"") for one in ((GRAPH, PRIVATE_GRAPH) if private else (GRAPH,))]
    at = call.now.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    graph = parse_graph("".join(text if not text or text.endswith("\n") else text + "\n" for text in texts), path)
    lines = entities_of(event.text, graph, load_migration_words(), source=event.id or "cli", at=at)
    if lines:
        done.to = path
        done.changes = (Append(path, encode("".join(line + "\n" for line in lines)), why="stored"),)
        done.notes.append(f"{len(lines)} lines for {path}; `memory_cli.py entity find` shows them")
    else:
        done.notes.append("it names nobody that the graph does not know")
    return done
