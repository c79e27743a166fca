"""Claude Code's auto-memory: one file a memory with `name`, `description` and `type` above its text, and MEMORY.md, which
lists them or holds notes itself.

The layout is that program's own and undocumented; what is read: the four types user, feedback, project and reference, at
the top or under `metadata:`. Every statement becomes one for the log, with the file's day.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from silo.core.imports.statements import Said, pieces
from silo.formats import markdown
from silo.formats.header import parse_header
from silo.formats.markdown import Kind
from silo.model import Tag
from silo.text.lines import split

_LINK = re.compile(r"\[[^\]]+\]\(([^)\s]+\.md)\)")
_TYPE = re.compile(r"^\s*type:\s*[\"']?(user|feedback|project|reference)\b", re.M)
_LEAD = re.compile(r"\*\*(Why|How to apply)\s*:?\*\*:?\s*", re.I)
_BOX = re.compile(r"\[[ xX]\]\s+")


def statements(text: str, path: str, day: str) -> tuple[Said, ...]:
    """What a file of an auto-memory says. A rule, its reason and how to apply it stay together where they fit a line."""
    lines = split(text)
    header = parse_header(lines, path)
    source = f"import/{'/'.join(path.rsplit('/', 2)[-2:])}"
    found = _TYPE.search("".join(lines[: header.end]))
    kind = found[1] if found else ""
    tag = Tag.PROCEDURE if kind == "feedback" else None
    body = "".join(lines[header.end :])
    said = list(_whole(body) if kind in ("feedback", "project") else _parts(body))
    if not said and (described := header.text("description")):
        said = [described]
    # The number of the statement, not of its line: a line typed above moves none.
    return tuple(
        Said(piece, day, f"{source}#{n}" + (f".{k}" if k > 1 else ""), tag=tag)
        for n, one in enumerate(said, 1)
        for k, piece in enumerate(pieces(one), 1)
    )


def _whole(body: str) -> Iterator[str]:
    """The paragraphs of a rule joined, as long as the whole fits one event; else one by one."""
    parts = list(_parts(body))
    joined = " ".join(parts)
    if len(joined) <= 500:
        yield from [joined] if joined else []
    else:
        yield from parts


def _parts(body: str) -> Iterator[str]:
    """Bullets and paragraphs, each below the heading that it needs to be understood; commands in backquotes."""
    heading, words, code = "", list[str](), list[str]()
    for line in [*markdown.scan(split(body)), markdown.Line(Kind.HEADING)]:
        if line.kind is Kind.FENCE:
            code.append(line.text)
            continue
        if code:
            words.append("; ".join(f"`{one.strip()}`" for one in code[1:-1] if one.strip()))
            code = []
        if line.kind in (Kind.TEXT, Kind.QUOTE, Kind.TABLE):
            words.append(_LEAD.sub(lambda hit: f"{hit[1]}: ", line.text.strip()))
            continue
        text = " ".join(word for word in words if word)
        if text:
            yield f"{heading}: {text}" if heading else text
        words = []
        if line.kind is Kind.HEADING:
            heading = line.text.strip() if line.level > 1 else ""
        elif line.kind is Kind.BULLET and not _LINK.match(line.text):
            words = [_BOX.sub("", _LEAD.sub(lambda hit: f"{hit[1]}: ", line.text.strip()))]
