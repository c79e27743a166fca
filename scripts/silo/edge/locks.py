"""Locks that die with their process: `flock` on files under .silo/locks, which are never deleted.

The holder writes its pid into the file; the file's own time tells since when, so no clock is asked. A lock says nothing
to programs that do not ask for it (an editor, the host's agent): the engine compares contents for those.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from silo.edge.fs import FileSystem, trouble
from silo.errors import Busy

PAUSE = 0.02  # seconds between two tries; grows to ten times that
HELD = frozenset({errno.EAGAIN, errno.EACCES, errno.EINTR})
NO_FLOCK = frozenset({errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP, errno.EINVAL})


@contextlib.contextmanager
def held(fs: FileSystem, path: Path, what: str, wait: float = 0) -> Iterator[None]:
    """The lock is ours inside the block. Waits up to `wait` seconds, then Busy, which says who has it since when."""
    try:
        fd = _take(fs, path, what, wait)
    except OSError as error:
        raise trouble(error, f"locking {what}; nothing was written") from error
    try:
        with contextlib.suppress(
            OSError
        ):  # a full disk can't note who holds it; the lock itself needs no room
            os.ftruncate(fd, 0)
            os.pwrite(fd, f"{os.getpid()}\n".encode(), 0)
        yield
    finally:
        os.close(fd)  # closing lets go, whatever happened inside


def _take(fs: FileSystem, path: Path, what: str, wait: float) -> int:
    until = time.monotonic() + wait
    pause = PAUSE
    while True:
        fd = fs.open_append(path, 0o600)
        try:
            if _flock(fd, shared=False) and _is_still(fd, path):
                return fd
        except BaseException:
            os.close(fd)
            raise
        os.close(fd)
        left = until - time.monotonic()
        if left <= 0:
            raise Busy(
                f"{what} is held by {_holder(path)}", "wait until it is done, then run the command again"
            )
        time.sleep(min(pause, left))
        pause = min(pause * 1.5, PAUSE * 10)


def _flock(fd: int, *, shared: bool) -> bool:
    """True if the lock is ours now. File systems without flock get the byte-range kind, which they may have."""
    kind = (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB
    try:
        fcntl.flock(fd, kind)
    except OSError as error:
        if error.errno in HELD:
            return False
        if error.errno not in NO_FLOCK:
            raise
    else:
        return True
    try:
        fcntl.lockf(fd, kind)
    except OSError as error:
        if error.errno in HELD:
            return False
        raise
    return True


def _is_still(fd: int, path: Path) -> bool:
    """False if somebody removed or replaced the lock file between our open and our lock: two would hold "the" lock."""
    try:
        there = path.stat()
    except FileNotFoundError:
        return False
    mine = os.fstat(fd)
    return (mine.st_ino, mine.st_dev) == (there.st_ino, there.st_dev)


def _holder(path: Path) -> str:
    try:
        pid = path.read_text(encoding="ascii", errors="replace").strip()
        since = datetime.fromtimestamp(path.stat().st_mtime).astimezone()
    except FileNotFoundError:
        return "another process"
    who = f"process {pid}" if pid.isdigit() else "another process"
    return f"{who} since {since:%Y-%m-%d %H:%M:%S}"
