#!/usr/bin/env python3
"""Invented lives of one user, lived by the true jobs (tests/life.py, tests/living.py): what the memory knew at the end.

    python bench/year.py --seed 1 2 3 --days 365 --json

Needs the dev packages (pytest). Per life: nights, what was wrong on any of them, and the audit: facts on three days as true
then and as known then, those that were stored and those that were told in conversation apart.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "tests")]

from living import Answered, lived  # noqa: E402


def score(rows: list[Answered]) -> dict[str, str]:
    """Right answers of all, by how the fact was told and how it was asked."""
    right: Counter[tuple[bool, str]] = Counter()
    every: Counter[tuple[bool, str]] = Counter()
    for row in rows:
        every[row.stored, row.way] += 1
        right[row.stored, row.way] += row.right
    return {f"{'stored' if stored else 'told'}, {way}": f"{right[stored, way]}/{number}" for (stored, way), number in sorted(every.items())}


def one(seed: int, days: int, facts: int, every: int) -> dict[str, Any]:
    """The figures of one life."""
    started = time.monotonic()
    with lived(seed, days, every=every) as life:
        rows = [*life.audit(facts), *life.asked(facts)]
        return {
            "seed": seed, "days": days, "nights": life.nights, "events": life.events, "wrong": life.wrong, "audit": score(rows),
            "missed": [f"{row.subject}, day {row.day}, {row.way}: {sorted(row.told)} for {sorted(row.wanted)}" for row in rows if not row.right],
            "counts": dict(life.counts), "seconds": round(time.monotonic() - started, 1),
        }  # fmt: skip


def main() -> int:
    """One line a life; 1 where a night or a stored fact was wrong."""
    tree = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    tree.add_argument("--seed", type=int, nargs="+", default=[1], help="one life each (default: 1)")
    tree.add_argument("--days", type=int, default=365, help="how long (default: 365)")
    tree.add_argument("--facts", type=int, default=50, help="facts of each way of telling that are asked for (default: 50)")
    tree.add_argument("--every", type=int, default=5, help="nights between two full checks (default: 5)")
    tree.add_argument("--json", action="store_true", help="one JSON object a life")
    args = tree.parse_args()
    failed = False
    for seed in args.seed:
        made = one(seed, args.days, args.facts, args.every)
        failed = failed or bool(made["wrong"])
        if args.json:
            print(json.dumps(made, ensure_ascii=False), flush=True)
            continue
        print(f"seed {seed}: {made['nights']} nights, {made['events']} events, {len(made['wrong'])} wrong, {made['seconds']} s")
        print("  " + "; ".join(f"{way} {right}" for way, right in made["audit"].items()), flush=True)
        for line in made["wrong"][:10]:
            print(f"  {line}")
    return int(failed)


if __name__ == "__main__":
    raise SystemExit(main())
