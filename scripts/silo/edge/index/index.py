"""The index of a workspace, kept up with its files, and the look-ups that recall ranks.

`refresh` reads what changed within a time budget; what it could not read in time is scanned when a question is asked, so
an answer is never older than the files. Where index.db can't be written, or SQLite has no FTS5, the same look-ups run in
memory and `notes` says so. Does not rank, and writes nothing but index.db.
"""

from __future__ import annotations

import hashlib
import heapq
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from silo.edge.fs import Disk, new_file, owner_of
from silo.edge.index.audience import Hidden, hidden
from silo.edge.index.bare import Bare
from silo.edge.index.files import Stamps, memory_files, read
from silo.edge.index.store import Known, Store
from silo.found import Passage, Scope

BUDGET = 2.0  # seconds that a question spends on files that changed
_LOCK_WAIT = 100  # milliseconds that a question waits for another process that is indexing
_MAKE_WAIT = 5.0  # seconds that it waits for another process that is making the tables
_UNIT = 1 << 16  # weights are summed as whole numbers, so that their order never matters
_MOST_TERMS = 400  # of a question: SQLite joins 500 look-ups at most
_LIGHT = 20  # terms of less than this part of the heaviest one are looked up only where the others find too little
_TOGETHER = 256  # files that a scan indexes in one transaction: other processes may write in between
_FRESH = 2_000_000_000  # ns: a file changed this shortly before we read it may have changed again unseen


class Refreshed(NamedTuple):
    """What a refresh did: files read, files taken out, files left for lack of time."""

    read: int
    removed: int
    left: tuple[str, ...]


class Index:
    """Open with `Index.open`; close when done."""

    def __init__(self, root: Path, store: Store | None, notes: tuple[str, ...]) -> None:
        self.root = root
        self.notes = notes
        self._store = store
        self._side = Bare()  # passages of files that are not in the store
        self._hidden: dict[tuple[str, bool, bool], Hidden] = {}
        self._joined()
        self._pending: dict[str, tuple[int, int]] = {}  # those that nobody has looked into yet, with their stamps

    @classmethod
    def open(cls, root: Path) -> Index:
        """The index of the workspace `root`; index.db is made if missing, and made anew if it is damaged."""
        path = root / ".silo" / "index.db"
        try:
            return cls(root, _on_disk(path), ())
        except sqlite3.OperationalError as error:
            if "fts5" in str(error):
                return cls(root, None, ("this Python's SQLite has no FTS5: searching in memory, slower",))
            if (store := _as_it_is(path)) is not None:
                return cls(
                    root, store, ("index.db can't be written: what changed since is searched directly",)
                )
        except OSError:
            pass
        except sqlite3.DatabaseError:
            for ending in ("", "-wal", "-shm", "-journal"):
                path.with_name(path.name + ending).unlink(missing_ok=True)
            return cls(root, _on_disk(path), ("index.db was damaged and is built anew",))
        return cls(root, _in_memory(), ("index.db can't be written: searching in memory",))

    @classmethod
    def of(cls, root: Path, found: Mapping[str, Sequence[Passage]]) -> Index:
        """An index in memory over these passages (path → its passages in order) and nothing else; not to be refreshed."""
        made = cls(root, None, ())
        for path, some in found.items():
            made._side.put(path, some)
        return made

    def close(self) -> None:
        if self._store is not None:
            self._store.db.close()

    # --- keeping up ---

    def refresh(self, budget: float = BUDGET) -> Refreshed:
        """Bring the index up to the files, newest days first, for at most about `budget` seconds."""
        until = time.monotonic() + budget
        files = memory_files(self.root)
        known = self._store.stamps() if self._store is not None else {}
        gone = sorted(known.keys() - files.keys())
        changed = sorted(
            (path for path, stamp in files.items() if _may_differ(stamp, known.get(path))), reverse=True
        )
        if self._store is None:
            return self._read_all(files, until)
        if not self._store.writable:
            return self._leave(files, self._really_changed(self._store, changed, until), gone, 0)
        if not gone and not changed:
            return self._leave(files, [], [], 0)
        try:
            self._store.begin()
        except sqlite3.OperationalError:  # another process is indexing
            return self._leave(files, changed, gone, 0)
        for path in gone:
            self._store.drop(path)
        count = 0
        while changed and (count == 0 or time.monotonic() < until):
            path = changed.pop(0)
            count += self._take(self._store, path, files[path])
        self._store.commit()
        return self._leave(files, changed, [], count, removed=len(gone))

    def _really_changed(self, store: Store, paths: list[str], until: float) -> list[str]:
        """Those of the files whose bytes differ from what is indexed, as far as the time reaches; the rest count as changed. A
        copied workspace has other times, and a copy that can't be written would have all of it aside at every question."""
        found = []
        for path in paths:
            known = store.known(path) if time.monotonic() < until else None
            text = read(self.root, path) if known is not None else None
            if known is None or text is None or hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest() != known.sha:
                found.append(path)
        return found

    def _read_all(self, files: Stamps, until: float) -> Refreshed:
        """Without FTS5: every file into memory, as far as the time reaches."""
        from silo.formats.passages import passages

        side = Bare()
        count = 0
        paths = sorted(files, reverse=True)
        while paths and (count == 0 or time.monotonic() < until):
            path = paths.pop(0)
            text = read(self.root, path)
            side.put(path, passages(path, text) if text is not None else ())
            count += 1
        done = self._leave(files, paths, [], count)
        self._side = side
        self._joined()
        return done

    def _take(self, store: Store, path: str, stamp: tuple[int, int]) -> bool:
        """Read one file into the store; False where its bytes are what the store has already."""
        from silo.formats.passages import appended, passages

        checked = time.time_ns()
        text = read(self.root, path)
        if text is None:
            store.drop(path)
            return False
        data = text.encode("utf-8", "surrogateescape")
        sha = hashlib.sha256(data).hexdigest()
        old = store.known(path)
        if old is not None and old.sha == sha:
            store.touch(old, stamp[1], checked)
            return False
        now = Known(0, path, len(data), stamp[1], checked, sha, text.count("\n"), 0)
        if old is not None and _only_grew(old, data):
            tail = data[old.size :].decode("utf-8", "surrogateescape")
            store.put(now._replace(id=old.id), appended(path, tail, old.lines + 1, old.passages))
            return True
        store.drop(path)
        store.put(now, passages(path, text))
        return True

    def _leave(self, files: Stamps, changed: list[str], gone: list[str], count: int, removed: int = 0) -> Refreshed:
        """Files not indexed stay aside, to be scanned; their old rows, and those of files that are gone, unseen."""
        self._side = Bare()
        self._joined()
        self._pending = {path: files[path] for path in changed}
        if self._store is not None:
            self._store.stale = frozenset((*changed, *gone))
        return Refreshed(count, removed, tuple(changed))

    @property
    def left(self) -> int:
        """How many files are not indexed yet."""
        return len(self._pending) + (self._side.files if self._store is not None else 0)

    def scan(self, words: Iterable[str]) -> None:
        """Make the files that are not indexed answer to these words: those that hold one are read now.

        They are indexed too, since most of the work is done by then; where that can't be, they stay in memory.
        """
        if not self._pending:
            return
        from silo.formats.passages import passages

        heads = tuple({word[: max(3, len(word) - 3)] for word in words if word})
        # Topics in any case: what a person has just marked private hides events of files that are in long since.
        asked = [path for path in sorted(self._pending, reverse=True) if "/topics/" in path or self._has_any(path, heads)]
        for first in range(0, len(asked), _TOGETHER):
            some = asked[first : first + _TOGETHER]
            if not self._index(some):
                for path in some:
                    text = read(self.root, path)
                    self._side.put(path, passages(path, text) if text is not None else ())
            for path in some:
                del self._pending[path]
        self._hidden.clear()

    def _joined(self) -> None:
        """Store and side hide by the topics of both."""
        self._hidden.clear()
        self._side.hides = self._hides
        if self._store is not None:
            self._store.hides = self._hides

    def _hides(self, scope: Scope) -> Hidden:
        key = (scope.agent, scope.group, scope.archived)
        if key not in self._hidden:
            topics = [*(self._store.topic_rows() if self._store is not None else ()), *self._side.topic_rows()]
            self._hidden[key] = hidden(topics, scope)
        return self._hidden[key]

    def _has_any(self, path: str, heads: tuple[str, ...]) -> bool:
        from silo.text.fold import fold

        text = read(self.root, path) or ""
        low = text.lower() if text.isascii() else fold(text)
        return not heads or any(head in low for head in heads)

    def _index(self, paths: list[str]) -> bool:
        """Take files in that the last refresh left; False where the index can't be written now."""
        if self._store is None or not self._store.writable:
            return False
        try:
            self._store.begin()
        except sqlite3.OperationalError:  # another process is indexing
            return False
        for path in paths:
            self._take(self._store, path, self._pending[path])
        self._store.commit()
        self._store.stale -= frozenset(paths)
        return True

    # --- looking up ---

    def totals(self) -> tuple[int, float]:
        """(number of passages, mean number of terms)."""
        count, mean = self._store.totals() if self._store is not None else (0, 1.0)
        more, mean_more = self._side.totals()
        every = count + more
        return every, (count * mean + more * mean_more) / every if every else 1.0

    def frequencies(self, terms: Iterable[str]) -> dict[str, int]:
        """In how many passages each term stands; what stands nowhere is left out."""
        terms = tuple(terms)
        found = self._store.frequencies(terms) if self._store is not None else {}
        for term, count in self._side.frequencies(terms).items():
            found[term] = found.get(term, 0) + count
        return found

    def beginning(self, prefix: str, most: int = 40) -> dict[str, int]:
        """Terms that begin with `prefix`, and in how many passages each stands."""
        found = self._store.beginning(prefix, most) if self._store is not None else {}
        return found | self._side.beginning(prefix, most)

    def find(self, weights: Mapping[str, float], scope: Scope, most: int) -> dict[int, Passage]:
        """The passages with the largest sums of weights of the terms that they hold, newest first among equals; of very many
        terms the heaviest count.

        Numbers are the same in every build of the index; neighbours in a file are one apart.
        """
        best = heapq.nsmallest(_MOST_TERMS, weights, key=lambda term: (-weights[term], term))
        whole = {term: max(1, round(weights[term] * _UNIT)) for term in best}
        least = max(whole.values(), default=0) // _LIGHT
        heavy = {term: weight for term, weight in whole.items() if weight >= least}
        light = sum(whole.values()) - sum(heavy.values())
        found = self._heaviest(heavy, scope, most)
        if light and (len(found) < most or found[-1][1] < light):
            found = self._heaviest(whole, scope, most)
        return {row: p for row, _, p in found}

    def _heaviest(self, weights: Mapping[str, int], scope: Scope, most: int) -> list[tuple[int, int, Passage]]:
        """(number, sum, passage) of the first `most` that the scope lets through."""
        pairs: Iterable[tuple[int, int]] = self._store.heaviest(weights) if self._store is not None else ()
        if len(self._side):
            pairs = heapq.merge(pairs, self._side.heaviest(weights), key=lambda pair: (-pair[1], -pair[0]))
        pairs = iter(pairs)
        found: list[tuple[int, int, Passage]] = []
        while len(found) < most and (some := dict(islice(pairs, most))):
            loaded = self._load(some, scope)
            found += [(row, weight, loaded[row]) for row, weight in some.items() if row in loaded]
        return found[:most]

    def around(self, rows: Iterable[int], scope: Scope, reach: int = 1) -> dict[int, Passage]:
        """The passages up to `reach` places before and after these in the same file."""
        given = set(rows)
        steps = [step for step in range(-reach, reach + 1) if step]
        return self._load({row + step for row in given for step in steps} - given, scope)

    def holding(
        self, folded: str, whole: Iterable[str], scope: Scope, most: int, start: str = ""
    ) -> dict[int, Passage]:
        """Passages whose folded text holds `folded` letter for letter, newest first.

        `whole` are terms that any such passage must hold, `start` is what one of its terms must begin with; without either
        every passage is looked at.
        """
        whole = tuple(whole)[:_MOST_TERMS]
        found = self._store.holding(folded, scope, most, whole, start) if self._store is not None else {}
        return found | self._side.holding(folded, scope, most, whole, start)

    def bullets(self, ids: Iterable[str], scope: Scope) -> dict[str, dict[int, Passage]]:
        """For each id of a fact or event the curated bullets that are it or rest on it."""
        ids = tuple(ids)
        found = self._store.bullets(ids, scope) if self._store is not None else {}
        for ident, more in self._side.bullets(ids, scope).items():
            found[ident] = found.get(ident, {}) | more
        return found

    def between(self, first: str, last: str, scope: Scope, most: int = 200) -> dict[int, Passage]:
        """Events from the day `first` to the day `last`, newest first, at most `most`."""
        found = self._store.between(first, last, scope, most) if self._store is not None else {}
        found |= self._side.between(first, last, scope, most)
        return {row: found[row] for row in sorted(found, reverse=True)[:most]}

    def topics(self, scope: Scope) -> dict[int, Passage]:
        """Every topic as a whole."""
        found = self._store.topics(scope) if self._store is not None else {}
        return found | self._side.topics(scope)

    def newer(self, days: Mapping[str, str], scope: Scope) -> bool:
        """Whether any of these topics (slug → day) has an event on or after that day."""
        return (self._store is not None and self._store.newer(days, scope)) or self._side.newer(days, scope)

    def texts(self, scope: Scope) -> Iterator[tuple[int, str]]:
        """Number and text of every passage that the scope lets through."""
        if self._store is not None:
            yield from self._store.texts(scope)
        yield from self._side.texts(scope)

    def passages(self, rows: Iterable[int], scope: Scope) -> dict[int, Passage]:
        """The passages of these numbers that the scope lets through."""
        return self._load(rows, scope)

    def _load(self, rows: Iterable[int], scope: Scope) -> dict[int, Passage]:
        rows = tuple(rows)
        found = self._store.load(rows, scope) if self._store is not None else {}
        return found | self._side.load(rows, scope)


def _may_differ(stamp: tuple[int, int], known: tuple[int, int, int] | None) -> bool:
    return known is None or stamp != known[:2] or known[1] > known[2] - _FRESH


def _only_grew(old: Known, data: bytes) -> bool:
    """Whether an event file is what it was, complete to its last line, with more lines after it."""
    if "/events/" not in old.path or len(data) <= old.size or old.size == 0:
        return False
    head = data[: old.size]
    return head.endswith(b"\n") and hashlib.sha256(head).hexdigest() == old.sha


def _on_disk(path: Path) -> Store:
    if not path.exists():
        _make(path)
    db = sqlite3.connect(path, timeout=_MAKE_WAIT, isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = NORMAL")
    store = Store(db)
    store.prepare()
    db.execute(f"PRAGMA busy_timeout = {_LOCK_WAIT}")
    return store


def _as_it_is(path: Path) -> Store | None:
    """An index that can only be read, such as on a read-only disk; None if there is none of this version."""
    try:
        db = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True, isolation_level=None
        )
        store = Store(db, writable=False)
        if store.is_ready():
            store.totals()
            return store
        db.close()
    except sqlite3.DatabaseError:
        return None
    return None


def _in_memory() -> Store:
    store = Store(sqlite3.connect(":memory:", isolation_level=None))
    store.prepare()
    return store


def _make(path: Path) -> None:
    """An empty file of ours alone, so that SQLite opens it with the right owner and mode."""
    disk = Disk(owner_of(path.parent.parent))
    if not path.parent.is_dir():
        disk.mkdir(path.parent, 0o700)
        new_file(disk, path.parent / ".gitignore", b"*\n")
    try:
        new_file(disk, path, b"")
    except FileExistsError:
        return  # another process was first
