"""Times whole processes beside a floor in the same run, so that a figure means something on another machine.

A floor is what any program of the kind must pay: `FLOOR` starts an interpreter with the library modules that a memory
needs. Nothing is asserted anywhere in bench/; two figures are compared only when one run made both.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parent.parent / "scripts"
FLOOR = (sys.executable, "-c", "import json,re,argparse,pathlib,sqlite3,hashlib,datetime,dataclasses,enum")


@dataclass(frozen=True)
class Taken:
    """What one process cost: wall seconds, peak resident megabytes (10^6 bytes), what it printed, seconds of computing."""

    seconds: float
    megabytes: float
    stdout: str
    cpu: float = 0.0


def run(argv: Sequence[str], home: Path) -> Taken:
    """Run a process with a clean environment and `home` as its world; stops the bench if it fails."""
    environ = {k: v for k, v in os.environ.items() if k in ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "VIRTUAL_ENV")}
    environ |= {"HOME": str(home), "TZ": "UTC", "PYTHONUTF8": "1", "OPENCLAW_STATE_DIR": str(home / "state")}
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start = time.perf_counter()
        child = subprocess.Popen(argv, stdout=out, stderr=err, stdin=subprocess.DEVNULL, env=environ, cwd=home)
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        stdout = out.read().decode("utf-8", "replace")
        if child.returncode:
            sys.exit(f"{' '.join(map(str, argv))}\nended with {child.returncode}: {err.read().decode('utf-8', 'replace')[-2000:]}")
    unit = 1 if sys.platform == "darwin" else 1024
    return Taken(seconds, usage.ru_maxrss * unit / 1e6, stdout, usage.ru_utime + usage.ru_stime)


def script(name: str, *words: str) -> tuple[str, ...]:
    """The argument vector of one of our entry scripts."""
    return (sys.executable, str(SCRIPTS / name), *words)


def beside_floor(argv: Sequence[str], home: Path, times: int) -> tuple[float, float, float]:
    """(median ms, median ms of the floor, their ratio), the two run in turns after one unmeasured round."""
    ours, floor = [], []
    for number in range(times + 1):
        a, b = run(argv, home).seconds, run(FLOOR, home).seconds
        if number:
            ours.append(a)
            floor.append(b)
    a, b = statistics.median(ours) * 1000, statistics.median(floor) * 1000
    return a, b, a / b


@contextmanager
def folder(keep: Path | None) -> Iterator[Path]:
    """A place to work in: a temporary folder that goes, or `keep`, which stays."""
    if keep:
        keep.mkdir(parents=True, exist_ok=True)
        yield keep.resolve()
        return
    made = Path(tempfile.mkdtemp(prefix="silo-bench-"))
    try:
        yield made
    finally:
        shutil.rmtree(made)
