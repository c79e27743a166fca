"""Every system call that writes, behind one small protocol, so that a test can count, kill or fail each of them.

`FileSystem` lists the calls, one step each; `Disk` is the real thing. The functions below it put a few steps together
(write a whole file and sync it, replace a file and keep what was replaced). Reads need no injection and stand here as
plain functions. Knows nothing of workspaces, plans or runs.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import sqlite3
import sys
from pathlib import Path
from typing import Protocol

from silo.errors import Conflict
from silo.text.lines import sha256

NO_LINKS = frozenset({errno.EPERM, errno.EOPNOTSUPP, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK, errno.EXDEV})
NO_SYNC = frozenset({errno.EINVAL, errno.EOPNOTSUPP, errno.ENOTSUP, errno.ENOSYS, errno.EBADF})
NO_EXCHANGE = frozenset(
    {errno.EINVAL, errno.EOPNOTSUPP, errno.ENOTSUP, errno.ENOSYS, errno.EPERM, errno.EXDEV}
)
AT_FDCWD = -100  # linux/fcntl.h
RENAME_EXCHANGE = 2  # linux/fs.h


class FileSystem(Protocol):
    """The calls that change a disk. Each raises OSError as the system does, and nothing else."""

    def mkdir(self, path: Path, mode: int) -> None: ...
    def create(self, path: Path, mode: int) -> int:
        """A new file open for writing; FileExistsError if there is one. Returns the descriptor."""
        ...

    def open_append(self, path: Path, mode: int) -> int:
        """The file open for appending, made if missing. Returns the descriptor."""
        ...

    def write(self, fd: int, data: bytes) -> int: ...
    def sync(self, fd: int) -> None: ...
    def truncate(self, path: Path, size: int) -> None: ...
    def chmod(self, path: Path, mode: int) -> None: ...
    def rename(self, path: Path, to: Path) -> None: ...
    def link(self, path: Path, to: Path) -> None: ...
    def exchange(self, path: Path, other: Path) -> bool:
        """Swap two names in one instant; False where the system can't."""
        ...

    def unlink(self, path: Path) -> None: ...
    def rmdir(self, path: Path) -> None: ...
    def sync_folder(self, path: Path) -> None: ...
    def commit(self, connection: sqlite3.Connection) -> None: ...


class Disk:
    """The real file system. Folder syncs that a system does not know are passed over; real I/O errors are not.

    `owner` (uid, gid) gets what is made: a job of root's cron must not leave files that the owner can't write.
    """

    def __init__(self, owner: tuple[int, int] | None = None) -> None:
        self._owner = owner

    def mkdir(self, path: Path, mode: int) -> None:
        path.mkdir(mode=mode)
        if self._owner is not None:
            os.chown(path, *self._owner, follow_symlinks=False)

    def create(self, path: Path, mode: int) -> int:
        return self._own(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode))

    def open_append(self, path: Path, mode: int) -> int:
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, mode)
        return self._own(fd) if os.fstat(fd).st_size == 0 else fd

    def _own(self, fd: int) -> int:
        if self._owner is not None:
            os.fchown(fd, *self._owner)
        return fd

    def write(self, fd: int, data: bytes) -> int:
        return os.write(fd, data)

    def sync(self, fd: int) -> None:
        full = getattr(fcntl, "F_FULLFSYNC", None)  # macOS: fsync alone leaves data in the drive's cache
        try:
            if full is None:
                os.fsync(fd)
            else:
                fcntl.fcntl(fd, full)
        except OSError as error:
            if error.errno not in NO_SYNC:
                raise
            if full is not None:
                os.fsync(fd)

    def truncate(self, path: Path, size: int) -> None:
        os.truncate(path, size)

    def chmod(self, path: Path, mode: int) -> None:
        path.chmod(mode)

    def rename(self, path: Path, to: Path) -> None:
        path.replace(to)

    def link(self, path: Path, to: Path) -> None:
        to.hardlink_to(path)

    def exchange(self, path: Path, other: Path) -> bool:
        if not sys.platform.startswith("linux"):
            return False
        import ctypes  # costs some milliseconds, and only writers pay them

        call = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
        if call is None:
            return False
        if call(AT_FDCWD, os.fsencode(path), AT_FDCWD, os.fsencode(other), RENAME_EXCHANGE) == 0:
            return True
        code = ctypes.get_errno()
        if code in NO_EXCHANGE:
            return False
        raise OSError(code, os.strerror(code), str(path))

    def unlink(self, path: Path) -> None:
        path.unlink()

    def rmdir(self, path: Path) -> None:
        path.rmdir()

    def sync_folder(self, path: Path) -> None:
        fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(fd)
        except OSError as error:
            if error.errno not in NO_SYNC:
                raise
        finally:
            os.close(fd)

    def commit(self, connection: sqlite3.Connection) -> None:
        connection.commit()


def owner_of(folder: Path) -> tuple[int, int] | None:
    """Whose the folder is, where we are root and it is not ours; else None."""
    there = folder.stat()
    return (there.st_uid, there.st_gid) if os.geteuid() == 0 and there.st_uid != 0 else None


# --- reading ----------------------------------------------------------------------------------------------


def read(path: Path) -> bytes | None:
    """The bytes of a file, None if there is none."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def bytes_at(place: Path, path: str) -> bytes | None:
    """The bytes of a file of the workspace, which messages call `path`; None if there is none.

    Raises:
        Conflict: the system refuses.
    """
    try:
        return read(place)
    except OSError as error:
        raise trouble(error, f"reading {path}") from error


def digest(data: bytes | None) -> str | None:
    """SHA-256 in hex, None for a file that is not there."""
    return None if data is None else sha256(data)


# --- a few steps together ---------------------------------------------------------------------------------


def write_all(fs: FileSystem, fd: int, data: bytes) -> None:
    """All bytes are handed to the system; a short write is continued, so a full disk ends as ENOSPC."""
    view = memoryview(data)
    while view:
        view = view[fs.write(fd, bytes(view)) :]


def new_file(fs: FileSystem, path: Path, data: bytes, mode: int = 0o600) -> None:
    """The file is there with these bytes, on the disk. Its name is safe only after the folder is synced."""
    fd = fs.create(path, mode)
    try:
        write_all(fs, fd, data)
        fs.sync(fd)
    finally:
        os.close(fd)


def set_mode(fs: FileSystem, path: Path, mode: int) -> None:
    """The file has these permissions, where the file system keeps any (FAT and some shares refuse to change them)."""
    if path.stat().st_mode & 0o7777 != mode:
        with contextlib.suppress(PermissionError):
            fs.chmod(path, mode)


def make_folders(fs: FileSystem, path: Path, mode: int, top: Path) -> list[Path]:
    """The folder and its parents below `top` exist; returns the folders whose entries are new and need a sync."""
    missing: list[Path] = []
    here = path
    while here != top and not here.is_dir():
        missing.append(here)
        here = here.parent
    for folder in reversed(missing):
        try:
            fs.mkdir(folder, mode)
        except FileExistsError:
            if not folder.is_dir():
                raise
    return [folder.parent for folder in missing]


def swap_in(fs: FileSystem, staged: Path, target: Path, held: Path) -> None:
    """`target` has the bytes of `staged` in one instant, and `held` what it had just before, as it was replaced.

    An edit that slips in just before is thus kept, however the editor saves. Where names can't be exchanged (not Linux,
    some network folders) the old inode is held by a hard link made just before, or else by a descriptor and a copy:
    edits in place are kept then too, but a file renamed into place within the last microseconds is lost.
    """
    if fs.exchange(staged, target):
        fs.rename(staged, held)
        return
    kept = hold(fs, target, held)
    while kept and not held.samefile(target):  # an editor renamed a new file into place since the link
        fs.unlink(held)
        kept = hold(fs, target, held)
    if kept:
        rename_across(fs, staged, target)
        return
    draft = held.with_name(f"{held.name}.part")
    if draft.exists():
        fs.unlink(draft)
    with target.open("rb") as replaced:
        rename_across(fs, staged, target)
        new_file(fs, draft, replaced.read())
    fs.rename(draft, held)


def hold(fs: FileSystem, target: Path, held: Path) -> bool:
    """`held` is a second name of the inode of `target`; False where the file system has no hard links."""
    try:
        fs.link(target, held)
    except OSError as error:
        if error.errno not in NO_LINKS:
            raise
        return False
    return True


def put_new(fs: FileSystem, staged: Path, target: Path) -> bool:
    """`target` has the bytes of `staged`; False (and nothing is done) if somebody made a file of that name first."""
    try:
        fs.link(staged, target)
    except FileExistsError:
        return False
    except OSError as error:
        if error.errno not in NO_LINKS:
            raise
        if os.path.lexists(target):
            return False
        rename_across(fs, staged, target)
    return True


def rename_across(fs: FileSystem, path: Path, to: Path) -> None:
    """Rename, also where the two stand on different devices: then by a synced copy beside the target."""
    try:
        fs.rename(path, to)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        beside = to.with_name(f".{to.name}.silo-new")
        if os.path.lexists(beside):  # left by a crash in this very place
            fs.unlink(beside)
        mode = path.stat().st_mode & 0o7777
        new_file(fs, beside, path.read_bytes(), mode)
        set_mode(fs, beside, mode)
        fs.rename(beside, to)
        fs.unlink(path)


def remove_tree(fs: FileSystem, folder: Path) -> None:
    """The folder and what is in it are gone; links are unlinked, never followed."""
    for entry in sorted(folder.iterdir()):
        if entry.is_dir() and not entry.is_symlink():
            remove_tree(fs, entry)
        else:
            fs.unlink(entry)
    fs.rmdir(folder)


def trouble(error: OSError, doing: str) -> Conflict:
    """The system's refusal as one sentence that a person understands."""
    name = f" {error.filename}" if error.filename else ""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return Conflict(f"the disk is full while {doing}", "free some space and run the command again")
    if error.errno == errno.EROFS:
        return Conflict(f"the file system is read-only while {doing}:{name}", "mount it for writing")
    if error.errno in (errno.EACCES, errno.EPERM):
        return Conflict(f"no permission while {doing}:{name}", "give yourself write permission there")
    if error.errno in (errno.EISDIR, errno.ENOTDIR):
        return Conflict(f"a folder stands where a file should, or the reverse, while {doing}:{name}")
    return Conflict(f"the system refused while {doing}:{name} ({error.strerror or error})")
