"""Verbs that bring a memory in and out: import, export."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from silo.cli.common import verb
from silo.jobs.run import Call, Report

if TYPE_CHECKING:
    from silo.cli.common import Verbs

KINDS = ("auto", "topics", "tiered", "graph", "claude-code")


def add(verbs: Verbs) -> None:
    """Register the verbs."""
    bring = verb(verbs, "import", "Take in another memory: topic files, warm, tree and hot JSON, a graph, Claude Code's auto-memory.", _import, writes=True,
                 examples="  memory_cli.py import ~/old/memory --dry-run\n"
                          "  memory_cli.py import ~/.claude/projects/my-project/memory --kind claude-code\n"
                          "  memory_cli.py import warm-memory.json")
    bring.add_argument("path", metavar="PATH", help="a file, or a folder of them; it is read, never changed")
    bring.add_argument("--kind", choices=KINDS, default="auto", help="only files of this kind (default: auto, each file as what it is)")


def _import(call: Call, args: argparse.Namespace) -> Report:
    from silo.jobs import importing as job

    return job.import_path(call, args.path, args.kind)
