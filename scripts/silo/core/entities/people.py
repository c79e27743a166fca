"""Lines about people, organisations and places: who is named there, and as what.

Works by form (a name that leads the line, a role before or behind it) and word lists; prefers silence to a wrong name.
Knows nothing of sections: the caller says what the heading above makes of the line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from silo.core.entities.describe import MAIL, NICK, PHONE, UNSPACED, Describer, first_name_of
from silo.core.entities.kept import is_kept
from silo.core.entities.mention import FIXED, Mention
from silo.core.entities.names import (
    Lead,
    is_name,
    kind_of,
    lead,
    name_words,
    only_title,
    runs,
    unspaced_organisations,
    unspaced_people,
)
from silo.core.migrate.reading import undress
from silo.text.entity_words import EntityWords
from silo.text.fold import fold
from silo.text.lexicon import split_words
from silo.text.stopwords import STOP


class People:
    """Reads single lines. `owner` is the first person named where the file speaks of its owner."""

    def __init__(self, words: EntityWords) -> None:
        self.words = words
        self.describe = Describer(words)
        self.owner = ""

    def line(self, text: str, line: int, kind: str, *, nested: bool) -> Iterator[Mention]:
        """Everybody and everything named in a line; `kind` is what the heading above says (people, places, profile, …)."""
        head = lead(text)
        main = self._leading(head, text, line, kind, nested=nested)
        if main and main.type == "person" and kind in ("profile", "") and not self.owner:
            self.owner = main.name
        rest = text
        if main:
            rest = head.rest if head.head and main.name in head.head else text.replace(main.name, "", 1)
        is_person = main is not None and main.type == "person"
        if main and is_person and (short := self._short_form(main.name, text)):
            main = replace(main, aliases=(*main.aliases, short))
            rest = rest.replace(short, "", 1)
        others = [*self._labelled_places(head, line), *self.others(rest, line, comma=is_person)]
        if main and is_person:
            main = replace(
                main,
                of=tuple(m.name for m in others if m.type == "org"),
                at=tuple(m.name for m in others if m.type == "loc"),
            )
        if main:
            yield main
        elif self.owner and (found := self._property(head, text)):
            yield Mention(self.owner, "person", line, (found,))
        yield from others
        yield from self.called(text, line, {m.name for m in [*others, *([main] if main else [])]})

    def _short_form(self, name: str, text: str) -> str:
        """What stands in brackets right behind a name and is what they are called: `Aparecida Luz (Cida)`."""
        hit = re.search(re.escape(name) + r" \(([^()\s]{2,15}(?: [^()\s]{2,15})?)\)", text)
        if hit is None or not is_name(hit[1], self.words):
            return ""
        known = name_words(hit[1])[0] in self.words.names.frequent or fold(hit[1])[:2] == fold(name)[:2]
        return hit[1] if known and kind_of(hit[1], self.words, "person") == "person" else ""

    # --- the name that leads --------------------------------------------------------------------------------

    def _leading(self, head: Lead, text: str, line: int, kind: str, *, nested: bool) -> Mention | None:
        tokens = name_words(head.head)
        if not tokens or len(head.head) > 60:
            return None
        if own := self._own_name(text, line):
            return own
        role = self._role_label(head, tokens)
        if role in ("pet", "place"):
            return None
        if role:
            return self._in_role(head, line, role)
        fixed = FIXED.get(kind, "")
        if (
            fixed
            and not nested
            and (is_name(head.head, self.words) or self._names_thing(head, tokens, fixed))
        ):
            type_ = "prop" if fixed == "prop" else kind_of(head.head, self.words, fixed)
            return Mention(head.head, type_, line, self.describe.about(head.rest))
        if self._may_lead(head, tokens, kind, nested):
            name = NICK.sub(" ", head.head).strip()
            type_ = kind_of(name, self.words, "person")
            if type_ != "person":
                return Mention(name, type_, line, self.describe.about(head.rest))
            return self.describe.person(head.head, line, "", head.rest, titled=kind == "people")
        if head.separator == ":" and kind == "people" and not head.head[:1].isupper():
            return self.describe.person(first_name_of(head.rest), line, head.head, "")
        return None

    def _in_role(self, head: Lead, line: int, role: str) -> Mention | None:
        """`Brother: Lautaro`, `Partner Kit`, `Grandma Lurdes: lives in Évora`, `Supplier: Aceros del Litoral`."""
        name = first_name_of(head.rest) if head.separator == ":" else ""
        if name and is_name(name, self.words):
            roles = {fold(role), *name_words(role)}
            if (
                kind_of(name, self.words, "person") == "person"
                and len(name_words(name)) >= 2
                and roles & self.words.business_roles
            ):
                return Mention(name, "org", line, (("note", role),))
            return self.describe.person(name, line, role, head.rest[len(name) :])
        name = _after_role(head.head)
        if not name or not is_name(name, self.words) or len(name_words(name)) > 3:
            return None
        title = head.head.split()[0]
        found = self.describe.person(name, line, title, head.rest)
        return (
            replace(found, aliases=(*found.aliases, head.head)) if found and head.separator == ":" else found
        )

    def _own_name(self, text: str, line: int) -> Mention | None:
        """`Chamo-me Teodoro Vilhena, apicultor`: the owner speaks."""
        tokens = list(re.finditer(r"[^\W_]+", text[:80]))
        folded = [fold(t[0]) for t in tokens]
        for phrase in self.words.own_name:
            size = len(phrase.split())
            if " ".join(folded[:size]) == phrase and len(tokens) > size:
                rest = text[tokens[size].start() :]
                name = first_name_of(rest)
                found = self.describe.person(name, line, "", rest[len(name) :]) if name else None
                if found and len(name_words(name)) >= 2:
                    return found
        return None

    def _role_label(self, head: Lead, tokens: list[str]) -> str:
        """The role that a label gives (`Brother: Lautaro`, `Partner Kit`), `pet`, `place`, or nothing."""
        words = self.words
        if head.separator == ":":
            if any(t in words.pets for t in tokens) and len(tokens) <= 3:
                return "pet"
            if any(t in words.place_labels for t in tokens) and len(tokens) <= 2:
                return "place"
            if len(tokens) <= 4 and (tokens[0] in words.roles or tokens[-1] in words.roles):
                return head.head
            if (
                len(tokens) == 1
                and not head.marked
                and len(name_words(value := first_name_of(head.rest))) >= 2
                and is_name(value, words)
            ):
                return head.head  # an unknown word before a full name
            return ""
        if len(tokens) in (2, 3) and tokens[0] in words.roles and tokens[0] not in words.titles:
            name = _after_role(head.head)
            if is_name(name, words) and not any(t in words.organisation_words for t in name_words(name)):
                return head.head.split()[0]
        return ""

    def _may_lead(self, head: Lead, tokens: list[str], kind: str, nested: bool) -> bool:
        """Whether the head of a line is a name of its own rather than a label."""
        name = NICK.sub(" ", head.head).strip()
        if not is_name(name, self.words) or is_kept(name, self.words):
            return False
        if UNSPACED.search(name):
            return kind == "people" and head.separator in ("\u2014", "(", ":", ",")
        if self.is_label(name) and not head.marked:
            return False
        if len(tokens) >= 2:
            return not (nested and head.separator == ":")
        if name.isupper():
            return False
        if head.marked:
            return True
        return head.separator in ("\u2014", "(") or (
            head.separator in (":", ",") and kind == "people" and not nested
        )

    def _names_thing(self, head: Lead, tokens: list[str], fixed: str) -> bool:
        """`Quay Street studio`, `Truck 03`: a place or a thing owned, whose name is not capitalised throughout."""
        if (
            fixed == "org"
            or not head.head[:1].isupper()
            or not 2 <= len(tokens) <= 5
            or self.is_label(head.head)
        ):
            return False
        found = runs(head.head)
        numbered = any(t.isdigit() for t in tokens[1:]) or tokens[-1] in self.words.place_words
        return tokens[0] not in self.words.not_a_name and (found[0].words >= 2 or numbered)

    def is_label(self, name: str) -> bool:
        """Whether words before a colon are a common label (status, deadline, phone) and no name."""
        tokens = split_words(name)
        hits = self.words.labels.find(name, tokens)
        return not tokens or any(
            h.at <= 0 and (h.label == "no_project" or h.label.startswith("property.")) for h in hits
        )

    def _property(self, head: Lead, text: str) -> tuple[str, str] | None:
        """A line that only says something of the owner: `Timezone Europe/Lisbon`, `Pronouns: she/her`."""
        for hit in self.words.labels.find(text, split_words(text)):
            if not hit.label.startswith("property.") or hit.at > 0:
                continue
            value = head.rest if head.separator == ":" else ""
            if not value and hit.at == 0:
                value = re.sub(r"^\W*" + r"\W+".join([r"\w+"] * hit.length) + r"\W*", "", text)
            value = re.split(r"[,;(]", undress(value))[0].strip()
            return (hit.label.removeprefix("property."), value) if 0 < len(value) <= 80 else None
        return None

    # --- names inside a line --------------------------------------------------------------------------------

    def others(self, text: str, line: int, *, comma: bool) -> Iterator[Mention]:
        """Organisations and places named inside a line; with `comma` a name between commas is an employer."""
        for name in unspaced_organisations(text, self.words):
            yield Mention(name, "org", line)
        for run in runs(text):
            tokens = name_words(run.name)
            if run.words < 2 or tokens[0] in self.words.not_a_name or only_title(run.name, self.words) or run.name.isupper():
                continue
            if any(token in self.words.products for token in tokens):
                continue  # `App Store`
            kind = kind_of(run.name, self.words, "")
            if not kind and self._employs(text[: run.start], text[run.end :], comma):
                kind = "org"
            if kind:
                comma = False  # behind where somebody works stands its town
                yield Mention(run.name, kind, line)

    def _employs(self, before: str, after: str, comma: bool) -> bool:
        """Whether the words around a name make it an employer or a partner in business."""
        if comma and re.search(r"(?:^|[,\uff0c(])\s*$", before) and re.match(r"\s*(?:$|[,\uff0c(.)])", after):
            return True
        tokens = [t for t in split_words(before) if t not in ("the", "o", "a", "el", "la")]
        if tokens and tokens[-1] in self.words.runs:
            return True
        if len(tokens) < 2 or tokens[-1] not in self.words.works_for:
            return False
        return tokens[-2] in self.words.roles or tokens[-2] in self.words.dealings or tokens[-2] in self.words.works

    def _labelled_places(self, head: Lead, line: int) -> Iterator[Mention]:
        """`sites: North pit, South pit`, `Place: Casa Lima, the house in the hills`."""
        tokens = name_words(head.head)
        if (
            head.separator != ":"
            or not 1 <= len(tokens) <= 2
            or not any(t in self.words.place_labels for t in tokens)
        ):
            return
        for part in re.split(r",\s*|\s+(?:and|e|y|und|et)\s+", undress(head.rest)):
            found = runs(part)
            words = name_words(part)
            good = (
                found
                and found[0].start == 0
                and 2 <= len(words) <= 4
                and words[0] not in self.words.not_a_name
            )
            if not good or any(w.isdigit() for w in words):
                return
            yield Mention(part.strip(" ."), "loc", line)

    def called(self, text: str, line: int, known: set[str]) -> Iterator[Mention]:
        """`her deputy is Kofi`, `a filha é a Carminho`, `the volunteer is called Hamish`, `夫は健一さん`."""
        for name in unspaced_people(text):
            if name not in known and (found := self.describe.person(name, line, "", "")):
                yield found
        for run in runs(text):
            before = split_words(text[: run.start])
            if len(before) < 2 or run.name in known:
                continue
            last = before[-1]
            close = re.search(r"[^\W\d_] $", text[: run.start]) is not None  # nothing but a space between
            if (
                close
                and last in self.words.roles
                and last not in self.words.business_roles | self.words.client_roles
            ):
                if found := self.describe.person(run.name, line, last, ""):
                    yield found
                continue
            for phrase in self.words.is_called:
                size = len(phrase.split())
                role = next((b for b in before[-size - 5 : -size] if b in self.words.roles), "")
                if role and " ".join(before[-size:]) == phrase:
                    if found := self.describe.person(run.name, line, role, ""):
                        yield found
                    break

    def contact(self, text: str, line: int) -> Mention | None:
        """`Contact: Idris Bell, site manager`, or a full name with a phone or address, wherever it stands."""
        head = lead(text)
        if head.separator == ":" and fold(head.head) in self.words.contact_labels:
            return self.describe.person(first_name_of(head.rest), line, "", head.rest)
        if (
            len(name_words(head.head)) >= 2
            and (MAIL.search(head.rest) or PHONE.search(head.rest))
            and is_name(head.head, self.words)
        ):
            found = self.describe.person(head.head, line, "", head.rest)
            employers = tuple(m.name for m in self.others(head.rest, line, comma=True) if m.type == "org")
            return replace(found, of=employers) if found else None
        return None

    def sentence(self, text: str, line: int) -> Iterator[Mention]:
        """A sentence of prose about people or places; a full name at its start is its subject."""
        found = runs(text)
        if own := self._own_name(text, line):
            self.owner = self.owner or own.name
            rest = text.split(own.name, 1)[-1]
            others = list(self.others(rest, line, comma=True))
            yield replace(own, of=tuple(m.name for m in others if m.type == "org"))
            yield from others
            yield from self.called(rest, line, {own.name, *(m.name for m in others)})
            return
        head = lead(text)
        if head.separator == ":" and self._role_label(head, name_words(head.head)) not in (
            "",
            "pet",
            "place",
        ):
            yield from self.line(text, line, "people", nested=False)
            return
        known: set[str] = set()
        first = found[0] if found and found[0].start <= 2 and found[0].words >= 2 and not found[0].name.isupper() else None
        opening = name_words(first.name)[0] if first else ""
        if first and (opening in STOP or self.words.names.is_common(opening) or any(t in self.words.roles for t in name_words(first.name)[:2])):
            first = None if kind_of(first.name, self.words, "person") == "person" else first  # `Mein Mann Jörn`, `Notas do Sandro`
        if first and is_name(first.name, self.words):
            kind = kind_of(first.name, self.words, "person")
            others = list(self.others(text[first.end :], line, comma=kind == "person"))
            known.add(first.name)
            if kind == "person":
                self.owner = self.owner or first.name
                yield Mention(first.name, kind, line, of=tuple(m.name for m in others if m.type == "org"))
            else:
                yield Mention(first.name, kind, line)
            yield from others
        else:
            yield from self.others(text, line, comma=False)
        yield from self.called(text, line, known)


def _after_role(head: str) -> str:
    return head.split(None, 1)[1] if " " in head else ""
