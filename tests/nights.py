"""A memory in a dictionary, and nights over it: what the tests of curation stand on. Applies a plan as the engine would."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from silo.core.curate import Night, plan_curation
from silo.edge.vocabulary import load_vocabularies
from silo.formats.decisions import read_decisions
from silo.formats.notes import Statement
from silo.formats.topics import new_topic, parse_topic
from silo.model import Append, Confidence, Drop, Event, Move, Plan, Put, Remove, Tag, Write
from silo.text.lines import sha256

REVIEW = ".silo/review.jsonl"


def tag_by_first_word(said: Statement, day: str) -> tuple[Tag, Confidence] | None:
    """A tagger for tests: `EVENT: …` in a note's line says the tag, small talk has none."""
    if said.text.startswith("hm"):
        return None
    word = said.text.partition(":")[0]
    return (Tag[word] if word in Tag.__members__ else Tag.FACT), Confidence.CONFIRMED


@dataclass
class Memory:
    """Files by path, base copies, and the tables of state.db."""

    files: dict[str, bytes] = field(default_factory=dict)
    base: dict[str, bytes] = field(default_factory=dict)
    state: dict[str, dict[str, object]] = field(default_factory=lambda: defaultdict(dict))
    router: Callable[[str], str] = lambda text: "general"
    quotes: Callable[[Event], Sequence[str]] = lambda event: ()

    def topic(self, slug: str, *bullets: str, header: Mapping[str, str] | None = None, written: bool = True) -> None:
        """A topic file with these bullets under "Facts"; `written`: by us, so that a base copy is kept."""
        text = new_topic(slug, type="project", created="2026-01-01", summary="A case.", extra=header)
        self.put(f"memory/topics/{slug}.md", text.replace("## Facts\n", "## Facts\n" + "".join(f"{b}\n" for b in bullets)), written=written)

    def put(self, path: str, text: str, *, written: bool = False) -> None:
        self.files[path] = text.encode()
        if written:
            self.base[path] = text.encode()

    def text(self, slug: str) -> str:
        return self.files[f"memory/topics/{slug}.md"].decode()

    def edit(self, slug: str, old: str, new: str) -> None:
        """A person's edit."""
        text = self.text(slug)
        assert old in text
        self.put(f"memory/topics/{slug}.md", text.replace(old, new))

    def say(self, day: str, *lines: str) -> None:
        """Event lines of a day."""
        path = f"memory/events/{day}.md"
        head = self.files.get(path, f"# Events {day}\n\n".encode())
        self.files[path] = head + "".join(f"{line}\n" for line in lines).encode()

    def plan(self, day: str, **more: object) -> Plan:
        night = Night(
            files=self.files, base=self.base, now=datetime.fromisoformat(f"{day}T04:30:00+00:00"), vocabularies=load_vocabularies,
            router=self.router, tagger=tag_by_first_word, quotes=self.quotes,
            **{name: self.state[name] for name in ("reconciled", "ingested", "undone", "restated")}, **more,
        )  # fmt: skip
        return plan_curation(night)

    def night(self, day: str) -> Plan:
        """One night; planned again afterwards it finds nothing to do."""
        plan = self.plan(day)
        self.apply(plan)
        again = self.plan(day)
        assert again.is_empty, (again.changes, again.state)
        return plan

    def apply(self, plan: Plan) -> None:
        for change in plan.changes:
            match change:
                case Write(path, expect, data):
                    present = self.files.get(path)
                    assert expect == (None if present is None else sha256(present))
                    self.files[path] = self.base[path] = data
                case Append(path, data, head):
                    self.files[path] = self.files.get(path, head) + data
                case Remove() | Move():
                    raise AssertionError("curation neither removes nor moves files")
        for op in plan.state:
            match op:
                case Put(table, key, value):
                    self.state[table][key] = value
                case Drop(table, key):
                    self.state[table].pop(key, None)

    def facts(self, slug: str) -> list[str]:
        file = parse_topic(self.text(slug), f"memory/topics/{slug}.md")
        boxes = {None: "", False: "[ ] ", True: "[x] "}
        return [boxes[fact.done] + fact.text for fact in file.facts]

    def changelog(self, slug: str) -> list[str]:
        """The entries as a person reads them, newest first."""
        file = parse_topic(self.text(slug))
        return [file.lines[entry.start].split(" <!--")[0].strip() for entry in file.entries]

    def review(self) -> list[dict[str, object]]:
        return [dict(item) for item in read_decisions(self.files.get(REVIEW, b"").decode(), REVIEW).items.values()]
