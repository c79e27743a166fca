"""The job behind `retrieve` (search, recall). It reads; counts of use are all that it writes.

What a plain question does without is imported where it is used: each module costs more than the search itself.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from silo.config import parse_day
from silo.core.search.answer import Answer, Result, answer
from silo.edge.index.index import Index
from silo.edge.reader import Reader
from silo.edge.thesaurus import load_thesaurus
from silo.errors import BadInput
from silo.found import Scope, Tag
from silo.jobs.meaning import meaning_of
from silo.jobs.run import Call, Report
from silo.text.recalled import shown
from silo.text.tokens import words

if TYPE_CHECKING:
    from silo.jobs.past import Moment

LAYERS = {
    "default": Scope().layers,
    "curated": frozenset({"curated"}),
    "events": frozenset({"events"}),
    "source": frozenset({"source"}),
    "notes": frozenset({"notes"}),
    "tiers": frozenset({"tiers"}),
    "all": Scope().layers | {"source"},
}


class RetrieveOptions(NamedTuple):
    """What was asked for, as typed."""

    query: str
    batch: str | None = None
    limit: int | None = None
    topic: str | None = None
    tag: str | None = None
    since: str | None = None
    until: str | None = None
    entity: str | None = None
    layer: str = "default"
    tier: str = ""
    archived: bool = False
    audience: str = "owner"
    explain: bool = False
    in_context: str = ""
    as_of: str | None = None
    known_at: str | None = None
    semantic: str = ""  # local, openai or openclaw; empty: by words alone
    llm: bool = False  # guided by the categories that a model chooses
    engine: str | None = None
    model: str | None = None
    endpoint: str | None = None


def retrieve(call: Call, options: RetrieveOptions) -> Report:
    """The best results for one question, or for each line of a batch.

    Raises:
        BadInput: no question, an unknown tag, a bad date or a bad line of the batch.
    """
    workspace = call.look()
    scope = _scope(call, options)
    if scope.entity:
        scope = scope._replace(entity=_names_of(workspace, scope.entity, group=scope.group))
    limit = options.limit if options.limit is not None else call.config.integer("retrieve", "limit", 5)
    if limit < 1:
        raise BadInput(f"--limit {limit} asks for nothing", "give 1 or more")
    if options.batch is None and not options.query.strip():
        raise BadInput("retrieve needs a question", 'memory_cli.py retrieve --query "payment provider"')
    if options.as_of or options.known_at:
        from silo.jobs.past import moment

        when = moment(options.as_of, options.known_at)
        assert when is not None  # one of the two was asked for
        return _retrieve_at(workspace, options, scope, limit, when)
    with closing(Index.open(workspace.root)) as index:
        if options.batch is not None:
            return _batch(call, options, scope, limit, index)
        index.refresh(call.config.integer("retrieve", "refresh_ms", 1500) / 1000)
        scope, unknown = _topic_of(index, scope, options.query)
        with meaning_of(call, index, options.semantic) as meaning:
            found = answer(
                index, options.query, today=call.today, scope=scope, limit=limit, context=options.in_context, tier=options.tier,
                meaning=meaning.vectors, thesaurus=load_thesaurus(),
            )  # fmt: skip
        found = found._replace(notes=(*found.notes, *(unknown if not found.results else ()), *meaning.notes))
        if options.llm and found.level > 1:
            from silo.jobs.treesearch import ModelOptions, by_categories

            by = ModelOptions(options.engine, options.model, options.endpoint)
            found = by_categories(call, index, found, options.query, scope, limit, by)
        report = Report(data=_answer_data(options.query, found, index.notes))
        report.published = [_result_data(one) for one in found.results]
        report.lines = list(_answer_lines(found, explain=options.explain))
        report.lines += [f"NOTE {note}" for note in (*found.notes, *index.notes)]
        if index.left:
            report.lines.append(f"NOTE {index.left} changed files were searched directly, not yet indexed")
        _count_use(workspace, call, found)
        return report


def _retrieve_at(workspace: Reader, options: RetrieveOptions, scope: Scope, limit: int, when: Moment) -> Report:
    """One answer from the facts of another time; nothing is counted as used."""
    from silo.jobs.past import index_at

    today, thesaurus = date.fromisoformat(when.day), load_thesaurus()
    questions = None if options.batch is None else list(_questions(options.batch))
    with closing(index_at(workspace, when)) as index:
        scope, unknown = _topic_of(index, scope, options.query)
        if questions is not None:
            return _answers(
                (ident, answer(index, query, today=today, scope=scope, limit=limit, tier=options.tier, thesaurus=thesaurus))
                for ident, query in questions
            )
        found = answer(index, options.query, today=today, scope=scope, limit=limit, tier=options.tier, thesaurus=thesaurus)
    notes = (*(unknown if not found.results else ()), f"facts {when.told}")
    report = Report(data=_answer_data(options.query, found, notes))
    report.published = [_result_data(one) for one in found.results]
    report.lines = [*_answer_lines(found, explain=options.explain), *(f"NOTE {note}" for note in notes)]
    return report


def _names_of(workspace: Reader, entity: str, *, group: bool) -> str:
    """The entity as typed and, where the graph knows one alone by that name or id, its other names, one a line."""
    from silo.core.entities.query import GRAPH, PRIVATE_GRAPH, get
    from silo.formats.graph import parse_graph
    from silo.text.lines import decode

    lines = [decode(workspace.read(path) or b"").rstrip("\n") for path in (GRAPH, *(() if group else (PRIVATE_GRAPH,)))]
    found = get(parse_graph("\n".join(filter(None, lines)) + "\n", GRAPH), entity)
    return "\n".join(dict.fromkeys((entity, *found[0].names))) if len(found) == 1 else entity


def _topic_of(index: Index, scope: Scope, query: str) -> tuple[Scope, tuple[str, ...]]:
    """The scope with all names of the topic asked for, under which its lines may stand; what to say where there is none."""
    if not scope.slugs:
        return scope, ()
    index.scan(words(query))  # as the answer will: a topic file that is not indexed yet has names too
    seen = index.topics(Scope(agent=scope.agent, group=scope.group, archived=True))
    for p in seen.values():
        names = {p.slug, *p.heading.partition("\n\n")[2].split("\n")} - {""}
        if scope.slugs <= names:
            return scope._replace(slugs=frozenset(names)), ()
    return scope, (f"there is no topic {', '.join(scope.slugs)}: memory_cli.py topic list",)


def _count_use(workspace: Reader, call: Call, found: Answer) -> None:
    """A result that was returned counts as used; where the workspace can't be written, the answer still stands."""
    from silo.errors import Trouble

    if found.needs_clarification or not found.results:
        return
    ids = [one.id for one in found.results if one.id.startswith(("e_", "f_"))]  # a line's place is no identity: it moves
    day, agent = call.today.isoformat(), call.config.agent
    # beside the results: how often was asked, and how many uses this day had (metrics reads both)
    told = [f"asked/{agent}", *(f"used/{agent}@{day}" for _ in ids)]
    try:
        workspace.state.count("access", [*ids, *told], day)
    except Trouble as trouble:
        call.say(f"NOTE use was not counted: {trouble}")


def _scope(call: Call, options: RetrieveOptions) -> Scope:
    tags: frozenset[str] = frozenset()
    if options.tag:
        name = options.tag.upper()
        if name not in Tag.__members__:
            raise BadInput(f"{options.tag!r} is no tag", f"tags are {', '.join(Tag.__members__)}")
        tags = frozenset({name})
    return Scope(
        agent=call.config.agent,
        group=options.audience == "group",
        layers=LAYERS[options.layer],
        tags=tags,
        slugs=frozenset({options.topic}) if options.topic else frozenset(),
        entity=options.entity or "",
        since=parse_day(options.since, "--since").isoformat() if options.since else "",
        until=parse_day(options.until, "--until").isoformat() if options.until else "",
        archived=options.archived,
    )


def _batch(call: Call, options: RetrieveOptions, scope: Scope, limit: int, index: Index) -> Report:
    """One JSON object a line, in the order of the questions; nothing is counted as used."""
    questions = list(_questions(options.batch or "-"))
    index.refresh(60.0)
    scope, _ = _topic_of(index, scope, "")
    meaning, thesaurus = meaning_of(call, index, options.semantic, batch=True), load_thesaurus()
    report = _answers(
        (
            ident,
            answer(index, query, today=call.today, scope=scope, limit=limit, tier=options.tier, meaning=meaning.vectors, thesaurus=thesaurus),
        )
        for ident, query in questions
    )
    meaning.close()
    for note in (*index.notes, *dict.fromkeys(meaning.notes)):
        call.say(f"NOTE {note}")
    return report


def _answers(answers: Iterable[tuple[str, Answer]]) -> Report:
    """A line for each question's id and answer."""
    rows = [
        {
            "id": ident,
            "results": [_result_data(one) for one in found.results],
            "needs_clarification": found.needs_clarification,
            "question": found.question or None,
            "level": found.level,
        }
        for ident, found in answers
    ]
    return Report([json.dumps(row, ensure_ascii=False) for row in rows], {"answers": rows}, published=None)


def text_in_context(where: str) -> str:
    """What the caller has before its eyes, from a file or standard input.

    Raises:
        BadInput: it can't be read.
    """
    return _read(where, "give a file with the text that is in context", errors="replace")


def _read(where: str, hint: str, *, errors: str = "strict") -> str:
    if where == "-":
        return sys.stdin.read()
    try:
        return Path(where).read_text(encoding="utf-8", errors=errors)
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{where}:1: can't be read: {error}", hint) from None


def _questions(where: str) -> Iterator[tuple[str, str]]:
    text = _read(where, "give a file of JSON lines")
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise BadInput(f"{where}:{number}: not JSON: {error}", 'each line is {"id": …, "query": …}') from None
        if not isinstance(row, dict) or not isinstance(row.get("query"), str):
            raise BadInput(f"{where}:{number}: no query", 'each line is {"id": …, "query": …}')
        yield str(row.get("id", number)), row["query"]


def _result_data(one: Result) -> dict[str, object]:
    return {
        "id": one.id,
        "path": one.path,
        "line": one.line,
        "text": one.text,
        "score": round(one.score, 4),
        "tier": one.tier,
        "method": _method(dict(one.parts)),
        "layer": one.layer,
        "kind": one.kind,
        "topic": one.slug,
        "category": one.slug,
        "tag": one.tag,
        "date": one.date,
        "confidence": one.confidence,
        "source": one.source,
        "also": [{"id": place.id, "path": place.path, "line": place.line} for place in one.also],
        "parts": {name: round(value, 4) for name, value in one.parts},
    }


def _method(parts: dict[str, float]) -> str:
    """What brought a result in: its words, its meaning alone, or the day alone that was asked for."""
    if parts.keys() & {"words", "labels", "near", "literal"}:
        return "keyword"
    return "semantic" if "meaning" in parts else "date"


def _answer_data(query: str, found: Answer, notes: tuple[str, ...]) -> dict[str, object]:
    return {
        "query": query,
        "results": [_result_data(one) for one in found.results],
        "needs_clarification": found.needs_clarification,
        "question": found.question or None,
        "candidates": list(found.candidates),
        "level": found.level,
        "notes": [*found.notes, *notes],
    }


def _sum(one: Result) -> str:
    """`words 1.20 + near 0.31 = 1.51`: rounded so that the printed parts give the printed score."""
    exact = [(name, value * 100) for name, value in one.parts]
    cents = [round(value) for _, value in exact]
    missing = round(float(f"{one.score:.2f}") * 100) - sum(cents)
    step = 1 if missing > 0 else -1
    nearest = sorted(range(len(exact)), key=lambda n: step * (cents[n] - exact[n][1]))  # where a cent more or less is least wrong
    for n in nearest[: abs(missing)]:
        cents[n] += step
    told = " + ".join(f"{name} {value / 100:.2f}" for (name, _), value in zip(exact, cents, strict=True))
    return f"{told} = {one.score:.2f}"


def _answer_lines(found: Answer, *, explain: bool) -> Iterator[str]:
    for one in found.results:
        label = " ".join(part for part in (one.date, one.layer, one.slug, one.tag if one.layer != "curated" else "") if part)
        place = f"{one.path}:{one.line}"
        yield f"{one.score:6.2f}  {shown(one.text)}"
        yield f"        {place if one.id == place else f'{one.id}  {place}'}  ({label}, {one.tier})"
        if explain:
            yield f"        {_sum(one)}"
    if found.needs_clarification:
        yield f"NOTE the evidence is weak: {found.question}"
    elif not found.results:
        yield "OK nothing to look for: it is in context" if found.level == 1 else "OK nothing found"
    if explain:
        yield f"NOTE level {found.level} answered (1 context, 2 index, 3 curated, 4 today, 5 keywords, 6 meaning, 7 asked back)"
