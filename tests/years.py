"""Five years of a memory, written straight in its own formats, and looked at on days in between by the true jobs.

Each fact is an event line and, but for those of the last days, a bullet of its topic; the last days are curated by the
real job. Facts say who keeps which thing where; a thing of an owner stands at one place, so that each question has one answer.
"""

from __future__ import annotations

import json
import random
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any

from silo.config import load
from silo.edge.workspace import Workspace
from silo.formats.events import event_id
from silo.formats.topics import fact_id, new_topic
from silo.jobs.consolidate import ConsolidateOptions, consolidate
from silo.jobs.context import session_context
from silo.jobs.curate import curate
from silo.jobs.recall import RetrieveOptions, retrieve
from silo.jobs.run import Call
from silo.jobs.topic import init
from silo.model import Put, Tag

START = date(2021, 1, 1)
DAYS = 1825
FRESH = 2  # days whose facts the real curation brings into the topics
THINGS = ["lantern", "kettle", "saddle", "easel", "ladder", "drill", "trunk", "kayak", "tripod", "sextant", "carpet", "piano", "loom", "anvil", "barrel", "canvas", "chisel", "clock", "cradle", "desk", "drum", "fiddle", "globe", "hammock", "harp", "helmet", "kiln", "lathe", "lute", "mangle", "mirror", "mortar", "oven", "paddle", "press", "quilt", "radio", "rucksack", "scales", "sewing-box", "shovel", "sledge", "spinet", "stove", "telescope", "tent", "toolbox", "trumpet", "typewriter", "vase", "violin", "wardrobe", "wheelbarrow", "whetstone", "workbench", "yoke", "zither"]  # fmt: skip
KINDS = ["amber", "blue", "brass", "broken", "copper", "crooked", "dented", "folding", "gilded", "green", "grey", "heavy", "iron", "ivory", "large", "leather", "long", "marbled", "narrow", "oak", "old", "oval", "painted", "pine", "plain", "red", "round", "rusty", "short", "silver", "small", "spare", "striped", "tall", "tin", "velvet", "white", "wicker", "yellow"]
OWNERS = ["Amaro", "Birgit", "Casimir", "Dorotea", "Egon", "Fenna", "Gudrun", "Hamza", "Ines", "Joris", "Katalin", "Lasse", "Mireille", "Nuno", "Odile", "Pavel", "Quirin", "Rosalie", "Sven", "Tamara", "Ursin", "Vilma", "Wanja", "Xenia", "Yara", "Zoltan"]
PLACES = ["attic", "barn", "basement", "boathouse", "cellar", "chapel", "cottage", "garage", "greenhouse", "hall", "kitchen", "laundry", "library", "loft", "office", "pantry", "parlour", "porch", "shed", "stable", "studio", "tower", "vault", "veranda", "workshop"]
SAYING = (
    "{who} keeps the {kind} {thing} in the {place}.",
    "The {kind} {thing} of {who} stands in the {place}.",
    "{who}'s {kind} {thing} is stored in the {place}.",
    "In the {place} there is the {kind} {thing} that belongs to {who}.",
)
ASKING = (
    "Where does {who} keep the {kind} {thing}?",
    "In which room is {who}'s {kind} {thing}?",
    "where are the things of {who}: the {thing}, the {kind} one",
    "{kind} {thing} {who}",
)


@dataclass(frozen=True, slots=True)
class Said:
    """One fact: its day, topic, words, and the questions that it answers."""

    day: int
    slug: str
    text: str
    asked: str
    event: str


@dataclass(slots=True)
class Years:
    """A workspace that grows to a day; `facts` over all the days."""

    root: Path
    facts: int
    seed: int = 1
    days: int = DAYS
    said: list[Said] = field(default_factory=list)
    written: int = 0  # days whose events stand in the log
    curated: int = 0  # days whose facts stand in topics

    def __post_init__(self) -> None:
        rng = random.Random(self.seed)
        combinations = [(who, kind, thing) for who in OWNERS for kind in KINDS for thing in THINGS]
        topics = max(4, self.facts // 250)
        for n, (who, kind, thing) in enumerate(rng.sample(combinations, self.facts)):
            day = n * self.days // self.facts
            words = {"who": who, "kind": kind, "thing": thing, "place": rng.choice(PLACES)}
            open_topics = max(2, topics * (day + 1) // self.days)
            slug = f"house-{rng.randrange(open_topics):03}"
            text = rng.choice(SAYING).format(**words)
            self.said.append(Said(day, slug, text, rng.choice(ASKING).format(**words), event_id("default", self._date(day), Tag.FACT, text, 0)))
        self.do(init, 0)

    def _date(self, day: int) -> str:
        return (START + timedelta(days=day)).isoformat()

    def do(self, job: Any, day: int) -> Any:
        """What a job reports at noon of a day."""
        environ = {"HOME": str(self.root.parent), "OPENCLAW_STATE_DIR": str(self.root.parent / "host")}
        config = load(workspace=str(self.root), agent=None, timezone_name="UTC", environ=environ)
        return job(Call(config=config, now=datetime.combine(START + timedelta(days=day), time(12), tzinfo=UTC), command="years")).data

    def grow(self, day: int) -> None:
        """The memory of the end of that day: old facts written as they would stand, those of the last days curated by the job."""
        self._log(day)
        self._topics(day - FRESH)
        self._tiers()
        self.do(lambda call: curate(call, mode="daily"), day)
        self.do(lambda call: consolidate(call, ConsolidateOptions()), day)

    def _log(self, day: int) -> None:
        lines: dict[int, list[str]] = defaultdict(list)
        for one in self.said:
            if self.written <= one.day < day:
                lines[one.day].append(f"[FACT] {one.slug}: {one.text} <!-- id:{one.event} conf:confirmed src:cli imp:0.9 -->\n")
        folder = self.root / "memory/events"
        folder.mkdir(parents=True, exist_ok=True)
        for at, rows in lines.items():
            (folder / f"{self._date(at)}.md").write_text(f"# Events {self._date(at)}\n\n" + "".join(rows), encoding="utf-8")
        self.written = max(self.written, day)

    def _topics(self, day: int) -> None:
        bullets: dict[str, list[str]] = defaultdict(list)
        done: list[Put] = []
        for one in self.said:
            if self.curated <= one.day < day:
                when = self._date(one.day)
                bullets[one.slug].append(f"- {one.text} <!-- {fact_id(one.event)} since:{when} seen:{when} src:{one.event} -->\n")
                done.append(Put("reconciled", one.event, "new"))
        folder = self.root / "memory/topics"
        folder.mkdir(parents=True, exist_ok=True)
        for slug in {one.slug for one in self.said if one.day < self.written}:
            path = folder / f"{slug}.md"
            text = path.read_text(encoding="utf-8") if path.exists() else new_topic(
                slug, type="personal", created=self._date(0), summary=f"Things of the house number {slug[-3:]}, what stands where and whose it is.", tags=("things", "rooms")
            )  # fmt: skip
            text = text.replace("## Facts\n", "## Facts\n" + "".join(bullets[slug]), 1)
            for place in (path, self.root / f".silo/base/memory/topics/{slug}.md"):  # as if a job of ours had written it
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_text(text, encoding="utf-8")
        Workspace.open(self.root).state.apply(done)
        self.curated = max(self.curated, day)

    def _tiers(self) -> None:
        for name, lines in (("active", 75), ("protocols", 95)):
            body = "".join(f"## Part {n}\n- Step {n}: look after the {THINGS[n % len(THINGS)]} before the next guests arrive on Sunday.\n" for n in range(lines // 2))
            (self.root / f"memory/{name}.md").write_text(f"# {name.title()}\n\n{body}", encoding="utf-8")

    # --- what is measured ---

    def sizes(self, day: int) -> dict[str, int]:
        """Bytes of what a session or a job reads whole."""
        found: dict[str, int] = {}
        for full in (False, True):
            data = self.do(lambda call, full=full: session_context(call, audience="owner", full=full, max_bytes=None), day)
            found["context --full" if full else "context"] = len(data["text"].encode())
            if not full:
                found |= {f"context: {title}": size for title, size in sections(data["text"])}
        found["index.md"] = (self.root / "memory/index.md").stat().st_size
        for path in sorted((self.root / ".silo/agents").rglob("*.json")):
            found[path.name] = path.stat().st_size
        router = self.root / "MEMORY.md"
        found["MEMORY.md lines"] = router.read_text(encoding="utf-8").count("\n") if router.exists() else 0
        return found

    def recall(self, day: int, asked: Sequence[Said], limit: int = 5) -> float:
        """The share of questions whose fact is among the first `limit` results."""
        path = self.root.parent / "questions.jsonl"
        path.write_text("".join(json.dumps({"id": str(n), "query": one.asked}) + "\n" for n, one in enumerate(asked)), encoding="utf-8")
        report_lines: list[str] = []

        def job(call: Call) -> Any:
            report = retrieve(call, RetrieveOptions(query="", batch=str(path), limit=limit))
            report_lines.extend(report.lines)
            return report

        self.do(job, day)
        rows = [json.loads(line) for line in report_lines if line.startswith("{")]
        hits = sum(any(_same(one.text, result["text"]) for result in row["results"]) for one, row in zip(asked, rows, strict=True))
        return hits / len(asked)

    def questions(self, number: int) -> list[Said]:
        """Facts of the first year, spread over it."""
        first = [one for one in self.said if one.day < 365 - FRESH]
        return random.Random(self.seed + 7).sample(first, min(number, len(first)))


def sections(text: str) -> Iterator[tuple[str, int]]:
    """The sections of a context with their bytes."""
    parts = re.split(r"^## ", text.split("<silo-memory>")[-1], flags=re.M)
    for part in parts[1:]:
        title = re.split(r"[ \n(]", part, maxsplit=1)[0]
        yield title, len(f"## {part}".encode())


def _same(text: str, found: str) -> bool:
    return text.rstrip(".") == found.rstrip(".")
