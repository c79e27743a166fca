"""Verbs of the tiers: hot, consolidate, metrics, used."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from silo.cli.cold import where_of
from silo.cli.common import mirror_flags, verb
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
    mirror_flags(tiers)

    verb(verbs, "ingest-daily", "Take new lines of the daily notes into the event log, each once.", _ingest, writes=True, published=True,
                 examples="  memory_cli.py ingest-daily --dry-run")

    figures = verb(verbs, "metrics", "Print the figures of the memory: sizes, counts, and what changed over days.", _metrics, published=True, writes=True,
                   examples="  memory_cli.py metrics\n  memory_cli.py metrics --trend\n  memory_cli.py metrics --report --days 30 --plain")
    when = figures.add_mutually_exclusive_group()
    when.add_argument("--record", action="store_true", help="put the figures on record (consolidate does it too)")
    when.add_argument("--report", action="store_true", help="what was recorded, as JSON lines")
    when.add_argument("--trend", action="store_true", help="how each figure changed")
    figures.add_argument("--days", type=int, default=7, help="with --report and --trend: over so many days (default: 7)")

    used = verb(verbs, "used", "Say how a procedure worked out; without an id: how all of them have, and which may no longer work.", _used, writes=True,
                examples="  memory_cli.py used e_0123456789ab --ok\n  memory_cli.py used e_0123456789ab --failed\n  memory_cli.py used --check-urls")
    used.add_argument("id", nargs="?", help="e_… of a PROCEDURE entry, or f_… of the fact that came of it")
    how = used.add_mutually_exclusive_group()
    how.add_argument("--ok", action="store_true", help="it worked")
    how.add_argument("--failed", action="store_true", help="it did not work")
    used.add_argument("--check-urls", action="store_true", help="ask each address that a procedure names whether it is still there; otherwise nothing goes out")


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


def _metrics(call: Call, args: argparse.Namespace) -> Report:
    from silo.jobs import metrics as job

    return job.metrics(call, job.MetricsOptions(record=args.record, report=args.report, trend=args.trend, days=args.days))


def _used(call: Call, args: argparse.Namespace) -> Report:
    from silo.jobs.used import UsedOptions, used

    return used(call, UsedOptions(ident=args.id or "", ok=args.ok, failed=args.failed, check_urls=args.check_urls))
