"""The same words said again, after a hand, another value or an undo came in between: they are news, and no confirmation."""

from __future__ import annotations

from pathlib import Path

import pytest

from command import Home

PORT = "The gateway listens on port 8080."
PATH = "memory/topics/gateway.md"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """A fact of 1 March, curated."""
    made = Home(tmp_path, "2026-03-01")
    made.run("topic", "new", "gateway", "--summary", "The gateway and its racks.")
    made.run("store", "--topic", "gateway", "--tag", "FACT", "--text", PORT)
    made.on("2026-03-02").night()
    return made


def said(home: Home, day: str, text: str, tag: str = "FACT") -> bool:
    """Whether the statement of that day got a line of its own; the night after it is over."""
    data = home.on(day).data("store", "--topic", "gateway", "--tag", tag, "--text", text)
    home.on(f"{day[:8]}{int(day[8:]) + 1:02}").night()
    return bool(data["stored"])


def seen(home: Home) -> list[str]:
    return [fact.seen for fact in home.parsed("gateway").facts]


def test_said_again_and_nothing_in_between_it_confirms(home: Home) -> None:
    assert not said(home, "2026-03-12", PORT)
    assert home.facts("gateway") == [PORT]
    assert seen(home) == ["2026-03-12"]


@pytest.mark.parametrize(
    "other",
    [
        "The gateway moved to port 9443.",
        "Port 9443 is what the gateway has now.",  # in other words
        "The gateway listens on port 9443. Was: 8080.",
    ],
)
def test_said_again_after_another_value_it_is_asked_about(home: Home, other: str) -> None:
    assert said(home, "2026-03-05", other, "CHANGED")
    assert said(home, "2026-03-12", PORT)
    assert len(home.facts("gateway")) == 2
    assert PORT in home.facts("gateway")
    assert len(home.data("review", "list")["items"]) == 1
    assert "2026-03-12" not in [fact.seen for fact in home.parsed("gateway").facts if fact.text != PORT]


def test_a_value_that_comes_back_with_the_other_one_named_is_a_change(home: Home) -> None:
    assert said(home, "2026-03-05", "The gateway moved to port 9443. Was: 8080.", "CHANGED")
    assert said(home, "2026-03-12", f"{PORT} Was: 9443.", "CHANGED")
    assert home.facts("gateway") == [PORT]
    assert not said(home, "2026-03-25", PORT)  # and now it is what stands
    assert seen(home) == ["2026-03-25"]


def test_said_again_after_a_hand_deleted_it_it_is_new(home: Home) -> None:
    lines = [line for line in home.read(PATH).splitlines(keepends=True) if not line.startswith(f"- {PORT}")]
    home.write(PATH, "".join(lines))
    home.on("2026-03-10").night()
    assert home.facts("gateway") == []
    assert said(home, "2026-03-12", PORT)
    assert home.facts("gateway") == [PORT]


def test_said_again_after_a_hand_changed_it_it_is_asked_about(home: Home) -> None:
    home.write(PATH, home.read(PATH).replace(f"- {PORT}", "- The gateway listens on port 8090.", 1))
    home.on("2026-03-10").night()
    assert said(home, "2026-03-12", PORT)
    assert sorted(home.facts("gateway")) == [PORT, "The gateway listens on port 8090."]
    assert len(home.data("review", "list")["items"]) == 1


def test_an_undone_curation_is_taken_up_again_when_asked_for_though_nobody_has_said_anything(home: Home) -> None:
    run = next(row["id"] for row in home.data("log")["runs"] if row["job"] == "curate")
    home.run("undo", run, "--yes")
    home.on("2026-03-03").night()
    assert home.facts("gateway") == []
    event = home.data("retrieve", "gateway port")["results"][0]["id"]
    home.root.joinpath("state").mkdir(exist_ok=True)
    home.run("--again", event, script="extract_session.py")
    home.on("2026-03-04").night()
    assert home.facts("gateway") == [PORT]


def test_a_fact_changed_by_hand_and_then_carried_away_holds_since_the_change(home: Home) -> None:
    home.run("topic", "new", "cellar", "--summary", "What is below.")
    home.write(PATH, home.read(PATH).replace(f"- {PORT}", "- The gateway listens on port 8090.", 1))
    home.on("2026-03-10").night()
    lines = home.read(PATH).splitlines(keepends=True)
    bullet = next(line for line in lines if line.startswith("- The gateway"))
    home.write(PATH, "".join(line for line in lines if line != bullet))
    cellar = "memory/topics/cellar.md"
    home.write(cellar, home.read(cellar).replace("## Facts\n", f"## Facts\n{bullet}", 1))
    home.on("2026-03-12").night()
    for day, wanted in (("2026-03-05", PORT), ("2026-03-11", "The gateway listens on port 8090."), ("2026-03-20", "The gateway listens on port 8090.")):
        told = [fact["text"] for slug in ("gateway", "cellar") for fact in home.data("load", slug, "--as-of", day)["facts"]]
        assert told == [wanted.removesuffix(".")], day
