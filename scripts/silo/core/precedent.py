"""What a topic's changelog holds against a statement: a line that was ended or denied, a hand's later edit. Pure.

`entries` are those of the topic and of its archive, `there` the ids of the facts that it has now, `same` tells whether two
statements say the same. Days are ISO dates.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from silo.core.facts import BY_HAND
from silo.core.weighing import by_typing
from silo.model import ChangeEntry

DECIDED = "decided"  # the field of a changelog entry that tells a person's decision


def typed_on(fact: str, entries: Iterable[ChangeEntry]) -> str:
    """The last day on which a hand wrote the fact of this id; '' if none did."""
    return max((entry.date for entry in entries if fact in entry.facts and by_typing(entry)), default="")


def ending_of(
    said: str, day: str, entries: Iterable[ChangeEntry], there: Collection[str], same: Callable[[str, str], bool]
) -> ChangeEntry | None:
    """The entry by which a fact ended that says what is said on `day`, on that day or later."""
    for entry in entries:
        over = entry.op == "end" and entry.old and not any(fact in there for fact in entry.facts)
        by_person = entry.reason.startswith(BY_HAND) or entry.field == DECIDED
        if over and day <= (entry.date if by_person else entry.valid[1] or entry.date) and same(entry.old, said):
            return entry
    return None


def is_denied(
    said: str, day: str, entries: Iterable[ChangeEntry], there: Collection[str], same: Callable[[str, str], bool]
) -> bool:
    """Whether a person has said no to this statement of `day` on that day or later: it is not asked again."""
    for entry in entries:
        if entry.field != DECIDED or day > entry.date:
            continue
        over = entry.op == "end" and not any(fact in there for fact in entry.facts)
        denied = entry.new if entry.op == "note" else entry.old if over else ""
        if denied and same(denied, said):
            return True
    return False
