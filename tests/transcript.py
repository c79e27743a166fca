"""Invented transcripts in the host's own record forms, and a desk that reads them as a run does."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, tzinfo
from functools import partial
from pathlib import Path

from silo.core.screen import screen
from silo.edge.sources import Discovery, SourceSession, discover
from silo.model import Drop, Origin, Put, StateOp, Turn

NOON = 1_772_798_400_000  # 2026-03-06 12:00 UTC, in ms


@dataclass(slots=True)
class Log:
    """Writes records; ids count up, each a minute after the one before."""

    session: str = "s-1"
    version: int = 3
    n: int = 0
    at: int = NOON
    lines: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.raw({"type": "session", "version": self.version, "id": self.session, "timestamp": "2026-03-06T12:00:00.000Z", "cwd": "/w"})

    def raw(self, record: Mapping[str, object]) -> Log:
        """A record as it is."""
        self.lines.append(json.dumps(record, ensure_ascii=False))
        return self

    def add(self, message: Mapping[str, object], *, ident: str = "", parent: str | None = None, **more: object) -> str:
        """A message record; its id."""
        before = f"{self.n:08x}"
        self.n += 1
        self.at += 60_000
        ident = ident or f"{self.n:08x}"
        self.raw(
            {
                "type": "message",
                "id": ident,
                "parentId": before if parent is None else parent,
                "timestamp": "2026-03-06T12:00:00.000Z",
                "message": {**message, "timestamp": self.at},
                **more,
            }
        )
        return ident

    def user(self, text: str, *, ident: str = "", parent: str | None = None, **more: object) -> str:
        return self.add({"role": "user", "content": [{"type": "text", "text": text}], **more}, ident=ident, parent=parent)

    def agent(self, text: str, **more: object) -> str:
        return self.add({"role": "assistant", "content": [{"type": "text", "text": text}], "stopReason": "stop", **more})

    def call(self, text: str = "", name: str = "exec") -> str:
        content = [{"type": "text", "text": text}] if text else []
        return self.add(
            {"role": "assistant", "content": [*content, {"type": "toolCall", "id": "c", "name": name, "arguments": {}}], "stopReason": "toolUse"}
        )

    def tool(self, text: str) -> str:
        return self.add({"role": "toolResult", "toolCallId": "c", "toolName": "exec", "content": [{"type": "text", "text": text}], "isError": False})

    def reset(self, reason: str = "new") -> None:
        self.n += 1
        self.raw({"type": "reset", "id": f"{self.n:08x}", "parentId": f"{self.n - 1:08x}", "timestamp": "2026-03-06T12:00:00.000Z", "reason": reason})

    @property
    def text(self) -> str:
        return "".join(line + "\n" for line in self.lines)

    def write(self, path: Path) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(self.text, encoding="utf-8")
        return path


@dataclass(slots=True)
class Desk:
    """A state.db in memory, and runs that commit to it."""

    zone: tzinfo = UTC
    state: dict[tuple[str, str], object] = field(default_factory=dict)
    seen: Discovery | None = None

    def get(self, table: str, key: str) -> object:
        return self.state.get((table, key))

    def commit(self, ops: tuple[StateOp, ...]) -> None:
        for op in ops:
            match op:
                case Put(table, key, value):
                    self.state[table, key] = json.loads(json.dumps(value))
                case Drop(table, key):
                    self.state.pop((table, key), None)

    def parts(self, source: str = "auto", *, stop_after: int | None = None, **how: object) -> list[SourceSession]:
        """One run; with `stop_after` it is killed once that many parts were committed."""
        make: Callable[..., Discovery] = discover
        self.seen = make(source, **how)
        done: list[SourceSession] = []
        for part in self.seen.sessions(partial(screen, zone=self.zone), self.get):
            if stop_after is not None and len(done) >= stop_after:
                break
            self.commit(part.cursor_ops)
            done.append(part)
        return done

    def fresh(self, source: str = "auto", **how: object) -> list[Turn]:
        return [turn for part in self.parts(source, **how) for turn in part.session.turns if turn.fresh]

    def said(self, source: str = "auto", **how: object) -> list[str]:
        """What the owner newly said."""
        return [turn.text for turn in self.fresh(source, **how) if turn.origin is Origin.OWNER]
