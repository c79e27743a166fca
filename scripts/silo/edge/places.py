"""Where everything of a workspace lies, and which paths are refused. Reads folder entries, writes nothing."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import NamedTuple

from silo.errors import BadInput

SILO = ".silo"
UNDONE_YET = ".committing"  # ending of the folder of a run that is not done
# What only the engine, the index and the cold store write: no plan may touch these.
OURS = frozenset(
    {"runs", "base", "locks", "conflicts", "key", "state.db", "index.db", "cold.db", "mirror.db", ".gitignore"}
)


def check(path: str) -> PurePosixPath:
    """A workspace-relative POSIX path as a value; BadInput for absolute paths, `..`, empty parts and control bytes."""
    pure = PurePosixPath(path)
    bad = not path or pure.is_absolute() or ".." in pure.parts or not pure.parts or path.startswith("~")
    if bad or "\\" in path or any(ord(letter) < 32 for letter in path):
        raise BadInput(
            f"not a path inside the workspace: {path!r}", "give a path like memory/topics/garden.md"
        )
    return pure


def is_log(path: str) -> bool:
    """Whether a path is a file of the event log, public or private: those the chain covers."""
    parts = PurePosixPath(path).parts
    return parts[:2] == ("memory", "events") or parts[:3] == (SILO, "private", "events")


def is_lines(path: str) -> bool:
    """Whether each line of a file stands for itself, so that lines come and go alone: logs and JSON lines."""
    return is_log(path) or path.endswith(".jsonl")


def keeps_base(path: str) -> bool:
    """Whether a copy of our last write of a file is kept, to tell a person's edits by: not of logs, nor of machine files."""
    own = path.startswith(f"{SILO}/") and not path.startswith(f"{SILO}/private/topics/")
    return not is_lines(path) and not own


class Places(NamedTuple):
    """The folders of one workspace. `root` is real (no link in it)."""

    root: Path

    @property
    def silo(self) -> Path:
        return self.root / SILO

    @property
    def runs(self) -> Path:
        return self.silo / "runs"

    @property
    def conflicts(self) -> Path:
        return self.silo / "conflicts"

    @property
    def state(self) -> Path:
        return self.silo / "state.db"

    @property
    def key(self) -> Path:
        return self.silo / "key"

    def unfinished(self) -> list[Path]:
        """Folders of runs that were cut off, oldest first."""
        if not self.runs.is_dir():
            return []
        return sorted(entry for entry in self.runs.iterdir() if entry.name.endswith(UNDONE_YET))

    def lock(self, name: str) -> Path:
        return self.silo / "locks" / f"{name}.lock"

    def base(self, path: str) -> Path:
        return self.silo / "base" / check(path)

    def at(self, path: str) -> Path:
        """The real place of a path, links inside the workspace followed; BadInput where it leads out of it."""
        place, linked = self.root, False
        for part in check(path).parts:  # `root` is real, so that only what lies below it can be a link
            place /= part
            linked = linked or place.is_symlink()
        if not linked:
            return place
        real = place.resolve()
        if not real.is_relative_to(self.root) or real == self.root:
            raise BadInput(
                f"{path} leads out of the workspace (to {real})", "replace the link by a file or folder"
            )
        return real

    def writable(self, path: str) -> Path:
        """The real place of a path that a plan may write; BadInput for the engine's own files."""
        parts = check(path).parts
        if parts[0] == SILO and (len(parts) == 1 or parts[1] in OURS):
            raise BadInput(f"{path} belongs to the machine and is written by nothing else")
        real = self.at(path)
        if parts[0] != SILO and real.is_relative_to(self.silo):
            raise BadInput(f"{path} leads into {SILO}", "replace the link by a file or folder")
        return real
