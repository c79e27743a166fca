"""`store --auto` and `--tier`: a new statement in the tier where it belongs; done items move on; limits and lint are said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from silo.cli import curate, memory

GOLDEN = [
    tuple(line.split("\t"))
    for line in (Path(__file__).parents[1] / "data" / "tier_routing.tsv").read_text(encoding="utf-8").splitlines()
]
PATHS = {
    "protocols": "memory/protocols.md",
    "active": "memory/active.md",
    "archive": "memory/archive.md",
    "ontology": "memory/ontology/graph.jsonl",
    "log": None,
}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TZ", "UTC")
    root = tmp_path / "ws"
    root.mkdir()
    return root


def store(root: Path, text: str, *args: str) -> int:
    return memory.main(["store", "--text", text, "--workspace", str(root), "--today", "2026-04-10", *args])


def night(root: Path) -> int:
    return curate.main(["--workspace", str(root), "--today", "2026-04-11"])


def words(root: Path, path: str) -> str:
    return (root / path).read_text(encoding="utf-8")


def test_the_golden_set_is_routed(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert len(GOLDEN) >= 30
    wrong = []
    for text, place in GOLDEN:
        assert store(home, text, "--auto", "--json") == 0
        told = json.loads(capsys.readouterr().out)
        if (told["placed"], told["to"]) != (place, PATHS[place]):
            wrong.append((text, place, told["placed"], told["to"]))
    assert wrong == []
    logged = "".join(p.read_text(encoding="utf-8") for p in (home / "memory" / "events").glob("*.md"))
    assert all(text in logged for text, _ in GOLDEN)


def test_a_command_arrives_byte_for_byte_under_its_topic(home: Path) -> None:
    memory.main(["topic", "new", "web-shop", "--summary", "The web shop", "--workspace", str(home)])
    assert store(home, "Deploy the shop with `make  ship FLAGS=\"-x --y\" | tee /tmp/log`.", "--auto", "--topic", "web-shop") == 0
    said = words(home, "memory/protocols.md")
    assert "## Web shop\n- Deploy the shop with `make ship FLAGS" in said.replace("  ", " ")
    assert said.startswith("# Protocols\n\n<!-- ")


def test_what_is_told_as_done_takes_its_open_item_along(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert store(home, "Send the contract to Marlow by Friday.", "--auto") == 0
    assert store(home, "Call the roofer.", "--auto") == 0
    assert store(home, "Sent the contract to Marlow.", "--auto", "--plain") == 0
    assert "moved from active.md to archive.md" in capsys.readouterr().out
    assert "contract" not in words(home, "memory/active.md")
    assert "Call the roofer." in words(home, "memory/active.md")
    archive = words(home, "memory/archive.md")
    assert "## 2026-04\n- [x] Send the contract to Marlow by Friday.\n- 2026-04-10: Sent the contract to Marlow.\n" in archive
    assert memory.main(["undo", "--last", "--yes", "--workspace", str(home)]) == 0
    assert "- [ ] Send the contract to Marlow by Friday." in words(home, "memory/active.md")


def test_waiting_on_stays_last(home: Path) -> None:
    assert store(home, "Waiting on the electrician for the kiln quote.", "--auto") == 0
    assert store(home, "Need to order clay.", "--auto") == 0
    said = words(home, "memory/active.md")
    assert said.index("order clay") < said.index("## Waiting On\n- Waiting on the electrician")


def test_an_explicit_tier_wins_and_the_lint_says_so(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert store(home, "Waiting on the electrician for the kiln quote.", "--auto", "--tier", "protocols", "--plain") == 0
    assert "project-state" in capsys.readouterr().out
    assert "electrician" in words(home, "memory/protocols.md")
    assert store(home, "Run `make ship` to deploy.", "--tier", "log") == 0
    assert "make ship" not in words(home, "memory/protocols.md")
    assert store(home, "Run `make ship` to deploy.") == 0  # as published: the log alone
    assert "make ship" not in words(home, "memory/protocols.md")


def test_twice_is_once(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(2):
        assert store(home, "Run `make ship` to deploy.", "--auto", "--plain") == 0
        assert store(home, "Ana Sousa is the accountant of Acme Lda, ana@acme.example.", "--auto") == 0
    assert words(home, "memory/protocols.md").count("make ship") == 1
    assert words(home, "memory/ontology/graph.jsonl").count('"type":"Person"') == 1
    assert "stands in memory/protocols.md already" in capsys.readouterr().out


def test_a_private_topic_stays_out_of_the_tiers(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    memory.main(["topic", "new", "health", "--private", "--workspace", str(home)])
    assert store(home, "Need to call Dr. Amaral about the results.", "--auto", "--topic", "health", "--plain") == 0
    assert "is private" in capsys.readouterr().out
    assert store(home, "Doctor: Ilda Amaral, ilda@clinic.example", "--auto", "--topic", "health") == 0
    assert not (home / "memory" / "active.md").exists()
    assert not (home / "memory" / "ontology").exists()
    assert "Ilda Amaral" in words(home, ".silo/private/graph.jsonl")


def test_a_dry_run_writes_nothing(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert store(home, "Run `make ship` to deploy.", "--auto", "--dry-run", "--plain") == 0
    said = capsys.readouterr().out
    assert "would be placed in memory/protocols.md" in said
    assert "+- Run `make ship` to deploy." in said
    assert not (home / "memory").exists()


def test_ticked_items_move_to_the_archive_overnight(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert store(home, "Need to order clay.", "--auto") == 0
    path = home / "memory" / "active.md"
    kept = path.read_text() + "\n## Kiln\n- [x] quote accepted\n  1,870 euros\n- [ ] elements\n- [x] half\n  - [ ] the rest\n"
    path.write_text(kept)
    assert night(home) == 0
    assert words(home, "memory/active.md") == kept.replace("- [x] quote accepted\n  1,870 euros\n", "")
    archive = words(home, "memory/archive.md")
    assert archive.startswith("# Archive\n\n<!-- ")
    assert "## 2026-04\n" in archive
    assert "### Kiln\n- [x] quote accepted\n  1,870 euros\n" in archive
    assert "1 done items archived" in capsys.readouterr().out
    assert night(home) == 0
    assert words(home, "memory/archive.md") == archive
    assert memory.main(["undo", "--any", "--last", "--yes", "--workspace", str(home)]) == 0
    assert words(home, "memory/active.md") == kept
    assert not (home / "memory" / "archive.md").exists()


def test_a_file_over_its_limit_is_told(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "memory").mkdir()
    (home / "memory" / "active.md").write_text("# Active\n\n<!-- what is open -->\n\n## Open\n" + "".join(f"- thing {n}\n" for n in range(80)))
    assert store(home, "Need to order clay.", "--auto", "--plain") == 0
    assert "long-tier" in capsys.readouterr().out
