"""Edits of a topic file as text → text; nothing outside the named lines changes. Re-exported by topics.py.

Line numbers are those of `Fact.line` and `ChangeEntry.line` (from 1). An edit of a file that is not
`TopicFile.editable`, or of a line that holds no such thing, is a mistake of the caller: ValueError.
Does not write a changelog by itself: core/facts.py joins the two.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from silo.formats import comment, markdown
from silo.formats.changes import render_change
from silo.formats.header import render_key, set_key
from silo.formats.topic_file import (
    FACT_ID,
    FACT_KEYS,
    Bullet,
    Heading,
    SourceBlock,
    TopicFile,
    parse_topic,
)
from silo.formats.topic_shape import is_marker
from silo.model import ChangeEntry, Fact
from silo.text.fold import fold
from silo.text.lines import content, ending, one_line, split

FACTS = "Facts"
CHANGELOG = "Changelog"
AGENT_NOTE = "<!-- Kept by memory-silo: correct it by hand as you like; the assistant changes it through the commands. -->"


def new_topic(
    slug: str,
    *,
    type: str,
    created: str,
    summary: str,
    status: str = "active",
    tags: Sequence[str] = (),
    entities: Sequence[str] = (),
    extra: Mapping[str, str | Sequence[str]] | None = None,
) -> str:
    """An empty topic file; `extra` are optional header keys such as path, sensitivity or agents."""
    keys: dict[str, str | Sequence[str]] = {
        "topic": slug, "type": type, "status": status, "tags": tags, "entities": entities, "created": created,
        "last_verified": created, "last_curated": created, "summary": one_line(summary), **(extra or {}),
    }  # fmt: skip
    header = "".join(f"{render_key(key, value)}\n" for key, value in keys.items())
    return (
        f"---\n{header}---\n{AGENT_NOTE}\n<!-- CURATED_START -->\n# {slug}\n\n## {FACTS}\n\n## {CHANGELOG}\n"
        "<!-- CURATED_END -->\n<!-- SOURCE_START -->\n<!-- SOURCE_END -->\n"
    )


def new_archive(slug: str) -> str:
    """An empty archive file of a topic: old changelog entries and old source blocks, nothing else."""
    return (
        f"---\ntopic: {slug}\n---\n<!-- What overflowed from {slug}.md: old changelog entries and source blocks. -->\n"
        f"<!-- CURATED_START -->\n## {CHANGELOG}\n<!-- CURATED_END -->\n<!-- SOURCE_START -->\n<!-- SOURCE_END -->\n"
    )


def render_fact(fact: Fact) -> str:
    """What follows a bullet's marker: check box, text and comment; parsed again it is the same fact."""
    box = "" if fact.done is None else "[x] " if fact.done else "[ ] "
    text = markdown.escape_start(comment.hide(one_line(fact.text)))
    pairs = [(fact.id, ""), ("since", fact.since), ("seen", fact.seen), ("src", fact.source)]
    own = [(key, value) for key, value in pairs if key and (value or FACT_ID.match(key))]
    return box + text + comment.render([*own, *fact.extra])


def insert_fact(text: str, fact: Fact, heading: str = "") -> str:
    """The fact as a new bullet, after the last one under that heading.

    Without a heading: under "Facts", else where the first fact stands. A heading that is not there is made, before
    the changelog.
    """
    topic = _editable(text)
    section = _section(topic, heading)
    if section is None:
        return _insert_section(topic, heading or FACTS, f"- {render_fact(fact)}")
    start, end = section
    inside = [bullet for bullet in topic.bullets if start <= bullet.start < end]
    if inside:
        indent = min(bullet.indent for bullet in inside)
        last = [bullet for bullet in inside if bullet.indent == indent][-1]
        at, prefix, lead = last.below, last.prefix, ""
    else:
        said = next((n for n in range(end - 1, start - 1, -1) if topic.lines[n].strip()), None)
        at, prefix, lead = (start, "- ", "") if said is None else (said + 1, "- ", topic.newline)
    return _insert(topic, at, f"{lead}{prefix}{render_fact(fact)}")


def replace_bullet(text: str, line: int, new: str) -> str:
    """The bullet's own lines replaced by one: its indent and marker, then `new` (what `render_fact` gives)."""
    topic = _editable(text)
    bullet = _bullet(topic, line)
    lines = list(topic.lines)
    end = ending(lines[bullet.end - 1])
    lines[bullet.start : bullet.end] = [f"{bullet.prefix}{one_line(new)}{end}"]
    return "".join(lines)


def replace_lines(text: str, line: int, new: str) -> str:
    """The bullet's own lines replaced by others, byte for byte: what stood there before a change."""
    topic = _editable(text)
    bullet = _bullet(topic, line)
    return "".join([*topic.lines[: bullet.start], new, *topic.lines[bullet.end :]])


def replace_fact(text: str, line: int, fact: Fact) -> str:
    """The bullet of that line with the fact's text, check box and comment."""
    return replace_bullet(text, line, render_fact(fact))


def remove_bullet(text: str, line: int) -> str:
    """The text without the bullet's own lines; what stands indented below it stays."""
    topic = _editable(text)
    bullet = _bullet(topic, line)
    return "".join([*topic.lines[: bullet.start], *topic.lines[bullet.end :]])


def attach_id(text: str, line: int, fact_id: str) -> str:
    """` <!-- f_… -->` at the end of a bullet by hand, and nothing else. A bullet that has an id is refused."""
    bullet = _bullet(_editable(text), line)
    if bullet.fact.id:
        raise ValueError(f"the fact on line {line} has an id")
    return _at_end(text, bullet, f" <!-- {fact_id} -->")


def change_id(text: str, line: int, fact_id: str) -> str:
    """Another id in the comment of a copied bullet; its text and its other marks keep every byte."""
    bullet = _bullet(_editable(text), line)
    old = bullet.fact.id
    if not old:
        raise ValueError(f"the fact on line {line} has no id")
    lines = split(text)
    for at in range(bullet.start, bullet.end):
        for raw in comment.split(content(lines[at]), FACT_KEYS, FACT_ID)[1]:
            if (old, "") in comment.read([raw], FACT_KEYS, FACT_ID):
                begin = lines[at].rindex(raw)
                lines[at] = lines[at][:begin] + raw.replace(old, fact_id, 1) + lines[at][begin + len(raw) :]
                return "".join(lines)
    raise ValueError(f"the id of the fact on line {line} can't be found")


def set_mark(text: str, line: int, key: str, value: str) -> str:
    """One key (since, seen, src) of a fact's comment set in place; its text keeps every byte."""
    if key not in FACT_KEYS:
        raise ValueError(f"{key} is no key of a fact")
    bullet = _bullet(_editable(text), line)
    lines = split(text)
    for at in range(bullet.start, bullet.end):
        for raw in comment.split(content(lines[at]), FACT_KEYS, FACT_ID)[1]:
            pairs = comment.read([raw], FACT_KEYS, FACT_ID)
            if any(name == key for name, _ in pairs):
                begin = lines[at].rindex(raw)
                done = [(name, value if name == key else old) for name, old in pairs]
                lines[at] = lines[at][:begin] + comment.render(done)[1:] + lines[at][begin + len(raw) :]
                return "".join(lines)
            if any(name for name, _ in pairs) and key not in dict(_marks(bullet, lines)):
                begin = lines[at].rindex(raw)
                lines[at] = (
                    lines[at][:begin]
                    + comment.render([*pairs, (key, value)])[1:]
                    + lines[at][begin + len(raw) :]
                )
                return "".join(lines)
    return _at_end(text, bullet, comment.render([(key, value)]))


def add_change(text: str, entry: ChangeEntry) -> str:
    """A changelog entry at its place: before the first one that is not newer. The section is made if it is missing."""
    topic = _editable(text)
    new = render_change(entry)
    if topic.changelog is None:
        return _insert_section(topic, CHANGELOG, new)
    at = next((old.start for old in topic.entries if old.change.date <= entry.date), None)
    if at is None:
        at = topic.entries[-1].end if topic.entries else topic.changelog + 1
    return _insert(topic, at, new)


def render_block(date: str, title: str, summary: Sequence[str], excerpt: Sequence[str] = ()) -> str:
    """A source block: `### DATE — Title`, quoted summary lines, a blank line, the quoted excerpt, a blank line."""
    head = f"### {date} — {comment.hide(one_line(title))}"
    quoted = [f"> {one_line(line)}".rstrip() for line in summary]
    said = [f"> {one_line(line)}".rstrip() for line in excerpt]
    return "\n".join([head, *quoted, *(["", *said] if said else []), "", ""])


def add_source_block(text: str, block: str) -> str:
    """A source block at its place, newest first. The layer is made if it is missing.

    Lines of the block that are markers of ours are quoted, so that no content can end the layer.
    """
    topic = _editable(text)
    style = topic.newline
    body = [
        ("> " if is_marker(line) else "") + content(line) + (ending(line) or style) for line in split(block)
    ]
    if not body:
        return text
    lines = list(topic.lines)
    if topic.source is None:
        at = (topic.curated or (0, len(lines)))[1] + 1
        lead = "" if ending(lines[at - 1]) else style
        lines.insert(at, f"{lead}<!-- SOURCE_START -->{style}{''.join(body)}<!-- SOURCE_END -->{style}")
        return "".join(lines)
    date = _first_date(body)
    at = next((old.start for old in topic.blocks if old.date <= date), topic.source[1])
    if at < topic.source[1] and body[-1].strip():
        body.append(style)
    if at == topic.source[1] and topic.blocks and lines[at - 1].strip():
        body.insert(0, style)
    lines[at:at] = body
    return "".join(lines)


def remove_source_block(text: str, block: SourceBlock) -> str:
    """The text without a source block, for moving it to the archive file."""
    topic = _editable(text)
    if block not in topic.blocks:
        raise ValueError("no such block")
    return "".join([*topic.lines[: block.start], *topic.lines[block.end :]])


def set_header(text: str, key: str, value: str | Sequence[str] | None) -> str:
    """One header key set (None takes it out); every other byte stays."""
    return set_key(text, key, value)


def _editable(text: str) -> TopicFile:
    topic = parse_topic(text)
    if not topic.editable or topic.curated is None:
        raise ValueError("the topic's markers are damaged: nothing may be written")
    return topic


def _bullet(topic: TopicFile, line: int) -> Bullet:
    found = next((bullet for bullet in topic.bullets if bullet.start == line - 1), None)
    if found is None:
        raise ValueError(f"line {line} is no curated fact")
    return found


def _at_end(text: str, bullet: Bullet, more: str) -> str:
    lines = split(text)
    last = lines[bullet.end - 1]
    lines[bullet.end - 1] = content(last) + more + ending(last)
    return "".join(lines)


def _marks(bullet: Bullet, lines: Sequence[str]) -> comment.Pairs:
    found = [
        raw
        for line in lines[bullet.start : bullet.end]
        for raw in comment.split(content(line), FACT_KEYS, FACT_ID)[1]
    ]
    return comment.read(found, FACT_KEYS, FACT_ID)


def _section(topic: TopicFile, heading: str) -> tuple[int, int] | None:
    """The lines under a heading, up to the next one; for '' those where a new fact belongs."""
    if topic.curated is None:
        return None
    plain = [h for h in topic.headings if h.at != topic.changelog]
    chosen: Heading | None = next((h for h in plain if fold(h.text) == fold(heading or FACTS)), None)
    if chosen is None and heading:
        return None
    if chosen is None:
        first = next((bullet for bullet in topic.bullets if bullet.fact.done is None), None)
        if first is None:
            return None
        chosen = next((h for h in reversed(topic.headings) if h.at < first.start), None)
    start = chosen.at + 1 if chosen is not None else topic.curated[0]
    end = next((h.at for h in topic.headings if h.at >= start), topic.curated[1])
    return start, end


def _insert(topic: TopicFile, at: int, bullet: str) -> str:
    """A bullet on a line of its own; an indented line that follows is kept apart, or it would become its text."""
    lines = list(topic.lines)
    follows = lines[at] if at < len(lines) else ""
    apart = topic.newline if follows[:1] in (" ", "\t") and follows.strip() else ""
    lines.insert(at, f"{bullet}{topic.newline}{apart}")
    return "".join(lines)


def _insert_section(topic: TopicFile, heading: str, bullet: str) -> str:
    """A new section with one bullet: before the changelog, or at the end of the curated layer."""
    start, end = topic.curated or (0, len(topic.lines))
    at = topic.changelog if topic.changelog is not None else end
    lines = list(topic.lines)
    before = [""] if at > start and lines[at - 1].strip() else []
    after = [""] if at < end else []
    lines[at:at] = [f"{line}{topic.newline}" for line in [*before, f"## {heading}", bullet, *after]]
    return "".join(lines)


def _first_date(block: Sequence[str]) -> str:
    """The date of a block's heading, '' if it has none: such a block goes to the end."""
    wrapped = parse_topic(
        "<!-- CURATED_START -->\n<!-- CURATED_END -->\n<!-- SOURCE_START -->\n" + "".join(block)
    )
    return wrapped.blocks[0].date if wrapped.blocks else ""
