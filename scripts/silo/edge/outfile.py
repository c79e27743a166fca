"""A new file at a place that the user names: the one thing that is written outside a workspace. Overwrites nothing."""

from __future__ import annotations

import os
from pathlib import Path

from silo.edge.fs import trouble
from silo.errors import BadInput


def write_new(path: Path, data: bytes) -> None:
    """The file is there with these bytes, for the owner's eyes alone (0600).

    Raises:
        BadInput: it exists already, or its folder does not.
        Conflict: the system refused.
    """
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise BadInput(f"{path} exists already", "name a new file: nothing is overwritten") from None
    except FileNotFoundError:
        raise BadInput(f"the folder {path.parent} does not exist", "make it first") from None
    except OSError as error:
        raise trouble(error, f"writing {path}") from error
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise trouble(error, f"writing {path}") from error
