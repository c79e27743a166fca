"""The warm set made true to the log: who enters, who leaves and why, who changed tier. The quick step of a consolidation."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from datetime import date

from silo.core.tiers.scoring import TIERS
from silo.core.tiers.warm import Member, Rules, differs, expired, fit, member
from silo.formats.warm import WarmEntry
from silo.model import Event


@dataclass(frozen=True, slots=True)
class Settled:
    """`kept`: the set as it should be. `evicted`: leave for age or room and must be in the cold store first; `curated`: a
    curated fact rests on them; `gone`: no line of the log stands for them. `moved`: id → (tier before, tier now)."""

    kept: tuple[Member, ...]
    evicted: tuple[Member, ...]
    curated: tuple[str, ...]
    gone: tuple[str, ...]
    admitted: tuple[str, ...]
    moved: Mapping[str, tuple[str, str]]
    changed: bool

    @property
    def promoted(self) -> int:
        """How many rose by a tier or more; those that came back from the cold count."""
        return sum(TIERS.index(new) < TIERS.index(old) for old, new in self.moved.values() if old in TIERS)

    @property
    def demoted(self) -> int:
        """How many sank by a tier or more."""
        return sum(TIERS.index(new) > TIERS.index(old) for old, new in self.moved.values() if old in TIERS)


def settle(
    events: Mapping[str, Event],
    entries: Mapping[str, WarmEntry],
    *,
    resting: Collection[str],
    used: Mapping[str, int],
    at: Callable[[str], float],
    rules: Rules,
    today: date,
    out: Collection[str] = (),
    evict: bool = True,
) -> Settled:
    """The warm set of an agent. `events`: all that its log holds, by id; `resting`: events on which curated facts rest; `out`:
    ids that are to be outside whatever they score. Without `evict` nobody leaves by age."""
    members = {
        ident: member(events[ident], ident, used.get(ident, 0), at(events[ident].date), rules, today, entry)
        for ident, entry in entries.items()
        if ident in events and ident not in resting
    }
    new = {
        ident: member(event, ident, used.get(ident, 0), at(event.date), rules, today)
        for ident, event in events.items()
        if ident not in entries and ident not in resting and ident not in out
    }
    new = {ident: one for ident, one in new.items() if not expired(one, rules, today)}
    stay = [one for ident, one in members.items() if ident not in out]
    if evict:
        kept, over = fit([*stay, *new.values()], rules, today)
    else:
        kept, over = _all_ages(stay, new, rules, today)
    leaving = {one.entry.id for one in over} | (members.keys() & set(out))
    return Settled(
        kept,
        tuple(one for ident, one in members.items() if ident in leaving),
        tuple(ident for ident in entries if ident in events and ident in resting),
        tuple(ident for ident in entries if ident not in events),
        tuple(one.entry.id for one in kept if one.entry.id in new),
        {one.entry.id: (entries[one.entry.id].tier, one.entry.tier) for one in kept if one.entry.id in entries and entries[one.entry.id].tier != one.entry.tier},
        differs(entries, kept),
    )


def _all_ages(stay: list[Member], new: Mapping[str, Member], rules: Rules, today: date) -> tuple[tuple[Member, ...], tuple[Member, ...]]:
    return fit([*stay, *new.values()], replace(rules, stays_days=10**6), today)
