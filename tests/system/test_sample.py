"""The sample home: its files are in the documented forms, and the demo that README begins with does what it says."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from silo.formats.topics import parse_topic

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "sample"
TOPICS = sorted((SAMPLE / "workspace" / "memory" / "topics").glob("*.md"))


@pytest.mark.parametrize("path", TOPICS, ids=lambda p: p.stem)
def test_sample_topics_are_in_the_documented_form(path: Path) -> None:
    name = f"memory/topics/{path.name}"
    topic = parse_topic(path.read_text(encoding="utf-8"), name)
    assert topic.problems == ()
    assert len(topic.facts) >= 2


def test_sample_transcripts_are_records() -> None:
    files = [p for p in (SAMPLE / "state").rglob("*") if ".jsonl" in p.name]
    assert len(files) == 4
    for path in files:
        records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        assert records[0]["type"] == "session"
        assert records[0]["version"] == 3
        assert [r["parentId"] for r in records[2:]] == [r["id"] for r in records[1:-1]]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """(workspace after the demo, what it printed), run as README says, from another folder and with an empty home."""
    folder = tmp_path_factory.mktemp("demo")
    environ = {k: v for k, v in os.environ.items() if k in ("PATH", "LD_LIBRARY_PATH")} | {"HOME": str(folder / "home"), "TZ": "Asia/Tokyo"}
    done = subprocess.run(
        [sys.executable, str(SAMPLE / "demo.py"), "--into", str(folder / "work")],
        capture_output=True, text=True, encoding="utf-8", env=environ, cwd=folder,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "work" / "workspace", done.stdout


def events(workspace: Path) -> list[str]:
    return [
        line
        for path in sorted((workspace / "memory" / "events").glob("*.md"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.startswith("[")
    ]


@pytest.mark.parametrize(
    "words",
    [
        ("web-shop", "Stripe"),
        ("web-shop", "9090"),
        ("web-shop", "Embala"),
        ("web-shop", "Rita", "2026-03-13"),
        ("atelier", "480"),
        ("atelier", "2026-03-31"),
        ("faisca", "18 kg"),
        ("faisca", "2026-03-20"),
        ("bike-trip", "velobag --fold 2"),
    ],
    ids=" ".join,
)
def test_what_was_said_is_in_the_log(demo: tuple[Path, str], words: tuple[str, ...]) -> None:
    workspace, _ = demo
    assert [e for e in events(workspace) if all(w in e for w in words)]


@pytest.mark.parametrize("word", ["Tuesdays", "3000", "HEARTBEAT", "swim", "telegram:", "gift cards <!-- id", "wait"])
def test_what_was_not_meant_is_not(demo: tuple[Path, str], word: str) -> None:
    """The scheduled run, the web page, the heartbeat, the joke, the envelope."""
    workspace, _ = demo
    assert [e for e in events(workspace) if word in e] == []


def test_a_changed_value_replaces_the_old_one_and_says_so(demo: tuple[Path, str]) -> None:
    workspace, _ = demo
    text = (workspace / "memory" / "topics" / "atelier.md").read_text(encoding="utf-8")
    curated, changelog = text.split("## Changelog", 1)
    assert "480" in curated
    assert "450 euros por mês" not in curated
    assert "450" in changelog


def test_two_values_without_a_winner_wait_for_the_owner(demo: tuple[Path, str]) -> None:
    workspace, out = demo
    curated = (workspace / "memory" / "topics" / "web-shop.md").read_text(encoding="utf-8").split("## Changelog")[0]
    assert "Mondays" in curated
    assert "Wednesdays" in curated
    review = out.split("waits for the owner", 1)[1]
    assert "Mondays" in review
    assert "Wednesdays" in review


def test_the_demo_answers_and_names_the_source(demo: tuple[Path, str]) -> None:
    _, out = demo
    asked = out.split("$ memory_cli.py retrieve", 1)[1]
    assert "480" in asked.split("$ memory_cli.py retrieve")[0]
    assert "O aluguer do atelier passou de 450 para 480 euros por mês a partir de abril." in out.split("$ memory_cli.py why", 1)[1]
    assert "byte for byte as it was" in out


def test_the_sample_itself_is_untouched(demo: tuple[Path, str]) -> None:
    assert not (SAMPLE / "workspace" / ".silo").exists()
    assert not (SAMPLE / "workspace" / "memory" / "events").exists()
