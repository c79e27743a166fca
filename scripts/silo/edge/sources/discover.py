"""Finding what there is to read: which source, which sessions, which of them are people's conversations.

Nothing is read here but folders, the host's indexes and a store's list of sessions. Kinds that no person talks in
(cron, sub-agent, heartbeat, dreaming, boot, model runs, hooks, the HTTP API, plugins) are counted and left out.
"""

from __future__ import annotations

import json
from collections import Counter
from datetime import UTC, datetime, tzinfo
from pathlib import Path

from silo.edge.sources.collect import STORE_NAME, Collection
from silo.edge.sources.exports import export_of, files_of
from silo.edge.sources.forgotten import forgotten_by_host
from silo.edge.sources.found import Discovery, Found, Skipped
from silo.edge.sources.names import read_name
from silo.errors import BadInput
from silo.formats.records import is_claude_code
from silo.formats.session import TALK, Kind
from silo.model import DEFAULT_AGENT

SOURCES = ("auto", "openclaw", "jsonl", "claude-code", "text", "chatgpt", "claude")
_SOONEST = datetime(1970, 1, 1, tzinfo=UTC)


def discover(
    source: str,
    *,
    path: Path | None = None,
    state_dir: Path | None = None,
    agent: str = DEFAULT_AGENT,
    since: datetime | None = None,
    limit: int | None = None,
    groups: bool | None = None,
    owners: tuple[str, ...] = (),
    zone: tzinfo = UTC,
    home: Path | None = None,
    again: frozenset[str] = frozenset(),
) -> Discovery:
    """What there is to read, oldest first.

    `source` is one of SOURCES; `path` what the user named; `state_dir` the host's state folder; `agent` whose memory
    it is. `since` None means all; `limit` how many sessions with something new are read. `groups` None means: group
    chats only where the user named the very file. `zone` is for dates in plain text; `home` is where projects of
    Claude Code are looked for. `again` are messages (`session#message`) to be handed out once more.

    Raises:
        BadInput: no such source, nothing at `path`, or no state folder.
    """
    if source not in SOURCES:
        raise BadInput(f"{source!r} is no source", f"use one of {', '.join(SOURCES)}")
    if path is not None and not path.exists():
        if source == "claude-code":
            raise BadInput(f"no conversations of Claude Code at {path}", "it makes that folder at its first answer in the project; --path names another")
        raise BadInput(f"{path} does not exist", "check --path")
    chosen = _choose(source, path, state_dir, home)
    look = Collection(agent, zone)
    match chosen:
        case "openclaw":
            look.openclaw(path or state_dir)
        case "claude-code":
            look.claude_code(path or _projects(home))
        case "text":
            look.text(path)
        case "chatgpt" | "claude":
            look.export(path, chosen)
        case _:
            look.jsonl(path)
    look.gone |= forgotten_by_host(state_dir)  # a copy of a session that lies elsewhere is forgotten too
    named = path is not None and path.is_file()
    found = _select(chosen, look, since, limit, groups if groups is not None else named, owners)
    found.again = again
    return found


def _projects(home: Path | None) -> Path:
    return (home or Path.home()) / ".claude" / "projects"


def _choose(source: str, path: Path | None, state_dir: Path | None, home: Path | None) -> str:
    """The kind of source that `auto` means here."""
    if source != "auto":
        return source
    if path is None:
        if state_dir is not None and (state_dir / "agents").is_dir():
            return "openclaw"
        if _projects(home).is_dir():
            return "claude-code"
        if state_dir is not None and state_dir.is_dir():
            return "openclaw"  # a host that has not talked yet
        raise BadInput(
            f"no conversations found in {state_dir or '~/.openclaw'}",
            "give --path, or set OPENCLAW_STATE_DIR to the host's state folder",
        )
    named = path.suffix.lower() in (".json", ".zip") or (path.is_dir() and any(path.glob("conversations*.json")))
    if named and (export := next((found for one in files_of(path) if (found := export_of(one))), "")):
        return export
    if path.is_dir():
        if (
            (path / "agents").is_dir()
            or (path / "agent" / STORE_NAME).exists()
            or (path / "sessions").is_dir()
        ):
            return "openclaw"
        first = next((p for p in sorted(path.rglob("*.jsonl")) if p.is_file()), None)
        return _by_content(first) if first is not None else "text"
    if path.suffix == ".sqlite":
        return "openclaw"
    name = read_name(path.name)
    return "jsonl" if name is not None and name.zst else _by_content(path)


def _by_content(path: Path) -> str:
    """What the first lines of a file are: Claude Code's records, other records, or plain text."""
    try:
        with path.open("rb") as raw:
            heads = [raw.readline(4_000_000) for _ in range(20)]
    except OSError:
        return "jsonl"  # reading it will say what is wrong with it
    records = 0
    for head in heads:
        try:
            record = json.loads(head or b"null")
        except ValueError:
            continue
        if isinstance(record, dict):
            records += 1
            if is_claude_code(record):
                return "claude-code"
    return "jsonl" if records else "text"


def _select(
    source: str,
    there: Collection,
    since: datetime | None,
    limit: int | None,
    groups: bool,
    owners: tuple[str, ...],
) -> Discovery:
    """The talk among what was found: kinds, tombstones and `since` applied."""
    start = since.timestamp() if since else 0.0
    by_kind = Counter(one.kind.value for one in there.found)
    kept: list[Found] = []
    older = older_bytes = 0
    for one in there.found:
        if one.session in there.gone:
            there.skipped.append(Skipped(one.where, "forgotten by the host (memory forget)"))
        elif one.kind is Kind.GROUP and not groups:
            there.skipped.append(Skipped(one.where, "a group chat (--groups reads them)"))
        elif one.kind not in TALK:
            there.skipped.append(Skipped(one.where, f"a {one.kind.value} session"))
        elif one.last is not None and one.last.timestamp() < start:
            older, older_bytes = older + 1, older_bytes + one.size
        else:
            kept.append(one)
    kept.sort(key=lambda one: (one.last or _SOONEST, one.where))
    return Discovery(
        source,
        tuple(kept),
        skipped=there.skipped,
        older=older,
        older_bytes=older_bytes,
        by_kind=dict(by_kind),
        since=start,
        owners=owners,
        limit=limit,
        groups=groups,
        notes=there.notes,
    )
