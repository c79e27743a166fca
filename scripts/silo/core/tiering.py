"""Where a new statement belongs in a memory of tiers: protocols, active, archive, the entity graph, or the log alone.

The evidence is that of the migration, read for one statement; the tag of the log counts too. What says nothing of any
kind stays in the log alone. Also what a tier file's lint looks for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from silo.core.entities.mentions import Finder, Mention
from silo.core.entities.resolve import resolve
from silo.core.migrate.classify import Section
from silo.core.migrate.evidence import (
    ACTIVE,
    ARCHIVE,
    DIRECTIVE,
    ONTOLOGY,
    PROTOCOLS,
    Evidence,
    Tier,
    block_evidence,
    heading_evidence,
)
from silo.core.migrate.reading import read
from silo.core.migrate.tierfile import TierFile
from silo.core.tidy import archived, take
from silo.formats import tiers
from silo.formats.graph import Graph
from silo.model import Problem, Tag
from silo.text.completion import Completion, completes
from silo.text.migration_words import MigrationWords

LEAST = 0.6  # evidence below which a statement is of no tier
_TAGGED = {Tag.PROCEDURE: (PROTOCOLS, 1.0), Tag.TODO: (ACTIVE, 0.6), Tag.EVENT: (ARCHIVE, 0.5)}
_STATE = 1.5  # evidence for live work above which an item of protocols.md is no procedure


class Place(StrEnum):
    """Where a statement goes beside the log."""

    PROTOCOLS = "protocols"
    ACTIVE = "active"
    ARCHIVE = "archive"
    ONTOLOGY = "ontology"
    LOG = "log"


@dataclass(frozen=True, slots=True)
class Placed:
    """Files after a statement was placed: path → text; graph lines to append; items that moved to the archive."""

    files: Mapping[str, str]
    graph: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()


def place_of(text: str, tag: Tag, words: MigrationWords) -> tuple[Place, tuple[str, ...]]:
    """(the place, the words that decided)."""
    found = _evidence(text, words)
    if tag in _TAGGED:
        index, weight = _TAGGED[tag]
        found.add(index, weight, tag.value.lower())
    scores = [
        (max(found.scores[PROTOCOLS], found.scores[DIRECTIVE]), Place.PROTOCOLS),
        (found.scores[ACTIVE], Place.ACTIVE),
        (found.scores[ARCHIVE], Place.ARCHIVE),
        (found.scores[ONTOLOGY], Place.ONTOLOGY),
    ]
    best, place = max(scores, key=lambda one: one[0])
    if best < LEAST:
        return Place.LOG, ()
    tiers_of = {
        Place.PROTOCOLS: (PROTOCOLS, DIRECTIVE),
        Place.ACTIVE: (ACTIVE,),
        Place.ARCHIVE: (ARCHIVE,),
        Place.ONTOLOGY: (ONTOLOGY,),
    }
    return place, tuple(dict.fromkeys(why for tier, why in found.why if tier in tiers_of[place]))


def _evidence(text: str, words: MigrationWords) -> Evidence:
    blocks = read(f"- {text}\n").blocks
    found = block_evidence(blocks[0], words) if blocks else Evidence()
    lead, colon, _ = text.partition(":")
    if colon and len(lead) < 60:
        # "How to reset the router: …" begins as a heading would
        head = heading_evidence(lead, lead, words)
        found.scores = [a + 0.3 * b for a, b in zip(found.scores, head.scores, strict=True)]
        found.why += head.why
    return found


def place(
    text: str, where: Place, title: str, day: str, *, tag: Tag, files: Mapping[str, str], completions: Callable[[], tuple[Completion, ...]]
) -> Placed:
    """A statement under `title` in its tier file; what it completes moves from active.md to archive.md with it."""
    if where is Place.ARCHIVE:
        active = files.get(tiers.PATHS[tiers.ACTIVE])
        after, gone = (active, ()) if active is None else take(active, lambda item: bool(completes(text, item.text, completions())))
        ticked = tuple(replace(item, lines=item.lines.replace("[ ]", "[x]", 1) if item.done is False else item.lines) for item in gone)
        archive = archived(files.get(tiers.PATHS[tiers.ARCHIVE]), ticked, day)
        archive = _added(tiers.ARCHIVE, archive, (day[:7],), f"- {text}" if text.startswith(day) else f"- {day}: {text}")
        out = {tiers.PATHS[tiers.ARCHIVE]: archive}
        if after is not None and gone:
            out[tiers.PATHS[tiers.ACTIVE]] = after
        return Placed(out, moved=tuple(item.text for item in gone))
    name = where.value
    line = f"- [ ] {text}" if where is Place.ACTIVE and tag is Tag.TODO else f"- {text}"
    waits = where is Place.ACTIVE and tiers.is_waiting(text)
    return Placed({tiers.PATHS[name]: _added(name, files.get(tiers.PATHS[name]), (tiers.WAITING,) if waits else (title,), line)})


def entities_of(text: str, graph: Graph, words: MigrationWords, *, source: str, at: str) -> tuple[str, ...]:
    """The graph lines that a statement about people, organisations or places adds; none where it names nobody anew."""
    found: list[Mention] = []
    for form in (f"- {text}\n", f"{text}\n"):  # as an item (`Plumber: …`), and as a sentence (`… is the plumber of …`)
        document = read(form)
        section = Section(1, 1, "", (), Tier.ONTOLOGY, 1.0, (), tuple(range(len(document.blocks))))
        found += Finder(document, words).find((section,), whole=False)
    _, lines = resolve(found, graph, source=source, at=at)
    return tuple(line.replace(f'"src":"{source}:1"', f'"src":"{source}"') for line in lines)


def _added(name: str, text: str | None, chain: tuple[str, ...], line: str) -> str:
    file = TierFile(tiers.PATHS[name], text)
    file.add(chain, [line], apart=False)
    return file.render()


# --- lint -------------------------------------------------------------------------------------------------


def lint(files: Mapping[str, str], words: Callable[[], MigrationWords]) -> tuple[Problem, ...]:
    """What the tier files' rules say against them: length, order, done items, and a project's state among the procedures."""
    found: list[Problem] = []
    for name, path in tiers.PATHS.items():
        if path not in files:
            continue
        tier = tiers.parse_tier(files[path], path)
        found += tier.problems
        if name == tiers.PROTOCOLS:
            found += (
                Problem(f"{path}:{item.start + 1}", "project-state", "this is the state of some work; it belongs into active.md")
                for item in tier.items
                if item.done is not None or _is_state(item.text, words())
            )
    return tuple(found)


def _is_state(text: str, words: MigrationWords) -> bool:
    scores = _evidence(text, words).scores
    return scores[ACTIVE] >= _STATE and scores[ACTIVE] > max(scores[PROTOCOLS], scores[DIRECTIVE]) + 0.5
