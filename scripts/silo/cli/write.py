"""Verbs that add to the memory: init, store, topic."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from silo.cli.common import audience_flag, mirror_flags, verb, warn_of_token
from silo.jobs.run import Call, Report

if TYPE_CHECKING:
    from silo.cli.common import Verbs


def add(verbs: Verbs) -> None:
    """Register the verbs."""
    init = verb(verbs, "init", "Make the workspace ready: the folder and the topic index. What is there stays.", _init, writes=True,
                examples="  memory_cli.py init --dry-run\n  memory_cli.py init --host openclaw\n  memory_cli.py init --schedule\n  memory_cli.py init --host claude-code --workspace .")
    init.add_argument("--host", choices=("openclaw", "claude-code"), help="openclaw: show, besides, everything that this host would have to be told; claude-code: put the block of memory-silo into CLAUDE.md")
    init.add_argument("--schedule", action="store_true", help="show the commands that add the nightly jobs to the host's scheduler, with --yes run them; where there is none, lines for a crontab")
    init.add_argument("--hooks", action="store_true", help="put the hook for session ends into the workspace (the host runs it once it is enabled)")
    init.add_argument("--remove", action="store_true", help="take out what --schedule and --hooks added, and nothing else")
    init.add_argument("--mirror", action="store_true", help="make the key that encrypts what goes to a mirror, and show it once")
    init.add_argument("--yes", action="store_true", help="with --schedule, or with --host claude-code --hooks: do it")

    store = verb(verbs, "store", "Write one statement to the event log, to be found at once.", _store, writes=True, published=True,
                 examples='  memory_cli.py store --text "Ana leads the team. Was: senior developer." --tag FACT --topic team\n'
                          '  memory_cli.py store --text "Pay the rent. Due 2026-03-05." --category home/rent')
    store.add_argument("--text", required=True, help="the statement, one line, readable alone (at most 500 characters)")
    store.add_argument("--tag", help="FACT, DECISION, CHANGED, TODO, EVENT or PROCEDURE (default: told from the text)")
    store.add_argument("--topic", metavar="SLUG", help="the topic it belongs to (default: from --category, else the text, else general)")
    store.add_argument("--category", default="", help="a path such as projects/acme-crm/deploy; kept with the event")
    store.add_argument("--auto", action="store_true", help="put it into the tiers too: a procedure into protocols.md, live work into active.md, finished work into archive.md, people and organisations into the graph")
    store.add_argument("--tier", choices=("protocols", "active", "archive", "ontology", "log"), help="put it there, whatever it looks like")
    store.add_argument("--importance", type=float, help="0.0 to 1.0 (default: by tag)")
    store.add_argument("--confidence", choices=("confirmed", "tentative", "context"), default="confirmed", help="how sure it is (default: confirmed)")
    store.add_argument("--date", metavar="DATE", help="the day it was said (default: today)")
    store.add_argument("--url", action="append", default=[], help="a URL that belongs to it; may be given several times")
    store.add_argument("--command", dest="shell_command", action="append", default=[], help="a command that belongs to it; may be given several times")
    store.add_argument("--again", action="store_true", help="also where the same words were forgotten")
    store.add_argument("--path", action="append", default=[], help="a file path that belongs to it; may be given several times")

    save = verb(verbs, "save", "Read what was said in the sessions into the log, and bring it into the topics: extract and curate in one.", _save, writes=True,
                examples="  memory_cli.py save\n  memory_cli.py save --source claude-code --path ~/.claude/projects/my-project")
    save.add_argument("--source", choices=("auto", "openclaw", "jsonl", "claude-code", "text"), default="auto", help="whose transcripts (default: that of the configuration, else auto)")
    save.add_argument("--path", metavar="P", help="a transcript file or a folder of them")
    save.add_argument("--quiet", action="store_true", help="say nothing where all went well")

    mirror_flags(store, "taken as published; the mirror gets the statement at the next consolidate or sync-critical")

    topic = verb(verbs, "topic", "List topics, open one, rename, merge, archive or activate one; what names it follows.", _topic, writes=True,
                 examples='  memory_cli.py topic list\n  memory_cli.py topic new boat-rental --type business --summary "Online booking for the boats"')
    topic.add_argument("action", choices=("new", "list", "rename", "merge", "archive", "activate"))
    topic.add_argument("slug", nargs="?", help="lower-case letters, digits and single dashes, 2 to 40 characters")
    topic.add_argument("to", nargs="?", help="rename: the new name; merge: the topic that stays")
    topic.add_argument("--type", choices=("project", "hobby", "business", "personal", "reference"), default="reference", help="(default: reference)")
    topic.add_argument("--summary", default="", help="one sentence on what belongs here; routing reads it")
    topic.add_argument("--tags", default="", help="comma separated words")
    topic.add_argument("--entities", default="", help="comma separated names")
    topic.add_argument("--private", action="store_true", help="keep it out of the host's search and of group chats")
    topic.add_argument("--archived", action="store_true", help="list: archived topics too")
    audience_flag(topic, "list: no private topic, none of other agents")


def _init(call: Call, args: argparse.Namespace) -> Report:
    if args.host == "claude-code" and not (args.schedule or args.remove):
        from silo.jobs import claude_code

        return claude_code.init(call, hooks=args.hooks, yes=args.yes)
    if args.mirror:
        from silo.jobs import mirrorinit

        return mirrorinit.init_mirror(call)
    if args.schedule or args.hooks or args.remove:
        return _install(call, args)
    if args.host:
        from silo.jobs import install as job

        return job.guide(call)
    from silo.jobs import topic as topics

    return topics.init(call)


def _install(call: Call, args: argparse.Namespace) -> Report:
    from silo.errors import BadInput
    from silo.jobs import install as job

    if args.schedule + args.hooks + args.remove > 1:
        raise BadInput("--schedule, --hooks and --remove are three commands", "run one after the other")
    if args.remove:
        from silo.jobs import claude_code

        return job.remove(call, claude_code.remove)
    return job.hooks(call) if args.hooks else job.schedule(call, yes=args.yes, project=args.host == "claude-code")


def _save(call: Call, args: argparse.Namespace) -> Report:
    from silo.jobs import save as job

    return job.save(call, source=args.source, path=args.path, quiet=args.quiet)


def _store(call: Call, args: argparse.Namespace) -> Report:
    warn_of_token(args)
    from silo.jobs import store as job

    text = sys.stdin.read() if args.text == "-" else args.text
    return job.store(
        call,
        job.StoreOptions(
            text=text,
            tag=args.tag,
            topic=args.topic,
            category=args.category,
            importance=args.importance,
            confidence=args.confidence,
            date=args.date,
            urls=tuple(args.url),
            commands=tuple(args.shell_command),
            paths=tuple(args.path),
            tier=args.tier or ("auto" if args.auto else ""),
            again=args.again,
        ),
    )


def _topic(call: Call, args: argparse.Namespace) -> Report:
    from silo.jobs import topic as topics

    if args.action == "list":
        return topics.list_topics(call, archived=args.archived, audience=args.audience)
    if args.action != "new":
        return _move(call, args)
    return topics.new(
        call,
        slug=args.slug,
        kind=args.type,
        summary=args.summary,
        tags=_words(args.tags),
        entities=_words(args.entities),
        private=args.private,
    )


def _move(call: Call, args: argparse.Namespace) -> Report:
    from silo.errors import BadInput
    from silo.jobs import topicmove as job

    if not args.slug:
        raise BadInput(f"topic {args.action} needs a topic", "memory_cli.py topic list")
    if args.action == "rename":
        return job.rename_topic(call, old=args.slug, new=args.to)
    if args.action == "merge":
        return job.merge_topics(call, gone=args.slug, into=args.to)
    return job.set_status(call, slug=args.slug, status="archived" if args.action == "archive" else "active")


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip())
