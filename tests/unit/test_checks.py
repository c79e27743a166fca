"""doctor: each code has a workspace that shows it, and a healthy one shows none."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from silo.core.checks import CODES, OWN, Seen, examine
from silo.core.liveness import Silent, silent
from silo.formats.events import parse_file
from silo.formats.index import render_index
from silo.formats.topics import info, insert_fact, new_topic, parse_topic
from silo.model import Fact, Problem

TODAY = date(2026, 3, 10)
REFERENCE = Path(__file__).resolve().parents[2] / "references" / "doctor.md"


def topic(text: str, slug: str = "garden") -> object:
    return parse_topic(text, f"memory/topics/{slug}.md")


GOOD = insert_fact(
    new_topic("garden", type="hobby", created="2026-01-01", summary="Beds and seeds."),
    Fact("garden", "The plot is 4 by 6 meters.", id="f_0123456789ab", since="2026-01-01"),
)


def healthy() -> Seen:
    file = parse_topic(GOOD, "memory/topics/garden.md")
    infos = (info(file),)
    log = parse_file("# Events 2026-03-01\n\n[FACT] garden: Seeds came.\n", "memory/events/2026-03-01.md")
    return Seen(
        topics=(file,), infos=infos, events=(log,), index=render_index(infos), wanted_index=render_index(infos),
        memory="# Memory\n", today=TODAY,
    )  # fmt: skip


def codes(seen: Seen) -> set[str]:
    return {problem.code for problem in examine(seen)}


def test_a_healthy_memory_has_no_findings() -> None:
    assert examine(healthy()) == ()


def with_topic(text: str) -> Seen:
    file = parse_topic(text, "memory/topics/garden.md")
    return replace(healthy(), topics=(file,))


def with_event(line: str) -> Seen:
    return replace(healthy(), events=(parse_file(f"# Events 2026-03-01\n\n{line}\n", "memory/events/2026-03-01.md"),))


CASES = {
    "D001": lambda: with_topic(GOOD.replace("type: hobby", "type: pastime")),
    "D002": lambda: with_topic(GOOD.replace("<!-- CURATED_END -->\n", "")),
    "D003": lambda: with_event("[FATC] garden: Seeds came."),
    "D004": lambda: with_topic(
        insert_fact(GOOD, Fact("garden", "Another.", id="f_0123456789ab", since="2026-01-01"))
    ),
    "D005": lambda: with_event("[FACT] garden: Caf\udce9 came."),
    "D006": lambda: replace(healthy(), index="# Topics\n\nmine now\n"),
    "D007": lambda: with_event("[FACT] orchard: Trees came."),
    "D008": lambda: replace(healthy(), review=({"id": "r_1", "created": "2026-02-01"},)),
    "D009": lambda: replace(healthy(), silent=(Silent("curate", "2026-03-01"),)),
    "D010": lambda: replace(healthy(), chain=(Problem("memory/events/2026-03-01.md:3", "edited-line", "changed"),)),
    "D011": lambda: replace(healthy(), memory="- line\n" * 151),
    "D012": lambda: with_topic(GOOD.replace("<!-- CURATED_END -->", "- yesterday something <!-- f:f_0123456789ab op:set -->\n<!-- CURATED_END -->")),
    "D013": lambda: replace(
        healthy(), paths=("memory/topics/garden.md", "memory/topics/garden.sync-conflict-20260309-101010-ABCDEFG.md")
    ),
    "D014": lambda: replace(healthy(), ledger=(Problem("MEMORY.md:1", "distrusted", "the host distrusts it"),)),
    "D017": lambda: with_topic(GOOD.replace("type: hobby", "type: hobby\ncurated_lines: 99")),
    "D015": lambda: with_topic(insert_fact(GOOD, Fact("garden", "The plot is 4 by 6 meters.", id="f_ba9876543210"))),
    "D016": lambda: replace(healthy(), tiers=(Problem("memory/active.md:80", "long-tier", "too long"),)),
}


@pytest.mark.parametrize("code", sorted(OWN))
def test_each_fault_is_found_at_its_place(code: str) -> None:
    found = [problem for problem in examine(CASES[code]()) if problem.code == code]
    assert found, f"{code} was not found"
    assert all(re.fullmatch(r"[^:]+:\d+", problem.where) for problem in found)


def test_a_long_memory_is_named_at_line_151_and_not_before() -> None:
    assert "D011" not in codes(replace(healthy(), memory="- line\n" * 150))


def test_every_code_is_explained_in_the_reference() -> None:
    listed = set(re.findall(r"^\| (D\d{3}) \|", REFERENCE.read_text(encoding="utf-8"), re.MULTILINE))
    assert listed == set(CODES)


def test_a_sync_copy_is_named_with_the_facts_that_only_it_holds() -> None:
    copy = "memory/topics/garden.sync-conflict-20260309-101010-ABCDEFG.md"
    theirs = parse_topic(insert_fact(GOOD, Fact("garden", "A pear tree.", id="f_ba9876543210")), copy)
    seen = replace(healthy(), topics=(*healthy().topics, theirs), paths=("memory/topics/garden.md", copy))
    found = [problem for problem in examine(seen) if problem.code == "D013"]
    assert len(found) == 1
    assert "memory/topics/garden.md" in found[0].message
    assert "f_ba9876543210" in found[0].message


@pytest.mark.parametrize(
    ("at", "found"),
    [
        ("2026-03-07T12:00:00+00:00", []),  # three days to the second
        ("2026-03-07T11:59:59+00:00", [("2026-03-07", False)]),
        ("2026-03-07T13:30:00+02:00", [("2026-03-07", False)]),  # another zone is no other time
        ("2026-03-07T11:30:00-02:00", []),
        ("2026-03-11T11:00:00+00:00", []),  # two clocks may be apart
        ("2026-03-11T12:00:01+00:00", [("2026-03-11", True)]),  # a record from a time to come keeps no alarm away
        ("2026-03-01T04:30:00", [("2026-03-01", False)]),
        ("", []),
        ("yesterday", []),
    ],
)
def test_which_job_is_silent(at: str, found: list[tuple[str, bool]]) -> None:
    now = datetime(2026, 3, 10, 12, tzinfo=UTC)
    assert [(one.day, one.ahead) for one in silent({"curate": at}, now)] == found
