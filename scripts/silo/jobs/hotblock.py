"""The managed block `hot` of MEMORY.md: written only once somebody asked for it, and only where a script may write the file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from silo.core.migrate.handover import FOLDER, clear, plan_handover
from silo.core.migrate.settle import secret_lines
from silo.edge.ledger import read_ledger
from silo.edge.workspace import Workspace
from silo.errors import BadInput
from silo.formats import managed
from silo.jobs.handover import read_handovers
from silo.model import DEFAULT_AGENT, Change, Problem, Write
from silo.text.lines import content, decode, encode, sha256, split

if TYPE_CHECKING:
    from silo.jobs.call import Call

NAME = "hot"


def memory_path(agent: str) -> str:
    """The file in which an agent's hot state is rendered."""
    return "MEMORY.md" if agent == DEFAULT_AGENT else f"MEMORY-{agent}.md"


def block_changes(
    call: Call, workspace: Workspace, agent: str, lines: Iterable[str], *, asked: bool = False, remove: bool = False
) -> tuple[tuple[Change, ...], list[str]]:
    """(the changes that make the block say so, what to say). Nothing where nobody asked for the block.

    Where the host's ledger knows the file, a hand-over for its agent.

    Raises:
        BadInput: the block's marks are damaged, and somebody asked.
    """
    path = memory_path(agent)
    data = workspace.read(path)
    text = decode(data) if data is not None else ""
    block = managed.find(text, NAME, path)
    if isinstance(block, Problem):
        if asked or remove:
            raise BadInput(f"{block.where}: {block.message}")
        return (), [f"NOTE {block.where}: {block.message}"]
    if block is None and (not asked or remove):
        return (), []
    body = "## Hot memory\n\n" + "".join(f"- {line}\n" for line in lines)
    after = managed.remove(text, NAME) if remove else managed.replace(text, NAME, body)
    if after == text:
        return (), []
    if data is None or not read_ledger(call.config.state_dir, workspace.root, {path: sha256(data)}).forbids(path):
        return (Write(path, sha256(data) if data is not None else None, encode(after), "hot block"),), []
    return _handed_over(call, workspace, path, text, after)


def _handed_over(call: Call, workspace: Workspace, path: str, present: str, target: str) -> tuple[tuple[Change, ...], list[str]]:
    """The file is the agent's to write: what it should hold waits for it, an older wish about the same file is cleared away."""
    there = [content(line) for line in split(present)]
    wanted = [content(line) for line in split(target)]
    kept = {number: there.index(wanted[number - 1]) + 1 for number in secret_lines(target) if wanted[number - 1] in there}
    handover, files = plan_handover(path, present, target, kept, call.today.isoformat())
    old = {name: data for name in workspace.paths(f"{FOLDER}/*") if (data := workspace.read(name)) is not None}
    stale = [one for one in read_handovers(workspace) if one.path == path and one.id != handover.id]
    changes = [replace(file, expect=sha256(old[file.path]) if file.path in old else None) for file in files]
    fresh = tuple(one for one in changes if old.get(one.path) != one.data)
    cleared = clear([one for one in stale if _is_hot(old, one.file)], old, {handover.id})
    return (*fresh, *cleared), [f"NEXT {handover.instruction}"]


def _is_hot(files: dict[str, bytes], path: str) -> bool:
    """Whether a hand-over is one of ours: it holds the block."""
    return path in files and f"silo:{NAME}:begin" in decode(files[path])
