"""What stays in MEMORY.md: the kept blocks word for word in their order, and the router block between intro and sections."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from silo.core.migrate.classify import HEADS
from silo.core.migrate.reading import Document, Kind
from silo.core.migrate.router import NAME, block
from silo.text.lines import BOM, newline


@dataclass(frozen=True, slots=True)
class Kept:
    """The new text, and for each of its lines the line of the old text that it is (0: the router or a new blank)."""

    text: str
    origin: tuple[int, ...]


def compose(document: Document, keep: Collection[int], title: int, agent: str) -> Kept:
    """The file with only these blocks and the router. Blank lines stay as they were between blocks that both stay."""
    style = newline("".join(document.lines[:1]) or "\n") if document.lines else "\n"
    router = block(agent, style).split("\n")[:-1]
    lines: list[str] = []
    origin: list[int] = []
    placed = False

    def put(text: str, number: int) -> None:
        if lines and not lines[-1].endswith("\n"):
            lines[-1] += style
        lines.append(text)
        origin.append(number)

    def place_router() -> None:
        if lines and lines[-1].strip():
            put(style, 0)
        for line in router:
            put(line + "\n", 0)

    last = -1
    for index, found in enumerate(document.blocks):
        if found.kind is Kind.MANAGED and found.text == NAME:
            if not placed:
                _gap(document, last, index, put, bool(lines), style)
                for line in router:
                    put(line + "\n", 0)
                placed = True
            last = index
            continue
        if index not in keep or (found.kind is Kind.RULE and not _divides(document, index, keep)):
            continue
        if not placed and found.kind in HEADS and index != title and not _router_ahead(document, index):
            place_router()
            placed = True
            put(style, 0)
        else:
            _gap(document, last, index, put, bool(lines), style)
        for number in range(found.start, found.end + 1):
            put(document.lines[number - 1], number)
        last = index
    if not placed:
        place_router()
    else:
        for number in _tail(document, last):
            put(document.lines[number - 1], number)
    if lines and document.lines and document.lines[0].startswith(BOM) and not lines[0].startswith(BOM):
        lines[0] = BOM + lines[0]
    return Kept("".join(lines), tuple(origin))


def _divides(document: Document, index: int, keep: Collection[int]) -> bool:
    """Whether a rule still stands between two neighbours that stay (or ends the file below one)."""
    ends = index + 1 == len(document.blocks)
    return (index == 0 or index - 1 in keep) and (ends or index + 1 in keep)


def _router_ahead(document: Document, index: int) -> bool:
    return any(b.kind is Kind.MANAGED and b.text == NAME for b in document.blocks[index:])


def _gap(document: Document, last: int, index: int, put: object, started: bool, style: str) -> None:
    """The blank lines before a block: its own where its neighbour stays too, else one where either had one."""
    block_ = document.blocks[index]
    own = range(block_.start - block_.gap, block_.start)
    if last == index - 1 or not started:
        for number in own if started or last == index - 1 else ():
            put(document.lines[number - 1], number)  # type: ignore[operator]
        return
    put(style, 0)  # type: ignore[operator]


def _tail(document: Document, last: int) -> range:
    """Blank lines at the end of the file, where its last block stays."""
    if last != len(document.blocks) - 1:
        return range(0)
    return range(document.blocks[-1].end + 1, len(document.lines) + 1)
