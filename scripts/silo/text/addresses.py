"""What a statement carries along: addresses on the net, commands and paths, stored with it or found in its words."""

from __future__ import annotations

import re
from dataclasses import dataclass

from silo.text.commands import commands_of
from silo.text.paths import paths_of

_URL = re.compile(r"(?:https?|ftp|wss?)://[^\s<>\"'`|\\^{}\[\]]+", re.IGNORECASE)
_OPEN = {")": "(", "]": "["}


@dataclass(frozen=True, slots=True)
class Addresses:
    """Each once, in the order of the text."""

    urls: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()


def addresses(text: str) -> Addresses:
    """All that a statement carries."""
    return Addresses(urls_of(text), commands_of(text), paths_of(text))


def urls_of(text: str) -> tuple[str, ...]:
    """The addresses in a text, without the punctuation of the sentence around them."""
    return tuple(dict.fromkeys(_trimmed(hit[0]) for hit in _URL.finditer(text)))


def _trimmed(url: str) -> str:
    while url[-1:] in ".,;:!?*_" or (url[-1:] in _OPEN and url.count(url[-1]) > url.count(_OPEN[url[-1]])):
        url = url[:-1]
    return url
