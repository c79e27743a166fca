"""Finding what there is to read: which source, which sessions, which of them are people's conversations.

Nothing is read here but folders, the host's indexes and a store's list of sessions. Kinds that no person talks in
(cron, sub-agent, heartbeat, dreaming, boot, model runs, hooks, the HTTP API, plugins) are counted and left out.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, tzinfo
from functools import partial
from pathlib import Path

from silo.edge.sources.archives import Archive, Place, archives, blob, fingerprint, read_index
from silo.edge.sources.files import JsonlFile
from silo.edge.sources.found import Discovery, Found, Skipped
from silo.edge.sources.names import Name, read_name
from silo.edge.sources.plain import TextFile
from silo.edge.sources.store import Store, places, sessions, tombstones
from silo.errors import BadInput
from silo.formats.records import is_claude_code
from silo.formats.session import TALK, Kind, kind_of_key
from silo.model import DEFAULT_AGENT

SOURCES = ("auto", "openclaw", "jsonl", "claude-code", "text")
_SOONEST = datetime(1970, 1, 1, tzinfo=UTC)
_STORE_NAME = "openclaw-agent.sqlite"
_TEXT = frozenset({".txt", ".md", ".text", ".markdown", ".log"})


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
) -> Discovery:
    """What there is to read, oldest first.

    `source` is one of SOURCES; `path` what the user named; `state_dir` the host's state folder; `agent` whose memory
    it is. `since` None means all; `limit` how many sessions with something new are read. `groups` None means: group
    chats only where the user named the very file. `zone` is for dates in plain text; `home` is where projects of
    Claude Code are looked for.

    Raises:
        BadInput: no such source, nothing at `path`, or no state folder.
    """
    if source not in SOURCES:
        raise BadInput(f"{source!r} is no source", f"use one of {', '.join(SOURCES)}")
    if path is not None and not path.exists():
        raise BadInput(f"{path} does not exist", "check --path")
    chosen = _choose(source, path, state_dir, home)
    look = _Look(chosen, agent, zone)
    match chosen:
        case "openclaw":
            look.openclaw(path or state_dir)
        case "claude-code":
            look.claude_code(path or _projects(home))
        case "text":
            look.text(path)
        case _:
            look.jsonl(path)
    named = path is not None and path.is_file()
    return look.done(since, limit, groups if groups is not None else named, owners)


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
        raise BadInput(
            f"no conversations found in {state_dir or '~/.openclaw'}",
            "give --path, or set OPENCLAW_STATE_DIR to the host's state folder",
        )
    if path.is_dir():
        if (
            (path / "agents").is_dir()
            or (path / "agent" / _STORE_NAME).exists()
            or (path / "sessions").is_dir()
        ):
            return "openclaw"
        first = next((p for p in sorted(path.rglob("*.jsonl")) if p.is_file()), None)
        if first is None:
            return "text"
        return "claude-code" if _is_claude(first) else "jsonl"
    if path.suffix == ".sqlite":
        return "openclaw"
    name = read_name(path.name)
    if name is None or (path.suffix in _TEXT and ".jsonl" not in path.name):
        return "text"
    return "claude-code" if not name.zst and _is_claude(path) else "jsonl"


def _is_claude(path: Path) -> bool:
    """Whether the first records of a file are Claude Code's."""
    try:
        with path.open("rb") as raw:
            for _ in range(20):
                try:
                    record = json.loads(raw.readline(4_000_000) or b"null")
                except ValueError:
                    continue
                if isinstance(record, dict) and is_claude_code(record):
                    return True
    except OSError:
        return False
    return False


class _Look:
    """One discovery."""

    def __init__(self, source: str, agent: str, zone: tzinfo) -> None:
        self.source, self.agent, self.zone = source, agent, zone
        self.found: list[Found] = []
        self.skipped: list[Skipped] = []
        self.notes: list[str] = []
        self.gone: frozenset[str] = frozenset()

    # --- OpenClaw ---------------------------------------------------------------------------------------

    def openclaw(self, place: Path | None) -> None:
        """A state folder, an agent's folder, or a store's file."""
        if place is None or not place.exists():
            raise BadInput(
                f"no OpenClaw state folder at {place or '~/.openclaw'}",
                "set OPENCLAW_STATE_DIR, or give --path",
            )
        if place.is_file():
            self._store(place)
            return
        root = self._agent_folder(place)
        if root is None:
            raise BadInput(
                f"{place} holds no sessions of agent {self.agent!r}",
                "check --agent-id and OPENCLAW_STATE_DIR",
            )
        store = root / "agent" / _STORE_NAME
        known, inside = self._store(store) if store.exists() else ({}, [])
        index = read_index(root / "sessions" / "sessions.json") | known
        self._archives(store, inside, root / "sessions")
        keys = {a.name: Place(a.key, kind_of_key(a.key)) for a in inside if a.key}
        for folder in (root / "session-sqlite-import-archive", root / "sessions", root / "sessions" / "cold"):
            self._folder(folder, index, keys, inside)

    def _agent_folder(self, place: Path) -> Path | None:
        if (place / "sessions").is_dir() or (place / "agent" / _STORE_NAME).exists():
            return place
        folders = (
            sorted(p for p in (place / "agents").glob("*") if p.is_dir())
            if (place / "agents").is_dir()
            else []
        )
        by_name = {p.name: p for p in folders}
        if self.agent in by_name:
            return by_name[self.agent]
        if self.agent == DEFAULT_AGENT:
            return by_name.get("main") or (folders[0] if len(folders) == 1 else None)
        return None

    def _store(self, path: Path) -> tuple[dict[str, Place], list[Archive]]:
        store = Store(path)
        try:
            listed = sessions(store, self.agent)
            known = {session: Place(key, kind) for session, (key, kind) in places(store).items()}
            self.gone = tombstones(store)
            inside = archives(store)
        except (sqlite3.DatabaseError, OSError) as error:
            self.skipped.append(Skipped(str(path), f"can't be read: {error}"))
            return {}, []
        finally:
            store.close()
        self.notes += store.notes
        self.found += listed
        return known, inside

    def _archives(self, path: Path, inside: list[Archive], folder: Path) -> None:
        """Archives whose bytes lie in the store alone."""
        for archive in inside:
            on_disk = (folder / archive.name).exists() or (folder / "cold" / archive.name).exists()
            if on_disk or not archive.has_blob:
                continue
            size, when, node = fingerprint(archive)
            self.found.append(
                JsonlFile(
                    path.parent / archive.name,
                    archive.session,
                    "openclaw",
                    self.agent,
                    size,
                    when,
                    node,
                    kind_of_key(archive.key),
                    archive.key,
                    archive.zst,
                    content=partial(_content, path, archive),
                )
            )

    def _folder(
        self, folder: Path, index: Mapping[str, Place], keys: Mapping[str, Place], inside: list[Archive]
    ) -> None:
        cold = {a.name: a.session for a in inside}
        for path in self._files(folder):
            name = read_name(path.name)
            if name is None:
                continue  # a sidecar: never read, and nothing that a person would miss
            session = cold.get(path.name, name.id)
            place = keys.get(path.name) or index.get(session) or _by_name(name)
            self._file(path, replace(name, id=session), "openclaw", place)

    def _files(self, folder: Path) -> list[Path]:
        try:
            return sorted(p for p in folder.iterdir() if p.is_file()) if folder.is_dir() else []
        except OSError as error:
            self.skipped.append(Skipped(str(folder), error.strerror or str(error)))
            return []

    # --- files ------------------------------------------------------------------------------------------

    def _file(self, path: Path, name: Name, source: str, place: Place, *, claude: bool = False) -> None:
        try:
            stat = path.stat()
        except OSError as error:
            self.skipped.append(Skipped(str(path), error.strerror or str(error)))
            return
        self.found.append(
            JsonlFile(
                path,
                name.id,
                source,
                self.agent,
                stat.st_size,
                stat.st_mtime_ns,
                stat.st_ino,
                place.kind,
                place.key,
                name.zst,
                claude,
            )
        )

    def jsonl(self, path: Path | None) -> None:
        """A JSONL file, or a folder of them."""
        if path is None:
            raise BadInput("no file given", "add --path FILE")
        for one in [path] if path.is_file() else _below(path):
            name = read_name(one.name) or (Name(one.stem, "live") if path.is_file() else None)
            if name is None:
                if ".jsonl" in one.name:
                    self.skipped.append(Skipped(str(one), "a side file of a session, no transcript"))
                continue
            index = read_index(one.parent / "sessions.json") if path.is_dir() else {}
            self._file(one, name, "jsonl", index.get(name.id) or _by_name(name))

    def claude_code(self, path: Path) -> None:
        """Claude Code's projects: a folder of projects, one project, or one file. Sub-agents' files are left out."""
        if not path.exists():
            raise BadInput(f"no projects of Claude Code at {path}", "give --path FOLDER")
        for one in [path] if path.is_file() else _below(path):
            if one.suffix != ".jsonl":
                continue
            helper = one.name.startswith("agent-") or "subagents" in one.parts
            self._file(
                one,
                Name(one.stem, "live"),
                "claude-code",
                Place("", Kind.SUBAGENT if helper else Kind.MAIN),
                claude=True,
            )

    def text(self, path: Path | None) -> None:
        """A text file, or a folder of them."""
        if path is None:
            raise BadInput("no file given", "add --path FILE")
        for one in [path] if path.is_file() else _below(path):
            if path.is_dir() and one.suffix.lower() not in _TEXT:
                self.skipped.append(Skipped(str(one), "no text file"))
                continue
            stat = one.stat()
            self.found.append(
                TextFile(one, self.agent, self.zone, stat.st_size, stat.st_mtime_ns, stat.st_ino)
            )

    # --- what of it ------------------------------------------------------------------------------------

    def done(
        self, since: datetime | None, limit: int | None, groups: bool, owners: tuple[str, ...]
    ) -> Discovery:
        """The talk among what was found: kinds, tombstones and `since` applied."""
        start = since.timestamp() if since else 0.0
        by_kind = Counter(one.kind.value for one in self.found)
        kept: list[Found] = []
        older = older_bytes = 0
        for one in self.found:
            if one.session in self.gone:
                self.skipped.append(Skipped(one.where, "forgotten by the host (memory forget)"))
            elif one.kind is Kind.GROUP and not groups:
                self.skipped.append(Skipped(one.where, "a group chat (--groups reads them)"))
            elif one.kind not in TALK:
                self.skipped.append(Skipped(one.where, f"a {one.kind.value} session"))
            elif one.last is not None and one.last.timestamp() < start:
                older, older_bytes = older + 1, older_bytes + one.size
            else:
                kept.append(one)
        kept.sort(key=lambda one: (one.last or _SOONEST, one.where))
        return Discovery(
            self.source,
            tuple(kept),
            self.skipped,
            older,
            older_bytes,
            dict(by_kind),
            start,
            owners,
            limit,
            groups,
            self.notes,
        )


def _content(path: Path, archive: Archive) -> bytes:
    store = Store(path)
    try:
        return blob(store, archive)
    finally:
        store.close()


def _below(folder: Path) -> Iterable[Path]:
    return sorted(
        p
        for p in folder.rglob("*")
        if p.is_file() and not any(part.startswith(".") for part in p.relative_to(folder).parts)
    )


def _by_name(name: Name) -> Place:
    """What a file's name tells of the session: import archives begin with its key, every ':' of it a '_'."""
    return Place("", kind_of_key(name.key.replace("_", ":")))


__all__ = ["SOURCES", "discover"]
