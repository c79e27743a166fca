"""Verbs by which the owner decides: review, correct, confirm, todos, stale."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from silo.cli.common import audience_flag, verb
from silo.jobs.run import Call, Report

if TYPE_CHECKING:
    from silo.cli.common import Verbs


def add(verbs: Verbs) -> None:
    """Register the verbs."""
    review = verb(verbs, "review", "List what waits for the owner's decision, and decide it.", _review, writes=True,
                  examples='  memory_cli.py review list\n  memory_cli.py review accept r_0123456789ab\n'
                           '  memory_cli.py review merge r_0123456789ab "The fair is in Braga on even years, else in Porto."')
    review.add_argument("action", choices=("list", "show", "accept", "reject", "merge", "defer"), nargs="?", default="list",
                        help="accept: the new statement holds; reject: it does not; merge: one statement for both; defer: ask again later (default: list)")
    review.add_argument("id", nargs="?", help="r_…")
    review.add_argument("text", nargs="?", default="", help="merge: the one statement that holds")
    review.add_argument("--days", type=int, default=14, help="defer: ask again after so many days (default: 14)")

    correct = verb(verbs, "correct", "Say what is right where a fact or event is wrong; the old words stay in the changelog.", _correct, writes=True,
                   examples='  memory_cli.py correct f_0123456789ab "The gateway listens on port 9443."')
    correct.add_argument("id", help="f_… or e_…")
    correct.add_argument("text", help="the statement that is right, readable alone")

    confirm = verb(verbs, "confirm", "Say that a fact or event is still right: it counts as verified today.", _confirm, writes=True,
                   examples="  memory_cli.py confirm f_0123456789ab")
    confirm.add_argument("id", help="f_… or e_…")

    todos = verb(verbs, "todos", "List what is still to be done, or tick it.", _todos, writes=True,
                 examples="  memory_cli.py todos --due\n  memory_cli.py todos --done f_0123456789ab")
    todos.add_argument("--due", action="store_true", help="only those with a day, the next one first")
    todos.add_argument("--topic", metavar="SLUG", help="only this topic (general: those of none)")
    todos.add_argument("--done", metavar="ID", help="tick it: f_… or e_…")
    audience_flag(todos)

    stale = verb(verbs, "stale", "List facts and topics that nobody has confirmed for long.", _stale, examples="  memory_cli.py stale --days 90")
    stale.add_argument("--days", type=int, help="for longer than so many days (default: 30 for project and business, else 60)")
    stale.add_argument("--topic", metavar="SLUG", help="only this topic")
    audience_flag(stale)


def _review(call: Call, args: argparse.Namespace) -> Report:
    from silo.jobs import review as job

    if args.action == "list":
        return job.listing(call)
    if args.action == "show":
        return job.show(call, args.id)
    return job.decide(call, action=args.action, ident=args.id, text=args.text, days=args.days)


def _correct(call: Call, args: argparse.Namespace) -> Report:
    from silo.jobs import amend as job

    return job.correct_statement(call, args.id, args.text)


def _confirm(call: Call, args: argparse.Namespace) -> Report:
    from silo.jobs import amend as job

    return job.confirm_statement(call, args.id)


def _todos(call: Call, args: argparse.Namespace) -> Report:
    from silo.jobs import todos as job

    return job.done(call, args.done) if args.done else job.listing(call, due=args.due, topic=args.topic, audience=args.audience)


def _stale(call: Call, args: argparse.Namespace) -> Report:
    from silo.jobs import stale as job

    return job.listing(call, days=args.days, topic=args.topic, audience=args.audience)
