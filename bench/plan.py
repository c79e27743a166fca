#!/usr/bin/env python3
"""Planning the migration of a MEMORY.md of 20,000 lines, as a ratio to two floors of the same run.

    python3 bench/plan.py [--lines 20000] [--runs 3]

Floors: reading the file and splitting it into lines; reading it and splitting it into the blocks that a plan works on
(headings, list items, tables, fences). The plan is made in process, as `migrate_memory.py plan` makes it, without its start.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

from silo.core.migrate.plan import plan_migration  # noqa: E402 - the package lies beside the bench
from silo.core.migrate.reading import read  # noqa: E402
from silo.core.migrate.request import Request  # noqa: E402
from silo.edge.migration_words import load_migration_words  # noqa: E402

HEADINGS = ("Deploy", "Projects", "Waiting on", "People", "Lessons", "Done in March", "Casa", "Reunião", "Ferramentas", "Contacts")
LINES = (
    "- Backups run at 04:{n:02d} with `backup.sh --full {n}`.",
    "- [ ] Send invoice {n} to the accountant by 2026-03-{d:02d}",
    "- [x] Renewed domain {n} on 2026-01-{d:02d}",
    "- 2026-02-{d:02d}: decided to keep shelf {n} for the archive",
    "- Waiting on the landlord's answer about room {n}",
    "| Tool {n} | https://example.org/{n} | works |",
    "O contrato {n} foi assinado em 2026-01-{d:02d} e está arquivado.",
    "",
)


def generated(lines: int, seed: int) -> str:
    """An invented MEMORY.md of about `lines` lines."""
    rng = random.Random(seed)
    made: list[str] = ["# Memory", ""]
    while len(made) < lines:
        made += ["", f"## {rng.choice(HEADINGS)} {rng.randrange(100)}", ""]
        made += [rng.choice(LINES).format(n=rng.randrange(60), d=rng.randrange(1, 29)) for _ in range(rng.randrange(4, 40))]
    return "\n".join(made[:lines]) + "\n"


def timed(work: Callable[[], object], runs: int) -> float:
    """Median seconds."""
    took = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        took.append(time.perf_counter() - start)
    return statistics.median(took)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=int, default=20_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    request = Request("MEMORY.md", date(2026, 3, 10), "2026-03-10T12:00:00+00:00", "default", load_migration_words())
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "MEMORY.md"
        path.write_text(generated(args.lines, args.seed), encoding="utf-8")
        lines = timed(lambda: path.read_text(encoding="utf-8").split("\n"), 20)
        blocks = timed(lambda: read(path.read_text(encoding="utf-8")), args.runs)
        plan = timed(lambda: plan_migration(path.read_text(encoding="utf-8"), {}, request), args.runs)
    print(f"{args.lines} lines; median of {args.runs}")
    print(f"read and split into lines   {lines * 1000:8.1f} ms")
    print(f"read and split into blocks  {blocks * 1000:8.1f} ms")
    print(f"plan                        {plan * 1000:8.1f} ms = {plan / blocks:.1f} × blocks, {plan / lines:.0f} × lines")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
