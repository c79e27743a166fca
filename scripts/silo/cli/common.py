"""The flags that mean the same everywhere, and how a report reaches the terminal or a program."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING

from silo import __version__
from silo.jobs.run import Call, Report, call_from, guarded

Body = Callable[[Call, argparse.Namespace], Report]
if TYPE_CHECKING:
    Verbs = argparse._SubParsersAction[argparse.ArgumentParser]


@cache
def _columns() -> int:
    """The width of help: that of the terminal, else 80."""
    try:
        return os.get_terminal_size(sys.__stdout__.fileno() if sys.__stdout__ else 1).columns or 80
    except (OSError, ValueError):
        return 80


class Help(argparse.RawDescriptionHelpFormatter):
    """Help as it was typed. The library's own way to the terminal's width imports compression for every flag of a parser."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_columns() - 2)


def common_flags(*, writes: bool) -> argparse.ArgumentParser:
    """A parent parser with the shared flags; `--dry-run` only where the command writes."""
    parent = argparse.ArgumentParser(add_help=False)
    group = parent.add_argument_group("common")
    group.add_argument("--workspace", metavar="DIR", help="the agent's workspace (default: $OPENCLAW_WORKSPACE_DIR, else the host's)")
    group.add_argument("--agent-id", metavar="ID", help="whose memory (default: default)")
    group.add_argument("--timezone", metavar="ZONE", help="zone of the local day, e.g. Europe/Lisbon (default: the host's, else TZ, else UTC)")
    group.add_argument("--today", metavar="DATE", help="work as if it were noon of that day (YYYY-MM-DD), for replays")
    group.add_argument("--json", action="store_true", help="one JSON object on standard output")
    group.add_argument("--debug", action="store_true", help="show tracebacks")
    if writes:
        group.add_argument("--dry-run", action="store_true", help="show the diff of what would be written, write nothing")
        group.add_argument("--scheduled", action="store_true", help="mark the run as made by a scheduler, not by a person")
    return parent


def new_parser(prog: str, description: str, examples: str, *, writes: bool | None = None) -> argparse.ArgumentParser:
    """A parser with examples below its help, and the common flags where `writes` says which."""
    parser = argparse.ArgumentParser(
        prog=prog,
        description=description,
        epilog=f"examples:\n{examples}" if examples else None,
        formatter_class=Help,
        parents=[] if writes is None else [common_flags(writes=writes)],
    )
    parser.add_argument("--version", action="version", version=f"memory-silo {__version__}")
    return parser


def verb(
    verbs: Verbs, name: str, description: str, body: Body, *, writes: bool = False, published: bool = False, examples: str = ""
) -> argparse.ArgumentParser:
    """Register a verb of memory_cli.py. A published one prints JSON off a terminal; `--plain` forces text."""
    tree = verbs.add_parser(
        name,
        help=description,
        description=description,
        epilog=f"examples:\n{examples}" if examples else None,
        formatter_class=Help,
        parents=[common_flags(writes=writes)],
    )
    if published:
        tree.add_argument("--plain", action="store_true", help="text even where standard output is not a terminal")
    # Only the verb is recorded with a run: what follows may hold the user's words.
    tree.set_defaults(body=body, words=lambda args: [name], published=published)
    return tree


def mirror_flags(parser: argparse.ArgumentParser, does: str = "") -> None:
    """The published flags that name a Turso server; `does` says what this verb does with them, where it is not its own work."""
    more = f"; {does}" if does else ""
    parser.add_argument("--db-url", metavar="URL", default="", help=f"the mirror's address: libsql://NAME.turso.io or https://HOST (default: $TURSO_URL){more}")
    parser.add_argument("--auth-token", metavar="TOKEN", default="", help=f"its token (default: $TURSO_TOKEN, which is safer){more}")


def audience_flag(parser: argparse.ArgumentParser, group: str = "nothing private, nothing of other agents") -> None:
    """Who will read what the verb prints; `group` says what that means here."""
    parser.add_argument("--audience", choices=("owner", "group"), default="owner", help=f"group: {group}")


def warn_of_token(args: argparse.Namespace) -> None:
    """A token on the command line works, and is told to be seen."""
    if args.auth_token:
        say("NOTE a token on the command line can be read by every program on this machine; TURSO_TOKEN is safer")


def say(line: str) -> None:
    """A remark for the person watching; never part of the result."""
    print(line, file=sys.stderr, flush=True)


def execute(args: argparse.Namespace, words: Sequence[str], body: Body) -> int:
    """Run a command's body under the guard and print its report."""

    def run() -> int:
        call = call_from(vars(args), " ".join(words), say)
        report = body(call, args)
        published = getattr(args, "published", False) and report.published is not None
        if published and not call.as_json and not args.plain and not sys.stdout.isatty():
            return show(Report(report.lines, report.published, report.code), as_json=True)
        return show(report, as_json=call.as_json)

    return guarded(run, debug=bool(getattr(args, "debug", False)))


def show(report: Report, *, as_json: bool) -> int:
    """Print a report: text lines, or its data as one JSON value."""
    if as_json:
        print(json.dumps(report.data, ensure_ascii=False, default=str))
    else:
        for line in report.lines:
            print(line)
    sys.stdout.flush()
    return report.code
