"""Two clauses laid side by side: do they speak of the same property of the same thing, and which values differ?

First subject and property are aligned, then values are compared; what can't be aligned is a different fact. It says what
differs; what follows from that is decided in decide.py.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from silo.core.reconcile.clauses import Clause
from silo.core.reconcile.kin import by_synonym
from silo.core.reconcile.labels import other_instance
from silo.core.reconcile.pairing import Difference, Pairing, days_alone, departed, leaving_days
from silo.core.reconcile.polarity import ORIGIN, Status
from silo.core.reconcile.statement import Statement
from silo.core.reconcile.states import paired_states
from silo.text.values import Value


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a clause of the old and one of the new statement have in common, and what not.

    `aligned` is false where they are about different things; `why` then says what parts them. `named`: the new clause
    itself names the old value as the one that goes.
    """

    aligned: bool
    why: str
    score: float
    differences: tuple[Difference, ...] = ()
    equal: int = 0
    opposed: bool = False
    named: bool = False
    extra_old: frozenset[str] = field(default_factory=frozenset)
    extra_new: frozenset[str] = field(default_factory=frozenset)
    more_values: bool = False  # the new clause says a value of a kind that the old one has not
    less_values: bool = False
    state: tuple[Status, Status] | None = None


def compare(old: Clause, new: Clause, before: Statement, after: Statement) -> Comparison:
    """The comparison of one clause of `before` with one of `after`."""
    values = Pairing(old, new, departed(before, after))
    # words of the old value that the new clause says go; where it only denies them, they are what it speaks of
    gone = new.gone & old.terms - old.gone if new.negative == old.negative else frozenset()
    said = new.terms - gone
    held = old.terms - old.gone if old.place else old.terms  # where the fact itself tells it was says nothing of where it is
    share = (held | old.front) & (said | new.front)
    extra_old, extra_new = held - said - new.front, said - held - old.front
    if not any(v.kind not in ("name", "id") for v in old.values):
        extra_new -= counted(new)
    named = values.named or bool(gone)
    state = paired_states(old, new)
    score = 2 * len(share) + len(old.attributes & new.attributes) + 1.5 * values.equal + 0.5 * len(old.soft & new.soft)
    told = 2.5 if after.cues else 1.0  # where a change is said, the clause that holds another value is the one that says it
    score += 1.0 * (state is not None) + told * bool(values.differences) - 0.6 * len(extra_new) - 0.4 * len(extra_old) - 0.5 * new.inherited
    found = Comparison(
        aligned=True,
        why="",
        score=score,
        differences=values.differences,
        equal=values.equal,
        opposed=old.negative != new.negative and state is None,
        named=named,
        extra_old=extra_old,
        extra_new=extra_new,
        more_values=values.finer or any(v.kind != "every" or not any(o.per for o in old.values) for v in values.only_new),
        less_values=bool(values.only_old),
        state=state,
    )
    if why := _parted(old, new, share, found, values, before, after):
        return replace(found, aligned=False, why=why, score=score - 10)
    if not found.differences and (worded := slot(old, new, extra_old, extra_new, before, after)) is not None:
        return replace(found, differences=(worded,), score=score + told)
    return found


def _parted(
    old: Clause, new: Clause, share: frozenset[str], found: Comparison, values: Pairing, before: Statement, after: Statement
) -> str:
    """Why the clauses are about different things, '' if they are not."""
    if other_instance(old.labels, new.labels) or values.other_kind:
        return "another one of its kind"
    if values.finer_kind and found.differences and not (after.cues or found.named or before.language != after.language):
        return "another one of its kind"
    if scope := _other_scope(old, new, found, values, after):
        return scope
    if _other_property(old, new) and not (found.named or found.state) and not (new.cues and share and new.attributes == {"residence"} and _placed(old, found)):
        return "another property"
    if not found.named and any(_meant_for(d.old_value, old) and _meant_for(d.new_value, new) for d in found.differences if d.kind == "name"):
        return "for somebody else"
    if found.differences and found.extra_old - old.subject and new.attributes - old.attributes and not (found.named or after.cues):
        return "another property"
    if _roles(old) and _roles(new) and not _roles(old) & _roles(new):
        return "another office"
    unlike = any(d.old_value and d.new_value and d.old_value.kind != d.new_value.kind for d in found.differences)
    if unlike and {"port", "version"} & (old.attributes ^ new.attributes):
        return "another property"
    if values.taken and found.extra_new and (not share or found.extra_old) and not (values.equal or new.joins):
        return "nothing in common"
    if values.subject_differs:
        return "another subject"
    if found.named and not values.departed and not share - _acts(old, new) - (old.front & new.front) and found.extra_old and found.extra_new and not new.inherited and _tells_of(old) and _tells_of(new):
        return "another subject"  # the old value is named, and is that of another thing too
    if old.past != new.past and not after.cues:
        return "another time"
    if found.differences and not values.named and values.new_subject:
        return "another subject"
    # "payroll moved to Orbita": no person did; "we switched the provider to Onda"
    moved = bool(share and new.cues & {"replace", "change", "now"}) and (old.attributes ^ new.attributes) & _PERSONAL <= {"residence", "supply"} and _placed(old, found)
    worded = found.differences and found.differences[0].kind == "name" and not found.named and not new.inherited and not moved
    if worded and not (old.taken or new.taken) and bool(old.attributes & _PERSONAL) != bool(new.attributes & _PERSONAL):
        return "another property"
    if not share and not _aligned_without_terms(old, new, found, values):
        return "nothing in common"
    plain = bool(share - by_synonym(after) or old.attributes & new.attributes or values.equal)
    if share and not plain and before.language == after.language:
        return "in common by a synonym alone"
    if found.extra_old and found.extra_new and not _may_be_values(old, new, share, found, before, after):
        return "another subject"
    return ""


def _acts(*clauses: Clause) -> frozenset[str]:
    """The terms of what is done: two things that are cleaned have no more in common than that."""
    return frozenset(term for clause in clauses for token in clause.tokens if token.is_in("act") for term in token.terms)


def _tells_of(clause: Clause) -> bool:
    """Whether the clause has a verb and says of what it speaks."""
    return clause.copula or bool(clause.attributes) or clause.verb > clause.start


def _placed(clause: Clause, found: Comparison) -> bool:
    """Whether the old one of two names is where something is or comes from: "we do payroll in Zelta"."""
    names = [d.old_value for d in found.differences if d.kind == "name" and d.old_value is not None]
    return any(0 < v.start - t.end <= 6 and (t.is_in("where") or t.word in ORIGIN or t.word == "with") for v in names for t in clause.tokens)


def _meant_for(value: Value | None, clause: Clause) -> bool:
    """Whether a name is for whom it is: "no nuts for Teo", where the clause says something else of it."""
    return value is not None and bool(clause.terms) and any(t.is_in("purpose") and 0 < value.start - t.end <= 3 for t in clause.tokens)


def _roles(clause: Clause) -> frozenset[str]:
    return frozenset(key for token in clause.tokens for key in token.keys("role"))


def _other_property(old: Clause, new: Clause) -> bool:
    """Two named properties without one in common; or a start beside an end."""
    a, b = old.attributes, new.attributes
    opposite = {"start", "finish"}
    return bool(a and b) and (not (a & b) or (bool(a & opposite) and bool(b & opposite) and a & opposite != b & opposite))


def _aligned_without_terms(old: Clause, new: Clause, found: Comparison, values: Pairing) -> bool:
    """No noun in common: the property must be one that a person has once ("Lives in Ghent", "Moved to Namur"), or words of
    one group or the same values stand on both sides, or the thing is named."""
    if found.named and (found.differences or old.attributes & new.attributes):
        return True
    if common := old.attributes & new.attributes:
        plain = not (found.extra_old or found.extra_new)
        if found.extra_old and new.contrasts.keys() - old.contrasts.keys():
            return False  # the supplier of flour, the coffee supplier
        groups = values.equal or (plain and bool(old.contrasts.keys() & new.contrasts.keys() or old.scopes.keys() & new.scopes.keys()))
        tool = "use" in common and "channel" in old.contrasts.keys() & new.contrasts.keys() and bool(new.cues) and not found.extra_new
        return not (found.extra_old and found.extra_new) and bool(common & _ONCE or groups or tool or (common & old.topics & new.topics and not found.extra_new & new.subject and not found.extra_old & old.subject))
    if found.extra_old and found.extra_new:
        return False
    bare = not old.terms and not new.terms
    if bare and not (old.attributes or new.attributes):
        return bool(old.soft & new.soft) or values.equal > 0
    return values.subject_same or (bare and values.equal > 0)


# Properties whose value is a name: where only one side names one, the names are of different things.
_PERSONAL = frozenset({"prefer", "charge", "lead", "manage", "residence", "born", "spouse", "job", "supply"})
# Properties that a person or thing has once, so that naming one is enough to align two statements.
_ONCE = frozenset({"residence", "born", "age", "spouse", "phone", "email", "address", "account", "salary", "name", "length", "width", "height", "weight"})


def _other_scope(old: Clause, new: Clause, found: Comparison, values: Pairing, after: Statement) -> str:
    """A value under another circumstance: production beside staging, Saturdays beside weekdays, an exception."""
    for group in (old.scopes.keys() | new.scopes.keys()) - {"part"}:
        a, b = old.scopes.get(group, frozenset()), new.scopes.get(group, frozenset())
        if group == "days" and leaving_days(new) & a:
            continue
        if a and b and not (a & b):
            alone = group == "days" and days_alone(old, new)
            if not alone:
                return f"other {group}"
        elif (b and not a and found.differences and not (after.cues or new.cues)) or (b and not a and group in ("environment", "order")):
            return f"only for {', '.join(sorted(b))}"
    fronted = [v for v in values.only_new if v.kind == "date" and v.end <= new.verb]
    if fronted and found.differences and not after.cues:
        return f"only {fronted[0].text}"
    fresh = new.purpose - old.terms
    if fresh and old.purpose and not (old.purpose & new.purpose):
        return "another purpose"
    if new.front - old.terms and found.differences and not after.cues:
        return "only under a circumstance"
    return ""


def _may_be_values(old: Clause, new: Clause, share: frozenset[str], found: Comparison, before: Statement, after: Statement) -> bool:
    """Words on both sides that the other lacks: are they two values of one slot, or two things?"""
    if found.differences and found.named:
        return True
    if (old.subject & found.extra_old) and (new.subject & found.extra_new) and not found.named:
        return False
    if not found.differences and not found.equal and not found.state:
        return slot(old, new, found.extra_old, found.extra_new, before, after) is not None
    if found.differences and after.cues:
        # the old value may be worded: "the rent is 1,150 for both rooms" → "rent went up to 1,190 with heating"
        return any(not term.startswith("role ") for term in share) and not (old.subject & found.extra_old)
    return False


def slot(
    old: Clause, new: Clause, extra_old: frozenset[str], extra_new: frozenset[str], before: Statement, after: Statement
) -> Difference | None:
    """Two wordings of one value that has no form of its own ("in the shed", "kestrel", "vegetarian meals")."""
    extra_old, extra_new = extra_old or _lone_contrasts(old, new), extra_new or _lone_contrasts(new, old)
    behind_old, behind_new = extra_old - old.subject, extra_new - new.subject
    if not behind_old or not behind_new or len(behind_old) > 4 or len(behind_new) > 4:
        return None
    if "prefer" in old.attributes ^ new.attributes:
        return None  # where the car is, and who likes to go by car
    short = bool(new.gone & old.terms and new.subject & old.subject)  # "the press" for "the cider press", its old place named
    if (extra_old & old.subject and not short) or (extra_new & new.subject):
        return None
    if (behind_old & old.purpose) and (behind_new & new.purpose) and not after.cues:
        return None
    if any(v.kind not in ("name", "id") for v in (*old.values, *new.values)):
        return None  # figures say what the clause is about
    common_subject = bool(old.terms & new.terms - new.gone) or (not old.subject and not new.subject)
    common = old.terms & new.terms - new.gone
    if not common_subject or (common and common <= old.place & new.place and not old.slots):
        return None  # the same place alone: the cat sleeps in the kitchen, the kit was put in the kitchen
    functional = (
        (old.slots and new.slots)
        or bool(old.purpose & new.purpose)
        or (before.decision and after.decision)
        or (behind_old <= old.place and behind_new <= new.place and (old.copula == new.copula or (old.stays and new.stays)))
        or ("prefer" in old.attributes & new.attributes and bool((old.predicate & new.predicate) or _shared_groups(old, new)))
    )
    if before.language != after.language and not (new.gone & old.terms or (functional and after.cues)):
        return None  # words that the tables do not know may be translations of each other
    if functional or new.gone & old.terms or after.cues & {"replace", "change", "now", "correct"}:
        return Difference("words", _surface(old, behind_old), _surface(new, behind_new))
    return None


def _lone_contrasts(clause: Clause, other: Clause) -> frozenset[str]:
    """Words of contrast groups that the other clause has no member of: red wine has no colour group, white wine has."""
    return frozenset(
        t.stem for t in clause.tokens if t.start >= clause.verb and any(k.partition(".")[0] not in other.contrasts for k in t.keys("contrast"))
    )


def counted(clause: Clause) -> frozenset[str]:
    """The terms right after a figure: in '500 requests per minute' they belong to the value."""
    found: set[str] = set()
    for value in clause.values:
        if value.kind == "number":
            for token in [t for t in clause.tokens if t.start >= value.end][:2]:
                found.update(token.terms)
    return frozenset(found)


def _shared_groups(old: Clause, new: Clause) -> bool:
    return any(old.contrasts[g] & new.contrasts[g] for g in old.contrasts.keys() & new.contrasts.keys())


def _surface(clause: Clause, terms: frozenset[str]) -> str:
    words = [t for t in clause.tokens if t.stem in terms or terms & frozenset(t.keys("noun"))]
    return " ".join(t.word for t in words)
