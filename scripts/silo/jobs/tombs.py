"""What a person had forgotten, for whatever brings statements in: it asks here before it learns."""

from __future__ import annotations

from silo.core.forget.tombs import PATH, Tombs
from silo.edge.workspace import Workspace
from silo.text.lines import decode


def read_tombs(workspace: Workspace) -> Tombs:
    """The tombstones of the workspace; none where nothing was ever forgotten."""
    data = workspace.read(PATH)
    return Tombs.read(decode(data), workspace.key()) if data else Tombs()
