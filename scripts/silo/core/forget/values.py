"""JSON and JSON-lines files without what goes: warm, hot and tree files, the graph, review items, proposals."""

from __future__ import annotations

from typing import Any

from silo.core.forget.choose import Gone
from silo.core.forget.hits import Hit, Left
from silo.core.forget.lines import FORGOTTEN
from silo.formats import jsonl
from silo.formats.graph import line_id
from silo.text.lines import BOM, content, ending, split

_GONE: Any = object()


def without_values(text: str, path: str, gone: Gone, kind: str) -> Left:
    """A file of one JSON value without the entries, texts and keys that go, in the style that it was written in."""
    value = jsonl.loads(text.removeprefix(BOM)) if text.strip() else None
    if value is None:
        return Left(text)
    hits: list[Hit] = []
    left = _without(value, gone, hits, path, kind, text)
    if not hits:
        return Left(text)
    if left is _GONE:
        return Left(None, tuple(hits))
    done = jsonl.pretty(left) if text.lstrip()[1:2] == "\n" else jsonl.dumps(left) + "\n"
    return Left(done, tuple(hits))


def _without(value: Any, gone: Gone, hits: list[Hit], path: str, kind: str, text: str) -> Any:
    """The value, or `_GONE`. An object whose own words go is gone whole where it is an item of a list."""
    if isinstance(value, str):
        if gone.words.held(value):
            hits.append(Hit(path, _line(text, value), kind, value))
            return _GONE
        return value
    if isinstance(value, list):
        items = []
        for item in value:
            if isinstance(item, dict) and _goes(item, gone):
                said = str(item.get("text") or item.get("name") or item.get("id"))
                hits.append(Hit(path, _line(text, said), kind, said, str(item.get("id", ""))))
            elif (left := _without(item, gone, hits, path, kind, text)) is not _GONE:
                items.append(left)
        return items
    if isinstance(value, dict):
        found: dict[str, Any] = {}
        for key, item in value.items():
            if kind == "tree" and _is_node(key, gone):
                hits.append(Hit(path, _line(text, key), kind, key))
                continue
            left = _without(item, gone, hits, path, kind, text)
            if left is not _GONE:
                found[key] = [one for one in left if not _is_node(one, gone)] if kind == "tree" and key == "children" else left
            elif kind == "tree" and key == "desc":
                found[key] = ""
        return found
    return value


def _goes(item: dict[str, Any], gone: Gone) -> bool:
    named = item.get("id") in gone.ids
    return named or any(gone.words.held(str(item.get(key, ""))) for key in ("text", "name", "description", "title"))


def _is_node(path: object, gone: Gone) -> bool:
    """Whether a place of the tree is that of a topic that goes, or lies below it."""
    parts = str(path).split("/")
    return any(slug in parts for slug in gone.slugs) or gone.words.held(parts[-1].replace("-", " "))


def _line(text: str, said: str) -> int:
    at = text.find(jsonl.dumps({"": said})[4:-2])
    return text.count("\n", 0, at) + 1 if at >= 0 else 1


def without_decisions(text: str, path: str, gone: Gone) -> Left:
    """review.jsonl or proposals.jsonl: an item that goes keeps its id and that it is decided, and not a word."""
    rows = {row.line: row.value for row in jsonl.read_rows(text, path)[0]}
    named = {str(value.get("id")) for value in rows.values() if _about(value, gone)}
    lines: list[str] = []
    hits: list[Hit] = []
    done: set[str] = set()
    for number, line in enumerate(split(text), 1):
        value = rows.get(number)
        ident = str(value.get("id")) if value is not None else ""
        if value is None or ident not in named:
            lines.append(line)
            continue
        proposal = "slug" in value
        bare = _bare_proposal(value, gone) if proposal else _bare_item(value)
        if bare == value:  # forgotten before
            lines.append(line)
            continue
        if ident not in done and (not proposal or bare["events"]):
            done.add(ident)
            lines.append(jsonl.dumps(bare) + (ending(line) or "\n"))
        hits.append(Hit(path, number, "proposal" if proposal else "review", str(value.get("title" if proposal else "text", "")), ident))
    return Left("".join(lines), tuple(hits))


def _about(value: dict[str, Any], gone: Gone) -> bool:
    ids = {value.get("id"), *_list(value, "facts"), *_list(value, "events")}
    slug = value.get("topic") or value.get("slug")
    return bool(ids & gone.ids) or slug in gone.slugs or any(gone.words.held(one) for one in _texts(value))


def _list(value: dict[str, Any], key: str) -> list[Any]:
    found = value.get(key)
    return [one for one in found if isinstance(one, str)] if isinstance(found, list) else []


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value, *value.split("\n")] if "\n" in value else [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for one in inner for text in _texts(one)]


def _bare_item(value: dict[str, Any]) -> dict[str, Any]:
    status = value.get("status")
    return {
        "id": value.get("id"), "kind": value.get("kind", "doubt"), "status": status if status in ("accepted", "rejected") else "rejected",
        "topic": "", "facts": [], "events": [], "created": value.get("created", ""), "text": FORGOTTEN,
    }  # fmt: skip


def _bare_proposal(value: dict[str, Any], gone: Gone) -> dict[str, Any]:
    return {
        "id": value.get("id"), "status": "dismissed", "slug": "general", "title": FORGOTTEN, "type": "reference",
        "events": [one for one in _list(value, "events") if one not in gone.ids], "words": [], "created": value.get("created", ""),
    }  # fmt: skip


def without_entities(text: str, path: str, gone: Gone) -> Left:
    """The graph without the lines of entities that go, relations to them, and properties that hold the words.

    A `revert` names the line that it takes back by a hash: it follows a line that is rewritten, and goes with one that goes.
    """
    rows = {row.line: row.value for row in jsonl.read_rows(text, path)[0]}
    lines = split(text)
    moved: dict[str, str | None] = {}
    hits: list[Hit] = []
    for number, line in enumerate(lines, 1):
        value = rows.get(number)
        if value is None:
            continue
        left = _entity_line(value, gone)
        if left != value:
            new = None if left is None else jsonl.dumps(left)
            moved[line_id(content(line).removeprefix(BOM))] = None if new is None else line_id(new)
            hits.append(Hit(path, number, "entity", content(line), kept="" if left is None else "the rest of the line"))
            lines[number - 1] = "" if new is None else new + ending(line)
    while moved:
        again: dict[str, str | None] = {}
        for number, line in enumerate(lines, 1):
            value = rows.get(number)
            if line and value is not None and value.get("op") == "revert" and value.get("line") in moved:
                to = moved[value["line"]]
                new = None if to is None else jsonl.dumps({**value, "line": to})
                again[line_id(content(line))] = None if new is None else line_id(new)
                rows[number] = {**value, "line": to}
                lines[number - 1] = "" if new is None else new + ending(line)
        moved = again
    return Left("".join(lines), tuple(hits))


def _entity_line(value: dict[str, Any], gone: Gone) -> dict[str, Any] | None:
    entity = value.get("entity")
    if isinstance(entity, dict):
        return None if entity.get("id") in gone.entities else _properties(value, entity, gone)
    if {value.get("from"), value.get("to")} & gone.entities or _rests(value, gone):
        return None
    return value


def _rests(value: dict[str, Any], gone: Gone) -> bool:
    rests = [one for one in str(value.get("src") or "").split(",") if one]
    return bool(rests) and set(rests) <= gone.ids


def _properties(value: dict[str, Any], entity: dict[str, Any], gone: Gone) -> dict[str, Any] | None:
    """An entity's line without what goes: of one that a forgotten statement made, its name alone stays."""
    properties = entity.get("properties")
    if not isinstance(properties, dict):
        return value
    fallen = _rests(value, gone)
    if fallen and value.get("op") == "update":
        return None
    kept = {k: v for k, v in properties.items() if not fallen or k == "name"}
    left = {k: _listed(v, gone) for k, v in kept.items() if not (isinstance(v, str) and gone.words.held(v))}
    if left == properties and not fallen:
        return value
    if not left and value.get("op") == "update":
        return None
    bare = {**value, "entity": {**entity, "properties": left}}
    if fallen:
        bare.pop("src", None)
    return bare


def _listed(value: Any, gone: Gone) -> Any:
    if isinstance(value, list):
        return [one for one in value if not (isinstance(one, str) and gone.words.held(one))]
    return value
