"""`memory_cli.py export --flat`: what was sorted apart comes together again, word for word, and nothing private or secret."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from silo.cli import curate, memory, migrate

SECRET = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
FLAT = """# MEMORY.md

## About my human
- Name: Renske Vaal, goes by Ren
- Timezone Europe/Amsterdam

## Rules
- Never send mail without showing the draft first

## Kiln upgrade
- quote accepted 2026-03-02, 1,870 for the controller
- old elements sold to the school
- parts still to come
  - two elements
- waiting on the electrician

| part | price |
|---|---|
| lid | 40 |

## Deploy
```bash
# build
make  image | tee log
```

## People
- Ana Sousa — accountant at Acme Lda

## History
- 2026-01-12: first conversation
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TZ", "UTC")
    root = tmp_path / "ws"
    root.mkdir()
    (root / "MEMORY.md").write_text(FLAT)
    assert migrate.main(["apply", "--yes", "--workspace", str(root), "--today", "2026-04-10"]) == 0
    return root


def cli(root: Path, *args: str) -> int:
    return memory.main([*args, "--workspace", str(root), "--today", "2026-04-10"])


def flat(root: Path, capsys: pytest.CaptureFixture[str], *args: str) -> str:
    capsys.readouterr()
    assert cli(root, "export", "--flat", *args) == 0
    return capsys.readouterr().out


def test_every_line_of_the_old_file_is_in_the_new_one(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = flat(home, capsys)
    missing = [line for line in FLAT.splitlines() if line.strip() and line.strip().lstrip("#- ") not in text]
    assert missing == []
    assert "silo:router" not in text
    assert "<!-- f_" not in text
    assert "Changelog" not in text
    assert text.index("## Protocols") < text.index("## Kiln upgrade") < text.index("## Archive")


def test_it_can_be_organised_again(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "other"
    other.mkdir()
    assert cli(home, "export", "--flat", str(other / "MEMORY.md")) == 0
    assert (other / "MEMORY.md").stat().st_mode & 0o777 == 0o600
    assert migrate.main(["apply", "--yes", "--workspace", str(other), "--today", "2026-04-10"]) == 0
    assert "make  image | tee log" in (other / "memory" / "protocols.md").read_text()


def test_statements_that_no_topic_has_taken_in_come_last(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli(home, "store", "--text", "The fair moved to May.", "--tag", "FACT") == 0
    assert cli(home, "store", "--text", "The kiln has a new lid.", "--tag", "FACT", "--topic", "kiln-upgrade") == 0
    before = flat(home, capsys)
    assert before.endswith("## Notes\n\n- 2026-04-10: The fair moved to May.\n- 2026-04-10: The kiln has a new lid.\n")
    assert curate.main(["--workspace", str(home), "--today", "2026-04-11"]) == 0
    after = flat(home, capsys)
    assert after.count("The kiln has a new lid.") == 1
    assert after.endswith("## Notes\n\n- 2026-04-10: The fair moved to May.\n")


def test_private_and_secret_stay_out(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli(home, "topic", "new", "health", "--private", "--summary", "Knee and back") == 0
    assert cli(home, "store", "--text", "The knee is better.", "--topic", "health", "--tag", "FACT") == 0
    assert cli(home, "entity", "add", "Person", "Ilda Amaral", "--private") == 0
    (home / "memory" / "protocols.md").write_text((home / "memory" / "protocols.md").read_text() + f"- token: {SECRET}\n")
    text = flat(home, capsys)
    assert not [word for word in ("knee", "Knee", "Ilda", SECRET) if word in text]
    assert "[REDACTED:" in text
    text = flat(home, capsys, "--private")
    assert "The knee is better." in text
    assert "Ilda Amaral" in text


def test_nothing_is_overwritten(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (home / "MEMORY.md").read_bytes()
    assert cli(home, "export", "--flat", str(home / "MEMORY.md")) == 2
    assert cli(home, "export", "--flat", str(home / "no" / "x.md")) == 2
    assert cli(home, "export") == 2
    assert (home / "MEMORY.md").read_bytes() == before
    capsys.readouterr()
    assert cli(home, "export", "--flat", "--json") == 0
    assert json.loads(capsys.readouterr().out)["text"].startswith("# MEMORY.md")


def test_an_empty_workspace_gives_an_empty_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    empty = tmp_path / "empty"
    empty.mkdir()
    assert flat(empty, capsys) == "# MEMORY.md\n"
