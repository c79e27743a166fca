"""From records to parts of a conversation: what files and the host's store have in common.

Takes records one by one, keeps the messages, and hands out screened parts: at a `/new`, at the end, and in between
where a conversation is very long, so that no more than a few megabytes of talk are held.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import silo.edge.sources.seen as seen
from silo.edge.sources.found import CONTEXT, Reading, SourceSession
from silo.formats.records import claude_code, is_claude_code, is_tool_output, openclaw, worth_parsing
from silo.formats.session import Kind, Mark, Message, RawSession
from silo.model import Put, Session, StateOp, Turn

CURSORS = "cursors"
CHUNK_TEXT = 4_000_000  # characters of talk
CHUNK_MESSAGES = 4_000
# What a tool's output must hold to instruct or plant anything: first literals in the raw bytes (two thirds of a
# transcript are tool output, and none of it is parsed otherwise), then a pattern.
_RECORD = b'{"type":"message"'
_SUSPECT = (b"emember", b"gnore ", b"isregard ", b"o memory", b"embre")
_SUSPECT_BYTES = re.compile(
    rb"emember (?:that|this)|emember:|gnore (?:all|any|previous|prior|the above|your)|isregard (?:all|any|previous|prior|the|your)"
    rb"|to memory|embre(?:-se| que| de que)"
)
_SUSPECT_TEXT = re.compile(_SUSPECT_BYTES.pattern.decode())
_AROUND = 240  # characters before and after such a literal that are looked at
_PLACES = 8


@dataclass(slots=True)
class Assembler:
    """Collects one session's records. `hidden` are ids off the active branch, set before a part is handed out."""

    reading: Reading
    where: str
    source: str
    agent: str
    session: str
    cursor_key: str
    key: str = ""
    kind: Kind = Kind.UNKNOWN
    claude: bool = False
    hidden: frozenset[str] = frozenset()
    machine: str = ""
    leaf: bool = False  # a record chose a branch
    parent_session: str = ""
    at: float | None = None  # when the conversation began, or the file was last written
    messages: list[Message] = field(default_factory=list)
    tools: list[tuple[str, str]] = field(default_factory=list)
    ids: set[str] = field(default_factory=set)
    text: int = 0
    bad: int = 0

    def take(self, line: bytes, *, fresh: bool) -> Mark | None:
        """One record as its JSON text; the mark that it makes, if it makes one."""
        # A record that begins inside another's line: that one was cut off, or holds messages itself.
        if not worth_parsing(line) and line.find(_RECORD, 1) < 0:
            if fresh and _suspect(line) and is_tool_output(line):
                self._tool(line)
            return None
        try:
            record = json.loads(str(line, "utf-8", "replace"))
        except (ValueError, RecursionError):
            self.bad += fresh
            # A host that was cut off in a line goes on behind it: what follows is whole.
            whole = line.rfind(_RECORD)
            return self.take(line[whole:], fresh=fresh) if whole > 0 else None
        if not isinstance(record, dict):
            self.bad += fresh
            return None
        made = self._read(record)
        if isinstance(made, Message):
            self.keep(made if fresh else replace(made, fresh=False))
            return None
        if made is not None:
            self._note(made)
        return made

    def _read(self, record: Mapping[str, object]) -> Message | Mark | None:
        if not self.claude and not is_claude_code(record):
            return openclaw(record)
        self.claude = True
        session = record.get("sessionId")
        if isinstance(session, str) and session and not self.messages:
            self.session = session
        return claude_code(record)

    def keep(self, message: Message) -> None:
        """Take a message, each id once. A step of the assistant's between tools that says nothing changes nothing."""
        if not message.text and not message.done and message.role == "assistant":
            return
        if message.id:
            if message.id in self.ids:
                return
            self.ids.add(message.id)
        self.messages.append(message)
        self.text += len(message.text)

    def _note(self, mark: Mark) -> None:
        if mark.what == "session" and mark.value:
            self.session = mark.value
            self.parent_session = mark.parent_session
            self.at = mark.at or self.at
        elif mark.what == "machine" and (mark.value == Kind.DREAMING or self.kind is Kind.UNKNOWN):
            self.machine = mark.value  # where the host knows the session's key, the key tells
        elif mark.what == "leaf":
            self.leaf = True

    def _tool(self, line: bytes) -> None:
        try:
            record = json.loads(str(line, "utf-8", "replace"))
        except (ValueError, RecursionError):
            return
        message = record.get("message") if isinstance(record, dict) else None
        if not isinstance(message, dict):
            return
        text = _tool_text(message.get("content"))
        ident = record.get("id") or record.get("uuid")
        places = [m.start() for m in _SUSPECT_TEXT.finditer(text)][:_PLACES]
        near = "\n".join(text[max(0, at - _AROUND) : at + _AROUND] for at in places)
        self.tools.append((ident if isinstance(ident, str) else "", near))

    @property
    def full(self) -> bool:
        """Whether enough is held to hand a part out."""
        return self.text > CHUNK_TEXT or len(self.messages) > CHUNK_MESSAGES

    def part(self, cursor: Mapping[str, object], *, keep_context: bool = True) -> SourceSession:
        """What was collected since the last part, screened. A part without fresh turns still moves the cursor on."""
        messages = [self._aged(m) for m in self.messages if m.id not in self.hidden]
        tools = tuple(self.tools)
        notes = (f"{self.bad} records that could not be parsed were passed over",) if self.bad else ()
        asked = {"since": self.reading.since, "groups": self.reading.groups}
        ops: list[StateOp] = [Put(CURSORS, self.cursor_key, {**cursor, **asked})]
        self._carry_on(keep_context)
        dropped: dict[str, int] = {}
        if self.machine:
            dropped = {self.machine: len(messages)} if messages else {}
            messages, tools = [], ()
        if not tools and not any(m.fresh and not m.skip for m in messages):
            empty = Session(self.session, self.source, self.agent, (), self.key)
            return SourceSession(empty, self.where, tuple(ops), dropped=dropped, notes=notes, ended=not keep_context)
        raw = RawSession(
            id=self.session, source=self.source, agent=self.agent, messages=tuple(messages), key=self.key,
            kind=self.kind, owners=self.reading.owners, groups=self.reading.groups, at=self.at, tool_texts=tools,
        )  # fmt: skip
        done = self.reading.screen(raw)
        ops += seen.mark(self.reading, self.session, done.consumed)
        quarantined, remembered = seen.once(self.reading, done.quarantined)
        ops += remembered
        session = replace(done.session, turns=_with_context(done.session.turns))
        return SourceSession(
            session,
            self.where,
            tuple(ops),
            quarantined,
            done.dropped,
            done.redacted,
            (*done.notes, *notes),
            ended=not keep_context,
        )

    def _aged(self, message: Message) -> Message:
        """A message that is known, or older than wanted, as context."""
        if not message.fresh or message.skip:
            return message
        old = message.at is not None and message.at < self.reading.since
        known = seen.is_seen(self.reading, self.session, message.id)
        if not known and self.parent_session:  # a fork begins with a copy of its parent
            known = seen.is_seen(self.reading, self.parent_session, message.id)
        return replace(message, fresh=False) if old or known else message

    def _carry_on(self, keep_context: bool) -> None:
        held = self.messages[-2 * CONTEXT :] if keep_context else []
        self.messages = [replace(m, fresh=False) for m in held]
        self.text = sum(len(m.text) for m in self.messages)
        self.tools, self.bad = [], 0


def _suspect(line: bytes) -> bool:
    return (
        bool([literal for literal in _SUSPECT if literal in line]) and _SUSPECT_BYTES.search(line) is not None
    )


def covers(cursor: Mapping[str, object], reading: Reading) -> bool:
    """Whether a cursor was made by a run that asked for at least as much: as far back, and groups as well."""
    since = cursor.get("since")
    far = isinstance(since, int | float) and since <= reading.since
    return far and (cursor.get("groups") is True or not reading.groups)


def _with_context(turns: tuple[Turn, ...]) -> tuple[Turn, ...]:
    first = next((n for n, turn in enumerate(turns) if turn.fresh), len(turns))
    return turns[max(0, first - CONTEXT) :]


def _tool_text(content: object) -> str:
    """The words of a tool's output, whatever block it is in."""
    if isinstance(content, str):
        return content
    parts: list[str] = []
    for block in content if isinstance(content, list) else ():
        if isinstance(block, dict):
            text = block.get("text")
            parts.append(text if isinstance(text, str) else _tool_text(block.get("content")))
    return "\n".join(part for part in parts if part)
