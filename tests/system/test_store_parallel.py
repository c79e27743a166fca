"""Many `store` commands at once, some killed: whoever was told that it is stored finds it there, once, whole."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest

from command import Home
from silo.config import load
from silo.edge.workspace import Workspace
from silo.formats.events import parse_file
from silo.jobs.run import Call
from silo.jobs.store import StoreOptions, store

SCRIPT = Path(__file__).resolve().parents[2] / "scripts/memory_cli.py"
NOW = datetime(2026, 3, 10, 12, 0, tzinfo=UTC)
SHARED = "The gate code was changed by the landlord."  # said by every fifth writer of a round


def call(root: Path) -> Call:
    environ = {"HOME": str(root), "OPENCLAW_STATE_DIR": str(root / "state")}
    return Call(config=load(workspace=str(root), agent=None, timezone_name="UTC", environ=environ), now=NOW, command="store")


def said(number: int, writer: int) -> str:
    return f"Round {number}: {SHARED}" if writer % 5 == 0 else f"Locker {number * 100 + writer} belongs to writer {number}-{writer}."


def logged(root: Path) -> Counter[str]:
    """How often each text stands in the log; every line of it is whole."""
    data = (root / "memory/events/2026-03-10.md").read_text(encoding="utf-8")
    file = parse_file(data, "memory/events/2026-03-10.md")
    assert file.problems == ()
    assert data.endswith("\n")
    assert len(file.events) == len([line for line in data.split("\n")[1:] if line.strip()])
    assert len({event.id for event in file.events}) == len(file.events)
    return Counter(event.text for event in file.events)


def round_of(root: Path, number: int, kill: int, dice: random.Random) -> tuple[list[str], int]:
    """Fifty writers, `kill` of them killed: the texts that were acknowledged, and how many writers died."""
    reader, writer = os.pipe()
    pids = []
    for n in range(50):
        pid = os.fork()
        if pid == 0:
            code = 1
            try:
                report = store(call(root), StoreOptions(text=said(number, n), tag="FACT", topic="general"))
                os.write(writer, f"{n} {report.lines[0][:2]}\n".encode())
                code = 0
            finally:
                os._exit(code)
        pids.append(pid)
    os.close(writer)
    for pid in dice.sample(pids, kill):
        time.sleep(dice.random() * 0.02)
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    codes = [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in pids]
    with os.fdopen(reader) as told:
        acknowledged = [said(number, int(line.split()[0])) for line in told if line.strip().endswith("OK")]
    assert set(codes) <= {0, -signal.SIGKILL}
    return acknowledged, codes.count(-signal.SIGKILL)


def rounds(root: Path, count: int, kill: int, dice: random.Random) -> None:
    acknowledged: list[str] = []
    died = 0
    for number in range(count):
        told, killed = round_of(root, number, kill, dice)
        acknowledged += told
        died += killed
        space = Workspace.open(root)
        space.recover(NOW)
        found = logged(root)
        assert set(found.values()) == {1}
        assert set(acknowledged) <= set(found)
        assert space.chain_problems() == ()
        assert not list((root / ".silo/runs").glob("*.committing"))
    print(f"{count} rounds of 50 stores: {died} killed, {len(acknowledged)} acknowledged, {len(logged(root))} lines, none lost, none twice")


def test_half_of_fifty_stores_killed(tmp_path: Path) -> None:
    rounds(tmp_path, 1, 25, random.Random(7))


@pytest.mark.slow
def test_half_of_fifty_stores_killed_twenty_times(tmp_path: Path) -> None:
    rounds(tmp_path, 20, 25, random.Random(11))


@pytest.mark.slow
def test_fifty_processes(tmp_path: Path) -> None:
    words = [sys.executable, str(SCRIPT), "store", "--workspace", str(tmp_path), "--today", "2026-03-10", "--topic", "general", "--tag", "FACT", "--plain"]
    environ = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "TZ": "UTC"}
    running = [
        subprocess.Popen([*words, "--text", said(0, n)], env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for n in range(50)
    ]
    told = [process.communicate(timeout=120) for process in running]
    assert [process.returncode for process in running] == [0] * 50, told
    assert logged(tmp_path) == Counter({said(0, n) for n in range(50)})
    home = Home(tmp_path)
    assert home.data("status")["events"] == 41
    home.run("doctor")
