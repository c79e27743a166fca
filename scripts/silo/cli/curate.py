"""`curate_nightly.py`: events and daily notes → curated facts."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from silo.cli.common import execute, new_parser
from silo.jobs.curate import curate
from silo.jobs.run import Call, Report

EXAMPLES = """\
  curate_nightly.py               one night: daily notes, new events, topic files, index
  curate_nightly.py --dry-run     the diff of what the night would write
  curate_nightly.py --mode quick  new events only, daily notes are left for the night"""


def parser() -> argparse.ArgumentParser:
    """The argument tree."""
    tree = new_parser(
        "curate_nightly.py",
        "Reconcile new events with the facts of their topics, with a changelog; what contradicts waits in review. A second run changes nothing.",
        EXAMPLES,
        writes=True,
    )
    tree.add_argument("--mode", choices=("quick", "daily", "monthly", "full"), default="daily", help="how much of the night's work (default: daily)")
    return tree


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit code of references/commands.md."""
    args = parser().parse_args(sys.argv[1:] if argv is None else argv)

    def body(call: Call, found: argparse.Namespace) -> Report:
        report = curate(call, mode=found.mode)
        quiet = isinstance(report.data, dict) and (report.data.get("quiet") is True or "busy" in report.data)
        from silo.jobs.nightsteps import night_steps

        after = night_steps(call, found.mode, agent_given=found.agent_id is not None, quiet=quiet)
        if after is not None:
            report.lines += after.lines
            if isinstance(report.data, dict):
                report.data["tiers"] = after.data
        return report

    return execute(args, ["curate", "--mode", args.mode], body)
