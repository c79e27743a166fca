"""The states that two clauses say, paired: of one family, one of any family, or what was under way and is told as done."""

from __future__ import annotations

import itertools

from silo.core.reconcile.clauses import Clause
from silo.core.reconcile.polarity import Status


def paired_states(old: Clause, new: Clause) -> tuple[Status, Status] | None:
    """The pair of states that can be compared: of one family, or one of them of any family."""
    best: tuple[Status, Status] | None = None
    for a in old.statuses:
        for b in new.statuses:
            if a.family == b.family:
                return a, b
            if "any" in (a.family, b.family):
                best = best or (a, b)
    return best or _done(old, new)


def _done(old: Clause, new: Clause) -> tuple[Status, Status] | None:
    """What was to be done or under way in the fact and is told as done: "a ser traduzido", "foi traduzido"."""
    waits = next((s for s in old.statuses if s.family == "any" and s.stage < 2), None)
    if waits is None or new.statuses or new.negative:
        return None
    verbs = frozenset(head for t in old.tokens if t.word in waits.text.split() for head in t.heads)
    for be, done in itertools.pairwise(new.tokens):
        if be.word in ("foi", "foram", "was", "were", "been") and done.heads & verbs:
            return waits, Status("any", 2, True, f"{be.word} {done.word}")
    return None
