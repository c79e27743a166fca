#!/usr/bin/env python3
"""A quiet night: 1,000 topic files of about 8 KB, nothing new. Curation and extraction as ratios to a bare interpreter."""

from __future__ import annotations

import argparse
import random
from pathlib import Path

from measure import beside_floor, folder, run, script
from words import STATEMENTS, event_line, fill

HEADER = """---
topic: {slug}
type: project
status: active
tags: [bench, made-up]
entities: [Ana]
created: 2026-01-05
last_verified: 2026-03-01
last_curated: 2026-03-01
summary: Invented topic number {number}.
---
<!-- CURATED_START -->
# Topic {number}

## Facts

"""
FOOTER = """
## Changelog

<!-- CURATED_END -->
<!-- SOURCE_START -->
{blocks}<!-- SOURCE_END -->
"""
DAY = "2026-03-02"


def topic(number: int, rng: random.Random) -> str:
    """A topic file of about 8 KB, half facts, half source."""
    facts = "".join(f"- {fill(rng.choice(STATEMENTS), rng)} Lot {number}-{i}.\n" for i in range(60))
    quoted = "".join(f"> {fill(rng.choice(STATEMENTS), rng)}\n" for _ in range(6))
    blocks = "".join(f"### 2026-02-{20 - i:02} — Talk {i}\n\n{quoted}\n" for i in range(8))
    return HEADER.format(slug=f"topic-{number}", number=number) + facts + FOOTER.format(blocks=blocks)


def fill_workspace(workspace: Path, topics: int, seed: int) -> None:
    rng = random.Random(seed)
    (workspace / "memory" / "topics").mkdir(parents=True)
    (workspace / "memory" / "events").mkdir()
    for number in range(topics):
        (workspace / "memory" / "topics" / f"topic-{number}.md").write_text(topic(number, rng), encoding="utf-8", newline="")
    lines = [event_line(rng, n, ["topic-1", "topic-2", "general"]) + "\n" for n in range(50)]
    (workspace / "memory" / "events" / f"{DAY}.md").write_text(f"# Events {DAY}\n\n" + "".join(lines), encoding="utf-8", newline="")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--topics", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=7, help="the median of so many counts (default 7)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="work in this empty folder and leave it")
    args = parser.parse_args()
    with folder(args.keep) as home:
        workspace = home / "workspace"
        fill_workspace(workspace, args.topics, args.seed)
        (home / "state" / "agents" / "main" / "sessions").mkdir(parents=True)
        size = sum(p.stat().st_size for p in (workspace / "memory" / "topics").iterdir())
        print(f"{args.topics} topics, {size / args.topics / 1000:.1f} KB each; median of {args.runs}")
        common = ("--workspace", str(workspace), "--today", "2026-03-03")
        for name, words in (("curate_nightly.py", ()), ("extract_session.py", ("--source", "openclaw", "--all"))):
            command = script(name, *common, *words)
            first = run(command, home)
            run(command, home)
            ours, floor, ratio = beside_floor(command, home, args.runs)
            print(f"{name:20} first {first.seconds:6.2f} s ({first.megabytes:.0f} MB)   quiet {ours:6.0f} ms = {ratio:5.1f} × bare ({floor:.0f} ms)")


if __name__ == "__main__":
    main()
