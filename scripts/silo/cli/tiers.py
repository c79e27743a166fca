"""Verbs of the tiers: hot, consolidate, metrics, used."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from silo.cli.cold import server_flags, where_of
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

    tiers = verb(verbs, "consolidate", "Move facts between the tiers, count the tree anew, make the archive true to the log.", _consolidate, writes=True, published=True,
                 examples="  memory_cli.py consolidate\n  memory_cli.py consolidate --mode monthly --dry-run\n  memory_cli.py consolidate --tree show")
    tiers.add_argument("--mode", choices=("quick", "daily", "monthly", "full"), default="quick",
                       help="quick: tiers, tree, archive; daily: daily notes first, dead categories out; monthly: retention, a better tree proposed; full: with a look at the tree (default: quick)")
    what = tiers.add_mutually_exclusive_group()
    what.add_argument("--evict", metavar="ID", nargs="+", default=[], help="take these out of the warm set, into the archive, until they are used again")
    what.add_argument("--tree", choices=("show", "apply", "dismiss"), help="what to do with the tree that a monthly run proposed")
    server_flags(tiers)

    verb(verbs, "ingest-daily", "Take new lines of the daily notes into the event log, each once.", _ingest, writes=True, published=True,
                 examples="  memory_cli.py ingest-daily --dry-run")


def _hot(call: Call, args: argparse.Namespace) -> Report:
    from silo.jobs import hot as job

    update = (args.update[0], args.update[1]) if args.update else None
    return job.hot(call, job.HotOptions(update=update, rebuild=args.rebuild, remove_block=args.remove_block))


def _consolidate(call: Call, args: argparse.Namespace) -> Report:
    if args.tree:
        from silo.jobs import treeplan

        return treeplan.decide_tree(call, args.tree)
    from silo.jobs import consolidate as job

    return job.consolidate(call, job.ConsolidateOptions(mode=args.mode, agent_given=args.agent_id is not None, evict=tuple(args.evict), where=where_of(args)))


def _ingest(call: Call, args: argparse.Namespace) -> Report:
    from silo.jobs import ingest as job

    return job.ingest_daily(call)
