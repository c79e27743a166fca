"""`migrate_memory.py`: a flat MEMORY.md → tiers, topics, entities and a router."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from silo.cli.common import execute, new_parser
from silo.jobs.migrate import MigrateOptions, apply, plan, verify
from silo.jobs.run import Call, Report

EXAMPLES = """\
  migrate_memory.py plan                 what would go where and why; writes nothing
  migrate_memory.py plan --json          the same for a program
  migrate_memory.py apply                asks, then does it in one run that can be undone
  migrate_memory.py apply --yes          does it without asking
  migrate_memory.py apply --dry-run      the diff of every file
  migrate_memory.py verify               targets, and that every line is still there
  migrate_memory.py verify --rows        where every single line is now"""


def parser() -> argparse.ArgumentParser:
    """The argument tree."""
    tree = new_parser(
        "migrate_memory.py",
        "Organise a flat MEMORY.md into protocols, active, archive, topics, an entity graph and a short router. No line is lost.",
        EXAMPLES,
        writes=True,
    )
    tree.add_argument(
        "step",
        nargs="?",
        choices=("plan", "apply", "verify"),
        default="plan",
        help="what to do (default: plan)",
    )
    tree.add_argument("--yes", action="store_true", help="apply without asking")
    tree.add_argument("--diff", action="store_true", help="plan: show the whole diff too")
    tree.add_argument(
        "--rows", action="store_true", help="verify: say for every line where its words are now"
    )
    tree.add_argument(
        "--redact-secrets",
        action="store_true",
        help="move lines that hold a secret too, with a placeholder in its place",
    )
    return tree


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit code of references/commands.md."""
    args = parser().parse_args(sys.argv[1:] if argv is None else argv)

    def ask(question: str) -> bool:
        if args.yes:
            return True
        if not sys.stdin.isatty():
            return False
        return input(f"{question} [y/N] ").strip().lower() in ("y", "yes", "s", "sim")

    def body(call: Call, found: argparse.Namespace) -> Report:
        options = MigrateOptions(found.redact_secrets, found.rows, found.diff)
        if found.step == "apply":
            return apply(call, options, ask)
        return verify(call, options) if found.step == "verify" else plan(call, options)

    return execute(args, ["migrate", args.step], body)
