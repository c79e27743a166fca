"""A person at a topic file: the edits that people make, as text → text. What tests of hand edits stand on.

Each edit takes the file's text, a number that picks the place and a word of its own that it leaves wherever it writes
something new. None: the file offers nothing to edit that way.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from silo.formats.topics import TopicFile, parse_topic
from silo.text.lines import split

Edit = Callable[[str, int, str], str | None]


def bullet_lines(topic: TopicFile, at: int) -> tuple[int, int] | None:
    """The lines of one bullet, with all that is indented under it."""
    if not topic.bullets:
        return None
    bullet = topic.bullets[at % len(topic.bullets)]
    return bullet.start, bullet.below


def reworded(text: str, at: int, word: str) -> str | None:
    """One bullet says something more; its comment stays."""
    topic = parse_topic(text)
    if not topic.bullets:
        return None
    bullet = topic.bullets[at % len(topic.bullets)]
    lines = split(text)
    head, mark, tail = lines[bullet.start].rstrip("\n").partition(" <!--")
    lines[bullet.start] = f"{head.removesuffix('.')}, says {word}.{mark}{tail}\n"
    return "".join(lines)


def rewritten(text: str, at: int, word: str) -> str | None:
    """One bullet says something else altogether; its comment stays."""
    topic = parse_topic(text)
    if not topic.bullets:
        return None
    bullet = topic.bullets[at % len(topic.bullets)]
    lines = split(text)
    _, mark, tail = lines[bullet.start].rstrip("\n").partition(" <!--")
    lines[bullet.start] = f"{bullet.prefix}Nobody knows anything about {word}.{mark}{tail}\n"
    return "".join(lines)


def deleted(text: str, at: int, word: str) -> str | None:
    """One bullet is gone."""
    found = bullet_lines(parse_topic(text), at)
    if found is None:
        return None
    lines = split(text)
    return "".join(lines[: found[0]] + lines[found[1] :])


def moved(text: str, at: int, word: str) -> str | None:
    """One bullet stands first."""
    topic = parse_topic(text)
    found = bullet_lines(topic, at)
    if found is None:
        return None
    lines = split(text)
    cut = lines[found[0] : found[1]]
    first = topic.bullets[0].start
    return "".join(lines[:first] + cut + lines[first : found[0]] + lines[found[1] :])


def under_another_heading(text: str, at: int, word: str) -> str | None:
    """One bullet stands under a new heading before the changelog."""
    topic = parse_topic(text)
    found = bullet_lines(topic, at)
    if found is None or topic.changelog is None:
        return None
    lines = split(text)
    cut = lines[found[0] : found[1]]
    heading = [f"## About {word}\n", *cut, "\n"]
    return "".join(lines[: found[0]] + lines[found[1] : topic.changelog] + heading + lines[topic.changelog :])


def reordered(text: str, at: int, word: str) -> str | None:
    """All bullets of the first section stand the other way round."""
    topic = parse_topic(text)
    if len(topic.bullets) < 2:
        return None
    lines = split(text)
    spans = [(one.start, one.below) for one in topic.bullets]
    if any(end != start for (_, end), (start, _) in pairwise(spans)):
        spans = spans[: next(n for n in range(1, len(spans)) if spans[n - 1][1] != spans[n][0])]
    body = [line for start, end in reversed(spans) for line in lines[start:end]]
    return "".join(lines[: spans[0][0]] + body + lines[spans[-1][1] :])


def headings_swapped(text: str, at: int, word: str) -> str | None:
    """The last section before the changelog stands first."""
    topic = parse_topic(text)
    plain = [one for one in topic.headings if one.level == 2 and one.at != topic.changelog]
    if len(plain) < 2 or topic.changelog is None:
        return None
    lines = split(text)
    first, last = plain[0].at, plain[-1].at
    return "".join(lines[:first] + lines[last : topic.changelog] + lines[first:last] + lines[topic.changelog :])


def copied(text: str, at: int, word: str) -> str | None:
    """One bullet stands twice, comment and all, and the copy says something more."""
    found = bullet_lines(parse_topic(text), at)
    if found is None:
        return None
    lines = split(text)
    copy = lines[found[0] : found[1]]
    head, mark, tail = copy[0].rstrip("\n").partition(" <!--")
    copy[0] = f"{head.removesuffix('.')}, copied as {word}.{mark}{tail}\n"
    return "".join(lines[: found[1]] + copy + lines[found[1] :])


def without_comment(text: str, at: int, word: str) -> str | None:
    """One bullet has lost its comment."""
    found = bullet_lines(parse_topic(text), at)
    if found is None:
        return None
    lines = split(text)
    lines[found[0]] = lines[found[0]].rstrip("\n").partition(" <!--")[0] + "\n"
    return "".join(lines)


def retyped(text: str, at: int, word: str) -> str | None:
    """One bullet was typed anew, without its comment and a little differently."""
    bare = without_comment(text, at, word)
    return None if bare is None else reworded(bare, at, word)


def wrapped(text: str, at: int, word: str) -> str | None:
    """One bullet goes on in a second line."""
    found = bullet_lines(parse_topic(text), at)
    if found is None:
        return None
    lines = split(text)
    lines[found[0]] = lines[found[0]].rstrip("\n") + f"\n  and on with {word}.\n"
    return "".join(lines)


def added(text: str, at: int, word: str) -> str | None:
    """A new bullet at some place."""
    topic = parse_topic(text)
    found = bullet_lines(topic, at)
    lines = split(text)
    new = f"- My own line about {word}.\n"
    if found is not None:
        return "".join([*lines[: found[0]], new, *lines[found[0] :]])
    if topic.changelog is None:
        return None
    return "".join([*lines[: topic.changelog], new, "\n", *lines[topic.changelog :]])


def ticked(text: str, at: int, word: str) -> str | None:
    """One bullet is a ticked box now, or a to-do again."""
    topic = parse_topic(text)
    if not topic.bullets:
        return None
    bullet = topic.bullets[at % len(topic.bullets)]
    lines = split(text)
    line = lines[bullet.start]
    if bullet.fact.done is None:
        lines[bullet.start] = bullet.prefix + "[x] " + line[len(bullet.prefix) :]
    else:
        lines[bullet.start] = line.replace("[ ]", "[x]", 1) if not bullet.fact.done else line.replace("[x]", "[ ]", 1)
    return "".join(lines)


def noted(text: str, at: int, word: str) -> str | None:
    """Prose of the person's own among the bullets, and a key of their own in the header."""
    topic = parse_topic(text)
    if topic.changelog is None:
        return None
    lines = split(text)
    lines.insert(topic.changelog, f"Some prose of mine on {word}.\n\n")
    lines.insert(1, f"about-{word}: {word}\n")
    return "".join(lines)


EDITS: dict[str, Edit] = {
    edit.__name__: edit
    for edit in (
        reworded, rewritten, deleted, moved, under_another_heading, reordered, headings_swapped, copied,
        without_comment, retyped, wrapped, added, ticked, noted,
    )
}  # fmt: skip
WRITING = frozenset({"reworded", "rewritten", "under_another_heading", "copied", "retyped", "wrapped", "added", "noted"})
