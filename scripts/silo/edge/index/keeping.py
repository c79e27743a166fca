"""The index kept up with the files of its workspace: what changed is read, what there was no time for is scanned when asked.

Does not look anything up, and writes nothing but index.db.
"""

from __future__ import annotations

import hashlib
import sqlite3
import time
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from silo.edge.index.audience import Hidden, hidden
from silo.edge.index.bare import Bare
from silo.edge.index.files import Stamps, memory_files, read
from silo.edge.index.store import Known, Store
from silo.found import Scope

BUDGET = 2.0  # seconds that a question spends on files that changed
_TOGETHER = 256  # files that a scan indexes in one transaction: other processes may write in between
_FRESH = 2_000_000_000  # ns: a file changed this shortly before we read it may have changed again unseen


class Refreshed(NamedTuple):
    """What a refresh did: files read, files taken out, files left for lack of time."""

    read: int
    removed: int
    left: tuple[str, ...]


class Kept:
    """The store of a workspace, with the passages of files that are not in it beside it."""

    def __init__(self, root: Path, store: Store | None, notes: tuple[str, ...]) -> None:
        self.root = root
        self.notes = notes
        self._store = store
        self._side = Bare()  # passages of files that are not in the store
        self._hidden: dict[tuple[str, bool, bool], Hidden] = {}
        self._joined()
        self._pending: dict[str, tuple[int, int]] = {}  # those that nobody has looked into yet, with their stamps

    def close(self) -> None:
        if self._store is not None:
            self._store.db.close()

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


def _may_differ(stamp: tuple[int, int], known: tuple[int, int, int] | None) -> bool:
    return known is None or stamp != known[:2] or known[1] > known[2] - _FRESH


def _only_grew(old: Known, data: bytes) -> bool:
    """Whether an event file is what it was, complete to its last line, with more lines after it."""
    if "/events/" not in old.path or len(data) <= old.size or old.size == 0:
        return False
    head = data[: old.size]
    return head.endswith(b"\n") and hashlib.sha256(head).hexdigest() == old.sha
