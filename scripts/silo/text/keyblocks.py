"""Private keys in blocks of lines: whole, cut short, quoted, indented, on one line, or the end alone.

Between BEGIN and END everything goes. Where one of them is missing, what looks like the body goes, line by line, and the
first line of prose ends it. RFC 7468 and the headers of RFC 1421, OpenSSH, OpenPGP, PuTTY.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from silo.text.lazy import Lazy

_D = "-" * 5
_BEGIN = Lazy(rf"{_D}BEGIN (?:[A-Z0-9 ]+ )?PRIVATE KEY(?: BLOCK)?{_D}|PuTTY-User-Key-File-\d|Private-Lines: \d+")
_END = Lazy(rf"{_D}END (?:[A-Z0-9 ]+ )?PRIVATE KEY(?: BLOCK)?{_D}|Private-MAC: \S+")
# How the encodings of a private key's first fields begin; a certificate's differ.
_FIRST = Lazy(r"MII[A-Za-z0-9+/]{3,4}IB(?:AAK|ADAN)[A-Za-z0-9+/]+|MHcCAQEE[A-Za-z0-9+/]+|MC4CAQAwBQYDK2Vw[A-Za-z0-9+/]*|b3BlbnNzaC1rZXktdjE[A-Za-z0-9+/]*")
_EDGE = " \t>|*-\u2022\"'`\\,"
_BODY = re.compile(r"[A-Za-z0-9+/]+={0,3}")
_HEADER = re.compile(r"(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|MessageID|Encryption|Public-Lines|Private-Lines|Key-Derivation|Argon2-\w+|X-[\w-]+):.*", re.I)
_LEAD = re.compile(r"[ \t>|*\u2022-]*[A-Za-z0-9+/]{40,}={0,3}")
_FAR = 20_000  # no private key is longer


def find_blocks(text: str) -> Iterator[tuple[str, int, int]]:
    """("private-key", start, end) of every block. One that lies in another may come too."""
    if "PRIVATE KEY" in text or "PuTTY" in text or "Private-Lines" in text:
        for match in _BEGIN().finditer(text):
            again = _BEGIN().search(text, match.end(), match.end() + _FAR)
            stop = again.start() if again and text[match.start()] == "-" else match.end() + _FAR
            end = _END().search(text, match.end(), stop)
            if end is not None:
                yield "private-key", match.start(), end.end()
            else:
                yield "private-key", match.start(), _forward(text, match.end())
        for match in _END().finditer(text):
            start = _backward(text, match.start())
            if start < match.start():
                yield "private-key", start, match.end()
    if any(first in text for first in ("MII", "MHcCAQEE", "MC4CAQAw", "b3BlbnNz")):
        for match in _FIRST().finditer(text):
            if match.end() - match.start() >= 40:
                yield "private-key", match.start(), _forward(text, match.end())


def _is_body(line: str, least: int = 16) -> bool:
    bare = line.replace("\\n", "\n").strip(_EDGE + "\n")
    return all(_BODY.fullmatch(part) and (len(part) >= least or part.endswith("=")) for part in bare.split()) and bool(bare)


def _forward(text: str, at: int) -> int:
    """The end of the body that begins at a place: the last of the lines that look like one."""
    end = at
    seen = False
    place = at
    for line in text[at : at + _FAR].splitlines(keepends=True):
        bare = line.strip(_EDGE + "\r\n")
        whole = _is_body(line)
        if whole or (bare and _HEADER.fullmatch(bare)) or (seen and _BODY.fullmatch(bare) and len(bare) >= 4 and any(c.isdigit() or c in "+/=" for c in bare)):
            seen = seen or whole
            end = place + len(line.rstrip("\r\n"))
        elif bare:
            first = _LEAD.match(line)  # a line of it, and prose behind
            return place + first.end() if first else end
        place += len(line)
    return end


def _backward(text: str, at: int) -> int:
    """The start of the body that ends before a place."""
    start = at
    place = at
    for line in reversed(text[max(0, at - _FAR) : at].splitlines(keepends=True)):
        place -= len(line)
        bare = line.strip(_EDGE + "\r\n")
        if _is_body(line) or (start == at and bare and _BODY.fullmatch(bare)):
            start = place + len(line) - len(line.lstrip(_EDGE))
        elif bare:
            break
    return start
