"""The command with a configured engine, over the wire to a service on this machine: nothing is lost, whatever it answers."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from command import Home
from engines import asked, ledger
from fake_llm import BREAKS_OFF, HANG, HTML, REDIRECT, Service, serving, status
from transcript import Log

SAID = ("We decided that the kiln fires at 980 degrees.", "Noted.", "Remind me to order glaze by 2026-03-12.", "I will.")
KEY = "key-" + "of-the-test-" + "4711"
SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


def good(prompt: str) -> str:
    answers = []
    for one in asked(prompt):
        turns: Any = one["turns"]
        mine = [t for t in turns if t["who"] == "owner" and not t.get("old")]
        plain = {"tag": "FACT", "confidence": "confirmed", "topic": "general", "was": "", "due": "", "effective": ""}
        answers.append({"id": one["id"], "entries": [{**plain, "text": t["text"], "turns": [t["n"]]} for t in mine]})
    return json.dumps({"answers": answers})


FAULTS: dict[str, Any] = {
    "good": good, "prose": "I would rather not.", "no entries": '{"answers": []}', "echo": lambda prompt: prompt, "401": status(401),
    "429": status(429, after="3600"), "500": status(500), "hang": HANG, "page": HTML, "breaks off": BREAKS_OFF, "redirect": REDIRECT,
}  # fmt: skip


def at(home: Home, engine: str, service: Service) -> None:
    """The workspace is configured for that engine."""
    endpoint = service.openai if engine == "openai" else service.http
    limits = {"timeout": 0.5, "attempts": 1}
    engines = {"extract": {"engine": engine}, engine: {"endpoint": endpoint, "model": "scripted-1"}, "limits": limits}
    home.write(".silo/config.json", json.dumps({"engines": engines}))
    log = Log("s-1")
    for n, text in enumerate(SAID):
        (log.agent if n % 2 else log.user)(text)
    log.write(home.root / "state/agents/main/sessions/s-1.jsonl")


def texts(home: Home) -> set[str]:
    lines = [line for path in (home.root / "memory" / "events").glob("*.md") for line in path.read_text(encoding="utf-8").splitlines()]
    return {line.split(" <!--")[0].partition(": ")[2] for line in lines if line.startswith("[")}


@pytest.mark.parametrize("engine", ["openai", "http"])
@pytest.mark.parametrize("fault", FAULTS)
def test_nothing_is_lost(tmp_path: Path, engine: str, fault: str) -> None:
    if engine == "openai":
        pytest.importorskip("openai")
    (tmp_path / "memory").mkdir()
    home = Home(tmp_path, "2026-03-08")
    with serving(FAULTS[fault]) as service:
        at(home, engine, service)
        first = home.data("--source", "openclaw", "--quiet", script="extract_session.py")
        second = home.data("--source", "openclaw", "--quiet", script="extract_session.py")
    found = {words.rstrip(".") for words in texts(home)}
    assert any("kiln fires at 980 degrees" in words for words in found)
    assert any("glaze" in words for words in found)
    assert first["counts"]["turns"] == 4
    assert (second["events"], second["engine"]["calls"]) == (0, 0)
    assert first["engine"]["fallbacks"] == (0 if fault == "good" else 1)
    assert sum(int(str(row["attempts"])) for row in ledger(tmp_path)) == len(service.requests) > 0
    health = home.data("status")["jobs"]["extract"]
    assert (health["engine"], health["fallbacks"]) == (engine, 0)


def test_a_dry_run_pays_once_and_writes_no_memory(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    home = Home(tmp_path, "2026-03-08")
    with serving(good) as service:
        at(home, "http", service)
        assert "dry run" in home.run("--source", "openclaw", "--quiet", "--dry-run", script="extract_session.py")
        assert not (tmp_path / "memory" / "events").exists()
        assert len(service.requests) == 1
        home.run("--source", "openclaw", "--quiet", script="extract_session.py")
        assert len(service.requests) == 1
    assert texts(home)


def test_an_ordinary_run_loads_no_engine_and_a_token_is_nowhere(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    home = Home(tmp_path, "2026-03-08")
    code = "import runpy,sys; sys.argv=sys.argv[1:]; sys.path.insert(0, sys.argv[0].rpartition('/')[0])\ntry: runpy.run_path(sys.argv[0], run_name='__main__')\nexcept SystemExit: pass\nprint('MODULES', *sorted(sys.modules))"
    with serving(status(401)) as service:
        at(home, "http", service)
        environ = {"HOME": str(tmp_path), "OPENCLAW_STATE_DIR": str(tmp_path / "state"), "PATH": "/usr/bin:/bin", "SILO_HTTP_TOKEN": KEY, "TZ": "UTC"}
        words = [str(SCRIPTS / "extract_session.py"), "--source", "openclaw", "--quiet", "--today", "2026-03-08", "--workspace", str(tmp_path)]
        asked_for = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, env=environ, check=True)
        plain = subprocess.run([sys.executable, "-c", code, *words, "--engine", "rules"], capture_output=True, text=True, env=environ, check=True)
    assert service.heads[0]["authorization"] == f"Bearer {KEY}"
    for said in (asked_for.stdout, asked_for.stderr, *(p.read_bytes().decode("latin-1") for p in tmp_path.rglob("*") if p.is_file())):
        assert KEY not in said
    assert "answered 401" in asked_for.stdout
    loaded = set(plain.stdout.partition("MODULES ")[2].split())
    assert not {name for name in loaded if name.startswith(("silo.edge.llm", "silo.core.engines", "silo.jobs.engines"))}
    assert "openai" not in set(asked_for.stdout.partition("MODULES ")[2].split())


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"engines": {"extract": {"engine": "oracle"}}}, "oracle"),
        ({"engines": {"extract": {"engine": "http"}, "limits": {"daily_tokens": -1}}}, "daily_tokens"),
        ({"engines": {"extract": {"engine": "http"}, "limits": {"timeout": "long"}}}, "timeout"),
    ],
)
def test_a_setting_that_is_none_is_told_and_nothing_is_read(tmp_path: Path, settings: dict[str, Any], said: str) -> None:
    (tmp_path / "memory").mkdir()
    home = Home(tmp_path, "2026-03-08")
    home.write(".silo/config.json", json.dumps(settings))
    Log("s-1").write(home.root / "state/agents/main/sessions/s-1.jsonl")
    assert said in home.run("--source", "openclaw", "--quiet", script="extract_session.py", code=2)
