"""Verbs over what is filed: tree, search-url."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from silo.cli.common import audience_flag, verb
from silo.errors import BadInput
from silo.jobs.run import Call, Report

if TYPE_CHECKING:
    from silo.cli.common import Verbs


def add(verbs: Verbs) -> None:
    """Register the verbs."""
    tree = verb(verbs, "tree", "Show, search or change the tree of categories: at most 50 nodes, 4 levels, 10 children a node, 2 KB.",
                _tree, writes=True,
                examples='  memory_cli.py tree --show\n  memory_cli.py tree --add "projects/boat" "Refit of the boat"\n'
                         '  memory_cli.py tree --remove "projects/old"\n  memory_cli.py tree --search "hull and planks"')
    what = tree.add_mutually_exclusive_group()
    what.add_argument("--show", action="store_true", help="the tree with its counts (the default)")
    what.add_argument("--add", nargs="+", metavar="PATH", default=[], help='PATH "DESCRIPTION": add a category, or describe one anew')
    what.add_argument("--remove", metavar="PATH", help="remove a category that holds nothing")
    what.add_argument("--prune", action="store_true", help="remove categories without activity for 60 days; their facts count above")
    what.add_argument("--search", metavar="QUERY", help="categories whose path or description have words of the question")
    tree.add_argument("--limit", type=int, default=5, help="with --search: at most N categories (default: 5)")
    tree.add_argument("--mode", choices=("keyword", "llm"), default="keyword", help="with --search: by words, or by a model (default: keyword)")
    model_flags(tree, "with --search: the categories by a model; by words where it does not answer")
    audience_flag(tree, "show and search without categories of private topics, and without their counts")
    tree.add_argument("--llm-prompt-file", metavar="FILE", help="with --search: write the prompt into this new file for a model of your own, ask none")

    urls = verb(verbs, "search-url", "Find what the memory holds with an address, by a part of it.", _search_url, published=True,
                examples='  memory_cli.py search-url --url "github.com" --limit 10\n  memory_cli.py search-url --all')
    urls.add_argument("--url", metavar="FRAGMENT", default="", help="a part of the address")
    urls.add_argument("--limit", type=int, default=5, help="at most N results (default: 5)")
    urls.add_argument("--all", action="store_true", help="everything that holds an address, without a limit")
    audience_flag(urls)


def model_flags(verb: argparse.ArgumentParser, what: str) -> None:
    """The flags that let a model answer."""
    verb.add_argument("--llm", action="store_true", help=what)
    verb.add_argument("--llm-endpoint", metavar="URL", help='an endpoint that takes {"prompt"} and gives {"text"}; what is sent there holds no secrets')
    verb.add_argument("--engine", choices=("openclaw", "openai", "http"), help="the model's engine (default: engines.tree of the configuration)")
    verb.add_argument("--model", help="the model's name")


def _tree(call: Call, args: argparse.Namespace) -> Report:
    if args.search is not None and args.limit < 1:
        raise BadInput(f"--limit {args.limit} asks for nothing", "give 1 or more")
    if args.search is not None and (args.llm or args.mode == "llm" or args.llm_prompt_file or args.llm_endpoint or args.engine):
        from silo.jobs import treesearch

        by = treesearch.ModelOptions(args.engine, args.model, args.llm_endpoint, args.llm_prompt_file)
        return treesearch.tree_search(call, args.search, args.limit, by, group=args.audience == "group")
    from silo.jobs import tree as job

    return job.tree(call, job.TreeOptions(add=tuple(args.add), remove=args.remove, prune=args.prune, search=args.search, limit=args.limit, group=args.audience == "group"))


def _search_url(call: Call, args: argparse.Namespace) -> Report:
    from silo.jobs import urls as job

    return job.search_url(call, fragment=args.url, limit=args.limit, every=args.all, audience=args.audience)
