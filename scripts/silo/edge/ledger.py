"""The host's ledger of memory files that its agent wrote with its own tools, looked up read-only.

OpenClaw (2026.8 and later) keeps it in `<state>/state/openclaw.sqlite`, table `plugin_state_entries`, plugin
`core:memory-artifact-provenance`: a row a file, keyed by hashes of the workspace's real path and the file's path. A
script's edit of a file with a row, followed by one of the agent, makes the file untrusted for good. Never written here.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

_OWNER = "core:memory-artifact-provenance"
_QUERY = "SELECT entry_key, value_json FROM plugin_state_entries WHERE plugin_id = ? AND namespace = 'workspace-files'"
_WAIT = 2.0  # seconds for the host's own writers


@dataclass(frozen=True, slots=True)
class HostRow:
    """What the host knows of one file: who it thinks wrote it (agent, untrusted) and the hash it last saw."""

    path: str
    origin: str
    file_hash: str


@dataclass(frozen=True, slots=True)
class HostLedger:
    """Rows by workspace-relative path. `trouble` says why it couldn't be read, "" if it was; `present`: there is one."""

    rows: dict[str, HostRow]
    present: bool
    trouble: str = ""

    def forbids(self, path: str) -> bool:
        """Whether a script must not edit the file: it has a row, or nobody can tell."""
        return bool(self.trouble) or path in self.rows


def read_ledger(state_dir: Path, workspace: Path, hashes: dict[str, str]) -> HostLedger:
    """The rows about this workspace.

    A row is about it if its key says so, or if its hash is that of the file at hand (`hashes`: SHA-256 hex of the files
    asked about): inside a container the host sees the same folder under another path.
    """
    file = state_dir / "state" / "openclaw.sqlite"
    try:
        if not file.exists():
            return HostLedger({}, present=False)
        uri = f"file:{quote(str(file))}?mode=ro"
        with contextlib.closing(sqlite3.connect(uri, uri=True, timeout=_WAIT)) as db:
            known = db.execute(
                "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'plugin_state_entries'"
            ).fetchone()
            rows = db.execute(_QUERY, (_OWNER,)).fetchall() if known else []
    except (sqlite3.Error, OSError) as error:
        return HostLedger({}, present=True, trouble=f"the host's ledger {file} can't be read: {error}")
    own = hashlib.sha256(str(workspace.resolve()).encode("utf-8", "surrogateescape")).hexdigest() + ":"
    found: dict[str, HostRow] = {}
    for key, value in rows:
        row = _row(value)
        if row is not None and (str(key).startswith(own) or hashes.get(row.path) == row.file_hash):
            found[row.path] = row
    return HostLedger(found, present=True)


def _row(value: object) -> HostRow | None:
    try:
        stored = json.loads(value) if isinstance(value, str | bytes) else None
    except ValueError:
        return None
    if not isinstance(stored, dict) or not isinstance(stored.get("relativePath"), str):
        return None
    return HostRow(
        stored["relativePath"], str(stored.get("originClass", "")), str(stored.get("fileHash", ""))
    )
