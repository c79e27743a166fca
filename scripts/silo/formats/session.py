"""The nouns of a conversation before and after screening, and the kinds of sessions that there are.

Values only: `records` makes messages out of a host's records, `core.screen` turns out of messages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from silo.model import Origin, Session


class Kind(StrEnum):
    """What a session is for. Only people's conversations are read."""

    MAIN = "main"
    DIRECT = "direct"
    GROUP = "group"
    CRON = "cron"
    SUBAGENT = "sub-agent"
    HEARTBEAT = "heartbeat"
    DREAMING = "dreaming"
    BOOT = "boot"
    MODEL_RUN = "model-run"
    HOOK = "hook"
    API = "api"
    PLUGIN = "plugin"
    UNKNOWN = "unknown"


_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


def message_key(session: str, message: str) -> str:
    """The identity of a message, whatever file or store it came through: `session#message`.

    A UUID names a message by itself (`#message`): a resumed or forked session repeats it under another session's id.
    """
    return f"#{message}" if _UUID.fullmatch(message) else f"{session}#{message}"


TALK = frozenset({Kind.MAIN, Kind.DIRECT, Kind.GROUP, Kind.UNKNOWN})


@dataclass(frozen=True, slots=True)
class Message:
    """One user or assistant record. `at` is seconds since 1970 or None; `text` is raw, its blocks joined by newlines.

    `origin` is what the record itself says, None when it says nothing. `skip` names why the record is no talk
    (heartbeat, recall, inter-session, cron, hidden, mirror…); `whole_turn` says that the answers go with it.
    `done` is false for an assistant record after which the same turn goes on (a tool was called).
    """

    id: str
    role: str
    text: str
    at: float | None
    parent: str = ""
    origin: Origin | None = None
    skip: str = ""
    whole_turn: bool = False
    tainted: bool = False
    done: bool = True
    sender: str = ""
    fresh: bool = True


@dataclass(frozen=True, slots=True)
class Mark:
    """A record that is no message and yet tells something: `what` is session, reset, leaf, compaction or machine.

    `value` is the session id, the reason, the target of the leaf, or the kind of machine; `id` and `parent` as given.
    """

    what: str
    value: str
    id: str = ""
    parent: str = ""
    version: str = ""
    parent_session: str = ""
    at: float | None = None


@dataclass(frozen=True, slots=True)
class RawSession:
    """A conversation before screening. `owners` are names and ids known to be the owner's, any case."""

    id: str
    source: str
    agent: str
    messages: tuple[Message, ...]
    key: str = ""
    kind: Kind = Kind.UNKNOWN
    owners: tuple[str, ...] = ()
    groups: bool = True  # whether a conversation that turns out to be a group's is wanted
    at: float | None = None  # when it began, for messages without a time of their own
    tool_texts: tuple[tuple[str, str], ...] = ()  # (record id, text) of tool output that needs a look


@dataclass(frozen=True, slots=True)
class Quarantined:
    """Text that tries to instruct or to plant a memory, made inert, for the review queue. Never a turn.

    `found` says where it stood: quoted, group, tool, or untrusted.
    """

    session: str
    message: str
    reason: str
    found: str
    text: str
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Screened:
    """A session after screening. `consumed` are the ids of the fresh messages that its turns stand for; `dropped`
    counts what was left out by reason; `redacted` counts replaced secrets by kind; `notes` are sentences to be said."""

    session: Session
    quarantined: tuple[Quarantined, ...] = ()
    consumed: tuple[str, ...] = ()
    dropped: Mapping[str, int] = field(default_factory=dict)
    redacted: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


Screen = Callable[[RawSession], Screened]


_REST_KINDS = (
    ("cron", Kind.CRON), ("subagent", Kind.SUBAGENT), ("openai", Kind.API), ("openresponses", Kind.API),
    ("boot", Kind.BOOT), ("hook", Kind.HOOK), ("acp", Kind.PLUGIN),
)  # fmt: skip


def kind_of_key(key: str) -> Kind:
    """The kind that a session key tells: `agent:<a>:main`, `agent:<a>:<channel>:direct:<peer>`, `hook:<uuid>`…"""
    lowered = key.strip().lower()
    if not lowered:
        return Kind.UNKNOWN
    parts = lowered.split(":")
    rest = parts[2:] if parts[0] == "agent" and len(parts) > 2 else parts
    joined = ":".join(rest)
    if rest[0].startswith("dreaming-narrative-"):
        return Kind.DREAMING
    if joined.startswith("explicit:model-run"):
        return Kind.MODEL_RUN
    if rest[-1] == "heartbeat":
        return Kind.HEARTBEAT
    for name, kind in _REST_KINDS:
        if rest[0] == name:
            return kind
    if "subagent" in rest:
        return Kind.SUBAGENT
    if "group" in rest or "channel" in rest:
        return Kind.GROUP
    if "direct" in rest or "dm" in rest:
        return Kind.DIRECT
    return Kind.MAIN if rest[0] in ("main", "explicit", "global") else Kind.UNKNOWN
