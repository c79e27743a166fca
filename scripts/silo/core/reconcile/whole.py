"""The third reading: statements each of whose words has its like in the other one, and what is said to be over as a whole.

Word order, the form of a word and the language are free here; for that nothing may be left over on either side. Who does what to
whom must not be turned round.
"""

from __future__ import annotations

import re

from silo.core.reconcile.alignment import Alignment
from silo.core.reconcile.ended import TIES, sale_done
from silo.core.reconcile.exchanged import middle
from silo.core.reconcile.gist import Gist, Unit
from silo.core.reconcile.loose import Loosely, Reading, like_alone
from silo.core.reconcile.statement import Statement
from silo.text.flat import flat
from silo.text.stem import stem
from silo.text.values import Value, same_value

_SLIGHT = 0.15  # up to which a word left over says nothing
_SURE = 0.7
_TELLING = 0.4
_BY = re.compile(r"\b(?:by|por|pel[oa]s?|with|com)\b")
_OPPOSED = (("before", "after"), ("up", "down"), ("behind", "front"))
# What may stand for each other where a thing is there or somebody has it.
_THERE = frozenset(
    stem(word)
    for word in (
        "have", "has", "had", "having", "got", "keep", "keeps", "there", "there's", "exists", "is", "do", "does", "make", "makes", "don't", "doesn't", "get", "gets", "find", "lies", "stands",
        "located", "situated", "takes", "take", "goes", "can", "tem", "temos", "tenho", "ter", "ha", "existe", "fica", "ficam", "faz", "fazem", "fazemos", "faco", "esta", "da", "leva",
    )
)  # fmt: skip
_CASE = re.compile(r"\b(?:when(?:ever)?|if|quando|sempre que|se)\b")
_HARM = frozenset(
    stem(word)
    for word in (
        "fail", "fails", "ruin", "ruins", "spoil", "spoils", "destroy", "destroys", "kill", "kills", "die", "dies", "drop", "drops", "crash", "crashes", "break", "breaks", "wilt", "wilts", "damage",
        "damages", "disturb", "disturbs", "suffer", "suffers", "hurt", "hurts", "falha", "falham", "estraga", "estragam", "estraga-se", "mata", "morre", "morrem", "avaria", "destroi", "cai",
        "interfere", "interfer", "prejudica", "perturba",
    )
)  # fmt: skip
_ON = frozenset(map(stem, ("runs", "running", "works", "on", "ligado", "ligada", "acesa", "aceso", "trabalha", "happens", "comes")))  # of what is the cause
_TURNS: tuple[tuple[str, str], ...] = (  # words that no reading weighs and that turn the sense
    ("before", r"\b(?:before|antes)\b"), ("after", r"\b(?:after|depois|apos)\b"), ("up", r"\b(?:above|over|acima|por cima)\b"),
    ("down", r"\b(?:below|under|beneath|underneath|abaixo|por baixo|debaixo)\b"), ("behind", r"\b(?:behind|atras)\b"), ("front", r"\b(?:in front|opposite|em frente)\b"),
    ("without", r"\b(?:without|sem)\b"), ("only", r"\b(?:only|so|apenas|somente)\b"), ("never", r"\b(?:never|nunca|jamais)\b"), ("until", r"\b(?:until|till|ate)\b"),
    ("off", r"\boff\b"), ("away", r"\baway\b"), ("out", r"\bout\b"), ("back", r"\b(?:back|de volta)\b"), ("than", r"\b(?:than|do que)\b"), ("from", r"\bfrom\b"), ("or", r"\b(?:or|ou)\b"), ("every", r"\b(?:every|each|cada|todos|todas)\b"), ("used", r"\b(?:used to|dantes)\b"),
)  # fmt: skip
_TURNED = tuple((key, re.compile(pattern)) for key, pattern in _TURNS)
_ALONE = frozenset(["off", "away", "out", "back", "only", "from", "every", "until"])  # one language has no word of its own for it, or another one
_IN = re.compile(r"\b(?:in|on|at|near|from|em|no|na|nos|nas|de|do|da)\s+(?:the\s+)?\Z")


class Wholly:
    """Compares statements word by word with the lists of the second reading."""

    def __init__(self, loosely: Loosely) -> None:
        self._loosely = loosely
        self._aligner = loosely.aligner

    def same(self, before: Statement, after: Statement) -> bool:
        """Whether the two say the same: all words and values of either have their like in the other one."""
        old, new = self._loosely.gist(before), self._loosely.gist(after)
        case = _CASE.search(flat(before.text)) is not None or _CASE.search(flat(after.text)) is not None
        harmed = case and all(any(u.token.stem in _HARM for u in gist.units) for gist in (old, new))  # what kills denies nothing
        if not _of_one_kind(old, new, harmed=harmed, foreign=before.language != after.language) or (not case and _stages(before, after) != _stages(after, before)) or before.hearsay or after.hearsay or before.unreal != after.unreal:
            return False
        r = self._loosely.read(before, after, old, new, changed=False)
        if r.slots.differences or r.slots.other_case or r.found.gone or len(r.found.pairs) + r.slots.names_equal < (1 if r.foreign and new.negative else 2) or min((s for _, _, s in r.found.pairs), default=0.0) < _SURE:
            return False
        if like_alone(r) or not self._nothing_left(r, before, after) or _reversed(r.found, before, after):
            return False
        return _turns(before, foreign=r.foreign) == _turns(after, foreign=r.foreign)

    def turned(self, before: Statement, after: Statement) -> bool:
        """Whether two statements of the same words have them the other way round: who does what to whom, in front and behind, or but
        for one word that is not like its other."""
        old, new = self._loosely.gist(before), self._loosely.gist(after)
        r = self._loosely.read(before, after, old, new, changed=False)
        first, second = (_turns(s, foreign=False) for s in (before, after))
        if r.foreign:
            return False
        between = middle(before.text, after.text)
        if between is not None:
            left, right = ([u for u in rest if (u.weight >= _TELLING or {"change", "replace"} & set(u.token.keys("cue"))) and u.written in words] for rest, words in zip((r.slots.rest_old, r.slots.rest_new), between, strict=True))
            if left and right:
                return True
        if any((a in first - second and b in second - first) or (b in first - second and a in second - first) for a, b in _OPPOSED):
            return True
        done = any(a.act and b.act and a.weight > _SLIGHT and a.keys & b.keys for a, b, _ in r.found.pairs)
        passive = _BY.search(flat(before.text)) or _BY.search(flat(after.text))
        placed = any(a.place or b.place for a, b, _ in r.found.pairs)
        return done and not passive and not placed and _reversed(r.found, before, after)

    def over(self, before: Statement, part: Statement, what: str, *, behind: bool) -> bool:
        """Whether a part that says something is over says it of what the fact says. `what`: its other words; `behind`: some stand
        behind the word that says so, so that a name may be of what is left, and not of who leaves."""
        old, new = self._loosely.gist(before), self._loosely.gist(part)
        said = frozenset(flat(what).split())
        names = [v for v in new.values if v.kind == "name"]
        theirs = [v for v in old.values if v.kind == "name"]
        if any(v.kind not in ("name", "id") for v in new.values) or (names and not behind) or any(not any(same_value(v, t) for t in theirs) for v in names):
            return False
        if any(not any(same_value(v, t) for t in names) for v in theirs):
            return False  # somebody else's
        units = [u for u in new.units if set(u.written.split()) <= said and u.weight > 0.3 and u.token.stem not in _TIES and not any(u.written in v.key for v in names)]
        open_ = [u for u in old.units if u.weight > 0.3]
        bonds = (1,) if before.language == part.language else (2,)
        met = {u.token.start: next((o for o in open_ if self._aligner.alike(o, u, bonds) >= _SURE or (bonds == (2,) and _cognates(o.written, u.written))), None) for u in units}
        stray = [u for u in units if met[u.token.start] is None]
        found = [o for o in met.values() if o is not None]
        rest = [o for o in open_ if o not in found and not o.subject]
        if any(not any(self._aligner.related(o, u) for o in rest if o.act) for u in stray):
            return False
        value = bool(names) or any(not (o.subject or o.act) for o in found)
        return value or (bool(found) and sale_done(before.text, part.text))

    def _nothing_left(self, r: Reading, before: Statement, after: Statement) -> bool:
        old, new = ([u for u in rest if u.weight > _SLIGHT or u.token.stem not in _THERE] for rest in (r.slots.rest_old, r.slots.rest_new))
        only_old, only_new = list(r.slots.only_old), list(r.slots.only_new)
        self._spoken(only_old, new, r)
        self._spoken(only_new, old, r)
        if _CASE.search(flat(before.text)) or _CASE.search(flat(after.text)):
            old, new = ([u for u in rest if u.token.stem not in _ON] for rest in (old, new))
            a, b = ([u for u in rest if u.token.stem in _HARM] for rest in (old, new))
            if a and b:
                old, new = [u for u in old if u not in a], [u for u in new if u not in b]
        for unit in list(old):
            other = next((u for u in new if r.foreign and _cognates(unit.written, u.written)), None)
            if other is not None:
                old.remove(unit)
                new.remove(other)
        return not (old or new or only_old or only_new)

    def _spoken(self, values: list[Value], rest: list[Unit], r: Reading) -> None:
        """Takes off names of one side that the other one says in its own language: Polish, polaco."""
        for value in [v for v in values if r.foreign and v.kind == "name" and len(v.key) == 1]:
            word = next(iter(value.key))
            other = next((u for u in rest if self._aligner.names(word, u)), None)
            if other is not None:
                values.remove(value)
                rest.remove(other)


_TIES = frozenset(map(stem, TIES))


def _of_one_kind(old: Gist, new: Gist, *, harmed: bool, foreign: bool) -> bool:
    groups = old.contrasts.keys() & new.contrasts.keys() if foreign else old.contrasts.keys() | new.contrasts.keys()
    if any(old.contrasts.get(g) != new.contrasts.get(g) for g in groups):
        return False
    if not harmed and (old.negative, old.denials, old.over) != (new.negative, new.denials, new.over):
        return False
    if (old.unreal, old.wish, old.needs, old.occasion) != (new.unreal, new.wish, new.needs, new.occasion):
        return False
    return (old.figures, old.scopes) == (new.figures, new.scopes)


_DONE = re.compile(r"\b(?:been|was|were|foi|foram|ja|already|esta|estao|ainda|still|yet)\b")


def _stages(statement: Statement, other: Statement) -> frozenset[tuple[str, int, bool]]:
    """The states that a statement says; what is done every week is in none."""
    if not (_DONE.search(flat(statement.text)) or _DONE.search(flat(other.text))):
        return frozenset()
    return frozenset((s.family, s.stage, s.good) for c in statement.clauses for s in c.statuses)


def _turns(statement: Statement, *, foreign: bool) -> frozenset[str]:
    low = flat(statement.text)
    return frozenset(key for key, pattern in _TURNED if not (foreign and key in _ALONE) and pattern.search(low))


def _reversed(found: Alignment, before: Statement, after: Statement) -> bool:
    """Whether doer and done-to, or the names of the two, have changed places."""
    if _CASE.search(flat(before.text)) or _CASE.search(flat(after.text)):
        return False
    first, second = ([v for v in s.values if v.kind == "name" and not _IN.search(flat(s.text)[: v.start])] for s in (before, after))
    order = [next((i for i, o in enumerate(second) if same_value(v, o)), -1) for v in first]
    if [i for i in order if i >= 0] != sorted(i for i in order if i >= 0):
        return True
    down = [(a, b) for a, b, _ in found.pairs if a.subject and not b.subject]
    up = [(a, b) for a, b, _ in found.pairs if b.subject and not a.subject]
    return any((a.place and b.place) == (c.place and d.place) for a, b in down if not a.act for c, d in up if not c.act)


_ALIKE: tuple[tuple[str, str], ...] = (("ct", "t"), ("ph", "f"), ("th", "t"), ("y", "i"), ("k", "c"), ("pt", "t"), ("mm", "m"), ("ss", "s"), ("ll", "l"), ("ff", "f"), ("cc", "c"))


def _cognates(a: str, b: str) -> bool:
    """Whether two words of two languages begin alike for so long that one is likely the other: electric, elétrica."""
    for one, other in _ALIKE:
        a, b = a.replace(one, other), b.replace(one, other)
    common = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return a == b or common >= max(5, 0.65 * max(len(a), len(b)))


def parts(text: str) -> list[str]:
    """The parts of a text that only commas and "and" join; a list is one part."""
    found = [part.strip(" .") for part in re.split(r"\s*[,;]\s+(?:(?:and|e) )?|\s+(?:and|e)\s+", text) if part.strip(" .")]
    return found if all(len(part.split()) > 1 for part in found) else [text]

