"""Lines out of a byte stream with bounded memory, and a file's fingerprint for its cursor."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

HEAD = 4096  # bytes of the head and tail that a cursor keeps the hash of
MAX_LINE = 64 * 1024 * 1024  # a longer line is no record of any host


@dataclass(frozen=True, slots=True)
class Line:
    """A line without its end, and the offset after it. `torn` is a last line without a line end; `too_long` one of
    over 64 MB, whose data is empty."""

    data: bytes
    end: int
    torn: bool = False
    too_long: bool = False


def lines(stream: BinaryIO, start: int = 0) -> Iterator[Line]:
    """The lines of a stream from its present place, which is `start`."""
    at = start
    while True:
        data = stream.readline(MAX_LINE)
        if not data:
            return
        size = len(data)
        whole = data.endswith(b"\n")
        too_long = not whole and size == MAX_LINE
        while not whole and size and len(data) == MAX_LINE:  # too long: read past it
            rest = stream.readline(MAX_LINE)
            size += len(rest)
            if not rest or rest.endswith(b"\n"):
                data, whole = b"", bool(rest)
                break
        at += size
        yield Line(b"" if too_long else data.rstrip(b"\r\n") if whole else data, at, not whole, too_long)


def prefix_hash(stream: BinaryIO, offset: int) -> str:
    """SHA-256 over the first 4096 bytes and the last 4096 before `offset`: tells a rewrite from an append."""
    stream.seek(0)
    digest = hashlib.sha256(stream.read(min(HEAD, offset)))
    stream.seek(max(0, offset - HEAD))
    digest.update(stream.read(min(HEAD, offset)))
    return digest.hexdigest()[:32]
