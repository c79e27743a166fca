"""Verbs of the tiers: hot, consolidate, metrics, used."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from silo.cli.common import verb
from silo.jobs.run import Call, Report

if TYPE_CHECKING:
    from silo.cli.common import Verbs


def add(verbs: Verbs) -> None:
    """Register the verbs."""
    hot = verb(verbs, "hot", "Show or update the hot state: what every session should know, at most 5 KB.", _hot, writes=True, published=True,
               examples='  memory_cli.py hot\n  memory_cli.py hot --update owner_profile \'{"timezone": "Europe/Lisbon"}\'\n'
                        '  memory_cli.py hot --update lesson \'{"text": "Dry the glaze for a day", "category": "pottery", "importance": 0.9}\'\n'
                        '  memory_cli.py hot --update project \'{"name": "Kiln", "status": "completed"}\'')
    what = hot.add_mutually_exclusive_group()
    what.add_argument("--update", nargs=2, metavar=("PART", "JSON"), help="identity, owner_profile, lesson, event, task or project; items are told by their text or name")
    what.add_argument("--rebuild", action="store_true", help="prune to the limits, and render the state as a block of MEMORY.md, kept up to date from then on")
    what.add_argument("--remove-block", action="store_true", help="take that block out of MEMORY.md")


def _hot(call: Call, args: argparse.Namespace) -> Report:
    from silo.jobs import hot as job

    update = (args.update[0], args.update[1]) if args.update else None
    return job.hot(call, job.HotOptions(update=update, rebuild=args.rebuild, remove_block=args.remove_block))
