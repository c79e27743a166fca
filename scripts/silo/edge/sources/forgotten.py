"""Conversations that the user had the host forget (`openclaw memory forget`), by the host's own record. Read-only."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from silo.edge.sources.store import Store, tombstones

_STORES = "agents/*/agent/openclaw-agent.sqlite"


def forgotten_by_host(state_dir: Path | None) -> frozenset[str]:
    """Ids of sessions that no store of the host's agents wants remembered. A store that can't be read names none."""
    found: set[str] = set()
    for path in sorted(state_dir.glob(_STORES)) if state_dir is not None and state_dir.is_dir() else ():
        store = Store(path)
        try:
            found |= tombstones(store)
        except (sqlite3.DatabaseError, OSError):  # whoever reads the store's sessions says what is wrong with it
            continue
        finally:
            store.close()
    return frozenset(found)
