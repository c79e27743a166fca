"""What is done leaves active.md for archive.md, byte for byte and in one plan: ticked items, or those a statement completes.

Only boxes that a person or a statement has ticked move; an item with an open box below it stays.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from silo.core.migrate.tierfile import TierFile
from silo.formats import tiers
from silo.model import Write
from silo.text.lines import content, decode, encode, sha256, split

_OPEN = re.compile(r"^[ \t]*(?:[-*+]|\d+[.)])[ \t]+\[ \]", re.M)
_PLAIN = ("Active", "Open", tiers.WAITING)  # headings of ours that say nothing of the item


def plan_tidy(files: Mapping[str, bytes], day: str) -> tuple[tuple[Write, ...], int]:
    """(the two files without and with the ticked items of active.md, how many items move), both empty where none is ticked."""
    active, archive = tiers.PATHS[tiers.ACTIVE], tiers.PATHS[tiers.ARCHIVE]
    data = files.get(active)
    if data is None or b"[" not in data:
        return (), 0
    text, gone = take(decode(data), lambda item: item.done is True and not _OPEN.search(item.lines))
    if not gone:
        return (), 0
    old = files.get(archive)
    after = archived(None if old is None else decode(old), gone, day) or ""
    why = "done items move to the archive"
    return (
        Write(archive, None if old is None else sha256(old), encode(after), why),
        Write(active, sha256(data), encode(text), why),
    ), len(gone)


def take(text: str, wanted: Callable[[tiers.Item], bool]) -> tuple[str, tuple[tiers.Item, ...]]:
    """The text of active.md without the wanted items, and these in their order."""
    path = tiers.PATHS[tiers.ACTIVE]
    gone: list[tiers.Item] = []
    for item in reversed(tiers.parse_tier(text, path).items):  # from the end: the lines before keep their numbers
        if wanted(item):
            text = tiers.remove_item(text, path, item)
            gone.insert(0, item)
    return text, tuple(gone)


def archived(text: str | None, gone: tuple[tiers.Item, ...], day: str) -> str | None:
    """archive.md with the items under the month of `day`, each below the heading that it stood under."""
    if not gone:
        return text
    file = TierFile(tiers.PATHS[tiers.ARCHIVE], text)
    for item in gone:
        chain = (day[:7], item.section) if item.section and item.section not in _PLAIN else (day[:7],)
        file.add(chain, [content(line) for line in split(item.lines)], apart=False)
    return file.render()
