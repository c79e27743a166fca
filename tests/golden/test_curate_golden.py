"""Whole nights: a folder `before`, one night, and the folder `after` byte for byte, what is remembered beside it.

`UPDATE_GOLDEN=1 pytest tests/golden` writes `after` anew; read the difference before it is committed.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from nights import Memory

CASES = sorted(path for path in (Path(__file__).parent / "curate").iterdir() if path.is_dir())
DAY = "2026-05-29"


def tree(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def remembered(memory: Memory) -> bytes:
    tables = {name: dict(sorted(rows.items())) for name, rows in sorted(memory.state.items()) if rows}
    return (json.dumps(tables, ensure_ascii=False, indent=1) + "\n").encode()


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_night(case: Path) -> None:
    memory = Memory(files=tree(case / "before"))
    memory.base = {path: data for path, data in memory.files.items() if "/topics/" in path}
    memory.base |= tree(case / "base") if (case / "base").is_dir() else {}
    memory.router = lambda text: "farm" if "ordenh" in text or "sítio" in text else "general"
    memory.quotes = lambda event: [f"owner: (what was said in {event.source})"]
    memory.night(DAY)
    found = memory.files | {"state.json": remembered(memory)}
    if os.environ.get("UPDATE_GOLDEN"):
        for path, data in found.items():
            (case / "after" / path).parent.mkdir(parents=True, exist_ok=True)
            (case / "after" / path).write_bytes(data)
    wanted = tree(case / "after")
    assert sorted(found) == sorted(wanted)
    for path, data in wanted.items():
        assert found[path].decode() == data.decode(), path
