"""Which fact an event is about, and other small judgements of a night that need no state. Changes nothing."""

from __future__ import annotations

from datetime import date, timedelta

from silo.core.facts import BY_HAND, TYPED, bare
from silo.core.reconcile import Kind, Outcome
from silo.formats.decisions import read_decisions
from silo.model import ChangeEntry, Fact
from silo.text.similar import fingerprint

_RANK = {Kind.DUPLICATE: 3, Kind.UPDATE: 2, Kind.CONTRADICTION: 1, Kind.OUTDATED: 0}


def chosen(outcomes: list[tuple[Fact, Outcome]], was: str) -> tuple[Fact | None, Outcome]:
    """The fact that the event is about: one whose subject it names in full; of these one that says the same, else one whose
    value it changes; of equal ones the closest."""
    related = [(fact, outcome) for fact, outcome in outcomes if outcome.kind in _RANK]
    if all(outcome.loose for _, outcome in related):
        return _only(related, [fact for fact, _ in outcomes])
    related = [(fact, outcome) for fact, outcome in related if not outcome.loose]

    def weight(pair: tuple[Fact, Outcome]) -> tuple[bool, bool, int, float]:
        fact, outcome = pair
        names_old = bool(was) and _names(was, fact.text)
        return names_old, outcome.exact, _RANK[outcome.kind], outcome.closeness

    return max(related, key=weight)


_MARGIN = 0.75  # by so much of closeness the one fact that a statement may be about is nearer than any other
_FEW = 6  # facts of a topic from which on a word may be one that most of them have


def _only(related: list[tuple[Fact, Outcome]], facts: list[Fact]) -> tuple[Fact | None, Outcome]:
    """The one fact that a statement says in other words (`Outcome.loose`), where no other one is as near and the two have more
    in common than what most facts of the topic are about; else none."""
    ranked = sorted(related, key=lambda pair: (pair[1].kind is Kind.DUPLICATE, pair[1].closeness), reverse=True)
    rivals = [o for _, o in ranked[1:] if o.kind is ranked[0][1].kind and o.closeness > ranked[0][1].closeness - _MARGIN]
    if not ranked or rivals or _usual(ranked[0][1].field, facts):
        return None, Outcome(Kind.NEW)
    return ranked[0]


def _usual(field: str, facts: list[Fact]) -> bool:
    """Whether each word that is shared is one that more than half of the facts have."""
    words = fingerprint(field).stems
    said = [fingerprint(fact.text).stems for fact in facts] if words and len(facts) >= _FEW else []
    return bool(said) and all(2 * sum(word in stems for stems in said) > len(said) for word in words)


def _names(was: str, text: str) -> bool:
    """Whether a text says an old value: all its figures, in whatever unit's words, else the words themselves."""
    figures = fingerprint(was).figures
    return figures <= fingerprint(text).figures if figures else bare(was).casefold() in text.casefold()


def asks_about(line: str, fact: str) -> bool:
    """Whether a line of tonight's review is an open contradiction with the fact."""
    asked = read_decisions(line, "").items.values()
    return any(item.get("kind") == "contradiction" and item.get("status") == "open" and fact in item.get("facts", ()) for item in asked)


def tells_of(was: str, text: str) -> bool:
    """Whether the old value that an event names is one that the fact speaks of: they share a figure, a name or a word."""
    one, other = fingerprint(was), fingerprint(text)
    return bool(one.core & other.core or one.figures & other.figures or one.names & other.spoken or other.names & one.spoken)


def tells_no_more(text: str, value: str, other: str) -> bool:
    """Whether a text without its value says nothing that the other one does not speak of."""
    return fingerprint(text).stems - fingerprint(value).stems <= fingerprint(other).stems


def day_of(text: str) -> date | None:
    """A day of the marks (YYYY, YYYY-MM or YYYY-MM-DD), the first day where less is said."""
    try:
        return date.fromisoformat(text + "-01-01"[len(text) - 4 :]) if len(text) in (4, 7, 10) else None
    except ValueError:
        return None


def by_typing(entry: ChangeEntry) -> bool:
    """Whether a hand wrote what the fact says since then."""
    return entry.reason.startswith(BY_HAND) and (entry.op == "set" or (entry.op == "add" and entry.field == TYPED))


def day_before(day: str) -> str:
    return (date.fromisoformat(day) - timedelta(days=1)).isoformat()
