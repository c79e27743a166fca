"""One record a run of a scheduled job: what it did, what it cost, whether it failed. No words of a memory.

The last one stands in `health` (status and doctor read it), all of them in `metrics`. A failed run keeps `at`, the time of
the last run that worked, so that a job that fails every night is noticed like one that does not run at all.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from silo.errors import Busy, Trouble
from silo.jobs.run import Call

if TYPE_CHECKING:
    from silo.edge.reader import Reader

BARE: Mapping[str, object] = {"files": 0, "actions": {}, "runs": [], "engine": "rules", "calls": 0, "cost": 0, "fallbacks": 0}


def record(call: Call, workspace: Reader, job: str, started: float, values: Mapping[str, object]) -> None:
    """A run that worked. `started` is `time.monotonic()` at its begin; a dry run leaves no record."""
    if call.dry_run:
        return
    row = {
        "at": call.now.isoformat(timespec="seconds"), **BARE, **values,
        "errors": 0, "seconds": round(time.monotonic() - started, 3), "scheduled": call.scheduled,
    }  # fmt: skip
    workspace.state.record_health({job: row})
    workspace.state.add_metric(job, call.now, row)


@contextmanager
def noted(call: Call, workspace: Reader, job: str) -> Iterator[float]:
    """The block is a run of the job; gives the time at which it began. A failure is on record before it is told.

    Another run that holds the job is no failure, and neither is a dry run's.
    """
    started = time.monotonic()
    try:
        yield started
    except Busy:
        raise
    except Exception as failure:
        if not call.dry_run:
            _failed(call, workspace, job, started, failure)
        raise


def _failed(call: Call, workspace: Reader, job: str, started: float, failure: Exception) -> None:
    before = workspace.state.get("health", job)
    kept = before if isinstance(before, dict) else {"at": call.now.isoformat(timespec="seconds"), **BARE}
    errors = kept.get("errors", 0)
    row = {
        **kept,
        "errors": (errors if isinstance(errors, int) else 0) + 1,
        "failed_at": call.now.isoformat(timespec="seconds"),
        "failed": type(failure).__name__,
    }
    try:
        workspace.state.record_health({job: row})
        metric = {"errors": 1, "failed": type(failure).__name__, "seconds": round(time.monotonic() - started, 3)}
        workspace.state.add_metric(job, call.now, metric)
    except Trouble as trouble:  # the disk that made the job fail: what is told is the job's own failure
        call.say(f"NOTE the failure could not be put on record: {trouble}")
