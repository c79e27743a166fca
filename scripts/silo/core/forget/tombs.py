"""Tombstones of what a person had forgotten: keyed hashes of its words and of what it rested on, and not a word.

The words are known again, and so is the message that said them, however the next reading would put it. Without the key
nobody can try out what it was.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from silo.core.evidence import read_source
from silo.core.forget.words import plain
from silo.formats.decisions import read_decisions, tombstone_line
from silo.formats.session import message_key
from silo.model import Event
from silo.text.lines import encode

PATH = ".silo/tombstones.jsonl"
DIGITS = 24  # hex digits kept of an HMAC-SHA256


def mark(key: bytes, kind: str, text: str) -> str:
    """The keyed hash of a text, an id, a session or a message."""
    return hmac.new(key, encode(f"{kind}\x1f{text}"), hashlib.sha256).hexdigest()[:DIGITS]


def evidence(key: bytes, source: str) -> tuple[str, ...]:
    """Keyed hashes of the messages that a `src:` names; of the whole of it where it names none (a line of a note)."""
    found = read_source(source)
    if found is None:
        return (mark(key, "source", source),) if source.startswith(("note/", "import/")) else ()
    return tuple(mark(key, "message", message_key(found.session, one)) for one in found.messages)


@dataclass(frozen=True, slots=True)
class Tombs:
    """What must not be learnt again."""

    key: bytes = b""
    ids: frozenset[str] = frozenset()
    hashes: frozenset[str] = frozenset()
    rests: frozenset[str] = frozenset()

    @classmethod
    def read(cls, text: str, key: bytes | None) -> Tombs:
        """The marks of a tombstones file; without the key they say nothing."""
        if not key or not text.strip():
            return cls()
        items = read_decisions(text, PATH).items.values()
        forgotten = [one for one in items if one.get("why") == "forget"]
        return cls(
            key,
            frozenset(str(one["id"]) for one in forgotten),
            frozenset(str(one["hash"]) for one in forgotten if one.get("hash")),
            frozenset(mark for one in forgotten for mark in _listed(one)),
        )

    def __bool__(self) -> bool:
        return bool(self.ids)

    def names(self, ident: str) -> bool:
        """Whether an event or fact of that id was forgotten."""
        return bool(self.ids) and ident_of(self.key, ident) in self.ids

    def said(self, text: str) -> bool:
        """Whether these very words were forgotten."""
        return bool(self.hashes) and mark(self.key, "text", plain(text)) in self.hashes

    def heard(self, session: str, messages: Iterable[str]) -> bool:
        """Whether the session, or one of the messages, was."""
        if not self.rests:
            return False
        if mark(self.key, "session", session) in self.rests:
            return True
        return any(mark(self.key, "message", message_key(session, one)) in self.rests for one in messages)

    def blocks(self, event: Event) -> bool:
        """Whether the event says, or rests on, what was forgotten."""
        if not self.ids:
            return False
        found = read_source(event.source)
        rests = found is not None and self.heard(found.session, found.messages)
        return rests or self.said(event.text) or bool(set(evidence(self.key, event.source)) & self.rests)


def ident_of(key: bytes, ident: str) -> str:
    """The id of a tombstone: a keyed hash of the id of what is gone, for that one is a hash of its words."""
    return "t_" + mark(key, "id", ident)[:12]


def stone(key: bytes, ident: str, kind: str, day: str, *, text: str = "", rests: Iterable[str] = (), agent: str = "") -> str:
    """A line of tombstones.jsonl."""
    more: dict[str, Any] = {}
    if agent:
        more["agent"] = agent
    if text:
        more["hash"] = mark(key, "text", plain(text))
    if marks := sorted(set(rests)):
        more["evidence"] = marks
    return tombstone_line(ident_of(key, ident), kind=kind, created=day, why="forget", more={**more, "key": mark(key, "key", "")[:8]})


def _listed(item: Mapping[str, Any]) -> tuple[str, ...]:
    found = item.get("evidence")
    return tuple(one for one in found if isinstance(one, str)) if isinstance(found, list) else ()
