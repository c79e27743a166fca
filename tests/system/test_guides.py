"""The guides: every command in them runs, in their order, in a home of its own."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
GUIDES = ("quickstart-claude-code", "adapting")


def blocks(name: str) -> list[str]:
    return re.findall(r"^```sh\n(.*?)^```", (ROOT / "references" / f"{name}.md").read_text("utf-8"), re.S | re.M)


def conversation(folder: Path) -> None:
    """One talk in the place where Claude Code keeps those of the project."""
    rows = []
    for n, (role, text) in enumerate([("user", "We decided to cover the roof with slate, not tiles."), ("assistant", "Noted: slate.")], 1):
        content: object = text if role == "user" else [{"type": "text", "text": text}]
        rows.append({"parentUuid": None, "isSidechain": False, "userType": "external", "cwd": "/w", "sessionId": "5e55", "version": "2.0.61",
                     "type": role, "message": {"role": role, "content": content}, "uuid": f"u{n}", "timestamp": f"2026-03-09T12:{n:02d}:00.000Z"})  # fmt: skip
    folder.mkdir(parents=True)
    (folder / "5e55.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("name", GUIDES)
def test_every_command_of_a_guide_runs_as_it_is_written(name: str, tmp_path: Path) -> None:
    home = tmp_path / "home"
    work = home / "barn"
    work.mkdir(parents=True)
    (work / "CLAUDE.md").write_text("# Barn\n", "utf-8")
    conversation(home / ".claude" / "projects" / re.sub(r"[^A-Za-z0-9]", "-", str(work.resolve())))
    day = "2026-03-10"  # what the guides' commands work on, so that the talk is recent
    python = tmp_path / "bin" / "python3"
    python.parent.mkdir()
    python.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@" --today {day} --timezone UTC\n', "utf-8")
    python.chmod(0o755)
    environ = {"HOME": str(home), "PATH": f"{python.parent}:{os.environ['PATH']}", "SILO": str(ROOT / "scripts"), "TZ": "UTC"}
    script = "set -eu\n" + "".join(blocks(name))
    done = subprocess.run(["bash", "-c", script], cwd=work, env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "PROBLEM" not in done.stdout + done.stderr
    if name == "quickstart-claude-code":
        assert (work / "CLAUDE.md").read_text("utf-8").rstrip() == "# Barn"
        assert "slate" in done.stdout
    else:
        assert "rent is due" in done.stdout
        assert "printer" in done.stdout


@pytest.mark.parametrize("name", GUIDES)
def test_a_guide_has_commands(name: str) -> None:
    assert len(blocks(name)) >= 4
