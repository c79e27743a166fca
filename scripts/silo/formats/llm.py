"""What goes over the wire to a model and back, as values: a prompt, a reply, a failure. No text of a failure holds a key
or a word of the user's."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from silo.formats.jsonl import finite, refuse
from silo.text.budget import likely_tokens

_TRIES = 40  # places where a JSON value may begin


@dataclass(frozen=True, slots=True)
class Prompt:
    """One request. `head` is stable, `body` is not; `schema` is that of the whole answer, `name` names it."""

    name: str
    head: str
    body: str
    schema: Mapping[str, Any]
    answer_tokens: int

    @property
    def text(self) -> str:
        return f"{self.head}\n\n{self.body}"

    @property
    def tokens(self) -> int:
        return likely_tokens(self.text)


class Why(StrEnum):
    """Why no answer came."""

    REFUSED = "refused"  # 400, 401, 403, 404: asking again changes nothing
    BUSY = "busy"  # 408, 429, 5xx, no connection; the transport has tried several times
    HUNG = "timeout"
    REDIRECT = "redirect"
    UNREADABLE = "unreadable"  # an answer that is none: no JSON, no text in it
    TOO_LARGE = "too large"  # the prompt is more than the transport can carry
    CAP = "cap"  # the day's tokens or money are spent
    OPEN = "breaker"  # it failed too often of late
    MISSING = "missing"  # a package, a program or a setting


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back. Token counts are None where the transport does not tell them; `model` is who answered, where it does."""

    text: str
    tokens_in: int | None = None
    tokens_out: int | None = None
    model: str = ""
    attempts: int = 1


@dataclass(frozen=True, slots=True)
class Failure:
    """No answer, as a value: why, and one sentence without any text or key of the user's."""

    why: Why
    message: str
    attempts: int = 1


def json_values(text: str) -> Iterator[Any]:
    """JSON objects and lists that stand in a text, whole ones only: a model may wrap its answer in prose or a fence. What
    holds NaN or a number without end is no JSON."""
    decoder = json.JSONDecoder(parse_constant=refuse, parse_float=finite)
    at = 0
    for _ in range(_TRIES):
        start = min((p for p in (text.find("{", at), text.find("[", at)) if p >= 0), default=-1)
        if start < 0:
            return
        try:
            value, at = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            at = start + 1
            continue
        yield value
