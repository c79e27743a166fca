"""Adds blocks to a tier file (protocols.md, active.md, archive.md) under their headings; what stands there keeps its bytes.

A tree of headings over the file's own lines: new blocks go to the end of the section with the same headings, which is
made where it is missing. `Waiting On` stays the last section of active.md. Reads no items.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from silo.formats import tiers
from silo.formats.markdown import Kind, scan
from silo.text.lines import content, newline, split

PROTOCOLS, ACTIVE, ARCHIVE = (tiers.PATHS[name] for name in (tiers.PROTOCOLS, tiers.ACTIVE, tiers.ARCHIVE))
NAMES = {path: name for name, path in tiers.PATHS.items()}


@dataclass(slots=True)
class _Node:
    title: str
    level: int
    head: list[str]  # the heading's line, nothing for the top
    new: bool = False
    lines: list[str] = field(default_factory=list)
    children: list[_Node] = field(default_factory=list)
    known: set[str] = field(default_factory=set)  # lines that stood here before, stripped
    by_title: dict[str, _Node] = field(default_factory=dict)  # the first child of each title


class TierFile:
    """One tier file, growing."""

    def __init__(self, path: str, text: str | None) -> None:
        self.path = path
        self.changed = text is None
        name = NAMES[path]
        source = tiers.new_tier(name) if text is None or not text.strip() else tiers.with_comment(text, name)
        self._newline = newline(source)
        self._top = _Node("", 0, [])
        self._read(split(source), known=text is not None)

    def _read(self, lines: list[str], *, known: bool) -> None:
        stack = [self._top]
        for line, kind in zip(lines, scan(lines), strict=True):
            if kind.kind is Kind.HEADING:
                while len(stack) > 1 and stack[-1].level >= kind.level:
                    stack.pop()
                node = _Node(_bare(kind.text), kind.level, [line])
                stack[-1].children.append(node)
                stack[-1].by_title.setdefault(node.title, node)
                stack.append(node)
            else:
                stack[-1].lines.append(line)
                if known and line.strip():
                    stack[-1].known.add(line.strip())

    def add(self, chain: Sequence[str], lines: Iterable[str], *, apart: bool) -> bool:
        """Put lines (without their ends) at the end of the section under these headings.

        False where exactly these lines stand there already. `apart` leaves a blank line before them.
        """
        new = list(lines)
        node = self._section(chain, make=False)
        said = [line.strip() for line in new if line.strip()]
        if node is not None and said and all(line in node.known for line in said):
            return False
        node = self._section(chain, make=True)
        assert node is not None
        self.changed = True
        below: list[str] = []  # blank lines before the next section keep their place
        while node.lines and not node.lines[-1].strip():
            below.insert(0, node.lines.pop())
        if node.lines and not node.lines[-1].endswith("\n"):
            node.lines[-1] += self._newline
        if apart and node.lines:
            node.lines.append(self._newline)
        node.lines += [*(line + self._newline for line in new), *below]
        return True

    def open_section(self, chain: Sequence[str]) -> None:
        """Make the section where it is missing, so that its heading stands even without lines of its own."""
        if chain and self._section(chain, make=False) is None:
            self._section(chain, make=True)
            self.changed = True

    def waiting(self, title: str) -> tuple[str, ...]:
        """The headings for a section of things waited for: it is the last one itself, or stands below the one that is."""
        last = next((c for c in reversed(self._root().children) if tiers.is_waiting(c.title)), None)
        if last is None:
            return (title,) if tiers.is_waiting(title) else (tiers.WAITING, title)
        return (title,) if last.title == _bare(title) else (last.title, title)

    def _root(self) -> _Node:
        roots = self._top.children
        return roots[0] if len(roots) == 1 and roots[0].level == 1 else self._top

    def _section(self, chain: Sequence[str], *, make: bool) -> _Node | None:
        node = self._root()
        for title in chain:
            wanted = _bare(title)
            below = node.by_title.get(wanted)
            if below is None:
                if not make:
                    return None
                level = min(6, max(2, node.level + 1))
                below = _Node(wanted, level, [f"{'#' * level} {title}{self._newline}"], new=True)
                self._place(node, below)
            node = below
        return node

    def _place(self, parent: _Node, node: _Node) -> None:
        parent.by_title[node.title] = node
        last = parent.children[-1] if parent.children else None
        if (
            self.path == ACTIVE
            and last is not None
            and tiers.is_waiting(last.title)
            and not tiers.is_waiting(node.title)
        ):
            parent.children.insert(len(parent.children) - 1, node)
        else:
            parent.children.append(node)

    def render(self) -> str:
        """The file's text: what stood there as it was, a blank line before each new section."""
        out: list[str] = []
        self._emit(self._top, out)
        return "".join(out)

    def _emit(self, node: _Node, out: list[str]) -> None:
        if node.head:
            if out and not out[-1].endswith("\n"):
                out[-1] += self._newline
            if out and content(out[-1]).strip() and node.new and not out[-1].startswith("#"):
                out.append(self._newline)
            out += node.head
        out += node.lines
        for child in node.children:
            self._emit(child, out)


def _bare(title: str) -> str:
    """A heading's words as `scan` gives them: closing hashes and outer space off."""
    return " ".join(title.rstrip().rstrip("#").split())
