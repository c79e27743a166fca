"""What the engine stands on: places, disk and state of one workspace, and the folder .silo made ready."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import NamedTuple

from silo.edge.fs import FileSystem, bytes_at, new_file, read, set_mode, trouble
from silo.edge.places import SILO, Places
from silo.edge.state import State
from silo.errors import BadInput

CONFIG_SCHEMA = 1
IGNORE = b"*\n"  # .silo/.gitignore: machine state stays out of the person's repository


class Site(NamedTuple):
    """What a commit works with."""

    places: Places
    fs: FileSystem
    state: State


def check_versions(places: Places, state: State) -> None:
    """BadInput where .silo is no folder, or a newer version of memory-silo has written in it."""
    silo = places.silo
    if silo.is_symlink() or (silo.exists() and not silo.is_dir()):
        raise BadInput(f"{silo} must be a folder", "move it away; memory-silo makes its own")
    data = bytes_at(silo / "config.json", f"{SILO}/config.json")
    if data is not None:
        try:
            value = json.loads(data)
        except ValueError:
            value = None  # whoever needs the configuration says what is wrong with it
        found = value.get("schema_version", 1) if isinstance(value, dict) else 1
        if isinstance(found, int) and found > CONFIG_SCHEMA:
            raise BadInput(
                f"{silo / 'config.json'} has schema {found}, this version of memory-silo knows {CONFIG_SCHEMA}",
                "update memory-silo; nothing was written",
            )
    state.check()


def ready(places: Places, fs: FileSystem) -> None:
    """.silo is there, private, and invisible to git. Conflict where the system refuses."""
    silo = places.silo
    try:
        for folder in (silo, silo / "locks", silo / "runs"):
            if not folder.is_dir():
                _mkdir(fs, folder)
                fs.sync_folder(folder.parent)
        if silo.stat().st_mode & 0o077:
            set_mode(fs, silo, 0o700)
        ignore = silo / ".gitignore"
        if read(ignore) is None:
            draft = silo / f".gitignore.{os.getpid()}"
            if draft.exists():
                fs.unlink(draft)
            new_file(fs, draft, IGNORE)
            fs.rename(draft, ignore)
    except OSError as error:
        raise trouble(error, f"preparing {silo}; nothing was written") from error


def _mkdir(fs: FileSystem, folder: Path) -> None:
    try:
        fs.mkdir(folder, 0o700)
    except FileExistsError:
        if not folder.is_dir():
            raise
