"""A scripted model on loopback that the real OpenClaw talks to: an OpenAI-compatible server of the standard library.

A `Rule` says what the model answers to a message. Every request is kept, so that a test can see what the host put into
the prompt. OpenClaw ends a request with hidden user messages of its own, also after tool results: a turn is what stands
after the last answer without tool calls, and such messages are passed over when the person's words are looked for.
"""

from __future__ import annotations

import hashlib
import json
import re
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

INTERNAL = "<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>"
SUMMARY = """\
## Decisions
- The garden is watered on Mondays.
## Open TODOs
- none
## Constraints/Rules
- none
## Pending user asks
- none
## Exact identifiers
- none
"""


@dataclass(frozen=True, slots=True)
class Tool:
    """A call of a tool of the host's. `args` may be made from the result of the tool before it."""

    name: str
    args: Mapping[str, Any] | Callable[[str], Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Rule:
    """What is said where `match` (a regular expression, case ignored) is found in the newest words of a person.

    `tools` are called one a step before `reply` is said.
    """

    match: str
    reply: str = "OK."
    tools: Sequence[Tool] = ()


@dataclass(frozen=True, slots=True)
class Request:
    """One request as it came in: its `system` text, all its messages' text, and the words that were answered."""

    at: float
    system: str
    text: str
    said: str


def text_of(content: Any) -> str:
    """The text of a message, whether a string or blocks."""
    if isinstance(content, str):
        return content
    return "\n".join(str(part.get("text", "")) for part in content or () if isinstance(part, dict))


@dataclass
class Model:
    """The rules, newest first, and the requests and replies so far."""

    rules: list[Rule] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)
    replies: list[str] = field(default_factory=list)
    port: int = 0

    def when(self, match: str, reply: str = "OK.", *tools: Tool) -> None:
        """A rule that goes before those that are there."""
        self.rules.insert(0, Rule(match, reply, tools))

    def since(self, at: float, said: str = "") -> list[Request]:
        """Requests from a moment on whose answered words contain these."""
        return [one for one in self.requests if one.at >= at and said in one.said]

    def decide(self, messages: Sequence[Mapping[str, Any]]) -> tuple[str, Tool | None]:
        """What is answered: words, or a tool call with its arguments."""
        turn: list[Mapping[str, Any]] = []
        for message in reversed(messages):
            if message.get("role") == "assistant" and not message.get("tool_calls"):
                break
            turn.append(message)
        users = [text_of(m.get("content")) for m in turn if m.get("role") == "user"]  # newest first
        said = next((t for t in users if not t.lstrip().startswith(INTERNAL)), users[0] if users else "")
        results = [text_of(m.get("content")) for m in turn if m.get("role") == "tool"]  # newest first
        system = "\n".join(text_of(m.get("content")) for m in messages if m.get("role") in ("system", "developer"))
        whole = "\n".join(text_of(m.get("content")) for m in messages)
        self.requests.append(Request(time.time(), system, whole, said))
        if "summarization assistant" in system or "context summarization" in whole[:4000]:
            return SUMMARY, None
        for rule in self.rules:
            if re.search(rule.match, said, re.S | re.I):
                if len(results) >= len(rule.tools):
                    return rule.reply, None
                tool = rule.tools[len(results)]
                return "", Tool(tool.name, tool.args(results[0] if results else "") if callable(tool.args) else tool.args)
        return "Understood.", None


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    model: Model

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def _json(self, value: object) -> None:
        data = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self) -> None:
        self._json({"object": "list", "data": [{"id": "scripted-1", "object": "model"}]})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
        if self.path.endswith("/embeddings"):
            self._json(_embeddings(body))
            return
        messages = body.get("messages", [])
        reply, tool = self.model.decide(messages)
        self.model.replies.append(reply)
        number = len(self.model.requests)
        calls = [] if tool is None else [
            {"id": f"call_{number}", "type": "function", "function": {"name": tool.name, "arguments": json.dumps(tool.args)}}
        ]  # fmt: skip
        size = len(json.dumps(messages)) // 4
        base = {"id": f"chatcmpl-{number}", "created": int(time.time()), "model": body.get("model")}
        usage = {"prompt_tokens": size, "completion_tokens": 20, "total_tokens": size + 20}
        finish = "tool_calls" if calls else "stop"
        if not body.get("stream"):
            said: dict[str, Any] = {"role": "assistant", "content": reply} | ({"tool_calls": calls} if calls else {})
            choice = {"index": 0, "message": said, "finish_reason": finish}
            self._json({**base, "object": "chat.completion", "choices": [choice], "usage": usage})
            return
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        deltas: list[dict[str, Any]] = [{"role": "assistant", "content": reply}]
        deltas += [{"tool_calls": [{"index": 0, **call}]} for call in calls]
        for delta in deltas:
            self._event({**base, "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
        self._event({**base, "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
        self._event({**base, "object": "chat.completion.chunk", "choices": [], "usage": usage})
        self.wfile.write(b"data: [DONE]\n\n")
        self.wfile.flush()
        self.close_connection = True

    def _event(self, value: object) -> None:
        self.wfile.write(b"data: " + json.dumps(value).encode() + b"\n\n")
        self.wfile.flush()


def _embeddings(body: Mapping[str, Any]) -> dict[str, Any]:
    given = body.get("input")
    texts = [given] if isinstance(given, str) else given or []
    rows = [
        {"object": "embedding", "index": n, "embedding": [b / 255 for b in hashlib.sha256(str(t).encode()).digest()[:16]]}
        for n, t in enumerate(texts)
    ]
    return {"object": "list", "data": rows, "model": body.get("model"), "usage": {"prompt_tokens": 1, "total_tokens": 1}}


def serve(model: Model) -> ThreadingHTTPServer:
    """Start the server in a thread of this process; `model.port` says where."""
    handler = type("Handler", (_Handler,), {"model": model})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    model.port = int(server.server_address[1])
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server
