"""Collecting what lies in a place: the sessions of a host's agent, files that a person names, projects, texts.

Nothing is read here but folders, the host's indexes and a store's list of sessions.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import tzinfo
from functools import partial
from pathlib import Path

from silo.edge.sources.archives import Archive, Place, archives, blob, fingerprint, read_index
from silo.edge.sources.exports import files_of, talks
from silo.edge.sources.files import JsonlFile
from silo.edge.sources.found import Found, Skipped
from silo.edge.sources.names import Name, is_side_file, read_name
from silo.edge.sources.plain import TextFile
from silo.edge.sources.store import Store, places, tombstones
from silo.edge.sources.store_sessions import sessions
from silo.errors import BadInput
from silo.formats.session import Kind, kind_of_key
from silo.model import DEFAULT_AGENT

STORE_NAME = "openclaw-agent.sqlite"
TEXT = frozenset({".txt", ".md", ".text", ".markdown", ".log"})


class Collection:
    """What was found so far, and what was left out and why."""

    def __init__(self, agent: str, zone: tzinfo) -> None:
        self.agent, self.zone = agent, zone
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
        if root is None and self.agent == DEFAULT_AGENT and not (place / "agents").is_dir():
            return  # a host that has not talked yet
        if root is None:
            raise BadInput(
                f"{place} holds no sessions of agent {self.agent!r}",
                "check --agent-id and OPENCLAW_STATE_DIR",
            )
        store = root / "agent" / STORE_NAME
        known, inside = self._store(store) if store.exists() else ({}, [])
        index = read_index(root / "sessions" / "sessions.json") | known
        self._archives(store, inside, root / "sessions")
        keys = {a.name: Place(a.key, kind_of_key(a.key)) for a in inside if a.key}
        for folder in (root / "session-sqlite-import-archive", root / "sessions", root / "sessions" / "cold"):
            self._folder(folder, index, keys, inside)

    def _agent_folder(self, place: Path) -> Path | None:
        if (place / "sessions").is_dir() or (place / "agent" / STORE_NAME).exists():
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
                if not is_side_file(path.name):
                    self.skipped.append(Skipped(str(path), "no transcript by its name"))
                continue
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
        indexes: dict[Path, dict[str, Place]] = {}
        for one in [path] if path.is_file() else _below(path):
            name = read_name(one.name) or (Name(one.stem, "live") if path.is_file() else None)
            if name is None:
                side = ".jsonl" in one.name and is_side_file(one.name)
                self.skipped.append(
                    Skipped(str(one), "a side file of a session" if side else "no transcript by its name")
                )
                continue
            if one.parent not in indexes:
                indexes[one.parent] = read_index(one.parent / "sessions.json") if path.is_dir() else {}
            self._file(one, name, "jsonl", indexes[one.parent].get(name.id) or _by_name(name))

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

    def export(self, path: Path | None, source: str) -> None:
        """An export of conversations: its file, its folder, or the zip."""
        if path is None:
            raise BadInput("no export given", f"add --path conversations.json, or the zip that {source} sent")
        files = files_of(path)
        if not files:
            raise BadInput(f"no conversations.json in {path}", "give the export's folder, or the zip")
        for one in files:
            self.found += talks(one, source, self.agent, self.skipped)

    def text(self, path: Path | None) -> None:
        """A text file, or a folder of them."""
        if path is None:
            raise BadInput("no file given", "add --path FILE")
        for one in [path] if path.is_file() else _below(path):
            if path.is_dir() and one.suffix.lower() not in TEXT:
                self.skipped.append(Skipped(str(one), "no text file"))
                continue
            stat = one.stat()
            self.found.append(
                TextFile(one, self.agent, self.zone, stat.st_size, stat.st_mtime_ns, stat.st_ino)
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
