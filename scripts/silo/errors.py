"""Troubles of the environment, as exceptions that carry what to do next and an exit code.

Bad text in a user's file is never one of these: it is a `model.Problem`, a value that a job reports.
"""

from __future__ import annotations

from typing import ClassVar


class Trouble(Exception):
    """Something outside the data went wrong; `str(error)` is one sentence, `hint` what the user can do next."""

    code: ClassVar[int] = 70

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class BadInput(Trouble):
    """Bad usage or bad input; nothing was written (exit 2)."""

    code: ClassVar[int] = 2


class Conflict(Trouble):
    """A file moved under us, or the workspace can't be written; nothing was written (exit 3)."""

    code: ClassVar[int] = 3


class Busy(Trouble):
    """Another process holds a lock that we need (exit 3; a scheduled job turns it into exit 0)."""

    code: ClassVar[int] = 3


class ServiceDown(Trouble):
    """The service that the command is for did not answer; work is kept for the next run (exit 4)."""

    code: ClassVar[int] = 4
