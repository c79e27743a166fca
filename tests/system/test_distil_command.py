"""distill, validate and extract-metadata as their callers run them: published JSON on a pipe, exit codes, nothing written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from command import Home
from engines import Scripted, answers
from silo.formats.llm import Failure, Why
from silo.formats.schema import check
from silo.jobs import engines

SCHEMAS = Path(__file__).resolve().parents[2] / "schemas"


def fits(name: str, value: object) -> bool:
    return check(value, json.loads((SCHEMAS / f"{name}.schema.json").read_text("utf-8"))) == ()


def distil(home: Home, *args: str) -> dict[str, object]:
    value = json.loads(home.run("distill", *args))
    assert fits("distil", value)
    return dict(value)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path / "w")
    made.root.mkdir()
    return made


def test_distill_prints_the_published_object_on_a_pipe_and_writes_nothing(home: Home) -> None:
    text = "User: Let's deploy to testnet first.\nAgent: Good idea, safer that way."
    value = distil(home, "--text", text)
    assert value["mode"] == "rule"
    assert value["original_size"] == len(text)
    assert value["distilled_size"] == len(json.dumps(value["distilled"]))
    assert list(home.root.iterdir()) == []


def test_a_summary_is_given_when_asked_for(home: Home) -> None:
    assert "core_summary" not in distil(home, "--text", "The gate code changed today.")
    assert len(str(distil(home, "--text", "The garden gate will be painted dark green in May.", "--core-summary")["core_summary"])) < 30


@given(urls=st.lists(st.from_regex(r"https://[a-z]{1,8}\.example/[a-z0-9]{1,9}", fullmatch=True), max_size=14, unique=True))
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_address_of_the_text_is_in_what_comes_out(home: Home, urls: list[str]) -> None:
    value = distil(home, "--text", "User: see " + " and ".join(urls) + " for more.\nAgent: ok")
    assert value["metadata"]["urls"] == urls  # type: ignore[index]


def test_a_secret_in_the_text_comes_out_as_a_placeholder(home: Home) -> None:
    secret = "ghp_" + "a1B2" * 9
    assert secret not in home.run("distill", "--text", f"User: we use the token {secret} for deploys, we decided that.")


def test_the_sizes_come_from_the_configuration(home: Home) -> None:
    (home.root / ".silo").mkdir()
    (home.root / ".silo/config.json").write_text('{"distillation": {"max_distilled_bytes": 24, "aggression": 0, "mode": "rule"}}')
    fact = distil(home, "--text", "We decided to paint the whole house in light grey before the summer.")["distilled"]
    assert len(fact["fact"].encode()) <= 24  # type: ignore[index]


def test_no_words_are_bad_input(home: Home) -> None:
    assert "no text to distil" in home.run("distill", "--text", "  ", code=2)


@pytest.mark.parametrize("mode", [["--llm"], ["--mode", "llm"]])
def test_without_an_engine_the_rules_do_it_and_it_is_said(home: Home, mode: list[str]) -> None:
    value = distil(home, "--text", "We decided to go on Friday.", *mode)
    assert value["mode"] == "rule"
    assert "no engine is configured" in str(value["notes"])


def test_a_model_answers_over_the_endpoint(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    said = {"fact": "We go on Friday", "emotion": "happy", "people": [], "topics": ["trip"], "actions": [], "outcome": "positive decision"}
    scripted = Scripted([lambda prompt: answers(prompt, lambda one: said)], engine="http")
    monkeypatch.setitem(engines.TRANSPORTS, "http", scripted.make)
    args = ("--text", "User: ok we go on Friday, I am so happy about the trip", "--llm", "--llm-endpoint", "http://127.0.0.1:1/x")
    value = distil(home, *args)
    assert (value["mode"], value["distilled"]) == ("llm", said)
    assert distil(home, *args)["mode"] == "llm"
    assert len(scripted.prompts) == 1, "the same conversation costs nothing twice"


@pytest.mark.parametrize("script", ["not json", Failure(Why.HUNG, "it hung"), '{"answers": []}'])
def test_where_a_model_fails_the_rules_do_it(home: Home, monkeypatch: pytest.MonkeyPatch, script: object) -> None:
    monkeypatch.setitem(engines.TRANSPORTS, "http", Scripted([script], engine="http").make)  # type: ignore[list-item]
    value = distil(home, "--text", "We decided to go on Friday.", "--llm", "--llm-endpoint", "http://127.0.0.1:1/x")
    assert value["mode"] == "rule"
    assert "Friday" in value["distilled"]["fact"]  # type: ignore[index]


NOTE = """# Today
Tried the model Z-Image for the photos. Installed it on the Pi.

## Shop
We decided to keep the old till.
"""


def test_validate_tells_what_a_note_leaves_out(home: Home) -> None:
    (home.root / "memory").mkdir()
    (home.root / "memory/2026-03-10.md").write_text(NOTE)
    value = json.loads(home.run("validate", code=1).split("\nNOTE")[0])
    assert fits("validate", value)
    assert value["warnings"] == [
        "Tool 'Z-Image' mentioned without URL/documentation link (line 2)",
        "Action 'installed' mentioned without command example (line 2)",
        "Decision 'decided' mentioned without a next step (line 5)",
    ]
    assert len(value["suggestions"]) == 3


def test_a_complete_note_is_fine(home: Home) -> None:
    note = home.root / "n.md"
    note.write_text(NOTE.replace("photos.", "photos: https://z.example/docs.").replace("Installed it", "Installed it (`pip install z-image`)").replace("till.", "till. Next: tell Ana."))
    value = json.loads(home.run("validate", "--file", str(note)))
    assert (value["status"], value["warnings"]) == ("ok", [])


def test_the_words_that_call_for_more_are_the_persons_own_where_given(home: Home) -> None:
    (home.root / ".silo").mkdir()
    (home.root / ".silo/config.json").write_text('{"validation": {"nouns": ["kiln"], "uses": [], "actions": ["glaze"], "decisions": []}}')
    note = home.root / "n.md"
    note.write_text(NOTE + "The kiln Rohde is hot. Glaze it.\n")
    value = json.loads(home.run("validate", "--file", str(note), code=1).split("\nNOTE")[0])
    assert [one["what"] for one in value["findings"]] == ["Rohde", "glaze"]


def test_no_note_of_today_is_no_warning(home: Home) -> None:
    assert json.loads(home.run("validate"))["warnings_count"] == 0


def test_a_file_that_is_not_there_is_bad_input(home: Home) -> None:
    assert "can't be read" in home.run("validate", "--file", "nowhere.md", code=2)
    assert "can't be read" in home.run("extract-metadata", "--file", "nowhere.md", code=2)


def test_metadata_of_a_file_with_counts_and_caps(home: Home) -> None:
    note = home.root / "n.md"
    note.write_text("".join(f"See https://a.example/{n}. Run `git checkout b{n}`.\n" for n in range(12)))
    value = json.loads(home.run("extract-metadata", "--file", str(note)))
    assert fits("extract-metadata", value)
    assert value["summary"] == {"urls_count": 10, "commands_count": 5, "paths_count": 0}
    assert value["total"] == {"urls_count": 12, "commands_count": 12, "paths_count": 0}
    assert json.loads(home.run("extract-metadata", "--file", str(note), "--all"))["summary"]["urls_count"] == 12
