"""A workspace that is only looked at: its files, the base copies of our last writes, its state. Writes counts at most.

`workspace.Workspace` is one of these that can also write. Reading stands apart because a question should not pay for the
machinery of commits.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Self

from silo.edge.fs import Disk, FileSystem, bytes_at, owner_of
from silo.edge.places import Places
from silo.edge.site import check_versions, ready
from silo.edge.state import State
from silo.errors import BadInput, Conflict

FOLDERS = ("", ".silo", "memory", "memory/topics", "memory/events", "memory/ontology", ".silo/private", ".silo/private/topics", ".silo/private/events")


class Reader:
    """One folder of memory, open for reading."""

    def __init__(self, root: Path, fs: FileSystem) -> None:
        self.root = root
        self._fs = fs
        self._places = Places(root)
        self.state = State(self._places.state, fs, lambda: ready(self._places, fs))

    @classmethod
    def open(cls, root: Path, *, fs: FileSystem | None = None) -> Self:
        """The workspace at `root`. Writes nothing.

        Raises:
            BadInput: there is no such folder, or a newer version of memory-silo has written in it.
            Conflict: a folder of memory is there and may not be looked into.
        """
        if not root.is_dir():
            what = "is not a folder" if root.exists() else "does not exist"
            raise BadInput(f"the workspace {root} {what}", "give --workspace, or make one with `init`")
        real = root.resolve()
        _check_folders(real)
        opened = cls(real, fs or Disk(owner_of(real)))
        check_versions(opened._places, opened.state)
        return opened

    @property
    def is_cut_off(self) -> bool:
        """Whether a run stands half-done, so that a `Workspace` must finish it before anything is read."""
        return bool(self._places.unfinished())

    def read(self, path: str) -> bytes | None:
        """The bytes of a file, None if there is none. BadInput for a path that leads out of the workspace."""
        return bytes_at(self._places.at(path), path)

    def paths(self, pattern: str) -> list[str]:
        """Files that match a pattern such as `memory/**/*.md`, sorted; links that lead out are left out."""
        found: list[str] = []
        real: dict[Path, Path] = {}  # the folders of what is found; a log has a file a day in one of them
        for entry in self.root.glob(pattern):
            if not entry.is_file():
                continue
            folder = real.get(entry.parent) or real.setdefault(entry.parent, entry.parent.resolve())
            if (entry.resolve() if entry.is_symlink() else folder).is_relative_to(self.root):
                found.append(entry.relative_to(self.root).as_posix())
        return sorted(found)

    def base(self, path: str) -> bytes | None:
        """The bytes of our last write of a file: the base of a three-way merge. None where we never wrote it."""
        return bytes_at(self._places.base(path), path)


def _check_folders(root: Path) -> None:
    """Searching passes over a folder that may not be read, and what is in it would be taken for gone."""
    for name in FOLDERS:
        folder = root / name
        if os.path.isdir(folder) and not os.access(folder, os.R_OK | os.X_OK):  # noqa: PTH112 - Path.is_dir raises below such a folder
            raise Conflict(f"the folder {folder} can't be read", "see that who runs this may read it: nothing was done without it")
