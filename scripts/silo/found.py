"""The nouns of recall, apart from `model` (which has them too) because a question should not pay for all the others."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

DEFAULT_AGENT = "default"


class Tag(StrEnum):
    """What kind of statement an event line is."""

    FACT = "FACT"
    DECISION = "DECISION"
    CHANGED = "CHANGED"
    TODO = "TODO"
    EVENT = "EVENT"
    PROCEDURE = "PROCEDURE"


class Confidence(StrEnum):
    """How sure the speaker was. An event line without `conf:` is confirmed."""

    CONFIRMED = "confirmed"
    TENTATIVE = "tentative"
    CONTEXT = "context"


class Kind(StrEnum):
    """What a passage is. Each kind belongs to one layer (`LAYERS`)."""

    FACT = "fact"  # a curated bullet
    CHANGE = "change"  # a changelog entry; `source` holds the ids of its facts
    TOPIC = "topic"  # a topic as a whole: its names and summary
    TIER = "tier"  # protocols.md, active.md, archive.md, a person's lines of MEMORY.md
    ENTITY = "entity"
    EVENT = "event"
    NOTE = "note"  # a daily note
    SOURCE = "source"  # the source layer of a topic


LAYERS: Mapping[Kind, str] = {
    Kind.FACT: "curated",
    Kind.CHANGE: "curated",
    Kind.TOPIC: "curated",
    Kind.TIER: "tiers",
    Kind.ENTITY: "curated",
    Kind.EVENT: "events",
    Kind.NOTE: "notes",
    Kind.SOURCE: "source",
}


class Passage(NamedTuple):
    """One line that recall can find, as it stands in a readable file.

    `text` is what a person sees of it, without comments. `terms` are its stemmed words without stop words, `labels`
    those of what stands around it (topic, tags, entities, heading, ids), each joined by spaces. `place` counts the
    passages of its file from 0. `agents` empty means that every agent may see it. The heading of a topic holds its
    entities, an empty line and its other names, one a line.
    """

    kind: Kind
    path: str  # workspace-relative, POSIX
    line: int  # from 1
    text: str
    terms: str = ""
    labels: str = ""
    place: int = 0
    id: str = ""
    slug: str = ""
    tag: str = ""
    date: str = ""  # of the statement, YYYY-MM-DD, or empty
    seen: str = ""  # last confirmed
    heading: str = ""
    source: str = ""  # as in src:
    confidence: Confidence = Confidence.CONFIRMED
    importance: float | None = None
    agents: tuple[str, ...] = ()
    private: bool = False  # never for a group
    archived: bool = False

    @property
    def layer(self) -> str:
        return LAYERS[self.kind]


class Scope(NamedTuple):
    """What recall may look at. Empty sets and strings mean: no such limit. Dates are YYYY-MM-DD, inclusive; `entity` holds its
    names, one a line, of which a passage says one."""

    agent: str = DEFAULT_AGENT
    group: bool = False  # the audience is more than the owner
    layers: frozenset[str] = frozenset({"curated", "tiers", "events", "notes"})
    tags: frozenset[str] = frozenset()
    slugs: frozenset[str] = frozenset()
    entity: str = ""
    since: str = ""
    until: str = ""
    archived: bool = False
