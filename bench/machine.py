#!/usr/bin/env python3
"""The state machine of tests/props/test_memory_machine.py for as long as you like: steps taken, failures found.

    python bench/machine.py --examples 5000 --steps 30 --seed 1

Needs the dev packages (hypothesis). A failure is printed as the shortest sequence of steps that brings it about; exit 1.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "tests"), str(ROOT / "tests/props")]

from hypothesis import HealthCheck, seed, settings  # noqa: E402
from hypothesis.stateful import invariant, run_state_machine_as_test  # noqa: E402
from test_memory_machine import Memory  # noqa: E402


class Counted(Memory):
    """The machine with its steps counted over all examples."""

    steps = 0

    @invariant()
    def one_more(self) -> None:
        """Called once after each step."""
        Counted.steps += 1


def main() -> int:
    """One run; 1 where a failure was found."""
    tree = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    tree.add_argument("--examples", type=int, default=1000, help="sequences of steps (default: 1000)")
    tree.add_argument("--steps", type=int, default=30, help="at most so many steps a sequence (default: 30)")
    tree.add_argument("--seed", type=int, default=0, help="another seed takes other ways (default: 0)")
    args = tree.parse_args()
    how = settings(
        max_examples=args.examples, stateful_step_count=args.steps, deadline=None, database=None, suppress_health_check=list(HealthCheck)
    )
    started = time.monotonic()
    failures = 0
    try:
        run_state_machine_as_test(seed(args.seed)(Counted), settings=how)
    except Exception:  # noqa: BLE001 - whatever it is, it is the finding
        failures = 1
        traceback.print_exc()
    seconds = time.monotonic() - started
    print(f"{Counted.steps} steps in up to {args.examples} sequences, seed {args.seed}: {failures} failures, {seconds:.0f} s")
    return failures


if __name__ == "__main__":
    raise SystemExit(main())
