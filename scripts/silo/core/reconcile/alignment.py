"""Which words of two gists speak of the same: by stems, tables, synonyms, translations, and kinds with their members.

Each word meets one other at most, the surest first. It says what meets and what is left on both sides, not what follows.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from silo.core.reconcile.gist import FAINT, Gist, Unit
from silo.core.reconcile.kin import Kin, Related, Word
from silo.text.stem import stem
from silo.text.thesaurus import key_of

_MEMBER, _KIND = 3, 4  # bonds of the lists of kinds: what belongs to a word, and what it belongs to
_SAME, _LISTED, _NEAR, _DERIVED, _ONE_WAY = 1.0, 0.9, 0.8, 0.8, 0.7
HALF = 0.5  # two words for states of one stage: installed, serviced
_SHORTEST, _COMMON = 5, 0.6  # letters of a word whose beginning may tell its family, and the share of them that is common


@dataclass(frozen=True, slots=True)
class Alignment:
    """The pairs that meet with how surely (0–1), and the words of either side that meet none."""

    pairs: tuple[tuple[Unit, Unit, float], ...]
    old: tuple[Unit, ...]
    new: tuple[Unit, ...]
    gone: tuple[Unit, ...] = field(default=())  # words of the old side that the new one says hold no more

    @property
    def weight(self) -> float:
        return sum(min(a.weight, b.weight) * sure for a, b, sure in self.pairs)

    @property
    def anchor(self) -> float:
        """The part of the weight that words for things have, not for what is done."""
        return sum(min(a.weight, b.weight) * sure for a, b, sure in self.pairs if not (a.act and b.act))


class Aligner:
    """Aligns gists with the lists of synonyms (`kin`) and those of kinds."""

    def __init__(self, kin: Kin, kinds: Related | None = None) -> None:
        self._kin, self._kinds = kin, kinds
        self._heads = Kin(kinds)
        self._known: dict[tuple[frozenset[str], tuple[int, ...]], frozenset[str]] = {}
        self._near: dict[Word, frozenset[str]] = {}

    def align(self, old: Gist, new: Gist, bonds: tuple[int, ...]) -> Alignment:
        """The words of two gists, aligned. A word that the new side says goes meets none: what it names is `gone`."""
        phrases = self._phrases(old, new, bonds)
        taken = frozenset(start for run, other in phrases for start in (*((0, s) for s in run), *((1, s) for s in other)))
        says = [unit for unit in new.units if not unit.going and (1, unit.token.start) not in taken]
        going = [unit for unit in new.units if unit.going]
        here = [unit for unit in old.units if (0, unit.token.start) not in taken]
        named = [(unit, next((o for o in going if self.alike(unit, o, bonds)), None)) for unit in here]
        pairs = [(unit, other, _SAME) for unit, other in named if other is not None and unit.subject]  # the van that is swapped
        pairs += [(_head(old, run), _head(new, other), _LISTED) for run, other in phrases]
        says += [o for o in going if not any(o is other for _, other in named)]
        rest = dict(enumerate(unit for unit, other in named if other is None))
        scored = [(self.alike(a, b, bonds), i, j) for i, a in rest.items() for j, b in enumerate(says)]
        left: dict[int, int] = {}
        for sure, i, j in sorted((s for s in scored if s[0]), key=lambda s: (-s[0], s[1], s[2])):
            if i not in left and j not in left.values():
                left[i] = j
                pairs.append((rest[i], says[j], sure))
        return Alignment(
            tuple(pairs),
            tuple(unit for i, unit in rest.items() if i not in left),
            tuple(unit for j, unit in enumerate(says) if j not in left.values()),
            tuple(unit for unit, other in named if other is not None and not unit.subject),
        )

    def _phrases(self, old: Gist, new: Gist, bonds: tuple[int, ...]) -> list[tuple[frozenset[int], frozenset[int]]]:
        """Phrases that stand for one another, by where their words start: carta de condução, driving licence."""
        found: list[tuple[frozenset[int], frozenset[int]]] = []
        going = {unit.token.start for unit in new.units if unit.going}
        for run in sorted(old.runs, key=lambda r: -len(r.starts)):
            keys = frozenset(key for bond in bonds for key in self._kin.like(run.written, bond))
            other = next((o for o in new.runs if o.key in keys and len(o.starts) + len(run.starts) > 2), None) if keys else None
            if other is not None and not other.starts & going and not any(run.starts & a or other.starts & b for a, b in found):
                found.append((run.starts, other.starts))
        return [(a, b) for a, b in found if _units_at(old, a) and _units_at(new, b)]

    def reach(self, gist: Gist) -> frozenset[str]:
        """All by which a word of the gist could meet another one."""
        begin = (f"{unit.written[:4]}-" for unit in gist.units if len(unit.written) >= _SHORTEST)
        return frozenset().union(begin, *(unit.keys for unit in gist.units), *(self._reach(unit.word) for unit in gist.units))

    def alike(self, a: Unit, b: Unit, bonds: tuple[int, ...]) -> float:
        """How surely two words stand for the same, 0 where nothing says so."""
        if shared := a.keys & b.keys:
            stated = all(key.startswith("state ") for key in shared) and bonds == (1,)
            return HALF if stated else _SAME
        if a.token.is_in("without") or b.token.is_in("without"):
            return _NEAR if self._without(a, b) or self._without(b, a) else 0.0
        if self._reach(a.word).isdisjoint(self._reach(b.word)):  # no list knows both
            return _DERIVED if _one_family(a.written, b.written) and not (self._listed(a) and self._listed(b)) else 0.0
        if any(self._kin.meets(a.word, b.word, bond) for bond in bonds):
            return _LISTED
        if any(self._heads.meets(a.word, b.word, bond) for bond in bonds):
            return _NEAR
        if _one_family(a.written, b.written) and not (self._listed(a) and self._listed(b)):
            return _DERIVED
        if (a.act or b.act) and any(self._reaches(a, b, bond) or self._reaches(b, a, bond) for bond in bonds):
            return _ONE_WAY
        return 0.0

    def names(self, written: str, unit: Unit) -> bool:
        """Whether a word as it is written stands for what a unit says."""
        word = Word(frozenset({written}), frozenset({key_of(written)}))
        return any(self._kin.meets(word, unit.word, bond) for bond in (1, 2))

    def alternatives(self, a: Unit, b: Unit) -> bool:
        """Whether two words belong to one kind: lemon and orange, oak and pine."""
        return not self._of(a, _KIND).isdisjoint(self._of(b, _KIND))

    def related(self, a: Unit, b: Unit) -> bool:
        """Whether one word is a kind of the other or belongs to it: shoe and footwear, wedding and ceremony."""
        bonds = (1, 2, _MEMBER, _KIND)
        return not self._of(a, *bonds).isdisjoint(b.word.keys) or not self._of(b, *bonds).isdisjoint(a.word.keys)

    def differ(self, old: Iterable[Unit], new: Iterable[Unit]) -> bool:
        """Whether two deeds that the lists know are left over: leaving and arriving. One of them may be read as a thing."""
        left, right = ([u for u in units if _may_act(u) and self._listed(u)] for units in (old, new))
        return any(a.act or b.act for a in left for b in right)

    def _without(self, a: Unit, b: Unit) -> bool:
        """Whether the other one is of a kind that who is so does without: vegan, cheese."""
        return any(stem(key) in self._of(b, _KIND) for key in a.token.keys("without"))

    def _listed(self, unit: Unit) -> bool:
        return any(self._kin.like(word, bond) for word in unit.word.written for bond in (1, 2))

    def _reaches(self, a: Unit, b: Unit, bond: int) -> bool:
        return any(not self._kin.like(word, bond).isdisjoint(b.word.keys) for word in a.word.written)

    def _reach(self, word: Word) -> frozenset[str]:
        """A word's keys and those of all that stands for it or that it belongs to."""
        if word not in self._near:
            found = [self._kin.like(w, bond) for w in word.written for bond in (1, 2)]
            found += [self._heads.like(w, bond) for w in word.written for bond in (1, 2, _KIND)]
            self._near[word] = word.keys.union(*found)
        return self._near[word]

    def _of(self, unit: Unit, *bonds: int) -> frozenset[str]:
        asked = unit.word.written, bonds
        if asked not in self._known:
            self._known[asked] = frozenset(key for word in unit.word.written for bond in bonds for key in self._heads.like(word, bond))
        return self._known[asked]


def _may_act(unit: Unit) -> bool:
    """Whether a word may tell what is done; one for a property or a state does not."""
    return not (unit.subject or unit.place or unit.front or unit.token.is_in("attribute", "status")) and unit.weight > FAINT


def _units_at(gist: Gist, starts: frozenset[int]) -> list[Unit]:
    return [unit for unit in gist.units if unit.token.start in starts]


def _head(gist: Gist, starts: frozenset[int]) -> Unit:
    """The word of a phrase that weighs most, as the thing that the whole phrase is."""
    return replace(max(_units_at(gist, starts), key=lambda u: u.weight), weight=1.0, act=False)


def _one_family(a: str, b: str) -> bool:
    """Whether two words begin alike for so long that one is likely derived from the other: diabética, diabetes."""
    if " " in a or " " in b or min(len(a), len(b)) < _SHORTEST:
        return False
    common = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return common >= max(4, _COMMON * max(len(a), len(b)))
