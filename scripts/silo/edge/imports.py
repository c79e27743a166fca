"""Files that an import reads, from wherever the user says. Reads only; follows no link out of the folder that was named."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from silo.errors import BadInput

MOST = 50_000_000  # bytes of one file
ENDINGS = (".md", ".json", ".jsonl")


@dataclass(frozen=True, slots=True)
class Found:
    """A file: its path from the named folder (or its name), its bytes, when it was last written (seconds since 1970)."""

    path: str
    data: bytes
    written: float


def read_files(path: Path) -> tuple[tuple[Found, ...], tuple[str, ...]]:
    """(the files of a folder, or the one file; those left out with the reason), in the order of their paths.

    Raises:
        BadInput: there is no such place, or it can't be read.
    """
    if not path.exists():
        raise BadInput(f"{path} does not exist", "check the path")
    named = path.is_file()
    root = path.parent if named else path
    found: list[Found] = []
    left: list[str] = []
    try:
        for one in [path] if named else sorted(p for p in path.rglob("*") if p.is_file()):
            name = one.relative_to(root).as_posix()
            if not named and (any(part.startswith(".") for part in one.relative_to(root).parts[:-1]) and ".silo" not in name):
                continue
            if one.suffix.lower() not in ENDINGS:
                left += [f"{name}: no file of a memory"] if named else []
            elif not one.resolve().is_relative_to(root.resolve()):
                left.append(f"{name}: a link that leads elsewhere")
            elif one.stat().st_size > MOST:
                left.append(f"{name}: over 50 MB")
            else:
                found.append(Found(name, one.read_bytes(), one.stat().st_mtime))
    except OSError as error:
        raise BadInput(f"{path} can't be read: {error.strerror or error}", "check its permissions") from error
    return tuple(found), tuple(left)
