"""Names for new suggestions by a model, where one is configured for `name`; the rules' names stand everywhere else."""

from __future__ import annotations

from collections.abc import Sequence

from silo.core.engines.naming import Cluster, TopicName, task
from silo.core.suggest import Proposal
from silo.core.suggest.proposals import renamed
from silo.edge.llm.templates import load_head, load_schema
from silo.edge.workspace import Workspace
from silo.jobs.choice import AGENT, RULES, choose
from silo.jobs.run import Call


def with_names(call: Call, workspace: Workspace, shown: Sequence[Proposal], known: frozenset[str], taken: frozenset[str]) -> tuple[list[Proposal], list[str]]:
    """(the proposals, the new ones under a model's names, what to say). `known`: ids of proposals that have a name already;
    `taken`: slugs that no topic may get."""
    choice = choose(call, "name")
    new = [one for one in shown if one.line and one.id not in known]
    if choice.engine in (RULES, AGENT) or not new:
        return list(shown), []
    from silo.jobs.engines import engines_for

    engines = engines_for(call, workspace, "name", choice)
    slugs = taken | {one.suggestion.slug for one in shown}
    rules = {one.id: TopicName(one.suggestion.slug, one.suggestion.title) for one in new}
    clusters = {one.id: Cluster(tuple(e.text for e in one.suggestion.events), one.suggestion.words, slugs - {one.suggestion.slug}) for one in new}
    made = task(load_head("name"), load_schema("name-answer"), lambda cluster: next(rules[i] for i, one in clusters.items() if one is cluster))
    names = {one.id: answer.value for one, answer in zip(new, engines.ask(made, [clusters[one.id] for one in new]), strict=True)}
    used: set[str] = set()
    out: list[Proposal] = []
    for one in shown:
        name = names.get(one.id)
        if name is not None and name.slug not in used:
            used.add(name.slug)
            one = renamed(one, name.slug, name.title, call.today)
        out.append(one)
    return out, engines.notes
