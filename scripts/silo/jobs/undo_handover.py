"""Undo where a script must not write MEMORY.md: its old content is handed to the host's agent first, the rest waits.

Two steps. First: the hand-over is left, nothing else changes. Once the agent has written the file, the same `undo` takes back
the rest. So at no moment the words of a memory are in no place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from silo.core.migrate.handover import (
    BACK,
    FOLDER,
    Handover,
    Standing,
    clear,
    parse_handover,
    plan_handover,
    standing,
)
from silo.core.migrate.router import NAME
from silo.core.migrate.settle import secret_lines
from silo.edge.ledger import read_ledger
from silo.edge.unwind import Part, Unwind, Unwound
from silo.edge.workspace import Workspace
from silo.errors import Conflict
from silo.formats import managed
from silo.jobs.handover import read_handovers
from silo.jobs.run import Call
from silo.model import Change, Plan, Write
from silo.text.lines import content, decode, encode, newline, sha256, split


@dataclass(frozen=True, slots=True)
class Needed:
    """A file that the agent has to write before the undo can go on, and the plan that leaves the hand-over."""

    handover: Handover
    plan: Plan


def needed(call: Call, workspace: Workspace, run: str, planned: Plan) -> Needed | None:
    """What the agent has to do before this undo; None where scripts may do all of it.

    Raises:
        Conflict: the file's old content can't be handed over, because it holds a secret that the present one does not.
    """
    paths = next((one.paths for one in workspace.runs() if one.id == run), ())
    back = next((path for path in paths if path.startswith(f"{BACK}/") and path.endswith(".json")), None)
    if back is not None:
        return _from_back(call, workspace, back)
    for change in planned.changes:
        if isinstance(change, Write) and "/" not in change.path and change.path.startswith("MEMORY"):
            present = workspace.read(change.path)
            hashes = {} if present is None else {change.path: sha256(present)}
            if present is not None and read_ledger(call.config.state_dir, workspace.root, hashes).forbids(change.path):
                return _left(call, workspace, change.path, decode(present), decode(change.data))
    return None


def _from_back(call: Call, workspace: Workspace, path: str) -> Needed | None:
    """A run whose MEMORY.md the agent wrote: it has to write the old one too, as long as the router stands in it."""
    given = parse_handover(decode(workspace.read(path) or b""))
    if given is None:
        return None
    present = decode(workspace.read(given.path) or b"")
    if managed.find(present, NAME) is None:
        return None  # the agent never wrote it, or has put the old content back
    body = decode(workspace.read(path.removesuffix(".json") + ".md") or b"")
    if standing(given, present) is not Standing.WAITING:
        if given.keep:
            raise Conflict(
                f"{given.path} has changed since; what it held is in {path.removesuffix('.json')}.md",
                f"put it back by hand with {given.path} open beside it, then undo again",
            )
        return _left(call, workspace, given.path, present, _with_new_lines(body, present))
    changes: list[Change] = []
    for name, data in ((f"{given.id}.md", body), (f"{given.id}.json", decode(workspace.read(path) or b""))):
        old = workspace.read(f"{FOLDER}/{name}")
        changes.append(Write(f"{FOLDER}/{name}", None if old is None else sha256(old), encode(data), "hand-over"))
    return Needed(given, Plan("handover", tuple(changes)))


def _with_new_lines(old: str, present: str) -> str:
    """The old content, and below it what has been written into the file since."""
    block = managed.find(present, NAME)
    lines = split(present)
    if isinstance(block, managed.Block):
        del lines[block.start : block.end]
    known = {content(line).strip() for line in split(old)}
    new = [line for line in lines if content(line).strip() and content(line).strip() not in known]
    style = newline(old)
    lead = "" if not old or old.endswith("\n") else style
    return old + (lead + style + "".join(content(line) + style for line in new) if new else "")


def _left(call: Call, workspace: Workspace, path: str, present: str, target: str) -> Needed:
    """A hand-over of `target`; lines with a secret are named by where they stand in the present file."""
    there = [content(line) for line in split(present)]
    lines = [content(line) for line in split(target)]
    kept: dict[int, int] = {}
    for number in secret_lines(target):
        if lines[number - 1] not in there:
            raise Conflict(
                f"{path} held a secret that it no longer holds, and a hand-over never does",
                "put it back by hand: the old file lies under .silo/runs",
            )
        kept[number] = there.index(lines[number - 1]) + 1
    handover, files = plan_handover(path, present, target, kept, call.today.isoformat())
    changes = []
    for file in files:
        old = workspace.read(file.path)
        changes.append(replace(file, expect=None if old is None else sha256(old)))
    return Needed(handover, Plan("handover", tuple(changes)))


def unwinding(workspace: Workspace, unwind: Unwind) -> Unwind:
    """`unwind`, but a file that the agent has written by a hand-over stays as its tool has left it."""
    done = {one.path for one in read_handovers(workspace) if _standing(workspace, one) is Standing.DONE}

    def inner(part: Part) -> Unwound | None:
        return Unwound(part.now) if part.path in done else unwind(part)

    return inner


def settled(workspace: Workspace) -> Plan:
    """The hand-overs that are done, cleared away."""
    found: Sequence[Handover] = [one for one in read_handovers(workspace) if _standing(workspace, one) is Standing.DONE]
    present = {path: data for path in workspace.paths(f"{FOLDER}/*") if (data := workspace.read(path)) is not None}
    return Plan("handover", clear(found, present))


def _standing(workspace: Workspace, one: Handover) -> Standing:
    data = workspace.read(one.path)
    return standing(one, None if data is None else decode(data))
