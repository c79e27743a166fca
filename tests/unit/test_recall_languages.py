"""Ten invented facts each in seven languages beside English and Portuguese, asked for in other words of the same stem."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from silo.core.search.answer import answer
from silo.edge.index import Index

ROWS = [
    line.split("\t")
    for line in (Path(__file__).resolve().parents[1] / "data" / "recall_languages.tsv")
    .read_text(encoding="utf-8")
    .splitlines()
]


@pytest.mark.parametrize("language", sorted({row[0] for row in ROWS}))
def test_facts_are_found_in_their_language(tmp_path: Path, language: str) -> None:
    (tmp_path / "memory/events").mkdir(parents=True)
    facts = "".join(f"[FACT] general: {fact}\n" for _, fact, _ in ROWS)
    (tmp_path / "memory/events/2026-03-01.md").write_text(f"# Events 2026-03-01\n\n{facts}", encoding="utf-8")
    index = Index.open(tmp_path)
    index.refresh()
    missed = []
    for own, fact, question in ROWS:
        if own == language:
            for asked in (question, fact):
                found = answer(index, asked, today=date(2026, 3, 2), limit=3).results
                if fact not in [r.text for r in found[: 1 if asked == fact else 3]]:
                    missed.append((asked, [r.text for r in found]))
    index.close()
    assert missed == []
