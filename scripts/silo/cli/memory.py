"""`memory_cli.py`: every verb that is not one of the nightly scripts. Holds the tree; the groups hold the verbs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from silo.cli import recall
from silo.cli.common import execute, new_parser

EXAMPLES = """\
  memory_cli.py init                                     make a workspace ready
  memory_cli.py store --text "Chose Mollie, not Stripe." --tag DECISION
  memory_cli.py retrieve --query "payment provider"      the cheapest sufficient answer
  memory_cli.py load boat-rental                         a topic's curated facts
  memory_cli.py context                                  what a session starts with (≤ 8 KB)
  memory_cli.py why f_0123456789ab                       the quoted source of a fact
  memory_cli.py undo --last                              take the last run back"""


def parser(verb: str = "") -> argparse.ArgumentParser:
    """The argument tree; of a verb that is asked often its own branch alone, because the whole tree takes time to grow."""
    tree = new_parser("memory_cli.py", "Ask, add to, inspect and repair the memory of an assistant.", EXAMPLES)
    verbs = tree.add_subparsers(dest="verb", metavar="VERB", required=True)
    if verb in recall.BRANCHES:
        recall.BRANCHES[verb](verbs)
        return tree
    if verb in ("tree", "search-url"):
        from silo.cli import filing

        filing.add(verbs)
        return tree
    from silo.cli import care, cold, config, distil, entity, filing, forget, moving, owner, runs, tiers, write

    for group in (write, recall, tiers, cold, filing, distil, entity, owner, forget, moving, config, runs, care):
        group.add(verbs)
    return tree


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit code of references/commands.md."""
    words = sys.argv[1:] if argv is None else argv
    args = parser(words[0] if words else "").parse_args(words)
    return execute(args, args.words(args), args.body)
