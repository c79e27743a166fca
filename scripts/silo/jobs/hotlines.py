"""The hot state of an agent as lines for a person or a session's start."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, tzinfo
from typing import Any

from silo.formats.hot import said
from silo.text.budget import size
from silo.text.lines import one_line

LONGEST = 460  # bytes of a line; longer values go on in lines of their own, so that no reader cuts them


def hot_lines(state: Mapping[str, Any], zone: tzinfo) -> list[str]:
    """Every statement of the state; a long one in several lines."""
    return [part for one in said(state, day_in(zone)) for part in _pieces(one_line(one.text))]


def day_in(zone: tzinfo) -> Callable[[float], str]:
    """What tells the local day of seconds since 1970, "" where they say nothing."""

    def day(seconds: float) -> str:
        try:
            return datetime.fromtimestamp(seconds, UTC).astimezone(zone).date().isoformat()
        except (ValueError, OverflowError, OSError):
            return ""

    return day


def _pieces(line: str) -> list[str]:
    found: list[str] = []
    words: list[str] = []
    for word in line.split(" "):
        while size(word) > LONGEST:
            found += [" ".join(words)] if words else []
            words = []
            found.append(word[: LONGEST // 4])
            word = word[LONGEST // 4 :]
        if words and size(" ".join([*words, word])) > LONGEST:
            found.append(" ".join(words))
            words = []
        words.append(word)
    return [*found, " ".join(words)]
