"""Mentions → lines of the graph: the same name once, first names as aliases, what the graph knows only added to.

Two persons of one name are never joined across types; an id is never another's (a collision gets a suffix). Existing
properties are not overwritten. Planning again on the graph that results plans no line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from silo.core.entities.mentions import Mention
from silo.core.entities.names import name_words
from silo.formats.graph import Entity, Graph, create_line, new_id, relate_line, update_line
from silo.text.fold import fold
from silo.text.redact import redact

_FAMILY_FIRST = re.compile("[\u3400-\u9fff\uac00-\ud7af]{3}")  # 오재희, whom they call 재희

TYPES = {"person": "Person", "org": "Org", "proj": "Project", "prop": "Property", "loc": "Location"}


@dataclass(slots=True)
class Draft:
    """An entity as the text tells it."""

    name: str
    type: str
    line: int
    properties: dict[str, str] = field(default_factory=dict)
    aliases: list[str] = field(default_factory=list)
    member_of: list[str] = field(default_factory=list)
    owns: list[str] = field(default_factory=list)
    located_at: list[str] = field(default_factory=list)
    works_on: dict[str, int] = field(default_factory=dict)  # name of the work → line that says so


@dataclass(frozen=True, slots=True)
class Resolved:
    """What the graph gets: one entity, new or known, by its id."""

    id: str
    type: str
    name: str
    line: int
    new: bool


def resolve(
    mentions: Iterable[Mention], graph: Graph, *, source: str, at: str
) -> tuple[tuple[Resolved, ...], tuple[str, ...]]:
    """(the entities in the order they are named, the graph lines to append). `at` is an instant ending in Z."""
    drafts = join(mentions)
    lines: list[str] = []
    ids: dict[tuple[str, str], str] = {}
    taken = set(graph.entities) | set(graph.merged)
    found: list[Resolved] = []
    for draft in drafts:
        type_ = TYPES[draft.type]
        src = f"{source}:{draft.line}"
        known = _known(draft, graph)
        ident = known.id if known else new_id(type_, draft.name, taken)
        taken.add(ident)
        ids.update({(draft.type, fold(n)): ident for n in (draft.name, *draft.aliases)})
        properties = _properties(draft)
        if known is None:
            lines.append(create_line(ident, type_, properties, at, src=src))
        elif more := _more(known, draft, properties):
            lines.append(update_line(ident, more, at, src=src))
        found.append(Resolved(ident, type_, draft.name, draft.line, known is None))
    held = {(r.source, r.rel, r.to) for r in (*graph.relations, *graph.past)}
    for draft in drafts:
        for rel, to, line in _relations(draft, ids):
            triple = (ids[draft.type, fold(draft.name)], rel, to)
            if triple not in held and triple[0] != to:
                held.add(triple)
                lines.append(relate_line(*triple, at, src=f"{source}:{line}"))
    return tuple(found), tuple(lines)


def join(mentions: Iterable[Mention]) -> list[Draft]:
    """One draft a name and type; a first name alone joins the one person who bears it."""
    drafts: dict[tuple[str, str], Draft] = {}
    works: list[tuple[str, str, int]] = []
    for mention in mentions:
        if mention.type == "works":  # a person named in a piece of work, known or not
            works.append((mention.of[0], mention.name, mention.line))
            continue
        name = redact(mention.name)[0]
        if name != mention.name:
            continue
        draft = drafts.setdefault((mention.type, fold(name)), Draft(name, mention.type, mention.line))
        for key, value in mention.properties:
            draft.properties.setdefault(fold(key).replace(" ", "_"), redact(value)[0])
        draft.aliases += [a for a in mention.aliases if a not in draft.aliases and fold(a) != fold(name)]
        (draft.owns if mention.owns else draft.member_of).extend(mention.of)
        draft.located_at.extend(mention.at)
    _join_first_names(drafts)
    for person, work, line in works:
        if (who := _one_person(drafts, person)) and ("proj", fold(work)) in drafts:
            who.works_on.setdefault(work, line)
    return list(drafts.values())


def _join_first_names(drafts: dict[tuple[str, str], Draft]) -> None:
    for key in [k for k in drafts if k[0] == "person"]:
        words = name_words(drafts[key].name)
        if len(words) != 1:
            continue
        short_name = drafts[key].name
        full = [
            d
            for k, d in drafts.items()
            if k[0] == "person"
            and k != key
            and (
                (len(name_words(d.name)) > 1 and name_words(d.name)[0] == words[0])
                or (_FAMILY_FIRST.fullmatch(d.name) and d.name[1:] == short_name)
            )
        ]
        if len(full) == 1:
            short = drafts.pop(key)
            kept = full[0]
            kept.aliases += [a for a in (short.name, *short.aliases) if a not in kept.aliases]
            kept.properties = {**short.properties, **kept.properties}
            kept.member_of += short.member_of
            kept.owns += short.owns
            kept.located_at += short.located_at


def _one_person(drafts: Mapping[tuple[str, str], Draft], name: str) -> Draft | None:
    """The one person of that name, alias or first name; None where none or several fit."""
    wanted = fold(name)
    people = [d for (kind, _), d in drafts.items() if kind == "person"]
    exact = [d for d in people if wanted in (fold(n) for n in (d.name, *d.aliases))]
    close = exact or [d for d in people if name_words(d.name)[:1] == [wanted]]
    return close[0] if len(close) == 1 else None


def _properties(draft: Draft) -> dict[str, Any]:
    properties: dict[str, Any] = {"name": draft.name}
    if draft.aliases:
        properties["aliases"] = list(draft.aliases)
    properties.update({k: v for k, v in draft.properties.items() if k not in ("name", "aliases", "")})
    return properties


def _known(draft: Draft, graph: Graph) -> Entity | None:
    wanted = TYPES[draft.type]
    fit = [e for e in graph.named(draft.name) if e.type == wanted]
    return fit[0] if len(fit) == 1 else None


def _more(known: Entity, draft: Draft, properties: Mapping[str, Any]) -> dict[str, Any]:
    """The properties and aliases that the graph does not have yet."""
    more = {k: v for k, v in properties.items() if k not in ("name", "aliases") and k not in known.properties}
    names = {fold(n) for n in known.names}
    new = [n for n in (draft.name, *draft.aliases) if fold(n) not in names]
    if new:
        more["aliases"] = [*known.names[1:], *new]
    return more


def _relations(draft: Draft, ids: Mapping[tuple[str, str], str]) -> list[tuple[str, str, int]]:
    """(relation, id of the other end, line that says so), each once."""
    said = [
        *(("owns", "org", name, draft.line) for name in draft.owns),
        *(("member_of", "org", name, draft.line) for name in draft.member_of),
        *(("located_at", "loc", name, draft.line) for name in draft.located_at),
        *(("collaborates_on", "proj", name, line) for name, line in draft.works_on.items()),
    ]
    found: dict[tuple[str, str], int] = {}
    for rel, kind, name, line in said:
        if to := ids.get((kind, fold(name))):
            found.setdefault((rel, to), line)
    return [(rel, to, line) for (rel, to), line in found.items()]
