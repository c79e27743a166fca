"""Vectors of passages, kept by model and text in .silo/index-vectors.db, and the search for the nearest.

Derived: thrown away, they are made anew. Holds no words. New texts are embedded within a time budget, those that the
question's words found first; what is left is found by words alone, and `notes` says so.
"""

from __future__ import annotations

import hashlib
import heapq
import sqlite3
import time
from array import array
from collections.abc import Iterable, Mapping, Sequence
from operator import mul
from pathlib import Path
from typing import Any

from silo.edge.embed import Embedder, Vector
from silo.edge.fs import Disk, new_file, owner_of
from silo.edge.index.index import Index
from silo.errors import ServiceDown
from silo.found import Passage, Scope

FILE = "index-vectors.db"
_PLAIN = 5000  # vectors that are compared without numpy; beyond that the candidates of words alone
_TABLE = "CREATE TABLE IF NOT EXISTS vectors (model TEXT NOT NULL, text BLOB NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (model, text)) WITHOUT ROWID"


class Vectors:
    """The nearest passages by a model; `core.search.meaning.Meaning`. Close when done."""

    def __init__(self, index: Index, model: Embedder, *, seconds: float) -> None:
        self.notes: list[str] = []
        self._index, self._model, self._seconds = index, model, seconds
        self._db = _open(index.root / ".silo" / FILE)
        self._known: dict[Scope, tuple[list[int], list[Vector]]] = {}
        self._matrix: dict[Scope, Any] = {}
        self._down = False

    def close(self) -> None:
        self._db.close()

    def near(self, query: str, scope: Scope, most: int, also: Iterable[int]) -> Mapping[int, tuple[Passage, float]]:
        """The `most` nearest passages of the scope, and the rows `also`, with the cosine of each."""
        if self._down:
            return {}
        # What a service must not see is not asked about either: private topics stay on the machine.
        scope = scope._replace(group=True) if self._model.sends else scope
        wanted = tuple(also)
        try:
            (asked,) = self._model.embed([query], question=True)
            rows, vectors = self._all(scope, wanted)
        except ServiceDown as error:
            self._down = True
            self.notes.append(f"{error}; searched by words alone" + (f" ({error.hint})" if error.hint else ""))
            return {}
        cosines = self._cosines(scope, rows, vectors, asked, set(wanted))
        best = heapq.nlargest(most, cosines, key=lambda row: (cosines[row], row))
        chosen = {*best, *(row for row in wanted if row in cosines)}
        return {row: (p, cosines[row]) for row, p in self._index.passages(chosen, scope).items()}

    def _all(self, scope: Scope, first: Sequence[int]) -> tuple[list[int], list[Vector]]:
        """Rows and vectors of every passage of the scope that has one; new ones are made as far as the time reaches."""
        if scope in self._known:
            return self._known[scope]
        texts = dict(self._index.texts(scope))
        keys = {row: hashlib.sha256(text.encode("utf-8", "replace")).digest()[:16] for row, text in texts.items()}
        have = self._load(set(keys.values()))
        order = [*(row for row in first if row in texts), *sorted(texts, reverse=True)]
        missing = {keys[row]: texts[row] for row in order if keys[row] not in have}
        left = self._make(missing, have)
        if left:
            self.notes.append(f"{left} lines have no vector yet and were searched by words alone; ask again to go on")
        rows = [row for row in texts if keys[row] in have]
        found = (rows, [have[keys[row]] for row in rows])
        if not left:
            self._known[scope] = found
        return found

    def _make(self, missing: Mapping[bytes, str], have: dict[bytes, Vector]) -> int:
        """Embed what is missing into `have` and the file; how many are left when the time is over."""
        until = time.monotonic() + self._seconds
        pending = list(missing.items())
        while pending and time.monotonic() < until:
            some, pending = pending[: self._model.batch], pending[self._model.batch :]
            made = self._model.embed([text for _, text in some], question=False)
            rows = [(self._model.name, key, vector.tobytes()) for (key, _), vector in zip(some, made, strict=True)]
            have.update({key: vector for (key, _), vector in zip(some, made, strict=True)})
            try:
                self._db.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)
            except sqlite3.OperationalError:
                continue  # another process is writing them: ours serve this answer
        return len(pending)

    def _load(self, keys: set[bytes]) -> dict[bytes, Vector]:
        found: dict[bytes, Vector] = {}
        for key, data in self._db.execute("SELECT text, vector FROM vectors WHERE model = ?", (self._model.name,)):
            if key in keys:
                found[key] = array("f", data)
        return found

    def _cosines(self, scope: Scope, rows: list[int], vectors: list[Vector], asked: Vector, first: set[int]) -> dict[int, float]:
        """The cosine of each row; without numpy, of many rows those that words found."""
        same = all(len(vector) == len(asked) for vector in vectors)
        pairs = zip(rows, vectors, strict=True)
        if not same:
            rows, vectors = [row for row, v in pairs if len(v) == len(asked)], [v for v in vectors if len(v) == len(asked)]
        try:
            import numpy
        except ImportError:
            few = zip(rows, vectors, strict=True)
            return {row: sum(map(mul, v, asked)) for row, v in few if len(rows) <= _PLAIN or row in first}
        if not rows:
            return {}
        matrix = self._matrix.get(scope)
        if matrix is None or scope not in self._known or not same:
            matrix = numpy.frombuffer(b"".join(v.tobytes() for v in vectors), dtype=numpy.float32).reshape(len(rows), len(asked))
            self._matrix[scope] = matrix
        product: list[float] = (matrix @ numpy.frombuffer(asked.tobytes(), dtype=numpy.float32)).tolist()
        return dict(zip(rows, product, strict=True))


def _open(path: Path) -> sqlite3.Connection:
    """The file of vectors, made if missing, made anew if damaged; in memory where it can't be written."""
    try:
        return _on_disk(path)
    except sqlite3.OperationalError:
        pass
    except sqlite3.DatabaseError:
        for ending in ("", "-wal", "-shm", "-journal"):
            path.with_name(path.name + ending).unlink(missing_ok=True)
        return _on_disk(path)
    except OSError:
        pass
    db = sqlite3.connect(":memory:", isolation_level=None)
    db.execute(_TABLE)
    return db


def _on_disk(path: Path) -> sqlite3.Connection:
    if not path.exists():
        _new(path)
    db = sqlite3.connect(path, timeout=5.0, isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = NORMAL")
    db.execute(_TABLE)
    return db


def _new(path: Path) -> None:
    disk = Disk(owner_of(path.parent.parent))
    try:
        new_file(disk, path, b"")
    except FileExistsError:
        return  # another process was first
