"""Many writers at once, some of them killed: every acknowledged line is there, none is torn, none is there twice."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import time
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from silo.edge.workspace import Workspace
from silo.errors import Busy
from silo.model import Append, Plan, Put

NOW = datetime(2026, 9, 29, 12, 0, tzinfo=UTC)
EVENTS = "memory/events/2026-09-29.md"
HEAD = b"# Events 2026-09-29\n\n"


def line(name: str) -> bytes:
    return f"[FACT] general: Said by writer {name}. <!-- conf:confirmed src:cli -->\n".encode()


def store(root: Path, name: str) -> None:
    plan = Plan("store", (Append(EVENTS, line(name), HEAD),), (Put("access", name, 1),))
    Workspace.open(root).apply(plan, now=NOW, command="store", scheduled=False)


def child(work: Callable[[], None]) -> int:
    """A forked process that does `work` and nothing else. Returns its pid."""
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    return pid


def logged(root: Path) -> Counter[bytes]:
    data = (root / EVENTS).read_bytes()
    assert data.startswith(HEAD)
    assert data.endswith(b"\n")
    return Counter(data.removeprefix(HEAD).splitlines(keepends=True))


def test_fifty_writers(tmp_path: Path) -> None:
    pids = [child(lambda n=n: store(tmp_path, str(n))) for n in range(50)]  # type: ignore[misc]
    assert [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in pids] == [0] * 50
    assert logged(tmp_path) == Counter(line(str(n)) for n in range(50))
    space = Workspace.open(tmp_path)
    assert len(space.runs()) == 50
    assert len(space.state.items("access")) == 50
    assert space.chain_problems() == ()


def kill_half(root: Path, rounds: int, dice: random.Random) -> None:
    acknowledged: list[str] = []
    for number in range(rounds):
        reader, writer = os.pipe()
        pids = []

        def work(name: str, writer: int = writer) -> None:
            store(root, name)
            os.write(writer, f"{name}\n".encode())

        for n in range(50):
            pids.append(child(lambda n=n: work(f"{number}-{n}")))  # type: ignore[misc]  # noqa: B023 - runs at once
        os.close(writer)
        for pid in dice.sample(pids, 25):
            time.sleep(dice.random() * 0.01)
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        for pid in pids:
            os.waitpid(pid, 0)
        with os.fdopen(reader) as said:
            acknowledged += said.read().split()
        space = Workspace.open(root)
        space.recover(NOW)
        found = logged(root)
        assert all(count == 1 for count in found.values())
        assert not [name for name in acknowledged if line(name) not in found]
        assert set(space.state.items("access")) == {
            one.split(b"writer ")[1].split(b".")[0].decode() for one in found
        }
        assert space.chain_problems() == ()


def test_half_of_the_writers_killed(tmp_path: Path) -> None:
    kill_half(tmp_path, 1, random.Random(1))


@pytest.mark.slow
def test_half_of_the_writers_killed_twenty_times(tmp_path: Path) -> None:
    kill_half(tmp_path, 20, random.Random(2))


def test_a_lock_dies_with_its_process(tmp_path: Path) -> None:
    ready, tell = os.pipe()

    def hold() -> None:
        with Workspace.open(tmp_path).job("curate"):
            os.write(tell, b"x")
            time.sleep(60)

    pid = child(hold)
    assert os.read(ready, 1) == b"x"
    space = Workspace.open(tmp_path)
    with pytest.raises(Busy, match=f"process {pid} since"), space.job("curate"):
        pass
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    with space.job("curate"):
        pass


def test_a_waiting_command_gets_its_turn(tmp_path: Path) -> None:
    ready, tell = os.pipe()

    def hold() -> None:
        with Workspace.open(tmp_path).job("curate"):
            os.write(tell, b"x")
            time.sleep(0.3)

    pid = child(hold)
    assert os.read(ready, 1) == b"x"
    with Workspace.open(tmp_path).job("curate", wait=30):
        pass
    os.waitpid(pid, 0)
