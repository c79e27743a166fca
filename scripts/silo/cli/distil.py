"""Verbs over a text: distill, validate, extract-metadata."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from silo.cli.common import verb
from silo.errors import BadInput
from silo.jobs.run import Call, Report

if TYPE_CHECKING:
    from silo.cli.common import Verbs


def add(verbs: Verbs) -> None:
    """Register the verbs."""
    distil = verb(verbs, "distill", "Say in a few words what a conversation came to: fact, emotion, people, topics, actions, outcome.", _distil,
                  published=True,
                  examples='  memory_cli.py distill --text "User: Let\'s deploy to testnet first. Agent: Good idea, safer that way."\n'
                           "  memory_cli.py distill --file chat.txt --core-summary\n"
                           '  memory_cli.py distill --text "…" --llm --llm-endpoint http://localhost:8080/complete')
    distil.add_argument("--text", help="the conversation (- reads standard input)")
    distil.add_argument("--file", metavar="FILE", help="a file with the conversation")
    distil.add_argument("--mode", choices=("rule", "llm"), default="", help="by rule, or by a model (default: distillation.mode of the configuration, else rule)")
    distil.add_argument("--llm", action="store_true", help="the same as --mode llm")
    distil.add_argument("--llm-endpoint", metavar="URL", help='an endpoint that takes {"prompt"} and gives {"text"}; the text, without secrets, is sent there')
    distil.add_argument("--engine", choices=("openclaw", "openai", "http"), help="the model's engine (default: engines.distil of the configuration)")
    distil.add_argument("--model", help="the model's name")
    distil.add_argument("--core-summary", action="store_true", help="a summary of less than 30 bytes too")

    check = verb(verbs, "validate", "Check notes for what is left out: addresses of tools, commands of steps, what follows a decision. Exit 1 on warnings.", _validate,
                 published=True, examples="  memory_cli.py validate\n  memory_cli.py validate --file memory/2026-02-13.md")
    check.add_argument("--file", metavar="FILE", help="the file (default: today's daily notes)")

    carried = verb(verbs, "extract-metadata", "List the addresses, commands and paths of a file.", _metadata, published=True,
                   examples="  memory_cli.py extract-metadata --file memory/2026-02-13.md")
    carried.add_argument("--file", metavar="FILE", required=True, help="the file")
    carried.add_argument("--all", action="store_true", help="all of them, not 10 addresses, 5 commands and 10 paths")


def _distil(call: Call, args: argparse.Namespace) -> Report:
    from silo.jobs import distil as job

    return job.distilled(call, job.DistilOptions(
        text=_text(args), mode=args.mode or ("llm" if args.llm else ""), endpoint=args.llm_endpoint, engine=args.engine, model=args.model, summary=args.core_summary,
    ))  # fmt: skip


def _text(args: argparse.Namespace) -> str:
    if args.file:
        try:
            return Path(args.file).expanduser().read_text(encoding="utf-8", errors="replace")
        except OSError as error:
            raise BadInput(f"{args.file}:1: can't be read: {error.strerror or error}", "name a text file, or give --text") from None
    return sys.stdin.read() if args.text == "-" else args.text or ""


def _validate(call: Call, args: argparse.Namespace) -> Report:
    from silo.jobs import notecheck as job

    return job.validate(call, args.file)


def _metadata(call: Call, args: argparse.Namespace) -> Report:
    from silo.jobs import notecheck as job

    return job.extract_metadata(call, args.file, every=args.all)
