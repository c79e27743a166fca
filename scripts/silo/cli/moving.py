"""Verbs that bring a memory in and out: import, export."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from silo.cli.common import verb
from silo.errors import BadInput
from silo.jobs.run import Call, Report

if TYPE_CHECKING:
    from silo.cli.common import Verbs

FORMATS = ("warm", "tree", "hot", "graph", "topics", "flat")
KINDS = ("auto", "topics", "tiered", "graph", "claude-code")


def add(verbs: Verbs) -> None:
    """Register the verbs."""
    bring = verb(verbs, "import", "Take in another memory: topic files, warm, tree and hot JSON, a graph, Claude Code's auto-memory.", _import, writes=True,
                 examples="  memory_cli.py import ~/old/memory --dry-run\n"
                          "  memory_cli.py import ~/.claude/projects/my-project/memory --kind claude-code\n"
                          "  memory_cli.py import warm-memory.json")
    bring.add_argument("path", metavar="PATH", help="a file, or a folder of them; it is read, never changed")
    bring.add_argument("--kind", choices=KINDS, default="auto", help="only files of this kind (default: auto, each file as what it is)")

    give = verb(verbs, "export", "Give the memory out: as one MEMORY.md, in a published format, or all of it as one file to restore from.", _export, writes=True,
                examples="  memory_cli.py export --flat\n  memory_cli.py export --flat ~/MEMORY-flat.md\n  memory_cli.py export --all ~/memory.silo\n"
                         "  memory_cli.py export --format warm warm-memory.json\n  memory_cli.py export --format topics ~/topic-memory")
    give.add_argument("file", metavar="FILE", nargs="?", help="a new file; nothing is overwritten (default: standard output)")
    give.add_argument("--flat", action="store_true", help="one Markdown file: own lines, protocols, live work, topics, people, archive")
    give.add_argument("--format", choices=FORMATS, help="in a published format: warm, tree or hot JSON, graph JSON lines, topics (a folder), flat")
    give.add_argument("--whole", action="store_true", help="with --format warm: every logged statement, not the warm set alone")
    give.add_argument("--all", action="store_true", help="everything, the key and what is private included, as one file for restore --from")
    give.add_argument("--private", action="store_true", help="private topics too")


def _export(call: Call, args: argparse.Namespace) -> Report:
    if args.all:
        from silo.jobs import bundle

        return bundle.export_all(call, args.file)
    from silo.jobs import exporting as job

    if args.format not in (None, "flat"):
        from silo.jobs import export_formats

        return export_formats.formatted(call, args.format, args.file, private=args.private, whole=args.whole)
    if not (args.flat or args.format):
        raise BadInput("say what to export", "export --flat, --format FORMAT, or --all FILE")
    return job.flat(call, args.file, private=args.private)


def _import(call: Call, args: argparse.Namespace) -> Report:
    from silo.jobs import importing as job

    return job.import_path(call, args.path, args.kind)
