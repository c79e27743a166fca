"""Whatever a memory holds and whatever is asked: nothing leaks, nothing literal is lost, every build answers the same."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from silo.core.context import Material, context
from silo.core.pack import pack
from silo.core.search.answer import answer
from silo.edge.index import Index
from silo.formats.events import parse_file
from silo.formats.topics import info, parse_topic
from silo.model import Scope
from silo.text.fold import fold

TODAY = date(2026, 3, 3)
DAYS = ("2026-03-01", "2026-03-02", "2026-03-03")
WORDS = (
    "boat",
    "hull",
    "paint",
    "porta",
    "reunião",
    "reuniões",
    "8080",
    "v2.1",
    "Ana",
    "猫が好き",
    "книга",
    "the",
    "a-b",
    "key",
)
SLUGS = ("general", "garden", "health", "work-log")
EVERY = frozenset({"curated", "tiers", "events", "notes", "source"})

words = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)


@dataclass(frozen=True)
class Line:
    """A statement somewhere in the memory; `hidden` when no group may see it."""

    day: str
    slug: str
    agent: str
    text: str
    place: str  # log, private-log, fact, source, note, router, tier


@st.composite
def lines(draw: st.DrawFn) -> Line:
    return Line(
        draw(st.sampled_from(DAYS)),
        draw(st.sampled_from(SLUGS)),
        draw(st.sampled_from(("default", "other"))),
        draw(words),
        draw(
            st.sampled_from(
                ("log", "log", "log", "private-log", "fact", "fact", "source", "note", "router", "tier")
            )
        ),
    )


TOPIC = (
    "---\ntopic: {slug}\ntype: personal\nstatus: active\n{more}tags: []\nentities: []\ncreated: 2026-01-01\n"
    "last_verified: 2026-01-01\nlast_curated: 2026-01-01\nsummary: About {mark}.\n---\n<!-- CURATED_START -->\n{facts}"
    "<!-- CURATED_END -->\n<!-- SOURCE_START -->\n{source}<!-- SOURCE_END -->\n"
)


def mark(line: Line, number: int, private: frozenset[str], foreign: frozenset[str]) -> str:
    """A word that tells, wherever it turns up, whether a group of agent `default` might see the line."""
    topical = line.place in ("fact", "source")
    hidden = (
        line.place in ("private-log", "note", "router", "tier")
        or line.slug in private
        or (line.place in ("log", "private-log") and line.agent != "default")
        or (topical and line.slug in foreign)
    )
    return f"{'hidden' if hidden else 'open'}{number}x"


def lay(root: Path, given_lines: list[Line], private: frozenset[str], foreign: frozenset[str]) -> None:
    """Write the memory. A private topic may still lie under memory/: a person has just marked it."""
    files: dict[str, list[str]] = {}
    facts: dict[str, list[str]] = {slug: [] for slug in SLUGS if slug != "general"}
    source: dict[str, list[str]] = {slug: [] for slug in facts}
    for number, line in enumerate(given_lines):
        text = f"{line.text} {mark(line, number, private, foreign)}"
        agent = f" <!-- agent:{line.agent} -->" if line.agent != "default" else ""
        event = f"[FACT] {line.slug}: {text}{agent}"
        if line.place == "log":
            files.setdefault(f"memory/events/{line.day}.md", []).append(event)
        elif line.place == "private-log":
            files.setdefault(f".silo/private/events/{line.day}.md", []).append(event)
        elif line.place in ("fact", "source") and line.slug in facts:
            (facts if line.place == "fact" else source)[line.slug].append(f"- {text}")
        elif line.place == "router":
            files.setdefault("MEMORY.md", []).append(f"- {text}")
        elif line.place == "tier":
            files.setdefault("memory/active.md", []).append(f"- {text}")
        else:
            files.setdefault(f"memory/{line.day}.md", []).append(f"- {text}")
    for slug, own in facts.items():
        more = "sensitivity: private\n" if slug in private else ""
        more += "agents: [other]\n" if slug in foreign else ""
        secret = "hiddentopicx" if slug in private or slug in foreign else "opentopicx"
        body = TOPIC.format(
            slug=slug, more=more, mark=secret, facts="".join(f"{x}\n" for x in own),
            source="### 2026-01-01 — x\n" + "".join(f"{x}\n" for x in source[slug]),
        )  # fmt: skip
        files[f"memory/topics/{slug}.md"] = [body]
    for path, found in files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        head = f"# Events {path[-13:-3]}\n\n" if "/events/" in path else ""
        file.write_text(head + "\n".join(found) + "\n", encoding="utf-8")


@contextmanager
def memory(
    given_lines: list[Line], private: frozenset[str], foreign: frozenset[str]
) -> Iterator[tuple[Path, Index]]:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        lay(root, given_lines, private, foreign)
        index = Index.open(root)
        index.refresh()
        yield root, index
        index.close()


stores = st.lists(lines(), max_size=14)
some_slugs = st.frozensets(st.sampled_from(SLUGS[1:]), max_size=2)
quick = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@quick
@given(stores, some_slugs, some_slugs, words, st.booleans())
def test_a_group_is_shown_nothing_hidden(
    given_lines: list[Line], private: frozenset[str], foreign: frozenset[str], query: str, archived: bool
) -> None:
    with memory(given_lines, private, foreign) as (root, index):
        scope = Scope(group=True, layers=EVERY, archived=archived)
        for asked in (query, "hidden", "hidden0x", "hiddentopicx health garden"):
            assert "hidden" not in str(answer(index, asked, today=TODAY, scope=scope, limit=50)).replace(
                asked, ""
            )
            assert "hidden" not in pack(index, asked, today=TODAY, budget=3000, scope=scope).text.replace(
                asked, ""
            )
        events = [
            event
            for folder in ("memory/events", ".silo/private/events")
            for path in sorted((root / folder).glob("*.md"))
            for event in parse_file(
                path.read_text(encoding="utf-8"), path.relative_to(root).as_posix()
            ).events
        ]
        topics = [
            info(parse_topic(path.read_text(encoding="utf-8"), path.relative_to(root).as_posix()))
            for path in sorted((root / "memory/topics").glob("*.md"))
        ]
        material = Material(
            active="- hidden", hot="- hidden", waiting="hidden", events=tuple(events), topics=tuple(topics)
        )
        assert "hidden" not in context(material, agent="default", group=True).text


@quick
@given(stores, some_slugs, words)
def test_no_agent_is_shown_anothers_events(
    given_lines: list[Line], foreign: frozenset[str], query: str
) -> None:
    with memory(given_lines, frozenset(), foreign) as (_, index):
        theirs = {
            f"{line.text} {mark(line, n, frozenset(), foreign)}"
            for n, line in enumerate(given_lines)
            if (line.place in ("log", "private-log") and line.agent == "other")
            or (line.place in ("fact", "source") and line.slug in foreign)
        }
        got = answer(index, query, today=TODAY, scope=Scope(layers=EVERY), limit=50)
        assert theirs.isdisjoint(r.text for r in got.results)


@quick
@given(stores, words)
def test_a_literal_match_is_never_missed(given_lines: list[Line], query: str) -> None:
    with memory(given_lines, frozenset(), frozenset()) as (_, index):
        got = answer(index, query, today=TODAY, scope=Scope(layers=EVERY), limit=50)
        shown = {fold(r.text) for r in got.results}
        for n, line in enumerate(given_lines):
            if line.place not in ("log", "private-log") or line.agent == "default":
                text = fold(f"{line.text} {mark(line, n, frozenset(), frozenset())}")
                assert fold(query) not in text or text in shown or got.level < 5


@quick
@given(stores, stores, words)
def test_incremental_and_rebuilt_answer_the_same(first: list[Line], then: list[Line], query: str) -> None:
    with memory(first, frozenset({"health"}), frozenset()) as (root, index):
        lay(root, [*first, *then], frozenset({"health"}), frozenset())
        for path in root.rglob("*.md"):
            os.utime(path)
        index.refresh()
        ours = answer(index, query, today=TODAY, scope=Scope(layers=EVERY), limit=50)
        for name in ("index.db", "index.db-wal", "index.db-shm"):
            (root / ".silo" / name).unlink(missing_ok=True)
        fresh = Index.open(root)
        fresh.refresh()
        assert answer(fresh, query, today=TODAY, scope=Scope(layers=EVERY), limit=50) == ours
        fresh.close()


@quick
@given(stores, words)
def test_parts_add_up(given_lines: list[Line], query: str) -> None:
    with memory(given_lines, frozenset(), frozenset()) as (_, index):
        for r in answer(index, query, today=TODAY, scope=Scope(layers=EVERY), limit=50).results:
            assert abs(sum(value for _, value in r.parts) - r.score) < 1e-6
