"""Months of a memory in any order: said, stored, noted, curated, edited by hand, killed, taken back; nothing is ever lost.

A model stands beside the real jobs on a real folder. After every step the log holds each accepted event exactly once,
unless its run was taken back or a hand deleted the line; what a hand typed is there or waits in review; facts that a hand
deleted stay away; the changelog leads from every earlier state to the present one.
"""

from __future__ import annotations

import os
import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from faulty_disk import AFTER, BEFORE, TORN, FaultyDisk, Killed, quick_folder
from hands import EDITS, WRITING
from silo.config import Config, load
from silo.core.dedupe import id_of
from silo.core.facts import known_at, replay, shown, state_of
from silo.edge import workspace as engine
from silo.edge.history import refusal
from silo.edge.workspace import Workspace
from silo.formats.events import parse_file
from silo.formats.index import render_index
from silo.formats.topics import TopicFile, info, parse_topic
from silo.jobs.care import doctor
from silo.jobs.curate import curate
from silo.jobs.extract import ExtractOptions, extract
from silo.jobs.history import undo
from silo.jobs.run import Call, Report
from silo.jobs.store import StoreOptions, store
from silo.jobs.topic import new
from silo.model import Drop, Event
from silo.text.lines import sha256
from transcript import Log

SLUGS = ("infra", "garden")
SAYING = (
    "The invoice number of the kiln is {n}.",
    "The gateway listens on port {n}.",
    "The archive box {n} holds the tax papers.",
    "The roof of house {n} was repaired.",
    "The budget of the roof project is {n} euros.",
)
THEIR_CODES = {"D007", "D008", "D009", "D010", "D015"}  # what a hand, or time, can bring about
DEATHS = st.none() | st.tuples(st.integers(1, 70), st.sampled_from([BEFORE, AFTER, TORN]))
PLACES = st.integers(0, 11)


def entries_of(topic: TopicFile) -> set[str]:
    """The lines of a topic's changelog."""
    return {line for entry in topic.entries for line in topic.lines[entry.start : entry.end]}


class Memory(RuleBasedStateMachine):
    """The jobs beside a model of what they must have kept."""

    def __init__(self) -> None:
        super().__init__()
        self.top = quick_folder()
        self.root = self.top / "w"
        self.root.mkdir()
        environ = {"HOME": str(self.top), "OPENCLAW_STATE_DIR": str(self.top / "host")}
        self.config: Config = load(workspace=str(self.root), agent=None, timezone_name="UTC", environ=environ)
        self.now = datetime(2026, 3, 6, 12, 0, tzinfo=UTC)
        self.number = 1000
        self.talk = Log(at=int(self.now.timestamp()) * 1000)
        self.pending: set[str] = set()  # numbers said and not yet extracted
        self.noted: set[str] = set()  # numbers in daily notes that no night has read
        self.standing: set[str] = set()  # keys of the events that the log must hold
        self.brought: dict[str, tuple[frozenset[str], frozenset[str]]] = {}  # run → events that came, that went
        self.typed: set[str] = set()  # words by hand that must be somewhere
        self.gone: dict[str, str] = {}  # facts that a hand deleted: id → what they said
        self.night = self.now  # when the last whole night was
        self.untold = False  # whether a hand has edited a topic since
        self.expected: set[str] = set()  # numbers said again, to stand in a bullet after the next night
        self.file = {slug: slug for slug in SLUGS}  # topic → its file's name now
        self.known: dict[str, list[tuple[str, str, dict[str, str]]]] = {}  # slug → (run, instant, facts)
        self.said: dict[str, tuple[str, str, str]] = {}  # number → statement, topic, tag

    def teardown(self) -> None:
        shutil.rmtree(self.top)

    # --- the world ---

    def call(self) -> Call:
        return Call(config=self.config, now=self.now, command="test")

    @contextmanager
    def disk(self, die: tuple[int, str] | None, hand: Callable[[int, str], None] | None = None) -> Iterator[FaultyDisk]:
        real = engine.Disk
        made = FaultyDisk(die_at=die, at_step=hand)
        engine.Disk = lambda owner=None: made  # type: ignore[assignment,misc,return-value]
        try:
            yield made
        finally:
            engine.Disk = real  # type: ignore[misc]

    def space(self) -> Workspace:
        return Workspace.open(self.root, fs=FaultyDisk())

    def do(
        self, job: Callable[[], Report], die: tuple[int, str] | None = None, hand: Callable[[int, str], None] | None = None
    ) -> Report | None:
        """The job has run, or was killed and is repaired: None then."""
        try:
            with self.disk(die, hand):
                return job()
        except Killed:
            with self.disk(None):
                self.space().recover(self.now)
            return None

    def next(self) -> str:
        self.number += 1
        return str(self.number)

    def topics(self) -> dict[str, TopicFile]:
        paths = {slug: f"memory/topics/{name}.md" for slug, name in self.file.items()}
        return {slug: parse_topic((self.root / path).read_bytes().decode(), path) for slug, path in paths.items()}

    def place(self, slug: str) -> Path:
        return self.root / f"memory/topics/{self.file[slug]}.md"

    def events(self) -> Counter[str]:
        """How often each event stands in the log; one typed by hand by its text."""
        return Counter(event.id or event.text for event, _ in self.logged())

    def logged(self) -> Iterator[tuple[Event, str]]:
        """The events of the log with their ids."""
        for path in sorted((self.root / "memory/events").glob("*.md")):
            for event in parse_file(path.read_bytes().decode(), f"memory/events/{path.name}").events:
                yield event, id_of(event)

    def number_of(self) -> dict[str, str]:
        """Event → the number that its text holds."""
        found = {}
        for event, _ in self.logged():
            hit = re.search(r"\b\d{4,}\b", event.text)
            found[event.id or event.text] = hit[0] if hit else ""
        return found

    def digest(self, path: str) -> str:
        place = self.root / path
        return sha256(place.read_bytes()) if place.exists() else ""

    def runs(self) -> list[str]:
        return [run.id for run in self.space().runs()]

    @contextmanager
    def watched(self) -> Iterator[None]:
        """The run made inside is remembered with the events that came and went by it."""
        runs, events = set(self.runs()), set(self.events())
        yield
        after = set(self.events())
        for run in set(self.runs()) - runs:
            self.brought[run] = (frozenset(after - events), frozenset(events - after))

    def settled(self, came: set[str] | None = None) -> set[str]:
        """What is in the log since the last look; nothing may have gone."""
        now = set(self.events())
        assert self.standing <= now, f"lost: {self.standing - now}"
        fresh = now - self.standing
        self.standing = now
        return fresh

    # --- rules ---

    @initialize()
    def begin(self) -> None:
        for slug in SLUGS:
            self.do(lambda slug=slug: new(self.call(), slug=slug, kind="project", summary="A case.", tags=(), entities=(), private=False))  # type: ignore[misc]
        self.known = {slug: [] for slug in SLUGS}

    @rule(saying=st.sampled_from(SAYING), slug=st.sampled_from(SLUGS), todo=st.booleans(), die=DEATHS)
    def stores(self, saying: str, slug: str, todo: bool, die: tuple[int, str] | None) -> None:
        number = self.next()
        text = saying.format(n=number)
        with self.watched():
            report = self.do(lambda: store(self.call(), StoreOptions(text=text, tag="TODO" if todo else "FACT", topic=self.file[slug])), die)
        fresh = self.settled()
        if report is not None:
            assert fresh == {report.data["id"]}  # type: ignore[index,call-overload]
        assert len(fresh) <= 1
        if fresh:
            self.said[number] = (text, slug, "TODO" if todo else "FACT")

    @rule(back=PLACES)
    @precondition(lambda self: self.said)
    def says_again(self, back: int) -> None:
        number, (text, slug, tag) = list(self.said.items())[-1 - back % len(self.said)]
        with self.watched():
            report = self.do(lambda: store(self.call(), StoreOptions(text=text, tag=tag, topic=self.file[slug])))
        self.settled()
        if report is not None and self.now.date() > self.night.date() + timedelta(days=1) and not self.untold:
            self.expected.add(number)

    @rule(saying=st.sampled_from(SAYING), whole=st.booleans())
    def talks(self, saying: str, whole: bool) -> None:
        number = self.next()
        self.talk.at = max(self.talk.at, int(self.now.timestamp()) * 1000)
        self.talk.user(saying.format(n=number))
        self.talk.agent("Noted.")
        text = self.talk.text
        (self.top / "s.jsonl").write_text(text if whole else text[: len(text) - 30])
        self.pending.add(number)

    @rule(die=DEATHS)
    def extracts(self, die: tuple[int, str] | None) -> None:
        if not self.talk.n:
            return
        with self.watched():
            report = self.do(lambda: extract(self.call(), ExtractOptions(source="jsonl", path=str(self.top / "s.jsonl"), quiet=True)), die)
        numbers = self.number_of()
        came = Counter(numbers[key] for key in self.settled())
        assert set(came) in ({*self.pending}, set()), (came, self.pending)
        assert all(count == 1 for count in came.values())
        if report is not None:
            assert set(came) == self.pending
        if came:
            self.pending.clear()

    @rule(saying=st.sampled_from(SAYING))
    def notes(self, saying: str) -> None:
        number = self.next()
        place = self.root / f"memory/{self.now:%Y-%m-%d}.md"
        before = place.read_text() if place.exists() else "# Today\n\n"
        place.write_text(f"{before}- {saying.format(n=number)}\n")
        self.noted.add(number)

    @rule(days=st.integers(0, 2))
    def curates(self, days: int) -> None:
        self.now += timedelta(days=days)
        assert self.has_curated(None, None) is not None
        assert not self.noted
        self.a_second_night_changes_nothing()
        self.the_changelog_is_law()
        self.what_was_said_has_arrived()
        self.views_match()
        self.night, self.untold = self.now, False
        self.now += timedelta(minutes=1)

    @rule(die=DEATHS)
    def curates_and_is_killed(self, die: tuple[int, str] | None) -> None:
        self.has_curated(die, None)

    @rule(moment=st.integers(1, 50), slug=st.sampled_from(SLUGS), kind=st.sampled_from(sorted(EDITS)), at=PLACES)
    def curates_while_a_hand_edits(self, moment: int, slug: str, kind: str, at: int) -> None:
        self.has_curated(None, lambda step, name: self.edits(slug, kind, at) if step == moment else None)

    def has_curated(self, die: tuple[int, str] | None, hand: Callable[[int, str], None] | None) -> Report | None:
        with self.watched():
            report = self.do(lambda: curate(self.call(), mode="daily"), die, hand)
        numbers = self.number_of()
        came = {numbers[key] for key in self.settled()}
        assert came in (self.noted, set())
        if came:
            self.noted.clear()
        return report

    @rule(slug=st.sampled_from(SLUGS), kind=st.sampled_from(sorted(EDITS)), at=PLACES)
    def edits(self, slug: str, kind: str, at: int) -> None:
        place = self.place(slug)
        before = place.read_bytes().decode()
        word = f"mine{self.next()}"
        after = EDITS[kind](before, at, word)
        if after is None:
            return
        has = Counter(fact.id for fact in parse_topic(after).facts)
        if kind == "deleted":
            lost = {fact.id: shown(fact) for fact in parse_topic(before).facts if fact.id and not has[fact.id]}
            self.gone |= {ident: said for ident, said in lost.items() if not self.elsewhere(ident, slug)}
            self.typed -= {one for one in self.typed if one in before and one not in after}
        if kind == "rewritten":
            self.typed -= {one for one in self.typed if one in before and one not in after}
        if kind in WRITING:
            self.typed.add(word)
        place.write_bytes(after.encode())
        self.touched()

    def touched(self) -> None:
        self.untold = True
        self.expected.clear()

    def elsewhere(self, ident: str, slug: str) -> bool:
        return any(fact.id == ident for name, topic in self.topics().items() if name != slug for fact in topic.facts)

    @rule(at=PLACES, copy=st.booleans())
    def carries_a_bullet_to_the_other_topic(self, at: int, copy: bool) -> None:
        source, target = (self.place(slug) for slug in SLUGS)
        text, other = source.read_text(), target.read_text()
        topic, there = parse_topic(text), parse_topic(other)
        if not topic.bullets or there.changelog is None:
            return
        bullet = topic.bullets[at % len(topic.bullets)]
        cut = topic.lines[bullet.start : bullet.below]
        lines = there.lines
        target.write_text("".join((*lines[: there.changelog], *cut, "\n", *lines[there.changelog :])))
        if not copy:
            source.write_text("".join(topic.lines[: bullet.start] + topic.lines[bullet.below :]))
        self.touched()

    @rule(slug=st.sampled_from(SLUGS), header=st.booleans())
    def renames_a_topic_file(self, slug: str, header: bool) -> None:
        old, name = self.file[slug], f"{slug}-{self.next()}"
        place = self.place(slug)
        if header and self.topics()[slug].changes:  # a file without facts and with another name is another file
            place.write_text(place.read_text().replace(f"topic: {old}\n", f"topic: {name}\n", 1))
        place.rename(place.with_name(f"{name}.md"))
        self.file[slug] = name
        self.touched()

    @rule(slug=st.sampled_from(SLUGS))
    def types_into_the_log(self, slug: str) -> None:
        place = self.root / f"memory/events/{self.now:%Y-%m-%d}.md"
        if not place.exists():
            return
        number = self.next()
        with place.open("a") as file:
            file.write(f"[FACT] {self.file[slug]}: The archive box {number} was typed here.\n")
        self.settled()

    @rule(at=PLACES)
    @precondition(lambda self: self.standing)
    def deletes_an_event(self, at: int) -> None:
        key = sorted(self.standing)[at % len(self.standing)]
        for path in sorted((self.root / "memory/events").glob("*.md")):
            lines = path.read_bytes().decode().splitlines(keepends=True)
            kept = [line for line in lines if f"id:{key} " not in line and f": {key}\n" not in line]
            if kept != lines:
                path.write_bytes("".join(kept).encode())
        self.standing.discard(key)

    @rule(back=st.integers(0, 6), die=DEATHS)
    def undoes(self, back: int, die: tuple[int, str] | None) -> None:
        rows = self.space().runs()
        run = rows[-1 - back % len(rows)]
        self.touched()
        if refusal(rows, run) is not None or run.job == "topic":
            return
        if run.undoes and any(row.job == "topic" for row in rows if row.id == run.undoes):
            return
        events = set(self.events())
        entries = {slug: entries_of(topic) for slug, topic in self.topics().items()}
        exact = {step.path for step in run.steps if step.kind == "put" and self.digest(step.path) == step.new}
        with self.watched():
            report = self.do(lambda: undo(self.call(), run=run.id, last=False, any_run=True, ask=lambda question: True), die)
        after = set(self.events())
        came, went = self.brought.get(run.id, (frozenset(), frozenset()))
        wanted = (events - came) | went
        if report is None:
            assert after in (events, wanted), (events ^ after, came, went)
        else:
            assert after == wanted, (after ^ wanted, came, went)
        self.standing = after
        for slug, topic in self.topics().items():
            if topic.path in exact:  # byte for byte as before that run, its entries too
                self.known[slug] = [row for row in self.known[slug] if row[0] < run.id]
            else:
                assert entries[slug] <= entries_of(topic)

    @rule(hours=st.integers(1, 400))
    def time_goes(self, hours: int) -> None:
        self.now += timedelta(hours=hours)

    # --- invariants ---

    def files(self) -> dict[str, bytes]:
        found = {}
        for path in sorted(self.root.rglob("*")):
            name = path.relative_to(self.root).as_posix()
            if path.is_file() and not name.startswith((".silo/state", ".silo/locks/", ".silo/index")):
                found[name] = path.read_bytes()
        return found

    def a_second_night_changes_nothing(self) -> None:
        before = self.files()
        self.space().state.apply([Drop("quiet", "daily")])
        self.do(lambda: curate(self.call(), mode="daily"))
        after = self.files()
        assert before == after, {name: (before.get(name), after.get(name)) for name in {*before, *after} if before.get(name) != after.get(name)}

    def the_changelog_is_law(self) -> None:
        topics = self.topics()
        for slug, rows in self.known.items():
            topic = topics[slug]
            present = state_of(topic)
            for _, instant, facts in rows:
                assert known_at(topic, instant) == facts, (slug, instant)
                assert replay(facts, [entry for entry in topic.changes if entry.at > instant]) == present, (slug, instant)
            rows.append((self.runs()[-1], self.now.isoformat(timespec="seconds"), present))
        held = [fact.id for topic in topics.values() for fact in topic.facts if fact.id]
        assert len(held) == len(set(held)), "an id stands twice"
        back = [fact for topic in topics.values() for fact in topic.facts if self.gone.get(fact.id) == shown(fact)]
        assert not back, back

    def what_was_said_has_arrived(self) -> None:
        """Every statement that the log holds for a topic is in its file, or is answered for."""
        topics = {topic.slug: topic for topic in self.topics().values()}
        state = self.space().state
        undone = {key.partition(">")[0] for key in state.items("undone")}
        everything = "".join(line for topic in topics.values() for line in topic.lines)
        bullets = " ".join(fact.text for topic in topics.values() for fact in topic.facts)
        for event, ident in self.logged():
            hit = re.search(r"\b\d{4,}\b", event.text)
            if event.slug not in topics or hit is None or ident in undone:
                self.expected.discard(hit[0] if hit else "")
                continue
            outcome = state.get("reconciled", ident)
            assert outcome is not None, event
            assert hit[0] in everything or outcome in ("outdated", "undone"), (event, outcome)
        missing = {number for number in self.expected if number not in bullets}
        assert not missing, missing
        self.expected.clear()

    def views_match(self) -> None:
        infos = tuple(info(topic) for topic in self.topics().values())
        assert (self.root / "memory/index.md").read_text() == render_index(infos)
        with self.disk(None):
            found = doctor(self.call(), only=()).data["findings"]  # type: ignore[index,call-overload]
        ours = [one for one in found if one["code"] not in THEIR_CODES and "(slug-mismatch)" not in one["message"]]
        assert not ours, ours

    @invariant()
    def each_event_once(self) -> None:
        assert self.events() == Counter(self.standing)

    @invariant()
    def nothing_typed_is_lost(self) -> None:
        everything = "".join(path.read_text() for path in (self.root / "memory/topics").glob("*.md"))
        everything += "".join(path.read_text() for path in (self.root / ".silo/conflicts").rglob("*") if path.is_file())
        lost = {word for word in self.typed if word not in everything}
        assert not lost, lost

    @invariant()
    def no_leftovers(self) -> None:
        names = [path.relative_to(self.root).as_posix() for path in self.root.rglob("*")]
        assert not [name for name in names if re.search(r"\.committing|/(?:new|held|base|back|again)-\d|\.tmp", name)]
        assert all(name.endswith(".md") for name in names if name.startswith("memory/") and (self.root / name).is_file())


def machine(memory: type[Memory], examples: int, steps: int, *, derandomize: bool = True) -> type:
    """The machine as a test case: so many histories of at most so many steps."""
    case = memory.TestCase
    case.settings = settings(
        max_examples=examples, stateful_step_count=steps, deadline=None, derandomize=derandomize,
        suppress_health_check=list(HealthCheck), print_blob=False,
    )  # fmt: skip
    return case


class ManyHistories(Memory):
    """The same machine, for CI."""


class LongHistories(Memory):
    """The same machine, for a long run: SILO_EXAMPLES histories, others each time."""


TestMemory = machine(Memory, 60, 12)
TestManyHistories = pytest.mark.slow(machine(ManyHistories, 2000, 10))
if os.environ.get("SILO_EXAMPLES"):
    TestLongHistories = machine(LongHistories, int(os.environ["SILO_EXAMPLES"]), 25, derandomize=False)
