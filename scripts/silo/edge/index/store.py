"""index.db: passages in SQLite, their words in FTS5; adding, taking out, finding. Reads no file of the memory.

Rows have numbers that do not depend on the order of building, so that a rebuilt index gives the same answers.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from silo.edge.index.audience import Hidden, TopicRow, hidden, says
from silo.edge.index.schema import COLUMNS, PLACES, TABLES, VERSION, file_number, first_row
from silo.found import LAYERS, Confidence, Kind, Passage, Scope
from silo.text.fold import fold

_CHUNK = 400  # numbers in one IN (…)
_MASK = (1 << PLACES) - 1


class Known(NamedTuple):
    """What the index knows of a file."""

    id: int
    path: str
    size: int
    changed: int  # its modification time when read, in ns
    checked: int  # when it was read, in ns
    sha: str
    lines: int
    passages: int


class Store:
    """One open index.db, or the same tables in memory."""

    def __init__(self, connection: sqlite3.Connection, *, writable: bool = True) -> None:
        self.db = connection
        self.db.create_function("says", 2, says, deterministic=True)
        self.writable = writable
        self.stale: frozenset[str] = (
            frozenset()
        )  # files that changed since they were read: their rows stay unseen
        self.hides: Callable[[Scope], Hidden] = lambda scope: hidden(self.topic_rows(), scope)
        self._totals: tuple[int, float] | None = None
        self._counts: dict[str, int] = {}  # term → passages that hold it, as far as it was asked for

    def prepare(self) -> None:
        """Make the tables where they are missing or of another version; of two processes at once, one does."""
        if self.is_ready():
            return
        self.begin()
        if not self.is_ready():
            tables = self.db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
            for (name,) in tables:
                if not name.startswith(("found_", "sqlite_")):  # the parts of FTS5 go with it
                    self.db.execute(f'DROP TABLE IF EXISTS "{name}"')
            for statement in TABLES:
                self.db.execute(statement)
        self.commit()

    def is_ready(self) -> bool:
        """Whether the tables are those of this version."""
        return bool(self.db.execute("PRAGMA user_version").fetchone()[0] == VERSION)

    def begin(self) -> None:
        self.db.execute("BEGIN IMMEDIATE")

    def commit(self) -> None:
        self.db.execute("COMMIT")
        self._totals, self._counts = None, {}

    # --- writing ---

    def stamps(self) -> dict[str, tuple[int, int, int]]:
        """path → (size, modification time, when it was read), of every file that is in."""
        rows = self.db.execute("SELECT path, size, changed, checked FROM files")
        return {path: (size, changed, checked) for path, size, changed, checked in rows}

    def known(self, path: str) -> Known | None:
        row = self.db.execute(
            "SELECT id, path, size, changed, checked, sha, lines, count FROM files WHERE path = ?", (path,)
        ).fetchone()
        return Known(*row) if row else None

    def drop(self, path: str) -> None:
        """Take a file and its passages out, if it is in."""
        file = self.known(path)
        if file is None:
            return
        low, high = file.id << PLACES, (file.id << PLACES) | _MASK
        self.db.execute(
            "INSERT INTO found (found, rowid, words) SELECT 'delete', id, terms || ' ' || labels FROM docs "
            "WHERE id BETWEEN ? AND ?",
            (low, high),
        )
        self.db.execute("DELETE FROM links WHERE doc BETWEEN ? AND ?", (low, high))
        self.db.execute("DELETE FROM docs WHERE id BETWEEN ? AND ?", (low, high))
        self.db.execute("DELETE FROM files WHERE id = ?", (file.id,))

    def touch(self, file: Known, changed: int, checked: int) -> None:
        """The same content under another time."""
        self.db.execute("UPDATE files SET changed = ?, checked = ? WHERE id = ?", (changed, checked, file.id))

    def put(self, file: Known, passages: Sequence[Passage]) -> None:
        """Add passages of a file, and what is known of it; with `file.id` 0 it gets its number here."""
        number = file.id or self._free(file.path)
        rows, words, links = [], 0, []
        for p in passages:
            if p.place > _MASK:
                break  # a million lines in one file: the rest is found by the literal scan alone
            row = (number << PLACES) | p.place
            rows.append(_row(row, number, p))
            words += p.terms.count(" ") + 1
            if p.kind is Kind.FACT:
                links += [(ident, row) for ident in (p.id, *p.source.split(",")) if ident]
        self.db.executemany(f"INSERT INTO docs VALUES ({','.join('?' * 20)})", rows)
        self.db.executemany(
            "INSERT INTO found (rowid, words) VALUES (?, ?)", ((r[0], f"{r[18]} {r[19]}") for r in rows)
        )
        self.db.executemany("INSERT OR IGNORE INTO links VALUES (?, ?)", links)
        self.db.execute(
            "INSERT INTO files VALUES (?,?,?,?,?,?,?,?,?) ON CONFLICT (id) DO UPDATE SET size = excluded.size, "
            "changed = excluded.changed, checked = excluded.checked, sha = excluded.sha, lines = excluded.lines, "
            "count = count + excluded.count, words = words + excluded.words",
            (
                number,
                file.path,
                file.size,
                file.changed,
                file.checked,
                file.sha,
                file.lines,
                len(rows),
                words,
            ),
        )

    def _free(self, path: str) -> int:
        number = file_number(path)
        while self.db.execute("SELECT 1 FROM files WHERE id = ?", (number,)).fetchone():
            number += 1
        return number

    # --- finding ---

    def topic_rows(self) -> list[TopicRow]:
        """What hides each topic. Files that changed since they were read count too: what was private yesterday is hidden."""
        rows = self.db.execute("SELECT slug, heading, agents, private, archived FROM docs WHERE kind = 'topic'")
        return [TopicRow(slug, heading, _agents(who), bool(private), bool(archived)) for slug, heading, who, private, archived in rows]

    def totals(self) -> tuple[int, float]:
        """How many passages there are, and how many terms one has on average."""
        if self._totals is None:
            count, words = self.db.execute(
                "SELECT coalesce(sum(count), 0), coalesce(sum(words), 0) FROM files"
            ).fetchone()
            self._totals = (count, words / count if count else 1.0)
        return self._totals

    def frequencies(self, terms: Iterable[str]) -> dict[str, int]:
        """In how many passages each term stands; those that stand nowhere are left out."""
        wanted = tuple(terms)
        unknown = [term for term in wanted if term not in self._counts]  # FTS5 counts anew each time, hit by hit
        for start in range(0, len(unknown), _CHUNK):
            some = unknown[start : start + _CHUNK]
            self._counts.update(dict.fromkeys(some, 0))
            sql = f"SELECT term, doc FROM vocabulary WHERE term IN ({','.join('?' * len(some))})"
            self._counts.update(self.db.execute(sql, some))
        return {term: n for term in wanted if (n := self._counts[term])}

    def beginning(self, prefix: str, most: int) -> dict[str, int]:
        """Terms that begin with `prefix` and how many passages hold them, at most `most`."""
        rows = self.db.execute(
            "SELECT term, doc FROM vocabulary WHERE term >= ? AND term < ? LIMIT ?",
            (prefix, prefix + "\U0010ffff", most),
        )
        found = {term: int(doc) for term, doc in rows}
        self._counts |= found
        return found

    def heaviest(self, weights: Mapping[str, int]) -> Iterator[tuple[int, int]]:
        """(number, sum of the weights of the terms that it holds) of the passages that hold any, largest sum and newest first."""
        terms = sorted(weights)
        if not terms:
            return iter(())
        parts = (f"SELECT rowid AS doc, {weights[term]} AS weight FROM found WHERE found MATCH ?" for term in terms)
        sql = f"SELECT doc, sum(weight) FROM ({' UNION ALL '.join(parts)}) GROUP BY doc ORDER BY 2 DESC, 1 DESC"
        return self.db.execute(sql, [_quoted(term) for term in terms])

    def load(self, rows: Iterable[int], scope: Scope) -> dict[int, Passage]:
        """The passages of these numbers that the scope lets through."""
        condition, values = self._visible(scope)
        found: dict[int, Passage] = {}
        wanted = sorted(set(rows))
        for start in range(0, len(wanted), _CHUNK):
            some = wanted[start : start + _CHUNK]
            sql = f"SELECT {COLUMNS} FROM docs d JOIN files f ON f.id = d.file WHERE d.id IN ({','.join('?' * len(some))})"
            for row in self.db.execute(f"{sql} AND {condition}", (*some, *values)):
                found[row[0]] = _passage(row)
        return found

    def texts(self, scope: Scope) -> Iterator[tuple[int, str]]:
        """Number and text of every passage that the scope lets through."""
        condition, values = self._visible(scope)
        yield from self.db.execute(f"SELECT d.id, d.text FROM docs d JOIN files f ON f.id = d.file WHERE {condition}", values)

    def holding(
        self, folded: str, scope: Scope, most: int, whole: Iterable[str] = (), start: str = ""
    ) -> dict[int, Passage]:
        """Passages whose folded text holds the string, newest first; among those that hold the terms `whole` and one that
        begins with `start`, where such are given."""
        condition, values = self._visible(scope)
        match = [*map(_quoted, whole), *([f"{_quoted(start)}*"] if start else [])]
        among = "d.id IN (SELECT rowid FROM found WHERE found MATCH ?) AND" if match else ""
        sql = (
            f"SELECT {COLUMNS} FROM docs d JOIN files f ON f.id = d.file WHERE {among} "
            f"instr(coalesce(d.plain, lower(d.text)), ?) > 0 AND {condition} ORDER BY d.id DESC LIMIT ?"
        )
        given = (" AND ".join(match),) if match else ()
        return {row[0]: _passage(row) for row in self.db.execute(sql, (*given, folded, *values, most))}

    def bullets(self, ids: Iterable[str], scope: Scope) -> dict[str, dict[int, Passage]]:
        """For each id of a fact or event the curated bullets that are it or rest on it."""
        rows: dict[str, list[int]] = {}
        for event in ids:
            for (doc,) in self.db.execute("SELECT doc FROM links WHERE event = ?", (event,)):
                rows.setdefault(event, []).append(doc)
        loaded = self.load((doc for docs in rows.values() for doc in docs), scope)
        return {event: {d: loaded[d] for d in docs if d in loaded} for event, docs in rows.items()}

    def between(self, first: str, last: str, scope: Scope, most: int) -> dict[int, Passage]:
        """Events from the day `first` to the day `last`, newest first, at most `most`."""
        condition, values = self._visible(scope)
        sql = (
            f"SELECT {COLUMNS} FROM docs d JOIN files f ON f.id = d.file WHERE d.id >= ? AND d.id < ? AND d.kind = 'event' "
            f"AND d.date BETWEEN ? AND ? AND {condition} ORDER BY d.id DESC LIMIT ?"
        )
        low, high = first_row(first), first_row(last, after=True)
        return {
            row[0]: _passage(row) for row in self.db.execute(sql, (low, high, first, last, *values, most))
        }

    def topics(self, scope: Scope) -> dict[int, Passage]:
        """Every topic as a whole."""
        return self.load((r[0] for r in self.db.execute("SELECT id FROM docs WHERE kind = 'topic'")), scope)

    def newer(self, days: Mapping[str, str], scope: Scope) -> bool:
        """Whether any of these topics (slug → day) has an event on or after that day."""
        condition, values = self._visible(scope)
        sql = "SELECT 1 FROM docs d JOIN files f ON f.id = d.file WHERE d.kind = 'event' AND d.slug = ? AND d.date >= ?"
        return any(
            self.db.execute(f"{sql} AND {condition} LIMIT 1", (slug, day, *values)).fetchone()
            for slug, day in days.items()
        )

    def _visible(self, scope: Scope) -> tuple[str, list[object]]:
        """The scope as SQL over `docs d`. Everything that hides something hides it here, in one place."""
        kinds = [kind.value for kind, layer in LAYERS.items() if layer in scope.layers]
        parts = [f"d.kind IN ({','.join('?' * len(kinds))})", "(d.agents = '' OR instr(d.agents, ?) > 0)"]
        values: list[object] = [*kinds, f",{scope.agent},"]
        hides = self.hides(scope)
        if hides.facts:
            parts.append(f"(d.kind = 'event' OR d.slug NOT IN ({','.join('?' * len(hides.facts))}))")
            values += sorted(hides.facts)
        if hides.wholly:
            parts.append(f"d.slug NOT IN ({','.join('?' * len(hides.wholly))})")
            values += sorted(hides.wholly)
        if scope.group:
            parts.append("d.private = 0")
        if not scope.archived:
            parts.append("d.archived = 0")
        for column, wanted in (("tag", scope.tags), ("slug", scope.slugs)):
            if wanted:
                parts.append(f"d.{column} IN ({','.join('?' * len(wanted))})")
                values += sorted(wanted)
        if scope.since:
            parts.append("d.date >= ?")
            values.append(scope.since)
        if scope.until:
            parts.append("d.date <> '' AND d.date <= ?")
            values.append(scope.until)
        if self.stale:
            parts.append(f"f.path NOT IN ({','.join('?' * len(self.stale))})")
            values += sorted(self.stale)
        if scope.entity:
            names = [fold(name) for name in scope.entity.split("\n")]
            spoken = "says(coalesce(d.plain, lower(d.text)) || ' ' || d.labels, ?)"
            parts.append(f"({' OR '.join([spoken] * len(names))})")
            values += names
        return " AND ".join(parts), values


def _quoted(term: str) -> str:
    return '"' + term.replace('"', '""') + '"'


def _row(number: int, file: int, p: Passage) -> tuple[object, ...]:
    plain = fold(p.text)
    agents = f",{','.join(p.agents)}," if p.agents else ""
    return (
        number, file, p.line, p.kind.value, p.id, p.slug, p.tag, p.date, p.seen, p.heading, p.source, p.confidence.value,
        p.importance, agents, int(p.private), int(p.archived), p.text.encode("utf-8", "replace").decode(),
        None if p.text.isascii() and plain == p.text.lower() else plain.encode("utf-8", "replace").decode(),
        p.terms.encode("utf-8", "replace").decode(), p.labels.encode("utf-8", "replace").decode(),
    )  # fmt: skip


def _agents(text: str) -> tuple[str, ...]:
    return tuple(text.strip(",").split(",")) if text else ()


def _passage(row: Sequence[Any]) -> Passage:
    (number, kind, path, line, text, terms, labels, ident, slug, tag, date, seen, heading, source, confidence, importance,
     agents, private, archived) = row  # fmt: skip
    return Passage(
        _KINDS[kind], path, line, text, terms, labels, number & _MASK, ident, slug, tag, date, seen, heading, source,
        _CONFIDENCES[confidence], importance, _agents(agents), bool(private),
        bool(archived),
    )  # fmt: skip


_KINDS: Mapping[str, Kind] = {kind.value: kind for kind in Kind}
_CONFIDENCES: Mapping[str, Confidence] = {c.value: c for c in Confidence}
