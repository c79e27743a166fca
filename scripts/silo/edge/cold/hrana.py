"""SQL over HTTP to a Turso or libSQL server: `POST /v2/pipeline`, standard library alone.

One request is one question, or one batch that happens wholly or not at all; nothing is held open between two. What is not
sent, because servers differ in it: `close`, named arguments, several statements in one text. The token goes into one
header and nowhere else. Source of the protocol: Hrana over HTTP, version 2 (tursodatabase/libsql, docs/HTTP_V2_SPEC.md).
"""

from __future__ import annotations

import base64
import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from http.client import HTTPException
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from silo.edge.http import is_here
from silo.errors import BadInput, ServiceDown
from silo.text.redact import redact

Value = object  # None, int, float, str or bytes
Statement = tuple[str, Sequence[Value]]
MOST_BYTES = 256 * 1024 * 1024
SECURE = {"libsql": "https", "turso": "https", "wss": "https", "ws": "http"}
RETRIED = frozenset({408, 425, 429, 500, 502, 503, 504})
CRITICAL = (5.0, 10.0, 20.0, 40.0)  # seconds between the tries of sync-critical, as published


class Unreachable(ServiceDown):
    """No answer now; the same request may be answered later."""


class Refused(ServiceDown):
    """The server answered, and the answer will be the same next time."""


class NoTable(Refused):
    """The server has no such table: nothing was ever sent there."""


def server_url(url: str) -> str:
    """The address that is asked: https, or http on this machine; `libsql://` and `turso://` are https.

    Raises:
        BadInput: neither, or with a name, password or token in it.
    """
    try:
        parts = urlsplit(url.strip())
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise BadInput("the mirror's address can't be read", "give libsql://NAME.turso.io or https://HOST") from None
    if parts.username or parts.password or "token" in parts.query.lower():
        raise BadInput("the mirror's address has a password or token in it", "put the token into TURSO_TOKEN instead")
    scheme = SECURE.get(parts.scheme.lower(), parts.scheme.lower())
    if not host or not (scheme == "https" or (scheme == "http" and is_here(host))):
        raise BadInput(
            f"the mirror's address {parts.scheme}://{host or ''} is neither https nor on this machine",
            "give libsql://NAME.turso.io or https://HOST; http:// only for 127.0.0.1",
        )
    return urlunsplit((scheme, parts.netloc, parts.path.rstrip("/"), "", ""))


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would carry texts and token to a place that nobody configured."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Hrana:
    """A server, asked one request at a time.

    `wait` is the time limit of a request in seconds, `pauses` the seconds before each further try where there was no
    answer; `sleep` and `clock` are given by tests.
    """

    def __init__(
        self,
        url: str,
        token: str,
        *,
        wait: float = 10.0,
        pauses: Sequence[float] = (),
        sleep: Callable[[float], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._url = server_url(url) + "/v2/pipeline"
        self.host = urlsplit(self._url).netloc
        self._token, self._wait, self._pauses = token, wait, tuple(pauses)
        self._sleep, self._clock = sleep or time.sleep, clock
        handlers: list[urllib.request.BaseHandler] = [_NoRedirect()]
        if is_here(urlsplit(self._url).hostname or ""):
            handlers.append(urllib.request.ProxyHandler({}))  # what is for this machine goes through no proxy
        self._opener = urllib.request.build_opener(*handlers)

    def ask(self, sql: str, values: Sequence[Value] = ()) -> list[tuple[Value, ...]]:
        """The rows of one statement.

        Raises:
            Unreachable: no answer, or no whole one, in any try.
            Refused: a wrong token, no such database, or an error of the statement.
        """
        result = self._request({"type": "execute", "stmt": _statement(sql, values)})
        return _rows(result.get("result"))

    def batch(self, statements: Sequence[Statement]) -> list[list[tuple[Value, ...]]]:
        """The rows of each statement; all of them have happened, or none.

        Raises:
            Unreachable, Refused: as `ask`; a statement that failed is a Refused, and nothing of the batch stays.
        """
        steps: list[dict[str, object]] = [{"stmt": {"sql": "BEGIN"}}]
        for sql, values in statements:
            steps.append({"stmt": _statement(sql, values), "condition": {"type": "ok", "step": len(steps) - 1}})
        steps.append({"stmt": {"sql": "COMMIT"}, "condition": {"type": "ok", "step": len(steps) - 1}})
        undone = {"type": "not", "cond": {"type": "ok", "step": len(steps) - 1}}
        steps.append({"stmt": {"sql": "ROLLBACK"}, "condition": undone})
        result = self._request({"type": "batch", "batch": {"steps": steps}}).get("result")
        given = result if isinstance(result, dict) else {}
        errors, results = given.get("step_errors"), given.get("step_results")
        if not isinstance(errors, list) or not isinstance(results, list) or len(results) < len(statements) + 2:
            raise Unreachable(f"{self.host} gave no whole answer", "run the command again")
        # The last step rolls back; it fails where nothing was begun, which tells nothing new.
        failed = next((one for one in errors[: len(statements) + 2] if one), None)
        if failed:
            raise self._failed(failed)
        if results[len(statements) + 1] is None:
            raise Unreachable(f"{self.host} did not commit", "run the command again")
        return [_rows(one) for one in results[1 : len(statements) + 1]]

    # --- one request ---

    def _request(self, request: dict[str, object]) -> dict[str, Any]:
        body = json.dumps({"requests": [request]}, ensure_ascii=False).encode("utf-8", "replace")
        for pause in self._pauses:
            try:
                return self._once(body)
            except Unreachable:
                self._sleep(pause)
        return self._once(body)

    def _once(self, body: bytes) -> dict[str, Any]:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        try:
            request = urllib.request.Request(self._url, body, headers, method="POST")
            with self._opener.open(request, timeout=self._wait) as answer:
                data = self._read(answer)
        except urllib.error.HTTPError as error:
            raise self._status(error.code) from None
        except (OSError, HTTPException, ValueError) as error:
            reason = getattr(error, "reason", None)
            told = reason if isinstance(reason, str) else type(reason or error).__name__
            raise Unreachable(f"{self.host} gave no answer ({self._clean(told)})", "is it running, and is this machine on the network?") from None
        try:
            first = json.loads(data)["results"][0]
            kind = first["type"]
        except (ValueError, LookupError, TypeError):
            raise Unreachable(f"{self.host} gave no whole answer", "run the command again") from None
        if kind != "ok":
            raise self._failed(first.get("error"))
        response = first.get("response")
        return response if isinstance(response, dict) else {}

    def _read(self, answer: Any) -> bytes:
        """The whole body, in the time limit as a whole: a server that drips holds nobody up."""
        until = self._clock() + self._wait * 6
        parts: list[bytes] = []
        size = 0
        while part := answer.read(1 << 18):
            parts.append(part)
            size += len(part)
            if size > MOST_BYTES or self._clock() > until:
                raise TimeoutError("too long")
        return b"".join(parts)

    def _status(self, code: int) -> ServiceDown:
        if code in (401, 403):
            return Refused(f"{self.host} refused the token ({code})", "`turso db tokens create NAME` makes a new one, for TURSO_TOKEN")
        if code in RETRIED:
            return Unreachable(f"{self.host} answered {code}", "try again later")
        if 300 <= code < 400:
            return Refused(f"{self.host} redirects ({code}), which is not followed", "give the address that it leads to")
        return Refused(f"{self.host} answered {code}", "is the address that of a database?")

    def _failed(self, error: object) -> ServiceDown:
        said = error.get("message") if isinstance(error, dict) else None
        text = self._clean(" ".join(str(said or "no reason given").split())[:200])
        if any(word in text.lower() for word in ("busy", "locked")):
            return Unreachable(f"{self.host}: {text}", "try again later")
        kind = NoTable if "no such table" in text.lower() else Refused
        return kind(f"{self.host}: {text}", "memory_cli.py cold --init makes the tables")

    def _clean(self, text: str) -> str:
        return redact(text.replace(self._token, "[token]") if self._token else text)[0]


def _statement(sql: str, values: Sequence[Value]) -> dict[str, object]:
    return {"sql": sql, "args": [_encoded(value) for value in values]}


def _encoded(value: Value) -> dict[str, object]:
    if value is None:
        return {"type": "null"}
    if isinstance(value, int):
        return {"type": "integer", "value": str(int(value))}
    if isinstance(value, float):
        return {"type": "float", "value": value}
    if isinstance(value, bytes):
        return {"type": "blob", "base64": base64.b64encode(value).decode()}
    return {"type": "text", "value": str(value)}


def _rows(result: object) -> list[tuple[Value, ...]]:
    rows = result.get("rows") if isinstance(result, dict) else None
    return [tuple(_decoded(cell) for cell in row) for row in rows or [] if isinstance(row, list)]


def _decoded(cell: object) -> Value:
    if not isinstance(cell, dict):
        return None
    match cell.get("type"):
        case "integer":
            return int(str(cell.get("value")))
        case "float":
            return float(str(cell.get("value")))
        case "text":
            return str(cell.get("value"))
        case "blob":
            text = str(cell.get("base64") or "")
            return base64.b64decode(text + "=" * (-len(text) % 4))
        case _:
            return None
