"""A memory on a real folder that lives an invented life (life.py) by the true jobs, looked at every night.

What is wrong is gathered, not raised: a test asserts that nothing is, a bench prints it.
"""

from __future__ import annotations

import gc
import json
import random
import re
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from faulty_disk import quick_folder
from life import (
    Act,
    Commanded,
    Done,
    Edited,
    Life,
    Ordered,
    Stored,
    Subject,
    Told,
    TookBack,
    Travelled,
)
from silo.config import Config, load
from silo.core.dedupe import id_of
from silo.core.history import known_at, replay, state_of
from silo.core.reconcile.statement import analyse
from silo.edge.workspace import Workspace
from silo.errors import Trouble
from silo.formats.changes import parse_change
from silo.formats.events import event_id, parse_file
from silo.formats.fields import fields
from silo.formats.index import render_index
from silo.formats.passages import passages
from silo.formats.topics import TopicFile, info, parse_topic
from silo.jobs import night as _night  # noqa: F401  (imported by the first night otherwise, past the patch below)
from silo.jobs.amend import confirm_statement, correct_statement
from silo.jobs.context import session_context
from silo.jobs.curate import curate
from silo.jobs.doctor import doctor
from silo.jobs.extract import ExtractOptions, extract
from silo.jobs.history import undo
from silo.jobs.load import load as load_topic
from silo.jobs.memory import open_items
from silo.jobs.recall import RetrieveOptions, retrieve
from silo.jobs.review import decide
from silo.jobs.run import Call, Report
from silo.jobs.store import StoreOptions, store
from silo.jobs.suggest import accept, run
from silo.jobs.todos import done
from silo.jobs.topic import init, new
from silo.jobs.topicmove import merge_topics, rename_topic, set_status
from silo.model import Drop, Event
from silo.text.similar import fingerprint
from transcript import Log

HOME = "Europe/Lisbon"
THEIRS = {"D007", "D008", "D009", "D015"}  # a subject without topic; questions that wait; an outage; said in two topics
CONTEXT = 8192
INDEX_LINE = 150
WAITS = 3  # days after which the owner answers a question
BULLET = re.compile(r"\s*- (?:\[[ x]\] )?(?P<text>.*?)(?P<comment>\s*<!--.*)?\n?")


@dataclass(frozen=True, slots=True)
class Answered:
    """One fact at one time as the memory tells it, beside what is true."""

    subject: str
    stored: bool
    way: str  # load or retrieve, as-of or known-at
    day: int
    wanted: frozenset[str]
    told: frozenset[str]
    right: bool


@dataclass(slots=True)
class Living:
    """The folder, the day, and what went wrong."""

    life: Life
    top: Path = field(default_factory=quick_folder)
    zone: str = HOME
    every: int = 1  # nights between two full checks: doctor, context, a second night
    now: datetime = field(init=False)
    config: Config = field(init=False)
    wrong: list[str] = field(default_factory=list)
    nights: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    names: dict[str, str] = field(default_factory=dict)
    _log: dict[str, tuple[bytes, tuple[Event, ...]]] = field(default_factory=dict)
    _ids: Counter[str] = field(default_factory=Counter)
    _known: dict[str, tuple[str, dict[str, str]]] = field(default_factory=dict)
    _states: dict[str, list[tuple[str, dict[str, str]]]] = field(default_factory=dict)
    _talks: dict[int, Log] = field(default_factory=dict)
    _night_run: str = ""
    _rerouted: bool = False
    _corrected: set[str] = field(default_factory=set)  # a correction of several lines that say the same is an event for each

    def __post_init__(self) -> None:
        (self.top / "w").mkdir()
        self.now = datetime.combine(self.life.day(0), time(8), tzinfo=UTC)
        self._configure()
        self.do(init)
        for slug, topic in self.life.topics.items():
            if not topic.get("hidden"):
                self.do(lambda call, slug=slug, topic=topic: new(  # type: ignore[misc]
                    call, slug=slug, kind=topic["type"], summary=topic["summary"], tags=tuple(topic["tags"]), entities=(), private=False,
                ))  # fmt: skip

    def close(self) -> None:
        """The folder is gone."""
        shutil.rmtree(self.top)

    @property
    def root(self) -> Path:
        return self.top / "w"

    def _configure(self) -> None:
        environ = {"HOME": str(self.top), "OPENCLAW_STATE_DIR": str(self.top / "host")}
        self.config = load(workspace=str(self.root), agent=None, timezone_name=self.zone, environ=environ)

    def at(self, day: int, hour: int, minute: int = 0) -> None:
        """It is that time of that day where the owner is."""
        self.now = datetime.combine(self.life.day(day), time(hour, minute), tzinfo=self.config.zone)

    def do(self, job: Callable[[Call], Report], *, scheduled: bool = False) -> Report:
        """The job has run, a second later."""
        self.now += timedelta(seconds=1)
        return job(Call(config=self.config, now=self.now, command="life", scheduled=scheduled))

    def space(self) -> Workspace:
        """The workspace, for looking."""
        return Workspace.open(self.root)

    # --- days and nights ---

    def live(self, until: int | None = None) -> Living:
        """All days, and a night after the last one."""
        for day in range(self.life.days if until is None else until):
            if day and day not in self.life.outage:
                self.night(day)
            self.at(day, 8)
            if not self.life.quiet(day):
                self.answer(day)
            self.at(day, 9)
            for act in self.life.acts[day]:
                self.now += timedelta(minutes=37)
                self.act(day, act)
        self.night(self.life.days if until is None else until)
        return self

    def night(self, day: int) -> None:
        """Extraction, curation, and a look at everything."""
        self.at(day, 4)
        self.do(lambda call: extract(call, ExtractOptions(quiet=True)), scheduled=True)
        self.at(day, 4, 30)
        report = self.do(lambda call: curate(call, mode="daily"), scheduled=True)
        data: Any = report.data
        self._night_run = data.get("run", "")
        self.counts.update(data.get("counts", {}))
        self.nights += 1
        self.look(day)

    def act(self, day: int, act: Act) -> None:
        """The act has happened."""
        try:
            match act:
                case Told():
                    self._say(day, act)
                case Stored():
                    text = act.text
                    if act.of is not None:
                        place = self._find(act.of)
                        text = text.replace("{fact}", place[2] if place else "what is not there")
                    options = StoreOptions(text, tag=act.tag, topic=self.names.get(act.topic, act.topic), confidence=act.confidence)
                    self.do(lambda call: store(call, options))
                case Edited():
                    self._edit(act)
                case Commanded():
                    self._command(act)
                case Done():
                    self._done(act)
                case Ordered():
                    self._order(act)
                case Travelled(zone):
                    local = self.now.replace(tzinfo=None)
                    self.zone = zone
                    self._configure()
                    self.now = local.replace(tzinfo=self.config.zone)
                case TookBack(again):
                    self._take_back(again)
        except (Trouble, LookupError) as trouble:
            self.fault(day, f"{type(act).__name__} refused: {trouble} ({act})")

    def fault(self, day: int, what: str) -> None:
        """Something that must not be."""
        self.wrong.append(f"day {day} ({self.life.day(day)}): {what}")

    def _say(self, day: int, act: Told) -> None:
        session = day // 3
        log = self._talks.setdefault(session, Log(session=f"life-{session:04}"))
        log.at = max(log.at if log.n else 0, int(self.now.timestamp() * 1000))
        if act.before:
            log.agent(act.before)
        log.user(act.text)
        log.agent(act.answer)
        log.write(self.top / f"host/agents/main/sessions/life-{session:04}.jsonl")

    # --- a person at the files ---

    def _bullets(self, *, boxes: bool = False) -> Iterable[tuple[Path, int, str]]:
        for path in sorted((self.root / "memory/topics").glob("*.md")):
            if path.name.endswith(".archive.md"):
                continue
            lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
            stop = next((n for n, line in enumerate(lines) if line.startswith("## Changelog")), len(lines))
            for n, line in enumerate(lines[:stop]):
                hit = BULLET.fullmatch(line)
                if hit and (("- [" in line[:8]) == boxes):
                    yield path, n, hit["text"]

    def _find(self, subject: Subject) -> tuple[Path, int, str] | None:
        """Where the bullet of a subject stands, as a person would find it."""
        return next(iter(self._all(subject)), None)

    def _all(self, subject: Subject) -> list[tuple[Path, int, str]]:
        return [one for one in self._bullets() if subject.shown([one[2]])]

    def _file(self, slug: str) -> Path:
        return self.root / f"memory/topics/{self.names.get(slug, slug)}.md"

    def _edit(self, act: Edited) -> None:
        if act.how == "added":
            self._insert(self._file(act.subject.topic), "## Facts\n", f"- {act.text}\n")
            return
        every = self._all(act.subject)
        if not every:
            raise LookupError("nothing to edit")
        for place in reversed(every):  # every line that says so, from the end of the file
            self._edit_one(act, place)

    def _edit_one(self, act: Edited, place: tuple[Path, int, str]) -> None:
        """One bullet is edited as a person would."""
        path, number, _ = place
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        line = lines.pop(number)
        hit = BULLET.fullmatch(line)
        assert hit is not None
        if act.how == "changed":
            lines.insert(number, f"- {act.text}{hit['comment'] or ''}\n")
        path.write_text("".join(lines), encoding="utf-8")
        if act.how == "moved":
            self._insert(path, "## Apart\n", line)
        if act.how == "carried":
            self._insert(self._file(act.to), "## Facts\n", line)

    @staticmethod
    def _insert(path: Path, heading: str, line: str) -> None:
        text = path.read_text(encoding="utf-8")
        if heading not in text:
            text = text.replace("## Changelog\n", f"{heading}\n## Changelog\n", 1)
        path.write_text(text.replace(heading, heading + line, 1), encoding="utf-8")

    def _done(self, act: Done) -> None:
        place = next((one for one in self._bullets(boxes=True) if re.search(act.todo.words, one[2], re.I)), None)
        if place is None:
            raise LookupError("no such to-do")
        path, number, _ = place
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        if act.by == "box":
            lines[number] = lines[number].replace("[ ]", "[x]", 1)
            path.write_text("".join(lines), encoding="utf-8")
            return
        ident = re.search(r"f_[0-9a-f]{12}", lines[number])
        assert ident is not None
        self.do(lambda call: done(call, ident[0]))

    # --- a person's commands ---

    def _command(self, act: Commanded) -> None:
        if act.verb in ("correct", "confirm"):
            place = self._find(act.subject)
            if place is None:
                raise LookupError("no such fact")
            line = place[0].read_text(encoding="utf-8").splitlines()[place[1]]
            ident = re.search(r"f_[0-9a-f]{12}", line)
            assert ident is not None, line
            if act.verb == "correct":
                self._corrected.add(act.text.rstrip("."))
                for path, number, _ in self._all(act.subject):  # in other words as well
                    if other := re.search(r"f_[0-9a-f]{12}", path.read_text(encoding="utf-8").splitlines()[number]):
                        self.do(lambda call, other=other: correct_statement(call, other[0], act.text))  # type: ignore[misc]
            else:
                self.do(lambda call: confirm_statement(call, ident[0]))
            return
        items = open_items(self.space(), "9999-12-31")
        mine = [i for i in items if i.get("kind") == "contradiction" and len(act.subject.shown(_sides(i))) == 2]
        if not mine:
            raise LookupError("no question waits")
        self.do(lambda call: decide(call, action=act.verb, ident=str(mine[0]["id"]), text=act.text, days=3))

    def answer(self, day: int) -> None:
        """The owner answers what has waited for some days about what was told in a conversation: by what is true. What waits
        about a stored fact is decided by the life's own acts."""
        old = (self.life.day(day) - timedelta(days=WAITS)).isoformat()
        for item in open_items(self.space(), "9999-12-31"):
            if item.get("kind") not in ("contradiction", "doubt") or str(item.get("created", "9999"))[:10] > old:
                continue
            sides = _sides(item)
            subject = next((one for one in self.life.subjects if not one.stored and one.opened <= day and all(one.shown([side]) for side in sides)), None)
            if subject is None:
                continue
            self.counts["questions answered"] += 1
            try:
                self._answered(day, str(item["id"]), subject, *(subject.shown([side]) for side in sides))
            except (Trouble, LookupError) as trouble:
                self.fault(day, f"no answer was taken: {trouble} ({item['text']})")

    def _answered(self, day: int, ident: str, subject: Subject, old: set[str], new: set[str]) -> None:
        truth = subject.true_on(day)
        verb, text = "merge", ""
        if new & truth:
            verb = "accept"
        elif old & truth:
            verb = "reject"
        elif truth:
            text = self.life.said_of(subject, day)
        else:  # nothing of it is so any more
            self._edit(Edited("deleted", subject))
            return
        self.do(lambda call: decide(call, action=verb, ident=ident, text=text, days=3))

    def _order(self, act: Ordered) -> None:
        self._rerouted = True
        match act.verb:
            case "rename":
                self.do(lambda call: rename_topic(call, old=act.topic, new=act.to))
                self.names[act.topic] = act.to
            case "merge":
                self.do(lambda call: merge_topics(call, gone=act.topic, into=act.to))
                self.names[act.topic] = act.to
            case "archive":
                self.do(lambda call: set_status(call, slug=act.topic, status="archived"))
            case "accept":
                self._accept(act)

    def _accept(self, act: Ordered) -> None:
        report = self.do(lambda call: run(call, agent=None))
        found: Any = report.data
        mine = [one for one in found["suggestions"] if sum(act.to in e["text"].lower() or "telescópio" in e["text"] for e in one["events"]) > 1]
        self.counts["suggestions"] += len(found["suggestions"])
        if mine:
            self.do(lambda call: accept(call, which=mine[0]["id"], slug=act.topic, kind="hobby"))
        else:
            topic = self.life.topics[act.topic]
            self.counts["suggestion missed"] += 1
            self.do(lambda call: new(call, slug=act.topic, kind="hobby", summary=topic["summary"], tags=tuple(topic["tags"]), entities=(), private=False))
        for path in sorted((self.root / "memory/events").glob("*.md")):  # what the suggestion left: filed by hand
            text = path.read_text(encoding="utf-8")
            filed = re.sub(r"^(\[[A-Z]+\] )general(: .*(?:telescope|telescópio))", rf"\1{act.topic}\2", text, flags=re.M)
            if filed != text:
                self.counts["filed by hand"] += 1
                path.write_text(filed, encoding="utf-8")
        self.do(lambda call: doctor(call, only=(), acknowledge=True))

    def _take_back(self, again: str) -> None:
        if not self._night_run:
            return
        report = self.do(lambda call: undo(call, run=self._night_run, last=False, any_run=True, ask=lambda question: True))
        data: Any = report.data
        if again == "undo":
            self.do(lambda call: undo(call, run=data["run"], last=False, any_run=True, ask=lambda question: True))
            return
        self._known.clear()
        pairs = {key.partition(">")[0] for key in self.space().state.items("undone")}
        self.do(lambda call: extract(call, ExtractOptions(again=tuple(sorted(pairs)), quiet=True)))

    # --- what must be so every night ---

    def look(self, day: int) -> None:
        """The invariants."""
        topics, older = self.topics(), self.older()
        self._look_log(day)
        self._look_changelog(day, topics, older)
        self._look_marks(day, topics)
        self._look_views(day, topics)
        if day % self.every == 0 or day in self.life.undone or day - 1 in self.life.outage:
            self._second_night(day)

    def topics(self) -> dict[str, TopicFile]:
        """The topic files by slug."""
        paths = [p for p in sorted((self.root / "memory/topics").glob("*.md")) if not p.name.endswith(".archive.md")]
        return {p.stem: parse_topic(p.read_bytes().decode(), f"memory/topics/{p.name}") for p in paths}

    def older(self) -> dict[str, tuple[Any, ...]]:
        """Entries in the archive files by slug."""
        paths = sorted((self.root / "memory/topics").glob("*.archive.md"))
        return {p.name.removesuffix(".archive.md"): parse_topic(p.read_bytes().decode(), str(p)).changes for p in paths}

    def _look_log(self, day: int) -> None:
        """Append-only, but for the slugs of a topic that moved; each event once; none gone."""
        ids: Counter[str] = Counter()
        for path in sorted((self.root / "memory/events").glob("*.md")):
            data = path.read_bytes()
            before = self._log.get(path.name)
            if before is None or before[0] != data:
                if before is not None and not data.startswith(before[0]) and not self._rerouted:
                    self.fault(day, f"{path.name} is not what it was and more")
                self._log[path.name] = before = (data, parse_file(data.decode(), f"memory/events/{path.name}").events)
            ids.update(id_of(event) for event in before[1])
        twice = [ident for ident, times in ids.items() if times > 1]
        if twice:
            self.fault(day, f"events twice: {twice}")
        if gone := self._ids - ids:
            self.fault(day, f"events gone: {sorted(gone)}")
        self._ids, self._rerouted = ids, False
        texts = Counter((event.date, event.slug, event.tag, event.text) for _, events in self._log.values() for event in events)
        if same := [one for one, times in texts.items() if times > 1 and one[3].partition(". ")[0].rstrip(".") not in self._corrected]:
            self.fault(day, f"the same event under two ids: {same[:3]}")

    def _look_changelog(self, day: int, topics: dict[str, TopicFile], older: dict[str, tuple[Any, ...]]) -> None:
        """The state of the night before and the entries since give the present one; and so back."""
        instant = self.now.isoformat(timespec="seconds")
        for slug, topic in topics.items():
            present, entries = state_of(topic), (*topic.changes, *older.get(slug, ()))
            if slug in self._known and not self._merged(slug, day):
                then, facts = self._known[slug]
                if replay(facts, [e for e in entries if _instant(e.at) > _instant(then)]) != present:
                    self.fault(day, f"{slug}: the changelog does not lead from {then} to here")
                if known_at(topic, then, older.get(slug, ())) != facts:
                    self.fault(day, f"{slug}: the changelog does not lead back to {then}")
            self._known[slug] = (instant, present)
            held = [fact.id for fact in topic.facts if fact.id]
            if len(held) != len(set(held)):
                self.fault(day, f"{slug}: an id stands twice")

    def _merged(self, slug: str, day: int) -> bool:
        """Whether another topic came into this one since the last night."""
        return any(isinstance(act, Ordered) and act.to == slug for act in self.life.acts[day - 1])

    def _look_marks(self, day: int, topics: dict[str, TopicFile]) -> None:
        """Nothing is marked as seen on a day on which nobody said so: a contradiction confirms nothing."""
        facts = [fact for topic in topics.values() for fact in topic.facts if fact.done is None]
        for subject in self.life.subjects:
            if subject.opened > day or subject.doubt < 0:
                continue
            for fact in facts:
                for key in subject.shown([fact.text]):
                    last = self.life.day(subject.said[key]).isoformat() if key in subject.said else "9999"
                    if fact.seen > last:
                        self.fault(day, f"{fact.text!r} is marked as seen on {fact.seen}, last said on {last}")

    def _look_views(self, day: int, topics: dict[str, TopicFile]) -> None:
        index = (self.root / "memory/index.md").read_text(encoding="utf-8")
        if index != render_index(sorted((info(topic) for topic in topics.values()), key=lambda one: one.slug)):
            self.fault(day, "the index is not that of the topics")
        if long := [line for line in index.splitlines() if " | " in line and not line.startswith("<!--") and len(line) > INDEX_LINE]:
            self.fault(day, f"index lines too long: {long[:2]}")
        if day % self.every:
            return
        found: Any = self.do(lambda call: doctor(call, only=())).data
        ours = [one for one in found["findings"] if one["code"] not in THEIRS]
        if ours:
            self.fault(day, f"doctor: {ours[:3]}")
        context: Any = self.do(lambda call: session_context(call, audience="owner", full=False, max_bytes=None)).data
        size = len(context["text"].encode())
        self.counts["largest context"] = max(self.counts["largest context"], size)
        if size > CONTEXT or size != context["bytes"]:
            self.fault(day, f"context of {size} bytes")

    def _second_night(self, day: int) -> None:
        before = self._bytes()
        self.space().state.apply([Drop("quiet", "daily")])
        self.do(lambda call: curate(call, mode="daily"), scheduled=True)
        after = self._bytes()
        if before != after:
            self.fault(day, f"a second night changed {[name for name in {**before, **after} if before.get(name) != after.get(name)]}")

    def _bytes(self) -> dict[str, bytes]:
        found = {}
        for folder in ("memory", ".silo"):
            for path in (self.root / folder).rglob("*"):
                name = path.relative_to(self.root).as_posix()
                if path.is_file() and not name.startswith((".silo/state", ".silo/index", ".silo/locks", ".silo/runs", ".silo/base")):
                    found[name] = path.read_bytes()
        return found

    # --- the audit ---

    def audit(self, number: int = 50) -> list[Answered]:
        """`number` facts of each kind of telling on three days, as true then and as known then, beside what is true."""
        return [row for day in self._days() for row in self._audited(day, self._picked(number))]

    def asked(self, number: int = 50) -> list[Answered]:
        """The same by questions, on the same days."""
        return [row for day in self._days() for way in ("as-of", "known-at") for row in self._found(self._picked(number), day, way)]

    @property
    def events(self) -> int:
        """Events in the log."""
        return sum(self._ids.values())

    def _days(self) -> list[int]:
        dice = random.Random(self.life.seed + 1)
        return [self._calm(self.life.days * n // 10 + dice.randrange(max(1, self.life.days // 20))) for n in (4, 7)] + [self.life.days]

    def _picked(self, number: int) -> list[Subject]:
        dice = random.Random(self.life.seed + 2)
        sides = [[one for one in self.life.subjects if one.held and one.stored is stored] for stored in (True, False)]
        return [one for side in sides for one in dice.sample(side, min(number, len(side)))]

    def _calm(self, day: int) -> int:
        """A day near this one on which no night was taken back."""
        while day in self.life.undone or day in self.life.outage:
            day += 1
        return day

    def _audited(self, day: int, subjects: list[Subject]) -> Iterable[Answered]:
        when = self.life.day(day).isoformat()
        self.at(self.life.days, 12)
        slugs = sorted(self.topics())
        ways: dict[str, list[str]] = {}
        for way in ("as-of", "known-at"):
            texts: list[str] = []
            for slug in slugs:
                asked = {"day": when} if way == "as-of" else {"instant": when}
                data: Any = self.do(lambda call, slug=slug, asked=asked: load_topic(call, slug=slug, audience="owner", **asked)).data  # type: ignore[misc]
                texts += [one["text"] for one in data["facts"]]
            ways[way] = texts
        for one in subjects:
            for way, texts in ways.items():
                wanted = one.true_on(day) if way == "as-of" else one.known_on(day)
                shown = one.shown(texts)
                yield Answered(self._label(one), one.stored, f"load {way}", day, frozenset(wanted), frozenset(shown), wanted == shown)

    def _found(self, subjects: list[Subject], day: int, way: str) -> Iterable[Answered]:
        """The question about each subject: the first result that shows a value of it shows one that is true."""
        when = self.life.day(day).isoformat()
        self.at(self.life.days, 12)
        path = self.top / "questions.jsonl"
        path.write_text("".join(json.dumps({"id": str(n), "query": self.life.question(one)}) + "\n" for n, one in enumerate(subjects)), encoding="utf-8")
        asked = {"as_of": when} if way == "as-of" else {"known_at": when}
        data: Any = self.do(lambda call: retrieve(call, RetrieveOptions(query="", batch=str(path), archived=True, **asked))).data  # type: ignore[arg-type]
        for one, answer in zip(subjects, data["answers"], strict=True):
            found = [one.shown([r["text"]]) for r in answer["results"]]
            first = next((keys for keys in found if keys), set())
            wanted = one.true_on(day) if way == "as-of" else one.known_on(day)
            right = bool(first & wanted) if wanted else True
            yield Answered(self._label(one), one.stored, f"retrieve {way}", day, frozenset(wanted), frozenset(first), right)

    @staticmethod
    def _label(subject: Subject) -> str:
        return f"{subject.thing[subject.language]} / {subject.kind} ({subject.topic})"


def _sides(item: Mapping[str, Any]) -> list[str]:
    """What the two sides of a question say, without the days on which they were said."""
    return [re.sub(r" \((?:since|said on) [\d-]+\)", "", side) for side in str(item["text"]).split(" | ")[:2]]


def _instant(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _analysed(function: Callable[..., Any]) -> Callable[..., Any]:
    """The analysis of a statement, kept; vocabularies are told apart by their codes."""
    kept: dict[tuple[Any, ...], Any] = {}

    def quick(text: str, day: date, vocabularies: tuple[Any, ...], likely: Any = None, known: frozenset[str] = frozenset()) -> Any:
        key = (text, day, tuple(one.code for one in vocabularies), likely.code if likely else "", known)
        if key not in kept:
            kept[key] = function(text, day, vocabularies, likely, known)
        return kept[key]

    return quick


@contextmanager
def remembering() -> Iterator[None]:
    """Pure readers of files and statements read the same text once: a year asks for it a hundred times a night."""
    kept: dict[str, Any] = {
        "parse_topic": lru_cache(maxsize=256)(parse_topic), "parse_file": lru_cache(maxsize=2048)(parse_file),
        "fingerprint": lru_cache(maxsize=16384)(fingerprint), "passages": lru_cache(maxsize=1024)(passages), "info": lru_cache(maxsize=256)(info),
        "analyse": _analysed(analyse), "fields": lru_cache(maxsize=16384)(fields), "parse_change": lru_cache(maxsize=16384)(parse_change),
        "event_id": lru_cache(maxsize=16384)(event_id),
    }  # fmt: skip
    before = gc.get_threshold()
    gc.set_threshold(200_000, 20, 100)  # what is kept here is no garbage, and would be looked through every time
    with pytest.MonkeyPatch.context() as patch:
        for name, module in sorted(sys.modules.items()):
            for function, quick in kept.items():
                if name.startswith("silo.") and hasattr(module, function):
                    patch.setattr(module, function, quick)
        yield
    gc.set_threshold(*before)


@contextmanager
def lived(seed: int, days: int, **how: Any) -> Iterator[Living]:
    """A life that was lived, and its folder gone afterwards."""
    made = Living(Life(seed, days), **how)
    try:
        with remembering():
            made.live()
        yield made
    finally:
        made.close()
