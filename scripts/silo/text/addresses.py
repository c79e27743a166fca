"""What a statement carries along: addresses on the net, and the commands and paths that were stored with it."""

from __future__ import annotations

import re
from dataclasses import dataclass

_URL = re.compile(r"(?:https?|ftp|wss?)://[^\s<>\"'`|\\^{}\[\]]+", re.IGNORECASE)
_OPEN = {")": "(", "]": "["}
_COMMANDS = re.compile(r"\(Commands?: ([^()]*)\)")
_PATHS = re.compile(r"\(Paths?: ([^()]*)\)")


@dataclass(frozen=True, slots=True)
class Addresses:
    """Each once, in the order of the text."""

    urls: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()


def addresses(text: str) -> Addresses:
    """All that a statement carries."""
    return Addresses(urls_of(text), _listed(_COMMANDS, text), _listed(_PATHS, text))


def urls_of(text: str) -> tuple[str, ...]:
    """The addresses in a text, without the punctuation of the sentence around them."""
    return tuple(dict.fromkeys(_trimmed(hit[0]) for hit in _URL.finditer(text)))


def _trimmed(url: str) -> str:
    while url[-1:] in ".,;:!?*_" or (url[-1:] in _OPEN and url.count(url[-1]) > url.count(_OPEN[url[-1]])):
        url = url[:-1]
    return url


def _listed(pattern: re.Pattern[str], text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part for hit in pattern.findall(text) for part in hit.split(", ")))
