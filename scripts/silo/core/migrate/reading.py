"""Reads a MEMORY.md of any shape into blocks: what stands on which lines, in the order of the file.

A reader for what people write, not a Markdown renderer: ATX and setext headings, bold lines and outline items as
headings, nested lists, tables, fences (also unclosed ones), quotes, comments, front matter where it really is YAML,
blocks promoted by the host's dreaming. Says nothing about what a block means. Every non-blank line belongs to
exactly one block; lines are never changed.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, field, replace
from enum import StrEnum

from silo.text.lines import split


class Kind(StrEnum):
    """What a block is, by its form alone."""

    HEADING = "heading"
    LABEL = "label"  # a line that works as a heading without being one: bold line, `Text:` above a list, outline item
    ITEM = "item"
    PARAGRAPH = "paragraph"
    TABLE = "table"
    FENCE = "fence"
    QUOTE = "quote"
    COMMENT = "comment"
    RULE = "rule"
    FRONT_MATTER = "front matter"
    PROMOTION = "promotion"
    MANAGED = "managed"


BOLD_LEVEL, TEXT_LEVEL, OUTLINE_LEVEL = 7, 8, 9


@dataclass(frozen=True, slots=True)
class Block:
    """Lines `start`..`end` (from 1, inclusive) of one kind. `text` is what it says, without its dress.

    `level` is that of a heading (1..6) or label (7..9); `indent` the column where a list item begins; `gap` the number of
    blank lines before. `box` is None without a checkbox, else whether it is ticked.
    """

    kind: Kind
    start: int
    end: int
    text: str
    level: int = 0
    indent: int = 0
    gap: int = 0
    ordered: bool = False
    box: bool | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """A file as lines (with their ends) and blocks."""

    lines: tuple[str, ...]
    blocks: tuple[Block, ...]
    problems: tuple[tuple[int, str], ...] = field(default=())  # line, what is odd about it

    def raw(self, block: Block) -> list[str]:
        """The block's own lines, ends included."""
        return list(self.lines[block.start - 1 : block.end])


_ATX = re.compile(r" {0,3}(#{1,6})(?=[ \t]|$)(.*)$")
_ATX_TIGHT = re.compile(r"(#{2,6})([^#\s].*)$")  # `##Heading`, which people type and renderers refuse
_SETEXT = re.compile(r" {0,3}(=+|-{3,})[ \t]*$")
_RULE = re.compile(r" {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$")
_ITEM = re.compile(r"([ \t]*)([-*+•‣▪–]|\d{1,4}[.)])(?:[ \t]+|$)(.*)$")
_BOX = re.compile(r"\[([ xX✓✔~-]?)\][ \t]+")
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})(.*)$")
_SEPARATOR = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_BOLD_LINE = re.compile(r"[^\w*_]*(?:\*\*|__)([^*_].{0,78}?)(?:\*\*|__)[ \t]*:?[^\w*_]*$")
_TEXT_LABEL = re.compile(r"[^\n.;]{2,60}[:\uff1a][ \t]*$")
_WIKI = re.compile(r"\[\[([^\[\]|]{1,120})(?:\|([^\[\]]{1,120}))?\]\]")
_EMPHASIS = re.compile(r"(\*\*|__|~~)(?=\S)(.{1,300}?)(?<=\S)\1")
_PROMOTION = re.compile(r"[ \t]*<!--[ \t]*openclaw-memory-promotion:")
_MANAGED = re.compile(r"[ \t]*<!--[ \t]*silo:([a-z0-9-]+):begin[ \t]*-->")
_SECTION = re.compile(r"#{1,3} \S")
_KEY = re.compile(r"[A-Za-z_][\w .-]{0,40}:(?:[ \t].*)?$")
_FRONT_LINE = re.compile(r"(?:[A-Za-z_][\w .-]{0,40}:(?:[ \t].*)?|[ \t]+\S.*|-[ \t].*|#.*|)$")
_FRONT_MOST = 80  # lines; a longer run up to the next rule is prose
_LONG = 2000  # characters; no rule, label or table separator is longer, and matching one would cost too much


def bare(line: str) -> str:
    """The line without its end, and without the mark that some editors set before the first one."""
    return line.rstrip("\r\n").removeprefix("\ufeff")


def indent_of(line: str) -> int:
    """Columns of white space at the start; a tab reaches the next multiple of four."""
    column = 0
    for char in line:
        if char == "\t":
            column += 4 - column % 4
        elif char == " ":
            column += 1
        else:
            break
    return column


def undress(text: str) -> str:
    """A heading's or item's words without emphasis marks, wiki brackets and closing colon."""
    text = _WIKI.sub(lambda m: m[2] or m[1], text)
    return _EMPHASIS.sub(r"\2", text).rstrip(" \t:\uff1a").strip()


def read(text: str) -> Document:
    """The blocks of a text, which together hold every non-blank line exactly once."""
    return _Reader(split(text)).read()


class _Reader:
    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.plain = [bare(line) for line in lines]
        self.blank = [not line.strip("\ufeff \t\v\f") for line in self.plain]
        self.at = 0  # index of the next line
        self.blocks: list[Block] = []
        self.problems: list[tuple[int, str]] = []
        self.comment_ends = [at for at, line in enumerate(self.plain) if "-->" in line]

    def read(self) -> Document:
        self._front_matter()
        gap = 0
        while self.at < len(self.lines):
            if self.blank[self.at]:
                gap += 1
                self.at += 1
                continue
            before = len(self.blocks)
            self._block()
            self.blocks[before] = replace(self.blocks[before], gap=gap)
            gap = 0
        return Document(tuple(self.lines), tuple(self.blocks), tuple(self.problems))

    def _add(self, kind: Kind, end: int, text: str, **more: object) -> None:
        """A block from the current line to index `end` (exclusive), without trailing blanks."""
        while end > self.at + 1 and self.blank[end - 1]:
            end -= 1
        self.blocks.append(Block(kind, self.at + 1, end, text, **more))  # type: ignore[arg-type]
        self.at = end

    def _front_matter(self) -> None:
        """YAML between two rules at the very top, if every line of it reads as YAML and one is a key."""
        if not self.plain or self.plain[0].lstrip("\ufeff").rstrip() != "---":
            return
        for end in range(1, min(len(self.plain), _FRONT_MOST)):
            line = self.plain[end].rstrip()
            if line in ("---", "..."):
                inside = self.plain[1:end]
                if any(_KEY.match(x) for x in inside) and not self._is_prose(inside):
                    self._add(Kind.FRONT_MATTER, end + 1, "")
                return
            if not _FRONT_LINE.match(line):
                return

    @staticmethod
    def _is_prose(lines: list[str]) -> bool:
        """Whether `key: value` lines are list items, headings or blank-separated notes rather than YAML."""
        first = next((x for x in lines if x.strip()), "")
        return not _KEY.match(first) or any(_ATX.match(x) and x.startswith("##") for x in lines)

    def _block(self) -> None:
        line = self.plain[self.at]
        if hit := _MANAGED.match(line):
            self._managed(hit[1])
        elif _PROMOTION.match(line):
            self._promotion()
        elif _FENCE.match(line) and indent_of(line) < 4:
            self._fence()
        elif hit := _ATX.match(line) or _ATX_TIGHT.match(line):
            self._add(Kind.HEADING, self.at + 1, undress(hit[2].strip().rstrip("#")), level=len(hit[1]))
        elif len(line) < _LONG and _RULE.match(line):
            self._add(Kind.RULE, self.at + 1, "")
        elif self._is_table(self.at):
            self._table()
        elif line.lstrip().startswith("<!--"):
            self._comment()
        elif line.lstrip().startswith(">"):
            self._run(Kind.QUOTE, lambda x: x.lstrip().startswith(">"))
        elif _ITEM.match(line):
            self._list()
        else:
            self._paragraph()

    def _run(self, kind: Kind, belongs: object) -> None:
        end = self.at
        while end < len(self.plain) and not self.blank[end] and belongs(self.plain[end]):  # type: ignore[operator]
            end += 1
        self._add(kind, end, "\n".join(x.strip().lstrip("> ") for x in self.plain[self.at : end]))

    def _managed(self, name: str) -> None:
        close = re.compile(rf"[ \t]*<!--[ \t]*silo:{re.escape(name)}:end[ \t]*-->")
        for end in self.comment_ends[bisect_left(self.comment_ends, self.at + 1) :]:
            if close.match(self.plain[end]):
                self._add(Kind.MANAGED, end + 1, name)
                return
            if _MANAGED.match(self.plain[end]):
                break
        self.problems.append((self.at + 1, f"block {name} has no end"))
        self._add(Kind.COMMENT, self.at + 1, "")

    def _promotion(self) -> None:
        """The marker and the one list item below it."""
        end = self.at + 1
        if end < len(self.plain) and _ITEM.match(self.plain[end]):
            end = self._item_end(end)
            text = _ITEM.match(self.plain[self.at + 1])[3]  # type: ignore[index]
            self._add(Kind.PROMOTION, end, text)
        else:
            self._add(Kind.COMMENT, end, "")

    def _fence(self) -> None:
        end, closed = self._fence_end(self.at)
        if not closed:
            self.problems.append((self.at + 1, "fence has no end"))
        self._add(Kind.FENCE, end, "\n".join(self.plain[self.at + 1 : end - closed]))

    def _fence_end(self, at: int) -> tuple[int, bool]:
        """Index after a fence, and whether it is closed.

        An unclosed one swallows the rest of the file for a renderer; here it ends before a heading that follows a blank
        line, so that a forgotten fence does not hide the sections below it.
        """
        mark = _FENCE.match(self.plain[at])
        assert mark
        for end in range(at + 1, len(self.plain)):
            line = self.plain[end].strip()
            if line.startswith(mark[1]) and not line.strip(mark[1][0]):
                return end + 1, True
        for end in range(at + 1, len(self.plain)):
            if (self.blank[end - 1] and _SECTION.match(self.plain[end])) or _MANAGED.match(self.plain[end]):
                return end, False
        return len(self.plain), False

    def _is_table(self, at: int) -> bool:
        line = self.plain[at]
        if "|" not in line or _ITEM.match(line):
            return False
        below = self.plain[at + 1] if at + 1 < len(self.plain) else ""
        if "|" in below and len(below) < _LONG and _SEPARATOR.match(below):
            return True
        row = line.strip()
        return len(row) > 2 and row[0] == row[-1] == "|"

    def _table(self) -> None:
        self._run(Kind.TABLE, lambda x: "|" in x)

    def _comment(self) -> None:
        at = bisect_left(self.comment_ends, self.at)
        end = self.comment_ends[at] if at < len(self.comment_ends) else -1
        if end >= 0 and not any(_MANAGED.match(line) for line in self.plain[self.at + 1 : end + 1]):
            self._add(Kind.COMMENT, end + 1, "")
            return
        self.problems.append((self.at + 1, "comment has no end"))
        self._add(Kind.COMMENT, self.at + 1, "")

    # --- lists ----------------------------------------------------------------------------------------------

    def _item_end(self, at: int) -> int:
        """Index after the item at `at`: its nested lines, indented paragraphs and lazily continued lines."""
        base = indent_of(self.plain[at])
        end = at + 1
        while end < len(self.plain):
            line = self.plain[end]
            if self.blank[end]:
                after = end
                while after < len(self.plain) and self.blank[after]:
                    after += 1
                if after >= len(self.plain) or after - end > 1 or indent_of(self.plain[after]) <= base + 1:
                    return end
                end = after
                continue
            deeper = indent_of(line) > base
            if _FENCE.match(line) and deeper:
                end = self._fence_end(end)[0]
            elif deeper or not (self._starts_block(end) or self.blank[end - 1]):
                end += 1
            else:
                return end
        return end

    def _starts_block(self, at: int) -> bool:
        line = self.plain[at]
        return bool(
            _ITEM.match(line) or _ATX.match(line) or _ATX_TIGHT.match(line) or _FENCE.match(line)
            or (len(line) < _LONG and (_RULE.match(line) or _BOLD_LINE.match(line))) or line.lstrip().startswith(("<!--", ">")) or self._is_table(at)
        )  # fmt: skip

    def _list(self) -> None:
        """One item; where it only heads the items nested in it, a label, and those come as items of their own."""
        hit = _ITEM.match(self.plain[self.at])
        assert hit
        end = self._item_end(self.at)
        text, box = hit[3], None
        if ticked := _BOX.match(text):
            box = ticked[1] not in ("", " ", "~", "-")
            text = text[ticked.end() :]
        indent = indent_of(self.plain[self.at])
        if box is None and self._heads_outline(text, self.at + 1, end):
            self._add(Kind.LABEL, self.at + 1, undress(text), level=OUTLINE_LEVEL, indent=indent)
            return
        inside = [self._words(x) for x in self.plain[self.at + 1 : end]]
        text = "\n".join([text.strip(), *(x for x in inside if x)])
        self._add(Kind.ITEM, end, text, indent=indent, ordered=hit[2][0].isdigit(), box=box)

    def _heads_outline(self, text: str, at: int, end: int) -> bool:
        """Whether an item is a heading in disguise: few words, nothing after them, two or more items nested."""
        nested = [x for x in self.plain[at:end] if x.strip()]
        if len(nested) < 2 or not all(_ITEM.match(x) for x in nested):
            return False
        shallow = min(indent_of(x) for x in nested)
        children = sum(indent_of(x) == shallow for x in nested)
        words = undress(text)
        named = text.rstrip().endswith((":", "\uff1a")) or _BOLD_LINE.match(text) is not None
        return (
            children >= 2
            and 0 < len(words) <= 60
            and (named or len(words.split()) <= 3)
            and not re.search(r"[.;,:]\s", words)
        )

    @staticmethod
    def _words(line: str) -> str:
        hit = _ITEM.match(line)
        return (hit[3] if hit else line).strip()

    # --- paragraphs -----------------------------------------------------------------------------------------

    def _paragraph(self) -> None:
        line = self.plain[self.at]
        below = self.plain[self.at + 1] if self.at + 1 < len(self.plain) else ""
        if (
            _SETEXT.match(below)
            and not self.blank[self.at + 1]
            and len(line) <= 80
            and not line.rstrip().endswith((".", ",", ";"))
        ):
            self._add(Kind.HEADING, self.at + 2, undress(line), level=1 if "=" in below else 2)
            return
        if len(line) < _LONG and (hit := _BOLD_LINE.match(line)):
            self._add(Kind.LABEL, self.at + 1, undress(hit[1]), level=BOLD_LEVEL)
            return
        labelled = _TEXT_LABEL.match(line) or self._is_shouted(line)
        if (labelled and self._list_follows(self.at + 1)) or self._titles_list():
            self._add(Kind.LABEL, self.at + 1, undress(line), level=TEXT_LEVEL)
            return
        end = self.at + 1
        while end < len(self.plain) and not self.blank[end] and not self._starts_block(end):
            end += 1
        self._add(Kind.PARAGRAPH, end, "\n".join(x.strip() for x in self.plain[self.at : end]))

    @staticmethod
    def _is_shouted(line: str) -> bool:
        """`TASKS`: a line in capitals alone."""
        words = line.strip()
        return (
            words.isupper()
            and 3 <= len(words) <= 60
            and not words.endswith((".", "!", "?"))
            and not re.search(r"\d{2}", words)
        )

    def _titles_list(self) -> bool:
        """Whether a few words after a blank line stand right on a list of several items: `to sort`."""
        line, below = self.plain[self.at].strip(), self.plain[self.at + 1 : self.at + 3]
        alone = self.at > 0 and self.blank[self.at - 1]
        few = 2 <= len(line) <= 40 and len(line.split()) <= 5 and line[-1].isalnum() and not re.search(r"[.;,:!?`|]", line)
        return alone and few and len(below) == 2 and all(_ITEM.match(x) for x in below)

    def _list_follows(self, at: int) -> bool:
        if at < len(self.plain) and self.blank[at]:
            at += 1
        return (
            at < len(self.plain)
            and not self.blank[at]
            and bool(_ITEM.match(self.plain[at]) or self._is_table(at) or _FENCE.match(self.plain[at]))
        )
