"""The job behind `save`: what was said in the sessions reaches the event log, and from there the topic files."""

from __future__ import annotations

from silo.errors import BadInput
from silo.jobs.curate import curate
from silo.jobs.extract import ExtractOptions, extract
from silo.jobs.run import Call, Report


def save(call: Call, *, source: str, path: str | None, quiet: bool) -> Report:
    """Extraction, then curation. Each is a run of its own; what one of them finds locked, the job that holds it does.

    Raises:
        BadInput: no conversations are found.
    """
    read = extract(call, ExtractOptions(source=source, path=path, quiet=quiet, at_once=True))
    if isinstance(read.data, dict) and read.data.get("busy"):
        return read
    made = curate(call, mode="quick")
    if not isinstance(read.data, dict) or not isinstance(made.data, dict):
        raise BadInput("nothing was read", "memory_cli.py doctor")
    events = read.data.get("events", 0)
    lines = [line for line in (*read.lines, *made.lines) if not line.startswith("NEXT ")]
    report = Report([] if quiet else lines, {"extract": read.data, "curate": made.data}, max(read.code, made.code))
    if not call.dry_run and not quiet:
        report.lines.append(f"NEXT {events} new events are in memory/events; memory_cli.py log shows the runs, undo takes one back")
    return report
