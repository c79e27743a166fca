"""Months of a memory in any order: said, stored, curated, decided, edited by hand, killed, taken back; nothing is ever lost.

A model stands beside the real jobs on a real folder. After every step the log holds each accepted event exactly once,
unless its run was taken back or a hand deleted the line, and what a hand typed is there or waits in review. After every
whole night facts that a hand deleted are still away, what was said has arrived, the changelog leads from every earlier
state to the present one, and a second night changes nothing.

A long run: bench/machine.py.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from faulty_disk import AFTER, BEFORE, TORN
from hands import EDITS, WRITING
from months import SLUGS, Death, Hand, Months, number_in
from silo.core.facts import shown
from silo.core.history import known_at, replay, state_of
from silo.edge.cold.base import ALL
from silo.edge.history import refusal
from silo.edge.runs import Run
from silo.formats.index import render_index
from silo.formats.topics import info, parse_topic
from silo.formats.warm import parse_hot, parse_warm
from silo.jobs.amend import confirm_statement, correct_statement
from silo.jobs.cold import archive_of
from silo.jobs.consolidate import ConsolidateOptions, consolidate
from silo.jobs.curate import curate
from silo.jobs.doctor import doctor
from silo.jobs.extract import ExtractOptions, extract
from silo.jobs.history import undo
from silo.jobs.hot import HotOptions, hot
from silo.jobs.recall import RetrieveOptions, retrieve
from silo.jobs.review import decide
from silo.jobs.run import Call, Report
from silo.jobs.store import StoreOptions, store
from silo.jobs.todos import done
from silo.jobs.topic import new
from silo.jobs.topicmove import rename_topic
from silo.model import Drop

WARM, HOT = ".silo/agents/default/warm-memory.json", ".silo/agents/default/hot-memory-state.json"
SAYING = (
    "The invoice number of the kiln is {n}.",
    "The gateway listens on port {n}.",
    "The archive box {n} holds the tax papers.",
    "The roof of house {n} was repaired.",
    "The budget of the roof project is {n} euros.",
)
THEIRS = {"D007", "D008", "D009", "D010", "D015"}  # findings that a hand, or time, can bring about
LEFTOVER = re.compile(r"\.committing|/(?:new|held|base|back|again)-\d|\.tmp")
slugs, sayings, places = st.sampled_from(SLUGS), st.sampled_from(SAYING), st.integers(0, 11)
edits = st.sampled_from(sorted(EDITS))
deaths = st.none() | st.tuples(st.integers(1, 70), st.sampled_from([BEFORE, AFTER, TORN]))


class Memory(RuleBasedStateMachine):
    """The jobs beside a model of what they must have kept."""

    def __init__(self) -> None:
        super().__init__()
        self.world = Months()
        self.said: dict[str, tuple[str, str, str]] = {}  # number → statement, topic, tag
        self.pending: set[str] = set()  # numbers that the owner said and no extraction has taken
        self.noted: set[str] = set()  # numbers in daily notes that no night has read
        self.standing: set[str] = set()  # events that the log must hold, by id, or by text where typed by hand
        self.made: dict[str, tuple[frozenset[str], frozenset[str]]] = {}  # run → events that came by it, that went
        self.typed: set[str] = set()  # words by hand that must be somewhere
        self.gone: dict[str, str] = {}  # facts that a hand deleted: id → what they said
        self.known: dict[str, list[tuple[str, str, dict[str, str]]]] = {slug: [] for slug in SLUGS}  # (run, instant, facts)
        self.night = self.world.now  # when the last whole night was
        self.quiet = True  # whether nobody has changed a topic since
        self.expected: set[str] = set()  # numbers said again, to stand in a bullet after the next night
        self.first_runs: set[str] = set()
        self.hot: set[str] = set()  # numbers told to the hot state
        self.numbers: dict[str, str] = {}  # event → its number, whether it stands or not

    def teardown(self) -> None:
        self.world.close()

    # --- the model ---

    def events(self) -> Counter[str]:
        return Counter(event.id or event.text for event, _ in self.world.logged())

    @contextmanager
    def watched(self) -> Iterator[None]:
        """The run made inside is remembered with the events that came and went by it."""
        runs, events = set(self.world.runs()), set(self.events())
        yield
        after = set(self.events())
        for run in set(self.world.runs()) - runs:
            self.made[run] = (frozenset(after - events), frozenset(events - after))

    def ran(self, job: Callable[[Call], Report], die: Death = None, hand: Hand = None) -> tuple[Report | None, Counter[str]]:
        """A job has run: its report, None where it was killed, and the numbers of the events that came. None may have gone."""
        with self.watched():
            report = self.world.do(job, die, hand)
        now = set(self.events())
        self.numbers |= {ident: number_in(event.text) for event, ident in self.world.logged()}
        assert self.standing <= now, f"lost: {self.standing - now}"
        fresh, self.standing = now - self.standing, now
        return report, Counter(number_in(event.text) for event, _ in self.world.logged() if (event.id or event.text) in fresh)

    def touched(self) -> None:
        """Somebody changed a topic: what was said again may be answered otherwise now."""
        self.quiet = False
        self.expected.clear()

    # --- what is said ---

    @initialize()
    def begin(self) -> None:
        for slug in SLUGS:
            self.world.do(lambda call, slug=slug: new(call, slug=slug, kind="project", summary="A case.", tags=(), entities=(), private=False))  # type: ignore[misc]
        self.first_runs = set(self.world.runs())

    @rule(saying=sayings, slug=slugs, todo=st.booleans(), die=deaths)
    def stores(self, saying: str, slug: str, todo: bool, die: Death) -> None:
        number = self.world.next()
        text, tag = saying.format(n=number), "TODO" if todo else "FACT"
        report, came = self.ran(lambda call: store(call, StoreOptions(text=text, tag=tag, topic=self.world.name(slug))), die)
        assert came in (Counter([number]), Counter())
        assert came or report is None
        if came:
            self.said[number] = (text, slug, tag)

    @rule(back=places)
    @precondition(lambda self: self.said)
    def says_again(self, back: int) -> None:
        number, (text, slug, tag) = list(self.said.items())[-1 - back % len(self.said)]
        self.ran(lambda call: store(call, StoreOptions(text=text, tag=tag, topic=self.world.name(slug))))
        if self.quiet and self.world.now.date() > self.night.date() + timedelta(days=1):
            self.expected.add(number)

    @rule(saying=sayings, whole=st.booleans())
    def talks(self, saying: str, whole: bool) -> None:
        number = self.world.next()
        self.world.says(saying.format(n=number), whole=whole)
        self.pending.add(number)

    @rule(die=deaths)
    @precondition(lambda self: self.pending)
    def extracts(self, die: Death) -> None:
        options = ExtractOptions(source="jsonl", path=str(self.world.transcript), quiet=True)
        report, came = self.ran(lambda call: extract(call, options), die)
        assert came in (Counter(self.pending), Counter()), (came, self.pending)
        assert came or report is None
        if came:
            self.pending.clear()

    @rule(saying=sayings)
    def notes(self, saying: str) -> None:
        number = self.world.next()
        place = self.world.root / f"memory/{self.world.now:%Y-%m-%d}.md"
        before = place.read_text(encoding="utf-8") if place.exists() else "# Today\n\n"
        place.write_text(f"{before}- {saying.format(n=number)}\n", encoding="utf-8")
        self.noted.add(number)

    # --- nights ---

    @rule(days=st.integers(0, 2))
    def curates(self, days: int) -> None:
        self.world.now += timedelta(days=days)
        assert self.has_curated() is not None
        assert not self.noted
        self.a_second_night_changes_nothing()
        self.the_changelog_is_law()
        self.what_was_said_has_arrived()
        self.views_match()
        self.night, self.quiet = self.world.now, True

    @rule(die=deaths)
    def curates_and_is_killed(self, die: Death) -> None:
        self.has_curated(die)

    @rule(moment=st.integers(1, 50), slug=slugs, kind=edits, at=places)
    def curates_while_a_hand_edits(self, moment: int, slug: str, kind: str, at: int) -> None:
        self.has_curated(None, lambda step, name: self.edits(slug, kind, at) if step == moment else None)

    def has_curated(self, die: Death = None, hand: Hand = None) -> Report | None:
        report, came = self.ran(lambda call: curate(call, mode="daily"), die, hand)
        assert came in (Counter(self.noted), Counter())
        if came:
            self.noted.clear()
        return report

    # --- tiers ---

    @rule(mode=st.sampled_from(["quick", "daily", "monthly"]), die=deaths)
    def consolidates(self, mode: str, die: Death) -> None:
        report, came = self.ran(lambda call: consolidate(call, ConsolidateOptions(mode=mode)), die)
        fresh = came - Counter({"": came[""]})  # what left the hot state has no number of the log's
        hot = {number for number in self.hot if number in fresh}
        assert fresh - Counter(hot) in (Counter(self.noted), Counter())
        if fresh - Counter(hot):
            self.noted.clear()
        if report is not None:
            self.every_fact_is_in_one_tier()

    @rule(back=places, times=st.integers(1, 12))
    @precondition(lambda self: self.said)
    def asks_often(self, back: int, times: int) -> None:
        """So that a cold fact may come back."""
        _, (text, _, _) = list(self.said.items())[-1 - back % len(self.said)]
        for _ in range(times):
            self.world.do(lambda call: retrieve(call, RetrieveOptions(query=text)))

    @rule(part=st.sampled_from(["lesson", "event", "task", "project"]), weight=st.integers(0, 10), over=st.booleans(), die=deaths)
    def tells_the_hot_state(self, part: str, weight: int, over: bool, die: Death) -> None:
        number = self.world.next()
        name = "name" if part == "project" else "text"
        item = {name: f"The hot matter {number} of the workshop", "importance": weight / 10} | ({"status": "done"} if over else {})
        report, _ = self.ran(lambda call: hot(call, HotOptions(update=(part, json.dumps(item)))), die)
        if report is not None:
            self.hot.add(number)
            state = (self.world.root / HOT).read_text(encoding="utf-8") if (self.world.root / HOT).exists() else ""
            logged = " ".join(event.text for event, _ in self.world.logged())
            assert (f"matter {number} " in state) != (f"matter {number} " in logged), "in one of the two"

    @invariant()
    def the_limits_hold(self) -> None:
        for path, most in ((WARM, 2048), (HOT, 700)):
            place = self.world.root / path
            assert not place.exists() or place.stat().st_size <= most, (path, place.stat().st_size)
        if (self.world.root / HOT).exists():
            state, problems = parse_hot((self.world.root / HOT).read_text(encoding="utf-8"), HOT)
            assert not problems
            assert len(state["critical_lessons"]) <= 3
            assert len(state["active_context"]["events"]) <= 3

    def every_fact_is_in_one_tier(self) -> None:
        """Each logged fact is warm or in the archive, and neither holds anything else."""
        warm = {one.id for one in parse_warm((self.world.root / WARM).read_text(encoding="utf-8"), WARM)[0]} if (self.world.root / WARM).exists() else set()
        with archive_of(self.world.space()) as store:
            cold = set(store.digests(ALL))
        logged = {ident for _, ident in self.world.logged()}
        assert not warm & cold
        assert warm | cold == logged, (warm - logged, cold - logged, logged - warm - cold)

    # --- a person's hand ---

    @rule(slug=slugs, kind=edits, at=places)
    def edits(self, slug: str, kind: str, at: int) -> None:
        place = self.world.place(slug)
        before, word = place.read_bytes().decode(), f"mine{self.world.next()}"
        after = EDITS[kind](before, at, word)
        if after is None:
            return
        if kind == "deleted":
            left = {fact.id for text in (after, *self.others(slug)) for fact in parse_topic(text).facts}
            self.gone |= {fact.id: shown(fact) for fact in parse_topic(before).facts if fact.id and fact.id not in left}
        if kind in ("deleted", "rewritten"):
            self.typed -= {one for one in self.typed if one in before and one not in after}
        if kind in WRITING:
            self.typed.add(word)
        place.write_bytes(after.encode())
        self.touched()

    def others(self, slug: str) -> list[str]:
        return [self.world.place(other).read_text(encoding="utf-8") for other in SLUGS if other != slug]

    @rule(at=places, copy=st.booleans())
    def carries_a_bullet_to_the_other_topic(self, at: int, copy: bool) -> None:
        topics = self.world.topics()
        topic, there = (topics[slug] for slug in SLUGS)
        if not topic.bullets or there.changelog is None:
            return
        bullet = topic.bullets[at % len(topic.bullets)]
        cut = topic.lines[bullet.start : bullet.below]
        lines = (*there.lines[: there.changelog], *cut, "\n", *there.lines[there.changelog :])
        self.world.place(SLUGS[1]).write_text("".join(lines), encoding="utf-8")
        if not copy:
            rest = (*topic.lines[: bullet.start], *topic.lines[bullet.below :])
            self.world.place(SLUGS[0]).write_text("".join(rest), encoding="utf-8")
        self.touched()

    @rule(slug=slugs, header=st.booleans())
    def renames_a_topic_file(self, slug: str, header: bool) -> None:
        old, name, place = self.world.name(slug), f"{slug}-{self.world.next()}", self.world.place(slug)
        if header and self.world.topics()[slug].changes:  # a file without facts and with another name is another file
            text = place.read_text(encoding="utf-8").replace(f"topic: {old}\n", f"topic: {name}\n", 1)
            place.write_text(text, encoding="utf-8")
        place.rename(place.with_name(f"{name}.md"))
        archive = place.with_name(f"{old}.archive.md")
        if archive.exists():
            archive.rename(place.with_name(f"{name}.archive.md"))
        self.world.names[slug].append(name)
        self.touched()

    @rule(slug=slugs)
    @precondition(lambda self: self.world.log_files())
    def types_into_the_log(self, slug: str) -> None:
        text = f"The archive box {self.world.next()} was typed here."
        with self.world.log_files()[-1].open("a", encoding="utf-8") as file:
            file.write(f"[FACT] {self.world.name(slug)}: {text}\n")
        self.standing.add(text)

    @rule(at=places)
    @precondition(lambda self: self.standing)
    def deletes_an_event(self, at: int) -> None:
        key = sorted(self.standing)[at % len(self.standing)]
        for path in self.world.log_files():
            lines = path.read_bytes().decode().splitlines(keepends=True)
            kept = [line for line in lines if f"id:{key} " not in line and f": {key}\n" not in line]
            path.write_bytes("".join(kept).encode())
        self.standing.discard(key)
        self.expected.clear()

    # --- a person's word ---

    @rule(slug=slugs, at=places, saying=sayings, die=deaths)
    def corrects(self, slug: str, at: int, saying: str, die: Death) -> None:
        facts = [fact for fact in self.world.topics()[slug].facts if fact.id]
        if facts:
            number = self.world.next()
            _, came = self.ran(lambda call: correct_statement(call, facts[at % len(facts)].id, saying.format(n=number)), die)
            assert came in (Counter([number]), Counter())
            self.touched()

    @rule(at=places)
    @precondition(lambda self: self.standing)
    def confirms(self, at: int) -> None:
        keys = sorted(key for key in self.standing if key.startswith("e_"))
        if keys:
            self.ran(lambda call: confirm_statement(call, keys[at % len(keys)]))

    @rule(slug=slugs, at=places, die=deaths)
    def finishes_a_to_do(self, slug: str, at: int, die: Death) -> None:
        open_ones = [fact for fact in self.world.topics()[slug].facts if fact.id and fact.done is False]
        if open_ones:
            self.ran(lambda call: done(call, open_ones[at % len(open_ones)].id), die)
            self.touched()

    @rule(at=places, action=st.sampled_from(["accept", "reject", "merge"]), die=deaths)
    def decides(self, at: int, action: str, die: Death) -> None:
        place = self.world.root / ".silo/review.jsonl"
        rows = [json.loads(line) for line in place.read_text(encoding="utf-8").splitlines()] if place.exists() else []
        waiting = [row["id"] for row in {row["id"]: row for row in rows}.values() if row["status"] == "open"]
        if waiting:
            text = f"The gateway listens on port {self.world.next()}." if action == "merge" else ""
            self.ran(lambda call: decide(call, action=action, ident=waiting[at % len(waiting)], text=text, days=7), die)
            self.touched()

    @rule(slug=slugs, die=deaths)
    def renames_by_command(self, slug: str, die: Death) -> None:
        old, name = self.world.name(slug), f"{slug}-{self.world.next()}"
        self.world.names[slug].append(name)
        self.ran(lambda call: rename_topic(call, old=old, new=name), die)
        self.touched()

    # --- taking back ---

    @rule(back=st.integers(0, 6), die=deaths)
    def undoes(self, back: int, die: Death) -> None:
        rows = self.world.space().runs()
        run = rows[-1 - back % len(rows)]
        renamed_since = any(step.moved_from and not self.world.digest(step.path) for step in run.steps)
        if refusal(rows, run) is not None or self.began(run, rows) or renamed_since:
            return
        self.touched()
        events, topics = set(self.events()), self.world.topics()
        entries = {slug: self.world.entries(slug) for slug in SLUGS}
        exact = {step.path for step in run.steps if step.kind == "put" and self.world.digest(step.path) == step.new}
        with self.watched():
            report = self.world.do(lambda call: undo(call, run=run.id, last=False, any_run=True, ask=lambda question: True), die)
        after = set(self.events())
        came, went = self.made.get(run.id, (frozenset(), frozenset()))
        wanted = (events - came) | went
        assert after == wanted or (report is None and after == events), (after ^ wanted, came, went)
        self.standing = after
        for slug in SLUGS:
            if topics[slug].path in exact:  # byte for byte as before that run, its entries too
                self.known[slug] = [row for row in self.known[slug] if row[0] < run.id]
            else:
                assert entries[slug] <= self.world.entries(slug)

    def began(self, run: Run, rows: list[Run]) -> bool:
        """Whether the run, or what it takes back in the end, made the topics."""
        while run.undoes:
            run = next(row for row in rows if row.id == run.undoes)
        return run.id in self.first_runs

    @rule(hours=st.integers(1, 400))
    def time_goes(self, hours: int) -> None:
        self.world.now += timedelta(hours=hours)

    # --- what must be so ---

    @rule(back=places)
    @precondition(lambda self: self.said)
    def asks(self, back: int) -> None:
        """What stands in the log is found, and where the answer says."""
        number, (text, _, _) = list(self.said.items())[-1 - back % len(self.said)]
        if not any(number in event.text for event, _ in self.world.logged()):
            return
        report = self.world.do(lambda call: retrieve(call, RetrieveOptions(query=text)))
        assert report is not None
        lines = []
        for one in report.data["results"]:  # type: ignore[index,call-overload]
            for place in (one, *one["also"]):
                lines.append((self.world.root / place["path"]).read_text(encoding="utf-8").split("\n")[place["line"] - 1])
        assert any(number in line for line in lines), (number, lines)

    def a_second_night_changes_nothing(self) -> None:
        before = self.world.files()
        self.world.space().state.apply([Drop("quiet", "daily")])
        self.world.do(lambda call: curate(call, mode="daily"))
        after = self.world.files()
        assert before == after, {name: (before.get(name), after.get(name)) for name in {*before, *after} if before.get(name) != after.get(name)}

    def the_changelog_is_law(self) -> None:
        topics = self.world.topics()
        for slug, rows in self.known.items():
            topic, older = topics[slug], self.world.older(slug)
            present = state_of(topic)
            for _, instant, facts in rows:
                assert known_at(topic, instant, older) == facts, (slug, instant)
                assert replay(facts, [entry for entry in (*topic.changes, *older) if entry.at > instant]) == present, (slug, instant)
            rows.append((self.world.runs()[-1], self.world.now.isoformat(timespec="seconds"), present))
        held = [fact.id for topic in topics.values() for fact in topic.facts if fact.id]
        assert len(held) == len(set(held)), "an id stands twice"
        back = [fact for topic in topics.values() for fact in topic.facts if self.gone.get(fact.id) == shown(fact)]
        assert not back, back

    def what_was_said_has_arrived(self) -> None:
        """Every statement that the log holds for a topic is in its file, or is answered for."""
        topics = {topic.slug: topic for topic in self.world.topics().values()}
        state = self.world.space().state
        taken_back = {key.partition(">")[0] for key in state.items("undone")}
        undone = {self.numbers.get(ident, "") for ident in taken_back}
        everything = "".join(path.read_text(encoding="utf-8") for path in (self.world.root / "memory/topics").glob("*.md"))
        bullets = " ".join(fact.text for topic in topics.values() for fact in topic.facts)
        for event, ident in self.world.logged():
            number = number_in(event.text)
            if event.slug not in topics or not number or number in undone:
                self.expected.discard(number)
                continue
            outcome = state.get("reconciled", ident)
            assert outcome is not None, event
            assert number in everything or outcome in ("outdated", "undone"), (event, outcome)
        assert all(number in bullets for number in self.expected), (self.expected, bullets)
        self.expected.clear()

    def views_match(self) -> None:
        infos = sorted((info(topic) for topic in self.world.topics().values()), key=lambda one: one.slug)
        assert (self.world.root / "memory/index.md").read_text(encoding="utf-8") == render_index(infos)
        with self.world.disk():
            found = doctor(self.world.call(), only=()).data["findings"]  # type: ignore[index,call-overload]
        ours = [one for one in found if one["code"] not in THEIRS and "(slug-mismatch)" not in one["message"]]
        assert not ours, ours

    @invariant()
    def each_event_once(self) -> None:
        assert self.events() == Counter(self.standing)

    @invariant()
    def nothing_typed_is_lost(self) -> None:
        places = [*(self.world.root / "memory/topics").glob("*.md"), *(self.world.root / ".silo/conflicts").rglob("*.md")]
        everything = "".join(path.read_text(encoding="utf-8") for path in places)
        lost = {word for word in self.typed if word not in everything}
        assert not lost, lost

    @invariant()
    def no_leftovers(self) -> None:
        names = [path.relative_to(self.world.root).as_posix() for path in self.world.root.rglob("*") if path.is_file()]
        assert not [name for name in names if LEFTOVER.search(f"/{name}")]
        assert all(name.endswith(".md") for name in names if name.startswith("memory/"))


def machine(examples: int, steps: int) -> type:
    """The machine as a test of its own."""

    class Profile(Memory):
        pass

    case: type = Profile.TestCase
    case.settings = settings(  # type: ignore[attr-defined]
        max_examples=examples, stateful_step_count=steps, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    return case


TestMonths = machine(20, 12)
TestManyMonths = pytest.mark.long(machine(2000, 12))
