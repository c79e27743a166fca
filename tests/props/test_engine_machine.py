"""Store, rewrite, edit by hand, crash, undo, in any order: no hand-typed line and no acknowledged event is ever lost."""

from __future__ import annotations

import shutil
from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from faulty_disk import AFTER, TORN, FaultyDisk, Killed, quick_folder
from silo.edge.history import undone_by
from silo.edge.workspace import Workspace
from silo.errors import Conflict
from silo.model import Append, Plan, Put, Write
from silo.text.lines import sha256

EVENTS = "memory/events/2026-09-29.md"
TOPIC = "memory/topics/garden.md"
HEAD = b"# Events 2026-09-29\n\n"
STEPS = st.none() | st.tuples(st.integers(1, 60), st.sampled_from([AFTER, TORN]))
PLACES = st.integers(0, 6)


class Engine(RuleBasedStateMachine):
    """The engine beside a model: which event lines must stand in the log, and which lines were typed by hand."""

    def __init__(self) -> None:
        super().__init__()
        self.root = quick_folder()
        self.now = datetime(2026, 9, 29, 12, 0, tzinfo=UTC)
        self.number = 0
        self.events: dict[str, bool] = {}  # id → whether its line must stand there
        self.made: dict[str, str] = {}  # run → the event that it logged
        self.by_hand: set[bytes] = set()
        self.typed: set[bytes] = set()
        (self.root / "memory/topics").mkdir(parents=True)
        (self.root / TOPIC).write_bytes(b"# Garden\n\n- Pump\n- Roses\n- Fence\n")

    def teardown(self) -> None:
        shutil.rmtree(self.root)

    def open(self, die: tuple[int, str] | None = None) -> Workspace:
        return Workspace.open(self.root, fs=FaultyDisk(die_at=die))

    def next(self) -> str:
        self.number += 1
        return f"e_{self.number:012x}"

    def plan(self, name: str, place: int | None) -> Plan:
        line = f"[FACT] garden: Number {self.number}. <!-- id:{name} src:cli/s#m{self.number} -->\n".encode()
        changes: list[Append | Write] = [Append(EVENTS, line, HEAD)]
        if place is not None:
            old = (self.root / TOPIC).read_bytes()
            lines = old.splitlines(keepends=True)
            lines.insert(min(place, len(lines)), f"- Fact {name}\n".encode())
            changes.append(Write(TOPIC, sha256(old), b"".join(lines)))
        return Plan("store", tuple(changes), (Put("cursors", name, True),))

    def repair(self) -> None:
        self.open().recover(self.now)
        assert not list((self.root / ".silo/runs").glob("*.committing"))

    @rule(place=st.none() | PLACES, die=STEPS)
    def store(self, place: int | None, die: tuple[int, str] | None) -> None:
        name = self.next()
        plan = self.plan(name, place)
        try:
            result = self.open(die).apply(plan, now=self.now, command="store", scheduled=False)
        except Killed:
            self.repair()
            space = self.open()
            happened = space.state.get("cursors", name) is True
            self.events[name] = happened
            if happened:
                self.made[space.last_run() or ""] = name
        else:
            self.events[name] = True
            self.made[str(result.run_id)] = name

    @rule(place=PLACES)
    def edit(self, place: int) -> None:
        line = f"- By hand {self.next()}\n".encode()
        lines = (self.root / TOPIC).read_bytes().splitlines(keepends=True)
        lines.insert(min(place, len(lines)), line)
        (self.root / TOPIC).write_bytes(b"".join(lines))
        self.by_hand.add(line)

    @rule(place=PLACES, whole=st.booleans())
    def type_into_log(self, place: int, whole: bool) -> None:
        log = self.root / EVENTS
        if not log.exists():
            return
        self.number += 1
        line = f"[TODO] garden: Typed {self.number}.\n".encode()
        lines = [text.rstrip(b"\n") + b"\n" for text in log.read_bytes().splitlines(keepends=True)]
        self.typed.add(line)
        lines.insert(min(place + 2, len(lines)), line)
        text = b"".join(lines)
        log.write_bytes(text if whole else text.removesuffix(b"\n"))

    @rule(which=st.integers(0, 30), die=STEPS)
    def undo(self, which: int, die: tuple[int, str] | None) -> None:
        rows = self.open().runs()
        if not rows:
            return
        run = rows[-1 - which % len(rows)]
        if undone_by(rows, run.id) is not None:
            with pytest.raises(Conflict, match="undone already"):
                self.open().undo(run.id, now=self.now, command="undo")
            return
        try:
            self.open(die).undo(run.id, now=self.now, command="undo")
        except Killed:
            self.repair()
            last = self.open().runs()
            if not last or last[-1].undoes != run.id or last[-1].id in {row.id for row in rows}:
                return
        self._toggle(run.id, run.undoes)

    def _toggle(self, run: str, undoes: str) -> None:
        standing = not undoes
        while undoes:  # an undo of an undo of … ends at a store
            run = undoes
            undoes = next((row.undoes for row in self.open().runs() if row.id == run), "")
            standing = not standing if undoes else standing
        name = self.made.get(run)
        if name is not None:
            undone = self.open().state.get("undone", name) is not None
            self.events[name] = not undone

    @rule(days=st.integers(-3, 3))
    def time_goes(self, days: int) -> None:
        self.now += timedelta(days=days)

    @invariant()
    def nothing_is_lost(self) -> None:
        topic = Counter((self.root / TOPIC).read_bytes().splitlines(keepends=True))
        assert all(topic[line] == 1 for line in self.by_hand)
        log = self.root / EVENTS
        text = log.read_bytes() if log.exists() else b""
        for name, wanted in self.events.items():
            assert text.count(f"id:{name} ".encode()) == wanted, name
        lines = Counter(line.rstrip(b"\n") for line in text.splitlines(keepends=True))
        assert all(lines[line.rstrip(b"\n")] == 1 for line in self.typed)

    @invariant()
    def the_chain_is_whole(self) -> None:
        assert self.open().chain_problems() == ()


TestEngine = Engine.TestCase
TestEngine.settings = settings(max_examples=15, stateful_step_count=20, deadline=None, derandomize=True)
