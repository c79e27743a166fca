"""What was true, and what the memory held, on another day: through load and retrieve."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


def cli(home: Path, *words: str, script: str = "memory_cli.py", today: str = "2026-03-20") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(SCRIPTS / script), *words, "--workspace", str(home / "ws"), "--today", today],
        capture_output=True, text=True, env={"PATH": "/usr/bin:/bin", "HOME": str(home), "TZ": "UTC"}, stdin=subprocess.DEVNULL, check=False,
    )  # fmt: skip


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A topic whose port was 8080 from 3 March and is 9090 since 10 March, as curated on 4 and 11 March."""
    (tmp_path / "ws").mkdir()
    assert cli(tmp_path, "topic", "new", "gateway", "--summary", "The gateway", today="2026-03-01").returncode == 0
    for said, day, night in (
        ("The gateway listens on port 8080.", "2026-03-03", "2026-03-04"),
        ("The gateway now listens on port 9090. Was: 8080.", "2026-03-10", "2026-03-11"),
    ):
        assert cli(tmp_path, "store", "--text", said, "--topic", "gateway", "--tag", "FACT", "--date", day, today=day).returncode == 0
        done = cli(tmp_path, script="curate_nightly.py", today=night)
        assert done.returncode == 0, done.stderr
    return tmp_path


def found(home: Path, *words: str) -> list[dict[str, object]]:
    done = cli(home, "retrieve", "--query", "port of the gateway", "--layer", "curated", "--json", *words)
    assert done.returncode == 0, done.stderr
    results = json.loads(done.stdout)["results"]
    for one in results:
        lines = (home / "ws" / one["path"]).read_text(encoding="utf-8").split("\n")
        assert 1 <= one["line"] <= len(lines)
    return [one for one in results if one["kind"] == "fact"]


def test_now_it_is_the_new_port(home: Path) -> None:
    assert "9090" in str(found(home)[0]["text"])


def test_what_was_true_before_the_change_stands_where_the_changelog_tells_it(home: Path) -> None:
    first = found(home, "--as-of", "2026-03-05")[0]
    assert "8080" in str(first["text"])
    line = (home / "ws" / str(first["path"])).read_text(encoding="utf-8").split("\n")[int(str(first["line"])) - 1]
    assert "8080" in line


def test_what_was_known_differs_from_what_was_true_until_the_night(home: Path) -> None:
    assert "8080" in str(found(home, "--known-at", "2026-03-10")[0]["text"])
    assert "9090" in str(found(home, "--as-of", "2026-03-10")[0]["text"])
    assert "9090" in str(found(home, "--known-at", "2026-03-11")[0]["text"])


def test_before_anything_was_known_there_is_no_fact(home: Path) -> None:
    assert found(home, "--known-at", "2026-03-02") == []


def test_many_questions_about_another_day_are_answered_like_one_each(home: Path, tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_text("".join(json.dumps({"id": word, "query": word}) + "\n" for word in ("gateway port", "piano lessons")), encoding="utf-8")
    for when in (("--as-of", "2026-03-05"), ("--known-at", "2026-03-10"), ("--known-at", "2026-03-11")):
        rows = [json.loads(line) for line in cli(home, "retrieve", "--batch", str(path), *when).stdout.splitlines()]
        assert [row["id"] for row in rows] == ["gateway port", "piano lessons"]
        for row in rows:
            assert row["results"] == json.loads(cli(home, "retrieve", "--query", row["id"], "--json", *when).stdout)["results"]


def test_load_tells_the_same(home: Path) -> None:
    assert "8080" in cli(home, "load", "gateway", "--as-of", "2026-03-05").stdout
    assert "9090" in cli(home, "load", "gateway", "--known-at", "2026-03-12").stdout


@pytest.mark.parametrize("words", [("--as-of", "soon"), ("--known-at", "2026-13-01"), ("--as-of", "2026-03-01", "--known-at", "2026-03-01")])
def test_a_bad_time_is_said_in_one_sentence(home: Path, words: tuple[str, ...]) -> None:
    done = cli(home, "retrieve", "--query", "port", *words)
    assert done.returncode == 2
    assert done.stderr.startswith("PROBLEM ")
    assert not done.stdout
