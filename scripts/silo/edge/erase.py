"""Words that must go leave everything that is kept of the past: runs, base copies, conflicts, hand-overs, databases.

The memory's own files are the plan's part and come first. May be cut off and called again; callers hold the commit lock.
What is derived is thrown away where that is the surest way, and built anew when it is next asked for.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
import zlib
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from silo.edge import runs
from silo.edge.fs import read, remove_tree
from silo.edge.places import SILO
from silo.edge.runs import Pieces, Run
from silo.edge.site import Site
from silo.errors import Conflict
from silo.formats import comment
from silo.text.fold import fold
from silo.text.lines import decode, encode

FORGOTTEN = "(forgotten)"
SHORT = 3  # characters: a shorter word says nothing and stands everywhere
COPIES = ("base", "conflicts", "handover", "handback", "orders", "drafts")  # folders of copies: the file that holds one goes
DERIVED = ("index.db", "index-vectors.db", "cold.db")
WAIT = 30.0  # seconds that SQLite waits for another process
_SIDES = ("", "-wal", "-shm", "-journal")


class Needles:
    """Words in every form in which a file may hold them: as they are, escaped in JSON or Markdown, folded."""

    def __init__(self, words: Iterable[str]) -> None:
        given = [word for word in dict.fromkeys(words) if len(word.strip()) >= SHORT]
        forms = [form for word in given for form in (word, json.dumps(word)[1:-1], json.dumps(word, ensure_ascii=False)[1:-1], comment.hide(word))]
        self._texts = list(dict.fromkeys(forms))
        self._bytes = [encode(form) for form in self._texts]
        self._folded = list(dict.fromkeys(fold(word) for word in given))

    def __bool__(self) -> bool:
        return bool(self._texts)

    def in_text(self, text: str) -> bool:
        """Whether the text holds one."""
        if any(form in text for form in self._texts):
            return True
        low = fold(text)
        return any(form in low for form in self._folded)

    def in_bytes(self, data: bytes) -> bool:
        """Whether the bytes hold one, in any of the forms."""
        if any(form in data for form in self._bytes):
            return True
        low = fold(decode(data))
        return any(form in low for form in self._folded)

    def in_file(self, path: Path) -> bool:
        """Whether the file holds one; a file that is gone holds none."""
        data = read(path)
        return data is not None and self.in_bytes(data)


def erase(site: Site, words: Iterable[str], why: str) -> int:
    """None of the words stands in what is kept of the past; returns how many places held one.

    A run that held one can't be undone any more and says `why`.

    Raises:
        Conflict: a database can't be cleaned now, because somebody reads it.
    """
    needles = Needles(words)
    if not needles:
        return 0
    found = _runs(site, needles, why)
    for folder in COPIES:
        for path in sorted((site.places.silo / folder).rglob("*")):
            if path.is_file() and not path.is_symlink() and needles.in_file(path):
                found += _unlinked(site, path)
    found += _vectors(site, needles)
    for path in sorted(site.places.silo.glob("*")):
        if path.is_file() and not path.is_symlink() and ".damaged" in path.name and needles.in_file(path):
            found += _unlinked(site, path)
    for path in sorted(site.places.silo.glob("*.db")):
        if path.name in ("index.db", "index-answers.db"):
            found += _thrown_away(site, path)
        elif path.name == "mirror.db":
            found += _common(path, needles)
        elif path.name != "index-vectors.db":
            found += _database(site, path, needles)
    return found


def left_in(root: Path, words: Iterable[str], passed_over: Callable[[str], bool]) -> tuple[str, ...]:
    """Files of a folder (workspace-relative) whose bytes hold one of the words; `passed_over` says which are not looked at."""
    needles = Needles(words)
    if not needles:
        return ()
    files = (path for path in sorted(root.rglob("*")) if path.is_file() and not path.is_symlink())
    names = ((path.relative_to(root).as_posix(), path) for path in files)
    return tuple(name for name, path in names if not passed_over(name) and needles.in_file(path))


def _unlinked(site: Site, path: Path) -> int:
    """The file is gone; of a hand-over and its way back both halves."""
    gone = [path]
    if path.parent.name in ("handover", "handback"):
        gone = [one for one in (path.with_suffix(".md"), path.with_suffix(".json")) if one.exists()]
    for one in gone:
        site.fs.unlink(one)
    return 1


# --- runs -------------------------------------------------------------------------------------------------


def _runs(site: Site, needles: Needles, why: str) -> int:
    found = 0
    for name in runs.names(site.places.runs):
        folder = site.places.runs / name
        run = runs.load_past(folder) if folder.is_dir() else None
        if run is None:
            continue
        clean = without(run, needles.in_text)
        if clean.steps != run.steps or any(needles.in_file(path) for path in folder.glob("old-*")):
            runs.drop(site.fs, folder, replace(clean, dropped=""), why)
            found += 1
        elif clean != run:
            runs.save(site.fs, folder, clean)
            found += 1
    for folder in sorted(site.places.runs.glob("*.damaged*")):
        if any(needles.in_file(path) for path in folder.rglob("*") if path.is_file()):
            remove_tree(site.fs, folder)
            found += 1
    return found


def without(run: Run, holds: Callable[[str], bool]) -> Run:
    """The run with every text that holds such a word taken out, in its steps, paths, notes and state operations."""

    def bare(text: str) -> str:
        return FORGOTTEN if text and holds(text) else text

    def bared(pieces: Pieces | None) -> Pieces | None:
        return None if pieces is None else tuple(bare(one) if isinstance(one, str) else one for one in pieces)

    steps = tuple(
        replace(
            step,
            path=bare(step.path),
            moved_from=bare(step.moved_from),
            was=bare(step.was),
            added=bare(step.added),
            head=bare(step.head),
            why=bare(step.why),
            delta=tuple(bare(piece) if isinstance(piece, str) else piece for piece in step.delta),
            base_was=bared(step.base_was),
            base=bared(step.base),
        )
        for step in run.steps
    )
    state = tuple(op for op in run.state if not holds(f"{op.key}\n{op.file}\n{json.dumps(getattr(op, 'value', ''), ensure_ascii=False)}"))
    return replace(
        run, steps=steps, state=state, command=bare(run.command), notes=tuple(bare(note) for note in run.notes),
        kept=tuple(bare(path) for path in run.kept),
    )  # fmt: skip


# --- databases --------------------------------------------------------------------------------------------


def _thrown_away(site: Site, path: Path) -> int:
    """A derived database and its side files are gone."""
    there = [side for ending in _SIDES if (side := path.with_name(path.name + ending)).exists()]
    for side in reversed(there):
        site.fs.unlink(side)
    return 1 if there else 0


def _vectors(site: Site, needles: Needles) -> int:
    """Vectors of the words are gone. Which they are, the index tells; without one all of them go."""
    import hashlib

    path, index = (site.places.silo / name for name in ("index-vectors.db", "index.db"))
    if not path.exists():
        return 0
    try:
        with contextlib.closing(sqlite3.connect(f"{index.as_uri()}?mode=ro", uri=True, timeout=WAIT)) as db:
            texts = [str(row[0]) for row in db.execute("SELECT text FROM docs")]
        keys = [hashlib.sha256(text.encode("utf-8", "replace")).digest()[:16] for text in texts if needles.in_text(text)]
        with contextlib.closing(sqlite3.connect(path, timeout=WAIT, isolation_level=None)) as db:
            db.execute("PRAGMA secure_delete = ON")
            gone = sum(db.execute("DELETE FROM vectors WHERE text = ?", (key,)).rowcount for key in keys)
            if gone:
                _settled(db)
            return 1 if gone else 0
    except sqlite3.DatabaseError:
        return _thrown_away(site, path)


def _common(path: Path, needles: Needles) -> int:
    """Bytes that a mirror and this device had in common are gone where they hold a word; that they had them stays known."""
    try:
        with contextlib.closing(sqlite3.connect(path, timeout=WAIT, isolation_level=None)) as db:
            db.execute("PRAGMA secure_delete = ON")
            db.create_function("holds", 1, lambda cell: _holds(cell, needles), deterministic=True)
            gone = db.execute("UPDATE base SET data = NULL WHERE data IS NOT NULL AND holds(data)").rowcount
            if gone:
                _settled(db)
            return 1 if gone else 0
    except sqlite3.OperationalError as error:
        raise Conflict(f"{SILO}/{path.name} can't be cleaned now: {error}", "close what reads it; any command then finishes the forget") from error
    except sqlite3.DatabaseError:
        return 0


def _database(site: Site, path: Path, needles: Needles) -> int:
    """No row of the database holds a word, and no free page of its file does."""
    try:
        with contextlib.closing(sqlite3.connect(path, timeout=WAIT, isolation_level=None)) as db:
            gone = _cleaned(db, needles, whole=path.name != "state.db")
    except sqlite3.OperationalError as error:
        if not needles.in_file(path):
            return 0
        raise Conflict(f"{SILO}/{path.name} can't be cleaned now: {error}", "close what reads it; any command then finishes the forget") from error
    except sqlite3.DatabaseError:
        gone = 0
    if path.name in DERIVED and any(needles.in_file(path.with_name(path.name + ending)) for ending in _SIDES):
        return _thrown_away(site, path)
    return 1 if gone else 0


def _cleaned(db: sqlite3.Connection, needles: Needles, *, whole: bool) -> int:
    """Rows that hold a word are deleted; with `whole` false only such a key deletes a row, texts in values are replaced."""
    db.execute("PRAGMA secure_delete = ON")
    db.create_function("holds", 1, lambda cell: _holds(cell, needles), deterministic=True)
    db.create_function("cleared", 1, lambda cell: _cleared(cell, needles), deterministic=True)
    tables = [(str(name), str(sql or "")) for name, sql in db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'")]
    searched = [name for name, sql in tables if "using fts5" in sql.lower()]
    plain = [name for name, sql in tables if not name.startswith("sqlite_") and not any(name == f or name.startswith(f"{f}_") for f in searched)]
    gone = 0
    db.execute("BEGIN IMMEDIATE")
    for name in plain:
        columns = [str(row[1]) for row in db.execute(f'PRAGMA table_info("{name}")')]
        if not whole and columns == ["key", "value"]:
            gone += db.execute(f'UPDATE "{name}" SET value = cleared(value) WHERE holds(value)').rowcount
            columns = ["key"]
        test = " OR ".join(f'holds("{column}")' for column in columns)
        gone += db.execute(f'DELETE FROM "{name}" WHERE {test}').rowcount
    db.execute("COMMIT")
    if gone:
        for name in searched:
            with contextlib.suppress(sqlite3.OperationalError):  # one without content of its own can't be rebuilt
                db.execute(f'INSERT INTO "{name}" ("{name}") VALUES (\'rebuild\')')
        _settled(db)
    return gone


def _settled(db: sqlite3.Connection) -> None:
    """No free page and no log of the database holds what was deleted."""
    db.execute("VACUUM")
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _holds(cell: object, needles: Needles) -> bool:
    if isinstance(cell, bytes):
        with contextlib.suppress(zlib.error):
            cell = zlib.decompress(cell)
        return needles.in_bytes(cell)
    return isinstance(cell, str) and needles.in_text(cell)


def _cleared(cell: object, needles: Needles) -> str:
    """A JSON value of state.db with each text that holds a word replaced."""

    def inner(value: object) -> object:
        if isinstance(value, str):
            return FORGOTTEN if needles.in_text(value) else value
        if isinstance(value, list):
            return [inner(one) for one in value]
        if isinstance(value, dict):
            return {key: inner(one) for key, one in value.items() if not needles.in_text(key)}
        return value

    try:
        value = json.loads(str(cell))
    except ValueError:
        return "null"
    return json.dumps(inner(value), ensure_ascii=True, separators=(",", ":"), sort_keys=True)
