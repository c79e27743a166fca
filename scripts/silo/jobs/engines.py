"""Which engine does a job's language work, what it is asked, what it costs: flag > environment > configuration > rules.

`Engines.ask` always gives one answer for each input: from the cache, from the model, or from the rules where the model
did not answer, may not be asked (a cap, the breaker) or is not to be had. `notes` say which. Each call to a model is in
the ledger (state.db, table `calls`) before it is made, and again with its outcome. Writes nothing else.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Generic

from silo.core.engines.asking import Outcome, converse
from silo.core.engines.breaker import Breaker
from silo.core.engines.spending import FREE, Caps, Price, price_of, spent
from silo.core.engines.task import In, Item, Out, Task, answer_key, batches, item_of
from silo.edge.http import shown
from silo.edge.llm.answers import Answers
from silo.edge.llm.transport import Settings, Transport
from silo.edge.workspace import Workspace
from silo.errors import BadInput
from silo.formats.llm import Failure, Prompt, Reply, Why
from silo.jobs.choice import AGENT, RULES, Choice, choose, table
from silo.jobs.run import Call
from silo.model import Drop, Problem, Put, StateOp
from silo.text.budget import likely_tokens

CACHE = "cache"
CALLS, BREAKERS = "calls", "breakers"
MOST = 100_000_000  # that any limit of the configuration may be
KEPT_DAYS = 400  # that a call stays in the ledger

__all__ = ["AGENT", "RULES", "Answer", "Choice", "Engines", "choose", "engines_for"]

Maker = Callable[[Settings], Transport | Failure]


@dataclass(frozen=True, slots=True)
class Answer(Generic[Out]):
    """One answer, and who gave it: the engine's name, `cache` (a model, earlier) or `rules`."""

    value: Out
    by: str


def engines_for(call: Call, workspace: Workspace, job: str, choice: Choice) -> Engines:
    """What answers a job's tasks: with the transport that TRANSPORTS has for the engine, which tests put their own into."""
    return Engines(call, workspace, job, choice, TRANSPORTS.get(choice.engine))


def _no_order(settings: Settings) -> Failure:
    return Failure(Why.MISSING, "the assistant answers work orders, which this command does not make")


class Engines:
    """One job's access to its engine during one run."""

    def __init__(self, call: Call, workspace: Workspace, job: str, choice: Choice, make: Maker | None) -> None:
        self.choice = choice
        self.job = job
        self.calls = 0
        self.cost = 0.0
        self._call, self._workspace = call, workspace
        self._counts: Counter[str] = Counter()
        self._reasons: dict[str, int] = {}
        self.limits = _limits(call)
        self.kept = Answers(workspace.root)
        self._transport: Transport | None = None
        self._down: Failure | None = None
        if make is not None:
            made = make(_settings(choice, self.limits))
            self._transport, self._down = (None, made) if isinstance(made, Failure) else (made, None)

    @property
    def is_model(self) -> bool:
        """Whether a model is asked at all: then a job may wait and gather."""
        return self.choice.engine != RULES

    @property
    def ready(self) -> bool:
        """Whether the engine is to be had; where it is not, the rules do all at once."""
        return self._transport is not None

    @property
    def figures(self) -> dict[str, object]:
        """For the record of a run."""
        return {"engine": self.choice.engine, "calls": self.calls, "cost": round(self.cost, 6), "fallbacks": self._counts[RULES]}

    @property
    def notes(self) -> list[str]:
        """What happened, in sentences for the user."""
        if not self.is_model:
            return []
        by_rules = [f"{self.choice.engine}: the rules did {_count(n, 'part')} instead: {why}" for why, n in self._reasons.items()]
        if not self._counts and self._down is not None:
            by_rules = [f"{self.choice.engine}: {self._down.message}; the rules do the work"]
        done = self._counts[self.choice.engine]
        told = []
        if done or self._counts[CACHE] or self.calls:
            kept = f", {self._counts[CACHE]} known from before" if self._counts[CACHE] else ""
            told = [f"{self.choice.engine}: {_count(done, 'part')} done in {_count(self.calls, 'call')} for ${self.cost:.4f}{kept}"]
        return [*told, *by_rules]

    def ask(self, task: Task[In, Out], inputs: Sequence[In]) -> list[Answer[Out]]:
        """One answer for each input, in their order. No model's fault raises anything."""
        if not self.is_model or not inputs:
            return [Answer(task.fallback(value), RULES) for value in inputs]
        items = [item_of(task, value) for value in inputs]
        known: dict[str, tuple[Mapping[str, Any], str]] = {}
        if self._transport is not None:
            engine, model = self._transport.engine, self._transport.model
            keys = {item.id: answer_key(task, item, engine, model) for item in items}
            kept = self.kept.get(keys.values())
            known |= {ident: (kept[key], CACHE) for ident, key in keys.items() if key in kept}
            missing = list({item.id: item for item in items if item.id not in known}.values())
            for batch in batches(task, missing, self.limits.batch_tokens, self._transport.most_bytes):
                found = self._batch(task, batch, self._transport)
                known |= {ident: (answer, engine) for ident, answer in found.items()}
                if found:
                    self.kept.put({keys[ident]: answer for ident, answer in found.items()}, self._call.today)
        elif self._down is not None:
            self._give_up(self._down.message, len(items))
        return [self._answer(task, item, known.get(item.id)) for item in items]

    def _answer(self, task: Task[In, Out], item: Item[In], known: tuple[Mapping[str, Any], str] | None) -> Answer[Out]:
        if known is not None:
            value = task.read(known[0], item.value)
            if not isinstance(value, Problem):
                self._counts[known[1]] += 1
                return Answer(value, known[1])
        self._counts[RULES] += 1
        return Answer(task.fallback(item.value), RULES)

    def _batch(self, task: Task[In, Out], batch: list[Item[In]], transport: Transport) -> Mapping[str, Mapping[str, Any]]:
        """The usable raw answers to a batch, by id; why there are none for the rest is noted."""
        talk = converse(task, batch)
        prompt = next(talk)
        outcome: Outcome[Out] | None = None
        asked = 0
        while outcome is None:
            refusal = self._refusal(prompt, transport)
            said = refusal or self._ask(prompt, transport, len(batch), repair=asked > 0)
            asked += refusal is None
            try:
                prompt = talk.send(said)
            except StopIteration as end:
                outcome = end.value
            if refusal is None:
                self._record(_word(said, outcome, len(batch)))
        if asked:
            self._judge(transport, outcome)
        left = len(batch) - len(outcome.answers)
        if left:
            why = outcome.failure.message if outcome.failure else "its answers could not be used: " + "; ".join(outcome.complaints[:2])
            self._give_up(why, left)
        return outcome.answers

    # --- may it be asked, and what came of it ---

    def _refusal(self, prompt: Prompt, transport: Transport) -> Failure | None:
        size = len(prompt.text.encode("utf-8", "replace"))
        if transport.most_bytes is not None and size > transport.most_bytes:
            return Failure(Why.TOO_LARGE, f"{size:,} bytes are more than one prompt can carry ({transport.most_bytes:,})")
        breaker = self._breaker(transport)
        if breaker.is_open(self._call.now):
            return Failure(Why.OPEN, f"it failed {breaker.failures} times in a row and is left alone until {breaker.until:%Y-%m-%d %H:%M}")
        today = spent(
            row for row in self._workspace.state.items(CALLS, self._call.today.isoformat()).values() if isinstance(row, dict)
        )
        price = self._price(transport)
        why = self.limits.caps.refuses(today, prompt.tokens + prompt.answer_tokens, price.of(prompt.tokens, prompt.answer_tokens))
        return Failure(Why.CAP, why) if why else None

    def _ask(self, prompt: Prompt, transport: Transport, parts: int, *, repair: bool) -> Reply | Failure:
        """One call, on record before it is made."""
        price = self._price(transport)
        self._key = self._next_key()
        self._row: dict[str, object] = {
            "at": self._call.now.isoformat(timespec="seconds"), "job": self.job, "engine": transport.engine, "model": transport.model,
            "tokens_in": prompt.tokens, "tokens_out": 0, "estimated": True, "price_known": price.known,
            "cost": price.of(prompt.tokens, prompt.answer_tokens), "seconds": 0.0, "parts": parts, "repair": repair, "outcome": "begun",
        }  # fmt: skip
        self._workspace.state.apply([*self._old_calls(), Put(CALLS, self._key, self._row)])
        started = time.monotonic()
        said = transport.complete(prompt)
        self._row |= {"seconds": round(time.monotonic() - started, 3), "attempts": said.attempts}
        self._row |= _used(prompt, said)
        if isinstance(said, Reply) and said.model and not transport.local:
            price = price_of(said.model, self.limits.prices)
            self._row |= {"model": said.model, "price_known": price.known}
        self._row["cost"] = round(price.of(int(str(self._row["tokens_in"])), int(str(self._row["tokens_out"]))), 8)
        self.calls += 1
        self.cost += float(str(self._row["cost"]))
        return said

    def _record(self, outcome: str) -> None:
        self._row["outcome"] = outcome
        self._workspace.state.apply([Put(CALLS, self._key, self._row)])

    def _next_key(self) -> str:
        """Unique among the calls of this job, which holds its lock: the instant, the job, and how many before."""
        stem = f"{self._call.now.isoformat(timespec='seconds')}#{self.job}-"
        return f"{stem}{len(self._workspace.state.items(CALLS, stem)):04d}"

    def _old_calls(self) -> list[StateOp]:
        oldest = (self._call.today - timedelta(days=KEPT_DAYS)).isoformat()
        return [Drop(CALLS, key) for key in self._workspace.state.items(CALLS) if key < oldest] if not self.calls else []

    def _judge(self, transport: Transport, outcome: Outcome[Out]) -> None:
        """The breaker after a batch: any usable answer closes it."""
        before = self._breaker(transport)
        bad = not outcome.answers and (outcome.failure is None or outcome.failure.why not in (Why.CAP, Why.OPEN, Why.TOO_LARGE))
        pause = timedelta(minutes=self.limits.pause_minutes)
        after = before.failed(self._call.now, most=self.limits.failures, pause=pause) if bad else Breaker()
        if after != before:
            self._workspace.state.apply([Put(BREAKERS, self._name(transport), after.kept())])

    def _breaker(self, transport: Transport) -> Breaker:
        return Breaker.load(self._workspace.state.get(BREAKERS, self._name(transport)))

    def _name(self, transport: Transport) -> str:
        return "|".join((transport.engine, shown(self.choice.endpoint), transport.model))

    def _price(self, transport: Transport) -> Price:
        return FREE if transport.local else price_of(transport.model, self.limits.prices)

    def _give_up(self, why: str, parts: int) -> None:
        self._reasons[why] = self._reasons.get(why, 0) + parts


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _word(said: Reply | Failure, outcome: Outcome[Out] | None, parts: int) -> str:
    """The outcome of a call in a word."""
    if isinstance(said, Failure):
        return said.why.value
    if outcome is None:
        return "to repair"
    return "ok" if len(outcome.answers) == parts else "partial" if outcome.answers else "unusable"


def _used(prompt: Prompt, said: Reply | Failure) -> dict[str, object]:
    """Tokens of a call: as reported, else as they most likely were; what was refused outright cost none."""
    if isinstance(said, Failure):
        return {"tokens_in": prompt.tokens if said.why in (Why.HUNG, Why.UNREADABLE) else 0, "tokens_out": 0, "estimated": True}
    if said.tokens_in is not None and said.tokens_out is not None:
        return {"tokens_in": said.tokens_in, "tokens_out": said.tokens_out, "estimated": False}
    return {"tokens_in": prompt.tokens, "tokens_out": likely_tokens(said.text), "estimated": True}


# --- settings -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Limits:
    """`engines.limits` and `engines.prices` of the configuration."""

    caps: Caps
    idle_hours: float
    new_tokens: int
    batch_tokens: int
    failures: int
    pause_minutes: int
    wait: float
    attempts: int
    prices: Mapping[str, object]


def _limits(call: Call) -> Limits:
    mine = table(call, "limits")

    def number(name: str, default: float, least: float) -> float:
        value = mine.get(name, default)
        if not isinstance(value, int | float) or isinstance(value, bool) or not least <= value <= MOST:
            raise BadInput(f"{call.config.workspace}/.silo/config.json: engines.limits.{name} must be a number from {least} to {MOST:,}", f"write {default}")
        return float(value)

    caps = Caps(int(number("daily_tokens", 50_000, 0)), number("daily_usd", 0.10, 0))
    return Limits(
        caps, number("idle_hours", 6, 0), int(number("new_tokens", 5000, 1)), int(number("batch_tokens", 12_000, 200)), int(number("failures", 3, 1)), int(number("pause_minutes", 30, 1)),
        number("timeout", 60, 0.1), int(number("attempts", 3, 1)), table(call, "prices"),
    )  # fmt: skip


def _settings(choice: Choice, limits: Limits) -> Settings:
    key = ""
    if choice.engine == "openai":
        key = os.environ.get("OPENAI_API_KEY", "")
    elif choice.engine == "http":
        key = os.environ.get("SILO_HTTP_TOKEN", "")
    return Settings(choice.model, choice.endpoint, key, limits.wait, limits.attempts)


# A transport's module is loaded once it is chosen: no ordinary run pays for the packages of one.


def _openai(settings: Settings) -> Transport | Failure:
    from silo.edge.llm.openai import OpenAI

    return OpenAI.make(settings)


def _http(settings: Settings) -> Transport | Failure:
    from silo.edge.llm.http import Http

    return Http.make(settings)


def _openclaw(settings: Settings) -> Transport | Failure:
    from silo.edge.llm.openclaw import OpenClaw

    return OpenClaw.make(settings)


TRANSPORTS: dict[str, Maker] = {"openclaw": _openclaw, "openai": _openai, "http": _http, AGENT: _no_order}
