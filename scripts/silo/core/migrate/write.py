"""Writes what leaves MEMORY.md into tier files and topic files, word for word, and notes where each line went."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace

from silo.core.entities.mentions import project_name
from silo.core.migrate.classify import HEADS
from silo.core.migrate.evidence import Tier
from silo.core.migrate.place import Spot, chain, heading_words
from silo.core.migrate.reading import BOLD_LEVEL, Document, Kind, bare
from silo.core.migrate.request import Request
from silo.core.migrate.settle import Settled
from silo.core.migrate.tierfile import ACTIVE, ARCHIVE, PROTOCOLS, TierFile
from silo.core.migrate.topicfile import Part, Subject, build, item_facts
from silo.formats.events import slug_for
from silo.text.lines import encode
from silo.text.redact import MARK, redact

_UNHEADED = {(ARCHIVE, Tier.ONTOLOGY): "Who and what", (ARCHIVE, Tier.ARCHIVE): "Notes"}


class Writer:
    """Fills `topics` and `tiers` (texts by path) and `homes` (files by source line)."""

    def __init__(self, settled: Settled, files: Mapping[str, str], request: Request) -> None:
        self.settled = settled
        self.document = settled.document
        self.files = files
        self.request = request
        self.spots: dict[int, Spot] = dict(settled.spots)
        self.topics: dict[str, str] = {}
        self.homes: dict[int, list[str]] = {}
        self._files: dict[str, TierFile] = {}

    def write(self) -> None:
        """Everything that moves has its place afterwards, and what stays has the source as its home."""
        self._write_topics()
        self._write_tiers()
        for number in self.settled.kept.origin:
            if number:
                self._home(number, self.request.source)
        for index, spot in self.spots.items():
            if self.document.blocks[index].kind is Kind.RULE and spot.path:
                self._homes_of(index, spot.path)

    @property
    def tiers(self) -> dict[str, str]:
        """The texts of the tier files that were looked at."""
        return {
            path: file.render() if file.changed else self.files[path] for path, file in self._files.items()
        }

    # --- topics ---------------------------------------------------------------------------------------------

    def _write_topics(self) -> None:
        groups: dict[str, list[int]] = {}
        slugs: dict[int, str] = {}
        for index in sorted(self.spots):
            head = self.spots[index].topic
            if head >= 0:
                slugs.setdefault(head, self._slug(head))
                groups.setdefault(slugs[head], []).append(index)
        for slug, blocks in groups.items():
            path = f"memory/topics/{slug}.md"
            text = self._topic(slug, self.spots[blocks[0]].topic, blocks, path)
            for index in blocks:
                spot = self.spots[index]
                if text is None:
                    home = ACTIVE if spot.tier is Tier.ACTIVE else ARCHIVE
                    self.spots[index] = replace(spot, path=home, topic=-1)
                else:
                    self.spots[index] = replace(spot, path=path)
                    self._homes_of(index, path)
            if text is not None:
                self.topics[path] = text

    def _slug(self, head: int) -> str:
        said = MARK.sub("", redact(self.document.blocks[head].text)[0])
        name = project_name(said) or said
        return slug_for(name) or "topic-" + hashlib.sha256(encode(name)).hexdigest()[:6]

    def _topic(self, slug: str, head: int, blocks: list[int], path: str) -> str | None:
        words = heading_words(self.document, self.document.blocks[head])
        old = self.files.get(path)
        own = words if old is not None and words not in old else ""
        parts: list[Part] = []
        for index in blocks:
            unit = self.settled.units[index]
            inner = unit.path[unit.path.index(self.spots[index].topic) + 1 :]
            under = [
                p
                for p in inner
                if self.document.blocks[p].level <= BOLD_LEVEL or self.document.blocks[p].kind is Kind.HEADING
            ]
            labels = [self.document.blocks[p] for p in inner if p not in under]
            heading = heading_words(self.document, self.document.blocks[under[-1]]) if under else own
            if not parts or parts[-1].heading != heading:
                parts.append(Part(heading))
            block = unit.block
            if block.kind in (Kind.ITEM, Kind.PARAGRAPH):
                facts = item_facts(
                    self.document, block, [_label_words(self.document, b.start) for b in labels]
                )
                if facts is None:
                    return None
                parts[-1].facts += facts
            else:
                parts[-1].raw += closed([bare(x) for x in self.document.raw(block)])
        state = "project" if self.spots[blocks[0]].tier is Tier.ACTIVE else "reference"
        subject = Subject(slug, words, state, self.request.today, self.request.at, self.request.source)
        return build(subject, parts, old, path)

    # --- tiers ----------------------------------------------------------------------------------------------

    def _write_tiers(self) -> None:
        said: dict[tuple[str, ...], set[int]] = {}  # labels already written under a section
        last: dict[str, int] = {}
        used: set[int] = set()
        for index in range(len(self.document.blocks)):
            block = self.document.blocks[index]
            spot = self.spots.get(index)
            if spot is None or (block.kind is Kind.RULE and spot.path != self.request.source):
                continue
            used.update(self.settled.units[index].path)
            if spot.path == self.request.source:
                continue
            if spot.path not in (PROTOCOLS, ACTIVE, ARCHIVE):
                self._topic_heads(index, spot.path)
                continue
            raw = closed([bare(x) for x in self.document.raw(block)])
            file = self._tier(spot.path)
            titles, labels = self._chain(index, spot, file)
            here = said.setdefault((spot.path, *titles), set())
            fresh = [p for p in labels if p not in here and not self.settled.has_secret(p)]
            here.update(fresh)
            lines = [bare(self.document.lines[self.document.blocks[p].start - 1]) for p in fresh] + raw
            apart = block.gap > 0 or block.kind is not Kind.ITEM or last.get(spot.path) != index - 1
            file.add(titles, lines, apart=apart and not (block.kind is Kind.ITEM and block.gap == 0))
            last[spot.path] = index
            self._homes_of(index, spot.path)
            self._path_homes(index, spot.path)
        self._bare_heads(used)

    def _tier(self, path: str) -> TierFile:
        if path not in self._files:
            self._files[path] = TierFile(path, self.files.get(path))
        return self._files[path]

    def _chain(self, index: int, spot: Spot, file: TierFile) -> tuple[list[str], list[int]]:
        heads, labels = chain(self.document, self.settled.units[index].path, self.settled.title)
        titles = [heading_words(self.document, self.document.blocks[p]) for p in heads]
        if spot.waiting and titles:
            titles = [*file.waiting(titles[0]), *titles[1:]]
        if not titles and (spot.path, spot.tier) in _UNHEADED:
            titles = [_UNHEADED[spot.path, spot.tier]]
        return titles, labels

    def _bare_heads(self, used: set[int]) -> None:
        """Headings with nothing below them that moved or stayed still need a place."""
        tier = self.settled.tiers
        for index, block in enumerate(self.document.blocks):
            if (
                block.kind not in HEADS
                or index in used
                or index in self.settled.keep
                or index == self.settled.title
            ):
                continue
            path = (
                PROTOCOLS
                if tier[index] is Tier.PROTOCOLS
                else ACTIVE
                if tier[index] is Tier.ACTIVE
                else ARCHIVE
            )
            file = self._tier(path)
            heads, labels = chain(self.document, (*self.settled.units[index].path, index), self.settled.title)
            titles = [heading_words(self.document, self.document.blocks[p]) for p in heads]
            file.open_section(titles)
            if labels:
                lines = [bare(self.document.lines[self.document.blocks[p].start - 1]) for p in labels]
                file.add(titles or [_UNHEADED[ARCHIVE, Tier.ARCHIVE]], lines, apart=False)
            self._path_homes(index, path)
            self._homes_of(index, path)

    # --- where lines went -----------------------------------------------------------------------------------

    def _home(self, number: int, path: str) -> None:
        homes = self.homes.setdefault(number, [])
        if path not in homes:
            homes.append(path)

    def _homes_of(self, index: int, path: str) -> None:
        block = self.document.blocks[index]
        for number in range(block.start, block.end + 1):
            self._home(number, path)

    def _path_homes(self, index: int, path: str) -> None:
        for head in self.settled.units[index].path:
            if head != self.settled.title:
                self._homes_of(head, path)

    def _topic_heads(self, index: int, path: str) -> None:
        unit = self.settled.units[index]
        topic = self.spots[index].topic
        for head in unit.path[unit.path.index(topic) :]:
            self._homes_of(head, path)
        for head in unit.path[: unit.path.index(topic)]:
            if head != self.settled.title and not self.homes.get(self.document.blocks[head].start):
                self._need_heading(head)

    def _need_heading(self, head: int) -> None:
        """A heading above a topic (`Projects`) whose own lines all became topics: it stays as a heading of active.md."""
        file = self._tier(ACTIVE)
        heads, _ = chain(self.document, (*self.settled.units[head].path, head), self.settled.title)
        file.open_section([heading_words(self.document, self.document.blocks[p]) for p in heads])
        self._homes_of(head, ACTIVE)


def _label_words(document: Document, line: int) -> str:
    text = redact(bare(document.lines[line - 1]).strip())[0]
    return text.lstrip("-*+•‣▪– \t") if not text[:1].isalnum() else text


def closed(lines: list[str]) -> list[str]:
    """Lines with the fence or comment that they leave open closed, so that it swallows nothing that follows them."""
    mark = ""
    for line in lines:
        text = line.strip()
        if mark:
            if text.startswith(mark) and not text.strip(mark[0]):
                mark = ""
        elif text.startswith(("```", "~~~")):
            mark = text[: len(text) - len(text.lstrip(text[0]))]
    if mark:
        indent = lines[0][: len(lines[0]) - len(lines[0].lstrip())]
        return [*lines, indent + mark]
    whole = "\n".join(lines)
    if whole.lstrip().startswith("<!--") and "-->" not in whole:
        return [*lines, "-->"]
    return lines
