"""Asking whether an address is there obeys the rules of every request: https or this machine, no redirect, an end."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from silo.edge.http import head_status
from silo.jobs.used import answers

asked: list[str] = []


class _Server(BaseHTTPRequestHandler):
    def do_HEAD(self) -> None:
        asked.append(self.path)
        self.send_response({"/gone": 404, "/moved": 302}.get(self.path, 200))
        if self.path == "/moved":
            self.send_header("Location", "/after")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        return


@pytest.fixture
def place() -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), _Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    asked.clear()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_what_answers_and_what_is_gone(place: str) -> None:
    assert answers(f"{place}/here")
    assert not answers(f"{place}/gone")
    assert head_status(f"{place}/here", wait=5) == 200


def test_a_redirect_is_not_followed(place: str) -> None:
    assert answers(f"{place}/moved")
    assert asked == ["/moved"]


def test_nothing_is_asked_in_the_clear_or_with_a_password(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a request was made")

    monkeypatch.setattr("urllib.request.build_opener", refuse)
    for url in ("http://far.example/x", "https://me:" + "pw@far.example/x", "ftp://far.example/x"):
        assert answers(url)
        assert head_status(url, wait=5) is None


def test_no_answer_is_no_answer() -> None:
    assert not answers("http://127.0.0.1:9/")
