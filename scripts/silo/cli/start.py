"""What has to happen before the rest of the package is imported. Chooses where compiled modules go, and how often garbage is looked for.

A skill folder may be read-only (an image, another user's home). Python then recompiles every module on every run,
which costs more than most of our commands; so the compiled form goes to the user's cache folder instead.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent


def spare_collector() -> None:
    """Let the cycle collector rest in a process that ends in a moment; at its end nothing is searched once more."""
    gc.set_threshold(50_000, 20, 100)
    atexit.register(gc.freeze)


def keep_bytecode() -> None:
    """Point Python at a cache that it can write, where the package's own folder can't be written.

    Leaves a prefix that the user has set, and changes nothing where no such cache can be made: a prefix that can't be
    written would make Python recompile its own library too.
    """
    if sys.pycache_prefix is not None or sys.dont_write_bytecode or os.access(PACKAGE, os.W_OK):
        return
    home = os.environ.get("XDG_CACHE_HOME") or (os.environ.get("HOME", "") and os.environ["HOME"] + "/.cache")
    if not home or not Path(home).is_absolute():
        return
    cache = Path(home) / "memory-silo" / "pycache"
    try:
        cache.mkdir(parents=True, exist_ok=True)
    except OSError:
        return
    if os.access(cache, os.W_OK):
        sys.pycache_prefix = str(cache)
