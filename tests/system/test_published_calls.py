"""A program written for the published tiered memory calls us instead: our folder is linked in its place, nothing else changes.

It distils, stores and syncs after each exchange, asks before each answer with a model's address, and consolidates on a
schedule, all by argument lists, with the mirror in the environment. Once with the mirror up, once with nothing there.
"""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from command import Home
from fake_turso import FakeTurso

ROOT = Path(__file__).resolve().parents[2]
TOOL = "skills/tiered-memory/scripts/memory_cli.py"
PROGRAM = '''
import json, os, subprocess, sys

def tool(*words, **more):
    return subprocess.run(["python3", "{tool}", *words], **more)

def mirror():
    return ["--db-url", os.getenv("TURSO_URL"), "--auth-token", os.getenv("TURSO_TOKEN")]

def heard(question, reply, category="conversations"):
    done = tool("distill", "--text", "User: " + question + "\\nAgent: " + reply, capture_output=True, text=True)
    short = json.loads(done.stdout)
    weight = 0.7 if "decision" in short["distilled"]["outcome"] else 0.5
    tool("store", "--text", short["distilled"]["fact"], "--category", category, "--importance", str(weight), *mirror())
    tool("sync-critical", *mirror())

def known(question):
    done = tool("retrieve", "--query", question, "--limit", "5", "--llm", "--llm-endpoint", "http://localhost:9/complete", *mirror(),
                capture_output=True, text=True)
    return "\\n".join("- " + one["text"] for one in json.loads(done.stdout))

heard("Let us fire the kiln at 1240 degrees from now on.", "Good, I have noted it.", "hobby/kiln")
heard("We decided to rent the hall in Sines for the fair.", "Agreed.", "business/fair")
print(json.dumps([known("how hot is the kiln fired"), known("which hall for the fair")]))
for mode in ("quick", "daily", "monthly"):
    done = tool("consolidate", "--mode", mode, *mirror(), capture_output=True, text=True)
    print(json.dumps([done.returncode, json.loads(done.stdout)["mode"]]))
'''
SETTINGS = {
    "agent_id": "default",
    "hot": {"max_bytes": 5120, "max_lessons": 20, "max_events": 10, "max_tasks": 10},
    "warm": {"max_kb": 50, "retention_days": 30, "eviction_threshold": 0.3},
    "cold": {"backend": "turso", "retention_years": 10},
    "scoring": {"half_life_days": 30, "reinforcement_boost": 0.1},
    "tree": {"max_nodes": 50, "max_depth": 4, "max_size_bytes": 2048},
    "distillation": {"aggression": 0.7, "max_distilled_bytes": 100, "mode": "rule"},
    "consolidation": {"warm_eviction": "hourly", "tree_prune": "daily", "tree_rebuild": "monthly"},
}


def run_program(place: Path, url: str, token: str) -> subprocess.CompletedProcess[str]:
    """The program in a folder with our skill linked at the published name."""
    (place / "skills").mkdir()
    (place / "skills/tiered-memory").symlink_to(ROOT)
    (place / "bin").mkdir()
    (place / "bin/python3").symlink_to(sys.executable)
    environ = {
        "PATH": f"{place}/bin:/usr/bin:/bin", "HOME": str(place), "OPENCLAW_WORKSPACE_DIR": str(place / "workspace"),
        "OPENCLAW_STATE_DIR": str(place / "state"), "TURSO_URL": url, "TURSO_TOKEN": token, "TZ": "UTC",
    }  # fmt: skip
    (place / "workspace").mkdir()
    program = PROGRAM.replace("{tool}", TOOL)
    return subprocess.run([sys.executable, "-c", program], cwd=place, env=environ, capture_output=True, text=True, check=False, timeout=400)


def check(place: Path, done: subprocess.CompletedProcess[str]) -> None:
    assert done.returncode == 0, done.stderr
    lines = [line for line in done.stdout.splitlines() if line.startswith("[")]
    answers = json.loads(lines[0])
    assert "1240" in answers[0]
    assert "Sines" in answers[1]
    assert [json.loads(line) for line in lines[1:]] == [[0, "quick"], [0, "daily"], [0, "monthly"]]
    log = "".join(path.read_text(encoding="utf-8") for path in (place / "workspace/memory/events").glob("*.md"))
    assert "cat:hobby/kiln" in log
    assert "imp:0.5" in log or "imp:0.7" in log
    assert [one.name for one in (place / "workspace/.silo/agents").iterdir()] == ["default"]


def test_with_the_mirror_up(tmp_path: Path) -> None:
    with FakeTurso(tmp_path / "turso.db", token="t0ken") as server:
        check(tmp_path, run_program(tmp_path, server.url, "t0ken"))
    with sqlite3.connect(tmp_path / "turso.db") as db:
        tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    assert "cold_memories" in tables


@pytest.mark.slow
def test_with_nothing_there(tmp_path: Path) -> None:
    check(tmp_path, run_program(tmp_path, "http://127.0.0.1:9", "t0ken"))


def test_the_published_settings_are_taken(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.write(".silo/config.json", json.dumps(SETTINGS))
    home.run("store", "--text", "The kiln fires at 1240 degrees.")
    home.run("consolidate", "--mode", "monthly")
    said = home.data("metrics")
    assert said["warm_memory_count"] == 1
    assert "PROBLEM" not in home.run("config", "validate")
