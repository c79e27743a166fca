"""Finds who and what a classified memory speaks of: people, organisations, places, property and projects.

Works by form and place (a name that leads a line under People, a table's name column, `role: Name`, a named section of
live work) with word lists of several languages, no model. Prefers silence to a wrong name. Builds no graph: `resolve`
does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from silo.core.entities.names import (
    Lead,
    is_name,
    kind_of,
    lead,
    name_words,
    only_title,
    runs,
    unspaced_organisations,
)
from silo.core.migrate.classify import Section
from silo.core.migrate.evidence import Tier
from silo.core.migrate.reading import Block, Document, Kind, undress
from silo.text.entity_words import EntityWords
from silo.text.fold import fold
from silo.text.lexicon import split_words
from silo.text.migration_words import MigrationWords

_MARK = re.compile(r"[ \t]*(?:[-*+•‣▪–]|\d{1,4}[.)])[ \t]+(?:\[[ xX✓~-]?\][ \t]+)?")
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_PHONE = re.compile(r"\+\d[\d ().-]{6,}\d")
_STATUS = re.compile(r"\s*[(\[][^()\[\]]{0,40}[)\]]\s*$|\s+[\u2014\u2013-]\s+.*$|\s*[:\uff1a].*$")
_NUMBERED = re.compile(r"^[\W_]*(?:\d{1,3}[.)]|#\d+|[A-Z]\d?[.)]|[A-Z]{1,5}-\d+:?)\s+")
_LEADING_DATE = re.compile(
    r"^(?:(?:19|20)\d\d[-/.]\d{1,2}(?:[-/.]\d{1,2})?|\d{1,2}[/.]\d{1,2}(?:[/.]\d{2,4})?)[\s:\u2014\u2013-]+(?=\S)"
)
_ROW = re.compile(r"(?<!\\)\|")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


@dataclass(frozen=True, slots=True)
class Mention:
    """A named thing: type person, org, proj, loc or prop. `of` names organisations that a person belongs to.

    Type `works` names no new thing: somebody (`of`) may stand in a line of that piece of work.
    """

    name: str
    type: str
    line: int
    properties: tuple[tuple[str, str], ...] = ()
    aliases: tuple[str, ...] = ()
    of: tuple[str, ...] = ()  # organisations named beside a person
    at: tuple[str, ...] = ()  # places named beside an organisation or person
    owns: bool = False


@dataclass(slots=True)
class _Under:
    """What the headings above a block say about the names below it."""

    kind: str  # people organisations places property profile tasks waiting or ""
    project: str  # the named piece of live work that the block belongs to, or ""
    lists_projects: bool = False


@dataclass(slots=True)
class Finder:
    """Goes through the sections in order and yields mentions."""

    document: Document
    words: MigrationWords
    skip: frozenset[int] = frozenset()  # lines that must not be read: they hold a secret
    owner: str = field(default="", init=False)
    _kinds: dict[str, str] = field(default_factory=dict, init=False)  # of headings, by their text

    @property
    def _e(self) -> EntityWords:
        return self.words.entities

    def find(self, sections: tuple[Section, ...]) -> list[Mention]:
        """Every mention, in the order of the file; the same name may come more than once."""
        found: list[Mention] = []
        for section in sections:
            for index in section.blocks:
                block = self.document.blocks[index]
                if not self.skip.isdisjoint(range(block.start, block.end + 1)):
                    continue
                above = section.path if not section.path or section.path[-1] != index else section.path[:-1]
                found += self._block(index, section.tier, self._under(above, section.tier), above)
        return found

    # --- where a block stands -------------------------------------------------------------------------------

    def _under(self, path: tuple[int, ...], tier: Tier) -> _Under:
        under = _Under("", "")
        for index in reversed(path):
            head = self.document.blocks[index]
            if not under.kind:
                under.kind = self.heading_kind(head.text)
            if tier is Tier.ACTIVE and not under.project and self.names_work(index, path):
                under.project = project_name(head.text)
        return under

    def heading_kind(self, text: str) -> str:
        """What a heading says of the lines below it: waiting, tasks, property, clients, … or ""."""
        if text not in self._kinds:
            self._kinds[text] = self._kind_of_heading(text)
        return self._kinds[text]

    def _kind_of_heading(self, text: str) -> str:
        hits = self._e.headings.find(text)
        size = max(1, len(split_words(text)))
        best = {hit.label: hit for hit in hits if hit.length / size >= 0.3 or hit.at < 0}
        for label in (
            "waiting",
            "tasks",
            "property",
            "clients",
            "organisations",
            "places",
            "people",
            "profile",
        ):
            if label in best:
                return label
        return ""

    def names_work(self, index: int, path: tuple[int, ...]) -> bool:
        """Whether a heading names a piece of live work (`Licence renewal`) rather than a kind of content (`Open tasks`)."""
        head = self.document.blocks[index]
        name = project_name(head.text)
        tokens = split_words(name)
        if not tokens or len(tokens) > 8 or name.isdigit() or self._no_project(name):
            return False
        if head.level >= 8 and len(tokens) < 2 and not _UNSPACED.search(name):
            return False
        hits = [h for h in self.words.headings.find(name) if h.at >= 0]
        unspaced = [h for h in self.words.headings.find(name) if h.at < 0]
        covered = {k for h in hits for k in range(h.at, h.at + h.length)}
        if any(h.label == "active.strong" or h.label == "archive.strong" for h in hits) and len(
            covered
        ) * 2 >= len(tokens):
            return False
        if unspaced and max(h.length for h in unspaced) * 2 >= len(name):
            return False
        inner = index != path[0] if path else False
        return len(covered) < len(tokens) * (0.99 if inner else 0.6)

    def _no_project(self, name: str) -> bool:
        tokens = split_words(name)
        if not tokens:
            return True
        hits = [
            h
            for h in self._e.labels.find(name, tokens)
            if h.label == "no_project" or h.label.startswith("property.")
        ]
        return any(h.at <= 0 for h in hits)

    # --- blocks ---------------------------------------------------------------------------------------------

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
        block = self.document.blocks[index]
        name = project_name(block.text)
        if tier is Tier.ACTIVE and not under.project and self.names_work(index, (*above, index)):
            if kind_of(name, self._e, "proj") == "org" and under.kind in (
                "waiting",
                "people",
                "organisations",
            ):
                yield Mention(name, "org", block.start)
            elif under.kind not in ("waiting", "people"):
                yield Mention(name, "proj", block.start)
        elif tier is Tier.ONTOLOGY and not self.heading_kind(block.text) and is_name(name, self._e):
            default = _FIXED.get(under.kind, "person")
            if under.kind == "clients" and (
                self._has_contact(index) or re.search(r" (?:of|de|da|do|del) |&", name)
            ):
                default = "org"
            if (
                len(name_words(name)) >= 2
                or (block.level >= 9 and default == "person")
                or default != "person"
            ):
                yield Mention(name, kind_of(name, self._e, default), block.start)

    def _has_contact(self, index: int) -> bool:
        """Whether a line below a heading names a contact, which makes the heading an organisation."""
        for block in self.document.blocks[index + 1 : index + 9]:
            if block.kind is Kind.HEADING:
                return False
            if fold(lead(block.text).head) in self._e.contact_labels:
                return True
        return False

    def _item(self, block: Block, tier: Tier, under: _Under) -> Iterator[Mention]:
        for offset, raw in enumerate(self.document.raw(block)):
            text = _MARK.sub("", raw.strip(), count=1).strip()
            line = block.start + offset
            if not text or text.startswith(("```", "~~~", "|")):
                continue
            if tier is Tier.ONTOLOGY:
                yield from self._named_line(text, line, under, nested=offset > 0)
            elif (contact := self._contact_line(text, line)) is not None:
                yield contact
            elif tier is Tier.ACTIVE:
                yield from self._work_line(text, line, under, nested=offset > 0, more=block.end > block.start)

    # --- lines about people, organisations, places ------------------------------------------------------------

    def _named_line(self, text: str, line: int, under: _Under, *, nested: bool) -> Iterator[Mention]:
        head = lead(text)
        main = self._leading(head, text, line, under, nested=nested)
        if main and main.type == "person" and under.kind in ("profile", "") and not self.owner:
            self.owner = main.name
        rest = text
        if main:
            rest = head.rest if head.head and main.name in head.head else text.replace(main.name, "", 1)
        others = [
            *self._labelled_places(head, line),
            *self._others(rest, line, comma=main is not None and main.type == "person"),
        ]
        if main and main.type == "person":
            main = _with(
                main,
                of=tuple(m.name for m in others if m.type == "org"),
                at=tuple(m.name for m in others if m.type == "loc"),
            )
        if main:
            yield main
        elif self.owner and (prop := self._property(head, text)):
            yield Mention(self.owner, "person", line, (prop,))
        yield from others
        yield from self._called(text, line, {m.name for m in [*others, *([main] if main else [])]})

    def _leading(self, head: Lead, text: str, line: int, under: _Under, *, nested: bool) -> Mention | None:
        tokens = name_words(head.head)
        if not tokens or len(head.head) > 60:
            return None
        fixed = _FIXED.get(under.kind)
        role = self._role_label(head, tokens)
        if role == "pet":
            return None
        if role == "place":
            return None
        if role:
            return self._person(
                _first_name_of(head.rest) if head.separator == ":" else _after_role(head.head),
                line,
                role,
                head.rest,
            )
        if fixed and not nested and (is_name(head.head, self._e) or self._names_thing(head, tokens, fixed)):
            return Mention(
                head.head,
                kind_of(head.head, self._e, fixed) if fixed != "prop" else "prop",
                line,
                self._about(head.rest),
            )
        if is_name(head.head, self._e) and self._may_lead(head, tokens, under, nested):
            kind = kind_of(head.head, self._e, "person")
            if kind != "person":
                return Mention(head.head, kind, line, self._about(head.rest))
            return self._person(head.head, line, "", head.rest)
        if head.separator == ":" and under.kind == "people" and not head.head[:1].isupper():
            name = _first_name_of(head.rest)
            return self._person(name, line, head.head, "") if name and is_name(name, self._e) else None
        return None

    def _names_thing(self, head: Lead, tokens: list[str], fixed: str) -> bool:
        """`Quay Street studio`, `Truck 03`: a place or a thing owned, whose name is not capitalised throughout."""
        if (
            fixed == "org"
            or not head.head[:1].isupper()
            or not 2 <= len(tokens) <= 5
            or self._no_project(head.head)
        ):
            return False
        found = runs(head.head)
        return tokens[0] not in self._e.not_a_name and (
            found[0].words >= 2 or any(t.isdigit() for t in tokens[1:]) or tokens[-1] in self._e.place_words
        )

    def _may_lead(self, head: Lead, tokens: list[str], under: _Under, nested: bool) -> bool:
        if _UNSPACED.search(head.head):
            return under.kind == "people" and head.separator in ("\u2014", "(", ":", ",")
        if self._no_project(head.head) and not head.marked:
            return False
        if len(tokens) >= 2:
            return not (nested and head.separator == ":")
        if head.head.isupper():
            return False
        if head.marked:
            return True
        return head.separator in ("\u2014", "(") or (
            head.separator in (":", ",") and under.kind == "people" and not nested
        )

    def _role_label(self, head: Lead, tokens: list[str]) -> str:
        """The role that a label gives (`Brother: Lautaro`, `Partner Kit`), `pet`, `place`, or nothing."""
        if head.separator == ":":
            if any(t in self._e.pets for t in tokens) and len(tokens) <= 3:
                return "pet"
            if any(t in self._e.place_labels for t in tokens) and len(tokens) <= 2:
                return "place"
            if len(tokens) <= 4 and (tokens[0] in self._e.roles or tokens[-1] in self._e.roles):
                return head.head
            return ""
        if len(tokens) in (2, 3) and tokens[0] in self._e.roles and tokens[0] not in self._e.titles:
            name = _after_role(head.head)
            if is_name(name, self._e) and not any(t in self._e.organisation_words for t in name_words(name)):
                return head.head.split()[0]
        return ""

    def _person(self, name: str, line: int, role: str, rest: str) -> Mention | None:
        name = name.strip()
        if not name or not is_name(name, self._e) or only_title(name, self._e) or name.isupper():
            return None
        if kind_of(name, self._e, "person") == "org":
            return Mention(name, "org", line)
        properties = dict(self._about(rest, "role"))
        if role and fold(role) not in ("name", "nome", "nombre", "名字", "姓名", "名前", "이름", "имя"):
            properties.setdefault("role", role.strip())
        owns = any(fold(w) in _OWNERS for w in split_words(f"{role} {rest}"))
        return Mention(name, "person", line, tuple(properties.items()), self._aliases(rest), owns=owns)

    def _about(self, rest: str, key: str = "note") -> tuple[tuple[str, str], ...]:
        found: list[tuple[str, str]] = []
        if mail := _MAIL.search(rest):
            found.append(("email", mail[0]))
        if phone := _PHONE.search(rest):
            found.append(("phone", phone[0]))
        plain = undress(_PHONE.sub("", _MAIL.sub("", rest))).strip(" ,;.")
        if plain.count("(") != plain.count(")"):
            plain = plain.strip("()")
        if 2 <= len(plain) <= 160:
            found.append((key, plain))
        return tuple(found)

    def _aliases(self, text: str) -> tuple[str, ...]:
        tokens = list(re.finditer(r"[^\W_]+", text))
        folded = [fold(t[0]) for t in tokens]
        for hit in self._e.labels.find(text, folded):
            if hit.label != "aliases":
                continue
            after = (
                text[tokens[hit.at + hit.length - 1].end() :] if hit.at >= 0 else text.split(hit.entry, 1)[-1]
            )
            if quoted := re.match(r"[\s:]*[\"“”'«「『]([^\"“”'»」』]{1,30})[\"“”'»」』]", after):
                return (quoted[1],)
            if (found := runs(after)) and not after[: found[0].start].strip(" :\"'“"):
                return (found[0].name,)
        return ()

    def _property(self, head: Lead, text: str) -> tuple[str, str] | None:
        tokens = split_words(text)
        for hit in self._e.labels.find(text, tokens):
            if hit.label.startswith("property.") and hit.at <= 0:
                key = hit.label.removeprefix("property.")
                value = (
                    head.rest
                    if head.separator == ":"
                    else re.sub(r"^\W*" + r"\W+".join([r"\w+"] * hit.length) + r"\W*", "", text)
                    if hit.at == 0
                    else ""
                )
                value = re.split(r"[,;(]", undress(value))[0].strip()
                return (key, value) if 0 < len(value) <= 80 else None
        return None

    def _others(self, text: str, line: int, *, comma: bool) -> Iterator[Mention]:
        """Organisations and places named inside a line."""
        for name in unspaced_organisations(text, self._e):
            yield Mention(name, "org", line)
        for run in runs(text):
            tokens = name_words(run.name)
            if run.words < 2 or tokens[0] in self._e.not_a_name or only_title(run.name, self._e):
                continue
            kind = kind_of(run.name, self._e, "")
            if not kind and self._employs(text[: run.start], run.name, text[run.end :], comma):
                kind = "org"
            if kind:
                yield Mention(run.name, kind, line)

    def _employs(self, before: str, name: str, after: str, comma: bool) -> bool:
        """Whether the words before a name make it an employer or a partner in business."""
        tokens = split_words(before)
        if comma and re.search(r"(?:^|[,\uff0c(])\s*$", before) and re.match(r"\s*(?:$|[,\uff0c(.)])", after):
            return True
        if len(tokens) < 2 or tokens[-1] not in self._e.works_for:
            return False
        behind = (
            tokens[-2]
            if tokens[-2] not in ("the", "o", "a", "el", "la")
            else tokens[-3]
            if len(tokens) > 2
            else ""
        )
        return (
            behind in self._e.roles
            or behind in self._e.dealings
            or behind in ("works", "work", "working", "runs", "trabalha", "trabaja")
        )

    def _labelled_places(self, head: Lead, line: int) -> Iterator[Mention]:
        """`sites: North pit, South pit`, `Place: Casa Lima, the house in the hills`."""
        tokens = name_words(head.head)
        if (
            head.separator != ":"
            or not 1 <= len(tokens) <= 2
            or not any(t in self._e.place_labels for t in tokens)
        ):
            return
        for part in re.split(r",\s*|\s+(?:and|e|y|und|et)\s+", undress(head.rest)):
            found = runs(part)
            words = name_words(part)
            if (
                found
                and found[0].start == 0
                and 2 <= len(words) <= 4
                and words[0] not in self._e.not_a_name
                and not any(w.isdigit() for w in words)
            ):
                yield Mention(part.strip(" ."), "loc", line)
            else:
                break

    def _called(self, text: str, line: int, known: set[str]) -> Iterator[Mention]:
        """`her deputy is Kofi`, `a filha é a Carminho`, `the volunteer is called Hamish`."""
        for run in runs(text):
            before = split_words(text[: run.start])
            if len(before) < 2 or run.name in known:
                continue
            for phrase in self._e.is_called:
                size = len(phrase.split())
                if " ".join(before[-size:]) == phrase and (
                    role := next((b for b in before[-size - 3 : -size] if b in self._e.roles), "")
                ):
                    person = self._person(run.name, line, role, "")
                    if person:
                        yield person
                    break

    def _contact_line(self, text: str, line: int) -> Mention | None:
        """`Contact: Idris Bell, site manager`, or a full name with a phone or address, wherever it stands."""
        head = lead(text)
        if head.separator == ":" and fold(head.head) in self._e.contact_labels:
            return self._person(_first_name_of(head.rest), line, "", head.rest)
        if (
            len(name_words(head.head)) >= 2
            and (_MAIL.search(head.rest) or _PHONE.search(head.rest))
            and is_name(head.head, self._e)
        ):
            found = self._person(head.head, line, "", head.rest)
            employers = [m.name for m in self._others(head.rest, line, comma=True) if m.type == "org"]
            return _with(found, of=tuple(employers), at=()) if found else None
        return None

    # --- tables and prose -----------------------------------------------------------------------------------

    def _table(self, block: Block, tier: Tier, under: _Under) -> Iterator[Mention]:
        rows = [[c.strip() for c in _ROW.split(x.strip().strip("|"))] for x in self.document.raw(block)]
        if len(rows) < 3:
            return
        header = [fold(c) for c in rows[0]]
        named = [k for k, c in enumerate(header) if c in self._e.name_columns]
        fixed = "person" if under.kind == "people" else _FIXED.get(under.kind, "")
        if tier is not Tier.ONTOLOGY and not fixed and not (tier is Tier.ACTIVE and named):
            return
        column = named[0] if named else 0
        default = (
            _COLUMN_KIND.get(header[column], "")
            or fixed
            or ("org" if under.kind == "clients" and len(header) > 2 else "")
            or ("proj" if tier is Tier.ACTIVE else "person")
        )
        for offset, row in enumerate(rows[2:], 2):
            name = undress(row[column]) if column < len(row) else ""
            if not name or not (
                is_name(name, self._e) or (default in ("prop", "proj") and 2 <= len(name) <= 60)
            ):
                continue
            if default == "person" and (
                only_title(name, self._e) or (len(name_words(name)) < 2 and not named)
            ):
                continue
            cells = tuple(
                (rows[0][k], undress(c))
                for k, c in enumerate(row)
                if k != column and k < len(header) and c.strip(" -—") and rows[0][k]
            )
            yield Mention(
                name,
                kind_of(name, self._e, default) if default != "proj" else "proj",
                block.start + offset,
                cells[:8],
            )

    def _prose(self, block: Block, tier: Tier, under: _Under) -> Iterator[Mention]:
        for offset, raw in enumerate(self.document.raw(block)):
            line = block.start + offset
            for sentence in re.split(r"(?<=[.!?\u3002])\s+", raw.strip()[:4000]):
                if tier is Tier.ONTOLOGY:
                    yield from self._sentence(sentence, line, under)
                elif tier is Tier.ACTIVE and not under.project:
                    yield from self._under_way(sentence, line)

    def _sentence(self, sentence: str, line: int, under: _Under) -> Iterator[Mention]:
        found = runs(sentence)
        known: set[str] = set()
        if found and found[0].start <= 2 and found[0].words >= 2 and is_name(found[0].name, self._e):
            kind = kind_of(found[0].name, self._e, "person")
            known.add(found[0].name)
            others = list(self._others(sentence[found[0].end :], line, comma=kind == "person"))
            if kind == "person":
                if not self.owner:
                    self.owner = found[0].name
                yield Mention(found[0].name, kind, line, of=tuple(m.name for m in others if m.type == "org"))
            else:
                yield Mention(found[0].name, kind, line)
            yield from others
        else:
            yield from self._others(sentence, line, comma=False)
        yield from self._called(sentence, line, known)

    def _under_way(self, sentence: str, line: int) -> Iterator[Mention]:
        hit = _UNDER_WAY.match(sentence)
        if hit and not self._no_project(hit[1]):
            yield Mention(hit[1], "proj", line)

    # --- lines about live work --------------------------------------------------------------------------------

    def _work_line(
        self, text: str, line: int, under: _Under, *, nested: bool, more: bool
    ) -> Iterator[Mention]:
        head = lead(text)
        name = undress(head.head)
        tokens = split_words(name)
        free = not under.project and not nested and under.kind not in ("people", "organisations", "places")
        if under.kind in ("tasks", "waiting"):
            free = free and head.marked and under.kind == "tasks"
        if free and self._labels_work(head, name, tokens, more):
            yield Mention(name, "proj", line)
        elif (
            free
            and not head.marked
            and under.kind != "tasks"
            and (dated := _DATED_WORK.match(text))
            and self._labels_work(Lead(dated[1], ":", "", False), dated[1], split_words(dated[1]), more)
        ):
            yield Mention(dated[1], "proj", line)
        if under.project:
            for run in runs(text):
                if not all(word in self._e.not_a_name for word in name_words(run.name)):
                    yield Mention(under.project, "works", line, of=(run.name,))
        for mention in self._others(text, line, comma=False):
            if mention.type == "org" and mention.name != name:
                yield mention

    def _labels_work(self, head: Lead, name: str, tokens: list[str], more: bool) -> bool:
        if not tokens or len(tokens) > 6 or len(name) > 60 or self._no_project(name) or name[0].isdigit():
            return False
        if re.search(r"[`@/]|\d{4}-\d\d", name) or any(t in self._e.roles for t in tokens[:1]):
            return False
        if head.separator == "" and more:
            return len(tokens) >= 2 or _UNSPACED.search(name) is not None
        if head.separator not in (":", "\u2014") and not (head.marked and head.separator):
            return False
        first = self.words.starts.find(name, tokens)
        if any(h.at == 0 and h.label == "active" for h in first) and not head.marked:
            return False
        if _UNSPACED.search(name):
            return len(name) >= 2
        if len(tokens) == 1:
            return head.marked or (
                head.separator in (":", "\u2014")
                and len(name) >= 4
                and name[0].isupper()
                and not is_person_like(head, self._e)
            )
        return True


_FIXED = {"organisations": "org", "places": "loc", "property": "prop"}
_OWNERS = frozenset(
    (
        "owner",
        "owns",
        "founder",
        "runs",
        "dona",
        "dono",
        "duena",
        "dueno",
        "fundador",
        "fundadora",
        "proprietaria",
        "proprietario",
        "inhaber",
        "inhaberin",
    )
)
_COLUMN_KIND = {
    "company": "org", "organisation": "org", "organization": "org", "supplier": "org", "vendor": "org", "sponsor": "org", "empresa": "org", "fornecedor": "org",
    "entidade": "org", "proveedor": "org", "firma": "org", "公司": "org", "会社": "org", "회사": "org", "place": "loc", "local": "loc", "lugar": "loc", "property": "prop",
    "imovel": "prop", "inmueble": "prop", "project": "proj", "projeto": "proj", "proyecto": "proj", "person": "person", "who": "person", "pessoa": "person", "quem": "person",
    "persona": "person", "quien": "person",
}  # fmt: skip
_DATED_WORK = re.compile(
    r"(?:the |o |a |el |la )?((?!\d)[\w'’-]+(?: [\w'’-]+){1,3}) (?:on|due|by|until|starts|em|dia|até|a|el|para el|hasta el) (?:\d{4}-\d\d|\d{1,2}(?:[/.]\d|\.? (?:de )?[^\W\d]{3,}))"
)
_UNDER_WAY = re.compile(
    r"(?:The|Our|Her|His|My|O|A|El|La|Le|Il)\s+([\w'’ -]{4,50}?)\s+(?:is|are|está|esta|ist|est|è)\s+(?:still\s+|well\s+)?"
    r"(?:under way|underway|in progress|ongoing|half done|half finished|em curso|em andamento|a meio|en curso|en marcha|im Gange|en cours|in corso)\b"
)


def is_person_like(head: Lead, words: EntityWords) -> bool:
    """Whether a one-word label is rather a person who is to do something: what follows begins in the lower case."""
    return is_name(head.head, words) and head.rest[:1].islower()


def project_name(text: str) -> str:
    """A heading as the name of a piece of work: no number before it, no status or date behind it."""
    name = re.sub(r"^[^\w\"'«「]+", "", undress(text))
    name = _LEADING_DATE.sub("", _NUMBERED.sub("", name))
    for _ in range(2):
        shorter = _STATUS.sub("", name)
        if len(split_words(shorter)) >= 1 and shorter != name:
            name = shorter
    return re.sub(r"[^\w)\"'»」]+$", "", name).strip()


def _first_name_of(text: str) -> str:
    """The name at the beginning of a value, an article passed over: `o Rui, pescador` → Rui."""
    head = lead(text).head
    head = re.sub(r"^(?:o|a|os|as|el|la|los|las|the|der|die|das|le)\s+", "", head)
    found = runs(head)
    if found and found[0].start == 0:
        return found[0].name
    return head if _UNSPACED.search(head) else ""


def _after_role(head: str) -> str:
    return head.split(None, 1)[1] if " " in head else ""


def _with(mention: Mention, *, of: tuple[str, ...], at: tuple[str, ...]) -> Mention:
    return Mention(
        mention.name, mention.type, mention.line, mention.properties, mention.aliases, of, at, mention.owns
    )
