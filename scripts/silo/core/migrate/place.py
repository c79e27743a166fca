"""Decides where every block of a classified memory goes: which file, under which headings, or left where it is.

Directives, front matter, the title and what holds a secret stay. A named piece of live work with facts of its own
becomes a topic, its next actions go to active.md; a named subject without dates becomes a topic for reference; ticked
items of a to-do list go to the archive. Writes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from silo.core.entities.mentions import Finder
from silo.core.migrate.classify import HEADS, SILENT, Section, Unit
from silo.core.migrate.evidence import Tier
from silo.core.migrate.reading import BOLD_LEVEL, Block, Document, Kind
from silo.core.migrate.tierfile import ACTIVE as ACTIVE_FILE
from silo.core.migrate.tierfile import ARCHIVE as ARCHIVE_FILE
from silo.core.migrate.tierfile import PROTOCOLS as PROTOCOLS_FILE
from silo.text.redact import redact

_TIER_FILES = {
    Tier.PROTOCOLS: PROTOCOLS_FILE,
    Tier.ACTIVE: ACTIVE_FILE,
    Tier.ARCHIVE: ARCHIVE_FILE,
    Tier.ONTOLOGY: ARCHIVE_FILE,
}
_FEWEST_FACTS = 2  # facts that make a topic of a named piece of work
_FEWEST_LINES = 3
_DATED = re.compile(r"[\W_]*(?:19|20)\d\d\b|[\W_]*\d{1,2}[/.]\d{1,2}[/.]")


@dataclass(frozen=True, slots=True)
class Spot:
    """Where one block goes. `topic` is the index of the heading that names the topic, -1 if none."""

    block: int
    tier: Tier
    path: str  # a tier file, the source itself, or "" for the topic
    topic: int = -1
    waiting: bool = False  # to the last section of active.md


@dataclass(frozen=True, slots=True)
class Placing:
    """What `place` needs to know beside the document."""

    document: Document
    units: Mapping[int, Unit]
    sections: tuple[Section, ...]
    finder: Finder
    source: str
    staying: frozenset[int]  # blocks that must stay whatever they say


def place(given: Placing) -> dict[int, Spot]:
    """The spot of every block that is no heading; headings go with what stands under them."""
    spots: dict[int, Spot] = {}
    for section in given.sections:
        for index in section.blocks:
            block = given.document.blocks[index]
            if block.kind in HEADS:
                continue
            stays = index in given.staying or section.tier is Tier.DIRECTIVE
            spots[index] = Spot(index, section.tier, given.source if stays else _TIER_FILES[section.tier])
    _tick(given, spots)
    _wait(given, spots)
    _topics(given, spots)
    return spots


def _tick(given: Placing, spots: dict[int, Spot]) -> None:
    """Done items of a to-do list are finished work."""
    for index, spot in spots.items():
        if spot.path == ACTIVE_FILE and given.document.blocks[index].box:
            spots[index] = replace(spot, tier=Tier.ARCHIVE, path=ARCHIVE_FILE)


def _wait(given: Placing, spots: dict[int, Spot]) -> None:
    for index, spot in spots.items():
        path = given.units[index].path
        if spot.path == ACTIVE_FILE and any(
            given.finder.heading_kind(given.document.blocks[p].text) == "waiting" for p in path
        ):
            spots[index] = replace(spot, waiting=True)


def _topics(given: Placing, spots: dict[int, Spot]) -> None:
    under: dict[int, list[int]] = {}
    for index, spot in spots.items():
        if spot.path in (ACTIVE_FILE, ARCHIVE_FILE) and not spot.waiting:
            for head in given.units[index].path:
                under.setdefault(head, []).append(index)
    taken: set[int] = set()
    for head in sorted(under):
        blocks = [b for b in under[head] if b not in taken and given.document.blocks[b].kind not in SILENT]
        path = (*given.units[head].path, head)
        work = [
            b
            for b in blocks
            if spots[b].path == ACTIVE_FILE
            or (spots[b].tier is Tier.ARCHIVE and given.document.blocks[b].box)
        ]
        if len(work) * 2 > len(blocks) and given.finder.names_work(head, path):
            facts = [b for b in work if not is_next_action(given, b)]
            if _enough(given, facts, work):
                taken |= set(blocks)
                for b in facts:
                    spots[b] = replace(spots[b], path="", topic=head, tier=Tier.ACTIVE)
        elif _is_subject(given, head, blocks, spots):
            taken |= set(blocks)
            for b in blocks:
                spots[b] = replace(spots[b], path="", topic=head)


def _enough(given: Placing, facts: list[int], work: list[int]) -> bool:
    blocks = given.document.blocks
    return len(facts) >= _FEWEST_FACTS and sum(blocks[b].text.count("\n") + 1 for b in work) >= _FEWEST_LINES


def _is_subject(given: Placing, head: int, blocks: list[int], spots: Mapping[int, Spot]) -> bool:
    """A heading that names a subject, above facts without dates that no heading or tier claims: reference of its own."""
    document, finder = given.document, given.finder
    path = (*given.units[head].path, head)
    if document.blocks[head].kind is not Kind.HEADING or len(blocks) < _FEWEST_LINES:
        return False
    if any(finder.words.headings.find(document.blocks[p].text) for p in path):
        return False
    if not all(
        spots[b].tier is Tier.ARCHIVE and document.blocks[b].kind in (Kind.ITEM, Kind.PARAGRAPH)
        for b in blocks
    ):
        return False
    return not any(_DATED.match(document.blocks[b].text) for b in blocks) and not _DATED.match(
        document.blocks[head].text
    )


def is_next_action(given: Placing, index: int) -> bool:
    """Whether a line of live work asks for something to be done or waits for it, rather than telling a fact."""
    block = given.document.blocks[index]
    if block.box is not None:
        return not block.box
    if block.text.rstrip().endswith(("?", "\uff1f")):
        return True
    hits = given.finder.words.next_action.find(block.text[:600])
    return any(hit.label == "any" or hit.at == 0 for hit in hits)


def chain(document: Document, path: tuple[int, ...], title: int) -> tuple[list[int], list[int]]:
    """The headings of a path that become headings of a tier file, and the labels below them that stay lines."""
    heads = [p for p in path if p != title and document.blocks[p].level <= BOLD_LEVEL]
    labels = [p for p in path if document.blocks[p].level > BOLD_LEVEL]
    return heads, labels


def heading_words(document: Document, block: Block) -> str:
    """A heading's words as they stand in the file: hashes and underline off, emphasis kept, secrets replaced.

    A heading with a secret stays in its file; elsewhere it only tells what stands below.
    """
    line = document.lines[block.start - 1].strip("\ufeff \t\r\n")
    return _safe(line.lstrip("#").strip() if block.kind is Kind.HEADING and line.startswith("#") else line)


@lru_cache(maxsize=512)
def _safe(words: str) -> str:
    return redact(words)[0]
