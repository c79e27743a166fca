"""What the commands print and what they leave behind fits schemas/ and is read without a problem."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from silo.formats import events, index, schema, topics

ROOT = Path(__file__).resolve().parents[2]
MEMORY = "# Deploy\n\nRun `make ship`.\n\n# People\n\n- Ana Sousa leads Acme.\n\n# Open\n\n- [ ] Renew the domain\n"


def fits(name: str, value: Any) -> list[tuple[str, str]]:
    shape = json.loads((ROOT / "schemas" / f"{name}.schema.json").read_text(encoding="utf-8"))
    return list(schema.check(value, shape))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


def run(home: Path, script: str, *args: str) -> str:
    done = subprocess.run(
        [
            sys.executable,
            str(ROOT / "scripts" / script),
            *args,
            "--workspace",
            str(home),
            "--today",
            "2026-03-04",
            "--timezone",
            "UTC",
        ],
        capture_output=True,
        text=True,
        check=False,
        env={"HOME": str(home), "PATH": "/usr/bin:/bin"},
        cwd=home,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_output_fits_its_schema(home: Path) -> None:
    run(home, "memory_cli.py", "init")
    run(home, "memory_cli.py", "topic", "new", "acme-crm", "--summary", "CRM: of eight people")
    run(
        home,
        "memory_cli.py",
        "store",
        "--text",
        "The CRM runs on SQLite <!-- so",
        "--category",
        "projects/acme-crm",
    )
    (home / "MEMORY.md").write_text(MEMORY, encoding="utf-8")
    found = json.loads(run(home, "memory_cli.py", "retrieve", "--query", "CRM", "--json"))
    assert found["results"]
    assert fits("retrieve", found) == []
    (home / "q.jsonl").write_text('{"id":"q1","query":"SQLite"}\n', encoding="utf-8")
    for line in run(home, "memory_cli.py", "retrieve", "--batch", str(home / "q.jsonl")).splitlines():
        assert fits("retrieve", json.loads(line)) == []
    assert fits("migrate-plan", json.loads(run(home, "migrate_memory.py", "plan", "--json"))) == []
    for manifest in (home / ".silo" / "runs").glob("*/manifest.json"):
        assert fits("run-manifest", json.loads(manifest.read_text(encoding="utf-8"))) == []
    config = home / ".silo" / "config.json"
    assert fits("config", json.loads(config.read_text(encoding="utf-8")) if config.exists() else {}) == []


def test_what_was_written_is_read_without_a_problem(home: Path) -> None:
    day = events.parse_file(
        (home / "memory/events/2026-03-04.md").read_text(encoding="utf-8"), "memory/events/2026-03-04.md"
    )
    assert [(e.text, e.slug) for e in day.events] == [("The CRM runs on SQLite <!-- so", "acme-crm")]
    assert day.problems == ()
    topic = topics.parse_topic(
        (home / "memory/topics/acme-crm.md").read_text(encoding="utf-8"), "memory/topics/acme-crm.md"
    )
    assert topic.problems == ()
    assert topics.info(topic).summary == "CRM: of eight people"
    (line,) = index.parse_index((home / "memory/index.md").read_text(encoding="utf-8"))
    assert line.slug == "acme-crm"


def test_what_a_session_is_shown_fits_its_schemas(tmp_path: Path) -> None:
    home = tmp_path
    run(home, "memory_cli.py", "topic", "new", "acme-crm", "--summary", "CRM: of eight people")
    run(home, "memory_cli.py", "store", "--text", "The CRM runs on SQLite.", "--category", "projects/acme-crm")
    run(home, "memory_cli.py", "store", "--text", "Call the CRM's vendor. Due 2026-03-09.", "--tag", "TODO")
    run(home, "curate_nightly.py")
    for verb in (["context"], ["context", "--full"], ["todos"], ["load", "acme-crm"], ["load", "acme-crm", "--as-of", "2026-03-04"], ["pack", "CRM"], ["tree"]):
        assert fits(verb[0], json.loads(run(home, "memory_cli.py", *verb, "--json"))) == [], verb
