"""Extraction by the host's own model: `openclaw infer model run` as it really is, a scripted provider behind it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from openclaw import ROOT, Host

from engines import asked
from fake_llm import Service, serving, status
from transcript import Log

pytestmark = pytest.mark.host
SAID = "We decided that the boat shed is painted green."


def good(prompt: str) -> str:
    """One entry for each piece: what the owner said in its first new turn."""
    found = []
    for one in asked(prompt[prompt.index("<silo-data>\n{") :] if "<silo-data>\n{" in prompt else prompt):
        turns: Any = one["turns"]
        plain = {"tag": "DECISION", "confidence": "confirmed", "topic": "general", "was": "", "due": "", "effective": ""}
        found.append({"id": one["id"], "entries": [{**plain, "text": turns[0]["text"], "turns": [1]}]})
    return json.dumps({"answers": found})


def behind(host: Host, service: Service) -> None:
    """The host's provider is that service."""
    path = host.state / "openclaw.json"
    config = json.loads(path.read_text(encoding="utf-8"))
    config["models"]["providers"]["mock"]["baseUrl"] = service.openai
    path.write_text(json.dumps(config), encoding="utf-8")


def extract(host: Host, *more: str) -> dict[str, Any]:
    """One run of our script over a conversation of its own."""
    (host.workspace / ".silo").mkdir(parents=True, exist_ok=True)
    patient = {"engines": {"limits": {"timeout": 240}}}  # the host's program takes its time to start
    (host.workspace / ".silo" / "config.json").write_text(json.dumps(patient), encoding="utf-8")
    log = Log("s-engine")
    log.user(SAID)
    log.agent("Noted.")
    file = log.write(host.home / "talk" / "s-engine.jsonl")
    words = ["--source", "jsonl", "--path", str(file), "--engine", "openclaw", "--today", "2026-03-08", "--json", "--workspace", str(host.workspace)]
    command = [sys.executable, str(ROOT / "scripts" / "extract_session.py"), *words, *more]
    done = subprocess.run(command, env=host.environ, cwd=host.home, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(done.stdout)
    assert isinstance(found, dict)
    return found


def events(host: Host) -> list[str]:
    paths = sorted((host.workspace / "memory" / "events").glob("*.md"))
    lines = [line for path in paths for line in path.read_text(encoding="utf-8").splitlines()]
    return [line.split(" <!--")[0] for line in lines if line.startswith("[")]


@pytest.mark.parametrize(
    ("script", "answered", "calls"),
    [([good], 1, 1), (["I would rather not.", good], 1, 2), (["I would rather not."], 0, 2), ([status(401)], 0, 1)],
    ids=["good", "repaired", "prose", "no key"],
)
def test_the_hosts_own_model(host_factory: Callable[[str], Host], tmp_path: Path, script: list[Any], answered: int, calls: int) -> None:
    host = host_factory("engine")
    with serving(*script) as service:
        behind(host, service)
        found = extract(host, "--model", "mock/scripted-1")
        told = found["engine"]
        assert (told["engine"], told["calls"], told["fallbacks"]) == ("openclaw", calls, 1 - answered), told["notes"]
        assert events(host) == [f"[DECISION] general: {SAID}"]  # by the model, or by the rules in its place
        assert service.prompts()
        assert any(SAID in prompt for prompt in service.prompts())
        assert extract(host)["engine"]["calls"] == 0
