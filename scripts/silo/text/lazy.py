"""Patterns that are compiled when they are first used: a call that meets no secret and no order pays for none."""

from __future__ import annotations

import re


class Lazy:
    """`Lazy(source, flags)()` is the compiled pattern, the same one each time."""

    __slots__ = ("_made", "flags", "source")

    def __init__(self, source: str, flags: int = 0) -> None:
        self.source = source
        self.flags = flags
        self._made: re.Pattern[str] | None = None

    def __call__(self) -> re.Pattern[str]:
        if self._made is None:
            self._made = re.compile(self.source, self.flags)
        return self._made
