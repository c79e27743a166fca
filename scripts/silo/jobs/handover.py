"""Hand-overs that a workspace holds: contents that the host's agent must write with its own tool."""

from __future__ import annotations

from silo.core.migrate.handover import FOLDER, Handover, Standing, parse_handover, standing
from silo.edge.reader import Reader
from silo.text.lines import decode


def read_handovers(workspace: Reader) -> tuple[Handover, ...]:
    """Every hand-over that was left, settled or not."""
    found = (
        parse_handover(decode(workspace.read(path) or b"")) for path in workspace.paths(f"{FOLDER}/*.json")
    )
    return tuple(one for one in found if one is not None)


def waiting_handovers(workspace: Reader) -> tuple[Handover, ...]:
    """Those whose file is still as it was: the agent has yet to write it."""
    found: list[Handover] = []
    for one in read_handovers(workspace):
        data = workspace.read(one.path)
        if standing(one, None if data is None else decode(data)) is Standing.WAITING:
            found.append(one)
    return tuple(found)
