"""Which files of a sessions folder are transcripts, told by their names; nothing is opened.

Follows OpenClaw's layouts from January 2026 to 2026.9: live files, archives and sidecars lie in one folder, and the
sidecars repeat whole conversations.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_STAMP = r"\d{4}-\d{2}-\d{2}T[\d.:-]+Z?"
_LIVE = re.compile(r"(?P<id>[^/]+?)(?:-topic-\d+)?\.jsonl")
_ARCHIVE = re.compile(
    r"(?P<id>[^/]+?)(?:-topic-\d+)?\.jsonl\.(?P<how>reset|deleted|bak)\."
    + _STAMP
    + r"(?:\.[0-9a-f]{8,64})?(?P<zst>\.zst)?"
)
_IMPORTED = re.compile(
    r"(?:(?P<key>[^/]*)\.)?(?P<id>[^/.]+?)(?:-topic-\d+)?\.jsonl\.imported-\d+(?:\.\d+)?(?P<zst>\.zst)?"
)
_COLD = re.compile(r"(?P<id>[0-9a-f]{64})\.jsonl\.zst")
_SIDECAR = re.compile(
    r".*\.trajectory\.jsonl(?:\..*)?|.*\.trajectory-path\.json|.*\.checkpoint\..*\.jsonl(?:\..*)?|.*\.lock|sessions\.json(?:\..*)?"
    r"|.*\.migrated.*|.*\.pre-doctor-.*|.*\.tmp|.*\.(?:json|md|txt|log|sqlite(?:-wal|-shm)?)"
)


@dataclass(frozen=True, slots=True)
class Name:
    """What a file name tells. `how` is live, reset, deleted, bak, imported or cold; `id` of a cold file is a hash."""

    id: str
    how: str
    zst: bool = False
    key: str = ""


def is_side_file(name: str) -> bool:
    """Whether a file is one of those that the host sets beside its transcripts: never read, nothing that is missed."""
    return _SIDECAR.fullmatch(name) is not None


def read_name(name: str) -> Name | None:
    """The transcript that a file name stands for; None for sidecars and whatever else lies there."""
    if _SIDECAR.fullmatch(name):
        return None
    if found := _COLD.fullmatch(name):
        return Name(found["id"], "cold", zst=True)
    if found := _ARCHIVE.fullmatch(name):
        return Name(found["id"], found["how"], zst=bool(found["zst"]))
    if found := _IMPORTED.fullmatch(name):
        return Name(found["id"], "imported", zst=bool(found["zst"]), key=found["key"] or "")
    if found := _LIVE.fullmatch(name):
        return Name(found["id"], "live")
    return None
