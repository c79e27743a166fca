"""The registry's own client takes the skill: a rehearsed publication against a registry on loopback, and what it would send."""

from __future__ import annotations

import json
import os
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from openclaw import ROOT, clawhub

from test_docs import bundle

pytestmark = pytest.mark.host
MOST_FILE, MOST_ALL = 10 * 1024 * 1024, 50 * 1024 * 1024  # bytes; what the client itself takes
CHANGING = ("POST", "PUT", "PATCH", "DELETE")


class Registry(BaseHTTPRequestHandler):
    """Knows no skill and takes none; remembers what it was asked."""

    asked: list[str]

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""

    def do_GET(self) -> None:
        self.asked.append(f"GET {self.path}")
        body = json.dumps({"match": None, "latestVersion": None} if self.path.startswith("/api/v1/resolve") else {}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        self.asked.append(f"{self.command} {self.path}")
        self.send_error(405)

    do_PUT = do_PATCH = do_DELETE = do_POST


@pytest.fixture
def registry() -> Iterator[tuple[str, list[str]]]:
    """Its address and what it was asked."""
    asked: list[str] = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Asked", (Registry,), {"asked": asked}))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", asked
    server.shutdown()


@pytest.fixture
def client(tmp_path: Path) -> tuple[list[str], dict[str, str]]:
    """The command of the registry's client and a whole environment of its own."""
    found = clawhub()
    if found is None:
        pytest.skip(os.environ.get("MEMORY_SILO_CLAWHUB_TROUBLE") or "clawhub is not installed here (.ci/run-host does, from the npm registry)")
    node, folder = found
    return [str(folder / "clawhub")], {"HOME": str(tmp_path), "PATH": f"{node}:/usr/bin:/bin", "NO_COLOR": "1", "CI": "1", "LANG": "C.UTF-8"}


def test_the_checkout_would_be_published(client: tuple[list[str], dict[str, str]], registry: tuple[str, list[str]]) -> None:
    command, environ = client
    address, asked = registry
    line = [*command, "--registry", address, "skill", "publish", str(ROOT), "--slug", "memory-silo", "--version", "0.1.0", "--dry-run", "--json"]
    done = subprocess.run(line, env=environ, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, (done.stdout, done.stderr)
    said = json.loads(done.stdout)
    assert (said["ok"], said["status"], said["slug"]) == (True, "would-publish", "memory-silo")
    assert said["fileCount"] == len(bundle())  # what our own test of the bundle looks at is what would be sent
    assert asked
    assert not [one for one in asked if one.startswith(CHANGING)]


def test_the_client_lists_what_our_tests_look_at(client: tuple[list[str], dict[str, str]]) -> None:
    command, environ = client
    package = Path(command[0]).parent.parent / "clawhub"
    script = (
        f"const {{listSkillFiles}} = await import({json.dumps((package / 'dist/skills.js').as_uri())});"
        f"const found = await listSkillFiles({json.dumps(str(ROOT))});"
        "console.log(JSON.stringify((found.files ?? found).map((one) => [one.relPath, one.bytes.length])));"
    )
    done = subprocess.run(["node", "--input-type=module", "-e", script], env=environ, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    sizes = dict(json.loads(done.stdout))
    assert sorted(sizes) == sorted(path.relative_to(ROOT).as_posix() for path in bundle())
    assert max(sizes.values()) < MOST_FILE
    assert sum(sizes.values()) < MOST_ALL
