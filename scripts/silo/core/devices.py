"""Two devices' versions of a file, brought together over the version that both had: nothing of either is lost.

Lines that stand for themselves (events, graph, decisions) are merged as sets by their id; Markdown by diff3, both sides
kept where they clash; JSON by key and item. What both changed into different things is told as a `Collision`. Pure.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from silo.formats import jsonl
from silo.formats.decisions import merge as merge_decisions
from silo.formats.events import parse_line
from silo.model import Event
from silo.text.diff3 import blocks, merge
from silo.text.lines import content, decode, encode, split

DECISIONS = ("review.jsonl", "proposals.jsonl", "tombstones.jsonl")


@dataclass(frozen=True, slots=True)
class Collision:
    """A place where both devices changed the same into different things: what stands now, and what stood there."""

    path: str
    here: str
    there: str


@dataclass(frozen=True, slots=True)
class Brought:
    """A file after merging; None: gone on both sides."""

    data: bytes | None
    collisions: tuple[Collision, ...] = ()


def bring(path: str, base: bytes | None, here: bytes | None, there: bytes | None) -> Brought:
    """The file of both devices. `base` is what both had, None where that is not known or there was nothing."""
    if here == there or there == base:
        return Brought(here)
    if here == base:
        return Brought(there)
    if here is None or there is None:  # deleted by one, changed by the other: the change stays
        return Brought(there if here is None else here)
    was, mine, other = (decode(data) if data is not None else None for data in (base, here, there))
    assert mine is not None
    assert other is not None
    found: list[Collision] = []
    tell = found.append
    name = path.rpartition("/")[2]
    if name in DECISIONS:
        text = _decisions(was, mine, other)
    elif name.endswith(".jsonl"):
        text = _lines(path, was, mine, other, lambda line: line.strip(), tell)
    elif "/events/" in path:
        day = name.removesuffix(".md")
        text = _lines(path, was, mine, other, lambda line: _event_key(line, day), tell)
    elif name.endswith(".json"):
        text = _json(path, was, mine, other, tell)
    else:
        text = _markdown(path, was, mine, other, tell)
    return Brought(encode(text), tuple(found))


# --- lines as sets ----------------------------------------------------------------------------------------


def _event_key(line: str, day: str) -> str:
    event = parse_line(content(line), day, "", 1)
    return event.id if isinstance(event, Event) and event.id else line.strip()


def _keyed(text: str, key: Callable[[str], str]) -> dict[tuple[str, int], str]:
    """(key, how many of that key before) → line; blank lines left out."""
    seen: Counter[str] = Counter()
    found: dict[tuple[str, int], str] = {}
    for line in split(text):
        if line.strip():
            name = key(line)
            found[name, seen[name]] = line
            seen[name] += 1
    return found


def _lines(path: str, was: str | None, mine: str, other: str, key: Callable[[str], str], tell: Callable[[Collision], None]) -> str:
    """Our lines in our order, without those that the other took out, in its wording where it alone changed one; its new ones behind."""
    base, theirs = _keyed(was or "", key), _keyed(other, key)
    out: list[str] = []
    seen: Counter[str] = Counter()
    here = _keyed(mine, key)
    for line in split(mine):
        if not line.strip():
            out.append(line)
            continue
        name = key(line)
        spot = (name, seen[name])
        seen[name] += 1
        before, there = base.get(spot), theirs.get(spot)
        if there is None:
            if before is None or content(before) != content(line):
                out.append(line)  # new here, or changed here
        elif content(there) == content(line) or (before is not None and content(before) == content(there)):
            out.append(line)
        elif before is not None and content(before) == content(line):
            out.append(there)
        else:
            out.append(line)
            if before is not None:
                tell(Collision(path, content(line).strip(), content(there).strip()))
    for spot, line in theirs.items():
        gone_here = spot in base and content(base[spot]) == content(line)
        if spot not in here and not gone_here:
            if out and not out[-1].endswith("\n"):
                out[-1] += "\n"
            out.append(line if line.endswith("\n") else line + "\n")
    return "".join(out)


def _decisions(was: str | None, mine: str, other: str) -> str:
    """By id, the later decision wins; lines that one side took out since (a forget) stay out."""
    gone = {line.strip() for line in split(was or "") if line.strip()}
    left = [line for line in split(other) if line.strip() not in gone or line.strip() in {one.strip() for one in split(mine)}]
    kept = {line.strip() for line in split(other)}
    ours = [line for line in split(mine) if line.strip() not in gone or line.strip() in kept]
    return merge_decisions("".join(ours), "".join(left))


# --- Markdown ---------------------------------------------------------------------------------------------


def _common(mine: str, other: str) -> str:
    """The lines that both have, in order: what a base must have held at least."""
    lines = split(mine)
    return "".join("".join(lines[a : a + n]) for a, _, n in blocks(lines, split(other)))


def _markdown(path: str, was: str | None, mine: str, other: str, tell: Callable[[Collision], None]) -> str:
    head, body = _parted(mine)
    head_other, body_other = _parted(other)
    head_was, body_was = _parted(was) if was is not None else (_common(head, head_other), _common(body, body_other))
    return _header(path, head_was, head, head_other, tell) + _both(path, body_was, body, body_other, tell)


def _parted(text: str) -> tuple[str, str]:
    """(YAML header with its fences, the rest)."""
    lines = split(text)
    if lines and content(lines[0].lstrip("\ufeff")).rstrip() == "---":
        end = next((n for n, line in enumerate(lines[1:], 1) if content(line).rstrip() == "---"), None)
        if end is not None:
            return "".join(lines[: end + 1]), "".join(lines[end + 1 :])
    return "", text


def _both(path: str, was: str, mine: str, other: str, tell: Callable[[Collision], None]) -> str:
    """diff3; where the sides clash, the lines that both left and the new ones of each, ours first."""
    merged = merge(was, mine, other)
    lines = split(merged.text)
    out: list[str] = []
    at = 0
    for clash in merged.clashes:
        out += lines[at : clash.at]
        ours, theirs, base = (split(text) for text in (clash.mine, clash.theirs, clash.base))
        out += _settled(ours, theirs, base)
        new_here, new_there = ([line for line in side if line.strip() and line not in base] for side in (ours, theirs))
        if clash.base.strip() and new_here and [line for line in new_there if line not in new_here]:
            tell(Collision(path, "".join(new_here).strip(), "".join(new_there).strip()))
        at = clash.at + len(theirs)
    out += lines[at:]
    return "".join([*(line if line.endswith("\n") else f"{line}\n" for line in out[:-1]), *out[-1:]])


def _settled(ours: list[str], theirs: list[str], base: list[str]) -> list[str]:
    """Our lines but those that the other alone took out, then the other's new ones."""
    kept = [line for line in ours if not (line.strip() and line in base and line not in theirs)]
    return kept + [line for line in theirs if line.strip() and line not in ours and line not in base]


def _header(path: str, was: str, mine: str, other: str, tell: Callable[[Collision], None]) -> str:
    """Key by key; dates and figures by the greater, other values that both changed stay ours and are told."""
    if not mine or not other:
        return mine or other
    base, theirs = _entries(was), _entries(other)
    ours = _entries(mine)
    out: list[str] = []
    for name, text in ours.items():
        there, before = theirs.get(name), base.get(name)
        if there is None:
            out.append("" if before == text else text)
        elif text in (there, before):
            out.append(there)
        elif there == before:
            out.append(text)
        elif name.startswith(("last_", "created")):
            out.append(max(text, there))
        else:
            out.append(text)
            tell(Collision(path, text.strip(), there.strip()))
    new = [text for name, text in theirs.items() if name not in ours and base.get(name) != text]
    return "".join([*out[:-1], *new, *out[-1:]])  # the closing fence is the last entry


def _entries(header: str) -> dict[str, str]:
    """Key → its lines, what is indented below a key with it; fences and comments under their own text."""
    found: dict[str, str] = {}
    name = ""
    for number, line in enumerate(split(header)):
        key, colon, _ = line.partition(":")
        if content(line).rstrip() == "---":
            name = "first fence" if number == 0 else "last fence"
        elif line[:1] not in (" ", "\t", "-", "#", "") and colon:
            name = key
        elif line.startswith("#"):
            name = line
        found[name] = found.get(name, "") + line
    return found


# --- JSON -------------------------------------------------------------------------------------------------


def _json(path: str, was: str | None, mine: str, other: str, tell: Callable[[Collision], None]) -> str:
    here, there = jsonl.loads(mine), jsonl.loads(other)
    if not isinstance(here, dict | list) or type(here) is not type(there):
        return mine if isinstance(here, dict | list) else other
    base = jsonl.loads(was) if was else None
    value = _value(path, base, here, there, tell)
    if value == here:
        return mine
    if value == there:
        return other
    return jsonl.dumps(value) + "\n" if path.endswith("memory-tree.json") else jsonl.pretty(value)


def _value(path: str, base: Any, here: Any, there: Any, tell: Callable[[Collision], None]) -> Any:
    """The three-way merge of two JSON values; what both changed differently stays ours, figures become the greater one."""
    if here == there or there == base:
        return here
    if here == base:
        return there
    if isinstance(here, dict) and isinstance(there, dict):
        return _object(path, base if isinstance(base, dict) else {}, here, there, tell)
    if isinstance(here, list) and isinstance(there, list):
        return _list(path, base if isinstance(base, list) else [], here, there, tell)
    if all(isinstance(one, int | float) and not isinstance(one, bool) for one in (here, there)):
        return max(here, there)
    if base is not None:
        tell(Collision(path, json.dumps(here, ensure_ascii=False), json.dumps(there, ensure_ascii=False)))
    return here


def _object(path: str, base: Mapping[str, Any], here: Mapping[str, Any], there: Mapping[str, Any], tell: Callable[[Collision], None]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for key in [*here, *(key for key in there if key not in here)]:
        if key in here and key in there:
            out[key] = _value(path, base.get(key), here[key], there[key], tell)
        else:
            held = here if key in here else there
            if key not in base or base[key] != held[key]:  # new, or changed while the other deleted it
                out[key] = held[key]
    return out


def _list(path: str, base: list[Any], here: list[Any], there: list[Any], tell: Callable[[Collision], None]) -> list[Any]:
    """Items by their id, name or text, else by their whole value; ours in our order, the other's new ones behind."""
    was, mine, other = ({_item_key(one): one for one in items} for items in (base, here, there))
    return list(_object(path, was, mine, other, tell).values())


def _item_key(item: Any) -> str:
    if isinstance(item, dict):
        for key in ("id", "name", "text"):
            if isinstance(item.get(key), str):
                return f"{key}:{item[key]}"
    return json.dumps(item, ensure_ascii=False, sort_keys=True)
