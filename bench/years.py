#!/usr/bin/env python3
"""Five years of facts (tests/years.py): the context's budget on days in between, and whether the first year's facts are found.

    python bench/years.py --facts 50000

Facts of old days are written straight into log and topics, those of the last days are curated by the real job. Printed: bytes
of what is read whole, and recall@5 of the same questions at the end of year one and of year five, with their ratio.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "tests")]

from years import DAYS, Years  # noqa: E402

BUDGETS = {"context": 8192, "context --full": 15 * 1024}


def main() -> int:
    """A line a day; 1 where a budget was not kept or the last year finds less than the first."""
    tree = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    tree.add_argument("--facts", type=int, default=50_000, help="facts in all (default: 50000)")
    tree.add_argument("--questions", type=int, default=200, help="about facts of the first year (default: 200)")
    tree.add_argument("--seed", type=int, default=1)
    tree.add_argument("--on", type=int, nargs="+", default=[1, 30, 180, 365, 547, 730, 1095, 1460, DAYS], help="days to look at")
    args = tree.parse_args()
    recall: dict[int, float] = {}
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "w"
        root.mkdir()
        made = Years(root, args.facts, args.seed)
        for day in sorted({*args.on, 365, DAYS}):
            made.grow(day)
            sizes = made.sizes(day)
            failed = failed or any(sizes[name] > most for name, most in BUDGETS.items())
            print(f"day {day:5}: " + ", ".join(f"{name} {size:,}" for name, size in sizes.items()), flush=True)
            if day in (365, DAYS):
                recall[day] = made.recall(day, made.questions(args.questions))
                print(f"day {day:5}: recall@5 of the first year's facts {recall[day]:.3f}", flush=True)
    print(f"recall, last year to first: {recall[DAYS] / recall[365]:.3f}")
    return int(failed or recall[DAYS] < recall[365])


if __name__ == "__main__":
    raise SystemExit(main())
