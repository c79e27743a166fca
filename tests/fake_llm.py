"""A service with a model on this machine: chat completions as OpenAI has them, and `{"prompt"}` → `{"text"}`; scripted.

A script is a list of what to do with each request in turn; its last entry is done again and again. An entry is an answer
(text, or a function of the prompt's text), or one of the faults below. Every request is kept.
"""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Fault:
    """A status other than 200, or an answer that is none. `after` is a Retry-After header; `hang` seconds of silence."""

    status: int = 200
    body: str = ""
    after: str = ""
    hang: float = 0.0
    location: str = ""


def status(code: int, *, after: str = "", word: str = "") -> Fault:
    """An error as OpenAI tells it."""
    return Fault(code, json.dumps({"error": {"message": f"status {code}", "type": "an_error", "code": word or f"code_{code}"}}), after)


PLAIN = Fault()
HANG = Fault(hang=3.0)
HTML = Fault(200, "<html>Welcome</html>")
BREAKS_OFF = Fault(200, '{"choices": [{"message": {"content": "')
NO_CHOICE = Fault(200, '{"object": "chat.completion", "choices": []}')
REDIRECT = Fault(302, location="/elsewhere")


@dataclass
class Service:
    """A running one. `requests` are the JSON bodies received, `heads` their headers, `paths` where they went."""

    script: Sequence[Any]
    url: str = ""
    knows_schemas: bool = True
    tells_usage: bool = True
    requests: list[dict[str, Any]] = field(default_factory=list)
    heads: list[dict[str, str]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def openai(self) -> str:
        return f"{self.url}/v1"

    @property
    def http(self) -> str:
        return f"{self.url}/complete"

    def prompts(self) -> list[str]:
        return [_prompt(body) for body in self.requests]

    def take(self, path: str, head: dict[str, str], body: dict[str, Any]) -> Any:
        with self.lock:
            self.requests.append(body)
            self.heads.append(head)
            self.paths.append(path)
            return self.script[min(len(self.requests), len(self.script)) - 1]


def _prompt(body: dict[str, Any]) -> str:
    if "prompt" in body:
        return str(body["prompt"])
    return "\n\n".join(_words(m["content"]) for m in body.get("messages", []))


def _words(content: object) -> str:
    """The text of a message, whether a string or blocks."""
    if isinstance(content, list):
        return "\n".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return str(content)


@contextlib.contextmanager
def serving(*script: Any, **how: Any) -> Iterator[Service]:
    """A service with that script, ended with the block."""
    service = Service(script, **how)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *args: object) -> None:
            """Nothing on standard error."""

        def do_GET(self) -> None:
            self._send(200, json.dumps({"object": "list", "data": [{"id": "scripted-1", "object": "model"}]}))

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"{}")
            step = service.take(self.path, {k.lower(): v for k, v in self.headers.items()}, body)
            if not service.knows_schemas and "response_format" in body:
                step = Fault(400, json.dumps({"error": {"message": "unknown field response_format", "code": "bad_field"}}))
            if isinstance(step, Fault):
                time.sleep(step.hang)
                with contextlib.suppress(OSError):
                    self._send(step.status, step.body or _full(service, body, "{}"), step)
                return
            prompt = _prompt(body)
            text = step(prompt) if callable(step) else step
            if body.get("stream"):
                self._stream(service, body, text)
            else:
                self._send(200, _full(service, body, text))

        def _stream(self, service: Service, body: dict[str, Any], text: str) -> None:
            """The answer in events, as the host asks for it."""
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Connection", "close")
            self.end_headers()
            base = {"id": "c-1", "object": "chat.completion.chunk", "created": 1, "model": body.get("model")}
            full = json.loads(_full(service, body, text))
            steps: list[tuple[dict[str, Any], str | None]] = [({"role": "assistant", "content": text}, None), ({}, "stop")]
            events: list[dict[str, Any]] = [{**base, "choices": [{"index": 0, "delta": d, "finish_reason": f}]} for d, f in steps]
            for event in (*events, {**base, "choices": [], "usage": full.get("usage")}):
                self.wfile.write(b"data: " + json.dumps(event).encode() + b"\n\n")
            self.wfile.write(b"data: [DONE]\n\n")
            self.close_connection = True

        def _send(self, code: int, text: str, fault: Fault = PLAIN) -> None:
            data = text.encode()
            self.send_response(code)
            self.send_header("Content-Type", "text/html" if text.startswith("<") else "application/json")
            self.send_header("Content-Length", str(len(data)))
            if fault.after:
                self.send_header("Retry-After", fault.after)
            if fault.location:
                self.send_header("Location", fault.location)
            self.end_headers()
            self.wfile.write(data)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    service.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()


def _full(service: Service, body: dict[str, Any], text: str) -> str:
    """The answer in the form of the protocol that asked."""
    usage = {"prompt_tokens": len(_prompt(body)) // 4, "completion_tokens": len(text) // 4, "total_tokens": 0} if service.tells_usage else None
    if "prompt" in body:
        return json.dumps({"text": text, **({"usage": usage} if usage else {})})
    message = {"role": "assistant", "content": text}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    made = {"id": "c-1", "object": "chat.completion", "created": 1, "model": body.get("model"), "choices": [choice]}
    return json.dumps({**made, **({"usage": usage} if usage else {})})
