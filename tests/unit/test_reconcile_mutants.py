"""A statement with another figure, name, day or with a denial is never taken for the same one: mutants of all our pairs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from silo.core.reconcile import Kind, Reconciler
from silo.edge.vocabulary import load_vocabularies

ROWS = [
    json.loads(line)
    for line in (Path(__file__).parent.parent / "data" / "reconcile" / "pairs.jsonl").read_text(encoding="utf-8").splitlines()
]
SWAPS = {
    "on": "off", "before": "after", "open": "closed", "opens": "closes", "morning": "evening", "Monday": "Wednesday", "Mondays": "Wednesdays", "June": "July",
    "May": "August", "paid": "unpaid", "always": "never", "maximum": "minimum", "upload": "download", "euros": "dollars", "km": "miles", "kg": "g", "first": "last",
    "segunda": "quarta", "junho": "julho", "maio": "agosto", "pago": "vencido", "aberto": "fechado", "sempre": "nunca", "reais": "euros", "manhã": "noite", "litros": "galões", "antes": "depois", "máximo": "mínimo", "abre": "fecha",
}  # fmt: skip


def mutants(text: str) -> Iterator[str]:
    for match in re.finditer(r"(?<![/\d-])\d+(?![/\d-])", text):
        if len(match[0]) < 6:
            yield f"{text[: match.start()]}{int(match[0]) + 7}{text[match.end() :]}"
    for match in re.finditer(r"(?<=[a-zà-ÿ,] )[A-ZÀ-Þ][a-zà-ÿ]{2,}", text):
        if match[0] not in SWAPS:
            yield f"{text[: match.start()]}Zephyrine{text[match.end() :]}"
    for word, other in SWAPS.items():
        if re.search(rf"\b{word}\b", text):
            yield re.sub(rf"\b{word}\b", other, text, count=1)
    for verb, denied in ((" is ", " is not "), (" has ", " has no "), (" é ", " não é "), (" tem ", " não tem "), (" está ", " não está ")):
        if verb in text and not re.search(r"\b(?:not|no|never|não|nunca|sem)\b|n't", text, re.IGNORECASE):
            yield text.replace(verb, denied, 1)


def test_a_mutant_is_never_a_duplicate() -> None:
    compare = Reconciler(load_vocabularies())
    day, wrong, n = date(2026, 2, 20), [], 0
    for text in dict.fromkeys(side for row in ROWS for side in (row["old"], row["new"])):
        for other in mutants(text):
            n += 1
            if compare(text, other, day, day).kind is Kind.DUPLICATE or compare(other, text, day, day).kind is Kind.DUPLICATE:
                wrong.append(f"{text} | {other}")
    assert n > 500
    assert wrong == []
