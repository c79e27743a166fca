"""The warm set of an agent: which facts belong to it, what they weigh, and who leaves when it is full.

Pure: events and counts come in, entries of warm-memory.json go out. Copies nothing to the cold store; the caller does that
before it lets go of what `fit` puts out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date

from silo.core.importance import importance, tier
from silo.core.tiers.scoring import Scoring, age
from silo.formats import jsonl
from silo.formats.warm import WarmEntry, render_warm, warm_object
from silo.model import Event
from silo.text.addresses import addresses
from silo.text.budget import size

_FRAME = size("[\n\n]\n")
_JOINT = size(",\n")


@dataclass(frozen=True, slots=True)
class Rules:
    """Limits of the warm set: bytes of its file; days that a fact stays whatever it scores; the score that keeps it longer."""

    scoring: Scoring = field(default_factory=Scoring)
    max_bytes: int = 50 * 1024
    stays_days: int = 30
    threshold: float = 0.3


@dataclass(frozen=True, slots=True)
class Member:
    """An entry and the day of its event, YYYY-MM-DD."""

    entry: WarmEntry
    day: str


def member(event: Event, ident: str, used: int, at: float, rules: Rules, today: date, kept: WarmEntry | None = None) -> Member:
    """The event as an entry, scored today. `at`: when it was said, seconds since 1970. Unknown keys of `kept` stay."""
    weight = importance(event.tag, event.confidence, event.importance)
    found = addresses(event.text)
    value = rules.scoring.score(weight, event.date, today, used)
    made = WarmEntry(
        ident, event.text, event.category or event.slug, weight, kept.created_at if kept else at, used,
        round(value, 4), tier(value), found.urls, found.commands, found.paths, kept.extra if kept else {},
    )  # fmt: skip
    return Member(made, event.date)


def rescored(entry: WarmEntry, day: str, used: int, rules: Rules, today: date) -> Member:
    """The entry with today's score and tier."""
    value = rules.scoring.score(entry.importance, day, today, used)
    return Member(replace(entry, access_count=used, score=round(value, 4), tier=tier(value)), day)


def expired(one: Member, rules: Rules, today: date) -> bool:
    """Whether the entry leaves by age: older than it may stay for nothing, and of too low a score."""
    return age(one.day, today) > rules.stays_days and one.entry.score < rules.threshold


def fit(members: Iterable[Member], rules: Rules, today: date) -> tuple[tuple[Member, ...], tuple[Member, ...]]:
    """(who stays, in the order of the file; who leaves): the expired, then the lowest score first, of equal ones the oldest."""
    stay: list[Member] = []
    leave: list[Member] = []
    for one in members:
        (leave if expired(one, rules, today) else stay).append(one)
    stay.sort(key=lambda one: (one.entry.score, one.day, one.entry.created_at, one.entry.id), reverse=True)
    room = rules.max_bytes - _FRAME
    kept: list[Member] = []
    for number, one in enumerate(stay):
        room -= entry_size(one.entry) + _JOINT
        if room < 0:
            leave += stay[number:]
            break
        kept.append(one)
    return tuple(sorted(kept, key=_place)), tuple(sorted(leave, key=_place))


def entry_size(entry: WarmEntry) -> int:
    """Bytes of an entry in the file, told from its compact form, which is made much faster."""
    value = warm_object(entry)
    if entry.extra:
        return size(jsonl.pretty([value])) - _FRAME
    lists = value["metadata"].values()
    return size(jsonl.dumps(value)) + _SPACES + sum(len(one) * 9 + 7 for one in lists if one)


def _spaces() -> int:
    """What the indents of an entry without metadata add to its compact form."""
    plain = warm_object(WarmEntry("", ""))
    return size(jsonl.pretty([plain])) - _FRAME - size(jsonl.dumps(plain))


_SPACES = _spaces()


def render(members: Iterable[Member]) -> str:
    """The file."""
    return render_warm(one.entry for one in members)


def differs(before: Mapping[str, WarmEntry], after: Iterable[Member]) -> bool:
    """Whether an entry came, went, changed its tier, or its words: scores alone are no reason to write."""
    now = {one.entry.id: one.entry for one in after}
    if before.keys() != now.keys():
        return True
    return any((before[ident].tier, before[ident].text, before[ident].category) != (one.tier, one.text, one.category) for ident, one in now.items())


def unwound(before: Iterable[WarmEntry], made: Iterable[WarmEntry], now: Iterable[WarmEntry], max_bytes: int) -> tuple[WarmEntry, ...]:
    """The set as it is now without what a run changed from `before` to `made`: what it took out comes back while there is
    room (what does not is in the cold store, where the run put it), the highest score first."""
    old, new = {one.id: one for one in before}, {one.id for one in made}
    left = {one.id: one for one in now if one.id in old or one.id not in new}
    back = sorted((one for ident, one in old.items() if ident not in new and ident not in left), key=lambda one: -one.score)
    room = max_bytes - _FRAME - sum(entry_size(one) + _JOINT for one in left.values())
    for one in back:
        room -= entry_size(one) + _JOINT
        if room < 0:
            break
        left[one.id] = one
    return tuple(sorted(left.values(), key=lambda one: (one.created_at, one.id)))


def _place(one: Member) -> tuple[float, str]:
    return one.entry.created_at, one.entry.id
