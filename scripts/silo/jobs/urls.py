"""The job behind `search-url`: every address that the memory holds, in events, facts and daily notes of every tier."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing

from silo.edge.index.index import Index
from silo.edge.reader import Reader
from silo.errors import BadInput
from silo.formats.events import parse_line
from silo.formats.warm import MOST
from silo.jobs.run import Call, Report
from silo.model import LAYERS, Event, Kind, Passage, Scope
from silo.text.addresses import addresses, urls_of
from silo.text.fold import fold
from silo.text.lines import decode, split
from silo.text.recalled import shown
from silo.text.redact import redact

_MANY = 1_000_000
_KINDS = (Kind.FACT, Kind.EVENT, Kind.TIER, Kind.NOTE)  # in this order the same statement is shown once, as its best copy


def search_url(call: Call, *, fragment: str, limit: int, every: bool, audience: str) -> Report:
    """The statements whose addresses hold the fragment, newest first; with `every` all that hold an address.

    Raises:
        BadInput: neither a fragment nor `every`, or a limit below 1.
    """
    if not every and not fragment.strip():
        raise BadInput("search-url needs a part of an address", 'memory_cli.py search-url --url "example.org", or --all')
    if limit < 1:
        raise BadInput(f"--limit {limit} asks for nothing", "give 1 or more")
    workspace = call.look()
    wanted = fold(fragment.strip())
    scope = Scope(agent=call.config.agent, group=audience == "group", archived=True)
    with closing(Index.open(workspace.root)) as index:
        index.refresh(60.0)
        index.scan(("http", "ftp", "ws"))
        rows = index.holding("://", (), scope, _MANY)
        resting = index.bullets((p.id for p in rows.values() if p.kind is Kind.EVENT and p.id), scope)
    covered = {event for event, bullets in resting.items() if any(_has(p, wanted) for p in bullets.values())}
    found = []
    for row, p in rows.items():
        if p.kind in _KINDS and p.id not in covered and _has(p, wanted):
            found.append((row, p))
    kept = list(_once(sorted(found, key=lambda one: (_KINDS.index(one[1].kind), -one[0]))))
    kept.sort(key=lambda p: (max(p.date, p.seen), p.id), reverse=True)
    some = kept if every else kept[:limit]
    results = [_result(p, _category(workspace, p)) for p in some]
    urls = list(dict.fromkeys(url for p in some for url in urls_of(p.text)))
    data = {"query": redact(fragment.strip())[0], "results_count": len(results), "results": results}
    if every:
        data["urls"] = urls
    report = Report(data=data, published=data)
    report.lines = [f"{'  '.join(urls_of(p.text))}\n        {shown(p.text)}\n        {f'{p.id}  ' if p.id else ''}{p.path}:{p.line}" for p in some]
    if len(kept) > len(some):
        report.lines.append(f"NOTE {len(kept) - len(some)} more; --limit {len(kept)} shows them")
    report.lines = report.lines or ["OK no such address is kept"]
    return report


def _has(p: Passage, wanted: str) -> bool:
    return any(wanted in fold(url) for url in urls_of(p.text))


def _once(found: list[tuple[int, Passage]]) -> Iterator[Passage]:
    """Each statement once: of the same words the first copy."""
    seen: set[str] = set()
    for _, p in found:
        claim = re.sub(r"\W+", " ", fold(p.text)).strip()
        if claim not in seen:
            seen.add(claim)
            yield p


def _category(workspace: Reader, p: Passage) -> str:
    """The category that an event was stored under, else its topic."""
    if p.kind is Kind.EVENT:
        lines = split(decode(workspace.read(p.path) or b""))
        found = parse_line(lines[p.line - 1], p.date, p.path, p.line) if p.line <= len(lines) else None
        if isinstance(found, Event) and found.category:
            return found.category
    return p.slug


def _result(p: Passage, category: str) -> dict[str, object]:
    found = addresses(p.text)
    return {
        "id": p.id or f"{p.path}:{p.line}",
        "text": p.text,
        "category": category,
        "metadata": {
            "urls": list(found.urls[: MOST["urls"]]),
            "commands": list(found.commands[: MOST["commands"]]),
            "paths": list(found.paths[: MOST["paths"]]),
        },
        "path": p.path,
        "line": p.line,
        "date": p.date,
        "layer": LAYERS[p.kind],
    }
