"""What every transport is, and how a call is tried again: on the right errors only, with growing pauses."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from silo.formats.llm import Failure, Prompt, Reply, Why

LONGEST_PAUSE = 20.0  # seconds; a service that asks for more is given up for now


class Transport(Protocol):
    """`most_bytes`: the largest prompt that it can carry, None for no limit of its own. `model` may be '' where the other
    side chooses. `local`: the other end is this machine, which charges nothing."""

    engine: str
    model: str
    most_bytes: int | None
    local: bool

    def complete(self, prompt: Prompt) -> Reply | Failure:
        """One answer. Troubles of the other side are values; nothing is raised for them."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What a transport needs. `wait`: seconds for one attempt; `attempts`: how often it is tried in all; `key` is never
    part of any output."""

    model: str = ""
    endpoint: str = ""
    key: str = ""
    wait: float = 60.0
    attempts: int = 3


@dataclass(frozen=True, slots=True)
class Again:
    """An attempt that failed in a way that another one may not: `after` is what the service asked for, in seconds."""

    failure: Failure
    after: float | None = None


def patiently(
    attempt: Callable[[], Reply | Failure | Again],
    attempts: int,
    *,
    sleep: Callable[[float], None] = time.sleep,
    jitter: Callable[[], float] = random.random,
) -> Reply | Failure:
    """Try up to `attempts` times; pauses of about 0.5, 1, 2 … seconds, half of each at random, or what the service asks."""
    for number in range(attempts):
        said = attempt()
        if not isinstance(said, Again):
            return replace(said, attempts=number + 1)
        pause = max(0.5 * 2**number * (0.5 + jitter()), said.after or 0.0)
        if number + 1 == attempts or pause > LONGEST_PAUSE:
            return replace(said.failure, attempts=number + 1)
        sleep(pause)
    return Failure(Why.BUSY, "it was not tried")
