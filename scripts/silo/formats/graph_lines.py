"""Lines of memory/ontology/graph.jsonl as they are written, and the ids and types in them. Re-exported by graph.py.

Compact separators and the published order of keys (op, entity with id, type, properties; or op, from, rel, to; then
timestamp), so that grep for `"type":"Project"` and jq over `.entity.type` work; keys of ours stand behind these.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Mapping
from typing import Any

from silo.formats import jsonl
from silo.text.fold import fold
from silo.text.lines import encode

TYPES = ("Person", "Org", "Project", "Property", "Location")
PREFIXES = {"Person": "p_", "Org": "org_", "Project": "proj_", "Property": "prop_", "Location": "loc_"}
# Other spellings of a type that are read, folded.
_TYPE_NAMES = {
    **{name.lower(): name for name in TYPES},
    "organization": "Org", "organisation": "Org", "organizacao": "Org", "company": "Org", "empresa": "Org",
    "group": "Org", "grupo": "Org", "team": "Org", "people": "Person", "pessoa": "Person", "contact": "Person",
    "projeto": "Project", "propriedade": "Property", "place": "Location", "lugar": "Location", "local": "Location",
}  # fmt: skip


def canonical_type(name: str) -> str:
    """'Organization' → 'Org'; a type that is none of ours comes back as it is."""
    return _TYPE_NAMES.get(fold(name), name)


def new_id(type: str, name: str, taken: Collection[str]) -> str:
    """An id for a new entity: prefix and folded name; a suffix where another entity has that id already.

    A type of the user's own gets its first word as prefix.
    """
    own = re.sub(r"\W+", "_", fold(type)).strip("_") or "thing"
    bare = re.sub(r"\W+", "_", fold(name)).strip("_")[:40].rstrip("_") or "unnamed"
    base = PREFIXES.get(canonical_type(type), f"{own}_") + bare
    number = 2
    found = base
    while found in taken:
        found = f"{base}_{number}"
        number += 1
    return found


def create_line(ident: str, type: str, properties: Mapping[str, Any], at: str, **more: str) -> str:
    """A new entity. `at` is an instant ending in Z; `more` are valid_from, valid_to and src, '' for unknown."""
    entity = {"id": ident, "type": canonical_type(type), "properties": dict(properties)}
    return _line({"op": "create", "entity": entity}, at, more)


def update_line(ident: str, properties: Mapping[str, Any], at: str, **more: str) -> str:
    """Other values of some properties; None takes a property out. The others stay."""
    return _line({"op": "update", "entity": {"id": ident, "properties": dict(properties)}}, at, more)


def relate_line(source: str, rel: str, to: str, at: str, **more: str) -> str:
    """A relation between two entities."""
    return _line({"op": "relate", "from": source, "rel": rel, "to": to}, at, more)


def unrelate_line(source: str, rel: str, to: str, at: str, **more: str) -> str:
    """The end of a relation; `valid_to` says since when, where it is known."""
    return _line({"op": "unrelate", "from": source, "rel": rel, "to": to}, at, more)


def merge_line(source: str, into: str, at: str, **more: str) -> str:
    """Two ids are one: `source` becomes an alias, its names and what is only known of it go to `into`."""
    return _line({"op": "merge", "from": source, "to": into}, at, more)


def revert_line(line: str, at: str, **more: str) -> str:
    """An earlier line counts no more; it stays where it is. Reverting this line brings it back."""
    return _line({"op": "revert", "line": line_id(line)}, at, more)


def line_id(line: str) -> str:
    """`g_` + 12 hex of SHA-256 over a line without the space around it: how `revert` names it."""
    return "g_" + hashlib.sha256(encode(line.strip())).hexdigest()[:12]


def _line(value: dict[str, Any], at: str, more: Mapping[str, str]) -> str:
    known = ("valid_from", "valid_to", "src")
    return jsonl.dumps({**value, "timestamp": at, **{key: more[key] for key in known if more.get(key)}})
