"""A disk that counts its steps and dies, fails or is interfered with at any of them. For tests of the engine."""

from __future__ import annotations

import errno
import os
import sqlite3
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from silo.edge.fs import Disk

BEFORE, AFTER, TORN = "before", "after", "torn"


class Killed(BaseException):
    """The process is gone; nothing of it may write any more."""


class FaultyDisk(Disk):
    """`Disk`, with a hook at every step.

    die_at: (number, BEFORE | AFTER | TORN): the process ends there; a torn write leaves half of its bytes.
    fail_at: (number, errno): this step and, with `for_good`, all later ones of its kind are refused by the system.
    at_step: called before every step with its number and name, to let somebody else edit at that moment.
    devices: .silo and the rest are on two devices.
    power: with it, a death also loses what was written and not synced, as when the power goes.
    """

    def __init__(
        self,
        *,
        die_at: tuple[int, str] | None = None,
        fail_at: tuple[int, int] | None = None,
        for_good: bool = False,
        at_step: Callable[[int, str], None] | None = None,
        links: bool = True,
        exchange: bool = True,
        devices: bool = False,
        power: bool = False,
    ) -> None:
        super().__init__()
        self.steps: list[str] = []
        self.dead = False
        self._die_at, self._fail_at, self._at_step = die_at, fail_at, at_step
        self._for_good, self._devices = for_good, devices
        self._links, self._exchange = links and not devices, exchange and not devices
        self._failing: set[str] = set()
        self._power = power
        self._open: dict[int, Path] = {}
        self._unsynced: dict[Path, int] = {}  # inode's path → size that is safe

    def _step(self, name: str, call: Callable[[], Any], torn: Callable[[], Any] | None = None) -> Any:
        if self.dead:
            raise Killed
        self.steps.append(name)
        number = len(self.steps)
        if self._at_step is not None:
            self._at_step(number, name)
        kind = name.split()[0]
        if self._fail_at is not None and number == self._fail_at[0]:
            self._failing.add(kind)
        elif not self._for_good:
            self._failing.clear()
        if self._fail_at is not None and kind in self._failing:
            if torn is not None:
                torn()
            raise OSError(self._fail_at[1], os.strerror(self._fail_at[1]))
        if self._die_at is not None and number == self._die_at[0]:
            if self._die_at[1] == TORN and torn is not None:
                torn()
            if self._die_at[1] == AFTER:
                call()
            self._die()
        return call()

    def _die(self) -> None:
        self.dead = True
        if self._power:
            for path, safe in self._unsynced.items():
                if path.exists():
                    os.truncate(path, safe)
        raise Killed

    def mkdir(self, path: Path, mode: int) -> None:
        self._step(f"mkdir {path.name}", lambda: super(FaultyDisk, self).mkdir(path, mode))

    def create(self, path: Path, mode: int) -> int:
        fd = self._step(f"create {path.name}", lambda: super(FaultyDisk, self).create(path, mode))
        self._open[fd] = path
        self._unsynced[path] = 0
        return int(fd)

    def open_append(self, path: Path, mode: int) -> int:
        if path.suffix == ".lock":  # taking a lock changes no memory
            return super().open_append(path, mode)
        fd = self._step(f"open {path.name}", lambda: super(FaultyDisk, self).open_append(path, mode))
        self._open[fd] = path
        self._unsynced[path] = path.stat().st_size
        return int(fd)

    def write(self, fd: int, data: bytes) -> int:
        return int(
            self._step(
                f"write {self._open[fd].name}",
                lambda: super(FaultyDisk, self).write(fd, data),
                lambda: os.write(fd, data[: len(data) // 2]),
            )
        )

    def sync(self, fd: int) -> None:
        self._step(
            f"sync {self._open[fd].name}", lambda: None
        )  # a test needs no real sync, and is faster without
        self._unsynced.pop(self._open[fd], None)

    def truncate(self, path: Path, size: int) -> None:
        self._step(f"truncate {path.name}", lambda: super(FaultyDisk, self).truncate(path, size))

    def chmod(self, path: Path, mode: int) -> None:
        self._step(f"chmod {path.name}", lambda: super(FaultyDisk, self).chmod(path, mode))

    def rename(self, path: Path, to: Path) -> None:
        if self._devices and (".silo" in path.parts) != (".silo" in to.parts):
            raise OSError(errno.EXDEV, "another device")
        self._step(f"rename {path.name} {to.name}", lambda: super(FaultyDisk, self).rename(path, to))

    def link(self, path: Path, to: Path) -> None:
        if not self._links:
            raise OSError(errno.EPERM, "no hard links here")
        self._step(f"link {path.name} {to.name}", lambda: super(FaultyDisk, self).link(path, to))

    def exchange(self, path: Path, other: Path) -> bool:
        if not self._exchange:
            return False
        return bool(
            self._step(f"exchange {other.name}", lambda: super(FaultyDisk, self).exchange(path, other))
        )

    def unlink(self, path: Path) -> None:
        self._step(f"unlink {path.name}", lambda: super(FaultyDisk, self).unlink(path))

    def rmdir(self, path: Path) -> None:
        self._step(f"rmdir {path.name}", lambda: super(FaultyDisk, self).rmdir(path))

    def sync_folder(self, path: Path) -> None:
        self._step(f"syncdir {path.name}", lambda: None)

    def commit(self, connection: sqlite3.Connection) -> None:
        self._step("commit state", lambda: super(FaultyDisk, self).commit(connection))


def quick_folder() -> Path:
    """A new folder, in memory where the system has such a place: these tests commit thousands of times."""
    ram = Path("/dev/shm")
    return Path(tempfile.mkdtemp(prefix="silo-", dir=ram if os.access(ram, os.W_OK) else None))
