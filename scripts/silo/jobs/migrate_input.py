"""What a migration is made from: the file, the files beside it, hand-overs, the host's ledger, and earlier ledgers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from silo.core.entities.query import GRAPH
from silo.core.migrate.handover import Handover
from silo.core.migrate.ledger import Row
from silo.core.views import INDEX
from silo.edge.ledger import HostLedger, read_ledger
from silo.edge.workspace import Workspace
from silo.errors import BadInput
from silo.formats.tiers import PATHS
from silo.jobs.handover import read_handovers
from silo.jobs.memory import Topics, read_topics
from silo.jobs.run import Call
from silo.model import DEFAULT_AGENT
from silo.text.lines import BOM, decode, sha256

LEDGER = "ledger"  # the table of state.db: `<source> <instant>` → where each line went


@dataclass(frozen=True, slots=True)
class MigrateOptions:
    """What was asked for. `rows`: verify prints where every single line is; `diff`: plan prints the whole diff."""

    redact_secrets: bool = False
    rows: bool = False
    diff: bool = False


@dataclass(frozen=True, slots=True)
class Given:
    """All that a plan is made from."""

    source: str
    text: str | None
    files: Mapping[str, str]
    handovers: tuple[Handover, ...]
    host: HostLedger
    topics: Topics

    @property
    def is_blank(self) -> bool:
        """Whether there is no file, or no word in it."""
        return not (self.text or "").removeprefix(BOM).strip()


def read(call: Call, workspace: Workspace) -> Given:
    """Everything that the plan for the agent's MEMORY.md looks at.

    Raises:
        BadInput: it is a folder, or a link that leads out of the workspace.
    """
    agent = call.config.agent
    source = "MEMORY.md" if agent == DEFAULT_AGENT else f"MEMORY-{agent}.md"
    if (workspace.root / source).is_dir():
        raise BadInput(f"{source} is a folder, not a file", "move it away; nothing was written")
    data = workspace.read(source)
    topics = read_topics(workspace)
    paths = [*PATHS.values(), GRAPH, INDEX, *(file.path for file in topics.files)]
    files = {path: decode(found) for path in paths if (found := workspace.read(path)) is not None}
    hashes = {source: sha256(data)} if data is not None else {}
    return Given(
        source,
        None if data is None else decode(data),
        files,
        tuple(one for one in read_handovers(workspace) if one.path == source),
        read_ledger(call.config.state_dir, workspace.root, hashes),
        topics,
    )


def ledgers(workspace: Workspace, source: str) -> list[tuple[dict[str, object], tuple[Row, ...]]]:
    """What earlier runs noted about this file, newest first."""
    found: list[tuple[dict[str, object], tuple[Row, ...]]] = []
    for _, value in sorted(workspace.state.items(LEDGER, f"{source} ").items(), reverse=True):
        if isinstance(value, dict) and isinstance(value.get("rows"), list):
            rows = tuple(
                Row(int(r[0]), str(r[1]), str(r[2]))
                for r in value["rows"]
                if isinstance(r, list) and len(r) == 3
            )
            found.append((value, rows))
    return found
