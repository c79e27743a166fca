"""A topic under another name, and two topics as one: every file that names it follows, in one plan. Pure.

Nothing is lost on the way. A merge carries the sections of the one file under those of the other, line by line; entries of
both changelogs stand in one, newest first; what the header said is kept as a source block. The old name stays an alias.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from silo.core.facts import End, Name, Note, apply_ops, bare, named_facts
from silo.core.overflow import archive_path
from silo.formats.events import EventFile, with_slug
from silo.formats.topic_edit import AGENT_NOTE
from silo.formats.topics import SourceBlock, TopicFile, new_archive, parse_topic, render_block, set_header
from silo.model import Change, Move, Remove, Write
from silo.text.fold import fold
from silo.text.lines import content, decode, encode, newline, sha256, split

LISTS = ("related", "depends_on")  # header keys of other topics that may name this one


def resluged(files: Iterable[EventFile], old: str, new: str) -> tuple[Write, ...]:
    """The event files in which lines of the old topic name the new one; every other byte stays."""
    changes: list[Write] = []
    for file in files:
        lines = list(file.lines)
        for event in file.events:
            if event.slug == old:
                lines[event.line - 1] = with_slug(lines[event.line - 1], new)
        if tuple(lines) != file.lines:
            before = encode("".join(file.lines))
            changes.append(Write(file.path, sha256(before), encode("".join(lines)), f"re-routed from {old} to {new}"))
    return tuple(changes)


def referring(text: str, path: str, old: str, new: str) -> str:
    """Another topic's text whose header names the new slug where it named the old one."""
    header = parse_topic(text, path).header
    for key in LISTS:
        named = header.list(key)
        if old in named:
            text = set_header(text, key, tuple(dict.fromkeys(new if one == old else one for one in named)))
    return text


def renamed(path: str, data: bytes, text: str, archive: bytes | None, new: str) -> tuple[Change, ...]:
    """The topic file and its archive under the new name. `text` is what it says now, hand edits told; `data` the file."""
    topic = parse_topic(text, path)
    old, to = topic.slug, f"{path.rpartition('/')[0]}/{new}.md"
    lines = list(topic.lines)
    title = next((h for h in topic.headings if h.level == 1 and h.text == old), None)
    if title is not None:
        lines[title.at] = lines[title.at].replace(old, new)
    aliases = dict.fromkeys([*(one for one in topic.header.list("aliases") if one != new), old])
    made = set_header(set_header("".join(lines), _name_key(topic), new), "aliases", tuple(aliases))
    changes: list[Change] = [Move(path, to, sha256(data), f"{old} is now {new}"), Write(to, sha256(data), encode(made), f"{old} is now {new}")]
    if archive is not None:
        there = archive_path(to)
        body = set_header(decode(archive), "topic", new)
        changes += [Move(archive_path(path), there, sha256(archive), f"{old} is now {new}"), Write(there, sha256(archive), encode(body), "renamed")]
    return tuple(changes)


def _name_key(topic: TopicFile) -> str:
    return "slug" if topic.header.entry("topic") is None and topic.header.entry("slug") is not None else "topic"


@dataclass(frozen=True, slots=True)
class Side:
    """One of two topics that become one: its file, what it says now, and its archive."""

    path: str
    data: bytes
    text: str
    archive: bytes | None = None


def merged(gone: Side, into: Side, today: str, at: str) -> tuple[tuple[Change, ...], str]:
    """The one file with both, the other one removed; and the text of the one."""
    source = _named(gone.text, gone.path, today, at)
    facts = {bare(f.text): f.id for f in named_facts(parse_topic(into.text, into.path)) if f.done is None}
    text = _with_sections(into.text, into.path, source)
    text = _with_entries(text, into.path, source)
    text = _with_blocks(text, into.path, [block.text for block in source.blocks], _header_block(source, today))
    text = _with_header(text, into.path, source)
    came = tuple(f.id for f in named_facts(source))
    doubles = [f for f in named_facts(source) if f.done is None and facts.get(bare(f.text), f.id) != f.id]
    ops = [Note(came, f"Merged from {source.slug}", "Merged by the owner", "merged")] if came else []
    ends = [End(f.id, f"It stands as {facts[bare(f.text)]} already", "merged", f.source) for f in doubles]
    named = [Name(facts[bare(f.text)]) for f in doubles]
    text = apply_ops(text, [*named, *ops, *ends], path=into.path, today=today, at=at)
    why = f"{source.slug} is part of it now"
    changes: list[Change] = [Write(into.path, sha256(into.data), encode(text), why), Remove(gone.path, sha256(gone.data), why)]
    if gone.archive is not None:
        old = parse_topic(decode(gone.archive), archive_path(gone.path))
        base = decode(into.archive) if into.archive is not None else new_archive(parse_topic(into.text, into.path).slug)
        body = _with_entries(base, archive_path(into.path), old)
        body = _with_blocks(body, archive_path(into.path), [block.text for block in old.blocks], "")
        expect = None if into.archive is None else sha256(into.archive)
        changes += [Write(archive_path(into.path), expect, encode(body), why), Remove(archive_path(gone.path), sha256(gone.archive), why)]
    return tuple(changes), text


def _named(text: str, path: str, today: str, at: str) -> TopicFile:
    """The topic with an id on every bullet: one by hand would get another one under another slug."""
    topic = parse_topic(text, path)
    return parse_topic(apply_ops(text, [Name(fact.id) for fact in named_facts(topic)], path=path, today=today, at=at), path)


def _sections(topic: TopicFile) -> list[tuple[str, list[str]]]:
    """The curated layer without its changelog as (heading of level 2, '' before the first one; its lines)."""
    start, end = topic.curated or (0, 0)
    cuts = sorted({start, *(h.at for h in topic.headings if h.level <= 2)})
    names = {h.at: h for h in topic.headings}
    found: list[tuple[str, list[str]]] = []
    for at, stop in zip(cuts, [*cuts[1:], end], strict=True):
        head = names.get(at)
        if at == topic.changelog:
            continue
        plain = head is not None and head.level == 1 and head.text == topic.slug
        lines = list(topic.lines[at + (1 if head is not None and (head.level == 2 or plain) else 0) : stop])
        name = head.text if head is not None and head.level == 2 else ""
        if any(line.strip() for line in lines) or (name and fold(name) != "facts"):
            found.append((name, lines))
    return found


def _with_sections(text: str, path: str, source: TopicFile) -> str:
    """The sections of the other topic: under the heading of the same name, else before the changelog."""
    for name, body in _sections(source):
        topic = parse_topic(text, path)
        style = topic.newline
        lines = list(topic.lines)
        words = [f"{content(line)}{style}" for line in _trimmed(body)]
        here = next((h for h in topic.headings if name and h.level == 2 and fold(h.text) == fold(name) and h.at != topic.changelog), None)
        stop = topic.curated[1] if topic.curated else len(lines)
        if here is not None:
            end = min([h.at for h in topic.headings if h.at > here.at and h.level <= 2] + [stop])
            while end > here.at + 1 and not lines[end - 1].strip():
                end -= 1
            lines[end:end] = words
        else:
            at = topic.changelog if topic.changelog is not None else stop
            gap = [style] if at and lines[at - 1].strip() else []
            lines[at:at] = [*gap, *([f"## {name}{style}"] if name else []), *words, style]
        text = "".join(lines)
    return text


def _with_entries(text: str, path: str, source: TopicFile) -> str:
    """Both changelogs as one: each entry of the other before the first one that is not newer. Other lines of it at the end."""
    taken: set[int] = set()
    for entry in source.entries:
        taken.update(range(entry.start, entry.end))
        topic = parse_topic(text, path)
        lines = list(topic.lines)
        raw = [f"{content(line)}{topic.newline}" for line in source.lines[entry.start : entry.end]]
        at = next((old.start for old in topic.entries if old.change.date < entry.change.date), None)
        if at is None:
            at = topic.entries[-1].end if topic.entries else _log_start(topic)
        head = [] if topic.changelog is not None else [f"## Changelog{topic.newline}"]
        lines[at:at] = [*head, *raw]
        text = "".join(lines)
    if source.changelog is not None and source.curated is not None:
        stop = min([h.at for h in source.headings if h.at > source.changelog and h.level <= 2] + [source.curated[1]])
        rest = [line for n, line in enumerate(source.lines[source.changelog + 1 : stop], source.changelog + 1) if n not in taken and line.strip()]
        if rest:
            topic = parse_topic(text, path)
            lines = list(topic.lines)
            at = topic.curated[1] if topic.curated else len(lines)
            lines[at:at] = [f"{content(line)}{topic.newline}" for line in rest]
            text = "".join(lines)
    return text


def _log_start(topic: TopicFile) -> int:
    if topic.changelog is not None:
        return topic.changelog + 1
    return topic.curated[1] if topic.curated else len(topic.lines)


def _with_blocks(text: str, path: str, blocks: Sequence[str], first: str) -> str:
    """The source blocks of both, newest first, each byte for byte; `first` is a new one."""
    topic = parse_topic(text, path)
    if topic.source is None or not (blocks or first):
        return text
    pool: list[tuple[str, str]] = [(block.date, block.text) for block in topic.blocks]
    wrapped = parse_topic("<!-- CURATED_START -->\n<!-- CURATED_END -->\n<!-- SOURCE_START -->\n" + "".join([first, *blocks]) + "<!-- SOURCE_END -->\n")
    more: tuple[SourceBlock, ...] = wrapped.blocks
    pool += [(block.date, block.text) for block in more]
    pool.sort(key=lambda pair: pair[0], reverse=True)
    lines = list(topic.lines)
    start = topic.blocks[0].start if topic.blocks else topic.source[1]
    style = newline(text)
    body = [line if line.endswith("\n") else line + style for _, block in pool for line in split(block)]
    lines[start : topic.source[1]] = body
    return "".join(lines)


def _header_block(source: TopicFile, today: str) -> str:
    """What the other file said outside its layers, as a source block: nothing that a hand wrote there is lost."""
    marks = {source.curated[0] - 1, source.curated[1]} if source.curated else set()
    marks |= {source.source[0] - 1, source.source[1]} if source.source else set()
    inside = [span for span in (source.curated, source.source) if span]
    said = [
        content(line)
        for n, line in enumerate(source.lines)
        if line.strip() and n not in marks and not any(a <= n < b for a, b in inside) and content(line).strip() not in ("---", AGENT_NOTE)
    ]
    before = source.lines[source.source[0] : source.blocks[0].start if source.blocks else source.source[1]] if source.source else ()
    said += [content(line) for line in before if line.strip()]
    return render_block(today, f"The topic {source.slug} was merged into this one", [f"Its header was, until {today}:"], said)


def _with_header(text: str, path: str, source: TopicFile) -> str:
    mine = parse_topic(text, path).header
    for key in ("tags", "entities", "related", "depends_on"):
        both = dict.fromkeys([*mine.list(key), *source.header.list(key)])
        if tuple(both) != mine.list(key):
            text = set_header(text, key, tuple(both))
    slug = parse_topic(text, path).slug
    aliases = dict.fromkeys([*mine.list("aliases"), *source.header.list("aliases"), source.slug])
    return set_header(text, "aliases", tuple(one for one in aliases if one != slug))


def _trimmed(lines: Sequence[str]) -> list[str]:
    kept = list(lines)
    while kept and not kept[-1].strip():
        kept.pop()
    while kept and not kept[0].strip():
        kept.pop(0)
    return kept
