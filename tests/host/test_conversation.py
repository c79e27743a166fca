"""What was said to the real host is in the memory, each once; what was planted between it is nowhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from conversation import LATER, NOTE, PLANTED, PRIVATE, SAID, SECRET
from openclaw import Host

pytestmark = pytest.mark.host


def texts(host: Host, *patterns: str) -> str:
    """The words of all files that fit."""
    return "\n".join(p.read_text(encoding="utf-8") for pattern in patterns for p in sorted(host.workspace.glob(pattern)))


def kept(host: Host) -> list[Path]:
    """Every file that we keep."""
    found = (*host.workspace.glob("memory/**/*"), *host.workspace.glob(".silo/**/*"))
    return [path for path in found if path.is_file()]


def test_the_host_takes_the_skill_and_shows_what_it_declares(ready: Host) -> None:
    assert "memory-silo" in ready.data("skills", "check")["eligible"]
    info = ready.data("skills", "info", "memory-silo")
    assert info["eligible"]
    assert info["modelVisible"]
    assert info["requirements"]["bins"] == ["python3"]
    assert info["requirements"]["env"] == []
    assert not any(info["missing"].values())
    assert len(info["description"]) < 160  # the prompt cuts a longer one


def test_what_was_said_is_an_event_once(curated: Host) -> None:
    lines = [line for line in texts(curated, "memory/events/*.md").splitlines() if line.startswith("[")]
    for text, words in (SAID | LATER).items():
        assert len([line for line in lines if words in line]) == 1, (text, words, lines)


def test_what_was_planted_is_nowhere(curated: Host) -> None:
    """But in the quarantine, which shows the owner an order that a tool's result gave, and in what takes that entry back."""
    quarantine = {curated.workspace / ".silo/review.jsonl", *curated.workspace.glob(".silo/runs/*/*")}
    assert "Zorblatt" in NOTE
    passed = "\n".join([*(one.text for one in curated.model.requests), *curated.model.replies])
    for word in PLANTED:
        assert word in passed  # the attack was made
        for path in set(kept(curated)) - quarantine:
            assert word.encode() not in path.read_bytes(), (word, path)
    waiting = curated.silo_data("review", "list")["items"]
    assert {one["kind"] for one in waiting if any(word in str(one) for word in PLANTED)} <= {"quarantine"}


def test_private_words_stay_private_and_secrets_go_nowhere(curated: Host) -> None:
    assert "penicillin" in PRIVATE
    assert "penicillin allergy" not in texts(curated, "memory/**/*.md", "MEMORY.md")
    assert "penicillin allergy" in texts(curated, ".silo/private/**/*.md")
    key = SECRET.split()[-1].rstrip(".")
    for path in kept(curated):
        assert key.encode() not in path.read_bytes(), path
        assert f"…{key[-4:]}".encode() not in path.read_bytes(), path  # as the host masks it


def test_facts_are_in_their_topics_once(curated: Host) -> None:
    facts = {slug: curated.silo_data("load", slug) for slug in ("boat-shed", "horta")}
    for slug, words in (("boat-shed", "240 euros"), ("boat-shed", "tarred"), ("horta", "segundas"), ("horta", "Braga")):
        assert str(facts[slug]["facts"]).count(words) == 1, (words, facts[slug])


def test_a_second_sweep_and_a_second_night_find_nothing_new(curated: Host) -> None:
    before = texts(curated, "memory/**/*.md")
    curated.run("extract_session.py", "--scheduled")
    curated.run("curate_nightly.py", "--scheduled")
    assert texts(curated, "memory/**/*.md") == before


def test_a_fact_leads_back_to_the_message_in_the_hosts_store(curated: Host) -> None:
    found = curated.silo_data("retrieve", "--query", "who has the key of the boat shed?")
    assert "Teresa Vidal" in str(found)
    told = curated.silo("why", str(found["results"][0]["id"]))
    assert "owner:" in told
    assert "Teresa Vidal" in told
