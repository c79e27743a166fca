"""Whatever a memory holds and whatever is asked: what is private reaches no group, what is another agent's reaches nobody else.

Stores, questions and audiences are drawn from a seed, and every command that shows memory is asked, as text and as JSON.
"""

from __future__ import annotations

import json
import random
import re
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from silo import config
from silo.core.views import plan_index
from silo.errors import BadInput
from silo.jobs import context, entity, load, pack, recall, stale, todos, topic, tree, urls
from silo.jobs.reading import read_topics
from silo.jobs.run import Call, Report

DAYS = ("2026-02-27", "2026-03-01", "2026-03-02", "2026-03-03")
WORDS = ("boat", "hull", "paint", "porta", "reunião", "8080", "v2.1", "Ana", "猫が好き", "книга", "the", "a-b", "key", "renew")
SLUGS = ("garden", "health", "work-log", "boat-rental")
PLACES = (
    "log", "log", "log", "private-log", "fact", "fact", "prose", "change", "source", "archive", "note", "router", "tier",
    "protocol", "hot", "graph", "private-graph", "tree",
)  # fmt: skip
OWNERS_ALONE = frozenset({"private-log", "note", "router", "tier", "protocol", "hot", "private-graph"})


class Store:
    """A memory drawn from a seed. What nobody but the owner may see says `private…`, what is another agent's `foreign…`."""

    def __init__(self, root: Path, seed: int) -> None:
        self.root = root
        self.rng = rng = random.Random(seed)
        self.private = frozenset(rng.sample(SLUGS, rng.randrange(3)))
        self.foreign = frozenset(rng.sample(SLUGS, rng.randrange(3)))
        self.archived = frozenset(rng.sample(SLUGS, rng.randrange(2)))
        self.renamed = {slug: f"old-{slug}" for slug in SLUGS if rng.random() < 0.5}
        self.parts: dict[tuple[str, str], list[str]] = {}
        self.files: dict[str, list[str]] = {}
        self.nodes: dict[str, dict[str, object]] = {}
        for number in range(rng.randrange(16)):
            self._line(number)
        for slug in SLUGS:
            self._topic(slug)
        if self.nodes:
            self.files[".silo/agents/default/memory-tree.json"] = [json.dumps(self.nodes)]
        for path, lines in self.files.items():
            file = root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def words(self) -> str:
        return " ".join(self.rng.choices(WORDS, k=self.rng.randrange(1, 6)))

    def _line(self, number: int) -> None:
        rng = self.rng
        slug, place = rng.choice((*SLUGS, "general")), rng.choice(PLACES)
        agent = rng.choice(("default", "default", "other"))
        log = place in ("log", "private-log")
        if (log and agent == "other") or (not log and place not in OWNERS_ALONE and place != "graph" and slug in self.foreign):
            mark = f"foreign{number}x"
        else:
            mark = f"{'private' if place in OWNERS_ALONE or slug in self.private else 'open'}{number}x"
        text = f"{self.words()} {mark} https://{mark}.example/{number}"
        if log:
            name = self.renamed.get(slug, slug) if rng.random() < 0.4 else slug
            day = rng.choice(DAYS)
            note = f" <!-- id:e_{number:012x}{'' if agent == 'default' else ' agent:other'}{' cat:' + slug + '/' + mark if rng.random() < 0.3 else ''} -->"
            folder = "memory" if place == "log" else ".silo/private"
            self.files.setdefault(f"{folder}/events/{day}.md", [f"# Events {day}", ""]).append(f"[{rng.choice(('FACT', 'TODO', 'EVENT'))}] {name}: {text}{note}")
        elif place in ("fact", "prose", "change", "source", "archive"):
            self.parts.setdefault((slug, place), []).append(text)
        elif place == "tree":
            if slug not in self.foreign:  # a tree is its agent's own
                name = self.renamed.get(slug, slug) if rng.random() < 0.4 else slug
                self.nodes[f"{name}/{mark}"] = {"desc": f"{self.words()} {mark}", "warm_count": 0, "cold_count": 0, "last_access": 1772300000, "children": []}
        elif place == "hot":
            self.files[".silo/agents/default/hot-memory-state.json"] = [json.dumps({"current_context": {"note": text}})]
        elif place in ("graph", "private-graph"):
            if slug in self.private | self.foreign:
                return  # the job that writes the graph keeps such entities apart
            folder = "memory/ontology" if place == "graph" else ".silo/private"
            row = {"op": "create", "entity": {"id": f"p_{number}", "type": "Person", "properties": {"name": f"Ana {mark}"}}}
            self.files.setdefault(f"{folder}/graph.jsonl", []).append(json.dumps(row))
        else:
            path = {"note": f"memory/{rng.choice(DAYS)}.md", "router": "MEMORY.md", "tier": "memory/active.md", "protocol": "memory/protocols.md"}[place]
            self.files.setdefault(path, []).append(f"- {text}")

    def _topic(self, slug: str) -> None:
        hidden = "foreigntopicx" if slug in self.foreign else "privatetopicx" if slug in self.private else "opentopicx"
        header = [
            f"topic: {slug}", "type: personal", f"status: {'archived' if slug in self.archived else 'active'}", f"tags: [{hidden}]",
            "entities: []", "created: 2026-01-01", "last_verified: 2026-01-01", "last_curated: 2026-01-01", f"summary: About {hidden}.",
            *(["sensitivity: private"] if slug in self.private else []), *(["agents: [other]"] if slug in self.foreign else []),
            *([f"aliases: [{self.renamed[slug]}]"] if slug in self.renamed else []),
        ]  # fmt: skip
        part = {place: self.parts.get((slug, place), []) for place in PLACES}
        facts = [f"- {'[ ] ' if self.rng.random() < 0.3 else ''}{text}" for text in part["fact"]]
        changes = [f"- 2026-03-01: [fact] {text}. Was: {text}. <!-- op:set -->" for text in part["change"]]
        source = ["### 2026-01-01 — x", *part["source"]]
        body = ["---", *header, "---", "<!-- CURATED_START -->", "## Facts", *facts, "", *part["prose"], "", "## Changelog", *changes,
                "<!-- CURATED_END -->", "<!-- SOURCE_START -->", *source, "<!-- SOURCE_END -->"]  # fmt: skip
        folder = ".silo/private/topics" if slug in self.private and self.rng.random() < 0.5 else "memory/topics"
        self.files[f"{folder}/{slug}.md"] = body
        if part["archive"]:
            self.files[f"{folder}/{slug}.archive.md"] = ["---", f"topic: {slug}", *header[9:], "---", "<!-- SOURCE_START -->", "### 2026-01-01 — y", *part["archive"], "<!-- SOURCE_END -->"]


def shown(call: Call, rng: random.Random, query: str, audience: str) -> Iterator[Report]:
    """What each command that shows memory prints."""
    layer = rng.choice(("default", "all", "curated", "events", "source", "notes", "tiers"))
    options = recall.RetrieveOptions(query, limit=50, layer=layer, archived=rng.random() < 0.5, audience=audience, explain=True)
    asked: list[Callable[[], Report]] = [
        lambda: recall.retrieve(call, options),
        lambda: pack.task_pack(call, task=query, budget=2000, audience=audience),
        lambda: context.session_context(call, audience=audience, full=rng.random() < 0.5, max_bytes=None),
        lambda: urls.search_url(call, fragment="", limit=5, every=True, audience=audience),
        lambda: load.load(call, slug=rng.choice(SLUGS), audience=audience),
        lambda: todos.listing(call, due=False, topic=rng.choice((None, *SLUGS)), audience=audience),
        lambda: stale.listing(call, days=0, topic=rng.choice((None, *SLUGS)), audience=audience),
        lambda: tree.tree(call, tree.TreeOptions(group=audience == "group")),
        lambda: tree.tree(call, tree.TreeOptions(search=query, group=audience == "group")),
        lambda: entity.ask(call, "list", entity.EntityOptions(group=audience == "group")),
        lambda: entity.ask(call, "find", entity.EntityOptions(("Ana",), group=audience == "group")),
    ]
    if audience == "group":  # the owner keeps the topics of all agents
        asked.append(lambda: topic.list_topics(call, archived=rng.random() < 0.5, audience=audience))
    if rng.random() < 0.2:
        asked.append(lambda: recall.retrieve(call, options._replace(as_of="2026-03-01")))
        asked.append(lambda: recall.retrieve(call, options._replace(known_at="2026-03-02")))
    for ask in asked:
        try:
            yield ask()
        except BadInput as refused:  # a topic that this audience is refused
            yield Report([str(refused), refused.hint])


def leaks(seed: int) -> list[str]:
    """Hidden marks in any output over one random memory."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        store = Store(root, seed)
        rng = store.rng
        settings = config.load(workspace=folder, agent=None, timezone_name="UTC", environ={"HOME": folder})
        call = Call(settings, datetime(2026, 3, 3, 12, tzinfo=UTC), "retrieve")
        query = rng.choice((store.words(), f"private{rng.randrange(16)}x", "foreign0x foreign1x", "privatetopicx", "foreigntopicx health"))
        found = []
        for audience, forbidden in (("owner", "foreign"), ("group", "private|foreign")):
            for report in shown(call, rng, query, audience):
                text = "\n".join([*report.lines, json.dumps([report.data, report.published], ensure_ascii=False)])
                found += [f"{seed} {audience} {hit}" for hit in re.findall(rf"(?:{forbidden})(?:\d+|topic)x", text.replace(query, ""))]
        for change in plan_index(read_topics(call.look()).infos, None):  # the host's search sees the index
            found += [f"{seed} index {hit}" for hit in re.findall(r"private(?:\d+|topic)x", change.data.decode())]
        return found


@pytest.mark.parametrize("first", range(0, 60, 10))
def test_nothing_hidden_is_shown(first: int) -> None:
    assert [leak for seed in range(first, first + 10) for leak in leaks(seed)] == []


@pytest.mark.long
def test_nothing_hidden_is_shown_in_two_hundred() -> None:
    assert [leak for seed in range(200, 400) for leak in leaks(seed)] == []


@pytest.mark.long
@pytest.mark.parametrize("first", range(1000, 11_000, 1000))
def test_nothing_hidden_is_shown_in_ten_thousand(first: int) -> None:
    assert [leak for seed in range(first, first + 1000) for leak in leaks(seed)] == []
