"""Who does it: "X runs the bar", "the bar is run by Y", "quem cuida das vacas é a Marlene", "the owner of the boat is Y".

Reads who does what where one wording names the doer as the one who does it (by whom, who … is, the one who); a plain
sentence is then searched for the same deed. Two doers of one deed exclude each other only then, and never where the deed
is one that many do side by side (using, visiting). Decides nothing about which one is right.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from silo.core.reconcile.clauses import Clause
from silo.core.reconcile.kin import Kin, Word, bond_between, word_of
from silo.core.reconcile.statement import Statement, standing
from silo.core.reconcile.tokens import Token
from silo.text.fold import fold
from silo.text.stem import stem
from silo.text.values import Value, comparable, same_value

_BY = frozenset(["by", "por", "pelo", "pela", "pelos", "pelas"])
_WHO = frozenset(["who", "whoever", "quem"])
_OF = frozenset(["of", "de", "do", "da", "dos", "das"])
_BESIDE = frozenset(["also", "too", "both", "together", "sometimes", "along", "tambem", "ambos", "junto", "juntos", "as vezes", "either", "or", "ou"])


@dataclass(frozen=True, slots=True)
class Doer:
    """Who does it, as it stands: names, or the terms of a plain noun."""

    text: str
    names: tuple[Value, ...]
    terms: frozenset[str]
    capital: bool = False  # one word that opens the text and that no table knows: likely a name


@dataclass(frozen=True, slots=True)
class Deed:
    """One deed: how it is called (roots and property keys), what is done to, and by whom."""

    act: frozenset[str]
    word: Word
    objects: frozenset[str]
    doer: Doer
    rest: tuple[Value, ...]  # values that are neither who does it nor what is done to
    office: bool = False  # read from the name of its doer


@dataclass(frozen=True, slots=True)
class Deeds:
    """The same deed in both statements: by the same one, or by another."""

    old: Clause
    new: Clause
    old_doer: str
    new_doer: str
    same: bool


def deeds(before: Statement, after: Statement, kin: Kin) -> Deeds | None:
    """What both say of who does one thing, None where they speak of no such thing or can't be compared."""
    for a in standing(before):
        for b in standing(after):
            if a.negative or b.negative or a.past != b.past or a.leaves or b.joins:
                continue
            found = _both(a, b, before, after, kin)
            if found is not None:
                return found
    return None


def _both(a: Clause, b: Clause, before: Statement, after: Statement, kin: Kin) -> Deeds | None:
    left, right = _named(a, before.text), _named(b, after.text)

    def one_act(act: frozenset[str], word: Word, deed: Deed) -> bool:
        return bool(act & deed.act) or kin.meets(word, deed.word, bond_between(before, after))

    if (left is None and right is None) or (left and right and left.office and right.office):
        return None
    if right is not None and (left is None or left.office):
        left = _plain(a, before.text, right, one_act) or left
    if left is not None and (right is None or right.office):
        right = _plain(b, after.text, left, one_act) or right
    if left is None or right is None or not one_act(left.act, left.word, right) or not left.objects or not right.objects:
        return None
    if left.objects != right.objects or a.scopes != b.scopes or _many(a) or _many(b):
        return None
    if len(left.rest) != len(right.rest) or not all(any(comparable(x, y) and same_value(x, y) for y in right.rest) for x in left.rest):
        return None
    one, other = left.doer, right.doer
    if bool(one.names) != bool(other.names):
        plain = other if one.names else one
        if not plain.capital:
            return None  # the landlord and Marta may be one
        same = fold(one.text) == fold(other.text)
    elif one.names:
        same = any(same_value(x, y) for x in one.names for y in other.names)
    else:
        same = one.terms == other.terms
    return Deeds(a, b, one.text, other.text, same)


# Verbs of which one says from the other side what the other one says: who gives lessons takes none.
_CONVERSE = tuple(
    (re.compile(rf"\b(?:{one})\b", re.IGNORECASE), re.compile(rf"\b(?:{other})\b", re.IGNORECASE))
    for one, other in (
        (r"gives?|gave|given|giving|dá|dão|deu|deram|dou|damos|dava", r"takes?|took|taken|taking|gets?|got|receives?|received|has|have|tem|têm|tenho|temos|tinha|recebe[mu]?|recebo|tira|faz"),
        (r"lends?|lent|lending|empresta|emprestou|emprestei", r"borrows?|borrowed|borrowing|pede emprestad[oa]|pediu emprestad[oa]|pedi emprestad[oa]"),
        (r"sells?|sold|selling|vende[mu]?|vendo|vendi", r"buys?|bought|buying|compra[m]?|comprou|compro|comprei"),
        (r"teach(?:es)?|taught|teaching|ensina[m]?|ensinou|dá aulas|leciona", r"learns?|learned|learnt|learning|stud(?:y|ies|ied)|aprende[mu]?|estuda[m]?|estudou"),
        (r"sends?|sent|sending|envia[m]?|enviou|manda[m]?|mandou", r"receives?|received|gets?|got|recebe[mu]?"),
        (r"wins?|won|ganha[m]?|ganhou|venceu", r"los[et]s?|losing|perde[mu]?"),
    )
)


def converse(old: str, new: str) -> bool:
    """Whether two texts say the one and the other side of something done between two."""
    return any((a.search(old) and b.search(new) and not (b.search(old) or a.search(new))) or (b.search(old) and a.search(new) and not (a.search(old) or b.search(new))) for a, b in _CONVERSE)


ANOTHER_DEED = "another deed"
_ONCE = frozenset(["was", "were", "been", "foi", "foram"])
_UNDOES = re.compile(r"(?:cancel|desmarc|anul|withdr|revok|revog)")  # says of a plan that it holds no more


def another_done(before: Statement, after: Statement, kin: Kin) -> bool:
    """Whether both tell what was done to something once, and not the same: "was serviced in April", "was replaced in April"."""
    return any(_other_done(a, b, kin, before, after) for a in standing(before) for b in standing(after))


def _other_done(a: Clause, b: Clause, kin: Kin, before: Statement, after: Statement) -> bool:
    one, other = _done(a), _done(b)
    if one is None or other is None or _UNDOES.match(other.word.split()[-1]):
        return False
    marks = [{(m.table, m.key) for m in t.marks if m.table in ("act", "status")} for t in (one, other)]
    plain = before.language == after.language
    known = any(not (plain and key.startswith("work.")) for _, key in marks[0] & marks[1])  # "work" holds all that is done to a thing
    alike = stem(one.word.split()[-1]) == stem(other.word.split()[-1]) or bool(set(one.terms) & set(other.terms))
    return not (known or alike or kin.meets(word_of(one), word_of(other), bond_between(before, after)))


def _done(clause: Clause) -> Token | None:
    """The participle behind a past "be", alone or in one phrase with it. What was planned or booked is no deed."""
    for be, did in itertools.zip_longest(clause.tokens, clause.tokens[1:]):
        words = be.word.split()
        if words[0] in _ONCE and len(words) > 1:
            return be if be.is_in("leave", "passive") else None
        if words[-1] not in _ONCE or did is None or did.start - be.end != 1 or did.is_in("role", "verb", "stay", "where") or (did.is_in("noun") and not did.is_in("status", "act")):
            continue
        states = [key.partition(".")[0] for key in did.keys("status")]
        if "work" in states or (not states and (did.terms or did.is_in("act", "leave"))):
            return did
    return None


def _many(clause: Clause) -> bool:
    """Whether the deed is one that many do, or others are said to do it as well."""
    return any(t.is_in("shared") or t.word in _BESIDE for t in clause.tokens)


def _act(token: Token) -> frozenset[str]:
    small = _BY | _WHO | _OF
    return frozenset({*(token.heads - small), *token.keys("act"), *(key for key in token.keys("attribute") if key in _DOING)})


_DOING = frozenset(["charge", "manage", "lead", "own", "supply"])  # properties that somebody has by doing something


# What was done once says nothing of who does it: "Joost wrote the newsletter" beside "is written by Ines".
_PAST = re.compile(r"(?:ed|ou|eu|iu|aram|eram|iram)\Z|\A(?:wrote|ran|taught|led|kept|made|did|held|gave|took|built|sold|bought|sang|drew|fed|drove|fez|foi)\Z")


def _named(clause: Clause, text: str) -> Deed | None:
    """The deed of a clause whose wording names the doer as such."""
    tokens = clause.tokens
    for i, token in enumerate(tokens):
        if token.word.split()[-1] in _BY and i and (act := _participle(tokens, i)) is not None:
            return _deed(clause, text, act, clause.start, act.start, token.end, clause.end)
    be = next((i for i, t in enumerate(tokens) if t.is_in("copula")), None)
    if be is None:
        return None
    who = next((i for i, t in enumerate(tokens) if t.word.split()[0] in _WHO), None)
    if who is None:
        return _office(clause, text, be)
    act_at = who if " " in tokens[who].word else who + 1
    if act_at >= len(tokens):
        return None
    act = tokens[act_at]
    if be > act_at:  # quem cuida das vacas é a Marlene
        return _deed(clause, text, act, act.end, tokens[be].start, tokens[be].end, clause.end)
    if be < who:  # é a Marlene quem cuida das vacas; a Marlene é quem cuida das vacas
        first = tokens[be].start <= clause.start + 1
        return _deed(clause, text, act, act.end, clause.end, tokens[be].end if first else clause.start, tokens[who].start if first else tokens[be].start)
    return None


_WAS = frozenset(["was", "were", "been", "foi", "foram", "era", "eram", "will be", "sera", "serao"])


def _participle(tokens: tuple[Token, ...], by: int) -> Token | None:
    """The participle before "by" (in one phrase with it, or alone), where a copula stands before it."""
    at = by if " " in tokens[by].word else by - 1
    act = tokens[at]
    near = tokens[max(0, at - 3) : at]
    passive = any((t.is_in("copula") and t.word not in _WAS) or t.word in ("being", "sendo") for t in near)
    in_one = act.is_in("copula") and " " in act.word and act.word.split()[0] not in _WAS  # "is paid" as one phrase
    return act if in_one or (passive and not act.is_in("copula")) else None


def _office(clause: Clause, text: str, be: int) -> Deed | None:
    """The deed in the name of its doer: "the owner of the boat is …", "the Latin teacher is …"."""
    tokens = clause.tokens
    said = [t for t in tokens[:be] if t.terms or t.is_in("attribute", "role")]
    of = next((i for i in range(1, be) if tokens[i].word in _OF), None)
    phrase = next((t for t in said if t.word.split()[-1] in _OF and " " in t.word), None)
    act = phrase or (tokens[of - 1] if of is not None else said[-1] if said else None)
    if act is None:
        return None
    found = _deed(clause, text, act, act.end if of is not None or phrase else clause.start, tokens[be].start, tokens[be].end, clause.end)
    return replace(found, office=True) if found is not None and found.doer.names else None


def _plain(clause: Clause, text: str, other: Deed, one_act: Callable[[frozenset[str], Word, Deed], bool]) -> Deed | None:
    """The deed in a plain sentence: who, the word of the deed, what."""
    for token in clause.tokens:
        if token.start > clause.start and not _PAST.search(token.word) and one_act(_act(token), word_of(token), other) and not token.is_in("role"):
            return _deed(clause, text, token, token.end, clause.end, clause.start, token.start)
    return None


def _deed(clause: Clause, text: str, act: Token, o_start: int, o_end: int, d_start: int, d_end: int) -> Deed | None:
    """The deed whose object stands in one span and whose doer in another."""
    inside = [t for t in clause.tokens if t is not act]
    objects = frozenset(term for t in inside if o_start <= t.start < o_end for term in t.terms)
    spoken = [t for t in inside if d_start <= t.start < d_end and not t.is_in("copula")]
    names = tuple(v for v in clause.values if v.kind == "name" and d_start <= v.start < d_end)
    terms = frozenset(term for t in spoken for term in t.terms)
    said = re.sub(r"^(?:the|o|a|os|as)\s+", "", text[d_start:d_end].strip(" .,;:"), flags=re.IGNORECASE)
    if not names and not terms:
        return None
    rest = tuple(v for v in clause.values if v not in names)
    capital = not names and len(spoken) == 1 and not spoken[0].marks and spoken[0].start == 0 and text[:1].isupper()
    return Deed(_act(act), word_of(act), objects, Doer(said, names, terms, capital), rest)
