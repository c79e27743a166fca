"""Bytes ↔ text ↔ lines, without losing a byte. Does not repair, normalise or translate anything."""

from __future__ import annotations

import hashlib
import re

# Surrogates that surrogateescape can't write: they come from broken JSON escapes, never from a file's bytes.
_STRAY = re.compile("[\ud800-\udc7f\udd00-\udfff]")
_ESCAPED = re.compile("[\udc80-\udcff]")
# All that Python's splitlines() or a terminal takes for a line end; in a file of ours only "\n" is one.
_BREAKS = re.compile("[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]")

BOM = "\ufeff"


def decode(data: bytes) -> str:
    """UTF-8 text; bytes that are not UTF-8 become lone surrogates, so that `encode(decode(data)) == data` always."""
    return data.decode("utf-8", "surrogateescape")


def encode(text: str) -> bytes:
    """The bytes of `text`. Stray surrogates that no byte stands for (a broken JSON escape) become U+FFFD."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return _STRAY.sub("\ufffd", text).encode("utf-8", "surrogateescape")


def split(text: str) -> list[str]:
    """Lines with their line end; joined they are `text` again. Only "\\n" ends a line; a "\\r" before it stays with it."""
    lines = text.split("\n")
    last = lines.pop()
    ended = [line + "\n" for line in lines]
    return [*ended, last] if last else ended


def content(line: str) -> str:
    """A line of `split` without its line end ("\\n" or "\\r\\n")."""
    return line[:-2] if line.endswith("\r\n") else line.removesuffix("\n")


def ending(line: str) -> str:
    """The line end of a line of `split`: "\\n", "\\r\\n" or "" for a last line without one."""
    return line[len(content(line)) :]


def newline(text: str) -> str:
    """The file's style of line end, read from its first one; "\\n" where there is none."""
    at = text.find("\n")
    return "\r\n" if at > 0 and text[at - 1] == "\r" else "\n"


def one_line(text: str) -> str:
    """`text` on one line: every run of line breaks (U+2028, U+0085 and their kind too) one space, ends stripped."""
    return " ".join(part for piece in _BREAKS.split(text) if (part := piece.strip()))


def invalid_lines(text: str) -> list[int]:
    """Numbers (from 1) of the lines of a decoded text that hold bytes which are not UTF-8."""
    if _ESCAPED.search(text) is None:
        return []
    return [number for number, line in enumerate(text.split("\n"), 1) if _ESCAPED.search(line)]


def sha256(data: bytes) -> str:
    """SHA-256 of the bytes, 64 hex digits."""
    return hashlib.sha256(data).hexdigest()
