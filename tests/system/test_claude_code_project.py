"""A project of Claude Code: one block in CLAUDE.md, hooks where they are wanted, `save`, and the way back."""

from __future__ import annotations

import json
import shlex
import subprocess
import time
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


def test_a_project_nobody_has_talked_in_yet_is_told_of(home: Home) -> None:
    init(home)
    assert "at its first answer" in home.run("save", code=2)


def test_hooks_are_shown_before_they_are_merged(home: Home) -> None:
    told = init(home, "--hooks")
    assert "SessionEnd" in told
    assert "PreCompact" in told
    assert not (home.root / ".claude").exists()


THEIRS = [
    '{"permissions": {"allow": ["Bash(ls)"]}, "hooks": {"SessionEnd": [{"hooks": [{"type": "command", "command": "date"}]}], "Stop": []}}',
    '{\n\t"hooks" : {\n\t\t"Stop":[ ] ,\r\n\t\t"PreCompact":[\n{"matcher":"auto","hooks":[{"type":"command","command":"memory_cli.py save --workspace /home/me/other --quiet"}]}]\n\t}, "a": [1,\n2]}\n\n',
    '{ "env": {"A": "é \\u00e9 \\"}]"} }',
    '{"hooks": {"SessionEnd": [1, "x", {"hooks": 5}]}}',
    "{}",
    '{"hooks" :{ } ,"x":1}',
]


@pytest.mark.parametrize("theirs", THEIRS)
def test_hooks_are_merged_beside_those_of_others_and_taken_out_to_the_byte(home: Home, theirs: str) -> None:
    place = home.root / ".claude/settings.local.json"
    place.parent.mkdir()
    place.write_bytes(theirs.encode())
    init(home, "--hooks", "--yes")
    merged = place.read_bytes()
    was, now = json.loads(theirs), settings(home)
    for event in ("SessionEnd", "PreCompact"):
        there = was.get("hooks", {}).get(event, [])
        assert now["hooks"][event][: len(there)] == there
        assert len(now["hooks"][event]) == len(there) + 1
    assert {key: value for key, value in now.items() if key != "hooks"} == {key: value for key, value in was.items() if key != "hooks"}
    init(home, "--hooks", "--yes")
    assert place.read_bytes() == merged, "a second time changes nothing"
    home.run("init", "--remove")
    if was.get("hooks") == {}:
        assert settings(home) == {key: value for key, value in was.items() if key != "hooks"}
    else:
        assert place.read_bytes() == theirs.encode()
    assert (home.root / "CLAUDE.md").read_bytes() == CLAUDE.encode()


def test_an_entry_of_an_older_version_is_replaced_and_one_that_others_joined_is_kept(home: Home) -> None:
    init(home, "--hooks", "--yes")
    wanted = settings(home)
    place = home.root / ".claude/settings.local.json"
    old = {"type": "command", "command": f"/old/python3 /old/scripts/memory_cli.py save --workspace {home.root} --scheduled --quiet", "timeout": 120}
    date = {"type": "command", "command": "date"}
    place.write_text(json.dumps({"hooks": {"SessionEnd": [{"hooks": [old, date]}], "PreCompact": [{"hooks": [old]}, {"hooks": [date]}]}}))
    init(home, "--hooks", "--yes")
    now = settings(home)["hooks"]
    assert now["SessionEnd"] == [{"hooks": [date]}, *wanted["hooks"]["SessionEnd"]]
    assert now["PreCompact"] == [{"hooks": [date]}, *wanted["hooks"]["PreCompact"]]
    home.run("init", "--remove")
    assert settings(home) == {"hooks": {"SessionEnd": [{"hooks": [date]}], "PreCompact": [{"hooks": [date]}]}}


def test_a_folder_of_any_name(tmp_path: Path) -> None:
    made = Home(tmp_path / "my roof's $(é) \"x\"")
    made.root.mkdir()
    init(made, "--hooks", "--yes")
    once = (made.root / ".claude/settings.local.json").read_bytes()
    init(made, "--hooks", "--yes")
    assert (made.root / ".claude/settings.local.json").read_bytes() == once
    words = shlex.split(settings(made)["hooks"]["SessionEnd"][0]["hooks"][0]["command"])
    assert str(made.root) in words
    made.run("init", "--remove")
    assert not (made.root / ".claude/settings.local.json").exists()


def test_settings_of_our_own_go_with_us(home: Home) -> None:
    init(home, "--hooks", "--yes")
    home.run("init", "--remove")
    assert not (home.root / ".claude").exists()


@pytest.mark.parametrize("text", ["{ // mine\n}", "[]", '{"hooks": []}', '{"hooks": {"SessionEnd": {"a": 1}}}', '{"hooks": {"PreCompact": null}}', "{", "\ufeff{}"])
def test_settings_of_another_form_are_left_alone_and_nothing_is_written(home: Home, text: str) -> None:
    place = home.root / ".claude/settings.local.json"
    place.parent.mkdir()
    place.write_text(text, "utf-8")
    assert "nothing was written" in home.run("init", "--host", "claude-code", "--hooks", "--yes", code=2)
    assert place.read_text("utf-8") == text
    assert (home.root / "CLAUDE.md").read_bytes() == CLAUDE.encode()
    assert not (home.root / "memory").exists()


@pytest.mark.parametrize("data", [CLAUDE.encode(), b"", b"x", b"\xef\xbb\xbf# x\r\n\r\n", b"a\r\nb", b"\n\n", b"caf\xe9\n"])
def test_a_guide_comes_back_to_the_byte(home: Home, data: bytes) -> None:
    place = home.root / "CLAUDE.md"
    place.write_bytes(data)
    init(home)
    assert place.read_bytes().startswith(data)
    home.run("init", "--remove")
    assert (place.read_bytes() if place.exists() else b"") == data or not data.strip()


def test_a_guide_that_is_a_link_stays_one(home: Home) -> None:
    (home.root / "CLAUDE.md").rename(home.root / "AGENTS.md")
    (home.root / "CLAUDE.md").symlink_to("AGENTS.md")
    init(home)
    assert b"silo:claude-code:begin" in (home.root / "AGENTS.md").read_bytes()
    home.run("init", "--remove")
    assert (home.root / "CLAUDE.md").is_symlink()
    assert (home.root / "AGENTS.md").read_bytes() == CLAUDE.encode()


def test_a_guide_in_another_encoding_is_refused(home: Home) -> None:
    (home.root / "CLAUDE.md").write_bytes("# Roof\n".encode("utf-16"))
    assert "no UTF-8" in home.run("init", "--host", "claude-code", code=2)
    assert (home.root / "CLAUDE.md").read_bytes() == "# Roof\n".encode("utf-16")


@pytest.mark.slow
def test_the_hooks_command_runs_as_it_is_written(home: Home) -> None:
    init(home, "--hooks", "--yes")
    today = datetime.now(UTC).date().isoformat()  # the hook works on the day that it is
    talk(home, ("user", "We decided to cover the roof with slate, not tiles."), ("assistant", "Noted: slate."), day=today)
    command = settings(home)["hooks"]["SessionEnd"][0]["hooks"][0]["command"]
    env = {"HOME": str(home.root), "PATH": "/usr/bin:/bin"}
    told = {"session_id": "5e55", "transcript_path": str(projects(home) / "5e55.jsonl"), "cwd": str(home.root), "hook_event_name": "SessionEnd", "reason": "exit"}
    done = subprocess.run(["sh", "-c", command], input=json.dumps(told), capture_output=True, text=True, check=False, env=env, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    for _ in range(600):  # the work goes on by itself
        if any("slate" in path.read_text("utf-8") for path in (home.root / "memory/events").glob("*.md")):
            return
        time.sleep(0.1)
    raise AssertionError("the session was not saved")


@pytest.mark.parametrize("event", ["SessionEnd", "PreCompact"])
def test_a_hook_never_stops_the_host(home: Home, event: str) -> None:
    """No folder of conversations, no workspace: an exit code of 2 would be a veto of the compaction."""
    init(home, "--hooks", "--yes")
    command = settings(home)["hooks"][event][0]["hooks"][0]["command"].replace(str(home.root), "/nowhere")
    done = subprocess.run(["sh", "-c", command], input="{}", capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


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
