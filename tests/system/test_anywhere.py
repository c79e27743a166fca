"""The scripts as a user's machine runs them: from any folder, isolated, read-only, as another user, without a network."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from silo.jobs.run import guarded

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "sample"
CHAIN = (
    ("extract_session.py", "--source", "openclaw", "--all"),
    ("curate_nightly.py",),
    ("suggest_topics.py", "run"),
    ("migrate_memory.py", "plan"),
    ("memory_cli.py", "retrieve", "--query", "Quanto é o aluguer do atelier?"),
    ("memory_cli.py", "store", "--text", "The kiln's spare key hangs behind the door."),
    ("memory_cli.py", "context"),
    ("memory_cli.py", "doctor"),
    ("memory_cli.py", "undo", "--last", "--yes"),
)
# Runs a script with eyes on it: prints every connection, and every file opened for writing or changed outside ALLOWED.
GUARD = """
import os, runpy, sys
script, *allowed = sys.argv[1].split(os.pathsep)
ends = tuple(os.path.realpath(a) for a in allowed)
def inside(path):
    if isinstance(path, int):
        return True
    path = os.path.realpath(os.fsdecode(path))
    return path == os.devnull or any(path == a or path.startswith(a + os.sep) for a in ends)
def watch(event, args):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.bind", "urllib.Request"):
        sys.stderr.write(f"GUARD {event} {args!r}\\n")
    elif event == "open" and isinstance(args[2], int) and args[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT) and not inside(args[0]):
        sys.stderr.write(f"GUARD open {args[0]!r}\\n")
    elif event in ("os.mkdir", "os.remove", "os.rmdir", "os.chmod", "os.truncate") and not inside(args[0]):
        sys.stderr.write(f"GUARD {event} {args[0]!r}\\n")
    elif event in ("os.rename", "os.link", "os.symlink") and not inside(args[1]):
        sys.stderr.write(f"GUARD {event} {args[1]!r}\\n")
    elif event in ("subprocess.Popen", "os.system", "os.exec"):
        sys.stderr.write(f"GUARD {event} {args[0]!r}\\n")
sys.addaudithook(watch)
sys.argv[:2] = [script]
sys.path.insert(0, os.path.dirname(script))
runpy.run_path(script, run_name="__main__")
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with the sample workspace and state in it."""
    shutil.copytree(SAMPLE / "workspace", tmp_path / "home" / "workspace")
    shutil.copytree(SAMPLE / "state", tmp_path / "home" / "state")
    return tmp_path / "home"


@pytest.fixture
def skill(tmp_path: Path) -> Iterator[Path]:
    """A copy of what the program needs, which nobody can write to."""
    folder = tmp_path / "skill"
    for name in ("scripts", "templates", "schemas"):
        if (ROOT / name).exists():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    yield folder
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)


def environ(home: Path) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if k in ("PATH", "LD_LIBRARY_PATH")}
    return kept | {
        "HOME": str(home), "TZ": "UTC", "PYTHONUTF8": "1",
        "OPENCLAW_WORKSPACE_DIR": str(home / "workspace"), "OPENCLAW_STATE_DIR": str(home / "state"),
    }  # fmt: skip


def run(
    argv: Sequence[str], home: Path, cwd: Path | str = "/", user: int | None = None, python: str = sys.executable
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [python, *argv], capture_output=True, text=True, encoding="utf-8", env=environ(home), cwd=cwd, stdin=subprocess.DEVNULL,
        user=user, group=user, extra_groups=[] if user else None,
    )  # fmt: skip


@pytest.mark.parametrize("flags", [(), ("-I",), ("-P",)], ids=["plain", "isolated", "safe path"])
@pytest.mark.parametrize("script", sorted(p.name for p in (ROOT / "scripts").glob("*.py")))
def test_help_from_any_folder(home: Path, script: str, flags: tuple[str, ...]) -> None:
    done = run([*flags, str(ROOT / "scripts" / script), "--help"], home)
    assert (done.returncode, done.stderr) == (0, "")
    assert script in done.stdout


def test_a_link_to_a_script_works(home: Path, tmp_path: Path) -> None:
    link = tmp_path / "memory"
    link.symlink_to(ROOT / "scripts" / "memory_cli.py")
    assert run([str(link), "--version"], home, cwd=tmp_path).returncode == 0


def python_for(user: int, home: Path) -> str:
    """An interpreter new enough that this user may run; skips where there is none."""
    check = "import sqlite3, sys; sys.exit(sys.version_info < (3, 11))"
    for python in (sys.executable, "/usr/bin/python3", "/usr/local/bin/python3"):
        try:
            if run(["-c", check], home, user=user, python=python).returncode == 0:
                return python
        except OSError:
            continue
    pytest.skip("no interpreter that another user may run")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="needs root, to become another user")
def test_a_read_only_skill_run_by_another_user(home: Path, skill: Path) -> None:
    """The official image: uid 1000, a skill folder that belongs to someone else, standard library alone."""
    for path in [home, *home.rglob("*")]:
        os.chown(path, 1000, 1000)
    for folder in (home.parent, *list(home.parent.parents)[:3]):
        folder.chmod(folder.stat().st_mode | 0o055)
    python = python_for(1000, home)
    before = sorted(p.relative_to(skill) for p in skill.rglob("*"))
    for script, *words in CHAIN:
        done = run([str(skill / "scripts" / script), *words, "--today", "2026-03-12"], home, user=1000, python=python)
        assert done.returncode == 0, (script, words, done.stdout, done.stderr)
    assert sorted(p.relative_to(skill) for p in skill.rglob("*")) == before
    assert list((home / ".cache" / "memory-silo").rglob("*.pyc")), "compiled modules went to the user's cache"
    assert {p.stat().st_uid for p in (home / "workspace").rglob("*")} == {1000}


def test_nothing_is_sent_and_nothing_written_elsewhere(home: Path, tmp_path: Path) -> None:
    """The whole chain under an audit hook: no connection, no child process, no write outside the workspace."""
    for script, *words in CHAIN:
        allowed = os.pathsep.join([str(ROOT / "scripts" / script), str(home / "workspace")])
        done = run(["-B", "-c", GUARD, allowed, *words, "--today", "2026-03-12"], home, cwd=tmp_path)
        assert done.returncode == 0, (script, words, done.stdout, done.stderr)
        assert [line for line in done.stderr.splitlines() if line.startswith("GUARD")] == [], (script, words)
    assert sorted(p.name for p in home.iterdir()) == ["state", "workspace"]


@pytest.mark.parametrize(
    "words",
    [("store", "--text"), ("retrieve", "--query"), ("forget", "--yes", "--query"), ("config", "set", "timezone"), ("hot", "--update", "lesson"), ("tree", "--add", "a/b"), ("cold", "--query"), ("why",), ("distill", "--text")],
)
def test_words_that_are_no_utf8_are_refused_and_written_nowhere(tmp_path: Path, words: tuple[str, ...]) -> None:
    done = run([str(ROOT / "scripts" / "memory_cli.py"), *words, "bad \udcff byte"], tmp_path)
    assert (done.returncode, "is no UTF-8" in done.stderr) == (2, True), (done.stdout, done.stderr)
    assert [path for path in tmp_path.rglob("*") if path.is_file() and ".cache" not in path.parts] == []


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="needs root, to become another user")
@pytest.mark.parametrize("shut", ["memory", "memory/events", "memory/topics", ".silo", ".silo/state.db"])
def test_what_may_not_be_read_is_named_and_not_taken_for_empty(home: Path, skill: Path, shut: str) -> None:
    workspace = home / "workspace"
    command = str(skill / "scripts" / "memory_cli.py")
    assert run([command, "store", "--text", "The kiln is at 900 degrees.", "--today", "2026-03-12"], home).returncode == 0
    (workspace / "memory/topics").mkdir(exist_ok=True)
    for path in [home, *home.rglob("*")]:
        os.chown(path, 1000, 1000)
    for folder in (home.parent, *list(home.parent.parents)[:3]):
        folder.chmod(folder.stat().st_mode | 0o055)
    python = python_for(1000, home)
    os.chown(workspace / shut, 0, 0)
    (workspace / shut).chmod(0)
    for words in (["retrieve", "--query", "kiln"], ["store", "--text", "The shed is green."], ["context"], ["doctor"], ["status"]):
        done = run([command, *words, "--today", "2026-03-12"], home, user=1000, python=python)
        assert done.returncode in (2, 3), (words, done.stdout, done.stderr)
        assert str(workspace / shut) in done.stderr
        assert "NEXT" in done.stderr


@pytest.mark.parametrize("number", [errno.EACCES, errno.EROFS, errno.ENOSPC, errno.EIO])
def test_a_fault_of_the_disk_is_no_bug_of_ours(capsys: pytest.CaptureFixture[str], number: int) -> None:
    def body() -> int:
        raise OSError(number, os.strerror(number), "/a/file")

    assert guarded(body, debug=False) == 3
    assert f"PROBLEM /a/file: {os.strerror(number)}" in capsys.readouterr().err
