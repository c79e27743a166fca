"""A Turso server for tests: Hrana over HTTP on 127.0.0.1, SQLite behind it, and faults on demand.

It checks the bearer token, runs `execute` and conditioned `batch`es as the protocol says, and counts what it was asked.
`fail(status, times)`, `hang`, `cut`, `drop`, `step_error` and `redirect` make it misbehave.
"""

from __future__ import annotations

import base64
import json
import sqlite3
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any


class FakeTurso:
    """One server, started by `with`. `db` is its database file, `requests` the bodies that it got."""

    def __init__(self, db: Path, token: str = "") -> None:
        self.db, self.token = db, token
        self.requests: list[Any] = []
        self.headers: list[dict[str, str]] = []
        self.failures: list[int] = []  # statuses of the next answers
        self.hang = 0.0  # seconds before an answer
        self.cut = 0  # answers that end half-way
        self.drop = False  # says ok to what writes, keeps nothing
        self.step_error = 0  # batches whose second step fails
        self.redirect = ""
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def fail(self, status: int, times: int = 1) -> None:
        """The next so many requests are answered with that status."""
        self.failures += [status] * times

    def __enter__(self) -> FakeTurso:
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        if self._connection is not None:
            self._connection.close()

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """What the database holds."""
        with self._lock:
            return self._open().execute(sql, values).fetchall()

    # --- protocol ---

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            self._connection = sqlite3.connect(self.db, check_same_thread=False, isolation_level=None)
        return self._connection

    def answer(self, body: dict[str, Any]) -> dict[str, Any]:
        with self._lock:
            db = self._open()
            results = []
            for request in body["requests"]:
                try:
                    results.append({"type": "ok", "response": {"type": request["type"], "result": self._run(db, request)}})
                except sqlite3.Error as error:
                    results.append({"type": "error", "error": {"message": str(error), "code": "SQLITE_ERROR"}})
            if db.in_transaction:  # the stream is closed: what was not committed is undone
                db.execute("ROLLBACK")
        return {"baton": None, "base_url": None, "results": results}

    def _run(self, db: sqlite3.Connection, request: dict[str, Any]) -> dict[str, Any]:
        if request["type"] == "execute":
            return self._execute(db, request["stmt"])
        if request["type"] != "batch":
            raise sqlite3.OperationalError(f"unknown request {request['type']}")
        results: list[dict[str, Any] | None] = []
        errors: list[dict[str, Any] | None] = []
        spoiled = self.step_error > 0
        self.step_error -= spoiled
        for number, step in enumerate(request["batch"]["steps"]):
            results.append(None)
            errors.append(None)
            if not _holds(step.get("condition"), results, errors):
                continue
            try:
                if spoiled and number == 1:
                    raise sqlite3.OperationalError("made to fail")
                results[-1] = self._execute(db, step["stmt"])
            except sqlite3.Error as error:
                errors[-1] = {"message": str(error), "code": "SQLITE_ERROR"}
        return {"step_results": results, "step_errors": errors}

    def _execute(self, db: sqlite3.Connection, stmt: dict[str, Any]) -> dict[str, Any]:
        if self.drop and stmt["sql"].split()[0].upper() in {"INSERT", "UPDATE", "DELETE"}:
            return {"cols": [], "rows": [], "affected_row_count": 1, "last_insert_rowid": None}
        cursor = db.execute(stmt["sql"], [_value(one) for one in stmt.get("args", ())])
        rows = [[_cell(one) for one in row] for row in cursor.fetchall()]
        cols = [{"name": one[0], "decltype": None} for one in cursor.description or ()]
        return {"cols": cols, "rows": rows, "affected_row_count": max(0, cursor.rowcount), "last_insert_rowid": None}

    def _handler(fake) -> type[BaseHTTPRequestHandler]:
        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                fake.headers.append(dict(self.headers))
                if fake.hang:
                    time.sleep(fake.hang)
                if fake.redirect:
                    self.send_response(307)
                    self.send_header("Location", fake.redirect)
                    self.end_headers()
                    return
                if fake.failures:
                    self._say(fake.failures.pop(0), b'{"error":"made to fail"}')
                    return
                if fake.token and self.headers.get("Authorization") != f"Bearer {fake.token}":
                    self._say(401, b'{"error":"AUTH_JWT_INVALID"}')
                    return
                if self.path != "/v2/pipeline":
                    self._say(404, b"{}")
                    return
                asked = json.loads(body)
                fake.requests.append(asked)
                self._say(200, json.dumps(fake.answer(asked)).encode())

            def _say(self, status: int, data: bytes) -> None:
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                if status == 200 and fake.cut:
                    fake.cut -= 1
                    data = data[: len(data) // 2]
                    self.close_connection = True
                self.wfile.write(data)

            def log_message(self, *_: object) -> None:
                pass

        return Handler


def _holds(condition: dict[str, Any] | None, results: list[Any], errors: list[Any]) -> bool:
    match condition:
        case None:
            return True
        case {"type": "ok", "step": step}:
            return results[step] is not None
        case {"type": "error", "step": step}:
            return errors[step] is not None
        case {"type": "not", "cond": inner}:
            return not _holds(inner, results, errors)
        case _:
            raise ValueError(condition)


def _value(given: dict[str, Any]) -> object:
    match given["type"]:
        case "null":
            return None
        case "integer":
            return int(given["value"])
        case "float":
            return float(given["value"])
        case "blob":
            return base64.b64decode(given["base64"])
        case _:
            return given["value"]


def _cell(value: object) -> dict[str, Any]:
    match value:
        case None:
            return {"type": "null"}
        case int():
            return {"type": "integer", "value": str(value)}
        case float():
            return {"type": "float", "value": value}
        case bytes():
            return {"type": "blob", "base64": base64.b64encode(value).decode().rstrip("=")}
        case _:
            return {"type": "text", "value": value}
