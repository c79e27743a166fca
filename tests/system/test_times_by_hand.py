"""Other times of a memory that people have edited: every value that was ever there is found, where it stands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from command import Home

PATH = "memory/topics/gateway.md"
PORT = "The gateway listens on port 8080."
RACKS = "The racks stand in hall 7."


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """Two facts of 1 March; a hand changes one on the 10th, deletes the other on the 12th and types a third."""
    made = Home(tmp_path, "2026-03-01")
    made.run("topic", "new", "gateway", "--summary", "The gateway and its racks.")
    made.run("topic", "new", "cellar", "--summary", "What is below.")
    for said in (PORT, RACKS):
        made.run("store", "--topic", "gateway", "--tag", "FACT", "--text", said)
    made.on("2026-03-02").night()
    made.write(PATH, made.read(PATH).replace(f"- {PORT}", "- The gateway listens on port 9090.", 1))
    made.on("2026-03-10").night()
    lines = [line for line in made.read(PATH).splitlines(keepends=True) if not line.startswith(f"- {RACKS}")]
    made.write(PATH, "".join(lines).replace("## Facts\n", "## Facts\n- The gateway is painted blue.\n"))
    made.on("2026-03-12").night()
    return made.on("2026-03-20")


def found(home: Home, *words: str) -> list[str]:
    """The curated facts of a time, each checked to stand where the answer says."""
    results: list[dict[str, Any]] = home.data("retrieve", "gateway racks port painted", "--layer", "curated", "--limit", "9", *words)["results"]
    texts = []
    for one in results:
        if one["kind"] == "fact":
            line = home.read(one["path"]).split("\n")[one["line"] - 1]
            assert one["text"].removesuffix(".") in line, (one, line)
            texts.append(one["text"].removesuffix("."))
    return sorted(texts)


OLD = ["The gateway listens on port 8080", "The racks stand in hall 7"]
MIDDLE = ["The gateway listens on port 9090", "The racks stand in hall 7"]
NOW = ["The gateway is painted blue", "The gateway listens on port 9090"]


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (("--known-at", "2026-03-01"), []),
        (("--known-at", "2026-03-02"), OLD),
        (("--known-at", "2026-03-10T11:59"), OLD),
        (("--known-at", "2026-03-10T12:00"), MIDDLE),
        (("--known-at", "2026-03-10T12:30+02:00"), OLD),
        (("--known-at", "2026-03-11"), MIDDLE),
        (("--known-at", "2026-03-12"), NOW),
        (("--as-of", "2026-02-28"), []),
        (("--as-of", "2026-03-01"), OLD),
        (("--as-of", "2026-03-11"), MIDDLE),
        (("--as-of", "2026-03-12"), NOW),
    ],
)
def test_each_time_has_its_facts_and_they_stand_where_it_says(home: Home, words: tuple[str, str], wanted: list[str]) -> None:
    assert found(home, *words) == wanted
    flag, when = words
    told = home.data("load", "gateway", flag, when)
    assert sorted(one["text"] for one in told["facts"]) == wanted


def test_a_superseded_value_is_found_without_asking_for_a_time(home: Home) -> None:
    results = home.data("retrieve", "port 8080 of the gateway", "--layer", "curated")["results"]
    places = [place for one in results for place in (one, *one["also"])]
    assert any("8080" in home.read(one["path"]).split("\n")[one["line"] - 1] for one in places)


def test_a_carried_fact_was_true_once_not_in_two_places(home: Home) -> None:
    bullet = next(line for line in home.read(PATH).splitlines(keepends=True) if line.startswith("- The gateway is painted"))
    home.write(PATH, home.read(PATH).replace(bullet, "", 1))
    cellar = "memory/topics/cellar.md"
    home.write(cellar, home.read(cellar).replace("## Facts\n", f"## Facts\n{bullet}", 1))
    home.night()
    later = home.on("2026-03-25")
    assert found(later, "--as-of", "2026-03-15") == found(later, "--as-of", "2026-03-21") == NOW
    assert "painted" in home.run("load", "gateway", "--known-at", "2026-03-15")
    assert "painted" not in home.run("load", "cellar", "--known-at", "2026-03-15")


@pytest.mark.parametrize("when", ["2026-03-10Tnoon", "2026-03-10 25:00"])
def test_a_time_that_is_none_is_refused(home: Home, when: str) -> None:
    assert "is no time" in home.run("retrieve", "port", "--known-at", when, code=2)


def test_a_secret_that_a_hand_wrote_into_a_bullet_is_not_repeated(home: Home) -> None:
    secret = "hunter2-Xk93jf02ldk"
    home.write(PATH, home.read(PATH).replace("- The gateway is painted blue.", f"- The gateway's password is {secret}.", 1))
    home.run("store", "--topic", "gateway", "--tag", "FACT", "--text", "The gateway listens on port 7070.")
    home.night()
    home.write(PATH, home.read(PATH).replace(f"password is {secret}", f"password is {secret}, really", 1))
    home.on("2026-03-25").night()
    holding = [line for line in home.read(PATH).split("\n") if secret in line]
    assert len(holding) == 1
    assert holding[0].startswith("- The gateway's password")
    assert [name for name, data in home.memory().items() if secret.encode() in data] == [PATH]
    assert secret not in home.run("load", "gateway", "--known-at", "2026-03-21")
    assert "[REDACTED:" in home.read(PATH)
