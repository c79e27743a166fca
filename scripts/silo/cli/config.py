"""The verb `config`."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from silo.cli.common import verb
from silo.errors import BadInput
from silo.jobs.run import Call, Report

if TYPE_CHECKING:
    from silo.cli.common import Verbs

ACTIONS = ("show", "set", "unset", "validate", "import")


def add(verbs: Verbs) -> None:
    """Register the verb."""
    config = verb(verbs, "config", "Show the effective settings and where each comes from; set one, check a file, take in a published config.json.", _config, writes=True,
                  examples="  memory_cli.py config show\n  memory_cli.py config set hot.max_lessons 15\n  memory_cli.py config unset hot.max_lessons\n"
                           "  memory_cli.py config validate\n  memory_cli.py config import config.json --dry-run")
    config.add_argument("action", choices=ACTIONS, nargs="?", default="show", help="default: show")
    config.add_argument("given", metavar="ARG", nargs="*", help="set: KEY VALUE; unset: KEY; validate: a file (default: the workspace's); import: a published config.json")


def _config(call: Call, args: argparse.Namespace) -> Report:
    from silo.jobs import config as job

    given = list(args.given)
    wanted = {"show": (0, 0), "set": (2, 99), "unset": (1, 1), "validate": (0, 1), "import": (1, 1)}[args.action]
    if not wanted[0] <= len(given) <= wanted[1]:
        takes = {"show": "nothing", "set": "KEY VALUE", "unset": "KEY", "validate": "at most one FILE", "import": "one FILE"}[args.action]
        raise BadInput(f"config {args.action} takes {takes}", "memory_cli.py config --help")
    match args.action:
        case "set":
            return job.set_value(call, given[0], " ".join(given[1:]))
        case "unset":
            return job.unset(call, given[0])
        case "validate":
            return job.validate(call, given[0] if given else None)
        case "import":
            return job.take_in(call, given[0])
    return job.show(call)
