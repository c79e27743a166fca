"""What every job is called with. It knows no job, so that what a commit brings along can know it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from typing import TYPE_CHECKING, NamedTuple

from silo.config import Config
from silo.edge.reader import Reader

# A command that only reads does without the rest: it costs more time than most questions take to answer.
if TYPE_CHECKING:
    from silo.edge.workspace import Workspace


class Call(NamedTuple):
    """One call of a command: settings, the instant it works at, and how it was asked to behave."""

    config: Config
    now: datetime  # aware, in the user's zone
    command: str  # as recorded in the run, e.g. "extract --source jsonl"
    dry_run: bool = False
    as_json: bool = False
    scheduled: bool = False
    say: Callable[[str], None] = lambda line: None  # progress and remarks, to standard error

    @property
    def today(self) -> date:
        """The user's local day."""
        return self.now.date()

    def open(self, *, create: bool = False) -> Workspace:
        """The workspace, repaired first where a run was cut off; what was repaired is said."""
        from silo.edge.workspace import Workspace

        workspace = Workspace.open(self.config.workspace, create=create)
        for line in workspace.recover(self.now):
            self.say(f"NOTE {line}")
        return workspace

    def look(self) -> Reader:
        """The workspace for a job that only reads; repaired first in the same way."""
        reader = Reader.open(self.config.workspace)
        return self.open() if reader.is_cut_off else reader
