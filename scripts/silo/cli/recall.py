"""Verbs that read: retrieve (search, recall), load, context, pack, why. Each imports its job when called: recall starts fast."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from silo.cli.common import audience_flag, mirror_flags, verb, warn_of_token
from silo.jobs.run import Call, Report

if TYPE_CHECKING:
    from silo.cli.common import Verbs


TIERS = ("hot", "warm", "cold", "frozen", "protocols", "active", "archive", "directive")


def add(verbs: Verbs) -> None:
    """Register the verbs."""
    for branch in BRANCHES.values():
        branch(verbs)


def _add_retrieve(verbs: Verbs, name: str = "retrieve") -> None:
    tree = verb(verbs, name, "Find what the memory holds on a question, cheapest way first." if name == "retrieve" else "The same as retrieve.",
                _retrieve, published=name == "retrieve",
                examples='  memory_cli.py retrieve --query "payment provider"\n'
                         '  memory_cli.py retrieve "port of the gateway" --explain\n'
                         "  memory_cli.py retrieve --batch questions.jsonl --limit 10")
    tree.add_argument("words_of_query", nargs="*", metavar="QUERY", help="the question")
    tree.add_argument("--query", help="the question, as a flag")
    tree.add_argument("--batch", metavar="FILE", help='JSON lines {"id","query"} in, one answer a line out (- reads standard input)')
    tree.add_argument("--limit", type=int, default=None, help="at most N results (default: 5)")
    tree.add_argument("--topic", metavar="SLUG", help="only this topic")
    tree.add_argument("--tag", help="only events with this tag")
    tree.add_argument("--since", metavar="DATE", help="only what is dated on or after this day")
    tree.add_argument("--until", metavar="DATE", help="only what is dated on or before this day")
    tree.add_argument("--as-of", metavar="DATE", help="from the facts that were true on that day, by what is known now")
    tree.add_argument("--known-at", metavar="TIME", help="from the facts that the memory held at the end of that day, or at an ISO instant")
    tree.add_argument("--entity", metavar="NAME", help="only what names this person, organisation or place")
    tree.add_argument("--layer", choices=("default", "curated", "events", "tiers", "notes", "source", "all"), default="default",
                      help="where to look (default: curated facts, events, tiers and daily notes; source material only by request)")
    tree.add_argument("--tier", choices=TIERS, default="",
                      help="only events that are hot, warm, cold or frozen today, or only lines of one tier file")
    tree.add_argument("--in-context", metavar="FILE", help="what is in context already (- reads standard input); what it answers is not searched for")
    tree.add_argument("--semantic", choices=("local", "openai", "openclaw"), default="",
                      help="by meaning too: a local package, the endpoint of the configuration, or the host's own model (default: by words alone)")
    tree.add_argument("--llm", action="store_true", help="what is filed in the categories that a model chooses for the question stands higher; without an answer of its, by words alone")
    tree.add_argument("--llm-endpoint", metavar="URL", help='with --llm: an endpoint that takes {"prompt"} and gives {"text"}')
    tree.add_argument("--engine", choices=("openclaw", "openai", "http"), help="with --llm: the model's engine (default: engines.tree of the configuration)")
    tree.add_argument("--model", help="with --llm: the model's name")
    mirror_flags(tree, "taken as published; the mirror is not asked, because what it has is here")
    tree.add_argument("--archived", action="store_true", help="archived topics too")
    audience_flag(tree)
    tree.add_argument("--explain", action="store_true", help="show the level that answered and the parts of each score")


def _add_load(verbs: Verbs) -> None:
    load = verb(verbs, "load", "Print a topic's header and curated facts, with its last five changes; never its source material.", _load,
                examples="  memory_cli.py load boat-rental\n  memory_cli.py load boat-rental --as-of 2026-01-31")
    load.add_argument("slug", help="the topic")
    load.add_argument("--as-of", metavar="DATE", help="the facts that were true on that day, by what is known now")
    load.add_argument("--known-at", metavar="TIME", help="the facts that the memory held at the end of that day, or at an ISO instant")
    audience_flag(load, "private topics are refused, as if there were none")


def _add_context(verbs: Verbs) -> None:
    context = verb(verbs, "context", "Print what a session should start with, within its budget.", _context,
                   examples="  memory_cli.py context\n  memory_cli.py context --full\n  memory_cli.py context --audience group")
    audience_flag(context)
    context.add_argument("--full", action="store_true", help="the whole hot state and tree too, at most 15 KB")
    context.add_argument("--max-bytes", type=int, default=None, help="a smaller budget: 512 to 8,192 bytes, to 15,360 with --full")


def _add_pack(verbs: Verbs) -> None:
    pack = verb(verbs, "pack", "Print what the memory holds for a task, cited, in at most so many tokens, and how sure it is.", _pack,
                examples='  memory_cli.py pack "refit the boat" --budget 800\n  memory_cli.py pack "answer the landlord" --json')
    pack.add_argument("task", nargs="*", metavar="TASK", help="what is to be done, in a few words")
    pack.add_argument("--budget", type=int, default=1000, metavar="N", help="at most N tokens (default: 1000)")
    audience_flag(pack)


def _add_why(verbs: Verbs) -> None:
    why = verb(verbs, "why", "Show where a fact, event or review item comes from, with the quoted source.", _why,
               examples="  memory_cli.py why f_0123456789ab\n  memory_cli.py why e_0123456789ab")
    why.add_argument("id", help="f_…, e_… or r_…")


BRANCHES: Mapping[str, Callable[[Verbs], None]] = {
    "retrieve": _add_retrieve,
    "search": partial(_add_retrieve, name="search"),
    "recall": partial(_add_retrieve, name="recall"),
    "load": _add_load,
    "context": _add_context,
    "pack": _add_pack,
    "why": _add_why,
}


def _unused(args: argparse.Namespace) -> str:
    """What of the flags a batch, or an answer of another time, goes without; empty where nothing is."""
    then = bool(args.as_of or args.known_at)
    given = {"--llm": args.llm, "--in-context": args.in_context, "--explain": args.explain and args.batch, "--semantic": args.semantic and then}
    names = [name for name, value in given.items() if value]
    return ", ".join(names) if names and (args.batch or then) else ""


def _retrieve(call: Call, args: argparse.Namespace) -> Report:
    warn_of_token(args)
    if unused := _unused(args):
        call.say(f"NOTE without {unused}: {'a batch' if args.batch else 'an answer of another time'} is by words and filters{' and --semantic' if args.batch and not (args.as_of or args.known_at) else ''} alone")
    from silo.jobs import recall as job

    return job.retrieve(
        call,
        job.RetrieveOptions(
            query=args.query or " ".join(args.words_of_query),
            batch=args.batch,
            limit=args.limit,
            topic=args.topic,
            tag=args.tag,
            since=args.since,
            until=args.until,
            entity=args.entity,
            as_of=args.as_of,
            known_at=args.known_at,
            layer=args.layer,
            tier=args.tier,
            semantic=args.semantic,
            llm=args.llm,
            engine=args.engine,
            model=args.model,
            endpoint=args.llm_endpoint,
            in_context=job.text_in_context(args.in_context) if args.in_context else "",
            archived=args.archived,
            audience=args.audience,
            explain=args.explain,
        ),
    )


def _load(call: Call, args: argparse.Namespace) -> Report:
    from silo.jobs import load as job

    return job.load(call, slug=args.slug, audience=args.audience, day=args.as_of, instant=args.known_at)


def _context(call: Call, args: argparse.Namespace) -> Report:
    from silo.jobs import context as job

    return job.session_context(call, audience=args.audience, full=args.full, max_bytes=args.max_bytes)


def _pack(call: Call, args: argparse.Namespace) -> Report:
    from silo.jobs import pack as job

    return job.task_pack(call, task=" ".join(args.task), budget=args.budget, audience=args.audience)


def _why(call: Call, args: argparse.Namespace) -> Report:
    from silo.jobs import why as job

    return job.why(call, args.id)
