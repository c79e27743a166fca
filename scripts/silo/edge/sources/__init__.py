"""Sources of conversations: the host's store and files, Claude Code's projects, files that a person names.

Reads only; nothing under a source is ever written, locked or created. What can't be read is named and skipped.
"""

from __future__ import annotations

from silo.edge.sources.discover import discover
from silo.edge.sources.found import Discovery, Skipped, SourceSession

__all__ = ["Discovery", "Skipped", "SourceSession", "discover"]
