"""The verb `entity`: who and what the memory knows, asked and changed."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from silo.cli.common import verb
from silo.jobs.run import Call, Report

if TYPE_CHECKING:
    from silo.cli.common import Verbs

ASK = ("get", "list", "find", "neighbors")
CHANGE = ("add", "update", "merge", "relate", "unrelate")
EXAMPLES = """\
  memory_cli.py entity list --type Project
  memory_cli.py entity get "Ana Sousa" --at 2026-01-31
  memory_cli.py entity neighbors p_ana_sousa --rel member_of
  memory_cli.py entity add Person "Ana Sousa" --set role=Engineer
  memory_cli.py entity update p_ana_sousa --set role="Team lead" --from 2026-05-01
  memory_cli.py entity relate p_ana_sousa member_of org_acme --from 2025-09
  memory_cli.py entity unrelate p_ana_sousa member_of org_acme --until 2026-06-30
  memory_cli.py entity merge p_ana p_ana_sousa"""


def add(verbs: Verbs) -> None:
    """Register the verb."""
    tree = verb(verbs, "entity", "Ask for people, organisations, projects, places and property, or change what is known of them.", _entity, writes=True, examples=EXAMPLES)
    tree.add_argument("action", choices=(*ASK, *CHANGE))
    tree.add_argument("words_given", nargs="*", metavar="WORD", help="an id or name; add TYPE NAME; merge ID INTO; relate or unrelate ID RELATION ID")
    tree.add_argument("--type", default="", help="list, find, get: only entities of this type")
    tree.add_argument("--rel", default="", help="neighbors: only over this relation")
    tree.add_argument("--at", metavar="DATE", default="", help="get, list, find, neighbors: as it was on that day")
    tree.add_argument("--set", dest="given", metavar="KEY=VALUE", action="append", default=[], help="add, update: a property; may be given several times")
    tree.add_argument("--unset", metavar="KEY", action="append", default=[], help="update: take a property out; may be given several times")
    tree.add_argument("--alias", metavar="NAME", action="append", default=[], help="add, update: another name; may be given several times")
    tree.add_argument("--from", dest="since", metavar="DATE", default="", help="add, update, relate: since when it is so (YYYY, YYYY-MM or YYYY-MM-DD)")
    tree.add_argument("--until", metavar="DATE", default="", help="relate, unrelate: until when it was so")
    tree.add_argument("--private", action="store_true", help="add, update, relate: keep it out of the host's search and of group chats")
    tree.add_argument("--audience", choices=("owner", "group"), default="owner", help="group: nothing private")


def _entity(call: Call, args: argparse.Namespace) -> Report:
    from silo.jobs import entity as job

    options = job.EntityOptions(
        words=tuple(args.words_given),
        type=args.type,
        rel=args.rel,
        at=args.at,
        given=tuple(args.given),
        aliases=tuple(args.alias),
        unset=tuple(args.unset),
        since=args.since,
        until=args.until,
        private=args.private,
        group=args.audience == "group",
    )
    return (job.ask if args.action in ASK else job.change)(call, args.action, options)
