"""Which engine does a job's language work: flag > environment > configuration > rules. Loads nothing of an engine."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from silo.errors import BadInput
from silo.jobs.run import Call

RULES, AGENT = "rules", "agent"
ENGINES = (RULES, "openclaw", "openai", "http", AGENT)


@dataclass(frozen=True, slots=True)
class Choice:
    """What does a job's language work."""

    engine: str
    model: str = ""
    endpoint: str = ""


def choose(call: Call, job: str, engine: str | None = None, model: str | None = None, endpoint: str | None = None) -> Choice:
    """The engine of a job. `job` is its key under `engines`; the arguments are what flags said.

    Raises:
        BadInput: no such engine.
    """
    mine = table(call, job)
    chosen = engine or os.environ.get("SILO_ENGINE") or text(mine, "engine") or RULES
    if chosen not in ENGINES:
        raise BadInput(f"{chosen!r} is no engine", f"use one of {', '.join(ENGINES)}")
    theirs = table(call, chosen)
    same = (text(mine, "engine") or RULES) == chosen
    named = model or os.environ.get("SILO_MODEL") or (text(mine, "model") if same else "") or text(theirs, "model")
    place = endpoint or (text(mine, "endpoint") if same else "") or text(theirs, "endpoint")
    return Choice(chosen, named, place)


def table(call: Call, name: str) -> Mapping[str, object]:
    """A table under `engines` of the configuration; empty where there is something else."""
    value = call.config.section("engines").get(name)
    return value if isinstance(value, dict) else {}


def text(values: Mapping[str, object], name: str) -> str:
    """A text in a table; empty where there is something else."""
    value = values.get(name)
    return value if isinstance(value, str) else ""
