"""search-url finds every address that is kept, in the published shape."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command import Home
from silo.formats.schema import check


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path)
    made.run("init")
    made.topic("boat", "- Plans are at <https://plans.example.org/hull_(larch)>. <!-- f_00000000000a src:e_00000000000a since:2026-03-01 -->")
    made.topic("gift", "- Shop: https://secret.example.org/ring", sensitivity="private")
    made.events(
        "2026-03-01",
        "[FACT] boat: Plans are at https://plans.example.org/hull_(larch). <!-- id:e_00000000000a -->",
        "[FACT] boat: No address here.",
        "[FACT] boat: Other agent: https://other.example.org <!-- agent:other -->",
    )
    made.write("memory/2026-03-02.md", "# Day\n\n- Read https://blog.example.org/post?id=3, twice\n")
    return made


def test_the_published_shape(home: Home) -> None:
    home.run("store", "--text", "Image model for photos", "--category", "tools/images", "--url", "https://docs.comfy.org/z-image",
             "--command", "hf download z-image", "--path", "/opt/models")  # fmt: skip
    told = json.loads(home.run("search-url", "--url", "COMFY.org"))
    assert (told["query"], told["results_count"]) == ("COMFY.org", 1)
    (one,) = told["results"]
    assert one["category"] == "tools/images"
    assert one["metadata"] == {"urls": ["https://docs.comfy.org/z-image"], "commands": ["hf download z-image"], "paths": ["/opt/models"]}
    assert one["id"].startswith("e_")


def test_all_addresses_once_each(home: Home) -> None:
    told = home.data("search-url", "--all")
    assert set(told["urls"]) == {"https://plans.example.org/hull_(larch)", "https://secret.example.org/ring", "https://blog.example.org/post?id=3"}
    assert [one["id"] for one in told["results"] if "plans" in one["text"]] == ["f_00000000000a"]  # the event that it rests on is not shown again
    group = home.data("search-url", "--all", "--audience", "group")
    assert "secret" not in json.dumps(group)


def test_only_addresses_are_looked_at(home: Home) -> None:
    assert home.data("search-url", "--url", "address")["results"] == []
    assert "no such address" in home.run("search-url", "--url", "nowhere.example", "--plain")
    assert len(home.data("search-url", "--url", "example.org", "--limit", "1")["results"]) == 1
    assert "part of an address" in home.run("search-url", code=2)


def test_the_json_fits_its_schema(home: Home) -> None:
    shape = json.loads((Path(__file__).resolve().parents[2] / "schemas/search-url.schema.json").read_text(encoding="utf-8"))
    assert list(check(home.data("search-url", "--all"), shape)) == []
