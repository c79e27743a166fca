"""What a statement speaks of as weighed words, whatever clause says them: the second, coarser reading (`loose.py`).

A noun or an unknown word weighs 1, words that many statements have (find, size, have) next to nothing. It knows neither the
other statement nor what follows from the two.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from silo.core.reconcile.clauses import Clause, Groups
from silo.core.reconcile.kin import Word, word_of
from silo.core.reconcile.parting import is_pronoun
from silo.core.reconcile.statement import Statement, standing
from silo.core.reconcile.tokens import Token
from silo.text.flat import flat
from silo.text.thesaurus import key_of
from silo.text.values import Value

_REACH = 5  # words between a verb and its particle


@dataclass(frozen=True, slots=True)
class Unit:
    """A word or phrase of a statement. `keys`: by which it meets another one; `front`: it stands in an opening phrase."""

    token: Token
    keys: frozenset[str]
    word: Word
    weight: float
    subject: bool
    place: bool
    front: bool
    act: bool  # says what is done, or which property, not of what
    going: bool  # the statement says that it holds no more: "lemon, not orange"

    @property
    def written(self) -> str:
        return self.token.word


@dataclass(frozen=True, slots=True)
class Run:
    """Up to four words in a row as lists may have them, with their key and where they start."""

    written: str
    key: str
    starts: frozenset[int]


@dataclass(frozen=True, slots=True)
class Gist:
    """The words and values of a statement with what turns its sense."""

    units: tuple[Unit, ...]
    values: tuple[Value, ...]
    contrasts: Groups
    scopes: Groups
    bearings: Groups
    negative: bool
    denials: int  # clauses that deny something
    unreal: bool
    occasion: bool  # tells of one time, past or hoped for: yesterday, one day
    runs: tuple[Run, ...]
    over: frozenset[str]  # what it says holds no more
    goes: bool
    figures: frozenset[str]  # digits that are no value: ".20 was taken"
    copula: bool
    wish: bool  # says what is needed or wanted
    needs: bool
    ways: frozenset[str]  # the particles behind its verbs: fly out, fly back
    has: bool  # says what is there
    states: bool  # its verb says what something is or where, not what is done

    @property
    def properties(self) -> frozenset[str]:
        return frozenset(key for unit in self.units for key in unit.token.keys("attribute"))


def gist_of(statement: Statement) -> Gist:
    """The gist of a statement. What stands before a colon that a whole clause follows only opens it."""
    body = _body(statement)
    stay = standing(statement)
    contrasts = _merged({g: frozenset(m for m in members if f"{g}.{m}" not in c.gone) for g, members in c.contrasts.items()} for c in stay)
    units = tuple(unit for clause in statement.clauses for unit in _units(statement, clause, body))
    tokens = [token for clause in statement.clauses for token in clause.tokens]
    unreal = any(t.is_in("unreal") and t.start >= body for t in tokens) or statement.text.rstrip().endswith("?")
    return Gist(
        units=units,
        values=tuple(v for clause in statement.clauses for v in clause.values if v.start >= body or v.kind == "name"),
        contrasts=contrasts,
        scopes=_merged(clause.scopes for clause in stay),
        bearings=_merged(clause.bearings for clause in stay),
        negative=any((clause.negative or _ends(clause)) and not only_denies(clause, statement) for clause in stay) != any(unit.token.is_in("without") and unit.weight == 1 for unit in units),
        denials=sum(clause.negative or _ends(clause) for clause in statement.clauses),
        unreal=unreal and statement.unreal,
        occasion=_OCCASION.search(flat(statement.text)) is not None,
        runs=tuple(run for clause in statement.clauses for run in _runs(clause)),
        over=frozenset(key for c in statement.clauses for key in (*c.gone, *(v.text for v in c.values if v.start in c.outgoing))),
        figures=_loose_figures(statement),
        goes=any(c.outgoing or c.gone or c.leaves or "end" in c.cues for c in statement.clauses),
        copula=any(clause.copula for clause in stay),
        wish=any(t.word in _WISHES for t in tokens),
        ways=frozenset(b.word for a, b in itertools.pairwise(tokens) if b.word in _WAYS and (a.terms or a.is_in("verb", "act"))),
        needs=any(t.word in _NEEDS for t in tokens),
        has=any(t.word in _HAVING for t in tokens) and not any(t.word in _OBLIGING for t in tokens),
        states=not any(unit.act and unit.weight > FAINT for unit in units),
    )


FAINT = 0.2  # the weight up to which a word tells next to nothing
PEOPLE = frozenset(["member", "peopl", "person", "pesso", "membr", "guest", "convid", "visitor"])  # whoever is counted
_WEIGHTS = (("noun", 1.0), ("role", 1.0), ("act", 0.7), ("attribute", 0.6), ("status", 0.4), ("contrast", 0.4), ("verb", 0.3), ("leave", FAINT), ("join", FAINT))
_OCCASION = re.compile(
    r"\b(?:yesterday|last (?:night|week|month|weekend|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|this morning|tonight|one day|some ?day|next year|"
    r"ontem|anteontem|semana passada|mes passado|hoje de manha|esta (?:manha|noite)|um dia|algum dia|ano que vem|proximo ano)\b"
)
_REASONS = frozenset(["since", "because", "porque", "desde", "pois"])  # what follows says why or since when
_WAYS = frozenset(["out", "back", "up", "down", "off", "away"])
_NEEDS = frozenset(["need", "needs", "needed", "precisa", "preciso", "precisamos", "precisam"])
_WISHES = _NEEDS | {"want", "wants", "wish", "wishes", "hope", "hopes", "quero", "quer", "querem"}
_HAVING = frozenset(["have", "has", "got", "there's", "tem", "temos", "tenho", "ha"])
_OBLIGING = frozenset(["must", "should", "shall", "to", "deve", "devem", "que"])
_SUBJECTS = frozenset(["i", "we", "you", "he", "she", "they", "i'll", "we'll", "you'll", "to", "will", "eu", "nos", "voce", "ele", "ela", "eles", "elas"])


def _units(statement: Statement, clause: Clause, body: int) -> list[Unit]:
    found = []
    places = _places(clause)
    since = next((t.start for t in clause.tokens[1:] if t.word in _REASONS), len(statement.text))
    over = only_denies(clause, statement)
    for i, token in enumerate(clause.tokens):
        said = (i > 0 and _acts(clause.tokens[i - 1], token)) or _follows_name(clause, token, statement.text)
        weight = _weight(token, said, _closes(token, statement.text), clause.copula and token.start > clause.verb)
        if not weight:
            continue
        found.append(
            Unit(
                token=token,
                keys=_keys(token),
                word=_spread(word_of(token, clause.tokens[i + 1 : i + 1 + _REACH]), token, statement.language),
                weight=weight,
                subject=token.start < clause.verb and (clause.copula or token.start not in places),
                place=token.start in places or any(key.startswith("place.") for key in token.keys("contrast")),
                front=token.start < body or token.start > since or bool(frozenset(token.terms) & clause.front),
                act=(said or token.is_in("verb", "act", "attribute", "status")) and (said or not token.is_in("noun")),
                going=over or bool(clause.gone & {*token.terms, *token.keys("contrast")}),
            )
        )
    return found


def _acts(before: Token, token: Token) -> bool:
    """Whether a word is a verb by what stands before it: "we call", "stopped working"."""
    return before.word in _SUBJECTS or (token.word.endswith("ing") and (before.is_in("cue", "verb", "copula", "leave") or before.word.endswith(("'m", "'re"))))


def _follows_name(clause: Clause, token: Token, text: str) -> bool:
    """Whether a word stands right behind the name that opens a clause: "Ida swims"."""
    first = next((v for v in clause.values if v.kind == "name"), None)
    opens = first is not None and not any(t.start < first.start and not t.is_in("little") for t in clause.tokens)
    return opens and first is not None and text[first.end : token.start] == " " and token.word[:1] == text[token.start]


def _runs(clause: Clause) -> Iterator[Run]:
    for i, first in enumerate(clause.tokens):
        for last in range(i, min(i + 4, len(clause.tokens))):
            run = clause.tokens[i : last + 1]
            if any(b.start - a.end > 1 for a, b in itertools.pairwise(run)):
                break
            if not (first.is_in("little") or run[-1].is_in("little", "copula")):
                written = "_".join(t.word.replace(" ", "_") for t in run)
                yield Run(written, key_of(written), frozenset(t.start for t in run))


def _weight(token: Token, said: bool, closes: bool, told: bool) -> float:
    """How much a word tells of what a statement is about; 0 for one that tells nothing."""
    if token.is_in("without") and told:
        return 1.0  # what a vegetarian does without
    if token.is_in("status") and token.is_in("where"):
        return 0.4 if closes else 0.0  # "with the light on"
    if said and token.is_in("stay"):
        return 0.1  # "we store it in …": the place is what is told
    noun = token.is_in("noun", "role") and token.stem not in PEOPLE
    if (token.is_in("faint", "hearsay", "cue") or token.stem in PEOPLE or ("'" in token.word and not token.word.endswith("'s"))) and not noun:
        return 0.1
    if (token.is_in("where", "copula") and not noun) or (token.is_in("not") and not token.terms):
        return 0.0
    if any(not key.startswith("days.") for key in token.keys("scope")):
        return 1.0
    if token.terms and not token.is_in("act"):
        return 0.6 if said else 1.0
    return next((weight for table, weight in _WEIGHTS if token.is_in(table)), 0.0)


def _keys(token: Token) -> frozenset[str]:
    """By what two words are the same one: stems, and what the tables of both languages call them."""
    tables = (("noun", "noun"), ("role", "noun"), ("act", "noun"), ("without", "noun"), ("attribute", "property"), ("status", "state"))
    found = {f"{name} {key}" for table, name in tables for key in token.keys(table)} | {f"stem {token.stem}"}
    found.update(f"stem {term}" for term in token.terms if " " not in term)
    if not token.stem.endswith("-m"):  # an accent alone tells avô from avó
        found.update(f"stem {head}" for head in token.heads if len(head) > 2)
    return frozenset(found)


_ENDINGS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "en": (("s", ""), ("es", ""), ("ed", ""), ("ed", "e"), ("ing", ""), ("ing", "e"), ("ied", "y"), ("ies", "y")),
    "pt": (
        ("o", "ar"), ("a", "ar"), ("as", "ar"), ("am", "ar"), ("amos", "ar"), ("ou", "ar"), ("ei", "ar"), ("ava", "ar"), ("ada", "ar"), ("ado", "ar"),
        ("e", "er"), ("em", "er"), ("eu", "er"), ("o", "er"), ("ido", "er"), ("e", "ir"), ("i", "ir"), ("iu", "ir"), ("ida", "ir"),
    ),
}  # fmt: skip


def _spread(word: Word, token: Token, language: str) -> Word:
    """The word with what it may be the form of, as lists write it: calça, calçar; departs, depart."""
    bare = token.word.removesuffix("'s")
    if " " in bare or token.stem.endswith("-m"):
        return word
    forms = frozenset(bare.removesuffix(end) + put for end, put in _ENDINGS.get(language, ()) if bare.endswith(end) and len(bare) - len(end) > 1)
    return word | Word(forms, frozenset(map(key_of, forms)))


def _body(statement: Statement) -> int:
    """Where what is said begins: behind a colon that a whole clause follows ("in case they ask: it is …"), else at the start."""
    mark = re.search(r":\s", statement.text)
    tokens = [t for clause in statement.clauses for t in clause.tokens if mark and t.start >= mark.end()]
    whole = any(t.is_in("copula") or is_pronoun(t) or "'" in t.word.removesuffix("'s") or (t.is_in("verb", "attribute", "cue") and not t.is_in("noun")) for t in tokens)
    return mark.end() if mark and whole else 0


def _places(clause: Clause) -> frozenset[int]:
    """Starts of the words behind a preposition of place, up to five, with the colours and sizes among them."""
    found: set[int] = set()
    left = 0
    for token in clause.tokens:
        if token.is_in("where") and token.word not in _WAYS:
            left = 5
        elif (token.is_in("verb", "copula", "cue") and not token.is_in("noun")) or token.is_in("purpose", "bearing"):
            left = 0
        elif left and (token.terms or token.is_in("contrast")):
            found.add(token.start)
            left -= 1
        elif not token.is_in("little"):
            left = 0
    return frozenset(found)


def _closes(token: Token, text: str) -> bool:
    return re.match(r"\s*(?:[.;,!]|$)", text[token.end :]) is not None


def _ends(clause: Clause) -> bool:
    """Whether the clause says that something is over and nothing of what came for it."""
    if "end" not in clause.cues or clause.cues & {"replace", "change"} or any(t.is_in("not", "inner") for t in clause.tokens):
        return False
    pairs = zip(clause.tokens, (*clause.tokens[1:], None), strict=True)
    stops = [after is not None and after.word.endswith("ing") for t, after in pairs if t.stem == "stop"]
    return not stops or any(stops)  # where a train stops is no end, "stopped playing" is one


def only_denies(clause: Clause, statement: Statement) -> bool:
    """Whether a clause tells what is no more beside others that tell what is: "…, no more bank transfers"."""
    others = [c for c in statement.clauses if c is not clause and (c.terms or c.values)]
    return (clause.negative or _ends(clause)) and bool(others) and not any(c.negative or _ends(c) for c in others)


def _loose_figures(statement: Statement) -> frozenset[str]:
    spans = [(v.start, v.end) for v in statement.values]
    return frozenset(m[0] for m in re.finditer(r"\d+", statement.text) if not any(a <= m.start() < b for a, b in spans))


def _merged(groups: Iterable[Groups]) -> Groups:
    found: Groups = {}
    for one in groups:
        for group, members in one.items():
            if members:
                found[group] = found.get(group, frozenset()) | members
    return found
