"""The nouns: frozen values that every layer shares. No behaviour beyond small derived properties, no I/O."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from silo.found import DEFAULT_AGENT as DEFAULT_AGENT
from silo.found import LAYERS as LAYERS
from silo.found import Confidence as Confidence
from silo.found import Kind as Kind
from silo.found import Passage as Passage
from silo.found import Scope as Scope
from silo.found import Tag as Tag


class Origin(StrEnum):
    """Who wrote a turn. Only owner and agent turns can become facts."""

    OWNER = "owner"
    AGENT = "agent"
    UNTRUSTED = "untrusted"
    SYSTEM = "system"


GENERAL = "general"  # the slug of what fits no topic


@dataclass(frozen=True, slots=True)
class Problem:
    """Bad text as a value: where it stands (`path:line`, line from 1), a stable code, one sentence with what to do."""

    where: str
    code: str
    message: str


# --- what is said -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of a conversation after screening.

    `at` is aware and in the user's zone, so `at.date()` is the day of the message. `text` has no envelopes and no
    secrets. `fresh` is false for turns that an earlier run has extracted already and that stand here as context.
    """

    id: str
    role: str  # "user" | "assistant"
    origin: Origin
    at: datetime
    text: str
    fresh: bool = True


@dataclass(frozen=True, slots=True)
class Session:
    """A conversation in the order it was held. `source` is the scheme of `src:` (openclaw, jsonl, claude-code, text…)."""

    id: str
    source: str
    agent: str
    turns: tuple[Turn, ...]
    key: str = ""  # the host's session key, where there is one
    owner_names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Candidate:
    """What an extraction engine proposes; only the pipeline turns it into an event.

    `text` is readable alone, one line, ≤ 500 characters, and carries `Was: …` / `Due …` / `Effective …` already.
    `evidence` are turn ids, the stating turn first. `slug` is None until routed.
    """

    tag: Tag
    confidence: Confidence
    text: str
    evidence: tuple[str, ...]
    at: datetime
    slug: str | None = None
    importance: float | None = None


# --- what is kept -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Event:
    """One line of memory/events/<date>.md. `extra` keeps unknown comment keys in order.

    `id` is empty for a line typed by hand whose id lives in state.db alone.
    """

    date: str
    tag: Tag
    slug: str
    text: str
    id: str = ""
    confidence: Confidence = Confidence.CONFIRMED
    importance: float | None = None
    category: str = ""
    agent: str = DEFAULT_AGENT
    source: str = ""
    extra: tuple[tuple[str, str], ...] = ()
    path: str = ""  # workspace-relative, POSIX
    line: int = 0  # from 1


@dataclass(frozen=True, slots=True)
class Fact:
    """One bullet of a topic's curated layer. `id` is empty for a bullet typed by hand that no job has met yet."""

    slug: str
    text: str
    id: str = ""
    since: str = ""
    seen: str = ""
    source: str = ""  # event ids, comma separated, as in src:
    heading: str = ""
    done: bool | None = None  # None: a plain bullet; False: `- [ ]`; True: `- [x]`
    extra: tuple[tuple[str, str], ...] = ()
    path: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class ChangeEntry:
    """One changelog entry of a curated layer; `op` is add, set, end, move or note, `at` an ISO instant."""

    date: str
    field: str
    new: str
    old: str
    reason: str
    facts: tuple[str, ...]
    op: str
    at: str = ""
    source: str = ""
    valid: tuple[str, str] = ("", "")
    line: int = 0


@dataclass(frozen=True, slots=True)
class TopicInfo:
    """What routing, index and context need to know of a topic, without its body."""

    slug: str
    type: str = "reference"
    status: str = "active"
    tags: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    summary: str = ""
    path: str = ""  # place in the tree, e.g. projects/acme-crm
    aliases: tuple[str, ...] = ()
    sensitivity: str = "normal"
    agents: tuple[str, ...] = ()
    last_verified: str = ""
    last_curated: str = ""
    file: str = ""  # workspace-relative path of the topic file
    words: tuple[str, ...] = ()  # stemmed words of headings and curated facts, for routing
    said: tuple[frozenset[str], ...] = ()  # the stemmed words of each curated fact, for finding what was said of a thing


@dataclass(frozen=True, slots=True)
class ColdRow:
    """A logged fact as the archive keeps it: the published columns, then what puts its line back where it stood.

    `created_at` is noon UTC of the event's day, in seconds since 1970. `line` is the whole log line without its end,
    `place` its number in the day's file, from 1. Rows of private topics never leave this machine in plain text.
    """

    id: str
    agent_id: str
    text: str
    category: str
    importance: float
    created_at: int
    access_count: int = 0
    tag: str = ""
    topic: str = ""
    date: str = ""
    confidence: str = ""
    source: str = ""
    line: str = ""
    place: int = 0
    private: bool = False


# --- a change as data -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Write:
    """Replace or create a file. `expect` is the SHA-256 hex of the bytes it was planned on, None if it must not exist.

    `was`: the path that it had at our last write, where a hand has renamed it since. `base`: the base copy afterwards, for a
    file in which edits by hand stand that no run has looked at; None where it is the data.
    """

    path: str
    expect: str | None
    data: bytes
    why: str = ""
    was: str = ""
    base: bytes | None = None


@dataclass(frozen=True, slots=True)
class Append:
    """Add complete lines at the end of a file, created with `head` if missing.

    Carries no hash, so that a store never invalidates a running extraction. `id` makes it idempotent.
    """

    path: str
    data: bytes
    head: bytes = b""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Remove:
    """Delete a file that still has the bytes it was planned on."""

    path: str
    expect: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Move:
    """Rename a file that still has the bytes it was planned on; the target must not exist."""

    path: str
    to: str
    expect: str
    why: str = ""


Change = Write | Append | Remove | Move


@dataclass(frozen=True, slots=True)
class Put:
    """Upsert `key` → JSON `value` in a table of state.db, in the commit's own transaction.

    With `file`, a path of the plan, only if the plan's write of that file has happened: not where an edit made at the
    same moment stayed in its place.
    """

    table: str
    key: str
    value: object
    file: str = ""


@dataclass(frozen=True, slots=True)
class Drop:
    """Delete a key from a table of state.db; `file` as in `Put`."""

    table: str
    key: str
    file: str = ""


StateOp = Put | Drop


@dataclass(frozen=True, slots=True)
class Plan:
    """All that a job wants changed, before anything is. An empty plan leaves no run behind."""

    job: str
    changes: tuple[Change, ...] = ()
    state: tuple[StateOp, ...] = ()
    problems: tuple[Problem, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        return not self.changes and not self.state
