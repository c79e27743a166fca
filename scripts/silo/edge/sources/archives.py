"""What a host remembers of ended sessions: the index of its older files, archives inside the store, cold storage."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from silo.edge.sources.store import Store
from silo.formats.session import Kind, kind_of_key


@dataclass(frozen=True, slots=True)
class Place:
    """What is known of a session beside its records."""

    key: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class Archive:
    """An ended session inside the store. `name` is that of the file it is, or would be, published as."""

    session: str
    name: str
    key: str
    table: str
    has_blob: bool
    zst: bool


def read_index(path: Path) -> dict[str, Place]:
    """session id → place, from a `sessions.json`; only keys and ids are taken from it. Empty when it can't be read."""
    if not path.is_file():
        return {}
    try:
        data = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    places: dict[str, Place] = {}
    for key, entry in data.items() if isinstance(data, dict) else ():
        if not isinstance(entry, dict):
            continue
        place = Place(key, _kind(key, entry))
        for ident in _ids(entry):
            places.setdefault(ident, place)
    return places


def _ids(entry: dict[str, object]) -> Iterator[str]:
    for name in ("sessionId", "previousSessionId"):
        value = entry.get(name)
        if isinstance(value, str):
            yield value
    family = entry.get("usageFamilySessionIds")
    yield from (value for value in (family if isinstance(family, list) else ()) if isinstance(value, str))
    points = entry.get("compactionCheckpoints")
    for point in points if isinstance(points, list) else ():
        value = point.get("sessionId") if isinstance(point, dict) else None
        if isinstance(value, str):
            yield value


def _kind(key: str, entry: dict[str, object]) -> Kind:
    kind = kind_of_key(key)
    if kind in (Kind.MAIN, Kind.DIRECT, Kind.GROUP, Kind.UNKNOWN):
        if entry.get("spawnedBy"):
            return Kind.SUBAGENT
        origin = entry.get("origin")
        types = (entry.get("chatType"), origin.get("chatType") if isinstance(origin, dict) else None)
        if "group" in types or "channel" in types:
            return Kind.GROUP
    return kind


def archives(store: Store) -> list[Archive]:
    """Deleted and cold sessions that the store knows."""
    found = []
    columns = store.columns("session_transcript_archives")
    if {"session_id", "session_key", "archive_name", "archive_blob"} <= columns:
        encoding = "encoding" if "encoding" in columns else "'zstd'"
        sql = f"SELECT session_id, archive_name, session_key, {encoding} FROM session_transcript_archives ORDER BY created_at"
        for session, name, key, how in store.query(sql):
            found.append(
                Archive(str(session), str(name), str(key), "session_transcript_archives", True, how == "zstd")
            )
    columns = store.columns("session_transcript_cold_archives")
    if {"session_id", "archive_name"} <= columns:
        blob = "archive_blob IS NOT NULL" if "archive_blob" in columns else "0"
        for session, name, has in store.query(
            f"SELECT session_id, archive_name, {blob} FROM session_transcript_cold_archives"
        ):
            found.append(
                Archive(str(session), str(name), "", "session_transcript_cold_archives", bool(has), True)
            )
    return found


def blob(store: Store, archive: Archive) -> bytes:
    """The bytes of an archive inside the store."""
    rows = store.query(f"SELECT archive_blob FROM {archive.table} WHERE archive_name = ?", (archive.name,))
    data = rows[0][0] if rows else None
    return data if isinstance(data, bytes) else b""


def fingerprint(archive: Archive) -> list[int]:
    """A stand-in for size, time and inode: archives never change, so their name is enough."""
    return [int.from_bytes(hashlib.sha256(archive.name.encode()).digest()[:6], "big"), 0, 0]
