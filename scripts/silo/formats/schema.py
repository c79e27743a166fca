"""A small JSON-schema checker: the keywords that schemas/ uses, and no other.

A schema with an unknown keyword is refused, so that nothing is ever skipped in silence. `format` and the words that
describe (title, description, examples) are notes to people. Not a general validator.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

_NOTES = frozenset(["$schema", "$id", "$defs", "title", "description", "examples", "default", "format"])
_TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "boolean": (bool,),
    "null": (type(None),),
    "number": (int, float),
    "integer": (int,),
}


def check(value: Any, schema: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """What is wrong with a JSON value, as (where, what): ('/facts/0', 'is no text'). Empty for a value that fits.

    Raises:
        ValueError: the schema uses a keyword that is not known here.
    """
    return tuple(_check(value, schema, schema, ""))


def strict(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema as structured output takes it: types, properties, enums and lists alone, every property required, no other
    allowed. What it drops is checked on the answer."""
    kept: dict[str, Any] = {}
    for keyword, value in schema.items():
        if keyword == "properties":
            kept[keyword] = {name: strict(inner) for name, inner in value.items()}
        elif keyword == "items":
            kept[keyword] = strict(value)
        elif keyword == "anyOf":
            kept[keyword] = [strict(inner) for inner in value]
        elif keyword == "$defs":
            kept[keyword] = {name: strict(inner) for name, inner in value.items()}
        elif keyword in _STRICT:
            kept[keyword] = value
    if "properties" in kept:
        kept |= {"additionalProperties": False, "required": list(kept["properties"])}
    return kept


_STRICT = frozenset(["type", "enum", "const", "$ref", "description"])


def _check(
    value: Any, schema: Mapping[str, Any] | bool, root: Mapping[str, Any], where: str
) -> Iterator[tuple[str, str]]:
    if isinstance(schema, bool):
        if not schema:
            yield where, "is not allowed here"
        return
    for keyword, wanted in schema.items():
        if keyword in _NOTES or keyword in ("then", "else"):
            continue
        rule = _RULES.get(keyword)
        if rule is None:
            raise ValueError(f"the schema uses `{keyword}`, which is not known here")
        yield from rule(value, wanted, schema, root, where)


def _reference(
    value: Any, wanted: Any, schema: Any, root: Mapping[str, Any], where: str
) -> Iterator[tuple[str, str]]:
    target: Any = root
    for part in str(wanted).removeprefix("#/").split("/"):
        target = target[part]
    yield from _check(value, target, root, where)


def _type(value: Any, wanted: Any, schema: Any, root: Any, where: str) -> Iterator[tuple[str, str]]:
    names = [wanted] if isinstance(wanted, str) else list(wanted)
    if not any(_is(value, name) for name in names):
        yield where, f"is not of type {' or '.join(names)}"


def _is(value: Any, name: str) -> bool:
    if isinstance(value, bool):
        return name == "boolean"
    if name == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, _TYPES[name])


def _enum(value: Any, wanted: Any, schema: Any, root: Any, where: str) -> Iterator[tuple[str, str]]:
    if not any(_same(value, one) for one in wanted):
        yield where, f"is none of {', '.join(map(str, wanted))}"


def _const(value: Any, wanted: Any, schema: Any, root: Any, where: str) -> Iterator[tuple[str, str]]:
    if not _same(value, wanted):
        yield where, f"is not {wanted}"


def _same(a: Any, b: Any) -> bool:
    """JSON's equality: true is not 1."""
    return isinstance(a, bool) == isinstance(b, bool) and bool(a == b)


def _required(value: Any, wanted: Any, schema: Any, root: Any, where: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key in wanted:
            if key not in value:
                yield where, f"has no `{key}`"


def _properties(value: Any, wanted: Any, schema: Any, root: Any, where: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, inner in wanted.items():
            if key in value:
                yield from _check(value[key], inner, root, f"{where}/{key}")


def _additional(value: Any, wanted: Any, schema: Any, root: Any, where: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        patterns = schema.get("patternProperties", {})
        for key, item in value.items():
            if key not in schema.get("properties", {}) and not any(re.search(p, key) for p in patterns):
                yield from _check(item, wanted, root, f"{where}/{key}")


def _patterns(value: Any, wanted: Any, schema: Any, root: Any, where: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for pattern, inner in wanted.items():
            for key, item in value.items():
                if re.search(pattern, key):
                    yield from _check(item, inner, root, f"{where}/{key}")


def _items(value: Any, wanted: Any, schema: Any, root: Any, where: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, list):
        for number, item in enumerate(value):
            yield from _check(item, wanted, root, f"{where}/{number}")


def _pattern(value: Any, wanted: Any, schema: Any, root: Any, where: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str) and re.search(wanted, value) is None:
        yield where, f"does not look like {wanted}"


def _any_of(value: Any, wanted: Any, schema: Any, root: Any, where: str) -> Iterator[tuple[str, str]]:
    if not any(next(_check(value, one, root, where), None) is None for one in wanted):
        yield where, "fits none of the allowed shapes"


def _one_of(value: Any, wanted: Any, schema: Any, root: Any, where: str) -> Iterator[tuple[str, str]]:
    fits = sum(next(_check(value, one, root, where), None) is None for one in wanted)
    if fits != 1:
        yield where, f"fits {fits} of the shapes of which it has to fit one"


def _if(value: Any, wanted: Any, schema: Any, root: Any, where: str) -> Iterator[tuple[str, str]]:
    holds = next(_check(value, wanted, root, where), None) is None
    yield from _check(value, schema.get("then" if holds else "else", True), root, where)


def _bound(
    value: Any, wanted: Any, schema: Any, root: Any, where: str, *, low: bool
) -> Iterator[tuple[str, str]]:
    if (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and (value < wanted if low else value > wanted)
    ):
        yield where, f"is {'less' if low else 'more'} than {wanted}"


def _size(
    value: Any, wanted: Any, schema: Any, root: Any, where: str, *, kind: type, low: bool
) -> Iterator[tuple[str, str]]:
    if isinstance(value, str | list) and isinstance(value, kind) and (len(value) < wanted if low else len(value) > wanted):
        yield (
            where,
            f"has {'fewer' if low else 'more'} than {wanted} {'characters' if kind is str else 'items'}",
        )


def _unique(value: Any, wanted: Any, schema: Any, root: Any, where: str) -> Iterator[tuple[str, str]]:
    if (
        wanted
        and isinstance(value, list)
        and any(_same(a, b) for n, a in enumerate(value) for b in value[:n])
    ):
        yield where, "says the same twice"


_RULES: Mapping[str, Any] = {
    "$ref": _reference,
    "type": _type,
    "enum": _enum,
    "const": _const,
    "required": _required,
    "properties": _properties,
    "additionalProperties": _additional,
    "patternProperties": _patterns,
    "items": _items,
    "pattern": _pattern,
    "anyOf": _any_of,
    "oneOf": _one_of,
    "if": _if,
    "minimum": lambda *args: _bound(*args, low=True),
    "maximum": lambda *args: _bound(*args, low=False),
    "minLength": lambda *args: _size(*args, kind=str, low=True),
    "maxLength": lambda *args: _size(*args, kind=str, low=False),
    "minItems": lambda *args: _size(*args, kind=list, low=True),
    "maxItems": lambda *args: _size(*args, kind=list, low=False),
    "uniqueItems": _unique,
}
