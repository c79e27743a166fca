"""`extract_session.py`: sessions → tagged events."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from silo.cli.common import execute, new_parser
from silo.errors import BadInput
from silo.jobs.choice import ENGINES
from silo.jobs.extract import ExtractOptions, extract
from silo.jobs.run import Call, Report

EXAMPLES = """\
  extract_session.py                                    the host's sessions, what is new since the last run
  extract_session.py --dry-run                          what would be written, nothing is
  extract_session.py --source openclaw --all            every session the host still has
  extract_session.py --since 90d --limit 20             the last 90 days, at most 20 sessions
  extract_session.py --source jsonl --path talk.jsonl   one transcript file
  extract_session.py --source claude-code --path ~/.claude/projects/my-project
  extract_session.py --source chatgpt --path export.zip --all      conversations.json, its folder, or the zip
  extract_session.py --engine openclaw                  the host's own model reads; the rules where it fails
  extract_session.py --engine agent --emit order.json   a work order for the assistant in the chat
  extract_session.py --engine agent --apply answer.json its answer, checked and taken in"""


def parser() -> argparse.ArgumentParser:
    """The argument tree."""
    tree = new_parser(
        "extract_session.py",
        "Read session transcripts and write what was said as tagged events to memory/events. Safe to run twice, and to interrupt.",
        EXAMPLES,
        writes=True,
    )
    tree.add_argument("--source", choices=("auto", "openclaw", "jsonl", "claude-code", "text", "chatgpt", "claude"), default="auto", help="whose transcripts (default: auto)")
    tree.add_argument("--path", metavar="P", help="a transcript file or a folder of them, instead of the host's own place")
    tree.add_argument("--since", metavar="AGE", help="on the first run: sessions of the last 30d, 12h, or since YYYY-MM-DD (default 30d)")
    tree.add_argument("--all", action="store_true", help="every session, however old")
    tree.add_argument("--limit", type=int, metavar="N", help="at most N sessions in this run, oldest first")
    tree.add_argument("--groups", action="store_true", help="group chats too: there only the owner's own words count")
    tree.add_argument("--again", metavar="ID", action="append", default=[], help="take undone event ID (e_…) up again; may be given several times")
    tree.add_argument("--engine", choices=ENGINES, help="who reads: rules (default; no model, no network), openclaw, openai, http, or agent")
    tree.add_argument("--model", metavar="M", help="the engine's model, else that of the configuration")
    tree.add_argument("--endpoint", metavar="URL", help="where the engine openai or http is, else that of the configuration: https, or this machine")
    tree.add_argument("--now", action="store_true", help="with a model: do not wait for sessions to end or to have more in them")
    order = tree.add_mutually_exclusive_group()
    order.add_argument("--emit", metavar="FILE", help="with --engine agent: write what is new as a work order into this new file, for the assistant to answer")
    order.add_argument("--apply", metavar="FILE", help="with --engine agent: check the assistant's answer to the work order and take it in")
    tree.add_argument("--quiet", action="store_true", help="no progress on standard error")
    return tree


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit code of references/commands.md."""
    args = parser().parse_args(sys.argv[1:] if argv is None else argv)
    words = ["extract", "--source", args.source, *(["--path", "…"] if args.path else []), *(["--all"] if args.all else [])]

    def body(call: Call, found: argparse.Namespace) -> Report:
        options = ExtractOptions(
            source=found.source,
            path=found.path,
            since=found.since,
            everything=found.all,
            limit=found.limit,
            groups=found.groups,
            again=tuple(found.again),
            quiet=found.quiet,
            engine=found.engine,
            model=found.model,
            endpoint=found.endpoint,
            at_once=found.now,
        )
        if found.emit or found.apply:
            from silo.jobs import workorder

            if found.engine not in (None, "agent"):
                raise BadInput(f"--emit and --apply are for the engine agent, not {found.engine}", "extract_session.py --engine agent --emit order.json")
            return workorder.emit(call, options, found.emit) if found.emit else workorder.apply(call, options, found.apply)
        return extract(call, options)

    return execute(args, words, body)
