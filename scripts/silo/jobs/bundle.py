"""The jobs behind `export --all` and `restore --from FILE`: everything of a workspace in one file, and back byte for byte."""

from __future__ import annotations

from datetime import UTC
from pathlib import Path

from silo.edge import bundle
from silo.errors import BadInput
from silo.jobs.run import Call, Report


def export_all(call: Call, file: str | None) -> Report:
    """The whole state, the key included, is in a new file of mode 0600.

    Raises:
        BadInput: no file was named, it exists, or lies inside the memory.
        Conflict: another command writes.
    """
    if not file:
        raise BadInput("--all needs a file to write", "memory_cli.py export --all ~/memory.silo")
    place = Path(file).expanduser().absolute()
    workspace = call.open()
    if place.resolve().is_relative_to(workspace.root / ".silo") or place.resolve().is_relative_to(workspace.root / "memory"):
        raise BadInput(f"{place} lies inside the memory itself", "name a place outside memory/ and .silo/")
    if call.dry_run:
        names = bundle.members(workspace.root)
        return Report([f"OK would write {len(names)} files to {place}", "NOTE dry run: nothing was written"], {"files": len(names), "names": names, "dry_run": True})
    with workspace.quiet():
        packed = bundle.pack(workspace.root, place)
    sums = bundle.totals(packed)
    report = Report(data={"file": str(place), **sums})
    report.lines = [f"OK wrote {place}: {sums['files']} files, {sums['bytes'] / 1e6:.1f} MB before compression, mode 0600"]
    report.lines.append("NOTE it holds the key, private topics and the runs for undo: keep it where only you can read it")
    report.lines.append(f"NEXT memory_cli.py restore --from {place} --workspace NEW brings it back")
    return report


def restore(call: Call, file: str | Path, *, verify: bool, overwrite: bool = False) -> Report:
    """The workspace is what the bundle holds, read back and compared. With `verify` the two are compared and nothing is written.

    Raises:
        BadInput: no such bundle, a damaged or newer one, a path that leads out, or a workspace that is not empty.
        Conflict: the system refused.
    """
    source = Path(file).expanduser()
    packed = bundle.contents(source)
    sums = bundle.totals(packed)
    report = Report(data={"from": str(source), **sums, "damaged": [], "unlike": [], "aside": None})
    if verify or call.dry_run:
        return _compared(call, source, packed, report, whole=verify)
    stamp = call.now.astimezone(UTC).strftime("%Y%m%d-%H%M%S")
    aside = bundle.unpack(source, call.config.workspace, packed, overwrite=overwrite, stamp=stamp)
    report.lines = [f"OK restored {sums['files']} files, {sums['bytes'] / 1e6:.1f} MB, into {call.config.workspace}"]
    if aside:
        report.lines.append(f"NOTE what stood there lies in {call.config.workspace / aside}; delete it when nothing is missing")
    _unlike(call, packed, report)
    assert isinstance(report.data, dict)
    report.data["aside"] = aside or None
    report.lines.append("NEXT memory_cli.py doctor looks through the restored memory")
    return report


def _compared(call: Call, source: Path, packed: list[bundle.Packed], report: Report, *, whole: bool) -> Report:
    """Whether the bundle is what its list tells, and with `whole` whether the workspace is what the bundle holds."""
    assert isinstance(report.data, dict)
    bad = bundle.damaged(source, packed)
    report.data["damaged"] = bad
    report.code = 1 if bad else 0
    report.lines = [f"PROBLEM {path}:1 damaged is not what the bundle's list tells" for path in bad]
    report.lines += [] if bad else [f"OK {source} is whole: {report.data['files']} files, {report.data['bytes'] / 1e6:.1f} MB"]
    if whole:
        _unlike(call, packed, report)
    elif there := bundle.in_the_way(call.config.workspace):
        report.lines.append(f"NOTE {call.config.workspace} is not empty ({', '.join(there)}): --overwrite would move it aside")
    report.lines.append("NOTE nothing was written")
    return report


def _unlike(call: Call, packed: list[bundle.Packed], report: Report) -> None:
    assert isinstance(report.data, dict)
    bad = bundle.unlike(call.config.workspace, packed)
    report.data["unlike"] = bad
    report.code = 1 if bad else report.code
    report.lines += [f"PROBLEM {path}:1 unlike is not what the bundle holds" for path in bad[:50]]
    report.lines += [f"NOTE {len(bad) - 50} more; --json names all"] if len(bad) > 50 else []
    report.lines += [] if bad else [f"OK verified: all {len(packed)} files have the bytes that the bundle holds"]
