"""Finds who and what a classified memory speaks of: people, organisations, places, property and projects.

Goes section by section and hands each line to `people` or `work`, according to its tier and the headings above it.
Builds no graph: `resolve` does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from silo.core.entities.kept import is_kept
from silo.core.entities.mention import FIXED, Mention
from silo.core.entities.names import is_address, is_name, kind_of, lead, name_words, only_title, place_label
from silo.core.entities.people import People
from silo.core.entities.spots import Spot, quoted_firms, spots
from silo.core.entities.unspaced import unspaced
from silo.core.entities.weighing import Weigher, all_nouns, lower_words
from silo.core.entities.work import Work, project_name
from silo.core.migrate.classify import Section
from silo.core.migrate.evidence import Tier
from silo.core.migrate.reading import OUTLINE_LEVEL, Block, Document, Kind, undress
from silo.text.fold import fold
from silo.text.lexicon import split_words
from silo.text.migration_words import MigrationWords

__all__ = ["Finder", "Mention", "project_name"]

_MARK = re.compile(r"[ \t]*(?:[-*+•‣▪–]|\d{1,4}[.)])[ \t]+(?:\[[ xX✓~-]?\][ \t]+)?")
_ROW = re.compile(r"(?<!\\)\|")
_OF = re.compile(r" (?:of|de|da|do|del) |&")
_LINE = 140  # characters of a line that is no paragraph
_KINDS = ("waiting", "tasks", "property", "clients", "organisations", "places", "people", "profile")
_COLUMN_KIND = {
    "company": "org", "organisation": "org", "organization": "org", "org": "org", "supplier": "org", "vendor": "org", "sponsor": "org", "client": "org",
    "customer": "org", "empresa": "org", "fornecedor": "org", "entidade": "org", "cliente": "org", "proveedor": "org", "firma": "org", "kunde": "org",
    "firm": "org", "shop": "org", "school": "org", "loja": "org", "escola": "org", "tienda": "org", "contractor": "org", "公司": "org", "会社": "org", "회사": "org", "place": "loc", "local": "loc", "lugar": "loc", "property": "prop", "imovel": "prop", "inmueble": "prop",
    "person": "person", "who": "person", "pessoa": "person", "quem": "person", "persona": "person", "quien": "person", "tenant": "org", "inquilino": "org",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Under:
    """What the headings above a block say of the names below it: a kind of `_KINDS`, and the piece of work, "" if none."""

    kind: str
    project: str


class Finder:
    """Finds mentions in one document. `skip` are lines that must not be read, because they hold a secret."""

    def __init__(self, document: Document, words: MigrationWords, skip: frozenset[int] = frozenset()) -> None:
        self.document = document
        self.words = words
        self.skip = skip
        self.people = People(words.entities)
        self.work = Work(document, words, self.people)
        self._kinds: dict[str, str] = {}  # of headings, by their text
        self._japanese = any("\u3040" <= char <= "\u30ff" for line in document.lines for char in line)
        self._mixed: frozenset[int] = frozenset()  # headings above lines of several kinds

    def find(self, sections: tuple[Section, ...], *, whole: bool = True) -> list[Mention]:
        """Every mention, in the order of the file; the same name may come more than once. Not `whole`: only what a line
        tells by its form, without weighing all the places of a name."""
        found: list[Mention] = []
        self._mixed = self._above_several(sections)
        for section in sections:
            for index in section.blocks:
                block = self.document.blocks[index]
                if not self.skip.isdisjoint(range(block.start, block.end + 1)):
                    continue
                above = section.path if not section.path or section.path[-1] != index else section.path[:-1]
                told = self._block(index, section.tier, self._under(above, section.tier), above)
                found += (replace(m, type="loc") if m.type == "proj" and is_address(m.name, self.words.entities) else m for m in told)
        return [*found, *self._elsewhere(sections, found)] if whole else found

    def _elsewhere(self, sections: tuple[Section, ...], found: list[Mention]) -> list[Mention]:
        """Who and what no line tells by its form, but all the places where the name stands together."""
        seen: list[Spot] = []
        known = len(found)
        for section in sections:
            for index in section.blocks:
                block = self.document.blocks[index]
                if self.skip.isdisjoint(range(block.start, block.end + 1)):
                    kind = next((k for i in reversed(section.path) if (k := self.heading_kind(self.document.blocks[i].text))), "")
                    seen += spots(self.document, block, section.tier, kind, self.words.entities, unsure=section.unsure)
                    found = [*found, *self._unspaced(block, section, kind)]
        weigher = Weigher(
            self.words.entities, lower_words(self.document.lines), nouns=all_nouns(self.document.lines)
        )
        held = [(name_words(n), m.type in ("prop", "loc")) for m in found if m.type != "works" for n in (m.name, *m.aliases)]
        others = [m for m in found[known:] if m.name not in {n for f in found[:known] for n in (f.name, *f.aliases)}]
        return [*others, *(m for m in weigher.mentions(seen) if not _within(name_words(m.name), held, m.type))]

    def _unspaced(self, block: Block, section: Section, kind: str) -> list[Mention]:
        """The names of a block that no capital tells: in quotation marks, in a script without capitals."""
        if block.kind in (Kind.FENCE, Kind.COMMENT, Kind.MANAGED, Kind.FRONT_MATTER, Kind.HEADING, Kind.LABEL):
            return []
        japanese, words = self._japanese, self.words.entities
        lines = list(enumerate(self.document.raw(block), block.start))
        firms = [Mention(name, "org", n) for n, raw in lines for name in quoted_firms(raw, words) if section.tier is not Tier.ARCHIVE]
        return firms + [m for n, raw in lines for m in unspaced(raw, n, section.tier, kind, words, japanese=japanese)]

    def names_work(self, index: int, path: tuple[int, ...]) -> bool:
        """Whether a heading names a piece of live work; see `Work.names_work`."""
        return index not in self._mixed and self.work.names_work(index, path)

    def _above_several(self, sections: tuple[Section, ...]) -> frozenset[int]:
        """The headings below which live work stands beside people or procedures: kinds of content, not a piece of work."""
        tiers: dict[int, set[Tier]] = {}
        for section in sections:
            for index in section.blocks:
                if self.document.blocks[index].kind not in (Kind.HEADING, Kind.LABEL, Kind.RULE, Kind.COMMENT):
                    for head in section.path:
                        tiers.setdefault(head, set()).add(section.tier)
        work = {Tier.ACTIVE, Tier.ARCHIVE}
        return frozenset(head for head, kinds in tiers.items() if Tier.ACTIVE in kinds and kinds - work)

    def heading_kind(self, text: str) -> str:
        """What a heading says of the lines below it: waiting, tasks, property, clients, … or ""."""
        if text not in self._kinds:
            size = max(1, len(split_words(text)))
            hits = self.words.entities.headings.find(text)
            said = {hit.label for hit in hits if hit.length / size >= 0.3 or hit.at < 0}
            kind = next((kind for kind in _KINDS if kind in said), "")
            if not kind and size == 1 and (word := fold(text)).endswith("s") and word[:-1] in self.words.entities.place_words:
                kind = "places"  # `Yards`, `Hortas`
            self._kinds[text] = kind
        return self._kinds[text]

    def _under(self, path: tuple[int, ...], tier: Tier) -> _Under:
        texts = [self.document.blocks[index].text for index in reversed(path)]
        kind = next((kind for text in texts if (kind := self.heading_kind(text))), "")
        project = ""
        if tier is Tier.ACTIVE:
            project = next(
                (
                    project_name(t)
                    for i, t in zip(reversed(path), texts, strict=True)
                    if self.names_work(i, path)
                ),
                "",
            )
        return _Under(kind, project)

    def _block(self, index: int, tier: Tier, under: _Under, above: tuple[int, ...]) -> Iterator[Mention]:
        block = self.document.blocks[index]
        if block.kind in (Kind.HEADING, Kind.LABEL):
            yield from self._heading(index, tier, under, above)
        elif block.kind is Kind.TABLE:
            yield from self._table(block, tier, under)
        elif block.kind is Kind.PARAGRAPH:
            yield from self._prose(block, tier, under)
        elif block.kind is Kind.ITEM:
            yield from self._item(block, tier, under)

    def _heading(self, index: int, tier: Tier, under: _Under, above: tuple[int, ...]) -> Iterator[Mention]:
        block, words = self.document.blocks[index], self.words.entities
        name = project_name(block.text)
        if tier is Tier.ACTIVE and not under.project and self.names_work(index, (*above, index)):
            if kind_of(name, words, "proj") == "org" and under.kind in ("waiting", "people", "organisations"):
                yield Mention(name, "org", block.start)
            elif under.kind not in ("waiting", "people"):
                yield Mention(name, "proj", block.start)
        elif tier is Tier.ONTOLOGY and place_label(name, words):
            yield Mention(name, "loc", block.start)
        elif tier is Tier.ONTOLOGY and not self.heading_kind(block.text) and is_name(name, words) and not is_kept(name, words):
            default = FIXED.get(under.kind, "person")
            if under.kind == "clients" and (self._has_contact(index) or _OF.search(name)):
                default = "org"
            if default != "person" or len(name_words(name)) >= 2 or block.level >= OUTLINE_LEVEL:
                yield Mention(name, kind_of(name, words, default), block.start)

    def _has_contact(self, index: int) -> bool:
        """Whether a line below a heading names a contact, which makes the heading an organisation."""
        for block in self.document.blocks[index + 1 : index + 9]:
            if block.kind is Kind.HEADING:
                return False
            if fold(lead(block.text).head) in self.words.entities.contact_labels:
                return True
        return False

    def _item(self, block: Block, tier: Tier, under: _Under) -> Iterator[Mention]:
        for offset, raw in enumerate(self.document.raw(block)):
            text = _MARK.sub("", raw.strip(), count=1).strip()
            line = block.start + offset
            if not text or text.startswith(("```", "~~~", "|")):
                continue
            if tier is Tier.ONTOLOGY:
                yield from self.people.line(text, line, under.kind, nested=offset > 0)
            elif (contact := self.people.contact(text, line)) is not None:
                yield contact
            elif tier is Tier.ACTIVE:
                below = "" if offset else "\n".join(self.document.raw(block)[1:])
                more = block.end > block.start
                yield from self.work.line(text, line, under.kind, under.project, nested=offset > 0, more=more, below=below)

    def _prose(self, block: Block, tier: Tier, under: _Under) -> Iterator[Mention]:
        for offset, raw in enumerate(self.document.raw(block)):
            line, text = block.start + offset, raw.strip()[:4000]
            head = lead(text)
            if (
                tier is Tier.ONTOLOGY
                and head.separator == ":"
                and (head.marked or fold(head.head) in self.words.entities.roles)
            ):
                yield from self.people.line(text, line, under.kind, nested=False)
                continue
            if tier is Tier.ACTIVE and len(text) <= _LINE and not re.search(r"[.!?](?:\s|$)", text):
                yield from self.work.line(text, line, under.kind, under.project, nested=False, more=False)  # an item without its mark
                continue
            for sentence in re.split(r"(?<=[.!?\u3002])\s+", text):
                if tier is Tier.ONTOLOGY:
                    yield from self.people.sentence(sentence, line)
                elif tier is Tier.ACTIVE and not under.project:
                    yield from self.work.sentence(sentence, line)

    # --- tables ---------------------------------------------------------------------------------------------

    def _table(self, block: Block, tier: Tier, under: _Under) -> Iterator[Mention]:
        """The names of a table's name columns; the other cells of a row are properties of the first."""
        rows = [[c.strip() for c in _ROW.split(x.strip().strip("|"))] for x in self.document.raw(block)]
        if len(rows) < 3:
            return
        if len(rows[0]) == 2 and tier is Tier.ONTOLOGY and self._is_card(rows):
            for offset, row in enumerate(rows):
                if len(row) == 2 and row[0].strip(":- ") and offset != 1:
                    yield from self.people.line(
                        f"{undress(row[0])}: {undress(row[1])}", block.start + offset, "profile", nested=False
                    )
            return
        columns = self._columns([fold(c) for c in rows[0]], tier, under)
        for offset, row in enumerate(rows[2:], 2):
            for rank, (column, kind, sure) in enumerate(columns):
                name = undress(row[column]) if column < len(row) else ""
                if not name or not self._fits(name, kind, sure, first=rank == 0):
                    continue
                cells = [
                    (rows[0][k], undress(c))
                    for k, c in enumerate(row[: len(rows[0])])
                    if rank == 0 and k != column and c.strip(" -—") and rows[0][k]
                ]
                type_ = kind if kind in ("proj", "prop") else kind_of(name, self.words.entities, kind)
                short = (name.split(None, 1)[1],) if type_ == "person" and only_title(name, self.words.entities) else ()
                yield Mention(name, type_, block.start + offset, tuple(cells[:8]), short)

    def _is_card(self, rows: list[list[str]]) -> bool:
        """Whether a table of two columns tells one thing: `Name | Odalys Ferran`, `Company | …`."""
        labels = [row[0] for at, row in enumerate(rows) if at != 1 and row[0]]
        return sum(fold(label) in self.words.entities.roles or self.people.is_label(label) for label in labels[1:]) >= 2

    def _columns(self, header: list[str], tier: Tier, under: _Under) -> list[tuple[int, str, bool]]:
        """(column, what it names, whether its heading says so), the one that leads the rows first."""
        words = self.words.entities
        fixed = "person" if under.kind == "people" else FIXED.get(under.kind, "")
        found: list[tuple[int, str, bool]] = []
        for k, cell in enumerate(header):
            if cell in words.project_columns and tier is Tier.ACTIVE:
                found.append((k, "proj", True))
            elif cell in _COLUMN_KIND or (k == 0 and (cell in words.place_words or cell.rstrip("s") in words.place_words)):
                found.append((k, _COLUMN_KIND.get(cell, "loc"), True))
            elif cell in words.name_columns and k == 0:
                found.append(
                    (k, fixed or ("org" if under.kind == "clients" and len(header) > 2 else "person"), True)
                )
        if tier is Tier.ACTIVE and not found:
            found.append((0, "proj", False))
        if tier is Tier.ONTOLOGY and fixed and not any(k == 0 for k, _, _ in found):
            found.insert(0, (0, fixed, False))
        elif tier is Tier.ONTOLOGY and not found:
            found.append((0, "person", False))
        return found if tier in (Tier.ONTOLOGY, Tier.ACTIVE) or fixed else []

    def _fits(self, name: str, kind: str, sure: bool, *, first: bool) -> bool:
        words = self.words.entities
        if kind == "proj" and not sure:
            return is_name(name, words) and len(name_words(name)) >= 2
        if kind in ("prop", "proj"):
            return 2 <= len(name) <= 60
        if not is_name(name, words) or (only_title(name, words) and not (kind == "person" and sure and first)):
            return False
        return len(name_words(name)) >= 2 or (sure and first)


def _within(words: list[str], held: list[tuple[list[str], bool]], type_: str) -> bool:
    """Whether a name is one that is held already, or a part of it: "Ivy" of Ivy Cottage, but not Ana of Ana Prado, who may be
    another one. `held`: names, and whether each is of a place or a property."""
    size = len(words)
    whole = type_ == "person" and size == 1
    return any(one[k : k + size] == words for one, place in held for k in range(len(one) - size + 1) if place or not whole or len(one) == 1)
