"""Compares texts: reads each of them once, lets what shares nothing pass, and asks `decide.py` for the rest."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from silo.core.reconcile.compare import Comparison
from silo.core.reconcile.decide import decide
from silo.core.reconcile.deeds import converse
from silo.core.reconcile.ended import ended_part, says_over
from silo.core.reconcile.exchanged import exchanged
from silo.core.reconcile.framed import unframed
from silo.core.reconcile.items import tells_part
from silo.core.reconcile.kin import Kin
from silo.core.reconcile.labels import letters_of
from silo.core.reconcile.loose import SURE, Loosely
from silo.core.reconcile.merge import field_of, merged_text
from silo.core.reconcile.outcome import Kind, Outcome
from silo.core.reconcile.pairing import Difference
from silo.core.reconcile.recast import fuel_of, is_dose, own_part, recast
from silo.core.reconcile.replaced import Replacement, replacement
from silo.core.reconcile.statement import Statement, analyse, names_of, standing
from silo.core.reconcile.subject import Subject, told_of
from silo.core.reconcile.whole import Wholly, parts
from silo.text.fold import fold
from silo.text.names import bare
from silo.text.stem import stem
from silo.text.tokens import terms
from silo.text.vocabulary import Vocabulary

_DENIED = "one says it, the other denies it"
# Reasons that leave no third reading to look for.
_CERTAIN = SURE - {"somebody joins", "another property"}


class Reconciler:
    """Compares statements and remembers how each was taken apart, so that one night's many comparisons stay cheap."""

    def __init__(self, vocabularies: tuple[Vocabulary, ...]) -> None:
        self._vocabularies = vocabularies
        self._read: dict[tuple[str, date, str, frozenset[str]], Statement] = {}
        self._beginnings: dict[int, tuple[Statement, frozenset[str]]] = {}
        self._traits: dict[int, frozenset[str]] = {}  # by the statement's identity: those of `_read` live as long
        self._related = next((v.related for v in vocabularies if v.related), None)
        self._kin = Kin(self._related)
        self._plain: dict[tuple[str, bool, bool], str] = {}
        self._loosely = Loosely(self._kin, next((v.kinds for v in vocabularies if v.kinds), None))
        self._third = Wholly(self._loosely)

    def __call__(self, old: str, new: str, old_day: date, new_day: date, *, changed: bool = False, was: str = "") -> Outcome:
        """The outcome of statement `new`, said on `new_day`, beside the fact `old`, last known on `old_day`.

        `changed`: the event itself says that it changes something (its tag, or an old value that it names); `was`: the old
        value that it names.
        """
        if fold(old) == fold(new):
            return Outcome(Kind.DUPLICATE, why="the same words", closeness=100.0)
        found = self._compare(old, new, old_day, new_day, changed=changed, was=was)
        if found.kind is Kind.DUPLICATE and any(map(own_part, parts(old) + parts(new))) and min(len(parts(old)), len(parts(new))) > 1:
            found = replace(found, kind=Kind.NEW)  # who does what of it is compared part by part
        found = found if was else self._plainly(old, new, old_day, new_day, found, changed=changed)
        if found.kind is Kind.UPDATE and found.merged is None and tells_part(*self._pair(old, new, old_day, new_day)):
            return replace(found, kind=Kind.NEW, old_value="", new_value="", why="of a part of the list")  # the rest of it stays
        if found.loose and found.kind is Kind.CONTRADICTION and tells_part(*self._pair(old, new, old_day, new_day)):
            return replace(found, kind=Kind.NEW, old_value="", new_value="", why="of a part of the list")
        if found.kind is Kind.DUPLICATE and converse(old, new):
            return replace(found, kind=Kind.NEW, why="the other side of it")
        if found.kind is Kind.DUPLICATE and letters_of(new) - letters_of(old):
            return replace(found, kind=Kind.NEW, why="another letter")  # room B, room D
        return found

    def _plainly(self, old: str, new: str, old_day: date, new_day: date, found: Outcome, *, changed: bool) -> Outcome:
        """The outcome, or that of the two statements in the plainest of their words where theirs could not be aligned."""
        denied = found.why == _DENIED
        if not (found.kind is Kind.NEW or denied) or found.why in _CERTAIN:
            return found
        doses = is_dose(old) and is_dose(new)
        plain_old, plain_new = self._recast(old, old_day, timed=doses), self._recast(new, new_day, timed=doses)
        moved_old, moved_new = self._recast(old, old_day, timed=doses, moved=True), self._recast(new, new_day, timed=doses, moved=True)
        if fold(moved_old).rstrip(".") == fold(moved_new).rstrip("."):
            return Outcome(Kind.DUPLICATE, why="the same in plain words", closeness=1.0, exact=False, loose=True)
        if denied:
            same = self._third.same(*self._pair(moved_old, moved_new, old_day, new_day)) or (
                (plain_old, plain_new) != (old, new) and self._compare(plain_old, plain_new, old_day, new_day, changed=changed, was="").kind is Kind.DUPLICATE
            )
            return Outcome(Kind.DUPLICATE, why="the same in plain words", closeness=1.0, exact=False, loose=True) if same else found
        if (fuels := self._fuels(old, new, old_day, new_day)) is not None:
            return fuels
        second = found
        if (plain_old, plain_new) != (old, new):
            second = self._compare(plain_old, plain_new, old_day, new_day, changed=changed, was="")
        if second.kind is Kind.DUPLICATE and min(len(parts(plain_old)), len(parts(plain_new))) > 1:
            second = found  # who does what of it must be compared part by part
        if second.kind is Kind.NEW:
            second = self._wholly(moved_old, moved_new, old_day, new_day) or found
        values = [value if value in text else "" for value, text in ((second.old_value, old), (second.new_value, new))]
        return replace(second, old_value=values[0], new_value=values[1], merged=None)

    def _wholly(self, old: str, new: str, old_day: date, new_day: date) -> Outcome | None:
        """The outcome of the third reading (see `whole.py`, `exchanged.py` and `ended.py`), None where both stay."""
        before, after = self._pair(old, new, old_day, new_day)
        later = new_day >= old_day
        said = ended_part(new)
        if said is not None and not says_over(old):
            part, what, behind = said
            gone = self._analyse(part, new_day, after.language, names_of(before))
            if self._third.over(before, gone, what, behind=behind):
                kind = Kind.UPDATE if later else Kind.OUTDATED
                return Outcome(kind, why="it is said to be over", closeness=1.0, exact=False, loose=True)
        several = min(len(parts(old)), len(parts(new))) > 1
        if self._same_parts(old, new, old_day) if several else self._third.same(before, after):
            return Outcome(Kind.DUPLICATE, why="the same words in another order or language", closeness=1.0, exact=False, loose=True)
        slot = exchanged(old, new, dose=is_dose(old) and is_dose(new)) if before.language == after.language else None
        if slot is not None and not (before.unreal or after.unreal or after.hearsay):
            kind = Kind.CONTRADICTION if later else Kind.OUTDATED
            return Outcome(kind, *slot, why="the same but for one word", closeness=2.0, exact=False, loose=True)
        return None

    def _fuels(self, old: str, new: str, old_day: date, new_day: date) -> Outcome | None:
        """The outcome where both tell on what one thing runs, in whatever language."""
        one, other = (fuel_of(text, self._analyse(text, day, "", frozenset()).language) for text, day in ((old, old_day), (new, new_day)))
        if one is None or other is None or not self._third.same(*self._pair(one.neutral, other.neutral, old_day, new_day)):
            return None
        if one.fuel == other.fuel:
            return Outcome(Kind.DUPLICATE, why="it runs on the same", closeness=1.0, exact=False, loose=True)
        kind = Kind.CONTRADICTION if new_day >= old_day else Kind.OUTDATED
        return Outcome(kind, one.said, other.said, why="it runs on something else", closeness=2.0, exact=False, loose=True)

    def _same_parts(self, old: str, new: str, day: date) -> bool:
        """Whether two texts have the same parts in any order."""
        left, right = parts(old), parts(new)
        if not 1 < len(left) == len(right) < 5:
            return False
        same = [[self._same_part(a, b, day) for b in right] for a in left]
        return all(sum(row) == 1 for row in same) and all(any(column) for column in zip(*same, strict=True))

    def _same_part(self, old: str, new: str, day: date) -> bool:
        one, other = own_part(old), own_part(new)
        if one is not None and other is not None and one[1] != other[1]:
            named, done = (frozenset(map(stem, terms(said[0]))) for said in ((one, other) if one[1] else (other, one)))
            return bool(named) and named <= done and len(done - named) < 2
        return fold(old) == fold(new) or self._third.same(*self._pair(old, new, day, day))

    def _recast(self, text: str, day: date, *, timed: bool = False, moved: bool = False) -> str:
        key = (text, timed, moved)
        if key not in self._plain:
            self._plain[key] = recast(unframed(text), self._analyse(text, day, "", frozenset()).language, timed=timed, moved=moved)
        return self._plain[key]

    def _pair(self, old: str, new: str, old_day: date, new_day: date) -> tuple[Statement, Statement]:
        """Both statements, each read with the names of the other one."""
        before = self._analyse(old, old_day, "", frozenset())
        after = self._analyse(new, new_day, before.language, names_of(before))
        fresh = names_of(after) - names_of(before)
        if fresh or after.language != before.language:
            before = self._analyse(old, old_day, after.language, fresh)
        return before, after

    def _compare(self, old: str, new: str, old_day: date, new_day: date, *, changed: bool, was: str) -> Outcome:
        before, after = self._pair(old, new, old_day, new_day)
        shared = self._traits[id(before)] & self._traits[id(after)]
        if shared or before.language != after.language:
            left, right = before, after
            after, before = self._kin.in_words_of(after, before)
            if not shared and (before is not left or after is not right):
                shared = traits(before) & traits(after)
        if not shared:
            apart = Outcome(Kind.NEW, why="nothing in common", closeness=-10.0)
            alike = before.language != after.language or self._families(before) & self._families(after)
            return self._again(before, after, apart, later=new_day >= old_day, changed=changed) if alike else apart
        if not was or not changed:
            found = decide(before, after, later=new_day >= old_day, changed=changed, kin=self._kin)
            return self._again(before, after, found, later=new_day >= old_day, changed=changed)
        gone = self._analyse(was, old_day, after.language, names_of(before))
        found = decide(before, self._with_old(after, gone), later=new_day >= old_day, changed=changed, kin=self._kin)
        if found.kind in (Kind.NEW, Kind.DUPLICATE) and new_day >= old_day:
            return replaced(before, after, gone) or found
        return found

    def _again(self, before: Statement, after: Statement, found: Outcome, *, later: bool, changed: bool) -> Outcome:
        """The outcome of the rules, or of the second reading where they could not align the two."""
        if found.kind is Kind.DUPLICATE and self._third.turned(before, after):
            return replace(found, kind=Kind.NEW, why="the same words the other way round")
        if found.kind is not Kind.NEW and not changed and (doubt := self._loosely.doubt(before, after, found.kind)):
            return replace(found, kind=Kind.NEW, why=doubt)
        if found.kind is not Kind.NEW or found.why in SURE:
            return found
        second = self._loosely(before, after, changed=changed)
        if second is not None and second.kind is not Kind.DUPLICATE and not later:
            return replace(second, kind=Kind.OUTDATED, merged=None, why="older than the fact")
        return second or found

    def _families(self, statement: Statement) -> frozenset[str]:
        kept = self._beginnings.get(id(statement))
        if kept is None or kept[0] is not statement:
            kept = self._beginnings[id(statement)] = (statement, families(statement))
        return kept[1]

    def tells_one_change(self, text: str, day: date) -> bool:
        """Whether a statement says one thing and that it has changed: beside what is so it tells only what was."""
        said = self._analyse(text, day, "", frozenset())
        stay = standing(said)
        return len(stay) == 1 and bool(stay[0].outgoing or stay[0].gone or stay[0].taken or len(said.clauses) > 1)

    def told_of(self, text: str, day: date) -> Subject:
        """What a statement is about, wherever it stands (see `subject.py`)."""
        return told_of(self._analyse(text, day, "", frozenset()), self._related)

    @staticmethod
    def _with_old(after: Statement, was: Statement) -> Statement:
        """The statement whose clauses know the words of the old value that the event names, as words that go."""
        words = frozenset(term for clause in was.clauses for term in clause.terms)
        members = frozenset(f"{group}.{m}" for clause in was.clauses for group, found in clause.contrasts.items() for m in found)
        said = frozenset(f"{group}.{m}" for clause in after.clauses for group, found in clause.contrasts.items() for m in found)
        clauses = tuple(replace(c, gone=c.gone | (words - c.terms) | (members - said)) for c in after.clauses)
        return replace(after, clauses=clauses)

    def _analyse(self, text: str, day: date, language: str, known: frozenset[str]) -> Statement:
        known &= frozenset(bare(word) for word in text.split()) if known else known
        key = (text, day, language, known)
        if key not in self._read:
            likely = next((v for v in self._vocabularies if v.code == language), None)
            self._read[key] = found = analyse(text, day, self._vocabularies, likely, known)
            self._traits[id(found)] = traits(found)
        return self._read[key]


def replaced(before: Statement, after: Statement, gone: Statement) -> Outcome | None:
    """The update of a fact whose value the event itself names as the old one, where nothing else of them could be aligned."""
    if after.hearsay or (after.unreal and not before.unreal):
        return None
    match replacement(before, after, gone):
        case Replacement(a, b, shared, exact):
            found = Comparison(True, "", 2.0 * shared)
            merged = merged_text(before, a, after, found, Difference("words", gone.text, after.text))
            return Outcome(Kind.UPDATE, gone.text, after.text, merged, field_of(before, a, b), "the old value is named", found.score, exact)
    return None


def reconcile(
    old: str, new: str, old_day: date, new_day: date, vocabularies: tuple[Vocabulary, ...], *, changed: bool = False
) -> Outcome:
    """One comparison (see `Reconciler`)."""
    return Reconciler(vocabularies)(old, new, old_day, new_day, changed=changed)


def traits(statement: Statement) -> frozenset[str]:
    """Whatever could align a statement with another one; two that share nothing of it are about different things."""
    found: set[str] = set(names_of(statement))
    for clause in statement.clauses:
        found |= clause.terms | clause.front | clause.soft | clause.gone
        found.update(f"{key} property" for key in clause.attributes)
        found.update(f"{group} group" for group in (*clause.contrasts, *clause.scopes))
        found.update(f"{status.family} state" for status in clause.statuses)
        found.update(value.day or f"{value.amount:g} amount" for value in clause.values if value.kind != "name")
    return frozenset(found)


def families(statement: Statement) -> frozenset[str]:
    """How the longer words of a statement begin: words of one family begin alike."""
    return frozenset(token.word[:4] for clause in statement.clauses for token in clause.tokens if token.terms and len(token.word) > 4)
