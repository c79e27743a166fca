"""A topic file without what goes: bullets, changelog, source blocks, header. What is no part of it keeps every byte.

The one place that rewrites changelog entries: of a fact that goes they go, of one that stays they lose the words.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from silo.core.forget.choose import Gone, block_lines
from silo.core.forget.hits import Hit, Left
from silo.core.forget.lines import FORGOTTEN, without_ids, without_lines
from silo.formats.changes import render_change
from silo.formats.topics import Entry, SourceBlock, TopicFile, parse_topic, set_header
from silo.text.fold import fold
from silo.text.lines import content, ending, split
from silo.text.tokens import terms

_LISTS = ("tags", "entities", "agents", "related", "depends_on")


def without_facts(text: str, path: str, gone: Gone) -> Left:
    """The file without what goes; None where the topic itself goes."""
    file = parse_topic(text, path)
    if file.slug in gone.slugs:
        return Left(None, tuple(_all(file)))
    edit = _Edit(file, gone)
    edit.bullets()
    edit.entries()
    edit.blocks()
    edit.others()
    return Left(_header(edit.text(), path, gone, edit.hits), tuple(sorted(edit.hits, key=lambda hit: hit.line)))


def _all(file: TopicFile) -> Iterable[Hit]:
    for fact in file.facts:
        yield Hit(file.path, fact.line, "fact", fact.text, fact.id)
    for change in file.changes:
        yield Hit(file.path, change.line, "change", change.new or change.old)
    for block in file.blocks:
        yield Hit(file.path, block.start + 1, "source", block.title)
    yield Hit(file.path, 1, "header", file.header.text("summary") or file.slug)


class _Edit:
    """Lines that go, and lines that are replaced, by their index."""

    def __init__(self, file: TopicFile, gone: Gone) -> None:
        self.file, self.gone = file, gone
        self.drop: set[int] = set()
        self.new: dict[int, str] = {}
        self.done: set[int] = set()  # lines that were looked at as what they are
        self.hits: list[Hit] = []

    def text(self) -> str:
        return "".join(self.new.get(at, line) for at, line in enumerate(self.file.lines) if at not in self.drop)

    def bullets(self) -> None:
        for bullet in self.file.bullets:
            span = range(bullet.start, bullet.end)
            self.done |= set(span)
            if (self.file.path, bullet.fact.line) in self.gone.facts:
                self.drop |= set(span)
                self.hits.append(Hit(self.file.path, bullet.fact.line, "fact", bullet.fact.text, bullet.fact.id))
            else:
                self._ids(span)

    def entries(self) -> None:
        for entry in self.file.entries:
            self.done |= set(range(entry.start, entry.end))
            self._entry(entry)

    def _entry(self, entry: Entry) -> None:
        change, gone = entry.change, self.gone
        where = Hit(self.file.path, change.line, "change", change.new or change.old)
        about = [one for one in change.facts if one not in gone.ids]
        texts = {"new": change.new, "old": change.old, "reason": change.reason}
        said = {name: FORGOTTEN if gone.words.held(text) else text for name, text in texts.items()}
        if change.facts and not about:
            self.drop |= set(range(entry.start, entry.end))
            self.hits.append(where)
        elif said != texts:
            bare = replace(change, new=said["new"], old=said["old"], reason=said["reason"])
            left = without_ids(render_change(bare), gone.ids)
            lines = self.file.lines
            indent = lines[entry.start][: len(lines[entry.start]) - len(lines[entry.start].lstrip())]
            self.drop |= set(range(entry.start + 1, entry.end))
            self.new[entry.start] = f"{indent}{left}{ending(lines[entry.end - 1])}"
            self.hits.append(replace(where, kept="the entry, without these words"))
        else:
            self._ids(range(entry.start, entry.end))

    def _ids(self, span: range) -> None:
        for at in span:
            line = without_ids(self.file.lines[at], self.gone.ids)
            if line != self.file.lines[at]:
                self.new[at] = line

    def blocks(self) -> None:
        for block in self.file.blocks:
            self.done |= set(range(block.start, block.end))
            left, touched = without_quotes(block, self.gone)
            if not touched:
                continue
            hit = Hit(self.file.path, block.start + 1, "source", block.title)
            self.drop |= set(range(block.start, block.end))
            if left:
                self.drop.discard(block.start)
                self.new[block.start] = left
                hit = replace(hit, kept="what it says of other facts")
            self.hits.append(hit)
            self.gone.traces += touched

    def others(self) -> None:
        """Headings and a person's own lines between the bullets."""
        rest = set(range(self.file.header.end, len(self.file.lines))) - self.done
        found = without_lines("".join(self.file.lines), self.file.path, self.gone, "line", {at + 1 for at in rest})
        for hit in found.hits:
            at = hit.line - 1
            self.hits.append(hit)
            if hit.kept:
                line = self.file.lines[at]
                marks = content(line)[: len(content(line)) - len(content(line).lstrip().lstrip("#").lstrip())]
                self.new[at] = f"{marks}{FORGOTTEN}{ending(line)}"
            else:
                self.drop.add(at)


def without_quotes(block: SourceBlock, gone: Gone) -> tuple[str, list[str]]:
    """(a source block without what goes, "" where nothing but its heading is left; the lines that went).

    Its summary names the facts that it was written for. Where one of them goes, quotes that share a word with it, and none
    with the facts that stay, go as well: they are the same in other words.
    """
    lines = split(block.text)
    held = [gone.words.held(bare) for line in lines for bare in [next(iter(block_lines(line)), "")]]
    if not any(held):
        return block.text, []
    body = [at for at, line in enumerate(lines) if line.lstrip().startswith(">")]
    gap = next((at for at in range(1, len(lines)) if not lines[at].strip()), len(lines))
    summary = [at for at in body if at < gap]
    stay = [at for at in summary if not held[at]]
    if not stay:
        return "", [bare for line in lines for bare in block_lines(line)]
    lost = {word for at, line in enumerate(lines) if held[at] for word in terms(line)}
    lost -= {word for at in stay for word in terms(lines[at])}
    for at in body:
        if at >= gap and lost & set(terms(lines[at])):
            held[at] = True
    went = [bare for at, line in enumerate(lines) if held[at] for bare in block_lines(line)]
    if held[0]:  # the title is the first statement
        first = content(lines[stay[0]]).lstrip("> ").rstrip(".")
        lines[0] = f"### {block.date} — {first}{ending(lines[0])}"
        held[0] = False
    return "".join(line for at, line in enumerate(lines) if not held[at]), went


def _header(text: str, path: str, gone: Gone, hits: list[Hit]) -> str:
    file = parse_topic(text, path)
    goes = {fold(name) for name in (*gone.slugs, *gone.entities)}
    for entry in file.header.entries:
        key = entry.key
        if key in _LISTS:
            items = file.header.list(key)
            left = [item for item in items if fold(item) not in goes and not gone.words.held(item)]
            if len(left) < len(items):
                text = set_header(text, key, left)
                hits.append(Hit(path, entry.line, "header", f"{key}: {', '.join(i for i in items if i not in left)}"))
        elif key not in ("topic", "slug", "type", "status") and gone.words.held(file.header.text(key)):
            hits.append(Hit(path, entry.line, "header", f"{key}: {file.header.text(key)}", kept="the key"))
            text = set_header(text, key, FORGOTTEN)
    return text
