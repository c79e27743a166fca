"""Whose word a message is: the owner's, or somebody else's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from silo.formats.envelope import Opened
from silo.formats.session import Kind, Message, RawSession
from silo.model import Origin
from silo.text.fold import fold

_NOTHING = Opened("")


@dataclass(frozen=True, slots=True)
class _Heard:
    message: Message
    given: Opened | None
    text: str
    why: str
    whole_turn: bool = False

    @property
    def opened(self) -> Opened:
        return self.given or _NOTHING


class Heard(_Heard):
    """A message with its envelope off. `why` says why it is no talk, '' when it is."""

    __slots__ = ()

    @property
    def is_group(self) -> bool:
        return self.opened.group

    def origin(self, owners: frozenset[str]) -> Origin:
        """The record's own flag first; in a group the known owner alone; else the chat is the owner's."""
        if self.opened.forwarded:
            return Origin.UNTRUSTED
        if self.message.origin is not None:
            return self.message.origin
        if self.is_group:
            return Origin.OWNER if owners & person_keys(self) else Origin.UNTRUSTED
        return Origin.OWNER


def person_keys(one: _Heard) -> frozenset[str]:
    """Folded names and ids by which a sender may be known."""
    names = (*one.opened.senders, *one.opened.sender_ids, one.message.sender)
    return frozenset(fold(name) for name in names if name.strip())


def owner_keys(heard: Sequence[Heard], raw: RawSession) -> tuple[frozenset[str], tuple[str, ...]]:
    """The owner's names and ids, and what must be said about how they were found.

    Known from the settings, or from messages that the host flags as the owner's. Where a group gives neither, the one
    person whom the assistant answers, at least twice and nobody else, is taken for the owner, and that is said.
    """
    keys = {fold(name) for name in raw.owners if name.strip()}
    for one in heard:
        if one.message.origin is Origin.OWNER:
            keys |= person_keys(one)
    if keys or not any(one.is_group for one in heard):
        return frozenset(keys), ()
    answered: Counter[str] = Counter()
    asked: Heard | None = None
    names: dict[str, str] = {}
    for one in heard:
        if one.why:
            continue
        if one.message.role == "user":
            asked = one
        elif asked is not None and asked.is_group:
            key = _main_key(asked)
            answered[key] += 1
            names[key] = asked.opened.senders[0] if asked.opened.senders else key
            asked = None
    if len(answered) != 1 or min(answered.values()) < 2:
        return frozenset(), ("a group whose owner is not known: nothing taken as the owner's word (set owner_names)",)
    key = next(iter(answered))
    mine = frozenset().union(*(person_keys(one) for one in heard if _main_key(one) == key and not one.why))
    return mine, (f"took {names[key]}, whom alone the assistant answers, for the owner of a group (owner_names says otherwise)",)


def _main_key(one: Heard) -> str:
    ids = one.opened.sender_ids or one.opened.senders or (one.message.sender,)
    return fold(ids[0])


__all__ = ["Heard", "Kind", "owner_keys", "person_keys"]
