"""Each message once: which messages an earlier run, or this one, has handed out."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from silo.edge.sources.found import Reading
from silo.formats.session import Quarantined
from silo.formats.session import message_key as seen_key
from silo.model import Put, StateOp

TABLE = "seen_messages"


def is_seen(reading: Reading, session: str, message: str) -> bool:
    """Whether a message was handed out before."""
    key = seen_key(session, message)
    if f"{session}#{message}" in reading.again:
        return key in reading.taken
    return key in reading.taken or reading.get(TABLE, key) is not None


def once(
    reading: Reading, items: Iterable[Quarantined]
) -> tuple[tuple[Quarantined, ...], tuple[StateOp, ...]]:
    """The review items whose text was not asked about before, and the operations that remember them: a page that a tool
    reads every half hour asks once."""
    kept: list[Quarantined] = []
    ops: list[StateOp] = []
    for item in items:
        digest = hashlib.sha256(f"{item.reason}\x1f{item.text}".encode()).hexdigest()[:16]
        key = f"quarantined#{digest}"
        if key not in reading.taken and reading.get(TABLE, key) is None:
            reading.taken.add(key)
            kept.append(item)
            ops.append(Put(TABLE, key, 1))
    return tuple(kept), tuple(ops)


def mark(reading: Reading, session: str, messages: Iterable[str]) -> tuple[StateOp, ...]:
    """The operations that remember messages, which count as handed out from now on."""
    ops: list[StateOp] = []
    for message in messages:
        key = seen_key(session, message)
        if key not in reading.taken:
            reading.taken.add(key)
            ops.append(Put(TABLE, key, 1))
    return tuple(ops)
