"""What the host's ledger says of the workspace's files, as findings: those it distrusts, and those that are about to be.

A row of class `untrusted` keeps MEMORY.md or USER.md out of every prompt, in silence and for good. A row of class `agent`
turns into one at the agent's next edit if the file was changed otherwise meanwhile. The ledger is never written: only the
host's own tool clears a row, by deleting the file while its bytes are those of the row.
"""

from __future__ import annotations

from collections.abc import Iterator

from silo.edge.ledger import HostRow, read_ledger
from silo.edge.workspace import Workspace
from silo.jobs.run import Call
from silo.model import Problem
from silo.text.lines import sha256

INJECTED = ("MEMORY.md", "USER.md")  # of these alone the host's trust decides whether the prompt has them
OURS = ("memory/topics/", "memory/events/", "memory/index.md", "memory/protocols.md", "memory/active.md", "memory/archive.md")
AGAIN = (
    "keep a copy, have the agent delete the file with its apply_patch tool, put the copy back by hand "
    "(references/openclaw.md, A file that the host distrusts)"
)


def distrusted(call: Call, workspace: Workspace) -> Iterator[Problem]:
    """One finding a file, and one if the ledger can't be read; none where there is no host."""
    names = [*INJECTED, *workspace.paths("memory/**/*.md")]
    files = {path: data for path in names if (data := workspace.read(path)) is not None}
    ledger = read_ledger(call.config.state_dir, workspace.root, {path: sha256(data) for path, data in files.items()})
    if ledger.trouble:
        yield Problem("MEMORY.md:1", "ledger", f"{ledger.trouble}; no script writes MEMORY.md until it can be")
    for path, row in sorted(ledger.rows.items()):
        message = _message(path, row, sha256(files[path])) if path in files else ""
        if message:
            yield Problem(f"{path}:1", "ledger", message)


def _message(path: str, row: HostRow, now: str) -> str:
    """What is to be said of a file that is there; '' where nothing is."""
    same = row.file_hash == now
    if row.origin == "untrusted":
        told = "the host distrusts it and leaves it out of every prompt" if path in INJECTED else "the host distrusts it"
        first = "" if same else "have the agent write it once with its own tool, then "
        return f"{told}: {first}{AGAIN}"
    if path.startswith(OURS):
        return f"the host's agent wrote it with its own tool, and scripts write it too; before the agent edits it again: {AGAIN}"
    if path in INJECTED and not same:
        return (
            "it was changed by hand or by a script since the host's agent wrote it: at the agent's next edit the host will distrust it. "
            "Put the agent's version back and have the agent make the change; if it is too late for that, the finding then names the way"
        )
    return ""
