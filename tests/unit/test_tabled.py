"""Secrets in tables: told by the heading of their column, whatever they look like."""

from __future__ import annotations

import pytest

from silo.text.redact import redact, redact_known, redact_lines
from silo.text.tabled import find_tabled


@pytest.mark.parametrize(
    ("table", "secret"),
    [
        ("| service | password |\n|---|---|\n| mail | hunter2-Correct!Horse |\n", "hunter2-Correct!Horse"),
        ("service | pass\n--- | ---\nmail | orchid77\n", "orchid77"),
        ("| Serviço | **Senha** | notas |\n|:--|:-:|--|\n| banco | girassol | x |\r\n", "girassol"),
        ("| door | PIN |\n|--|--|\n| garage | `4821` |\n", "4821"),
        ("| what | API key |\n|---|---|\n| maps | Zx9Yw8Vu7Ts6Rq5P |\n", "Zx9Yw8Vu7Ts6Rq5P"),
        ("+| a | username / password |\n+|---|---|\n+| b | orchid77 |\n", "orchid77"),
    ],
)
def test_a_value_under_such_a_heading_is_replaced(table: str, secret: str) -> None:
    clean, found = redact(table)
    assert [table[one.start : one.end] for one in found] == [secret]
    assert clean == table.replace(secret, f"[REDACTED:{found[0].kind}]")
    assert redact(clean) == (clean, ())


@pytest.mark.parametrize(
    "table",
    [
        "| service | password |\n|---|---|\n| mail | in 1Password |\n| bank | — |\n| shop | changed |\n| x |\n",
        "| service | password policy |\n|---|---|\n| mail | rotating90 |\n",
        "| Key | Value |\n|---|---|\n| zone | Europe/Lisbon |\n| region | eu-west-1 |\n",
        "| service | password |\n| mail | orchid77 |\n",
        "| service | password |\n|---|---|\n\nLater: orchid77 | is a flower\n",
        "| token | count |\n|---|---|\n| the | 17 |\n| house | 3 |\n",
    ],
)
def test_words_about_a_secret_and_other_tables_stay(table: str) -> None:
    assert list(find_tabled(table)) == []


def test_lines_are_kept_and_a_row_alone_is_known_by_its_table() -> None:
    table = "| service | password |\n|---|---|\n| mail | orchid77 |\n"
    assert redact_lines(table).count("\n") == 3
    assert redact_known("-| mail | orchid77 |\n", table) == "-| mail | [REDACTED:password] |\n"
