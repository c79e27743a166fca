"""Plans the whole migration of one MEMORY.md: sections, their files, topics, entities, router, and a ledger of every line.

Pure: the caller reads the files, gives the day and the instant, and applies the changes. Planning on the result of a
plan plans nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

from silo.core.entities.query import GRAPH
from silo.core.entities.resolve import Resolved, resolve
from silo.core.migrate.ledger import account
from silo.core.migrate.promoted import unfold
from silo.core.migrate.request import MigrationPlan, PlannedSection, Request
from silo.core.migrate.settle import Settled, settle
from silo.core.migrate.write import Writer
from silo.core.views import INDEX, plan_index
from silo.formats import managed
from silo.formats.events import slug_for
from silo.formats.graph import parse_graph
from silo.formats.topics import info, is_archive, parse_topic, set_header
from silo.model import Append, Problem, Write
from silo.text.fold import fold
from silo.text.lines import encode, sha256, split
from silo.text.redact import redact, redact_lines

TOPICS = "memory/topics/"


def plan_migration(text: str, files: Mapping[str, str], request: Request) -> MigrationPlan:
    """The plan for a file's text. `files` are the workspace's tier files, topics, topic index and graph, by path.

    A file whose managed blocks are damaged is not planned: `problems` name the lines.
    """
    found = (managed.find(text, name, request.source) for name in managed.names(text))
    if damaged := tuple(one for one in found if isinstance(one, Problem)):
        return MigrationPlan(problems=damaged)
    old = text
    if request.redact_secrets:
        text = redact_lines(text)
    settled, finder = settle(text, request)
    writer = Writer(settled, files, request)
    writer.write()
    graph = parse_graph(files.get(GRAPH, ""), GRAPH)
    entities, graph_lines = resolve(
        finder.find(settled.sections), graph, source=request.source, at=request.at
    )
    topics = _with_entities(writer.topics, files, entities)
    texts = {request.source: settled.kept.text, **topics, **writer.tiers}
    rows, lost = account(
        settled.document.lines, writer.homes, texts, secrets=settled.secrets, ours=settled.router_lines
    )
    before = {**files, request.source: old}
    lines = zip(settled.kept.origin, split(settled.kept.text), strict=True)
    return MigrationPlan(
        sections=_planned(settled, writer),
        entities=entities,
        secrets=tuple(sorted(settled.secrets)),
        changes=(*_writes(texts, before), *_derived(texts, files, graph_lines)),
        ledger=rows,
        lost=lost,
        topics=tuple(sorted(topics)),
        kept=sum(bool(origin) and bool(line.strip()) for origin, line in lines),
        target=settled.kept.text,
        held={n: origin for n, origin in enumerate(settled.kept.origin, 1) if origin in settled.secrets},
        promoted=unfold(settled.document, settled.secrets),
        texts=texts,
    )


def _writes(texts: Mapping[str, str], before: Mapping[str, str]) -> list[Write]:
    found: list[Write] = []
    for path, text in sorted(texts.items()):
        old = before.get(path)
        if text != old:
            found.append(
                Write(path, sha256(encode(old)) if old is not None else None, encode(text), "migrate")
            )
    return found


def _derived(
    texts: Mapping[str, str], files: Mapping[str, str], graph_lines: tuple[str, ...]
) -> list[Write | Append]:
    """The graph's new lines, and the topic index where a topic came or changed."""
    found: list[Write | Append] = []
    if graph_lines:
        old = files.get(GRAPH, "")
        lead = "\n" if old and not old.endswith("\n") else ""
        found.append(
            Append(GRAPH, encode(lead + "".join(f"{line}\n" for line in graph_lines)), why="entities")
        )
    if any(path.startswith(TOPICS) and files.get(path) != text for path, text in texts.items()):
        topics = {p: t for p, t in {**files, **texts}.items() if p.startswith(TOPICS) and not is_archive(p)}
        infos = (info(parse_topic(t, p)) for p, t in sorted(topics.items()))
        found += plan_index(infos, encode(files[INDEX]) if INDEX in files else None)
    return found


def _with_entities(
    topics: Mapping[str, str], files: Mapping[str, str], entities: tuple[Resolved, ...]
) -> dict[str, str]:
    """New topics name the project that they are about in their header."""
    by_slug = {slug_for(e.name) or fold(e.name): e.id for e in entities if e.type == "Project"}
    found: dict[str, str] = {}
    for path, text in topics.items():
        ident = by_slug.get(path.removeprefix(TOPICS).removesuffix(".md"))
        found[path] = set_header(text, "entities", [ident]) if ident and path not in files else text
    return found


def _planned(settled: Settled, writer: Writer) -> tuple[PlannedSection, ...]:
    """The sections as they are shown: cut where tier, heading or a secret changes what happens to a line."""
    section_of = {i: s for s in settled.sections for i in s.blocks}
    tiers = settled.tiers
    groups: list[list[int]] = []
    last: object = None
    for index in range(len(settled.document.blocks)):
        key = (tiers[index], id(section_of[index]), settled.has_secret(index))
        if groups and key == last:
            groups[-1].append(index)
        else:
            groups.append([index])
        last = key
    blocks = settled.document.blocks
    out: list[PlannedSection] = []
    for group in groups:
        section = section_of[group[0]]
        to = (
            p
            for i in group
            for n in range(blocks[i].start, blocks[i].end + 1)
            for p in writer.homes.get(n, ())
        )
        out.append(
            PlannedSection(
                blocks[group[0]].start,
                blocks[group[-1]].end,
                redact(section.heading)[0],
                tiers[group[0]],
                section.confidence,
                tuple(redact(w)[0] for w in section.why),
                tuple(dict.fromkeys(to)),
                section.unsure,
            )
        )
    return tuple(out)
