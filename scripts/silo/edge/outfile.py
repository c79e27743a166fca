"""A new file or folder at a place that the user names: the one thing that is written outside a workspace. Overwrites nothing."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from silo.edge.fs import trouble
from silo.errors import BadInput


def open_new(path: Path) -> int:
    """A descriptor of a file that was not there, for the owner's eyes alone (0600).

    Raises:
        BadInput: it exists already, or its folder does not.
        Conflict: the system refused.
    """
    try:
        return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise BadInput(f"{path} exists already", "name a new file: nothing is overwritten") from None
    except FileNotFoundError:
        raise BadInput(f"the folder {path.parent} does not exist", "make it first") from None
    except OSError as error:
        raise trouble(error, f"writing {path}") from error


def write_new(path: Path, data: bytes) -> None:
    """The file is there with these bytes, for the owner's eyes alone (0600).

    Raises:
        BadInput: it exists already, or its folder does not.
        Conflict: the system refused.
    """
    handle = open_new(path)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise trouble(error, f"writing {path}") from error


def write_folder(place: Path, files: Mapping[str, bytes]) -> None:
    """A new folder with these files (relative path → bytes), for the owner's eyes alone; whole or not at all.

    Raises:
        BadInput: it exists already, or the folder that it stands in does not.
        Conflict: the system refused.
    """
    draft = place.with_name(f".{place.name}.part-{os.getpid()}")
    try:
        draft.mkdir(mode=0o700)
        for name, data in files.items():
            path = draft / name
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_new(path, data)
        draft.rename(place)
    except FileNotFoundError:
        raise BadInput(f"the folder {place.parent} does not exist", "make it first") from None
    except OSError as error:
        shutil.rmtree(draft, ignore_errors=True)
        raise trouble(error, f"writing {place}") from error
