"""The host's own command line, called for the few things that only it can do (its scheduler). Never through a shell."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from silo.errors import ServiceDown
from silo.text.redact import redact

WAIT = 60  # seconds for one call; the gateway may be starting


def is_there(program: str = "openclaw") -> bool:
    """Whether the program is on the PATH."""
    return shutil.which(program) is not None


def drop_empty(root: Path, folder: str) -> None:
    """A folder of ours and those above it, up to the root, are gone as far as they are empty."""
    place = root / folder
    while place != root:
        try:
            place.rmdir()
        except OSError:  # not empty, or gone already
            return
        place = place.parent


def call(command: Sequence[str]) -> Any:
    """What the command prints as JSON, None where it prints none.

    Raises:
        ServiceDown: no such program, no answer in time, or an exit code other than 0.
    """
    shown = " ".join(command[:3])
    try:
        done = subprocess.run(list(command), capture_output=True, text=True, timeout=WAIT, check=False, stdin=subprocess.DEVNULL)
    except FileNotFoundError:
        raise ServiceDown(f"{command[0]} is not on the PATH", "run the printed commands where it is, or use cron/crontab") from None
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ServiceDown(f"{shown} gave no answer: {type(error).__name__}", "see that the gateway runs: openclaw status") from error
    if done.returncode != 0:
        said = redact(" ".join((done.stderr or done.stdout).split())[:300])[0]
        raise ServiceDown(f"{shown} failed ({done.returncode}): {said}", "see that the gateway runs: openclaw status")
    start = min((at for mark in "{[" if (at := done.stdout.find(mark)) >= 0), default=-1)
    try:
        return json.loads(done.stdout[start:]) if start >= 0 else None
    except ValueError:
        return None
