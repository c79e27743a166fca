"""The real OpenClaw in a state folder of a test: where it is installed, its commands, and a gateway that runs."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gateway import Gateway, Refused
from model import Model

NODE_VERSION = "24.21.0"  # .ci/run-host installs what these lines say
OPENCLAW_VERSION = "2026.9.6"
CLAWHUB_VERSION = "0.23.3"
ROOT = Path(__file__).resolve().parents[2]
TOKEN = "token-of-a-test"
ZONE = "Europe/Lisbon"


def cache() -> Path:
    """Where .ci/run-host puts the host: MEMORY_SILO_HOST, else the user's cache folder."""
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return Path(os.environ.get("MEMORY_SILO_HOST") or base / "memory-silo-host")


def installed() -> tuple[Path, Path] | None:
    """The folders with `node` and with `openclaw`; None where either is missing."""
    node = cache() / f"node-{NODE_VERSION}" / "node_modules/node/bin"
    program = cache() / f"openclaw-{OPENCLAW_VERSION}" / "node_modules/.bin"
    return (node, program) if (node / "node").exists() and (program / "openclaw").exists() else None


def clawhub() -> tuple[Path, Path] | None:
    """The folders with `node` and with the registry's client; None where either is missing."""
    node = cache() / f"node-{NODE_VERSION}" / "node_modules/node/bin"
    program = cache() / f"clawhub-{CLAWHUB_VERSION}" / "node_modules/.bin"
    return (node, program) if (node / "node").exists() and (program / "clawhub").exists() else None


@dataclass
class Host:
    """A home folder with OpenClaw's state, its commands, its gateway once it is started."""

    home: Path
    path: str
    model: Model
    port: int = 0
    process: subprocess.Popen[bytes] | None = None
    extra: dict[str, str] = field(default_factory=dict)

    @property
    def state(self) -> Path:
        return self.home / ".openclaw"

    @property
    def workspace(self) -> Path:
        return self.state / "workspace"

    @property
    def skill(self) -> Path:
        """Where the host installs the skill."""
        return self.workspace / "skills" / "memory-silo"

    @property
    def environ(self) -> dict[str, str]:
        """A whole environment: nothing of the caller's but the place of programs."""
        return {
            "HOME": str(self.home), "PATH": self.path, "OPENCLAW_STATE_DIR": str(self.state), "OPENCLAW_GATEWAY_TOKEN": TOKEN,
            "NO_COLOR": "1", "CI": "1", "LANG": "C.UTF-8", **self.extra,
        }  # fmt: skip

    def configure(self) -> None:
        """openclaw.json: the scripted model, a gateway on loopback, no heartbeat of its own."""
        self.port = _free_port()
        cost = {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0}
        one = {"id": "scripted-1", "name": "Scripted", "reasoning": False, "input": ["text"], "cost": cost, "contextWindow": 65536, "maxTokens": 4096}
        provider = {"baseUrl": f"http://127.0.0.1:{self.model.port}/v1", "apiKey": "none", "api": "openai-completions", "models": [one]}
        defaults = {
            "workspace": str(self.workspace), "userTimezone": ZONE, "model": {"primary": "mock/scripted-1"},
            "heartbeat": {"every": "0m"}, "compaction": {"qualityGuard": {"enabled": False}, "keepRecentTokens": 200},
        }  # fmt: skip
        config = {
            "agents": {"defaults": defaults},
            "models": {"mode": "merge", "providers": {"mock": provider}},
            "gateway": {"mode": "local", "port": self.port, "bind": "loopback", "auth": {"mode": "token", "token": TOKEN}},
        }
        self.state.mkdir(parents=True, exist_ok=True)
        (self.state / "openclaw.json").write_text(json.dumps(config, indent=1), encoding="utf-8")

    # --- the host's commands ---

    def oc(self, *args: str, code: int = 0, timeout: float = 300) -> str:
        """What `openclaw ARGS` prints."""
        done = subprocess.run(["openclaw", *args], env=self.environ, cwd=self.home, capture_output=True, text=True, timeout=timeout, check=False)
        assert done.returncode == code, (args, done.returncode, done.stdout[-2000:], done.stderr[-2000:])
        return done.stdout

    def data(self, *args: str, code: int = 0) -> Any:
        """What it prints with --json, lines of chatter before it left out."""
        said = self.oc(*args, "--json", code=code)
        return json.loads(said[min(at for mark in "{[" if (at := said.find(mark)) >= 0) :])

    def search(self, query: str) -> list[dict[str, Any]]:
        """What the host's own memory search finds, best first."""
        return list(self.data("memory", "search", query)["results"])

    def call(self, method: str, **params: Any) -> Any:
        """A method of the gateway."""
        connection = Gateway(self.port, TOKEN)  # one that is idle is closed by the gateway
        try:
            return connection.call(method, **params)
        finally:
            connection.close()

    def say(self, text: str, key: str = "agent:main:main") -> Any:
        """One turn of a conversation to its end, as the host's command line asks for it; what it tells of the turn."""
        found = self.call("agent", sessionKey=key, message=text, idempotencyKey=str(uuid.uuid4()))
        assert found.get("status") == "ok", found
        return found["result"]

    def injected(self, text: str = "Good morning.", key: str = "agent:main:main") -> dict[str, dict[str, Any]]:
        """The files in the prompt of a turn, as the host itself reports them: rawChars, injectedChars, truncated."""
        report = self.say(text, key)["meta"]["systemPromptReport"]
        return {one["name"]: one for one in report["injectedWorkspaceFiles"]}

    def chat(self, text: str, key: str = "agent:main:main") -> None:
        """One turn as the host's own chat window sends it, to its end."""
        ident = str(uuid.uuid4())
        self.call("chat.send", sessionKey=key, message=text, idempotencyKey=ident)
        assert self.call("agent.wait", runId=ident, timeoutMs=240000).get("status") == "ok"

    def scheduled_turn(self, message: str, done: Callable[[], bool]) -> None:
        """A job of the host's that asks its model something in a session of its own, run once. It stays: its session goes with it."""
        job = self.call(
            "cron.add", name="a test's", enabled=True, schedule={"kind": "cron", "expr": "0 8 * * *", "tz": "UTC"}, sessionTarget="isolated",
            wakeMode="now", payload={"kind": "agentTurn", "message": message}, delivery={"mode": "none"},
        )  # fmt: skip
        ident = (job.get("job") or job)["id"]
        self.call("cron.run", id=ident, mode="force")
        wait(lambda: bool(self.call("cron.runs", id=ident)["entries"]) and done(), "the scheduled run")

    # --- our scripts, as the host's jobs run them ---

    def run(self, script: str, *args: str, code: int | None = 0, **extra: str) -> str:
        """What a script of the installed skill prints, errors included."""
        command = ["python3", str(self.skill / "scripts" / script), *args, "--workspace", str(self.workspace)]
        done = subprocess.run(command, env=self.environ | extra, cwd=self.home, capture_output=True, text=True, timeout=300, check=False)
        assert code is None or done.returncode == code, (args, done.returncode, done.stdout[-3000:], done.stderr[-3000:])
        return done.stdout + done.stderr

    def silo(self, *args: str, code: int | None = 0) -> str:
        """memory_cli.py."""
        return self.run("memory_cli.py", *args, code=code)

    def silo_data(self, *args: str, script: str = "memory_cli.py") -> Any:
        """A script's standard output with --json."""
        command = ["python3", str(self.skill / "scripts" / script), *args, "--json", "--workspace", str(self.workspace)]
        done = subprocess.run(command, env=self.environ, cwd=self.home, capture_output=True, text=True, timeout=300, check=False)
        return json.loads(done.stdout)

    # --- the gateway ---

    def start(self) -> None:
        """Start the gateway and wait until it answers."""
        log = (self.home / "gateway.log").open("ab")
        self.process = subprocess.Popen(
            ["openclaw", "gateway", "run", "--port", str(self.port)], env=self.environ, cwd=self.home, stdout=log, stderr=log, start_new_session=True
        )
        log.close()
        until = time.monotonic() + 240
        while time.monotonic() < until:
            assert self.process.poll() is None, (self.home / "gateway.log").read_text(encoding="utf-8")[-3000:]
            try:
                Gateway(self.port, TOKEN).close()
                return
            except (OSError, Refused):
                time.sleep(0.25)
        raise AssertionError("the gateway did not start: " + (self.home / "gateway.log").read_text(encoding="utf-8")[-3000:])

    def stop(self) -> None:
        """End the gateway and what it started."""
        if self.process is None or self.process.poll() is not None:
            return
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


def wait(done: Callable[[], object], what: str, seconds: float = 240) -> None:
    """Until it is so; fails naming what was waited for."""
    until = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < until, f"no sign of {what} within {seconds} s"
        time.sleep(0.3)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
