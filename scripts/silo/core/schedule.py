"""The scheduled jobs as data, and the host's commands that add and remove them. Pure; runs nothing.

The same times stand in cron/crontab (a test compares). Times are local to the user's zone; the host's own nightly work is
at 03:00, ours comes after it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

PREFIX = "memory-silo:"  # of the declaration key, by which the host knows a job again


@dataclass(frozen=True, slots=True)
class Job:
    """A scheduled command: its five cron fields, the script and its arguments."""

    name: str
    cron: str
    script: str
    args: tuple[str, ...]

    @property
    def key(self) -> str:
        """The host's declaration key: adding a job of a known key changes it and makes no second one."""
        return PREFIX + self.name


JOBS = (
    Job("extract", "*/30 * * * *", "extract_session.py", ("--scheduled", "--quiet")),
    Job("curate", "30 4 * * *", "curate_nightly.py", ("--scheduled",)),
    Job("suggest", "50 4 * * *", "suggest_topics.py", ("run", "--scheduled")),
    Job("consolidate", "15 */3 * * *", "memory_cli.py", ("consolidate", "--scheduled", "--plain")),
    Job("monthly", "30 5 1 * *", "memory_cli.py", ("consolidate", "--mode", "monthly", "--scheduled", "--plain")),
)


@dataclass(frozen=True, slots=True)
class Place:
    """Where things are on this machine, absolute paths; `zone` an IANA name, '' where only an offset is known."""

    python: str
    scripts: str
    workspace: str
    zone: str = ""


def add_command(job: Job, place: Place) -> tuple[str, ...]:
    """`openclaw cron add …` for a command job: no model call, no message to anybody."""
    argv = [place.python, f"{place.scripts}/{job.script}", *job.args, "--workspace", place.workspace]
    zone = ("--tz", place.zone) if place.zone else ()
    return (
        "openclaw", "cron", "add", "--name", f"memory {job.name}", "--declaration-key", job.key, "--cron", job.cron, *zone,
        "--session", "isolated", "--no-deliver", "--command-argv", json.dumps(argv, ensure_ascii=False), "--command-cwd", place.workspace,
        "--timeout-seconds", "900", "--json",
    )  # fmt: skip


LIST_COMMAND = ("openclaw", "cron", "list", "--all", "--json")


def remove_command(ident: str) -> tuple[str, ...]:
    """`openclaw cron rm ID`."""
    return ("openclaw", "cron", "rm", ident, "--json")


def ours(listed: Any) -> Mapping[str, str]:
    """Declaration key → id of the host's jobs that are ours, from what `cron list --json` prints."""
    rows: Sequence[Any] = listed.get("jobs", ()) if isinstance(listed, dict) else listed if isinstance(listed, list) else ()
    known = {job.key for job in JOBS}
    found: dict[str, str] = {}
    for row in rows:
        key, ident = (row.get("declarationKey"), row.get("id")) if isinstance(row, dict) else (None, None)
        if isinstance(key, str) and isinstance(ident, str) and key in known:
            found[key] = ident
    return found
