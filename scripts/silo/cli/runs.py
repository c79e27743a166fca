"""Verbs over the runs: log, diff, undo."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from silo.cli.common import verb
from silo.jobs.run import Call, Report

if TYPE_CHECKING:
    from silo.cli.common import Verbs


def add(verbs: Verbs) -> None:
    """Register the verbs."""
    log = verb(verbs, "log", "List the runs that changed something, newest first.", _log, examples="  memory_cli.py log --limit 20")
    log.add_argument("--limit", type=int, default=10, help="how many (default: 10)")

    diff = verb(verbs, "diff", "Show what a run changed.", _diff, examples="  memory_cli.py diff\n  memory_cli.py diff RUN")
    diff.add_argument("run", nargs="?", help="a run's id as log prints it (default: the last one)")

    undo = verb(verbs, "undo", "Take a run back; edits made since are kept. An undo is a run and can be undone.", _undo, writes=True,
                examples="  memory_cli.py undo --last\n  memory_cli.py undo RUN --dry-run")
    undo.add_argument("run", nargs="?", help="a run's id as log prints it")
    undo.add_argument("--last", action="store_true", help="the last run that a person's or the agent's command made")
    undo.add_argument("--any", action="store_true", help="with --last: scheduled runs count too")
    undo.add_argument("--yes", action="store_true", help="do not ask")


def _log(call: Call, args: argparse.Namespace) -> Report:
    from silo.jobs import history as job

    return job.log(call, limit=args.limit)


def _diff(call: Call, args: argparse.Namespace) -> Report:
    from silo.jobs import history as job

    return job.diff(call, args.run)


def _undo(call: Call, args: argparse.Namespace) -> Report:
    from silo.jobs import history as job

    def ask(question: str) -> bool:
        if args.yes:
            return True
        if not sys.stdin.isatty():
            return False
        return input(f"{question} [y/N] ").strip().lower() in ("y", "yes", "s", "sim")

    return job.undo(call, run=args.run, last=args.last, any_run=args.any, ask=ask)
