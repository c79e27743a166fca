"""What an import hands over for the log, and the kinds of files that are known. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from silo.formats import jsonl
from silo.formats.events import MAX_TEXT
from silo.formats.header import parse_header
from silo.model import Tag
from silo.text.lines import BOM, split
from silo.text.redact import redact

KINDS = ("topics", "tiered", "graph", "claude-code")
_TIERED = ("warm-memory.json", "memory-tree.json", "hot-memory-state.json")
_INDEX_LINE = re.compile(r"^\s*[-*+]\s+\[[^\]]+\]\([^)\s]+\.md\)", re.M)
_EVENT_FILE = re.compile(r"(?:.*/)?\d{4}-\d{2}-\d{2}\.md\Z")
_EVENT = re.compile(r"^(?:- )?\[(?:AUTO-)?(?:FACT|DECISION|CHANGED|TODO|EVENT|PROCEDURE)(?::[A-Z]+)?\] [a-z0-9-]+:", re.M)


@dataclass(frozen=True, slots=True)
class Said:
    """A statement for the log. `source` names where it stood and makes it known when it is imported again.

    `tag` None: told from the text. `slug` "": from the category, else the text. `access`: (times asked for, last day).
    """

    text: str
    date: str
    source: str
    tag: Tag | None = None
    slug: str = ""
    category: str = ""
    importance: float | None = None
    access: int = 0


def kind_of(path: str, text: str) -> str:
    """What a file is, told by its content, then its name: one of KINDS, `events` (of a topic memory), or ""."""
    name = path.rpartition("/")[2].lower()
    if name.endswith(".json"):
        return "tiered" if name in _TIERED or _is_tiered(text) else ""
    if name.endswith(".jsonl"):
        head = next((line for line in text.split("\n") if line.strip()), "")
        return "graph" if '"op"' in head else ""
    if not name.endswith(".md"):
        return ""
    if "<!-- CURATED_START -->" in text or "<!-- SOURCE_START -->" in text or name.endswith(".archive.md"):
        return "topics"
    if _EVENT_FILE.match(path) and _EVENT.search(text):
        return "events"
    header = parse_header(split(text), path)
    named = {"name", "description"} <= {entry.key for entry in header.entries}
    return "claude-code" if named or (name == "memory.md" and _INDEX_LINE.search(text)) else ""


def _is_tiered(text: str) -> bool:
    value = jsonl.loads(text.removeprefix(BOM)) if text.strip() else None
    if isinstance(value, list):
        return bool(value) and all(isinstance(item, dict) and {"id", "text"} <= item.keys() for item in value)
    if not isinstance(value, Mapping):
        return False
    nodes = [item for item in value.values() if isinstance(item, dict)]
    return {"identity", "owner_profile"} <= value.keys() or (bool(nodes) and all("desc" in node for node in nodes))


def pieces(text: str, most: int = MAX_TEXT) -> Iterator[str]:
    """A text as parts of at most so many characters, cut after a sentence, else between words; no word is lost."""
    rest = " ".join(redact(text)[0].split())  # a secret of several lines, or cut in two, would not be known any more
    while len(rest) > most:
        window = rest[: most + 1]
        cut = max((m.end() for m in re.finditer(r"[.!?\u3002] ", window)), default=0)
        if cut < most // 3:
            cut = window.rfind(" ") + 1 or most
        yield rest[:cut].strip()
        rest = rest[cut:].strip()
    if rest:
        yield rest
