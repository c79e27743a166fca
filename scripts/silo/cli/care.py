"""Verbs that look at the memory's health: status, doctor."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from silo.cli.common import verb
from silo.jobs.run import Call, Report

if TYPE_CHECKING:
    from silo.cli.common import Verbs


def add(verbs: Verbs) -> None:
    """Register the verbs."""
    verb(verbs, "status", "Say what is there and when the jobs last ran.", _status, examples="  memory_cli.py status --json")
    doctor = verb(verbs, "doctor", "Check every file; each finding has a code, a place and what to do. Changes nothing without --fix or --ack.", _doctor, writes=True,
                  examples="  memory_cli.py doctor\n  memory_cli.py doctor --check memory/topics/home.md\n  memory_cli.py doctor --fix --dry-run")
    doctor.add_argument("--check", metavar="FILE", action="append", default=[], help="only findings in this file; may be given several times")
    doctor.add_argument("--fix", action="store_true", help="mend what needs no person: index, counts, tree, derived databases, modes; a run that undo takes back")
    doctor.add_argument("--secrets", action="store_true", help="look for keys, passwords and the like in what is there already; named by place and kind, never shown")
    doctor.add_argument("--ack", action="store_true", help="the event log as it stands is right: changed lines are no longer named")


def _status(call: Call, args: argparse.Namespace) -> Report:
    from silo.jobs import care as job

    return job.status(call)


def _doctor(call: Call, args: argparse.Namespace) -> Report:
    if args.secrets:
        from silo.jobs import secretscan

        return secretscan.secrets(call)
    from silo.jobs import doctor as job

    return job.doctor(call, only=tuple(args.check), acknowledge=args.ack, fix=args.fix)
