"""What a job asks of a model: a task, its inputs as fenced data, and the batches that go into one prompt.

The beginning of a prompt is the same for every batch of a task, so that a provider's prompt cache can keep it. What a
person or a transcript said stands in it only as JSON strings within a fence that no string can close.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from silo.formats.llm import Prompt
from silo.model import Problem
from silo.text.budget import likely_tokens, size
from silo.text.redact import redact

In = TypeVar("In")
Out = TypeVar("Out")

FENCE = "silo-data"
MOST_ANSWER = 8000  # tokens of one reply: beyond that models stop in the middle


@dataclass(frozen=True, slots=True)
class Task(Generic[In, Out]):
    """A kind of question. One answer is made for each input, by a model or by `fallback`; the rules can do it always.

    `name` is its key under `engines` in the configuration. `head` is the stable beginning of every prompt (a file of
    templates/engines). `schema` is that of the answer to one input: an object without `id`, which is added. `show` is
    all that a model sees of an input, screened already. `read` makes an answer that fits the schema into a value, or
    says what is wrong with it, which a model is told once. `shared` is data that all inputs need (the list of topics);
    it is no part of an answer's identity in the cache. A new `version` makes kept answers void.
    """

    name: str
    head: str
    schema: Mapping[str, Any]
    show: Callable[[In], Mapping[str, object]]
    read: Callable[[Mapping[str, Any], In], Out | Problem]
    fallback: Callable[[In], Out]
    shared: Mapping[str, object] = field(default_factory=dict)
    version: int = 1
    answer_tokens: int = 300  # that an answer to one input mostly takes


@dataclass(frozen=True, slots=True)
class Item(Generic[In]):
    """An input as it stands in a prompt. `id` follows from what is shown, so equal inputs are one."""

    id: str
    value: In
    line: str  # one JSON object, the id in it

    @property
    def tokens(self) -> int:
        return likely_tokens(self.line)


def item_of(task: Task[In, Out], value: In) -> Item[In]:
    """The input as the model sees it."""
    shown = clean(task.show(value))
    ident = hashlib.sha256(_json(shown).encode()).hexdigest()[:10]
    return Item(ident, value, _json({"id": ident, **shown}))


def answer_key(task: Task[In, Out], item: Item[In], engine: str, model: str) -> str:
    """The identity of an answer: what was asked, how, and of whom. SHA-256 in hex."""
    asked = [task.name, str(task.version), task.head, _json(task.schema), engine, model, item.line]
    return hashlib.sha256("\x1f".join(asked).encode()).hexdigest()


def schema_of(task: Task[In, Out]) -> dict[str, Any]:
    """The schema of a whole answer: {"answers": [{"id", …}]}, one for each input."""
    one = dict(task.schema)
    one["properties"] = {"id": {"type": "string"}, **one.get("properties", {})}
    one["required"] = ["id", *one.get("required", ())]
    one["additionalProperties"] = False
    defs = one.pop("$defs", None)
    return {
        "type": "object",
        "additionalProperties": False,
        "required": ["answers"],
        "properties": {"answers": {"type": "array", "items": one}},
        **({"$defs": defs} if defs else {}),
    }


def prompt_of(task: Task[In, Out], items: Sequence[Item[In]], complaints: Sequence[str] = ()) -> Prompt:
    """The request for a batch; `complaints` say what was wrong with an answer to these same inputs."""
    body = []
    if task.shared:
        body.append(f"<silo-lists>\n{_json(clean(task.shared))}\n</silo-lists>\n")
    body.append(f"<{FENCE}>\n" + "\n".join(item.line for item in items) + f"\n</{FENCE}>\n")
    if complaints:
        body.append("An earlier answer to this could not be used:\n" + "\n".join(f"- {one}" for one in complaints) + "\n")
    body.append(f'Answer with one JSON object {{"answers": [...]}} and nothing else: one entry for each of the {len(items)} ids above.')
    return Prompt(task.name, task.head, "\n".join(body), schema_of(task), task.answer_tokens * len(items))


def batches(
    task: Task[In, Out], items: Sequence[Item[In]], tokens: int, most_bytes: int | None = None
) -> Iterator[list[Item[In]]]:
    """Inputs in order, as many as fit `tokens` of data in one prompt (and `most_bytes` of the whole prompt), and whose
    answers together stay within what a model writes at once.

    An input that is larger than a batch alone makes one; the transport says whether it can carry it.
    """
    frame = size(prompt_of(task, ()).text) + 2000  # room for complaints
    batch: list[Item[In]] = []
    used = held = 0
    for item in items:
        more, heavier = item.tokens, size(item.line) + 1
        full = used + more > tokens or (len(batch) + 1) * task.answer_tokens > MOST_ANSWER or (most_bytes is not None and frame + held + heavier > most_bytes)
        if batch and full:
            yield batch
            batch, used, held = [], 0, 0
        batch.append(item)
        used, held = used + more, held + heavier
    if batch:
        yield batch


def clean(value: Any) -> Any:
    """The value with the secrets in its texts replaced: what goes out, and what comes back, whoever wrote it."""
    if isinstance(value, str):
        return redact(value)[0]
    if isinstance(value, Mapping):
        return {key: clean(inner) for key, inner in value.items()}
    return [clean(inner) for inner in value] if isinstance(value, list | tuple) else value


def _json(value: object) -> str:
    """Compact JSON in which no string can open or close a fence."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace").decode()
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
