"""What discovery finds and reading hands out: the nouns of the sources."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from silo.formats.session import Kind, Quarantined, Screen
from silo.model import Session, StateOp

Get = Callable[[str, str], object]
"""(table, key) → the JSON value in state.db, None where there is none."""

CONTEXT = 60  # turns before the first fresh one that a session is handed out with


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something that was seen and not read: where, and a reason that a person understands."""

    where: str
    reason: str


@dataclass(frozen=True, slots=True)
class SourceSession:
    """A part of a conversation, ready for extraction.

    `session.turns` holds context (`fresh` false, at most 60 turns) and what is new. `cursor_ops` belong into the commit
    of its events: once committed, these messages are never handed out again. `where` is what a person would look up.
    `ended`: nothing more can be said in it, because a new conversation begins behind it.
    """

    session: Session
    where: str
    cursor_ops: tuple[StateOp, ...] = ()
    quarantined: tuple[Quarantined, ...] = ()
    dropped: Mapping[str, int] = field(default_factory=dict)
    redacted: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    ended: bool = False

    @property
    def fresh(self) -> int:
        """How many turns are new."""
        return sum(turn.fresh for turn in self.session.turns)


class Found(Protocol):
    """One session (or file) that discovery found and that can be read."""

    @property
    def where(self) -> str: ...
    @property
    def session(self) -> str: ...
    @property
    def kind(self) -> Kind: ...
    @property
    def size(self) -> int: ...
    @property
    def last(self) -> datetime | None: ...
    def read(self, reading: Reading) -> Iterator[SourceSession]: ...
    def close(self) -> None: ...


@dataclass(slots=True)
class Reading:
    """What all sources of one run share: the screen, the read function of state.db, what this run has handed out.

    `again` are messages (`session#message`) that are handed out once more although an earlier run has had them.
    """

    screen: Screen
    get: Get
    since: float = 0.0  # messages before (seconds since 1970) are context, never fresh
    owners: tuple[str, ...] = ()
    groups: bool = False
    again: frozenset[str] = frozenset()
    taken: set[str] = field(default_factory=set)
    skipped: list[Skipped] = field(default_factory=list)

    def wants_again(self, session: str) -> bool:
        """Whether a message of this session is to be handed out once more."""
        return any(one.startswith(f"{session}#") for one in self.again)


@dataclass(slots=True)
class Discovery:
    """What there is. `found` is to be read, oldest first; `older` how many sessions lie before `since`; `skipped` what
    is not read and why (more is added while reading); `source` the kind that was chosen."""

    source: str
    found: Sequence[Found]
    skipped: list[Skipped] = field(default_factory=list)
    older: int = 0
    older_bytes: int = 0
    by_kind: Mapping[str, int] = field(default_factory=dict)
    since: float = 0.0
    owners: tuple[str, ...] = ()
    limit: int | None = None
    groups: bool = False
    again: frozenset[str] = frozenset()
    notes: list[str] = field(default_factory=list)

    def sessions(self, screen: Screen, get: Get) -> Iterator[SourceSession]:
        """The sessions one by one, each once screened; nothing is held beyond the one handed out."""
        reading = Reading(
            screen,
            get,
            since=self.since,
            owners=self.owners,
            groups=self.groups,
            again=self.again,
            skipped=self.skipped,
        )
        read = 0
        try:
            for found in self.found:
                if self.limit is not None and read >= self.limit:
                    return
                fresh = 0
                for part in found.read(reading):
                    fresh += part.fresh
                    yield part
                read += fresh > 0
        finally:
            for found in self.found:
                found.close()
