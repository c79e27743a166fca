"""A chain of keyed hashes over the event log, so that damage and edits of logged lines are noticed and named.

state.db holds one record for every non-blank line of a log file: its event's id ("" for other lines), a keyed hash of
the line, and a link, the keyed hash over the link before and that hash. Lines are adopted when they are first seen; a
changed one keeps its old record and is reported until it is acknowledged. It finds damage and edits, not an attacker
who has the key. Reads the log and the key; the records it wants are state operations that the caller commits.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from silo.edge.fs import FileSystem, new_file, read
from silo.edge.places import Places, is_log
from silo.edge.state import State
from silo.formats.events import event_id, parse_file
from silo.model import Drop, Problem, Put, StateOp
from silo.text.diff3 import blocks
from silo.text.fold import fold
from silo.text.lines import content, decode, encode, invalid_lines

TABLE = "chain"
KEY_ID = "#key"  # the row that says which key the records were made with
DIGITS = 16  # hex digits kept of an HMAC-SHA256


@dataclass(frozen=True, slots=True)
class Record:
    """One line as it was when it was adopted."""

    id: str
    mark: str
    link: str = ""


@dataclass(frozen=True, slots=True)
class Records:
    """What state.db knows of one file. `gone`: ids of events deleted by hand, until acknowledged."""

    lines: tuple[Record, ...] = ()
    gone: tuple[str, ...] = ()
    broken: bool = False  # the links do not fit: somebody changed state.db itself


@dataclass(frozen=True, slots=True)
class Line:
    """One non-blank line of a log file as it stands."""

    number: int  # from 1
    text: str  # without line end
    mark: str
    id: str  # of its event, computed for one typed by hand; "" for a line that is no event
    named: bool  # the id stands in the line
    sound: bool  # an event, and all of it UTF-8


@dataclass(slots=True)
class Match:
    """Records and lines of a file, brought together."""

    record_of: dict[int, Record] = field(default_factory=dict)  # line number → its record
    edited: set[int] = field(default_factory=set)  # numbers of the lines that no longer are as recorded
    deleted: list[Record] = field(default_factory=list)  # events without a line
    new: list[Line] = field(default_factory=list)


class Chain:
    """The chain of one workspace."""

    def __init__(self, places: Places, fs: FileSystem, state: State) -> None:
        self.notes: list[str] = []  # sentences for the user, emptied by whoever prints them
        self._places = places
        self._fs = fs
        self._state = state

    # --- what changes with a commit ---

    def renewed(self, changes: Iterable[tuple[str, bytes | None, bytes | None]]) -> tuple[StateOp, ...]:
        """Operations after which the chain knows what a run of ours makes of log files: (path, before, after).

        Lines typed by hand are adopted; lines that a person changed keep their old record, so they stay reported.
        """
        wanted = [change for change in changes if is_log(change[0])]
        if not wanted:
            return ()
        key = self._key_made()
        ops = self._new_key(key)
        for path, before, after in wanted:
            ops.append(Drop(TABLE, path) if after is None else self._renewed(path, before or b"", after, key))
        return tuple(ops)

    def adopted(self, paths: Iterable[str]) -> tuple[StateOp, ...]:
        """Operations that take in lines typed by hand and note deleted ones; none where nothing changed."""
        changed: list[tuple[str, bytes, bytes]] = []
        key = self._key()
        rows = self._state.items(TABLE)  # asked once: a log of years has a file a day
        for path in paths:
            data = read(self._places.at(path)) if is_log(path) else None
            if data is None:
                continue
            match = _match(_records(rows, path, key or b"").lines, _lines(path, data, key or b""))
            if match.deleted or any(line.id for line in match.new):
                changed.append((path, data, data))
        return self.renewed(changed)

    def acknowledged(self, paths: Iterable[str]) -> tuple[StateOp, ...]:
        """Operations after which the files as they stand are the truth and nothing of them is reported."""
        key = self._key_made()
        ops = self._new_key(key)
        for path in paths:
            data = read(self._places.at(path))
            if data is None:
                ops.append(Drop(TABLE, path))
            else:
                records = tuple(Record(line.id, line.mark) for line in _lines(path, data, key))
                ops.append(_put(path, Records(records), key))
        return tuple(ops)

    def _renewed(self, path: str, before: bytes, after: bytes, key: bytes) -> StateOp:
        known = self._load(path, key)
        was = _lines(path, before, key)
        match = _match(known.lines, was)
        pool: defaultdict[str, deque[Record]] = defaultdict(deque)
        for line in was:
            if line.number in match.record_of:
                pool[line.text].append(match.record_of[line.number])
        now = _lines(path, after, key)
        records = tuple(
            pool[line.text].popleft() if pool[line.text] else Record(line.id, line.mark) for line in now
        )
        gone = dict.fromkeys([*known.gone, *(record.id for record in match.deleted)])
        back = {line.id for line in now}
        return _put(path, Records(records, tuple(id for id in gone if id not in back), known.broken), key)

    # --- what is told ---

    def findings(self, paths: Iterable[str]) -> tuple[Problem, ...]:
        """What is wrong with the log files given and with those known before. Writes nothing.

        Codes: chain-edited, chain-damaged, chain-deleted, chain-records.
        """
        key = self._key()
        if key is None:
            return ()
        told: list[Problem] = []
        rows = self._state.items(TABLE)
        logged = {path for path in rows if path != KEY_ID}
        for path in sorted(logged | {path for path in paths if is_log(path)}):
            known = _records(rows, path, key)
            if known.lines or known.gone:
                told += _told(path, known, _lines(path, read(self._places.at(path)) or b"", key))
        return tuple(told)

    def ids(self, path: str, data: bytes) -> dict[int, str]:
        """Line number → event id: the one in the line, else the one it was adopted with, else computed."""
        key = self._key() or b""
        lines = _lines(path, data, key)
        match = _match(self._load(path, key).lines, lines)
        found: dict[int, str] = {}
        for line in lines:
            record = match.record_of.get(line.number)
            if line.id:
                found[line.number] = (
                    record.id if record is not None and record.id and not line.named else line.id
                )
        return found

    # --- key and records ---

    def key(self, *, make: bool = False) -> bytes | None:
        """The key, None if there is none; with `make` there is one."""
        return self._key_made() if make else self._key()

    def _key(self) -> bytes | None:
        """The key, None if there is none. Whatever stands in the file serves as one."""
        data = (read(self._places.key) or b"").strip()
        return hashlib.sha256(data).digest() if data else None

    def _key_made(self) -> bytes:
        key = self._key()
        if key is not None:
            return key
        draft = self._places.key.with_name("key.new")
        if draft.exists():
            self._fs.unlink(draft)
        new_file(self._fs, draft, secrets.token_hex(32).encode() + b"\n")
        self._fs.rename(draft, self._places.key)
        self._fs.sync_folder(self._places.silo)
        made = self._key()
        assert made is not None
        return made

    def _load(self, path: str, key: bytes) -> Records:
        """Records of a file; none where they were made with another key, for then they say nothing."""
        return _records({name: self._state.get(TABLE, name) for name in (path, KEY_ID)}, path, key)

    def _new_key(self, key: bytes) -> list[StateOp]:
        """Operations that begin the chain afresh where its records were made with another key."""
        mine, known = _mark(key, "key"), self._state.get(TABLE, KEY_ID)
        if known == mine:
            return []
        if known is not None:
            self.notes.append(
                f"{self._places.key} is another key than before: the chain over the event log starts afresh."
            )
        return [*(Drop(TABLE, old) for old in self._state.items(TABLE)), Put(TABLE, KEY_ID, mine)]


def _records(rows: Mapping[str, object], path: str, key: bytes) -> Records:
    """What the rows of the table know of a file; nothing where they were made with another key."""
    value = rows.get(path)
    if not isinstance(value, dict) or rows.get(KEY_ID) != _mark(key, "key"):
        return Records()
    lines = tuple(Record(*row) for row in value["lines"])
    return Records(lines, tuple(value["gone"]), value["broken"] or lines != _linked(lines, key))


def _put(path: str, records: Records, key: bytes) -> StateOp:
    rows = [[record.id, record.mark, record.link] for record in _linked(records.lines, key)]
    return Put(TABLE, path, {"lines": rows, "gone": list(records.gone), "broken": records.broken})


def _mark(key: bytes, text: str) -> str:
    return hmac.new(key, encode(text), hashlib.sha256).hexdigest()[:DIGITS]


def _linked(records: Iterable[Record], key: bytes) -> tuple[Record, ...]:
    linked: list[Record] = []
    link = ""
    for record in records:
        link = _mark(key, f"{link}{record.id}\x1f{record.mark}")
        linked.append(Record(record.id, record.mark, link))
    return tuple(linked)


def _lines(path: str, data: bytes, key: bytes) -> list[Line]:
    text = decode(data)
    file = parse_file(text, path)
    events = {event.line: event for event in file.events}
    bad = set(invalid_lines(text))
    lines: list[Line] = []
    same: Counter[tuple[str, str, str]] = Counter()
    for number, whole in enumerate(file.lines, 1):
        bare = content(whole)
        if not bare.strip():
            continue
        event = events.get(number)
        name = ""
        if event is not None:
            kind = (event.agent, event.tag.value, fold(event.text))
            name = event.id or event_id(event.agent, event.date, event.tag, event.text, same[kind])
            same[kind] += 1
        sound = event is not None and number not in bad
        named = event is not None and bool(event.id)
        lines.append(Line(number, bare, _mark(key, f"{path}\x1f{bare}"), name, named, sound))
    return lines


def _match(records: tuple[Record, ...], lines: list[Line]) -> Match:
    """Bring records and lines together: unchanged, moved, then by id, then by place between unchanged neighbours."""
    match = Match()
    gaps: list[tuple[list[Record], list[Line]]] = []
    a = b = 0
    for a_next, b_next, length in blocks([record.mark for record in records], [line.mark for line in lines]):
        gaps.append((list(records[a:a_next]), lines[b:b_next]))
        for offset in range(length):
            match.record_of[lines[b_next + offset].number] = records[a_next + offset]
        a, b = a_next + length, b_next + length

    def pair(same: Callable[[Record | Line], str], *, edited: bool) -> None:
        free: defaultdict[str, deque[tuple[list[Line], Line]]] = defaultdict(deque)
        for _, found in gaps:
            for line in found:
                free[same(line)].append((found, line))
        for left, _ in gaps:
            for record in list(left):
                if same(record) and free[same(record)]:
                    found, line = free[same(record)].popleft()
                    left.remove(record)
                    found.remove(line)
                    match.record_of[line.number] = record
                    if edited:
                        match.edited.add(line.number)

    pair(lambda one: one.mark, edited=False)
    pair(lambda one: one.id, edited=True)
    for left, found in gaps:
        # A sound line with an id of its own is another event, not an edited one.
        for record, line in list(
            zip(left, [line for line in found if not (line.sound and line.named)], strict=False)
        ):
            left.remove(record)
            found.remove(line)
            match.record_of[line.number] = record
            match.edited.add(line.number)
    for left, found in gaps:
        match.deleted += [record for record in left if record.id]
        match.new += found
    return match


def _told(path: str, known: Records, lines: list[Line]) -> list[Problem]:
    told: list[Problem] = []
    match = _match(known.lines, lines)
    accept = "`doctor --ack` accepts it as it is"
    for line in lines:
        record = match.record_of.get(line.number)
        if record is None or not record.id or line.number not in match.edited:
            continue
        where = f"{path}:{line.number}"
        if line.sound:
            told.append(
                Problem(where, "chain-edited", f"event {record.id} was changed after it was logged; {accept}")
            )
        else:
            message = f"event {record.id} can't be read any more; restore the line, or {accept}"
            told.append(Problem(where, "chain-damaged", message))
    for name in dict.fromkeys([*(record.id for record in match.deleted), *known.gone]):
        told.append(Problem(path, "chain-deleted", f"event {name} was deleted after it was logged; {accept}"))
    if known.broken:
        message = f"the records of this file in state.db do not fit together; {accept}"
        told.append(Problem(path, "chain-records", message))
    return told
