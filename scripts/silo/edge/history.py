"""Past runs, read again: which there are, what each changed, which are undone, and which can be.

Reads manifests and pre-images; writes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from silo.edge import runs
from silo.edge.fs import read
from silo.edge.places import UNDONE_YET
from silo.edge.runs import Run, Step
from silo.errors import BadInput, Conflict
from silo.text.diff3 import patch, unified
from silo.text.lines import decode

LIST = "`log` lists the runs"


class History:
    """The runs of one folder, oldest first."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def all(self) -> list[Run]:
        """All runs that are kept; one that was cut off has `done` false."""
        found = (runs.load_past(self._place(name)) for name in runs.names(self._folder))
        return [run for run in found if run is not None]

    def find(self, run_id: str) -> Run:
        """The run of an id; BadInput if there is none (any more)."""
        run = runs.load_past(self._place(run_id)) if runs.is_id(run_id) else None
        if run is None:
            raise BadInput(f"there is no run {run_id}; old ones are cleared away after a while", LIST)
        return run

    def last(self, *, any_run: bool) -> Run | None:
        """The newest finished run of a person's or the agent's command; with `any_run` scheduled ones count too."""
        for name in reversed(runs.names(self._folder)):
            run = runs.load_past(self._place(name))
            if run is not None and run.done and (any_run or not run.scheduled):
                return run
        return None

    def before(self, step: Step, run: Run) -> str | None:
        """What the file of a put or removal held before the run; None where there was no file."""
        if step.old is None:
            return None
        data = read(self._place(run.id) / f"old-{step.number}")
        if data is None:
            raise Conflict(
                f"what {step.path} held before run {run.id} is gone: {run.dropped or 'its copy was removed'}"
            )
        return decode(data)

    def made(self, step: Step, run: Run) -> str | None:
        """What the run wrote into the file of a put; None for a removal."""
        return patch(self.before(step, run) or "", list(step.delta)) if step.kind == "put" else None

    def held(self, step: Step, run: Run) -> str | None:
        """What a put's file held before the run, under whatever path it lay then."""
        source = next((other for other in run.steps if step.moved_from and other.path == step.moved_from), step)
        return self.before(source, run)

    def bases(self, step: Step, run: Run) -> tuple[str | None, str | None]:
        """The base copies of a put's file before and after the run; None where there was none."""
        before, made = self.held(step, run), self.made(step, run)
        was = before if step.base_was is None else patch(before or "", list(step.base_was))
        return was, made if step.base is None else patch(made or "", list(step.base))

    def diff(self, run: Run) -> str:
        """What the run changed, as a unified diff over all its files.

        Raises:
            Conflict: its contents are no longer kept.
        """
        if run.dropped:
            raise Conflict(f"run {run.id} can't be shown: {run.dropped}", LIST)
        parts: list[str] = []
        for step in sorted(run.steps, key=lambda step: (step.path.startswith(".silo/"), step.path)):
            if step.path in run.kept:
                continue
            if step.kind == "append":
                parts.append(_appended(step))
            else:
                parts.append(unified(step.path, self.before(step, run), self.made(step, run)))
        return "".join(parts)

    def _place(self, name: str) -> Path:
        done = self._folder / name
        return done if done.exists() else done.with_name(name + UNDONE_YET)


def undone_by(history: Sequence[Run], run_id: str) -> str | None:
    """The run that took a run back and was not taken back itself; None if it stands."""
    by = {
        run.undoes: run.id for run in history if run.undoes and run.done
    }  # a later undo replaces an earlier one
    taker = by.get(run_id)
    return taker if taker is not None and undone_by(history, taker) is None else None


def refusal(history: Sequence[Run], run: Run) -> str | None:
    """Why a run can't be undone, as a sentence; None if it can."""
    if not run.done:
        return f"run {run.id} was cut off and is not finished"
    if run.dropped:
        return f"run {run.id} can't be undone: {run.dropped}"
    taker = undone_by(history, run.id)
    if taker is not None:
        return f"run {run.id} is undone already; undo {taker} to bring it back"
    if all(step.path in run.kept for step in run.steps):
        return f"run {run.id} wrote nothing: an edit by hand stayed in the place of everything it wanted"
    return None


def _appended(step: Step) -> str:
    """Lines added at the end of a file, as a diff; their numbers are not known any more."""
    if step.old is None:
        return unified(step.path, None, step.head + step.added)
    lines = "".join(f"+{line}\n" for line in step.added.removesuffix("\n").split("\n"))
    return f"--- a/{step.path}\n+++ b/{step.path}\n@@ at the end @@\n{lines}"
