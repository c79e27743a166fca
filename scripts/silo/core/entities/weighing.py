"""What a name is, by all the places where it stands: a person, an organisation, a place, or nothing to keep.

Every place gives evidence (a role beside it, a verb behind it, whom one asks or rings, where one works); the strongest of
each sort counts once, so that a word often met is not a name for that alone. Weights are hand-set: 2.4 makes a name.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from silo.core.entities.kept import is_kept
from silo.core.entities.mention import Mention
from silo.core.entities.names import kind_of
from silo.core.entities.spots import Spot, words_before
from silo.core.migrate.evidence import Tier
from silo.text.entity_words import EntityWords
from silo.text.fold import fold
from silo.text.lexicon import split_words


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ENOUGH = 2.4
_APART = re.compile(r"\s*(?:[,(—–:=|]|-\s)\s*")
_IS = re.compile(r"\s+(?:is|was|e|é|era|es|ist|est|är|er|это)\s+", re.I)
_PHONE = re.compile(r"\+\d[\d ().-]{6,}\d|\b\d{3}[ -]\d{3}[ -]\d{3,4}\b|[\w.+-]+@[\w-]+\.\w")
_LOWER = re.compile(r"(?:,)? [^\W\d_A-ZÀ-ÞА-Я]")
_AGE = re.compile(r"\s*(?:,\s*|\()\d{1,2}(?:\)|,|\.|$| (?:anos|years|months|meses)\b)|\s*\((?:b\.|born|n\.)\s*\d", re.I)
_LESS = _set("my the a an our her his their your its o os as um uma minha meu nossa nosso dela dele sua seu el la mi nuestra nuestro un una su is e older younger elder big little eldest youngest new old mais velho velha nova novo best")
_ADVERBS = _set("never always also still now just only already often usually really nunca sempre ja nao ainda so tambem agora quase siempre ya no tambien the has had have not")
_LINKS = _set("for to with from by on of para com por de a ao e and que con")
_WITH = _set("with from by and for com para pelo pela por e or con y mit und von avec et")
_INSIDE = _set("in at near em en behind above below perto junto around dentro no na nos nas bei in")
_DEALT = _set("ordered bought comprado comprada pedido pedida works worked working job trabalha trabalhou trabaja student doctorate studies estuda")
_COMES = _set("comes come came get buy bought vem vem vêm supplied through viene vienen traz")
_HEARD = _set("hear heard word news reply answer call message letter text email mail back")
_ORDERED = ("encomend", "compr", "fornec", "orcament", "contrat", "alug", "subscri", "assinat", "repar")
_SAINTS = _set("sao santo santa san saint st sta")
_KIN_OF = _set("da do de of")
# What tools and things do as well as people.
_WEAK_VERBS = _set("is was has had runs ran works worked does did can will should must gets got takes took comes came turns turned covers handles handled checks left moved sends sent gives gave keeps kept watches fixes opens e esta foi era estava tem tinha teve faz fez vai pode fica ficou corre passa passou chega chegou abre anda es fue hace puede va ist hat ve come deve devia brings needs")
_CIVIL = _set("mr mrs ms miss sr sra senhor senhora senor senora herr frau mme monsieur madame signor signora dhr mevr")
_NO_ROLE = _set("name nome nombre man m ex owner human user contact contacto contato")


class Weights:
    """The evidence for one name, by sort: the strongest of a sort counts."""

    def __init__(self) -> None:
        self.of: dict[str, dict[str, float]] = {"person": {}, "org": {}, "loc": {}}
        self.role = ""
        self.title = ""

    def add(self, type_: str, sort: str, value: float) -> None:
        held = self.of[type_]
        held[sort] = max(held.get(sort, value), value)

    @property
    def is_told(self) -> bool:
        """Whether something beside the name itself speaks for a person."""
        return any(value > 0 for sort, value in self.of["person"].items() if sort not in ("given", "full", "capital", "rare"))

    def total(self, type_: str) -> float:
        return sum(self.of[type_].values())


class Weigher:
    """Weighs names by their places. `lower` are the folded words that the document writes without a capital too; `nouns`: it
    writes all nouns with one, as German does."""

    def __init__(self, words: EntityWords, lower: frozenset[str], *, nouns: bool = False) -> None:
        self.words = words
        self.lower = lower
        self.nouns = nouns

    def mentions(self, found: Iterable[Spot]) -> list[Mention]:
        """One mention a name that is something, at its first place."""
        by_name: dict[tuple[str, ...], list[Spot]] = defaultdict(list)
        for spot in found:
            by_name[tuple(spot.words)].append(spot)
        weights = {key: self._weigh(key, places) for key, places in by_name.items()}
        self._share(weights)
        out: list[Mention] = []
        for key, places in by_name.items():
            held = weights[key]
            type_ = max(held.of, key=held.total)
            spot = places[0]
            if type_ == "person" and not held.is_told and not any(s.tier is Tier.ONTOLOGY or s.unsure for s in places):
                continue  # `Kelly sizing`: a given name, and nothing that says it is somebody's
            if held.total(type_) < _ENOUGH or is_kept(spot.name, self.words):
                continue
            if type_ == "person" and fold(held.title).rstrip(".") in _CIVIL and not held.of["person"].get("given"):
                continue  # `Mr Adeyemi` is too little to tell a person by
            properties = (("role", held.role),) if held.role and type_ == "person" else ()
            aliases = (f"{held.title} {spot.name}",) if held.title and type_ == "person" else ()
            out.append(Mention(spot.name, type_, spot.line, properties, aliases))
        return out

    def _share(self, weights: dict[tuple[str, ...], Weights]) -> None:
        """What is said of `Ana` speaks for the one `Ana Beltrão`; what is said of one half of a name is not another's."""
        for key, held in weights.items():
            if len(key) != 1:
                continue
            longer = [k for k in weights if len(k) > 1 and k[0] == key[0]]
            if len(longer) == 1:
                for type_ in held.of:
                    for sort, value in held.of[type_].items():
                        if value > 0:
                            weights[longer[0]].add(type_, sort, value)
                    for sort, value in weights[longer[0]].of[type_].items():
                        if sort in ("role", "verb", "label"):
                            held.add(type_, sort, value)

    # --- one name -------------------------------------------------------------------------------------------

    def _weigh(self, key: tuple[str, ...], places: list[Spot]) -> Weights:
        held = Weights()
        name = places[0].name
        inside = [s for s in places if not s.opens and not s.soft]
        self._prior(key, name, places, inside, held)
        for spot in places:
            self._around(spot, held)
        return held

    def _prior(
        self, key: tuple[str, ...], name: str, places: list[Spot], inside: list[Spot], held: Weights
    ) -> None:
        names = self.words.names
        first = name.split()[0]
        given = key[0] in names.frequent or first.lower() in names.frequent or names.nominative(first) != ""
        doubtful = key[0] in names.words_too
        common = [names.is_common(w) for w in key]
        kind = kind_of(name, self.words, "person" if given else "")
        if kind in ("org", "loc") and (inside or not all(common)):
            held.add(kind, "form", 2.6)
        if key[0] in _SAINTS:
            held.add("person", "saint", -2.0)
        elif given:
            held.add("person", "given", 2.0)
        elif doubtful:
            held.add("person", "given", 1.6 if inside else 0.8)
        if len(key) > 1 and (given or doubtful) and len(key) <= 4:
            held.add("person", "full", 0.8 if not any(common[1:]) else 0.2)
        elif len(key) > 1:
            for type_ in held.of:
                held.add(type_, "full", 0.4)
        proper = bool(inside) or (len(key) > 1 and any(not s.soft for s in places))  # its second word has no need of a capital
        if not proper and given and not doubtful and any(not s.soft and _LOWER.match(s.after) for s in places):
            held.add("person", "opens", 0.5)  # a sentence begins with a name that is no everyday word
        if proper:
            for type_ in held.of:
                held.add(type_, "capital", 0.5 if len(key) == 1 else 0.8)
        if len(key) == 1 and inside and not common[0] and not given and not self.nouns:
            for type_ in held.of:
                held.add(type_, "rare", 0.4)
        if len(key) > 1 and not given and common[-1] + common[0] == 1 and not all(common):
            thing = key[-1] if common[-1] else key[0]
            if thing.endswith("s") and len(thing) > 4:
                held.add("org", "trade", 0.9)  # `Teme Valley Jars`, `Elevadores Cabral`
        if len(key) > 1 and not (given or doubtful) and key[-1].endswith("s") and len(key[-1]) > 4:
            held.add("org", "plural", 0.3)
            held.add("person", "plural", -0.6)
        if len({s.line for s in places}) > 1:
            for type_ in held.of:
                held.add(type_, "again", 0.3)
        if len(key) == 1 and key[0] in self.lower and not given:
            for type_ in held.of:
                held.add(type_, "word", -1.5)
        elif all(common):
            for type_ in held.of:
                held.add(type_, "word", -0.7 if proper else -1.8)
        if self.nouns and not (given or doubtful):
            for type_ in held.of:
                held.add(type_, "noun", -1.0)
        if all(s.tier is Tier.ARCHIVE and not s.unsure for s in places):
            for type_ in held.of:
                held.add(type_, "past", -2.5)  # what is over needs nobody in the graph
        elif not given and not any(s.tier in (Tier.ACTIVE, Tier.ONTOLOGY) or s.unsure for s in places):
            for type_ in held.of:
                held.add(type_, "by the way", -0.4)

    # --- one place ------------------------------------------------------------------------------------------

    def _around(self, spot: Spot, held: Weights) -> None:
        before, article = words_before(spot)
        if spot.title:
            held.title = held.title or spot.title
            held.add("person", "title", 2.2)
        self._before(spot, before, article, held)
        self._behind(spot, held)
        if spot.head and spot.kind == "people":
            held.add("person", "list", 0.8)
        if spot.head and spot.kind == "property":
            held.add("person", "thing", -2.0)  # a boat, a dog, a machine
        if spot.head and spot.kind in ("organisations", "places"):
            held.add("org" if spot.kind == "organisations" else "loc", "list", 1.8)

    def _before(self, spot: Spot, before: list[str], article: str, held: Weights) -> None:
        words = self.words
        close = not spot.gap.strip() or (spot.gap[-1:].isspace() and not re.search(r"[^\w\s]\s*$", spot.gap))
        last = before[-1] if before else ""
        owner = article in _KIN_OF or last in _KIN_OF
        label = re.search(r"[:=(]\s*$", spot.gap) is not None
        if last in words.business_roles and (close or label):
            held.add("org", "role", 2.4)
        elif label and not self.nouns and last not in words.roles and any(w in words.roles - _NO_ROLE for w in before[-3:]):
            held.add("person", "role", 2.4)  # `Stage hand tonight: Netinho`
        elif last in words.roles and (close or label) and last not in _NO_ROLE:
            held.add("person", "role", 1.2 if owner and not label else 2.4)
            if not owner or label:
                held.role = held.role or last
        elif len(before) > 1 and close:
            for phrase in words.is_called:
                size = len(phrase.split())
                told = list(spot.before)
                if " ".join(told[-size:]) == phrase and (
                    role := next((w for w in told[-size - 4 : -size] if w in words.roles and w not in _NO_ROLE), "")
                ):
                    held.add("org" if role in words.business_roles else "person", "role", 2.4)
        asks = before[-2] if last in _LINKS and len(before) > 1 else last
        if close and asks in words.asked and (last != "from" or asks in _HEARD):
            held.add("person", "asked", 1.4)
            held.add("org", "asked", 0.7)
        if spot.gap.rstrip().endswith(",") and not spot.after.strip(" .") and any(w in words.place_words | words.organisation_words for w in before[-5:]):
            held.add("person", "town", -2.0)  # `…, Quinta da Pedra, Carmo de Minas`
        if close and article and not owner and spot.name.split()[0][0].isupper():
            held.add("person", "article", 0.4)
        if close and (last in _WITH or article in ("ao", "pelo", "pela")):
            held.add("person", "with", 0.4)
        inside = last in _INSIDE or article in ("no", "na")
        if close and inside:
            held.add("person", "inside", -0.8)
            held.add("loc", "inside", 1.0)
            held.add("org", "inside", 0.8)
        if close and (last in words.works_for or article in ("do", "da", "no", "na", "ao", "a")):
            held.add("org", "of", 0.5 if article != "a" else 0.2)
            if len(spot.words) > 1 and any(w in _COMES for w in before[-3:]):
                held.add("org", "dealing", 1.2)
            if any(w in words.dealings or w in words.business_verbs or w in _DEALT or w.startswith(_ORDERED) for w in before[-5:]):
                held.add("org", "dealing", 1.5)
        if spot.listed and (spot.listed in words.place_labels or spot.listed.rstrip("s") in words.place_labels | words.place_words):
            held.add("loc", "listed", 2.6)

    def _behind(self, spot: Spot, held: Weights) -> None:
        words = self.words
        if spot.owns:
            held.add("person", "owns", 0.7)
        if _PHONE.search(spot.after):
            held.add("person", "reached", 0.8)
        if _AGE.match(spot.after):
            held.add("person", "age", 1.0)
        told = _IS.match(spot.after) or _APART.match(spot.after)
        if told:
            self._told(spot, spot.after[told.end() :], held)
        following = split_words(re.split(r"[^\w\s'’-]", spot.after, maxsplit=1)[0])[:4] if spot.after[:1].isspace() else []
        for at, word in enumerate(following):
            if word in words.business_verbs:
                held.add("org", "verb", 1.4)
            if word in words.person_verbs:
                held.add("person", "verb", 0.6 if word in _WEAK_VERBS else 1.4)
                held.add("org", "does", 0.5)
            if word not in _ADVERBS or at == 2:
                break

    def _told(self, spot: Spot, text: str, held: Weights) -> None:
        """What is said behind a comma, a dash, a bracket or `is`: `Rita (my elder sister)`, `Hidrosant — supplier`."""
        words = self.words
        said = re.split(r"[,;.()|]| - |[—–]", text, maxsplit=1)[0]
        tokens = split_words(said)
        if len(tokens) > 1 and tokens[0] in _LESS and spot.after[:1] in ",(" and not spot.owns:
            held.add("person", "who", 0.8)  # `Vera, a higienista`, whatever she is
        while tokens and tokens[0] in _LESS:
            tokens = tokens[1:]
        for word in tokens[:3]:
            if word in words.business_roles:
                held.add("org", "role", 2.4)
            elif word in words.roles and word not in _NO_ROLE:
                held.add("person", "role", 2.4)
                held.role = held.role or said.strip()[:60]
        if spot.head and spot.tier is Tier.ONTOLOGY and not any(self.words.names.is_common(w) for w in spot.words):
            held.add("org", "entry", 0.9)
            held.add("person", "entry", 0.6)


def lower_words(lines: Iterable[str]) -> frozenset[str]:
    """The folded words that stand without a capital somewhere."""
    return frozenset(fold(w) for line in lines for w in re.findall(r"(?<![^\W_])[^\W\d_A-ZÀ-ÞА-Я][^\W\d_]*", line) if w.islower())


def all_nouns(lines: Iterable[str]) -> bool:
    """Whether a text writes every noun with a capital."""
    inside = [w for line in lines for w in re.findall(r"(?<=[a-zà-ÿ,] )([^\W\d_]+)", line)]
    return len(inside) >= 30 and sum(w[0].isupper() for w in inside) > 0.2 * len(inside)
