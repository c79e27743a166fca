"""A project of Claude Code: one block in CLAUDE.md, hooks where they are wanted, `save`, and the way back."""

from __future__ import annotations

import json
import shlex
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from command import Home

CLAUDE = "# Roof\n\nUse tabs.\r\nNo trailing newline"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path / "roof")
    made.root.mkdir()
    (made.root / "CLAUDE.md").write_bytes(CLAUDE.encode())
    return made


def init(home: Home, *more: str) -> str:
    return home.run("init", "--host", "claude-code", *more)


def projects(home: Home) -> Path:
    return Path(json.loads((home.root / ".silo/config.json").read_text())["extract"]["path"])


def talk(home: Home, *said: tuple[str, str], day: str = "2026-03-09") -> None:
    folder = projects(home)
    folder.mkdir(parents=True)
    rows = []
    for n, (role, text) in enumerate(said, 1):
        content: object = text if role == "user" else [{"type": "text", "text": text}]
        rows.append(
            {
                "parentUuid": f"u{n - 1}" if n > 1 else None, "isSidechain": False, "userType": "external", "cwd": str(home.root), "sessionId": "5e55",
                "version": "2.0.61", "type": role, "message": {"role": role, "content": content}, "uuid": f"u{n}", "timestamp": f"{day}T00:{n:02d}:00.000Z",
            }
        )  # fmt: skip
    (folder / "5e55.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


def settings(home: Home) -> Any:
    return json.loads((home.root / ".claude/settings.local.json").read_text("utf-8"))


def test_the_block_is_added_and_every_other_byte_stays(home: Home) -> None:
    init(home)
    data = (home.root / "CLAUDE.md").read_bytes()
    assert data.startswith(CLAUDE.encode())
    assert data.count(b"silo:claude-code:begin") == 1
    init(home)
    assert (home.root / "CLAUDE.md").read_bytes() == data, "a second time changes nothing"


def test_a_project_without_a_guide_gets_one_and_loses_it_again(home: Home) -> None:
    (home.root / "CLAUDE.md").unlink()
    init(home)
    assert (home.root / "CLAUDE.md").is_file()
    home.run("init", "--remove")
    assert not (home.root / "CLAUDE.md").exists()


@pytest.mark.parametrize("word", ["remember this", "log this", "save", "open topic", "lembra disto", "abre o tópico"])
def test_the_manual_triggers_stand_in_the_block(home: Home, word: str) -> None:
    init(home)
    assert word in (home.root / "CLAUDE.md").read_text("utf-8")


def test_every_command_of_the_block_is_one(home: Home) -> None:
    init(home)
    text = (home.root / "CLAUDE.md").read_text("utf-8")
    verbs = {part.split()[0] for part in text.split("`")[1::2] if not part.startswith(("python3", "--"))}
    listed = home.run("--help")
    assert verbs - {"memory-silo"} <= {line.split()[0] for line in listed.splitlines() if line.startswith("    ") and line.strip()}


def test_damaged_marks_are_named_and_nothing_is_written(home: Home) -> None:
    (home.root / "CLAUDE.md").write_text("a\n<!-- silo:claude-code:begin -->\nb\n")
    assert "CLAUDE.md:2" in home.run("init", "--host", "claude-code", code=2)
    assert (home.root / "CLAUDE.md").read_text() == "a\n<!-- silo:claude-code:begin -->\nb\n"


def test_save_reads_the_projects_conversations_and_brings_them_into_the_log(home: Home) -> None:
    init(home)
    talk(home, ("user", "We decided to cover the roof with slate, not tiles."), ("assistant", "Noted: slate."))
    told = home.run("save")
    assert "1 events written" in told
    assert any("slate" in path.read_text("utf-8") for path in (home.root / "memory/events").glob("*.md"))
    assert home.data("retrieve", "--query", "roof slate")["results"]
    assert "0 events written" in home.run("save"), "each message once"


def test_hooks_are_shown_before_they_are_merged(home: Home) -> None:
    told = init(home, "--hooks")
    assert "SessionEnd" in told
    assert "PreCompact" in told
    assert not (home.root / ".claude").exists()


def test_hooks_are_merged_beside_those_of_others_and_taken_out_alone(home: Home) -> None:
    (home.root / ".claude").mkdir()
    theirs = {"permissions": {"allow": ["Bash(ls)"]}, "hooks": {"SessionEnd": [{"hooks": [{"type": "command", "command": "date"}]}], "Stop": []}}
    (home.root / ".claude/settings.local.json").write_text(json.dumps(theirs))
    init(home, "--hooks", "--yes")
    init(home, "--hooks", "--yes")
    merged = settings(home)
    assert merged["permissions"] == theirs["permissions"]
    assert [len(merged["hooks"][event]) for event in ("SessionEnd", "PreCompact", "Stop")] == [2, 1, 0]
    home.run("init", "--remove")
    assert settings(home) == theirs
    assert (home.root / "CLAUDE.md").read_bytes() == CLAUDE.encode() or (home.root / "CLAUDE.md").read_bytes().rstrip() == CLAUDE.encode()


def test_settings_that_are_no_json_are_left_alone(home: Home) -> None:
    (home.root / ".claude").mkdir()
    (home.root / ".claude/settings.local.json").write_text("{ // mine\n}")
    assert "not JSON" in home.run("init", "--host", "claude-code", "--hooks", "--yes", code=2)
    assert (home.root / ".claude/settings.local.json").read_text() == "{ // mine\n}"


@pytest.mark.slow
def test_the_hooks_command_runs_as_it_is_written(home: Home) -> None:
    init(home, "--hooks", "--yes")
    today = datetime.now(UTC).date().isoformat()  # the hook works on the day that it is
    talk(home, ("user", "We decided to cover the roof with slate, not tiles."), ("assistant", "Noted: slate."), day=today)
    command = settings(home)["hooks"]["SessionEnd"][0]["hooks"][0]["command"]
    env = {"HOME": str(home.root), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(shlex.split(command), input='{"hook_event_name": "SessionEnd"}', capture_output=True, text=True, check=False, env=env, timeout=120)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert any("slate" in path.read_text("utf-8") for path in (home.root / "memory/events").glob("*.md"))


def test_what_the_user_says_of_the_source_stays(home: Home) -> None:
    (home.root / ".silo").mkdir()
    (home.root / ".silo/config.json").write_text('{"extract": {"source": "text", "path": "/x"}}')
    init(home)
    assert json.loads((home.root / ".silo/config.json").read_text())["extract"] == {"source": "text", "path": "/x"}


def test_the_folders_own_memory_is_offered_for_import(home: Home) -> None:
    init(home)
    folder = projects(home) / "memory"
    folder.mkdir(parents=True)
    (folder / "MEMORY.md").write_text("# Memory\n\n- The roof is covered with slate.\n")
    assert f"import {folder}" in init(home)
    home.run("import", str(folder), "--kind", "claude-code")
    assert home.data("retrieve", "--query", "roof slate")["results"]
