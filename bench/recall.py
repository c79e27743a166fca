#!/usr/bin/env python3
"""Recall in a cold process over one-line events: the index built once, then one process a question.

`--sizes 1000000` works too and takes minutes to build. `--table` puts the same beside bare FTS5 and, where it is
installed, rank-bm25: build, add, query, disk, memory (table.py).
"""

from __future__ import annotations

import argparse
import random
import statistics
from datetime import date, timedelta
from pathlib import Path

from measure import FLOOR, folder, run, script
from table import HEAD, rows
from words import PEOPLE, PLACES, THINGS, event_line

PER_DAY = 200


def fill_workspace(workspace: Path, events: int, seed: int) -> str:
    """An event log of so many lines, 200 a day; returns its last day."""
    rng = random.Random(seed)
    log = workspace / "memory" / "events"
    log.mkdir(parents=True)
    day = date(2020, 1, 1)
    for first in range(0, events, PER_DAY):
        lines = [event_line(rng, n, ["general", "garage", "office"]) + "\n" for n in range(first, min(first + PER_DAY, events))]
        (log / f"{day}.md").write_text(f"# Events {day}\n\n" + "".join(lines), encoding="utf-8", newline="")
        day += timedelta(days=1)
    return str(day - timedelta(days=1))


def questions(rng: random.Random, events: int, count: int) -> list[str]:
    """Half ask for one rare item among common words, half for common words alone."""
    rare = [f"which {rng.choice(THINGS)} was item {rng.randrange(events)}" for _ in range(count // 2)]
    common = [f"does {rng.choice(PEOPLE)} look after the {rng.choice(THINGS)} in {rng.choice(PLACES)}" for _ in range(count - count // 2)]
    return rare + common


def table(args: argparse.Namespace) -> None:
    """One row a program and size."""
    print(HEAD)
    with folder(args.keep) as home:
        for size in args.sizes or [1_000, 10_000, 100_000]:
            workspace = home / f"workspace-{size}"
            today = fill_workspace(workspace, size, args.seed)
            asked = questions(random.Random(args.seed), size, args.questions)
            for row in rows(workspace, home, today, size, asked, args.seed):
                print(row, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+")
    parser.add_argument("--questions", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="work in this empty folder and leave it")
    parser.add_argument("--table", action="store_true", help="beside bare FTS5 and rank-bm25; sizes 1,000 to 100,000 unless given")
    args = parser.parse_args()
    if args.table:
        table(args)
        return
    args.sizes = args.sizes or [10_000, 100_000]
    print("events    build s   peak MB   question ms: median   p90   × bare interpreter   × its computing       one store, then a question ms")
    with folder(args.keep) as home:
        for size in args.sizes:
            workspace = home / f"workspace-{size}"
            today = fill_workspace(workspace, size, args.seed)
            common = ("--workspace", str(workspace), "--today", today)
            built = run(script("memory_cli.py", "retrieve", *common, "--query", "warm up"), home)
            while True:  # a refresh may be cut into slices; ask until one answers in the usual time
                again = run(script("memory_cli.py", "retrieve", *common, "--query", "warm up"), home)
                if again.seconds < 1 or again.seconds > built.seconds * 0.9:
                    break
            ours, bare = [], []
            for question in questions(random.Random(args.seed), size, args.questions):
                ours.append(run(script("memory_cli.py", "retrieve", *common, "--query", question), home))
                bare.append(run(FLOOR, home))
            run(script("memory_cli.py", "store", *common, "--text", "The spare key hangs behind the kiln."), home)
            after = run(script("memory_cli.py", "retrieve", *common, "--query", "where is the spare key"), home)
            median, floor = (statistics.median(one.seconds for one in some) * 1000 for some in (ours, bare))
            work, least = (statistics.median(one.cpu for one in some) * 1000 for some in (ours, bare))
            slow = statistics.quantiles((one.seconds * 1000 for one in ours), n=10)[-1]
            print(f"{size:9,} {built.seconds:6.2f} {max(built.megabytes, *(one.megabytes for one in ours)):9.0f} {median:21.0f} {slow:5.0f} "
                  f"{median / floor:8.2f} ({floor:.0f} ms) {work / least:9.2f} ({work:.0f} of {least:.0f} ms) {after.seconds * 1000:12.0f}")


if __name__ == "__main__":
    main()
