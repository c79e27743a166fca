"""Engines without a model: a scripted transport that answers in turn, a small task, and a call on an empty workspace."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from silo import config
from silo.core.engines.task import Task
from silo.edge.llm.transport import Settings, Transport
from silo.edge.workspace import Workspace
from silo.formats.llm import Failure, Prompt, Reply, Why, json_values
from silo.jobs.engines import Choice, Engines
from silo.jobs.run import Call
from silo.model import Problem

Script = str | Reply | Failure | Callable[[Prompt], "str | Reply | Failure"]


@dataclass
class Scripted:
    """Answers the prompts in turn, and the last entry again and again; `prompts` is what it was asked."""

    script: Sequence[Script]
    engine: str = "openai"
    model: str = "scripted-1"
    most_bytes: int | None = None
    local: bool = False
    prompts: list[Prompt] = field(default_factory=list)

    def complete(self, prompt: Prompt) -> Reply | Failure:
        self.prompts.append(prompt)
        said = self.script[min(len(self.prompts), len(self.script)) - 1]
        made = said(prompt) if callable(said) else said
        return Reply(made) if isinstance(made, str) else made

    def make(self, settings: Settings) -> Transport | Failure:
        """Put this into silo.jobs.engines.TRANSPORTS, or hand it to `engines`."""
        return self


def asked(prompt: Prompt | str) -> list[dict[str, object]]:
    """The inputs that stand in a prompt, as the model sees them."""
    text = prompt if isinstance(prompt, str) else prompt.text
    inside = text.rpartition("<silo-data>\n")[2].partition("\n</silo-data>")[0]
    return [json.loads(line) for line in inside.splitlines()]


def answers(prompt: Prompt, of: Callable[[dict[str, object]], Mapping[str, object]]) -> str:
    """A whole good answer: `of` gives that to one input, without the id."""
    return json.dumps({"answers": [{"id": one["id"], **of(one)} for one in asked(prompt)]})


def call_on(root: Path, day: str = "2026-03-10", *, hour: int = 12, settings: Mapping[str, object] | None = None) -> Call:
    """A call of a command on the workspace `root`, its configuration merged with `settings`."""
    root.mkdir(parents=True, exist_ok=True)
    values = config.merge(config.DEFAULTS, settings or {})
    made = config.Config(root, root / "state", "default", UTC, "UTC", values)
    return Call(made, datetime.fromisoformat(f"{day}T{hour:02}:00:00+00:00"), "test")


def engines(root: Path, transport: Scripted, *, settings: Mapping[str, object] | None = None, call: Call | None = None) -> Engines:
    """The engine of a job `echo` over a scripted transport."""
    call = call or call_on(root, settings=settings)
    choice = Choice(transport.engine, transport.model, "http://127.0.0.1:9/v1")
    return Engines(call, Workspace.open(root), "echo", choice, transport.make)


def ledger(root: Path) -> list[dict[str, object]]:
    """All calls on record, oldest first."""
    rows = Workspace.open(root).state.items("calls").values()
    return [row for row in rows if isinstance(row, dict)]


# A task that any input fits: the answer is the text in capitals.
SHOUT_SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "required": ["loud"],
    "properties": {"loud": {"type": "string", "minLength": 1, "maxLength": 200}},
}


def shout() -> Task[str, str]:
    def read(answer: Mapping[str, object], value: str) -> str | Problem:
        loud = str(answer["loud"])
        return loud if loud == value.upper() else Problem("", "not-loud", "loud must be the text in capitals")

    return Task(
        name="echo",
        head='Say each text in capitals.\n\nExample: {"answers":[{"id":"example","loud":"HELLO"}]}',
        schema=SHOUT_SCHEMA,
        show=lambda value: {"text": value},
        read=read,
        fallback=lambda value: f"rules: {value}",
    )


def loud(one: dict[str, object]) -> dict[str, object]:
    return {"loud": str(one["text"]).upper()}


__all__ = ["Failure", "Reply", "Scripted", "Why", "answers", "asked", "call_on", "engines", "json_values", "ledger", "loud", "shout"]
