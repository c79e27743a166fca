"""Which blocks leave MEMORY.md and which stay, so that what stays reads as standing orders when it stands alone.

Classifies, places, composes what is left, and reads that again: what no longer reads as a directive by itself moves too.
On the text that comes out, a later plan finds nothing to move.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from silo.core.entities.mentions import Finder
from silo.core.migrate.classify import HEADS, SILENT, Section, Unit, classify, outline
from silo.core.migrate.evidence import Tier
from silo.core.migrate.ledger import bare_words, digest
from silo.core.migrate.memoryfile import Kept, compose
from silo.core.migrate.place import Placing, Spot, place
from silo.core.migrate.reading import Document, Kind, read
from silo.core.migrate.request import Request
from silo.core.migrate.router import NAME
from silo.text.redact import redact


@dataclass(frozen=True, slots=True)
class Settled:
    """A document with a decision for every block. `spots` has those that are no headings; `keep` the blocks that stay."""

    document: Document
    units: Mapping[int, Unit]
    title: int
    sections: tuple[Section, ...]
    spots: Mapping[int, Spot]
    keep: frozenset[int]
    kept: Kept
    secrets: frozenset[int]

    @property
    def tiers(self) -> dict[int, Tier]:
        """The tier of every block."""
        found = {i: s.tier for s in self.sections for i in s.blocks}
        return found | {i: spot.tier for i, spot in self.spots.items()}

    @property
    def router_lines(self) -> frozenset[int]:
        """The lines of a router that stands in the file already."""
        blocks = (b for b in self.document.blocks if b.kind is Kind.MANAGED and b.text == NAME)
        return frozenset(n for b in blocks for n in range(b.start, b.end + 1))

    def has_secret(self, index: int) -> bool:
        """Whether a line of the block holds a secret."""
        block = self.document.blocks[index]
        return not self.secrets.isdisjoint(range(block.start, block.end + 1))


def secret_lines(text: str) -> frozenset[int]:
    """The lines (from 1) that hold a secret, or a part of one."""
    found: set[int] = set()
    for one in redact(text)[1]:
        first = text.count("\n", 0, one.start) + 1
        found.update(range(first, first + text.count("\n", one.start, one.end) + 1))
    return frozenset(found)


def settle(text: str, request: Request) -> tuple[Settled, Finder]:
    """The decisions for a text, and the finder of names made for it."""
    return _Settler(text, request).settle()


class _Settler:
    def __init__(self, text: str, request: Request) -> None:
        self.request = request
        self.document = read(text)
        found, self.title = outline(self.document)
        self.units = {u.index: u for u in found}
        self.secrets = secret_lines(text)
        self.finder = Finder(self.document, request.words, self.secrets)
        self.by_line = {block.start: i for i, block in enumerate(self.document.blocks)}
        self.staying = frozenset(i for i in range(len(self.document.blocks)) if self._stays(i))

    def settle(self) -> tuple[Settled, Finder]:
        """Ends because each round keeps less than the one before."""
        first = classify(self.document, self.request.words)
        forced: dict[int, Tier] = {}
        while True:
            sections = relabel(first, forced)
            given = Placing(
                self.document, self.units, sections, self.finder, self.request.source, self.staying
            )
            spots = place(given)
            keep = self._keep(spots, sections)
            kept = compose(self.document, keep, self.title, self.request.agent)
            moved = self._unstable(kept, keep)
            if not moved:
                done = Settled(
                    self.document, self.units, self.title, sections, spots, keep, kept, self.secrets
                )
                return done, self.finder
            forced |= moved

    def _keep(self, spots: Mapping[int, Spot], sections: tuple[Section, ...]) -> frozenset[int]:
        """Blocks that stay with the headings above them; a heading without anything below stays if it is a directive."""
        tier = {i: s.tier for s in sections for i in s.blocks}
        keep = {i for i, s in spots.items() if s.path == self.request.source}
        keep |= {p for i in keep for p in self.units[i].path}
        filled = {p for i in spots for p in self.units[i].path}
        for index, block in enumerate(self.document.blocks):
            if block.kind in HEADS and (
                index in self.staying or (index not in filled and tier[index] is Tier.DIRECTIVE)
            ):
                keep.update((*self.units[index].path, index))
        return frozenset(keep | ({self.title} if self.title >= 0 else set()))

    def _stays(self, index: int) -> bool:
        block = self.document.blocks[index]
        if block.kind in (Kind.FRONT_MATTER, Kind.MANAGED) or index == self.title:
            return True
        numbers = range(block.start, block.end + 1)
        if not self.secrets.isdisjoint(numbers):
            return True
        if not self.request.settled:
            return False
        said = [bare_words(self.document.lines[n - 1]) for n in numbers]
        return all(digest(words) in self.request.settled for words in said if words)

    def _unstable(self, kept: Kept, keep: frozenset[int]) -> dict[int, Tier]:
        """Blocks that stay though, standing alone, they read as something else than a directive."""
        again = read(kept.text)
        filled = {p for u in outline(again)[0] if u.block.kind not in HEADS for p in u.path}
        found: dict[int, Tier] = {}
        for section in classify(again, self.request.words):
            if section.tier is Tier.DIRECTIVE:
                continue
            for index in section.blocks:
                kind = again.blocks[index].kind
                if kind in SILENT or (kind in HEADS and index in filled):
                    continue
                mine = self.by_line.get(kept.origin[again.blocks[index].start - 1], -1)
                if mine >= 0 and mine in keep and mine not in self.staying:
                    found[mine] = section.tier
        return found


def relabel(sections: tuple[Section, ...], forced: Mapping[int, Tier]) -> tuple[Section, ...]:
    """Sections with some blocks in another tier: cut where the tier changes."""
    if not forced:
        return sections
    out: list[Section] = []
    for section in sections:
        runs: list[tuple[Tier, list[int]]] = []
        for index in section.blocks:
            tier = forced.get(index, section.tier)
            if runs and runs[-1][0] is tier:
                runs[-1][1].append(index)
            else:
                runs.append((tier, [index]))
        out += [replace(section, tier=tier, blocks=tuple(blocks)) for tier, blocks in runs]
    return tuple(out)
