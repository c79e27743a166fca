"""The table of bench/recall.py: this program beside bare FTS5 and rank-bm25, each in processes of its own.

The two others read the same event files, keep what they need (a database; a pickle) and answer the same questions. They
split at white space, rank with their own BM25 and know nothing of topics, days or people: a floor of work, no rival.
Times are those of computing (user and system), which a busy machine stretches less than the clock's.
"""

from __future__ import annotations

import random
import statistics
import sys
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from measure import run, script
from words import event_line

ADDED = 100
MOST_IN_MEMORY = 300_000  # events beyond which rank-bm25 takes gigabytes, all read again for each question

FTS5 = """
    import json, pathlib, re, sqlite3, sys
    root, what, *rest = sys.argv[1:]
    db = sqlite3.connect(f"{root}/bare-fts5.db")
    if what == "build":
        db.execute("CREATE VIRTUAL TABLE line USING fts5 (text)")
        for path in sorted(pathlib.Path(root, "memory/events").glob("*.md")):
            db.executemany("INSERT INTO line VALUES (?)", ((x,) for x in path.read_text().splitlines() if x.startswith("[")))
        db.commit()
    elif what == "add":
        db.executemany("INSERT INTO line VALUES (?)", ((x,) for x in rest))
        db.commit()
    else:
        words = " OR ".join('"' + w + '"' for w in re.findall(r"\\w+", rest[0].lower()))
        print(db.execute("SELECT text FROM line WHERE line MATCH ? ORDER BY rank LIMIT 5", (words,)).fetchall())
"""
RANK_BM25 = """
    import pathlib, pickle, re, sys
    from rank_bm25 import BM25Okapi
    root, what, *rest = sys.argv[1:]
    kept = pathlib.Path(root, "rank-bm25.pickle")
    words = lambda text: re.findall(r"\\w+", text.lower())
    if what == "query":
        lines, model = pickle.loads(kept.read_bytes())
        print(model.get_top_n(words(rest[0]), lines, 5))
    else:
        if what == "add":
            lines = pickle.loads(kept.read_bytes())[0] + rest
        else:
            paths = sorted(pathlib.Path(root, "memory/events").glob("*.md"))
            lines = [x for p in paths for x in p.read_text().splitlines() if x.startswith("[")]
        kept.write_bytes(pickle.dumps((lines, BM25Okapi([words(x) for x in lines]))))
"""


@dataclass(frozen=True)
class Row:
    """One line of the table. `disk` is what is kept beside the event files, in megabytes."""

    name: str
    events: int
    build: float
    add: float
    query: float
    disk: float
    build_memory: float
    query_memory: float

    def __str__(self) -> str:
        return (f"{self.events:9,} {self.name:12} {self.build:8.2f} {self.add * 1000:8.0f} {self.query * 1000:9.0f} "
                f"{self.disk:8.1f} {self.build_memory:9.0f} {self.query_memory:9.0f}")  # fmt: skip


HEAD = f"   events program       build s  +{ADDED} ms  query ms  disk MB  build MB  query MB"


def rows(workspace: Path, home: Path, today: str, events: int, questions: Sequence[str], seed: int) -> Iterator[Row]:
    """The three programs over the same workspace, each as it is done; bare ones first, because ours adds lines to it."""
    rng = random.Random(seed + 1)
    new = [event_line(rng, events + n, ["general"]) for n in range(ADDED)]
    for name, source in _others(events):
        yield _other(name, source, workspace, home, events, questions, new)
    yield _ours(workspace, home, today, events, questions, new)


def _others(events: int) -> list[tuple[str, str]]:
    # Looked for, not imported: a child's peak memory counts from that of the process which starts it.
    there = find_spec("rank_bm25") is not None and events <= MOST_IN_MEMORY
    return [("bare FTS5", FTS5), *([("rank-bm25", RANK_BM25)] if there else [])]


def _other(name: str, source: str, workspace: Path, home: Path, events: int, questions: Sequence[str], new: Sequence[str]) -> Row:
    def call(*words: str) -> tuple[str, ...]:
        return (sys.executable, "-c", textwrap.dedent(source), str(workspace), *words)

    before = _size(workspace)
    built = run(call("build"), home)
    added = run(call("add", *new), home)
    return _row(name, events, built.cpu, built.megabytes, added.cpu, _size(workspace) - before, home,
                lambda question: call("query", question), questions)  # fmt: skip


def _ours(workspace: Path, home: Path, today: str, events: int, questions: Sequence[str], new: Sequence[str]) -> Row:
    def call(question: str) -> tuple[str, ...]:
        return script("memory_cli.py", "retrieve", "--workspace", str(workspace), "--today", today, "--query", question)

    build, memory = 0.0, 0.0
    while True:  # an index is built in slices, one a question
        taken = run(call("warm up"), home)
        build, memory = build + taken.cpu, max(memory, taken.megabytes)
        if "not yet indexed" not in taken.stdout and taken.cpu < 1.5:
            break
    usual = statistics.median(run(call("warm up"), home).cpu for _ in range(3))
    disk = _size(workspace / ".silo")
    with (workspace / "memory" / "events" / f"{today}.md").open("a", encoding="utf-8") as log:
        log.write("".join(line + "\n" for line in new))
    added = max(0.0, run(call("warm up"), home).cpu - usual)
    return _row("memory-silo", events, build, memory, added, disk, home, call, questions)


def _row(name: str, events: int, build: float, memory: float, add: float, disk: int, home: Path,
         ask: Callable[[str], Sequence[str]], questions: Sequence[str]) -> Row:  # fmt: skip
    taken = [run(ask(question), home) for question in questions]
    query, most = statistics.median(one.cpu for one in taken), max(one.megabytes for one in taken)
    return Row(name, events, build, add, query, disk / 1e6, memory, most)


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
