"""A model's text → the answers in it, each checked against the schema and by its task. Wrong text is a value.

A model may wrap its JSON in prose or a fence, answer for some inputs only, or repeat the prompt. Only an object with
`answers` whose ids are those that were asked counts, so an echo of the prompt's own examples answers nothing.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeGuard

from silo.core.engines.task import In, Item, Out, Task, clean, schema_of
from silo.formats.llm import json_values
from silo.formats.schema import check
from silo.model import Problem

_MOST = 400_000  # characters of a reply that are looked at
_TOLD = 12  # complaints that a model is told


@dataclass(frozen=True, slots=True)
class Reading(Generic[Out]):
    """What a reply held: values and raw answers by input id, and what was wrong, in sentences for the model."""

    values: Mapping[str, Out] = field(default_factory=dict)
    answers: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    complaints: tuple[str, ...] = ()


def read_reply(task: Task[In, Out], items: Sequence[Item[In]], text: str) -> Reading[Out]:
    """The usable answers of a reply to these inputs."""
    answers = _answers(text, {item.id for item in items})
    if answers is None:
        return Reading(complaints=('it held no JSON object with a list "answers" for the ids that were asked',))
    return read_answers(task, items, answers)


def read_answers(task: Task[In, Out], items: Sequence[Item[In]], answers: Sequence[Any]) -> Reading[Out]:
    """The usable ones among answers to these inputs."""
    asked = {item.id: item for item in items}
    item_schema = schema_of(task)["properties"]["answers"]["items"] | {"$defs": task.schema.get("$defs", {})}
    values: dict[str, Out] = {}
    raw: dict[str, Mapping[str, Any]] = {}
    complaints: list[str] = []
    for answer in answers:
        ident = answer.get("id") if isinstance(answer, dict) else None
        if not _known(ident, asked):
            complaints.append("an answer names an id that was not asked")
            continue
        if ident in values:
            complaints.append(f"{ident} is answered twice")
            continue
        wrong = check(answer, item_schema)
        if wrong:
            complaints += [f"{ident}{where} {what}" for where, what in wrong[:4]]
            continue
        answer = clean(_whole(answer))
        value = task.read(answer, asked[ident].value)
        if isinstance(value, Problem):
            complaints.append(f"{ident}: {value.message}")
            continue
        values[ident], raw[ident] = value, answer
    complaints += [f"{ident} has no usable answer" for ident in asked if ident not in values]
    return Reading(values, raw, tuple(dict.fromkeys(_told(one) for one in complaints))[:_TOLD])


def _answers(text: str, asked: Container[str]) -> list[Any] | None:
    """The list of the last object in the text that answers something that was asked."""
    best: list[Any] | None = None
    for value in json_values(text[:_MOST]):
        found = value.get("answers") if isinstance(value, dict) else value
        if isinstance(found, list) and any(isinstance(one, dict) and _known(one.get("id"), asked) for one in found):
            best = found
    return best


def _known(ident: object, asked: Container[str]) -> TypeGuard[str]:
    return isinstance(ident, str) and ident in asked


def _whole(value: Any) -> Any:
    """The value with halves of characters in its texts replaced: JSON can write them, and no file can hold them."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {key: _whole(inner) for key, inner in value.items()}
    return [_whole(inner) for inner in value] if isinstance(value, list) else value


def _told(complaint: str) -> str:
    """A complaint may name what the model called something: no more of it than a person or a prompt can bear."""
    return "".join(char if char.isprintable() else "?" for char in complaint)[:160]
