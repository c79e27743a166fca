"""`suggest_topics.py`: topics that the unfiled part of the log asks for, and the person's answer."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from silo.cli.common import common_flags, execute, new_parser
from silo.jobs import suggest as jobs
from silo.jobs.run import Call, Report

EXAMPLES = """\
  suggest_topics.py                            look at the last 30 days and show what could be a topic
  suggest_topics.py run --json                 the same as one JSON object
  suggest_topics.py list                       what waits for a decision
  suggest_topics.py accept beekeeping          open the topic and file its entries under it
  suggest_topics.py accept s_0f5d2c8e91ab --slug bees --type hobby
  suggest_topics.py dismiss s_0f5d2c8e91ab     not before two weeks and newer entries"""
TYPES = ("project", "hobby", "business", "personal", "reference")
VERBS = ("run", "list", "accept", "dismiss")


def parser() -> argparse.ArgumentParser:
    """The argument tree."""
    tree = new_parser(
        "suggest_topics.py",
        "Suggest topics for entries of the log that have none. Nothing is created before somebody accepts it.",
        EXAMPLES,
    )
    verbs = tree.add_subparsers(dest="verb", metavar="run|list|accept|dismiss")
    verbs.add_parser("run", help="look for new suggestions (default)", parents=[common_flags(writes=True)])
    listing = verbs.add_parser("list", help="suggestions that wait for a decision", parents=[common_flags(writes=False)])
    listing.add_argument("--all", action="store_true", help="the decided ones too")
    taking = verbs.add_parser("accept", help="open the topic and file its entries under it", parents=[common_flags(writes=True)])
    taking.add_argument("which", metavar="ID|SLUG", help="the suggestion")
    taking.add_argument("--slug", metavar="NEW", help="another name for the topic")
    taking.add_argument("--type", choices=TYPES, help="another type of topic")
    leaving = verbs.add_parser("dismiss", help="leave it for two weeks, and until there are newer entries", parents=[common_flags(writes=True)])
    leaving.add_argument("which", metavar="ID|SLUG", help="the suggestion")
    return tree


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit code of references/commands.md."""
    given = list(sys.argv[1:] if argv is None else argv)
    if not any(word in VERBS for word in given) and not {"-h", "--help", "--version"} & set(given):
        given.insert(0, "run")
    args = parser().parse_args(given)
    return execute(args, ["suggest", args.verb], _body)


def _body(call: Call, args: argparse.Namespace) -> Report:
    if args.verb == "accept":
        return jobs.accept(call, which=args.which, slug=args.slug, kind=args.type)
    if args.verb == "dismiss":
        return jobs.dismiss(call, which=args.which)
    if args.verb == "list":
        return jobs.list_open(call, everything=args.all)
    return jobs.run(call, agent=args.agent_id)
