"""What is stale, by type; confirming makes it fresh; contradicting or loading does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from command import Home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path, "2026-03-10")
    bullet = "- {} <!-- f_0000000000{} since:{} seen:{} -->"
    made.topic(
        "shop",
        bullet.format("The rent is 900.", "a1", "2025-01-01", "2026-02-07"),
        bullet.format("The door is red.", "a2", "2025-01-01", "2026-02-08"),
        "- The sign is old.",
        "- [ ] Fix the sign",
        kind="business",
        last_verified="2026-03-01",
    )
    made.topic("boat", bullet.format("The keel is steel.", "b1", "2026-01-10", "2026-01-10"), kind="hobby")
    made.topic("lamp", bullet.format("The lamp takes 60 watts.", "c1", "2026-01-08", "2026-01-08"), kind="hobby")
    made.topic("gone", bullet.format("It was sold.", "d1", "2020-01-01", "2020-01-01"), status="archived")
    return made


def stale(home: Home, *args: str) -> dict[str, list[str]]:
    return {one["slug"]: [fact["id"] for fact in one["facts"]] for one in home.data("stale", *args)["topics"]}


def test_thirty_days_for_business_and_sixty_for_a_hobby(home: Home) -> None:
    found = stale(home)
    assert found["shop"] == ["f_0000000000a1"]  # 31 days; the one of 30 days is not, the undated one counts from last_verified
    assert found["lamp"] == ["f_0000000000c1"]
    assert found["boat"] == []  # its fact is 59 days old, but the topic was never verified since January
    assert "gone" not in found
    assert [one["overdue"] for one in home.data("stale")["topics"] if one["slug"] == "shop"] == [False]
    assert stale(home, "--days", "365") == {}
    assert set(stale(home, "--topic", "lamp")) == {"lamp"}


def test_a_topic_of_other_agents_is_theirs_to_confirm(home: Home) -> None:
    home.topic("work", "- The desk is grey. <!-- f_0000000000e1 since:2025-01-01 seen:2025-01-01 -->", agents="coder")
    assert "work" not in stale(home)
    assert stale(home, "--agent-id", "coder")["work"] == ["f_0000000000e1"]


def test_thresholds_are_configured(home: Home) -> None:
    home.write(".silo/config.json", '{"stale_days": {"business": 10, "hobby": 400}}')
    assert set(stale(home)) == {"shop"}
    assert stale(home)["shop"] == ["f_0000000000a1", "f_0000000000a2"]


def test_only_a_real_confirmation_makes_it_fresh(home: Home) -> None:
    home.run("load", "lamp")
    home.run("retrieve", "--query", "lamp")
    home.events("2026-03-09", "[FACT] lamp: The lamp takes 40 watts. <!-- id:e_000000000001 -->")
    home.night()
    assert stale(home)["lamp"] == ["f_0000000000c1"]
    home.run("confirm", "f_0000000000c1")
    assert "lamp" not in stale(home)


def test_the_session_start_says_so_in_one_line(home: Home) -> None:
    assert "Not verified for long: 2 topics (memory_cli.py stale)." in home.run("context")
    assert "Not verified" not in home.run("context", "--audience", "group")
    assert "no topic nowhere" in home.run("stale", "--topic", "nowhere", code=2)
    assert "--days -1" in home.run("stale", "--days", "-1", code=2)
