#!/usr/bin/env python3
"""A month of talk, 20,000 tokens a day, swept every 30 minutes: calls to a model, tokens, cost, beside the estimate.

The model is a scripted one in this process, the clock is the simulated month's. `--table` prints the estimate by model, as
it stands in references/engines.md.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from measure import SCRIPTS, folder
from words import REMARKS, REPLIES, STATEMENTS, fill

sys.path.insert(0, str(SCRIPTS))

from arithmetic import Estimate, Habits, month

from silo import config
from silo.core.engines.spending import price_of
from silo.edge.llm.templates import load_head
from silo.edge.llm.transport import Settings, Transport
from silo.edge.workspace import Workspace
from silo.formats.llm import Failure, Prompt, Reply
from silo.jobs import engines
from silo.jobs.costs import costs
from silo.jobs.extract import ExtractOptions, extract
from silo.jobs.run import Call
from silo.text.budget import likely_tokens

START = datetime(2026, 3, 1, tzinfo=UTC)
MODELS = ("gpt-4o", "gpt-4o-mini", "gpt-5-mini", "gpt-5-nano", "claude-haiku-4-5", "claude-3-haiku", "gemini-2.5-flash", "gemini-2.5-flash-lite")
REPLY = 180  # tokens of an ordinary answer of the assistant


@dataclass
class Model:
    """Lists each statement of the owner's, and says how many tokens it read and wrote."""

    engine: str = "openai"
    model: str = "gpt-4o-mini"
    most_bytes: int | None = None
    local: bool = False
    statements: frozenset[str] = frozenset()
    asked: list[Prompt] = field(default_factory=list)

    def make(self, settings: Settings) -> Transport | Failure:
        return self

    def complete(self, prompt: Prompt) -> Reply:
        self.asked.append(prompt)
        inside = prompt.body.partition("<silo-data>\n")[2].partition("\n</silo-data>")[0]
        answers = []
        for line in inside.splitlines():
            piece = json.loads(line)
            new = [turn for turn in piece["turns"] if not turn.get("old") and turn["text"] in self.statements]
            answers.append({"id": piece["id"], "entries": [_entry(turn) for turn in new]})
        text = json.dumps({"answers": answers}, ensure_ascii=False)
        return Reply(text, likely_tokens(prompt.text), likely_tokens(text))


def _entry(turn: Mapping[str, object]) -> dict[str, object]:
    plain = {"tag": "FACT", "confidence": "confirmed", "topic": "general", "was": "", "due": "", "effective": ""}
    return {**plain, "text": turn["text"], "turns": [turn["n"]]}


@dataclass(frozen=True)
class Exchange:
    """What the owner said at a moment, and the answer."""

    at: datetime
    said: str
    answer: str
    is_statement: bool


def day_of_talk(day: int, rng: random.Random, habits: Habits) -> list[Exchange]:
    """About `habits.talk` tokens between 08:00 and 22:00, in three sittings with pauses between them."""
    pairs = habits.turns // 2
    start = START + timedelta(days=day, hours=8)
    step = habits.hours * 60 / pairs
    stated = set(rng.sample(range(pairs), habits.statements))
    found = []
    for n in range(pairs):
        said = fill(rng.choice(STATEMENTS if n in stated else REMARKS), rng)
        said += f" No. {day}-{n}." if n in stated else ""
        answer = fill(rng.choice(REPLIES), rng)
        while likely_tokens(said) + likely_tokens(answer) < habits.talk / pairs:
            answer += " " + fill(rng.choice(REPLIES), rng)
        found.append(Exchange(start + timedelta(minutes=step * n), said, answer, n in stated))
    return found


class Host:
    """The host's transcript: one session that goes on, with a reset at 04:00."""

    def __init__(self, path: Path) -> None:
        self.path, self.n = path, 0
        path.parent.mkdir(parents=True, exist_ok=True)
        self._write({"type": "session", "version": 3, "id": path.stem, "timestamp": START.isoformat()})

    def say(self, one: Exchange) -> None:
        for role, text in (("user", one.said), ("assistant", one.answer)):
            content = [{"type": "text", "text": text}]
            message = {"role": role, "content": content, "timestamp": int(one.at.timestamp() * 1000), "stopReason": "stop"}
            self._record({"type": "message", "message": message})

    def reset(self) -> None:
        self._record({"type": "reset", "reason": "daily"})

    def _record(self, record: dict[str, object]) -> None:
        self.n += 1
        self._write({**record, "id": f"{self.n:08x}", "parentId": f"{self.n - 1:08x}", "timestamp": START.isoformat()})

    def _write(self, record: dict[str, object]) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(record, ensure_ascii=False) + "\n")


@dataclass
class Month:
    """What came of it."""

    days: Counter[str]  # calls by day
    told: Mapping[str, object]  # as `memory_cli.py metrics` has it
    events: int
    statements: int
    again: int  # calls of a second pass
    tokens_in: int
    tokens_out: int


def simulate(home: Path, *, days: int = 30, habits: Habits | None = None, seed: int = 1, sweeps: int = 48, chats: int = 1) -> Month:
    """Live through it: talk in one chat after another, a sweep every 30 minutes, at the end a second pass over all of it."""
    rng = random.Random(seed)
    habits = habits or Habits()
    talk = [day_of_talk(day, rng, habits) for day in range(days)]
    stated = frozenset(one.said for day in talk for one in day if one.is_statement)
    model = Model(statements=stated)
    before = engines.TRANSPORTS["openai"]
    engines.TRANSPORTS["openai"] = model.make
    (home / "workspace" / "memory").mkdir(parents=True)
    hosts = [Host(home / "state" / "agents" / "main" / "sessions" / f"month-{n}.jsonl") for n in range(chats)]
    try:
        for number in range(days * sweeps + 12):
            now = START + timedelta(minutes=number * 24 * 60 / sweeps)
            since = now - timedelta(minutes=24 * 60 / sweeps)
            if (now.hour, now.minute) == (4, 0):
                for host in hosts:
                    host.reset()
            for one in talk[since.date().day - 1] if since.month == START.month and since.day <= days else ():
                if since <= one.at < now:
                    hosts[int((one.at.hour - 8) / habits.hours * chats)].say(one)
            last = sweep(home, now)
        calls = len(model.asked)
        (home / "workspace" / ".silo" / "state.db").rename(home / "first-state.db")
        sweep(home, now + timedelta(days=1))
        again = len(model.asked) - calls
        (home / "first-state.db").replace(home / "workspace" / ".silo" / "state.db")
    finally:
        engines.TRANSPORTS["openai"] = before
    rows = list(ledger(home))
    return Month(
        Counter(str(row["at"])[:10] for row in rows), costs(last, Workspace.open(home / "workspace")), events(home), len(stated), again,
        sum(int(str(row["tokens_in"])) for row in rows), sum(int(str(row["tokens_out"])) for row in rows),
    )  # fmt: skip


def sweep(home: Path, now: datetime) -> Call:
    """One run of extraction at that moment."""
    values = config.merge(config.DEFAULTS, {"engines": {"extract": {"engine": "openai", "model": "gpt-4o-mini"}}})
    settings = config.Config(home / "workspace", home / "state", "default", UTC, "UTC", values)
    call = Call(settings, now, "extract", scheduled=True)
    extract(call, ExtractOptions(source="openclaw", quiet=True))
    return call


def ledger(home: Path) -> Iterator[Mapping[str, object]]:
    for row in Workspace.open(home / "workspace").state.items("calls").values():
        assert isinstance(row, dict)
        yield row


def events(home: Path) -> int:
    lines = (line for path in (home / "workspace" / "memory" / "events").glob("*.md") for line in path.read_text(encoding="utf-8").splitlines())
    return sum(line.startswith("[") for line in lines)


def estimate() -> Estimate:
    """What the documentation says of a typical month."""
    return month(Habits(head=likely_tokens(load_head("extract"))))


def table() -> list[str]:
    """The estimate by model, dollars a month at the prices of the default configuration."""
    made = estimate()
    prices = config.DEFAULTS["engines"]["prices"]  # type: ignore[index]
    rows = ["| engine | model | calls a month | tokens in | tokens out | dollars a month |", "|---|---|---|---|---|---|"]
    rows.append("| rules | – | 0 | 0 | 0 | 0 |")
    size = f"{made.calls} | {made.tokens_in:,} | {made.tokens_out:,}"
    rows += [f"| openai, openclaw, http | {name} | {size} | {made.cost(price_of(name, prices)):.2f} |" for name in MODELS]
    rows.append(f"| openai, http | any model on this machine | {size} | 0 |")
    rows.append("| agent | the assistant itself | 0 | 0 | 0 | part of the chat |")
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--days", type=int, default=30)
    parser.add_argument("--chats", type=int, default=1, help="chats that the day's talk is spread over, one after another")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="work in this empty folder and leave it")
    parser.add_argument("--table", action="store_true", help="print the estimate by model and stop")
    args = parser.parse_args()
    if args.table:
        print("\n".join(table()))
        return
    with folder(args.keep) as home:
        start = time.perf_counter()
        found = simulate(home, days=args.days, seed=args.seed, chats=args.chats)
        print(f"{args.days} days in {time.perf_counter() - start:.0f} s")
    made = estimate()
    print(f"calls a day     {min(found.days.values())} to {max(found.days.values())}, {sum(found.days.values())} in all (estimate {made.calls * args.days // 30})")
    print(f"tokens in       {found.tokens_in:,} (estimate {made.tokens_in * args.days // 30:,})")
    print(f"tokens out      {found.tokens_out:,} (estimate {made.tokens_out * args.days // 30:,})")
    print(f"cost            ${found.told['usd']:.4f} (estimate ${made.cost(price_of('gpt-4o-mini', config.DEFAULTS['engines']['prices'])) * args.days / 30:.4f})")  # type: ignore[index]
    print(f"events          {found.events} of {found.statements} statements")
    print(f"a second pass   {found.again} calls")


if __name__ == "__main__":
    main()
