"""The real server of npm's `turso` for tests: a process on 127.0.0.1, a fresh file each, gone afterwards.

`SILO_TURSODB` is the path of the binary; .ci/run installs it. Without it the tests are skipped, which is counted.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from pathlib import Path

import pytest

from silo.edge.cold.hrana import Hrana, Unreachable

BINARY = os.environ.get("SILO_TURSODB", "")


class Tursodb:
    """One server, started by `with`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.url = ""
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Tursodb:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        self._process = subprocess.Popen(
            [BINARY, str(self.path), "--sync-server", f"127.0.0.1:{port}"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        until = time.monotonic() + 30
        while True:
            try:
                Hrana(self.url, "", wait=2).ask("SELECT 1")
                return self
            except Unreachable:
                if time.monotonic() > until or self._process.poll() is not None:
                    raise
                time.sleep(0.02)

    def __exit__(self, *_: object) -> None:
        self._end(signal.SIGINT)

    def kill(self) -> None:
        """Without warning, as a power cut does it."""
        self._end(signal.SIGKILL)

    def _end(self, how: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(how)
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None


def tursodb(folder: Path, name: str = "remote.db") -> Tursodb:
    """A server over a new file in that folder; the test is skipped where there is no binary."""
    if not BINARY:
        pytest.skip("no tursodb: SILO_TURSODB names none")
    return Tursodb(folder / name)
