"""The job behind `tree --search --llm` and `retrieve --llm`: which categories a question is about, by words or by a model."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from silo.core import tree as trees
from silo.core.engines.categories import Asked, task
from silo.core.engines.task import Task, item_of, prompt_of
from silo.core.search.answer import Answer, answer
from silo.core.search.guided import guided
from silo.core.tree import Hit, Tree
from silo.edge.llm.templates import load_head, load_schema
from silo.edge.outfile import write_new
from silo.edge.thesaurus import load_thesaurus
from silo.errors import BadInput, Busy
from silo.found import Scope
from silo.jobs.choice import RULES, choose
from silo.jobs.reading import read_events, read_topics
from silo.jobs.run import Call, Report
from silo.jobs.treefile import counted_tree, for_group, read_tree
from silo.text.redact import redact

if TYPE_CHECKING:
    from silo.edge.index.index import Index
    from silo.edge.reader import Reader

WAIT = 30.0  # seconds for another question to be done with the model
_MANY = 40  # results that a guided answer is chosen from
_LEAST = 0.2  # relevance from which a category guides


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """How a model is reached: flags as typed. `prompt_file`: write the prompt there for a model of the caller's own."""

    engine: str | None = None
    model: str | None = None
    endpoint: str | None = None
    prompt_file: str | None = None


@dataclass(frozen=True, slots=True)
class Chosen:
    """Categories, best first; who chose them (`keyword` or `llm`), and what to tell."""

    hits: tuple[Hit, ...]
    mode: str
    notes: tuple[str, ...] = ()


def tree_search(call: Call, query: str, limit: int, options: ModelOptions, *, group: bool = False) -> Report:
    """The categories that a question is about, as published: path, relevance, reason; for a group none of a private topic.

    Raises:
        BadInput: an empty question, an unknown engine, or a prompt file that exists already.
    """
    if not query.strip():
        raise BadInput("tree --search needs a question", 'memory_cli.py tree --search "what did we decide about the boat?" --llm')
    reader = call.look()
    nodes, problems = read_tree(reader, call.config.agent)
    nodes = for_group(reader, nodes) if group else nodes
    if options.prompt_file:
        return _prompt(call, reader, nodes, query, limit, options.prompt_file)
    found = categories(call, reader, nodes, query, limit, options)
    data = [{"path": hit.path, "relevance": hit.relevance, "reason": hit.reason} for hit in found.hits]
    report = Report(data=data, published=data)
    report.lines = [f"{hit.relevance:.2f}  {hit.path}  ({hit.reason})" for hit in found.hits] or ["OK no category fits"]
    report.lines += [f"NOTE {note}" for note in found.notes]
    for note in found.notes:
        call.say(f"NOTE {note}")
    report.problems(problems)
    return report


def categories(call: Call, reader: Reader, nodes: Tree, query: str, limit: int, options: ModelOptions) -> Chosen:
    """By the model, and by words where it does not answer or none is configured."""
    choice = choose(call, "tree", options.engine or ("http" if options.endpoint else None), options.model, options.endpoint)
    if choice.engine == RULES:
        note = "no engine is configured for tree: searched by words (--llm-endpoint URL, or engines.tree.engine in the configuration)"
        return Chosen(trees.search(nodes, query, limit, load_thesaurus()), "keyword", (note,))
    if not nodes:
        return Chosen((), "keyword", ("the tree has no category yet: tree --add makes one",))
    from silo.jobs.engines import engines_for

    workspace = call.open()
    try:
        with workspace.job("tree", wait=WAIT):
            engines = engines_for(call, workspace, "tree", choice)
            said = engines.ask(_task(limit), [_asked(call, reader, nodes, query)])[0]
    except Busy as busy:
        return Chosen(trees.search(nodes, query, limit, load_thesaurus()), "keyword", (f"{busy}: searched by words",))
    return Chosen(said.value, "keyword" if said.by == RULES else "llm", tuple(engines.notes))


def by_categories(call: Call, index: Index, found: Answer, query: str, scope: Scope, limit: int, options: ModelOptions) -> Answer:
    """The answer by words, guided by the categories that the model chose."""
    reader = call.look()
    nodes, _ = read_tree(reader, call.config.agent)
    chosen = categories(call, reader, nodes, query, 5, options)
    if chosen.mode != "llm":
        return found._replace(notes=(*found.notes, *chosen.notes))
    best = {hit.path: hit.relevance for hit in chosen.hits if hit.relevance >= _LEAST}
    filed = _filed(call, reader, index, best)
    thesaurus = load_thesaurus()
    wider = answer(index, query, today=call.today, scope=scope, limit=max(limit, _MANY), thesaurus=thesaurus)
    words = " ".join(f"{path.replace('/', ' ')} {nodes[path].desc}" for path in best)
    beside = answer(index, words, today=call.today, scope=scope, limit=_MANY, thesaurus=thesaurus).results if words else ()
    made = guided(wider, filed, beside, limit)
    told = ", ".join(f"{path} ({relevance:.2f})" for path, relevance in best.items()) or "none"
    return made._replace(notes=(*found.notes, f"categories by the model: {told}", *chosen.notes))


def _filed(call: Call, reader: Reader, index: Index, best: dict[str, float]) -> dict[str, float]:
    """Event and fact id → relevance of the best category that it is filed under."""
    filed: dict[str, float] = {}
    ends = {path.rsplit("/", 1)[-1]: relevance for path, relevance in best.items()}
    for file in read_events(reader):
        for event in file.events:
            if event.agent == call.config.agent and event.id:
                place = max((r for path, r in best.items() if f"{event.category}/".startswith(f"{path}/")), default=0.0)
                filed[event.id] = max(place, ends.get(event.slug, 0.0))
    for event_id, facts in index.bullets(filed, Scope(agent=call.config.agent, archived=True)).items():
        for fact in facts.values():
            filed[fact.id] = max(filed.get(fact.id, 0.0), filed[event_id])
    return {ident: relevance for ident, relevance in filed.items() if relevance}


def _task(limit: int) -> Task[Asked, tuple[Hit, ...]]:
    def by_words(asked: Asked) -> tuple[Hit, ...]:
        return trees.search(asked.nodes, asked.query, limit, load_thesaurus())

    return task(load_head("tree"), load_schema("tree-answer"), limit, by_words)


def _asked(call: Call, reader: Reader, nodes: Tree, query: str) -> Asked:
    """What a model may see: no secret, and no category of a private topic."""
    private = read_topics(reader).private
    counted = counted_tree(call, reader, nodes).nodes
    return Asked(redact(query)[0], {path: node for path, node in counted.items() if private.isdisjoint(path.split("/"))})


def _prompt(call: Call, reader: Reader, nodes: Tree, query: str, limit: int, where: str) -> Report:
    """The prompt in a new file, for a model of the caller's own; nothing is asked."""
    made = _task(limit)
    item = item_of(made, _asked(call, reader, nodes, query))
    path = Path(where).expanduser()
    write_new(path, (prompt_of(made, [item]).text + "\n").encode())
    return Report([f"OK the prompt is in {path}; nothing was asked", "NEXT give it to a model; its answer names categories"], {"prompt_file": str(path)})
