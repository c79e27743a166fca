"""The branch of a conversation that counts, where a person went back and wrote on from an earlier point.

OpenClaw appends; a `leaf` record says on which branch the conversation goes on. Without one all records count, as the
host's own flat readers have it. The rules are those of its transcript-tree (2026.7.1, 2026.9.6). Claude Code has no such
record: the prompt that is written in another's place has the same parent.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise

from silo.formats.records import claude_code, is_tool_output
from silo.formats.session import Message

_ID = re.compile(rb'"id"\s*:\s*"([^"]+)"')
_PARENT = re.compile(rb'"parentId"\s*:\s*(?:"([^"]*)"|null)')
_TYPE = re.compile(rb'"type"\s*:\s*"([\w.-]+)"')
_SIDE = re.compile(rb'"appendMode"\s*:\s*"side"')
_HEAD = 400
LEAF = re.compile(rb'^\s*\{\s*"type"\s*:\s*"leaf"')
_CANONICAL = frozenset(
    (
        b"message",
        b"thinking_level_change",
        b"model_change",
        b"compaction",
        b"branch_summary",
        b"custom",
        b"custom_message",
        b"label",
        b"session_info",
    )
)


def hidden_ids(lines: Iterable[bytes]) -> frozenset[str]:
    """The ids off the active branch; none where no `leaf` record chooses one.

    What stands before the first record of the branch is not hidden: it is an earlier conversation of the same file.
    Looks at the first bytes of a line alone, where the host writes type, id and parentId; only `leaf` is parsed.
    """
    parents: dict[bytes, bytes | None] = {}
    leaf: bytes | None = None
    append: bytes | None = None
    chosen = False
    for line in lines:
        if LEAF.match(line):
            record = _leaf(line)
            if record is None:
                continue
            ident, target, onward = record
            if (target is not None and target not in parents) or (
                onward is not None and onward not in parents
            ):
                continue
            parents[ident] = target
            leaf, append, chosen = target, onward, True
            continue
        head = line[:_HEAD]
        kind, ident_hit = _TYPE.search(head), _ID.search(head)
        if kind is None or ident_hit is None or kind[1] == b"session":
            continue
        ident = ident_hit[1]
        given = _PARENT.search(head)
        parent = given[1] if given is not None else leaf
        canonical = kind[1] in _CANONICAL
        side = canonical and _SIDE.search(line) is not None
        if canonical and not side and parent == append and leaf != append:
            parent = leaf
        parents[ident] = parent
        append = ident
        if canonical and not side:
            leaf = ident
    return _off_path(leaf, parents) if chosen else frozenset()


def rewound_ids(lines: Callable[[], Iterable[bytes]]) -> frozenset[str]:
    """Claude Code: the ids of what a person went back from, to write something else in a prompt's place.

    A branch that goes on after the other has begun is no such one: the session is open in two windows.
    """
    prompts: dict[str, list[str]] = {}
    for line in lines():
        if b'"parentUuid"' in line and not is_tool_output(line):
            for ident, parent, spoken in _entries((line,)):
                if spoken and parent:
                    prompts.setdefault(parent, []).append(ident)
    places = [(one, after) for same in prompts.values() for one, after in pairwise(same)]
    if not places:
        return frozenset()
    parents = {ident: parent for ident, parent, _ in _entries(lines())}
    order = {ident: n for n, ident in enumerate(parents)}
    hidden: set[str] = set()
    for one, after in places:
        branch = {one}
        for ident, parent in parents.items():
            if parent in branch:
                branch.add(ident)
        if max(order[ident] for ident in branch) < order[after]:
            hidden |= branch
    return frozenset(hidden)


def _entries(lines: Iterable[bytes]) -> Iterator[tuple[str, str, bool]]:
    """(id, parent, whether it is a person's prompt) of each record; behind a compaction the parent is the one before it."""
    for line in lines:
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(record, dict) and isinstance(ident := record.get("uuid"), str):
            parent = record.get("parentUuid") or record.get("logicalParentUuid")
            made = claude_code(record) if record.get("type") == "user" else None
            yield ident, parent if isinstance(parent, str) else "", isinstance(made, Message) and not made.skip


def _leaf(line: bytes) -> tuple[bytes, bytes | None, bytes | None] | None:
    try:
        record = json.loads(line)
    except ValueError:
        return None
    if not isinstance(record, dict) or not isinstance(record.get("id"), str):
        return None
    target = record.get("targetId")
    onward = record.get("appendParentId", target)
    return record["id"].encode(), _bytes(target), _bytes(onward)


def _bytes(value: object) -> bytes | None:
    return value.encode() if isinstance(value, str) and value else None


def _off_path(leaf: bytes | None, parents: dict[bytes, bytes | None]) -> frozenset[str]:
    path: set[bytes] = set()
    root = b""
    while leaf is not None and leaf not in path and leaf in parents:
        path.add(leaf)
        root, leaf = leaf, parents[leaf]
    begun = not path
    hidden: list[bytes] = []
    for ident in parents:  # in the order of the file
        begun = begun or ident == root
        if begun and ident not in path:
            hidden.append(ident)
    return frozenset(ident.decode("utf-8", "replace") for ident in hidden)
