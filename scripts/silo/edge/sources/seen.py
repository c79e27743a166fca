"""Each message once: which messages of a session an earlier run, or this one, has handed out."""

from __future__ import annotations

from collections.abc import Iterable

from silo.edge.sources.found import Reading
from silo.model import Put, StateOp

TABLE = "seen_messages"


def seen_key(session: str, message: str) -> str:
    """The identity of a message, whatever file or store it came through."""
    return f"{session}#{message}"


def is_seen(reading: Reading, session: str, message: str) -> bool:
    """Whether a message was handed out before."""
    key = seen_key(session, message)
    return key in reading.taken or reading.get(TABLE, key) is not None


def mark(reading: Reading, session: str, messages: Iterable[str]) -> tuple[StateOp, ...]:
    """The operations that remember messages, which count as handed out from now on."""
    ops: list[StateOp] = []
    for message in messages:
        key = seen_key(session, message)
        if key not in reading.taken:
            reading.taken.add(key)
            ops.append(Put(TABLE, key, 1))
    return tuple(ops)
