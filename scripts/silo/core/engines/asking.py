"""The conversation of one batch: ask, check, ask once more for what was wrong, give up. Who carries it is not known here."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic

from silo.core.engines.reply import read_reply
from silo.core.engines.task import In, Item, Out, Task, prompt_of
from silo.formats.llm import Failure, Prompt, Reply


@dataclass(frozen=True, slots=True)
class Outcome(Generic[Out]):
    """What a batch came to. Inputs whose id is not in `values` are left to the rules; `failure` says why, if a call failed,
    `complaints` what was wrong with the last answer."""

    values: Mapping[str, Out] = field(default_factory=dict)
    answers: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    failure: Failure | None = None
    complaints: tuple[str, ...] = ()


Conversation = Generator[Prompt, Reply | Failure, Outcome[Out]]


def converse(task: Task[In, Out], items: Sequence[Item[In]]) -> Conversation[Out]:
    """Yields prompts, is sent replies or failures, returns the outcome. At most two prompts."""
    values: dict[str, Out] = {}
    answers: dict[str, Mapping[str, Any]] = {}
    open_items = list(items)
    complaints: tuple[str, ...] = ()
    for _ in range(2):
        said = yield prompt_of(task, open_items, complaints)
        if isinstance(said, Failure):
            return Outcome(values, answers, said, complaints)
        reading = read_reply(task, open_items, said.text)
        values |= reading.values
        answers |= reading.answers
        open_items = [item for item in open_items if item.id not in values]
        complaints = reading.complaints
        if not open_items:
            return Outcome(values, answers)
    return Outcome(values, answers, complaints=complaints)
