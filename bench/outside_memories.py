#!/usr/bin/env python3
"""Extraction seen from outside: MemPalace's labelled texts (its own licence, not shipped; give the folder).

    python3 bench/outside_memories.py PATH/TO/memory_extraction

Each text is one message of the owner. The labels are English sentences about the text. English: an item counts as found
where an event of its text holds at least half of the item's content words (folded, cut to five letters). In every
language: texts with items that gave an event, and items whose names and figures, where they have any, all stand in one event
of the text. Small (40 texts, 55 items) and written for another product: a look, not a bar.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import unicodedata
from pathlib import Path

SCRIPT = Path(__file__).resolve().parent.parent / "scripts" / "extract_session.py"
STOP = frozenset(
    ["the", "and", "for", "that", "with", "this", "from", "they", "them", "their", "will", "have", "has", "had", "was", "were", "are", "not", "but", "user", "owner", "about", "into", "than", "then", "because", "over", "more", "most", "very", "just", "also", "been", "being", "would", "should", "could", "where", "when", "which", "while", "what", "who", "his", "her", "its", "our"]
)


def fold(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFD", text.lower()) if not unicodedata.combining(c))


def content(text: str) -> set[str]:
    return {w[:5] for w in re.findall(r"[a-z0-9][a-z0-9.%]*", fold(text)) if len(w) > 3 and w not in STOP}


def anchors(text: str) -> set[str]:
    """Names and figures of a label: what survives a change of language."""
    names = re.findall(r"(?<!^)(?<![.!?]\s)\b[A-Z][\w-]+", text)
    return {fold(w) for w in names} | set(re.findall(r"\d+(?:[.,]\d+)?", text))


def events_of(text: str, folder: Path) -> list[str]:
    """The visible text of every event that the extraction of one owner's message writes."""
    record = {
        "type": "message", "id": "00000001", "parentId": None, "timestamp": "2026-03-06T09:00:00.000Z",
        "message": {"role": "user", "content": [{"type": "text", "text": text}], "timestamp": 1772787600000},
    }  # fmt: skip
    head = {"type": "session", "version": 3, "id": "s", "timestamp": "2026-03-06T09:00:00.000Z", "cwd": "/"}
    path = folder / "talk.jsonl"
    path.write_text(json.dumps(head) + "\n" + json.dumps(record, ensure_ascii=False) + "\n", encoding="utf-8")
    subprocess.run(
        [sys.executable, str(SCRIPT), "--workspace", str(folder), "--source", "jsonl", "--path", str(path), "--all", "--quiet"],
        check=True, capture_output=True,
    )  # fmt: skip
    lines = [line for file in (folder / "memory" / "events").glob("*.md") for line in file.read_text(encoding="utf-8").split("\n")]
    return [re.sub(r"<!--.*?-->", "", line) for line in lines if line.startswith("[")]


def measure(texts: list[dict[str, str]], labels: dict[str, list[dict[str, str]]], *, english: bool) -> dict[str, object]:
    items = found = anchored = held = with_items = answered = events = empty = quiet = 0
    for row in texts:
        with tempfile.TemporaryDirectory() as folder:
            made = events_of(row["text"], Path(folder))
        wanted = labels.get(row["id"], [])
        events += len(made)
        if not wanted:
            empty += 1
            quiet += not made
            continue
        with_items += 1
        answered += bool(made)
        for item in wanted:
            items += 1
            words = content(item["content"])
            found += any(len(words & content(e)) >= len(words) / 2 for e in made)
            marks = anchors(item["content"])
            if marks:
                anchored += 1
                held += any(all(m in fold(e) for m in marks) for e in made)
    out: dict[str, object] = {"texts": len(texts), "items": items, "events": events}
    if english:
        out["items_found"] = f"{found}/{items}"
    out |= {
        "texts_answered": f"{answered}/{with_items}",
        "names_and_figures_held": f"{held}/{anchored}",
        "nothing_to_store_kept_silent": f"{quiet}/{empty}",
    }
    return out


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    args = parser.parse_args()

    def rows(path: Path) -> list[dict[str, str]]:
        return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line.strip()]

    labels = {row["id"]: row["memories"] for row in rows(args.folder / "labels.jsonl")}  # type: ignore[misc]
    for name, english in (("dataset.jsonl", True), ("dataset.pt-BR.jsonl", False)):
        print(json.dumps({"data": name, **measure(rows(args.folder / name), labels, english=english)}))  # type: ignore[arg-type]
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
