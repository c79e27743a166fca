""".silo/mirror.db: what this device and a mirror had in common last: the base of three-way merges, and the rows sent.

Derived, in the sense that losing it loses no fact: a merge without base keeps both sides, and rows are compared anew.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from silo.edge.fs import Disk, new_file, owner_of
from silo.errors import Conflict

VERSION = 1
SIDES = ("", "-wal", "-shm", "-journal")
TABLES = (
    "CREATE TABLE IF NOT EXISTS base (target TEXT, agent TEXT, path TEXT, mark TEXT NOT NULL, data BLOB, PRIMARY KEY (target, agent, path))",
    "CREATE TABLE IF NOT EXISTS sent (target TEXT, agent TEXT, id TEXT, sha TEXT NOT NULL, PRIMARY KEY (target, agent, id)) WITHOUT ROWID",
    f"PRAGMA user_version = {VERSION}",
)


@dataclass(frozen=True, slots=True)
class Common:
    """A file as both had it: the mirror's mark of it, and its bytes, None where they are no longer kept."""

    mark: str
    data: bytes | None


class MirrorState:
    """The file, open."""

    def __init__(self, path: Path) -> None:
        """
        Raises:
            Conflict: it can't be made or opened.
        """
        self.path = path
        try:
            self._db = _opened(path)
        except sqlite3.OperationalError as error:
            raise Conflict(f"{path} can't be opened: {error}", "see that it may be read and written") from error
        except sqlite3.DatabaseError:
            for side in SIDES:
                path.with_name(path.name + side).unlink(missing_ok=True)
            self._db = _opened(path)

    def close(self) -> None:
        self._db.close()

    def base(self, target: str, agent: str) -> dict[str, Common]:
        """path → what both had, of every file that was in common last."""
        rows = self._db.execute("SELECT path, mark, data FROM base WHERE target = ? AND agent = ?", (target, agent))
        return {path: Common(mark, None if data is None else zlib.decompress(data)) for path, mark, data in rows}

    def every_path(self, agent: str) -> frozenset[str]:
        """The paths that any mirror and this device have had in common."""
        return frozenset(path for (path,) in self._db.execute("SELECT DISTINCT path FROM base WHERE agent = ?", (agent,)))

    def keep(self, target: str, agent: str, files: Mapping[str, Common | None]) -> None:
        """These files are in common as given; None: in neither."""
        with self._db:
            for path, common in files.items():
                if common is None:
                    self._db.execute("DELETE FROM base WHERE target = ? AND agent = ? AND path = ?", (target, agent, path))
                    continue
                data = None if common.data is None else zlib.compress(common.data, 6)
                self._db.execute("INSERT OR REPLACE INTO base VALUES (?, ?, ?, ?, ?)", (target, agent, path, common.mark, data))

    def blank(self, local: Mapping[str, bytes]) -> None:
        """Kept bytes that differ from the files as they are now leave the disk; that they were in common stays known."""
        stale = [
            (target, agent, path)
            for target, agent, path, data in self._db.execute("SELECT target, agent, path, data FROM base WHERE data IS NOT NULL")
            if zlib.decompress(data) != local.get(path)
        ]
        with self._db:
            self._db.executemany("UPDATE base SET data = NULL WHERE target = ? AND agent = ? AND path = ?", stale)
        self._db.execute("VACUUM")

    def sent(self, target: str, agent: str) -> dict[str, str]:
        """id → digest of the cold rows that the mirror was seen to hold."""
        return dict(self._db.execute("SELECT id, sha FROM sent WHERE target = ? AND agent = ?", (target, agent)))

    def note_sent(self, target: str, agent: str, rows: Mapping[str, str], gone: Iterable[str] = ()) -> None:
        """The mirror was seen to hold these rows, and no longer those of `gone`."""
        with self._db:
            self._db.executemany("INSERT OR REPLACE INTO sent VALUES (?, ?, ?, ?)", [(target, agent, ident, sha) for ident, sha in rows.items()])
            self._db.executemany("DELETE FROM sent WHERE target = ? AND agent = ? AND id = ?", [(target, agent, ident) for ident in gone])

    def forget_sent(self, target: str, agent: str) -> None:
        """Nothing is known of what the mirror holds."""
        with self._db:
            self._db.execute("DELETE FROM sent WHERE target = ? AND agent = ?", (target, agent))


def _opened(path: Path) -> sqlite3.Connection:
    try:
        new_file(Disk(owner_of(path.parent.parent)), path, b"")
    except FileExistsError:
        pass
    except OSError as error:
        raise Conflict(f"{path} can't be made: {error.strerror or error}", "see that its folder may be written") from error
    db = sqlite3.connect(path, timeout=30.0)
    try:
        db.execute("PRAGMA secure_delete = ON")
        found = db.execute("PRAGMA user_version").fetchone()[0]
        if found not in (0, VERSION):
            raise sqlite3.DatabaseError(f"schema {found}")
        if found == 0:
            with db:
                for statement in TABLES:
                    db.execute(statement)
    except BaseException:
        db.close()
        raise
    return db
