"""A workspace: what is read of it, and the only door through which anything in it is written.

Jobs read, plan, and `apply` the plan: one numbered run that has happened wholly or not at all. Other programs (the
person's editor, the host's agent) change the same files without asking; the commit notices and yields. Knows files,
runs and state, and nothing of topics or facts.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Self

from silo.edge import locks, runs
from silo.edge.chain import Chain
from silo.edge.commit import commit
from silo.edge.conflicts import Conflicts
from silo.edge.drafts import Draft, drafts, with_base
from silo.edge.erase import left_in
from silo.edge.fs import FileSystem, trouble
from silo.edge.history import History
from silo.edge.places import SILO
from silo.edge.reader import Reader
from silo.edge.recover import recover
from silo.edge.retention import Usage, prune, usage
from silo.edge.runs import Run
from silo.edge.site import Site, ready
from silo.edge.undo import Undo, again
from silo.edge.unwind import Unwind
from silo.errors import Busy, Conflict
from silo.model import Drop, Plan, Problem, StateOp
from silo.text.diff3 import unified
from silo.text.lines import decode

COMMIT_WAIT = 30.0  # seconds that a command waits for another one's commit
FORGOT = "it was a forget, which leaves nothing behind"


@dataclass(frozen=True, slots=True)
class RunResult:
    """What `apply` did. `run_id` is None where only state, or nothing, changed.

    `changed`: paths with new contents, in the order of their commit. `conflicts`: paths where an edit made at the same
    moment stayed and our version waits in review. `notes`: sentences for the user.
    """

    run_id: str | None = None
    changed: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class Workspace(Reader):
    """One folder of memory, open for reading and writing."""

    def __init__(self, root: Path, fs: FileSystem) -> None:
        super().__init__(root, fs)
        self.commit_wait = COMMIT_WAIT
        self._site = Site(self._places, fs, self.state)
        self.chain = Chain(self._places, fs, self.state)
        self._history = History(self._places.runs)

    @classmethod
    def open(cls, root: Path, *, create: bool = False, fs: FileSystem | None = None) -> Self:
        """The workspace at `root`. Writes nothing, except the folder itself with `create`.

        Raises:
            BadInput: there is no such folder, or a newer version of memory-silo has written in it.
        """
        if create and not root.exists():
            try:
                root.mkdir(parents=True)
            except OSError as error:
                raise trouble(error, "making the workspace") from error
        return super().open(root, fs=fs)

    # --- past runs ---

    def runs(self) -> list[Run]:
        """All runs that are kept, oldest first; one that was cut off has `done` false."""
        return self._history.all()

    def last_run(self, *, any_run: bool = False) -> str | None:
        """The id of the last run that a person's or the agent's command made; with `any_run` of the last run."""
        run = self._history.last(any_run=any_run)
        return run.id if run is not None else None

    def diff(self, run_id: str) -> str:
        """What a run changed, as a unified diff.

        Raises:
            BadInput: there is no such run.
            Conflict: its contents are no longer kept.
        """
        return self._history.diff(self._history.find(run_id))

    def plan_undo(
        self,
        run_id: str,
        *,
        now: datetime | None = None,
        unwind: Unwind | None = None,
        held_back: Collection[str] = (),
    ) -> Plan:
        """What `undo` would do at this moment; `preview` shows it.

        Raises:
            BadInput: there is no such run.
            Conflict: it can't be undone, and why.
        """
        run = self._history.find(run_id)
        at = run.at if now is None else now.isoformat(timespec="seconds")
        return Undo(self._places, self.state, self._history, unwind, held_back).plan(run, at)

    def undo(
        self,
        run_id: str,
        *,
        now: datetime,
        command: str,
        scheduled: bool = False,
        unwind: Unwind | None = None,
        held_back: Collection[str] = (),
    ) -> RunResult:
        """The run is taken back, as a run that can be taken back itself.

        `unwind` merges files of formats that it knows, where they changed since; others are merged line by line.
        Files of `held_back` are left to be written by somebody else (their contents are in `plan_undo`), and while
        there are such, what the run created stays too.

        Raises:
            BadInput, Conflict, Busy: as `plan_undo` and `apply`.
        """
        run = self._history.find(run_id)
        with self._commit_lock(self.commit_wait):
            said = recover(self._site)
            undoing = Undo(self._places, self.state, self._history, unwind, held_back)
            plan = undoing.plan(run, now.isoformat(timespec="seconds"))
            modes = {step.path: step.mode for step in run.steps}
            made = tuple(
                with_base(_with_mode(draft, modes.get(draft.step.path)), undoing.bases.get(draft.step.path))
                for draft in drafts(plan.changes, self._places)
            )
            try:
                for path, data in undoing.copies:
                    Conflicts(self._places, self._fs).copy(run.id, path, data)
            except OSError as error:
                raise trouble(error, "keeping what can't be put back; nothing was changed") from error
            result = self._commit(plan, made, now=now, command=command, scheduled=scheduled, undoes=run.id)
            notes = (*said, *result.notes, *self._state_notes())
            return RunResult(result.run_id, result.changed, result.conflicts, notes)

    def key(self, *, make: bool = False) -> bytes | None:
        """The workspace's secret, by which its hashes are keyed; None where there is none. `make` makes one.

        Raises:
            Conflict: it can't be made.
        """
        try:
            if make:
                ready(self._places, self._fs)
            return self.chain.key(make=make)
        except OSError as error:
            raise trouble(error, "making the key; nothing was written") from error

    def holding(self, words: Iterable[str], passed_over: Callable[[str], bool]) -> tuple[str, ...]:
        """Files whose bytes hold one of these words, in any form; `passed_over` says which are not looked at."""
        return left_in(self.root, words, passed_over)

    def again(self, ids: Iterable[str]) -> tuple[Drop, ...]:
        """Operations that lift the mark "undone" from events (or from all of a run), for a plan's state."""
        return again(self.state, ids)

    def usage(self) -> Usage:
        """What past runs and conflict copies cost on disk."""
        return usage(self._site)

    # --- the event log's chain ---

    def chain_problems(self) -> tuple[Problem, ...]:
        """Logged events that were edited, damaged or deleted since, until acknowledged."""
        return self.chain.findings(self._logs())

    def chain_acknowledged(self) -> tuple[StateOp, ...]:
        """Operations after which the log as it stands is the truth."""
        return self.chain.acknowledged(
            sorted({problem.where.split(":")[0] for problem in self.chain_problems()})
        )

    def _logs(self) -> list[str]:
        return [*self.paths(f"{SILO}/private/events/*.md"), *self.paths("memory/events/*.md")]

    # --- locks ---

    @contextmanager
    def job(self, name: str, wait: float = 0) -> Iterator[None]:
        """The lock of a job is ours inside the block: nobody else runs it in this workspace. Busy says who does."""
        ready(self._places, self._fs)
        with locks.held(self._fs, self._places.lock(f"job-{name}"), f"the job {name}", wait):
            yield

    @contextmanager
    def quiet(self) -> Iterator[None]:
        """Nobody of ours commits inside the block: for reading everything as it stands at one moment."""
        with self._commit_lock(self.commit_wait):
            yield

    @contextmanager
    def _commit_lock(self, wait: float) -> Iterator[None]:
        ready(self._places, self._fs)
        with locks.held(self._fs, self._places.lock("commit"), "the workspace", wait):
            yield

    # --- writing ---

    def apply(
        self,
        plan: Plan,
        *,
        now: datetime,
        command: str,
        scheduled: bool,
        adopt: bool = False,
        forget: Iterable[str] = (),
    ) -> RunResult:
        """The plan has happened, as one run; state alone leaves no run, and an empty plan nothing at all.

        With `adopt` the chain also takes in lines that were typed into other log files by hand.

        `forget` are words (ids, texts, paths) that leave every kept run, copy and database too; such a plan changes at
        least one file. Its run keeps no pre-images, and neither it nor a run that held one of the words can be undone.
        Cut off, it is finished by the next start.

        Raises:
            Conflict: a file is not as planned on, or the system refused; nothing was written.
            Busy: another process committed for too long.
            BadInput: a path leads out of the workspace.
        """
        if plan.is_empty and not (adopt and self._logs()):
            return RunResult(notes=plan.notes)
        return self.apply_planned(
            lambda: plan, now=now, command=command, scheduled=scheduled, adopt=adopt, forget=forget
        )

    def apply_planned(
        self,
        planned: Callable[[], Plan],
        *,
        now: datetime,
        command: str,
        scheduled: bool,
        adopt: bool = False,
        forget: Iterable[str] | Callable[[], Iterable[str]] = (),
    ) -> RunResult:
        """As `apply`, with the plan made while nobody else of ours can write: for short plans that look at a log.

        Two commands that store the same statement at the same moment see each other's line this way.
        """
        with self._commit_lock(self.commit_wait):
            said = recover(self._site)
            plan = planned()
            made = drafts(plan.changes, self._places)
            if adopt:
                ours = {draft.step.path for draft in made}
                adopted = self.chain.adopted(path for path in self._logs() if path not in ours)
                plan = replace(plan, state=(*plan.state, *adopted))
            words = tuple(forget() if callable(forget) else forget)
            result = self._commit(plan, made, now=now, command=command, scheduled=scheduled, forget=words)
            notes = (*said, *result.notes, *self._state_notes())
            return RunResult(result.run_id, result.changed, result.conflicts, notes)

    def _commit(
        self,
        plan: Plan,
        made: tuple[Draft, ...],
        *,
        now: datetime,
        command: str,
        scheduled: bool,
        undoes: str = "",
        forget: tuple[str, ...] = (),
    ) -> RunResult:
        if not made:
            self.state.apply(plan.state)
            return RunResult(notes=plan.notes)
        try:
            chained = self.chain.renewed((draft.step.path, draft.old, draft.data) for draft in made)
        except OSError as error:
            raise trouble(error, "making the key; nothing was written") from error
        run = Run(
            id=runs.next_id(now, [*runs.names(self._places.runs), self.state.applied()]),
            at=now.isoformat(timespec="seconds"),
            job=plan.job,
            command=command,
            scheduled=scheduled,
            steps=tuple(draft.step for draft in made),
            state=(*plan.state, *chained),
            counts=plan.counts,
            notes=plan.notes,
            undoes=undoes,
            dropped=FORGOT if forget else "",
            forget=forget,
        )
        done = commit(self._site, run, made)
        changed = tuple(path for path in done.paths if path not in done.kept)
        return RunResult(done.id, changed, done.kept, (*plan.notes, *self._pruned(done.id, now)))

    def _pruned(self, run_id: str, now: datetime) -> list[str]:
        """Once a day, by the first run of it, old runs are cleared away. A refusal there spoils no run."""
        before = [name for name in runs.names(self._places.runs) if name < run_id]
        if before and before[-1][:8] == run_id[:8]:
            return []
        try:
            prune(self._site, now)
        except OSError as error:
            return [f"Old runs could not be cleared away: {trouble(error, 'removing them')}."]
        return []

    def preview(self, plan: Plan) -> str:
        """The unified diff of the very same plan, "" where no file would change. Writes nothing.

        Raises:
            Conflict, BadInput: as `apply` would.
        """
        made = sorted(drafts(plan.changes, self._places), key=lambda draft: (draft.step.path.startswith(".silo/"), draft.step.path))  # what a person reads comes first
        return "".join(unified(draft.step.path, _text(draft.old), _text(draft.data)) for draft in made)

    def recover(self, now: datetime) -> list[str]:
        """Runs that were cut off are finished or cleared away; one sentence each. Nothing to do costs one look.

        A commit that another process is just making is none of ours and is left alone. Where the system refuses, that
        is said and reading goes on; writing will refuse too.
        """
        if not self.is_cut_off:
            return []
        try:
            with self._commit_lock(0):
                return [*recover(self._site), *self._state_notes()]
        except Busy:
            return []
        except Conflict as refused:
            return [f"A run was cut off and can't be finished now: {refused}."]

    def _state_notes(self) -> list[str]:
        said = [*self.state.notes, *self.chain.notes]
        self.state.notes, self.chain.notes = [], []
        return said


def _with_mode(draft: Draft, mode: int | None) -> Draft:
    """A file that comes back gets the permissions that it had."""
    if draft.old is not None or mode is None:
        return draft
    return replace(draft, step=replace(draft.step, mode=mode))


def _text(data: bytes | None) -> str | None:
    return None if data is None else decode(data)
