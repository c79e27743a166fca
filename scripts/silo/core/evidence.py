"""What a memory rests on: the value of `src:`, and a digest by which a changed transcript shows."""

from __future__ import annotations

from dataclasses import dataclass

from silo.model import Session
from silo.text.lines import encode, sha256


@dataclass(frozen=True, slots=True)
class Source:
    """A parsed `src:` value; `messages` are ids in the session."""

    kind: str
    session: str
    messages: tuple[str, ...]


def source_of(session: Session, evidence: tuple[str, ...]) -> str:
    """The value of `src:`: `<source>/<session>#<message>[,<message>…]`."""
    return f"{session.source}/{session.id}#{','.join(evidence)}"


def read_source(text: str) -> Source | None:
    """The inverse of `source_of`; None for `cli`, notes and imports, which name no message."""
    kind, slash, rest = text.partition("/")
    session, mark, messages = rest.rpartition("#")
    if not (slash and mark and session) or kind in ("note", "import"):
        return None
    return Source(kind, session, tuple(one for one in messages.split(",") if one))


def digest(session: Session, evidence: tuple[str, ...]) -> str:
    """16 hex digits over the quoted turns, in the order of `evidence`."""
    by_id = {turn.id: turn.text for turn in session.turns}
    return sha256(encode("\x1f".join(by_id.get(one, "") for one in evidence)))[:16]
