#!/usr/bin/env python3
"""Extraction of 50 MB of generated sessions, as a ratio to json.loads of the same lines, and a second pass with nothing new.

The mix follows what was counted in 703 real sessions: tool results 64 % of the characters, talk 13 %, heartbeats 43 % of
user records, a third of user records sent twice, and one line of 687 kB.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from measure import beside_floor, folder, run, script
from words import REMARKS, REPLIES, STATEMENTS, fill

HEARTBEAT = (
    "Read HEARTBEAT.md if it exists (workspace context). Follow it strictly. Do not infer or repeat old tasks from prior "
    "chats. If nothing needs attention, reply HEARTBEAT_OK."
)
HUGE = 687_000
LOG_LINE = "2026-03-{day:02} {hour:02}:14:07 worker[{pid}]: handled request {n} in {m} ms, status 200, path /api/v2/items/{n}\n"


class Writer:
    """Records of one session file in the host's version 3 form; counts characters by kind as it goes."""

    def __init__(self, rng: random.Random, number: int, counts: dict[str, int]) -> None:
        self.rng, self.counts = rng, counts
        self.id = f"{rng.getrandbits(32):08x}-0000-4000-8000-{number:012x}"
        self.at = datetime(2026, 3, 1, 8, tzinfo=UTC) + timedelta(hours=number)
        self.parent: str | None = None

    def line(self, record: dict[str, object]) -> str:
        self.at += timedelta(seconds=self.rng.randint(5, 90))
        own = f"{self.rng.getrandbits(32):08x}"
        head = {"type": "message", "id": own, "parentId": self.parent, "timestamp": self.at.isoformat().replace("+00:00", "Z")}
        self.parent = own
        return json.dumps({**head, **record}, ensure_ascii=False, separators=(",", ":")) + "\n"

    def message(self, kind: str, message: dict[str, object], chars: int) -> str:
        self.counts[kind] += chars
        return self.line({"message": {**message, "timestamp": int(self.at.timestamp() * 1000)}})

    def user(self, text: str, kind: str = "talk") -> str:
        self.counts["user records"] += 1
        self.counts["heartbeats"] += text is HEARTBEAT
        return self.message(kind, {"role": "user", "content": text}, len(text))

    def agent(self, text: str, kind: str = "talk") -> str:
        usage = {"input": 9000, "output": len(text) // 4, "cacheRead": 0, "cacheWrite": 0, "totalTokens": 9000 + len(text) // 4}
        return self.message(
            kind,
            {
                "role": "assistant", "content": [{"type": "text", "text": text}], "api": "openai-completions",
                "provider": "bench", "model": "bench-1", "usage": usage, "stopReason": "stop",
            },
            len(text),
        )

    def tool(self, size: int) -> Iterator[str]:
        call = f"call_{self.rng.getrandbits(32):08x}"
        arguments = {"command": f"tail -n {self.rng.randint(10, 400)} /var/log/{self.rng.choice(('app', 'web', 'mail'))}.log"}
        think = "I should look at the log before I answer; the last lines tell whether the worker is well. " * self.rng.randint(1, 6)
        block = [{"type": "thinking", "thinking": think}, {"type": "toolCall", "id": call, "name": "exec", "arguments": arguments}]
        yield self.message("other", {"role": "assistant", "content": block, "provider": "bench", "stopReason": "toolUse"}, len(think) + 120)
        rng = self.rng
        one = LOG_LINE.format(day=rng.randint(1, 28), hour=rng.randint(0, 23), pid=rng.randint(1, 99999), n=rng.randint(1, 10**6), m=rng.randint(1, 900))
        text = (one * (size // len(one) + 1))[:size]
        yield self.message(
            "tool results", {"role": "toolResult", "toolCallId": call, "toolName": "exec", "content": [{"type": "text", "text": text}], "isError": False}, size
        )


def session(writer: Writer, size: int) -> Iterator[str]:
    """The lines of one session of about `size` bytes."""
    rng, written = writer.rng, 0
    first = {"type": "session", "version": 3, "id": writer.id, "timestamp": writer.at.isoformat().replace("+00:00", "Z"), "cwd": "/w"}
    yield json.dumps(first, separators=(",", ":")) + "\n"
    while written < size:
        out = []
        if rng.random() < 0.88:
            out += [writer.user(HEARTBEAT, "other"), writer.agent("HEARTBEAT_OK", "other")]
        if rng.random() < 0.75:
            said = [fill(rng.choice(STATEMENTS if rng.random() < 0.25 else REMARKS), rng) for _ in range(rng.choice((1, 1, 2, 3)))]
            out += [writer.user("\n".join(said))]
            if rng.random() < 0.6:  # the host stores a retry as one more record of the same text
                out += [writer.user("\n".join(said))]
            out += writer.tool(rng.randint(2000, 10500))
            out += [writer.agent("\n\n".join(fill(rng.choice(REPLIES), rng) for _ in range(rng.randint(6, 18))))]
        written += sum(len(line.encode()) for line in out)
        yield from out


def generate(state: Path, megabytes: int, seed: int) -> dict[str, int]:
    """Fill a state folder with sessions of about 1.2 MB each; returns the characters by kind."""
    rng = random.Random(seed)
    counts = dict.fromkeys(("talk", "tool results", "other", "user records", "heartbeats"), 0)
    sessions = state / "agents" / "main" / "sessions"
    sessions.mkdir(parents=True)
    index, total, number = {}, 0, 0
    while total < megabytes * 1_000_000:
        writer = Writer(rng, number, counts)
        path = sessions / f"{writer.id}.jsonl"
        with path.open("w", encoding="utf-8", newline="") as out:
            for line in session(writer, min(1_200_000, megabytes * 1_000_000 - total)):
                total += out.write(line)
            if number == 0:
                for line in writer.tool(HUGE):
                    total += out.write(line)
        index[f"agent:main:bench:direct:{number}"] = {"sessionId": writer.id, "chatType": "direct", "updatedAt": int(writer.at.timestamp() * 1000)}
        number += 1
    (sessions / "sessions.json").write_text(json.dumps(index), encoding="utf-8")
    return counts


def json_floor(state: Path) -> float:
    """Seconds that json.loads takes over every line of every session, files read before."""
    lines = [line for path in sorted(state.rglob("*.jsonl")) for line in path.read_bytes().split(b"\n") if line]
    start = time.perf_counter()
    for line in lines:
        json.loads(line)
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mb", type=int, default=50, help="how much to generate (default 50)")
    parser.add_argument("--runs", type=int, default=3, help="first passes, each into an empty workspace; the median counts (default 3)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="work in this empty folder and leave it")
    args = parser.parse_args()
    with folder(args.keep) as home:
        counts = generate(home / "state", args.mb, args.seed)
        files = list((home / "state").rglob("*.jsonl"))
        chars = sum(len(p.read_text(encoding="utf-8")) for p in files)
        print(f"{sum(p.stat().st_size for p in files) / 1e6:.1f} MB in {len(files)} sessions; of the characters "
              f"{counts['talk'] / chars:.0%} talk, {counts['tool results'] / chars:.0%} tool results; "
              f"{counts['heartbeats'] / counts['user records']:.0%} of {counts['user records']} user records are heartbeats")
        passes = []
        for number in range(args.runs):
            workspace = home / f"workspace-{number}"
            workspace.mkdir()
            command = script("extract_session.py", "--workspace", str(workspace), "--source", "openclaw", "--all")
            floor = json_floor(home / "state")
            taken = run(command, home)
            passes.append((taken.seconds / floor, taken.seconds, floor, taken.megabytes))
        ratio, seconds, floor, _ = statistics.median_low(passes)
        events = sum(p.read_bytes().count(b"\n[") for p in (workspace / "memory" / "events").glob("*.md"))
        print(f"first pass   {seconds:6.2f} s  {ratio:5.1f} × json.loads ({floor:.2f} s)  peak {max(p[3] for p in passes):.0f} MB  "
              f"{events} events  (median of {args.runs})")
        ours, bare, ratio = beside_floor(command, home, 7)
        print(f"nothing new  {ours:6.0f} ms {ratio:5.1f} × a bare interpreter with the same modules ({bare:.0f} ms)  (median of 7)")


if __name__ == "__main__":
    main()
