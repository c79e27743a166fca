"""Runs as they lie on the disk: .silo/runs/<id>/ with a manifest, pre-images, and staged contents until it is done.

A folder `<id>.committing` is a run that is not done: without manifest it had changed nothing yet, with one it must be
rolled forward. Ids sort by time and are never reused, also where the clock jumps back. Decides nothing about contents.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any

from silo.edge.fs import FileSystem, new_file, read
from silo.edge.places import UNDONE_YET
from silo.errors import BadInput
from silo.model import Drop, Put, StateOp
from silo.text.diff3 import Piece

SCHEMA_VERSION = 1
MANIFEST = "manifest.json"
STAMP = "%Y%m%d-%H%M%S"
MOST = 9999  # runs of one second; the next one borrows the second after


Pieces = tuple[Piece, ...]


class Damaged(BadInput):
    """A manifest that can't be read."""


@dataclass(frozen=True, slots=True)
class Step:
    """What a run does to one file. Hashes are SHA-256 hex, None where there is no file.

    kind is "put", "append" or "remove"; a move is a put and a remove. `added` are the appended lines (bytes that are
    not UTF-8 as lone surrogates), `sep` what completed the last line before them. `delta` makes the new text of the old
    one (`diff3.patch`), so that the run can be shown and undone after its staged contents are gone. `base_was` makes the
    base copy before the run of the old text, `base` the one after it of the new text; None where they are the same.
    `was` is the path under which the base copy lay, where a hand has renamed the file.
    """

    number: int
    kind: str
    path: str
    old: str | None = None
    new: str | None = None
    old_size: int = 0
    mode: int | None = None
    head: str = ""
    sep: str = ""
    added: str = ""
    delta: tuple[Piece, ...] = ()
    why: str = ""
    moved_from: str = ""
    base_was: Pieces | None = None
    base: Pieces | None = None
    was: str = ""


@dataclass(frozen=True, slots=True)
class Run:
    """One change of the workspace. `at` is the ISO instant that the caller gave, `undoes` the run that it takes back.

    `kept`: paths where a person's edit stayed and ours went to review. `dropped` says why the run can't be undone any
    more (a forget, or its age), "" while it can. `forget`: words that must leave the past before the run is done; then
    they leave the manifest too.
    """

    id: str
    at: str
    job: str
    command: str
    scheduled: bool
    steps: tuple[Step, ...] = ()
    state: tuple[StateOp, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    undoes: str = ""
    kept: tuple[str, ...] = ()
    dropped: str = ""
    forget: tuple[str, ...] = ()
    done: bool = True

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(step.path for step in self.steps)


# --- ids --------------------------------------------------------------------------------------------------


def next_id(now: datetime, taken: Iterable[str]) -> str:
    """`YYYYMMDD-HHMMSS-NNNN` in UTC, greater than every id taken."""
    last = max(taken, default="")
    moment = now.astimezone(UTC).replace(microsecond=0)
    first = f"{moment.strftime(STAMP)}-0001"
    if first > last:
        return first
    stamp, _, count = last.rpartition("-")
    if int(count) < MOST:
        return f"{stamp}-{int(count) + 1:04d}"
    return f"{(datetime.strptime(stamp, STAMP) + timedelta(seconds=1)).strftime(STAMP)}-0001"


@lru_cache(maxsize=4096)
def is_id(name: str) -> bool:
    """Whether a name is a run id."""
    stamp, _, count = name.rpartition("-")
    if not (count.isascii() and count.isdigit() and len(count) == 4):
        return False
    try:
        datetime.strptime(stamp, STAMP)
    except ValueError:
        return False
    return True


# --- the folder of runs -----------------------------------------------------------------------------------


def names(runs: Path) -> list[str]:
    """Ids of all runs, done or not, oldest first."""
    if not runs.is_dir():
        return []
    found = {entry.name.removesuffix(UNDONE_YET) for entry in runs.iterdir()}
    return sorted(name for name in found if is_id(name))


def load(folder: Path) -> Run | None:
    """The run of a folder, None without a manifest.

    Raises:
        Damaged: the manifest can't be read.
        BadInput: a newer version wrote it.
    """
    data = read(folder / MANIFEST)
    if data is None:
        return None
    try:
        value = json.loads(data)
        version = value["schema_version"]
        if version > SCHEMA_VERSION:
            raise BadInput(
                f"{folder / MANIFEST} has schema {version}, this version of memory-silo knows {SCHEMA_VERSION}",
                "update memory-silo; nothing was written",
            )
        return _run(value, done=not folder.name.endswith(UNDONE_YET))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Damaged(
            f"{folder / MANIFEST} is damaged: {error}", "restore it from a backup, or move it away"
        ) from error


def load_past(folder: Path) -> Run | None:
    """As `load`; a damaged manifest gives a run of which only the id is known, for it must not stop all others."""
    try:
        return load(folder)
    except Damaged:
        name = folder.name.removesuffix(UNDONE_YET)
        at = datetime.strptime(name.rpartition("-")[0], STAMP).replace(tzinfo=UTC).isoformat()
        return Run(name, at, "unknown", "", scheduled=True, dropped="its manifest is damaged")


def save(fs: FileSystem, folder: Path, run: Run) -> None:
    """The folder's manifest tells `run`, in one instant and on the disk."""
    draft = folder / f"{MANIFEST}.new"
    if draft.exists():
        fs.unlink(draft)
    new_file(fs, draft, json.dumps(_value(run), ensure_ascii=True, indent=1).encode())
    fs.rename(draft, folder / MANIFEST)
    fs.sync_folder(folder)


def drop(fs: FileSystem, folder: Path, run: Run, why: str) -> Run:
    """The run's contents are gone for good, the fact that it happened stays. May be cut off and called again."""
    if run.dropped != why or run.forget or any(step.added or step.head or step.delta for step in run.steps):
        bare = tuple(
            replace(step, added="", head="", delta=(), base_was=None, base=None) for step in run.steps
        )
        run = replace(run, steps=bare, dropped=why, forget=())
        save(fs, folder, run)
    for image in sorted(folder.glob("old-*")):
        fs.unlink(image)
    return run


def _value(run: Run) -> dict[str, Any]:
    value = asdict(run)
    del value["done"]
    if not run.forget:
        del value["forget"]
    value["counts"] = dict(run.counts)
    value["state"] = [
        [*(("put", op.table, op.key, op.value) if isinstance(op, Put) else ("drop", op.table, op.key)), *filter(None, (op.file,))]
        for op in run.state
    ]
    return {"schema_version": SCHEMA_VERSION, **value}


def _pieces(value: list[Piece] | None) -> Pieces | None:
    return None if value is None else tuple(value)


def _run(value: dict[str, Any], *, done: bool) -> Run:
    """A run of its JSON; keys that a later version added are passed over."""
    steps = tuple(
        Step(
            **{
                **{k: v for k, v in step.items() if k in Step.__slots__},
                "delta": tuple(step.get("delta", ())),
                "base_was": _pieces(step.get("base_was")),
                "base": _pieces(step.get("base")),
            }
        )
        for step in value["steps"]
    )
    state = tuple(
        Put(str(op[1]), str(op[2]), op[3], *op[4:]) if op[0] == "put" else Drop(str(op[1]), str(op[2]), *op[3:])
        for op in value["state"]
    )
    return Run(
        id=value["id"],
        at=value["at"],
        job=value["job"],
        command=value["command"],
        scheduled=value["scheduled"],
        steps=steps,
        state=state,
        counts=value.get("counts", {}),
        notes=tuple(value.get("notes", ())),
        undoes=value.get("undoes", ""),
        kept=tuple(value.get("kept", ())),
        dropped=value.get("dropped", ""),
        forget=tuple(value.get("forget", ())),
        done=done,
    )
