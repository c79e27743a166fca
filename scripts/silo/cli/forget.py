"""The verb `forget`."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from silo.cli.common import verb
from silo.jobs.run import Call, Report

if TYPE_CHECKING:
    from silo.cli.common import Verbs


def add(verbs: Verbs) -> None:
    """Register the verb."""
    forget = verb(verbs, "forget", "Take statements out of the memory and of all that is kept of its past, for good. Shows each place and asks first.", _forget, writes=True,
                  examples='  memory_cli.py forget e_0123456789ab f_0123456789ab\n'
                           '  memory_cli.py forget --topic old-flat --dry-run\n'
                           '  memory_cli.py forget --query "the blue notebook" --notes --yes\n'
                           '  memory_cli.py forget --session 5f3c0d9e-8b4b-4a51-8a3e-1d2f3c4b5a69')
    forget.add_argument("ids", metavar="ID", nargs="*", help="f_…, e_… or r_…")
    forget.add_argument("--topic", metavar="SLUG", default="", help="a topic with its facts, its log lines and its archive")
    forget.add_argument("--entity", metavar="NAME", default="", help="a person, organisation … by id or name, and every statement that names it")
    forget.add_argument("--session", metavar="ID", default="", help="what was learnt from a conversation; it is not read again")
    forget.add_argument("--query", metavar="WORDS", default="", help="every statement that holds these words")
    forget.add_argument("--notes", action="store_true", help="also from your own lines in MEMORY.md and the daily notes")
    forget.add_argument("--yes", action="store_true", help="do not ask")


def _forget(call: Call, args: argparse.Namespace) -> Report:
    from silo.jobs import forget as job

    def ask(question: str) -> bool:
        if args.yes:
            return True
        if not sys.stdin.isatty():
            return False
        return input(f"{question} [y/N] ").strip().lower() in ("y", "yes", "s", "sim")

    wanted = job.Wanted(tuple(args.ids), args.topic, args.entity, args.session, args.query)
    return job.forget(call, wanted, notes=args.notes, ask=ask)
