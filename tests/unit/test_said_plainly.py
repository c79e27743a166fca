"""What we say of a trouble passes through the redactor: none of our own sentences may look like a secret to it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from silo.text.redact import redact

CODE = Path(__file__).resolve().parents[2] / "scripts" / "silo"


def sentences() -> Iterator[tuple[str, str]]:
    """(place, words) of every text given to an exception or a refusal, what is filled in standing as `it`."""
    for path in sorted(CODE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id[:1].isupper()):
                continue
            for given in node.args:
                parts = given.values if isinstance(given, ast.JoinedStr) else [given]
                said = "".join(part.value if isinstance(part, ast.Constant) and isinstance(part.value, str) else "it" for part in parts)
                if " " in said:
                    yield f"{path.relative_to(CODE)}:{given.lineno}", said


def test_no_sentence_of_ours_is_redacted() -> None:
    found = list(sentences())
    assert len(found) > 200
    assert [(place, said) for place, said in found if redact(said)[0] != said] == []
