"""MEMORY.md beside the host: a bloated one is restructured and the router is in the prompt; the host never comes to distrust
it by what our scripts do; and where it distrusts it for another reason, doctor says so and its way back works.

The tests of this file follow each other on the shared host.
"""

from __future__ import annotations

import re

import pytest
from model import Tool
from openclaw import Host

pytestmark = pytest.mark.host
MOST = 20000  # characters of a file that the host puts into the prompt
LARGEST_ROUTER = 6000


def bloated() -> str:
    """A flat MEMORY.md of 500 lines, larger than what the host injects."""
    months = ("January", "February", "March", "April", "May", "June")
    lines = ["# Memory", "", "## How to behave", "", "- Always answer in the language of the question.", "- Never send a message without asking first.", ""]
    lines += ["## Commands", "", "```sh", "docker compose -f /srv/marina/compose.yml up -d", "```", "", "- The marina's server listens on 10.20.0.5:8443.", ""]
    lines += ["## Marina booking (in progress)", "", "- [ ] Write the price list by 2026-12-20.", "- [ ] Ask the printer for a quote.", "- Waiting on the harbour office for the berth plan.", ""]
    lines += ["## People", "", "- Rosa Almada: berth planning at the harbour office.", "- Duarte Pinho: electrician.", ""]
    lines += ["## History", ""]
    for number in range(240):
        day = f"2025-{number % 6 + 1:02d}-{number % 27 + 1:02d}"
        lines.append(f"- {day}: pontoon {number} was inspected in {months[number % 6]}, {number % 7 + 2} planks were replaced and the cleats greased.")
    return "\n".join(lines) + "\n"


def edit(host: Host, old: str, new: str) -> None:
    """The agent edits MEMORY.md with its own tool."""
    host.model.when("edit the core file now", "Done.", Tool("edit", {"path": "MEMORY.md", "edits": [{"oldText": old, "newText": new}]}))
    host.say("Please edit the core file now.")
    assert new in (host.workspace / "MEMORY.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def migrated(curated: Host) -> Host:
    """The shared host after `migrate_memory.py` on a bloated file that a person wrote."""
    (curated.workspace / "MEMORY.md").write_text(bloated(), encoding="utf-8")
    before = curated.injected()["MEMORY.md"]
    assert before["truncated"]
    assert before["injectedChars"] < before["rawChars"]
    assert "MEMORY.md" in curated.run("migrate_memory.py", "plan")
    curated.run("migrate_memory.py", "apply", "--yes")
    return curated


def test_the_router_is_in_the_prompt_whole_and_small(migrated: Host) -> None:
    migrated.run("migrate_memory.py", "verify")
    at = migrated.model.requests[-1].at
    after = migrated.injected("What is in my memory?")["MEMORY.md"]
    assert not after["truncated"]
    assert after["injectedChars"] >= after["rawChars"]
    assert after["rawChars"] < LARGEST_ROUTER
    prompt = migrated.model.since(at + 0.001)[-1].system
    router = re.search(r"<!-- silo:router:begin -->.*<!-- silo:router:end -->", (migrated.workspace / "MEMORY.md").read_text(encoding="utf-8"), re.S)
    assert router
    assert all(line in prompt for line in router[0].splitlines() if line.strip() and not line.startswith("<!--"))
    assert "Never send a message without asking first." in prompt
    assert "planks were replaced" not in prompt
    print(f"MEMORY.md in the prompt: {after['injectedChars']} characters of {MOST}")


def test_scripts_between_edits_of_the_agent_leave_it_trusted(migrated: Host) -> None:
    edit(migrated, "# Memory\n", "# Memory\n\n- The owner's boat is called Gaivota.\n")
    migrated.say("We decided that the boat shed gets a skylight.")
    migrated.run("extract_session.py", "--scheduled")
    migrated.run("curate_nightly.py", "--scheduled")
    migrated.run("suggest_topics.py", "run", "--scheduled")
    edit(migrated, "is called Gaivota.\n", "is called Gaivota, built in 1987.\n")
    assert "MEMORY.md" in migrated.injected()
    assert "D014" not in migrated.silo("doctor", code=None)


def test_a_file_of_the_agent_is_handed_over_and_the_agent_carries_it_out(migrated: Host) -> None:
    history = "\n## Pontoon log\n\n" + "".join(f"- 2025-07-{n + 1:02d}: pontoon {n} got a new ladder, finished.\n" for n in range(28))
    edit(migrated, "built in 1987.\n", "built in 1987.\n" + history)
    before = (migrated.workspace / "MEMORY.md").read_bytes()
    migrated.run("migrate_memory.py", "apply", "--yes")
    assert (migrated.workspace / "MEMORY.md").read_bytes() == before  # no script writes it
    (told,) = re.findall(r"content of (\.silo/handover/h_[0-9a-f]+\.md)", migrated.silo("context"))
    write = Tool("write", lambda read: {"path": "MEMORY.md", "content": read})
    migrated.model.when("carry out what the memory asks", "Written.", Tool("read", {"path": told}), write)
    migrated.say("Please carry out what the memory asks for.")
    assert "handover" not in migrated.silo("context")
    migrated.run("migrate_memory.py", "apply", "--yes")
    migrated.run("migrate_memory.py", "verify")
    assert not list(migrated.workspace.glob(".silo/handover/*"))
    memory = (migrated.workspace / "MEMORY.md").read_text(encoding="utf-8")
    assert "new ladder" not in memory
    assert migrated.injected()["MEMORY.md"]["injectedChars"] < LARGEST_ROUTER
    assert "D014" not in migrated.silo("doctor", code=None)


def test_doctor_names_a_distrusted_file_and_its_way_back_works(migrated: Host) -> None:
    core = migrated.workspace / "MEMORY.md"
    core.write_text(core.read_text(encoding="utf-8") + "- By hand.\n", encoding="utf-8")
    assert "at the agent's next edit" in migrated.silo("doctor", code=1)
    edit(migrated, "- By hand.\n", "- By hand, then by the agent.\n")
    assert "MEMORY.md" not in migrated.injected()
    assert "out of every prompt" in migrated.silo("doctor", code=1)
    copy = core.read_bytes()
    gone = "*** Begin Patch\n*** Delete File: MEMORY.md\n*** End Patch"
    migrated.model.when("delete the core file", "Gone.", Tool("apply_patch", {"input": gone}))
    migrated.say("Please delete the core file with apply_patch.")
    assert not core.exists()
    core.write_bytes(copy)
    assert "MEMORY.md" in migrated.injected()
    assert "D014" not in migrated.silo("doctor", code=None)
