"""The local archive, .silo/cold.db: SQLite in WAL mode, deleted rows overwritten. Derived: a damaged file is begun anew."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from silo.edge.cold import base
from silo.edge.cold.base import chunks
from silo.edge.cold.reading import SqlReading
from silo.edge.fs import Disk, new_file, owner_of
from silo.errors import Conflict, ServiceDown
from silo.formats.coldrow import digest, values
from silo.model import ColdRow

VERSION = 1  # PRAGMA user_version
WAIT = 30.0  # seconds that SQLite waits for another process
SIDES = ("", "-wal", "-shm", "-journal")
_SOURCES = "CREATE TABLE IF NOT EXISTS sources (path TEXT PRIMARY KEY, stamp TEXT NOT NULL)"


class SqliteCold(SqlReading):
    """One open file. `fresh` is true where it was made, or made again, just now: it holds nothing yet.

    Raises, from every method:
        ServiceDown: SQLite refused.
    """

    name = "sqlite"

    def __init__(self, path: Path) -> None:
        """
        Raises:
            Conflict: the file can't be made or opened.
        """
        self.path = path
        try:
            self.fresh = _make(path)
            self._db = _opened(path)
        except sqlite3.OperationalError as error:
            raise Conflict(f"{path} can't be opened: {error}", "see that it may be read and written") from error
        except sqlite3.DatabaseError:
            for side in SIDES:
                path.with_name(path.name + side).unlink(missing_ok=True)
            self.fresh = _make(path)
            self._db = _opened(path)

    def put(self, rows: Sequence[ColdRow]) -> frozenset[str]:
        wanted = {row.id: digest(row) for row in rows}
        with self._transaction():
            self._db.executemany(base.upsert(1), [values(row) for row in rows])
        found: dict[str, str] = {}
        for part in chunks(list(wanted)):
            read = self._read(base.select(len(part), columns="id, sha"), (base.ALL, base.ALL, *part))
            found |= {str(ident): str(sha) for ident, sha in read}
        return base.confirmed(wanted, found)

    def digests(self, agent: str) -> dict[str, str]:
        return {str(ident): str(sha) for ident, sha in self._read(base.DIGESTS, (agent, agent, "", -1))}

    def delete(self, ids: Collection[str], agent: str) -> int:
        gone = 0
        with self._transaction():
            for part in chunks(sorted(ids)):
                gone += self._db.execute(base.delete(len(part)), (agent, agent, *part)).rowcount
        return gone

    def scrub(self) -> tuple[str, ...]:
        try:
            self._db.execute("VACUUM")
            busy = self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        except sqlite3.DatabaseError as error:
            raise ServiceDown(f"{self.path} can't be cleaned: {error}", "run the command again") from error
        return ("another program has cold.db open: its write-ahead file is emptied when that ends",) if busy else ()

    def close(self) -> None:
        self._db.close()

    # --- what it was made from ---

    def sources(self) -> dict[str, str]:
        """path → stamp of every file that the rows were made from."""
        return {str(path): str(stamp) for path, stamp in self._read("SELECT path, stamp FROM sources", ())}

    def made_from(self, stamps: Mapping[str, str]) -> None:
        """The rows are those of these files as they were stamped."""
        with self._transaction():
            self._db.execute("DELETE FROM sources")
            self._db.executemany("INSERT INTO sources VALUES (?, ?)", sorted(stamps.items()))

    def _read(self, sql: str, given: Sequence[str | int]) -> list[tuple[object, ...]]:
        try:
            return self._db.execute(sql, given).fetchall()
        except sqlite3.DatabaseError as error:
            raise ServiceDown(f"{self.path} can't be read: {error}", "remove it: it is made again from the log") from error

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        try:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                with contextlib.suppress(sqlite3.Error):
                    self._db.execute("ROLLBACK")
                raise
        except sqlite3.DatabaseError as error:
            raise ServiceDown(f"{self.path} can't be written: {error}", "see that the disk has room") from error


def _make(path: Path) -> bool:
    """An empty file of ours alone, so that SQLite opens it with the right owner and mode; False where there is one."""
    try:
        new_file(Disk(owner_of(path.parent.parent)), path, b"")
    except FileExistsError:
        return False
    except OSError as error:
        raise Conflict(f"{path} can't be made: {error.strerror or error}", "see that its folder may be written") from error
    return True


def _opened(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, timeout=WAIT, isolation_level=None)
    try:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        db.execute("PRAGMA secure_delete = ON")
        found = db.execute("PRAGMA user_version").fetchone()[0]
        if found not in (0, VERSION):
            raise sqlite3.DatabaseError(f"schema {found}")
        if found == 0:
            db.execute("BEGIN IMMEDIATE")
            for statement in (base.TABLE, base.INDEX, _SOURCES, f"PRAGMA user_version = {VERSION}"):
                db.execute(statement)
            db.execute("COMMIT")
    except BaseException:
        db.close()
        raise
    return db
