"""Finding sessions: which source, which files, which of them are people's conversations."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from silo.edge.sources.files import JsonlFile
from silo.edge.sources.found import Discovery, Found, Skipped
from silo.edge.sources.names import read_name
from silo.errors import BadInput


def discover(
    source: str,
    *,
    path: Path | None = None,
    state_dir: Path | None = None,
    agent: str = "main",
    since: datetime | None = None,
    limit: int | None = None,
    groups: bool | None = None,
    owners: tuple[str, ...] = (),
    env: Mapping[str, str] | None = None,
) -> Discovery:
    """What there is to read. `source`: auto, openclaw, jsonl, claude-code or text; `since` None means all."""
    skipped: list[Skipped] = []
    if path is None:
        raise BadInput("no source given", "give --path FILE")
    if not path.exists():
        raise BadInput(f"{path} does not exist", "check --path")
    paths = [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.is_file())
    found: list[Found] = []
    for one in paths:
        name = read_name(one.name)
        if name is None:
            skipped.append(Skipped(str(one), "not a transcript"))
            continue
        stat = one.stat()
        found.append(
            JsonlFile(one, name.id, "jsonl", agent, stat.st_size, stat.st_mtime_ns, stat.st_ino, zst=name.zst, key="")
        )
    return Discovery("jsonl", found, skipped, since=since.timestamp() if since else 0.0, owners=owners, limit=limit)
