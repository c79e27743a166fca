"""The hook in the real gateway: the pack is in a direct session's prompt and in no other, and a session's end is read at once
without anybody waiting for it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from conversation import MAIN
from model import Model, Tool
from openclaw import Host, wait

pytestmark = pytest.mark.host
OPEN = "The attic insulation quote has to be asked for."
SLOW = """\
#!/bin/sh
echo x >> {folder}/began
while [ ! -e {folder}/go ]; do sleep 0.1; done
{python} "$@"
echo $? >> {folder}/ended
"""


@pytest.fixture(scope="module")
def hooked(curated: Host) -> Iterator[Host]:
    """The shared host with the hook enabled; taken out again at the end."""
    curated.silo("store", "--text", OPEN, "--tag", "TODO")
    curated.silo("init", "--hooks")
    log = curated.home / "gateway.log"
    before = log.stat().st_size
    curated.oc("hooks", "enable", "memory-silo")
    # The gateway notices the changed settings by itself, some seconds later on a busy machine; a turn until then has no hook.
    wait(lambda: b"hot reload applied (hooks.internal" in log.read_bytes()[before:], "the gateway to load the hook")
    yield curated
    curated.silo("init", "--remove")
    curated.oc("config", "unset", "hooks.internal.entries.memory-silo")


@pytest.fixture
def held(hooked: Host, tmp_path: Path) -> Iterator[Path]:
    """A folder: what the hook runs leaves `began` there, goes on when there is `go`, and leaves `ended`."""
    settings = hooked.workspace / "hooks/memory-silo/silo.json"
    was = settings.read_text(encoding="utf-8")
    silo = json.loads(was)
    script = tmp_path / "python"
    script.write_text(SLOW.format(folder=tmp_path, python=silo["python"]), encoding="utf-8")
    script.chmod(0o755)
    yield tmp_path
    (tmp_path / "go").touch()
    settings.write_text(was, encoding="utf-8")


def slow(host: Host, folder: Path) -> None:
    """From now on the hook starts that script."""
    settings = host.workspace / "hooks/memory-silo/silo.json"
    settings.write_text(json.dumps(json.loads(settings.read_text(encoding="utf-8")) | {"python": str(folder / "python")}), encoding="utf-8")


def events(host: Host) -> str:
    return "".join(path.read_text(encoding="utf-8") for path in host.workspace.glob("memory/events/*.md"))


def test_the_pack_is_in_a_direct_sessions_prompt_and_nowhere_else(hooked: Host, model: Model) -> None:
    began = time.time()
    model.when("ask another helper", "Asked.", Tool("tool_call", {"id": "sessions_spawn", "args": {"task": "Count to ten for the owner.", "context": "isolated"}}))
    files = hooked.injected("Please ask another helper.")
    assert 0 < files["MEMORY-SILO.md"]["injectedChars"] <= 8192
    wait(lambda: model.since(began, "Count to ten"), "the sub-agent")
    hooked.scheduled_turn("Write the harvest report.", lambda: bool(model.since(began, "harvest report")))
    words = OPEN.partition(" has")[0]
    assert words in model.since(began, "ask another helper")[0].system
    for said in ("Count to ten for the owner", "harvest report"):
        of_its_own = [one for one in model.since(began, said) if "ask another helper" not in one.text]
        assert of_its_own
        assert not any(words in one.system for one in of_its_own), said


def test_a_new_session_is_not_held_up_and_the_old_one_is_read(hooked: Host, held: Path) -> None:
    hooked.say("We decided that the boat shed door gets a brass bolt.")
    slow(hooked, held)
    hooked.call("sessions.reset", key=MAIN, reason="new")
    wait(lambda: (held / "began").exists(), "the hook")
    assert not (held / "ended").exists()  # the host has answered, and nothing was read yet
    assert "brass bolt" not in events(hooked)
    (held / "go").touch()
    wait(lambda: (held / "ended").exists(), "the end of the extraction")
    assert (held / "ended").read_text(encoding="utf-8").split()[-1] == "0"
    assert events(hooked).count("brass bolt") == 1


def test_a_compaction_is_not_held_up_and_what_it_folds_is_read(hooked: Host, held: Path) -> None:
    hooked.say("We decided that the boat shed window faces the slipway.")
    slow(hooked, held)
    assert hooked.call("sessions.compact", key=MAIN)["compacted"]
    wait(lambda: (held / "began").exists(), "the hook")
    assert not (held / "ended").exists()
    (held / "go").touch()
    wait(lambda: (held / "ended").exists(), "the end of the extraction")
    assert events(hooked).count("faces the slipway") == 1
