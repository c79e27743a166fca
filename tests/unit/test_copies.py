"""Names that programs which sync folders give to the copies they leave."""

from __future__ import annotations

import pytest

from silo.formats.copies import copies_among, original_of


@pytest.mark.parametrize(
    "name",
    [
        "garden.sync-conflict-20260929-120000-ABCDEF1.md",
        "garden (Ana's conflicted copy 2026-09-29).md",
        "garden (conflicted copy 2026-09-29 120000).md",
        "garden (Conflicted copy phone 202609291200).md",
        "garden (cópia em conflito de Ana 2026-09-29).md",
        "garden_conflict-20260929-120000.md",
        "garden [Conflict].md",
    ],
)
def test_conflict_copies(name: str) -> None:
    assert original_of(f"memory/topics/{name}") == "memory/topics/garden.md"


def test_numbered_names_only_beside_their_original() -> None:
    paths = ("memory/topics/a.md", "memory/topics/a (1).md", "memory/topics/b 2.md", "memory/topics/a 2.md")
    assert copies_among(paths) == (
        ("memory/topics/a (1).md", "memory/topics/a.md"),
        ("memory/topics/a 2.md", "memory/topics/a.md"),
    )


@pytest.mark.parametrize(
    "name", ["garden.md", "conflict.md", "2026-09-29.md", "the conflict copy.md", "noending"]
)
def test_ordinary_names(name: str) -> None:
    assert original_of(name, [name, "garden.md"]) is None
