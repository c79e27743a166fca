"""The scheduled jobs as data, and the host's commands that add and remove them. Pure; runs nothing.

The same times stand in cron/crontab (a test compares). Times are local to the user's zone; the host's own nightly work is
at 03:00, ours comes after it.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from silo.text.lines import encode, sha256

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
SAVE = Job("extract", "*/30 * * * *", "memory_cli.py", ("save", "--scheduled", "--quiet"))


@dataclass(frozen=True, slots=True)
class Place:
    """Where things are on this machine, absolute paths; `zone` an IANA name, '' where only an offset is known."""

    python: str
    scripts: str
    workspace: str
    zone: str = ""


def add_command(job: Job, place: Place, listed: Any = None) -> tuple[str, ...]:
    """`openclaw cron add …` for a command job: no model call, no message to anybody.

    `listed` is what `cron list --json` prints: a job of that key that works on another workspace is left to it, and ours
    gets a key of its own.
    """
    there = {row.get("declarationKey"): _workspace(row) for row in _rows(listed)}
    own = _tail(place.workspace)
    tail = own if job.key + own in there or there.get(job.key, "") not in ("", place.workspace) else ""
    argv = [place.python, f"{place.scripts}/{job.script}", *job.args, "--workspace", place.workspace]
    zone = ("--tz", place.zone) if place.zone else ()
    return (
        "openclaw", "cron", "add", "--name", f"memory {job.name}{tail}", "--declaration-key", job.key + tail, "--cron", job.cron, *zone,
        "--session", "isolated", "--no-deliver", "--command-argv", json.dumps(argv, ensure_ascii=False), "--command-cwd", place.workspace,
        "--timeout-seconds", "900", "--json",
    )  # fmt: skip


def crontab(place: Place, *, project: bool = False) -> tuple[str, ...]:
    """The same jobs as lines for `crontab -e`, with this machine's paths. `project`: beside Claude Code, where `save` knows
    whose conversations to read. cron goes by the machine's own zone."""
    jobs = [SAVE if project and job.name == "extract" else job for job in JOBS]
    argvs = [[place.python, f"{place.scripts}/{job.script}", *job.args, "--workspace", place.workspace] for job in jobs]
    return tuple(f"{job.cron}  {shlex.join(argv)}".replace("%", "\\%") for job, argv in zip(jobs, argvs, strict=True))


LIST_COMMAND = ("openclaw", "cron", "list", "--all", "--json")


def remove_command(ident: str) -> tuple[str, ...]:
    """`openclaw cron rm ID`."""
    return ("openclaw", "cron", "rm", ident, "--json")


def ours(listed: Any, workspace: str) -> Mapping[str, str]:
    """Declaration key → id of the host's jobs that are ours and of that workspace, from what `cron list --json` prints. One
    that names no workspace, as earlier releases added it, is ours too."""
    known = {job.key + tail for job in JOBS for tail in ("", _tail(workspace))}
    found: dict[str, str] = {}
    for row in _rows(listed):
        key, ident = row.get("declarationKey"), row.get("id")
        if isinstance(key, str) and isinstance(ident, str) and key in known and _workspace(row) in ("", workspace):
            found[key] = ident
    return found


def _rows(listed: Any) -> list[Mapping[str, Any]]:
    rows: Sequence[Any] = listed.get("jobs", ()) if isinstance(listed, dict) else listed if isinstance(listed, list) else ()
    return [row for row in rows if isinstance(row, dict)]


def _workspace(row: Mapping[str, Any]) -> str:
    """The workspace that a command job works on; '' where it names none."""
    payload = row.get("payload")
    argv = payload.get("argv") if isinstance(payload, dict) else None
    words = [str(word) for word in argv] if isinstance(argv, list) else []
    return next((after for word, after in pairwise(words) if word == "--workspace"), "")


def _tail(workspace: str) -> str:
    """What tells the keys of a second workspace of the host from those of the first."""
    return f"-{sha256(encode(workspace))[:6]}"
