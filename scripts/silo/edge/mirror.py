"""Places that a memory is mirrored to: a Turso server, or a plain folder. Both hold sealed files by name, and cold rows.

A file is stored only over the version that its sender knew: two devices that send at the same moment do not overwrite
each other, the second learns of it and merges. Seals nothing and merges nothing.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from silo.edge.cold.base import ALL, CHUNK, ColdStats, ColdStore, chunks
from silo.edge.cold.hrana import Hrana, NoTable, Value
from silo.edge.cold.memory import MemoryCold
from silo.edge.cold.turso import STATE, TursoCold
from silo.edge.fs import trouble
from silo.edge.locks import held
from silo.errors import ServiceDown
from silo.formats import jsonl
from silo.formats.coldrow import COLUMNS, from_values
from silo.model import ColdRow

GONE = ""  # the mark of a file that was deleted; its name stays, so that other devices learn of it
BATCH_BYTES = 3_000_000  # of one transaction


@dataclass(frozen=True, slots=True)
class Item:
    """A file as a mirror keeps it; `mark` tells whether two are the same, "" for a deleted one. `at`: seconds since 1970."""

    name: str
    mark: str
    data: str
    at: int


class Target(Protocol):
    """One mirror. Every method raises ServiceDown where it does not answer; nothing is half-done then."""

    label: str
    key: str  # tells mirrors apart, without saying where they are

    @property
    def rows(self) -> ColdStore:
        """The cold rows of this mirror."""

    def init(self) -> None:
        """Whatever tables or folders are needed are there."""

    def marks(self, agent: str) -> dict[str, str]:
        """The mark of every file, by name."""

    def fetch(self, agent: str, names: Collection[str]) -> dict[str, Item]:
        """The files of these names that there are."""

    def store(self, agent: str, items: Sequence[tuple[Item, str | None]]) -> frozenset[str]:
        """Each file is in, where the mirror still had the mark that stands beside it (None: no such file).

        Returns the names that a read-back has confirmed.
        """

    def state(self, agent: str, data: str, at: int) -> None:
        """The published row of the critical state."""

    def all_rows(self, agent: str) -> list[ColdRow]:
        """Every cold row of an agent."""


def key_of(place: str) -> str:
    """A short name for a mirror's place."""
    return hashlib.sha256(place.encode("utf-8", "surrogateescape")).hexdigest()[:12]


class TursoTarget:
    """The tables cold_memories, critical_state and silo_files of a server."""

    def __init__(self, server: Hrana) -> None:
        self.server = server
        self.label = server.host
        self.key = key_of(server.host)
        self.rows = TursoCold(server)

    def init(self) -> None:
        self.rows.init()

    def marks(self, agent: str) -> dict[str, str]:
        return {str(name): str(mark) for name, mark in self._read("SELECT path, sha256 FROM silo_files WHERE agent_id = ?", (agent,))}

    def fetch(self, agent: str, names: Collection[str]) -> dict[str, Item]:
        found: dict[str, Item] = {}
        for part in chunks(sorted(names), 100):
            sql = f"SELECT path, sha256, data, updated_at FROM silo_files WHERE agent_id = ? AND path IN ({', '.join('?' * len(part))})"
            for name, mark, data, at in self._read(sql, (agent, *part)):
                found[str(name)] = Item(str(name), str(mark), str(data), int(str(at)))
        return found

    def store(self, agent: str, items: Sequence[tuple[Item, str | None]]) -> frozenset[str]:
        found: set[str] = set()
        for part in _parcels(items):
            statements = [_kept(agent, item, expected) for item, expected in part]
            try:
                self.server.batch(statements)
            except NoTable:
                self.init()
                self.server.batch(statements)
            names = [item.name for item, _ in part]
            sql = f"SELECT path, sha256 FROM silo_files WHERE agent_id = ? AND path IN ({', '.join('?' * len(names))})"
            there = {str(name): str(mark) for name, mark in self.server.ask(sql, (agent, *names))}
            found |= {item.name for item, _ in part if there.get(item.name) == item.mark}
        return frozenset(found)

    def state(self, agent: str, data: str, at: int) -> None:
        sql = (
            "INSERT INTO critical_state (agent_id, data, updated_at) VALUES (?, ?, ?) "
            "ON CONFLICT (agent_id) DO UPDATE SET data = excluded.data, updated_at = excluded.updated_at"
        )
        self.server.batch([(STATE[0], ()), (sql, (agent, data, at))])
        if self.server.ask("SELECT data FROM critical_state WHERE agent_id = ?", (agent,)) != [(data,)]:
            raise ServiceDown(f"{self.label} did not keep the critical state", "run sync-critical again")

    def all_rows(self, agent: str) -> list[ColdRow]:
        return self.rows.pages(agent)

    def _read(self, sql: str, given: Sequence[Value]) -> list[tuple[Value, ...]]:
        """The rows; none where there is no table yet."""
        try:
            return self.server.ask(sql, given)
        except NoTable:
            return []


def _kept(agent: str, item: Item, expected: str | None) -> tuple[str, Sequence[object]]:
    """The statement that stores one file over the version that is expected there."""
    given = (agent, item.name, item.mark, item.data, item.at)
    insert = "INSERT INTO silo_files (agent_id, path, sha256, data, updated_at) VALUES (?, ?, ?, ?, ?) "
    if expected is None:
        return insert + "ON CONFLICT (agent_id, path) DO NOTHING", given
    return (
        insert + "ON CONFLICT (agent_id, path) DO UPDATE SET sha256 = excluded.sha256, data = excluded.data, "
        "updated_at = excluded.updated_at WHERE silo_files.sha256 = ?",
        (*given, expected),
    )


def _parcels(items: Sequence[tuple[Item, str | None]]) -> Iterator[list[tuple[Item, str | None]]]:
    parcel: list[tuple[Item, str | None]] = []
    size = 0
    for one in items:
        if parcel and (size + len(one[0].data) > BATCH_BYTES or len(parcel) >= CHUNK):
            yield parcel
            parcel, size = [], 0
        parcel.append(one)
        size += len(one[0].data)
    if parcel:
        yield parcel


# --- a folder ---------------------------------------------------------------------------------------------


class FolderTarget:
    """A folder: a file for each file, named by a hash; the cold rows as JSON lines, a file a month. Mode 0700 and 0600."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "memory-silo"
        self.label = str(folder)
        self.key = key_of(str(folder.absolute()))
        self.rows = FolderCold(self.folder / "cold")

    def init(self) -> None:
        try:
            if not self.folder.parent.is_dir():
                raise ServiceDown(f"the mirror's folder {self.folder.parent} is not there", "is its disk mounted? else make it first")
            for folder in (self.folder, self.folder / "files", self.folder / "cold"):
                folder.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise _down(self.label, error) from error

    def marks(self, agent: str) -> dict[str, str]:
        self.init()
        return {item.name: item.mark for item in self._all(agent)}

    def fetch(self, agent: str, names: Collection[str]) -> dict[str, Item]:
        return {item.name: item for name in names if (item := self._read(self._place(agent, name))) is not None}

    def store(self, agent: str, items: Sequence[tuple[Item, str | None]]) -> frozenset[str]:
        self.init()
        found: set[str] = set()
        with self._locked():
            for item, expected in items:
                place = self._place(agent, item.name)
                there = self._read(place)
                if (there.mark if there is not None else None) == expected:
                    _write(place, jsonl.dumps({"path": item.name, "sha256": item.mark, "data": item.data, "updated_at": item.at}) + "\n", self.label)
                there = self._read(place)
                if there is not None and there.mark == item.mark:
                    found.add(item.name)
        return frozenset(found)

    def state(self, agent: str, data: str, at: int) -> None:
        self.init()
        _write(self.folder / f"critical_state-{agent}.json", jsonl.dumps({"agent_id": agent, "data": data, "updated_at": at}) + "\n", self.label)

    def all_rows(self, agent: str) -> list[ColdRow]:
        ids = self.rows.digests(agent)
        return list(self.rows.get(ids, agent).values())

    def _place(self, agent: str, name: str) -> Path:
        return self.folder / "files" / agent / f"{hashlib.sha256(name.encode('utf-8', 'surrogateescape')).hexdigest()[:40]}.json"

    def _all(self, agent: str) -> Iterator[Item]:
        for place in sorted((self.folder / "files" / agent).glob("*.json")):
            item = self._read(place)
            if item is not None:
                yield item

    def _read(self, place: Path) -> Item | None:
        try:
            value = json.loads(place.read_text(encoding="utf-8", errors="surrogateescape"))
            return Item(str(value["path"]), str(value["sha256"]), str(value["data"]), int(value["updated_at"]))
        except FileNotFoundError:
            return None
        except OSError as error:
            raise _down(self.label, error) from error
        except (ValueError, LookupError, TypeError):
            raise ServiceDown(f"{place} is damaged", "remove it; sync-critical from a whole device sends it again") from None

    @contextmanager
    def _locked(self) -> Iterator[None]:
        from silo.edge.fs import Disk

        with held(Disk(), self.folder / "lock", "the mirror's folder", 10.0):
            yield


class FolderCold:
    """Cold rows in the files of a folder, a month each. A file is read again where it has changed: another device may write it."""

    name = "folder"

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read_at: dict[str, tuple[tuple[int, int], dict[str, ColdRow]]] = {}

    def put(self, rows: Sequence[ColdRow]) -> frozenset[str]:
        months: dict[str, dict[str, ColdRow]] = {}
        for row in rows:
            months.setdefault(row.date[:7], {})[row.id] = row
        confirmed: set[str] = set()
        for month, new in months.items():
            self._save(month, self._month(month) | new)
            self._read_at.pop(month, None)
            there = self._month(month)
            confirmed |= {ident for ident, row in new.items() if there.get(ident) == row}
        return frozenset(confirmed)

    def get(self, ids: Collection[str], agent: str) -> dict[str, ColdRow]:
        return self._memory().get(frozenset(ids), agent)

    def search(self, query: str, limit: int, agent: str) -> list[ColdRow]:
        return self._memory().search(query, limit, agent)

    def stats(self, agent: str) -> ColdStats:
        return self._memory().stats(agent)

    def digests(self, agent: str) -> dict[str, str]:
        return self._memory().digests(agent)

    def delete(self, ids: Collection[str], agent: str) -> int:
        gone = 0
        for month in self._months():
            rows = self._month(month)
            kept = {ident: row for ident, row in rows.items() if ident not in ids or agent not in (ALL, row.agent_id)}
            gone += len(rows) - len(kept)
            if len(kept) < len(rows):
                self._save(month, kept)
        return gone

    def scrub(self) -> tuple[str, ...]:
        return ("a folder's disk or its synchronisation may keep older versions of the mirror's files",)

    def close(self) -> None:
        self._read_at.clear()

    def _months(self) -> list[str]:
        return sorted(place.stem for place in self._folder.glob("*.jsonl"))

    def _memory(self) -> MemoryCold:
        found = MemoryCold()
        for month in self._months():
            found.put(list(self._month(month).values()))
        return found

    def _month(self, month: str) -> dict[str, ColdRow]:
        place = self._folder / f"{month}.jsonl"
        try:
            about = place.stat()
            stamp = (about.st_mtime_ns, about.st_size)
            known = self._read_at.get(month)
            if known is None or known[0] != stamp:
                text = place.read_text(encoding="utf-8", errors="surrogateescape")
                rows = (row.value for row in jsonl.read_rows(text, place.name)[0])
                known = stamp, {row["id"]: from_values([row.get(name) for name in COLUMNS]) for row in rows if isinstance(row.get("id"), str)}
                self._read_at[month] = known
            return known[1]
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise _down(str(self._folder), error) from error

    def _save(self, month: str, rows: Mapping[str, ColdRow]) -> None:
        place = self._folder / f"{month}.jsonl"
        ordered = sorted(rows.values(), key=lambda row: (row.date, row.place, row.id))
        lines = (jsonl.dumps({name: getattr(row, name) for name in COLUMNS}) for row in ordered)
        with contextlib.suppress(FileExistsError):
            self._folder.mkdir(mode=0o700, parents=True)
        _write(place, "".join(f"{line}\n" for line in lines), str(self._folder))


def _write(place: Path, text: str, label: str) -> None:
    """The file has this text, in one instant."""
    draft = place.with_name(f".{place.name}.{os.getpid()}")
    try:
        place.parent.mkdir(mode=0o700, exist_ok=True)
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(place)
    except OSError as error:
        raise _down(label, error) from error


def _down(label: str, error: OSError) -> ServiceDown:
    told = trouble(error, f"using the mirror {label}")
    return ServiceDown(str(told), told.hint)
