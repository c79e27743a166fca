"""references/openclaw.md: its `sh` blocks are run on the real host, in their order, word for word."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from model import Tool
from openclaw import ROOT, Host

from silo.core.schedule import JOBS

pytestmark = pytest.mark.host
GUIDE = (ROOT / "references/openclaw.md").read_text(encoding="utf-8")


def commands() -> list[str]:
    """The lines of all blocks."""
    return [line for block in re.findall(r"(?ms)^```sh\n(.*?)^```", GUIDE) for line in block.splitlines()]


def test_each_step_does_what_the_guide_says(curated: Host, skill_folder: Path) -> None:
    shutil.rmtree(curated.skill)
    shutil.copytree(skill_folder, curated.home / "memory-silo")
    core = curated.workspace / "MEMORY.md"
    if not core.exists():
        core.write_text("# Memory\n\n- Always answer in the language of the question.\n\n## History\n\n- 2025-03-01: moved the boats, finished.\n", encoding="utf-8")
    curated.say("We decided that the boat shed gets a new gutter.")
    patch = "*** Begin Patch\n*** Delete File: MEMORY.md\n*** End Patch"
    curated.model.when("Delete MEMORY.md with your apply_patch tool", "Gone.", Tool("apply_patch", {"input": patch}))
    lines = commands()
    script = "set -e\n" + "".join(f"echo '<<<step {number}'\n{line}\n" for number, line in enumerate(lines))
    done = subprocess.run(["bash", "-c", script], env=curated.environ, cwd=curated.home, capture_output=True, text=True, check=False, timeout=900)
    told = dict(part.split("\n", 1) for part in done.stdout.split("<<<step ")[1:])
    assert done.returncode == 0, (lines[len(told) - 1], done.stdout[-1500:], done.stderr[-3000:])
    said = {line: told[str(number)] for number, line in enumerate(lines)}

    def output(*words: str) -> str:
        return next(text for line, text in said.items() if all(word in line for word in words))

    assert "Ready" in output("skills info")
    assert output("init --host openclaw").count("JOB openclaw cron add") == len(JOBS)
    assert "gutter" in output("extract_session.py --dry-run")
    assert "gutter" in output("retrieve")
    assert "boat shed" in output("memory search")
    for job in JOBS:
        assert job.key.replace("memory-silo:", "memory ") in output("cron list")
    assert "D014" not in curated.silo("doctor", code=None)
    assert "MEMORY.md" in curated.injected()
    assert not (curated.workspace / "hooks/memory-silo").exists()
    assert not any(str(one.get("declarationKey", "")).startswith("memory-silo:") for one in curated.call("cron.list", includeDisabled=True)["jobs"])


def test_the_guide_has_commands_and_is_short() -> None:
    assert len(commands()) > 25
    assert len(GUIDE.splitlines()) <= 300
