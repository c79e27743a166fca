"""Whose word a message is: the owner's, or somebody else's."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from silo.formats.envelope import Opened
from silo.formats.session import Message, RawSession
from silo.model import Origin
from silo.text.fold import fold

_IDENT = re.compile(r"\d{4,}|^[@+]")


@dataclass(frozen=True, slots=True)
class Heard:
    """A message with its envelope off. `why` says why it is no talk, '' when it is; `whole_turn` that its answers go too."""

    message: Message
    opened: Opened
    text: str
    why: str = ""
    whole_turn: bool = False

    @property
    def names(self) -> frozenset[str]:
        """Folded names by which the sender is shown."""
        return frozenset(fold(name) for name in (*self.opened.senders, self.message.sender) if name.strip())

    @property
    def ids(self) -> frozenset[str]:
        """Folded ids of the sender."""
        return frozenset(fold(ident) for ident in self.opened.sender_ids)


@dataclass(frozen=True, slots=True)
class Owners:
    """How the owner is known: by ids where there are any, else by names."""

    ids: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()

    def holds(self, one: Heard) -> bool:
        """Whether a message's sender is the owner. A message that names several senders is nobody's."""
        if one.opened.mixed:
            return False
        if self.ids and one.ids:
            return bool(self.ids & one.ids)
        return bool(self.names & one.names)

    def origin(self, one: Heard) -> Origin:
        """Whose word a message is: forwarded text nobody's; the record's own flag; in a group the known owner's alone;
        else the chat is the owner's."""
        if one.opened.forwarded:
            return Origin.UNTRUSTED
        if one.message.origin is not None:
            return one.message.origin
        if one.opened.group:
            return Origin.OWNER if self.holds(one) else Origin.UNTRUSTED
        return Origin.OWNER


def find_owners(heard: Sequence[Heard], raw: RawSession) -> tuple[Owners, tuple[str, ...]]:
    """The owner's names and ids, and what must be said about how they were found.

    Known from the settings, or from messages that the host flags as the owner's. Where a group gives neither, the one
    person whom the assistant answers, at least twice and nobody else, is taken for the owner, and that is said.
    """
    given = [fold(name) for name in raw.owners if name.strip()]
    ids = {name for name in given if _IDENT.search(name)}
    names = set(given) - ids
    talk = [one for one in heard if not one.why]
    for one in talk:
        if one.message.origin is Origin.OWNER and not one.opened.mixed:
            ids |= one.ids
            names |= one.names
    if not any(one.opened.group for one in talk):
        return Owners(frozenset(ids), frozenset(names)), ()
    if ids or names:
        return _unmistaken(Owners(frozenset(ids), frozenset(names)), talk)
    return _answered(talk)


def _unmistaken(owners: Owners, talk: Sequence[Heard]) -> tuple[Owners, tuple[str, ...]]:
    """A name alone that two people of a group bear names nobody."""
    if owners.ids:
        return owners, ()
    bearers = {
        min(one.ids) for one in talk if one.message.role == "user" and one.ids and owners.names & one.names
    }
    if len(bearers) > 1:
        return Owners(), (
            "two people of a group bear the owner's name: nothing taken as the owner's word (put an id into owner_names)",
        )
    return owners, ()


def _answered(talk: Sequence[Heard]) -> tuple[Owners, tuple[str, ...]]:
    answers: Counter[str] = Counter()
    asked: Heard | None = None
    for one in talk:
        if one.message.role == "user":
            asked = one
        elif asked is not None and asked.opened.group:
            answers[_person(asked)] += 1
            asked = None
    person, count = answers.most_common(1)[0] if answers else ("", 0)
    if len(answers) != 1 or count < 2 or not person:
        return Owners(), (
            "a group whose owner is not known: nothing taken as the owner's word (set owner_names)",
        )
    theirs = [one for one in talk if one.message.role == "user" and _person(one) == person]
    shown = next((name for one in theirs for name in one.opened.senders), person)
    owners = Owners(
        frozenset().union(*(one.ids for one in theirs)), frozenset().union(*(one.names for one in theirs))
    )
    return owners, (
        f"took {shown}, the only one whom the assistant answers, for the owner of a group (owner_names says otherwise)",
    )


def _person(one: Heard) -> str:
    if one.opened.mixed:
        return ""
    return min(one.ids, default="") or min(one.names, default="")
