"""Verbs of the archive and its mirror: cold, sync-critical, restore."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from silo.cli.common import mirror_flags, verb, warn_of_token
from silo.errors import BadInput
from silo.jobs.run import Call, Report

if TYPE_CHECKING:
    from silo.cli.common import Verbs
    from silo.jobs.mirror import Where


def add(verbs: Verbs) -> None:
    """Register the verbs."""
    cold = verb(verbs, "cold", "Make the archive ready, ask it, or say how much it holds.", _cold, writes=True, published=True,
                examples='  memory_cli.py cold --query "blockchain decision" --limit 10\n  memory_cli.py cold --init\n'
                         '  memory_cli.py cold --init --db-url "$TURSO_URL"')
    cold.add_argument("--init", action="store_true", help="make the archive from the log, and the mirror's tables where one is set")
    cold.add_argument("--query", help="words to look for among the facts that are neither hot nor warm")
    cold.add_argument("--limit", type=int, default=10, help="at most N results (default: 10)")
    mirror_flags(cold)

    sync = verb(verbs, "sync-critical", "Bring the memory and its mirror together: encrypted files both ways, cold rows there. Tries for up to 75 seconds.",
                _sync, writes=True, published=True,
                examples="  memory_cli.py sync-critical\n  memory_cli.py sync-critical --to /mnt/nas/memory\n  memory_cli.py sync-critical --dry-run")
    mirror_flags(sync)
    sync.add_argument("--to", metavar="DIR", help="a folder instead of a server")
    sync.add_argument("--plain-text", action="store_true", help="send the files unencrypted, without private topics")
    sync.add_argument("--allow-smaller", action="store_true", help="send also a memory that has lost most of what the mirror has")

    restore = verb(verbs, "restore", "Bring a memory back from its mirror, a folder or a file; what is here already is merged, never overwritten.", _restore,
                   writes=True,
                   examples="  memory_cli.py restore --from-mirror --workspace ~/new\n  memory_cli.py restore --from /mnt/nas/memory\n"
                            "  memory_cli.py restore --from-mirror --verify")
    restore.add_argument("--from-mirror", action="store_true", help="from the server or folder of the configuration, TURSO_URL or --db-url")
    restore.add_argument("--from", dest="source", metavar="PATH", help="from a folder that sync-critical --to has written, or a file of export")
    restore.add_argument("--overwrite", action="store_true", help="from a file of export: what stands in the workspace is moved aside first")
    restore.add_argument("--verify", action="store_true", help="compare only; exit 1 where the two differ")
    mirror_flags(restore)


def where_of(args: argparse.Namespace, folder: str = "") -> Where:
    """The mirror that the flags name."""
    from silo.jobs.mirror import Where

    warn_of_token(args)
    return Where(args.db_url or "", args.auth_token or "", folder)


def _cold(call: Call, args: argparse.Namespace) -> Report:
    from silo.jobs import coldverb as job

    if args.init and args.query is not None:
        raise BadInput("--init and --query are two commands", "run one after the other")
    if args.init:
        return job.init(call, where_of(args))
    if args.query is not None:
        return job.query(call, args.query, args.limit, where_of(args))
    return job.stats(call)


def _sync(call: Call, args: argparse.Namespace) -> Report:
    from silo.jobs import sync as job

    return job.sync_critical(call, job.SyncOptions(where_of(args, args.to or ""), args.plain_text, args.allow_smaller))


def _restore(call: Call, args: argparse.Namespace) -> Report:
    from pathlib import Path

    from silo.jobs import restore as job

    if args.from_mirror == bool(args.source):
        raise BadInput("say from where", "restore --from-mirror, or restore --from FOLDER")
    if args.from_mirror:
        return job.from_mirror(call, job.RestoreOptions(where_of(args), args.verify))
    place = Path(args.source).expanduser()
    if not place.exists():
        raise BadInput(f"{place} does not exist", "check the path")
    if place.is_file():
        from silo.jobs import bundle

        return bundle.restore(call, place, verify=args.verify, overwrite=args.overwrite)
    return job.from_folder(call, place, verify=args.verify)
